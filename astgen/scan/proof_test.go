package scan_test

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen/scan"
	"github.com/hexcc/hexcc/internal/schedules"
	"github.com/hexcc/hexcc/poly"
	"github.com/hexcc/hexcc/schedule/tree"
)

// proved is the number of random schedules: go test ./astgen/scan -proved=1000 looks further.
var proved = flag.Int("proved", 24, "number of random schedules whose loops are proved and mutated")

// TestProof proves loops of random schedules, and changes them: what is proved all the same does the same.
func TestProof(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 11))
	total, undecided, mutants, caught := 0, 0, 0, 0
	for seed := range uint64(*proved) {
		text := schedules.Random(10_000 + seed)
		root, err := tree.Parse(text)
		require.NoError(t, err, text)
		loops, err := scan.Write(root)
		if errors.As(err, new(*poly.LimitError)) {
			continue
		}
		require.NoError(t, err, text)
		total++
		err = scan.Prove(root, loops)
		if errors.As(err, new(*poly.LimitError)) {
			undecided++
			continue
		}
		if !assert.NoError(t, err, "%d: %s\n%s", seed, text, scan.C(loops)) {
			continue
		}
		for range 8 {
			mutant, what := mutated(loops, rng)
			if mutant == nil || scan.C(mutant) == scan.C(loops) {
				continue
			}
			mutants++
			switch err := scan.Prove(root, mutant); {
			case errors.As(err, new(*scan.ProofError)):
				caught++
			case err == nil:
				_, err := schedules.Check(root, schedules.Loops(mutant), 3)
				assert.NoError(t, err, "%d: proved, but wrong: %s\n%s\n%s", seed, what, text, scan.C(mutant))
			}
		}
	}
	t.Logf("%d loops, %d undecided; %d mutants, %d caught", total, undecided, mutants, caught)
	assert.Less(t, undecided*20, total, "too many proofs are undecided")
	assert.Greater(t, caught*10, mutants*6, "too few mutants are caught")
}

// TestFound writes and proves loops of schedules for which that once went wrong.
func TestFound(t *testing.T) {
	for _, seed := range []uint64{
		31487,          // a statement that has no instances in a part, and panicked
		102505, 103653, // instances that two extensions add, in children of one sequence, where the proof could not tell which is which
	} {
		text := schedules.Random(seed)
		root, err := tree.Parse(text)
		require.NoError(t, err, text)
		loops, err := scan.Write(root)
		require.NoError(t, err, text)
		if err := scan.Prove(root, loops); err != nil {
			require.ErrorAs(t, err, new(*poly.LimitError), text)
		}
		_, err = schedules.Check(root, schedules.Loops(loops), 3)
		require.NoError(t, err, text)
	}
}

// mutated returns loops with one change, and what it is; nil if there is nothing to change where it looked.
func mutated(n scan.Node, rng *rand.Rand) (mutant scan.Node, what string) {
	count := 0
	visit(n, func(scan.Node) scan.Node { count++; return nil })
	at := rng.IntN(max(count, 1))
	mutant = visit(n, func(n scan.Node) scan.Node {
		if at--; at != -1 {
			return nil
		}
		one := affine.Num(2*rng.Int64N(2) - 1)
		switch n := n.(type) {
		case scan.Block:
			if len(n) > 1 {
				i := rng.IntN(len(n) - 1)
				c := append(scan.Block{}, n...)
				if c[i], c[i+1] = c[i+1], c[i]; rng.IntN(3) == 0 {
					what = "a child lacks"
					return append(c[:i], c[i+1:]...)
				}
				what = "children swapped"
				return c
			}
		case *scan.For:
			c := *n
			switch rng.IntN(3) {
			case 0:
				c.Lo, what = affine.Total(n.Lo, 1, one), "lower bound"
			case 1:
				c.Hi, what = affine.Total(n.Hi, 1, one), "upper bound"
			default:
				c.Step, what = n.Step+1, "step"
			}
			return &c
		case *scan.If:
			c := *n
			c.Cond, what = scan.Cond{{}}, "condition left out"
			return &c
		case *scan.Call:
			if len(n.Args) > 0 {
				c := *n
				c.Args = append([]affine.Expr{}, n.Args...)
				i := rng.IntN(len(c.Args))
				c.Args[i], what = affine.Total(c.Args[i], 1, one), "argument"
				return &c
			}
		}
		return nil
	})
	return mutant, what
}

// visit returns n with nodes replaced by what f returns for them, where that is not nil.
func visit(n scan.Node, f func(scan.Node) scan.Node) scan.Node {
	if m := f(n); m != nil {
		return m
	}
	switch n := n.(type) {
	case scan.Block:
		c := make(scan.Block, len(n))
		for i := range n {
			c[i] = visit(n[i], f)
		}
		return c
	case *scan.For:
		c := *n
		c.Body = visit(n.Body, f)
		return &c
	case *scan.If:
		c := *n
		if c.Then = visit(n.Then, f); n.Else != nil {
			c.Else = visit(n.Else, f)
		}
		return &c
	case *scan.Mark:
		c := *n
		c.Body = visit(n.Body, f)
		return &c
	}
	return n
}

// TestProofErrors checks what is said of wrong loops.
func TestProofErrors(t *testing.T) {
	root, err := tree.Parse("[n] -> { S[i] -> [i, 0] : 0 <= i < n; T[i] -> [i, 1] : 0 <= i < n }\n{ : }\n{ }")
	require.NoError(t, err)
	i, n := affine.Var("i"), affine.Var("n")
	call := func(stmt string, arg affine.Expr) scan.Node {
		return &scan.Call{Stmt: stmt, Args: []affine.Expr{arg}}
	}
	loop := func(lo, hi affine.Expr, body ...scan.Node) scan.Node {
		return &scan.For{Var: "i", Lo: lo, Hi: hi, Step: 1, Body: scan.Block(body)}
	}
	for _, c := range []struct {
		loops scan.Node
		want  string
	}{
		{loop(zero, n.Add(-1), call("S", i), call("T", i)), ""},
		{loop(zero, n.Add(-1), call("S", i)), "scan: [n] -> { T[0] : n = 1 } does not run"},
		{loop(zero, n, call("S", i), call("T", i)), "scan: [n] -> { S[0] : n = 0 } runs, which the schedule does not run"},
		{loop(zero, n.Add(-1), call("T", i), call("S", i)), "scan: T runs before S, at times the wrong way round, for n = 1: [0 1] and [0 0]"},
		{scan.Block{loop(zero, n.Add(-1), call("S", i)), loop(zero, n.Add(-1), call("T", i))},
			"scan: S runs before T, at times the wrong way round, for n = 2: [1 0] and [0 1]"},
		{loop(zero, n.Add(-1), call("S", i), call("S", i), call("T", i)), "scan: [n] -> { S[0] : n = 1 } runs twice"},
	} {
		err := scan.Prove(root, c.loops)
		assert.Equal(t, c.want, fmt.Sprint(map[bool]any{true: "", false: err}[err == nil]), scan.C(c.loops))
	}
}

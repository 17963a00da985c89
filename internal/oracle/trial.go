package oracle

import (
	"math/rand/v2"
	"testing"

	"github.com/hexcc/hexcc/scop"
)

// A Trial is a region that the C compiler's program ran once.
type Trial struct {
	Before, After *scop.Memory
}

// Original returns what runs the program of p as the C compiler understands it; where its products are fused or sums regrouped, which its
// source does not say, as the interpreter does.
func Original(t testing.TB, p *scop.Program) func(mem *scop.Memory) *scop.Memory {
	t.Helper()
	if p.Rounded() {
		return interpreted(t, p)
	}
	original := CompileC(t, p)
	return func(mem *scop.Memory) *scop.Memory { return original.Run(t, mem) }
}

// Trials runs the Original of p at n sizes.
func Trials(t testing.TB, p *scop.Program, n int) []Trial {
	t.Helper()
	run := Original(t, p)
	rng := rand.New(rand.NewPCG(1, 2))
	all := make([]Trial, n)
	for i := range all {
		mem, err := scop.NewMemory(p, RandomParams(p, rng, i), uint64(i))
		if err != nil {
			t.Fatal(err)
		}
		all[i] = Trial{mem, run(mem)}
	}
	return all
}

// interpreted returns what runs p by the interpreter. Arrays of the function are left as they are.
func interpreted(t testing.TB, p *scop.Program) func(mem *scop.Memory) *scop.Memory {
	return func(mem *scop.Memory) *scop.Memory {
		got := mem.Clone()
		if err := scop.RunOriginal(p, got, nil); err != nil {
			t.Fatalf("%s: %v", mem.Sizes(), err)
		}
		for i, s := range got.Arrays {
			if s.Array.Local {
				copy(s.Cells, mem.Arrays[i].Cells)
			}
		}
		return got
	}
}

// Check requires that got, which something left of x.Before, is what the original
// left of it, bit for bit; arrays that are dead behind the region are not compared.
func (x Trial) Check(t testing.TB, what string, got *scop.Memory, dead ...*scop.Array) {
	t.Helper()
	if d := x.After.Compare(got, dead...); d.Differ > 0 {
		t.Fatalf("%s %s: %d of %d elements differ; first %s: want %s, got %s", what, x.Before.Sizes(), d.Differ, d.Elements, d.First, d.A, d.B)
	}
}

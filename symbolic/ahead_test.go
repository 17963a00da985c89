package symbolic_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/gpu/lower"
	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/symbolic"
)

// rewritten returns p with f applied to each list of nodes.
func rewritten(p *gpu.Program, f func([]gpu.Node) []gpu.Node) *gpu.Program {
	var walk func([]gpu.Node) []gpu.Node
	walk = func(list []gpu.Node) []gpu.Node {
		list = f(slices.Clone(list))
		for i, n := range list {
			switch n := n.(type) {
			case gpu.For:
				n.Body = walk(n.Body)
				list[i] = n
			case gpu.If:
				n.Then, n.Else = walk(n.Then), walk(n.Else)
				list[i] = n
			}
		}
		return list
	}
	out := *p
	out.Kernels = nil
	for _, k := range p.Kernels {
		c := *k
		c.Body = walk(k.Body)
		out.Kernels = append(out.Kernels, &c)
	}
	return &out
}

// loads reports whether op is a load.
func loads(op gpu.Op) bool { _, ok := op.(gpu.Load); return ok }

// TestLoadsTooFarAhead: loads of steps that stand ahead of the barrier before the step, one step at a time, are refuted.
func TestLoadsTooFarAhead(t *testing.T) {
	for name, sizes := range map[string]schedule.Sizes{
		"fdtd-2d": {H: 3, W: []int64{8, 32}}, "jacobi-2d": {H: 2, W: []int64{3, 32}}, "gradient-2d": {H: 2, W: []int64{4, 32}},
	} {
		t.Run(name, func(t *testing.T) {
			x := pipeline.Case(t, name)
			s := pipeline.Loops(t, x.Schedule(t, sizes))
			p, err := lower.Lower(s, pipeline.Device(t, "sm_80"), lower.Options{})
			require.NoError(t, err)
			require.True(t, symbolic.Prove(p, s).Holds)
			mutants := 0
			for at := range 8 {
				seen := 0
				mutant := rewritten(p, func(list []gpu.Node) []gpu.Node {
					for i := 1; i < len(list); i++ {
						step, ok := list[i].(gpu.Threads)
						_, barrier := list[i-1].(gpu.Barrier)
						if !ok || !barrier || step.Role.Kind != gpu.TimeStep || !slices.ContainsFunc(step.Body, loads) {
							continue
						}
						if seen++; seen-1 != at {
							continue
						}
						early := step
						early.Body = nil
						var rest []gpu.Op
						for _, op := range step.Body {
							if loads(op) {
								early.Body = append(early.Body, op)
							} else {
								rest = append(rest, op)
							}
						}
						step.Body = rest
						return slices.Concat(list[:i-1], []gpu.Node{early, list[i-1], step}, list[i+1:])
					}
					return list
				})
				if seen <= at {
					break
				}
				mutants++
				require.NoError(t, mutant.Verify())
				require.False(t, symbolic.Prove(mutant, s).Holds, "loads of step %d of those behind barriers", at)
			}
			require.Positive(t, mutants)
		})
	}
}

// TestSplitCopies: of copies whose loads stand ahead of other copies, another element is refuted, and so is a register that other threads
// have set.
func TestSplitCopies(t *testing.T) {
	x := pipeline.Case(t, "jacobi-2d")
	s := pipeline.Loops(t, x.Schedule(t, schedule.Sizes{H: 2, W: []int64{3, 32}}))
	p, err := lower.Lower(s, pipeline.Device(t, "sm_80"), lower.Options{})
	require.NoError(t, err)
	require.NoError(t, p.Verify())
	require.True(t, symbolic.Prove(p, s).Holds)
	first := func(change func(gpu.Threads) gpu.Threads) *gpu.Program {
		done := false
		mutant := rewritten(p, func(list []gpu.Node) []gpu.Node {
			for i, n := range list {
				if n, ok := n.(gpu.Threads); ok && !done && n.Role.Kind == gpu.CopyIn && n.Fetches() {
					list[i], done = change(n), true
				}
			}
			return list
		})
		require.True(t, done)
		return mutant
	}
	other := first(func(n gpu.Threads) gpu.Threads {
		l := n.Body[0].(gpu.Load)
		l.From.Index = slices.Clone(l.From.Index)
		last := len(l.From.Index) - 1
		l.From.Index[last] = affine.Offset(l.From.Index[last], 1)
		l.From.Base = nil
		n.Body = slices.Concat([]gpu.Op{l}, n.Body[1:])
		return n
	})
	require.NoError(t, other.Verify())
	require.False(t, symbolic.Prove(other, s).Holds)
	fewer := first(func(n gpu.Threads) gpu.Threads {
		n.Loops = slices.Clone(n.Loops)
		l := &n.Loops[len(n.Loops)-1]
		l.Hi = affine.Offset(l.Hi, -1)
		return n
	})
	require.ErrorContains(t, fewer.Verify(), "is read by other threads than set it")
}

package emulate

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/cpu"
	"github.com/hexcc/hexcc/internal/oracle"
	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/ranks"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// A planned is a program and its plan.
type planned struct {
	*ranks.Plan
	prog *cpu.Program
}

// planOf returns the plan of a case with narrow tiles; ok is false where ranks cannot share it out.
func planOf(t *testing.T, c pipeline.Stencil) (p planned, ok bool) {
	s, err := schedule.Hybrid(c.Space, c.Cone.Balanced(), pipeline.Narrow.Of(c.Space, c.Cone.Balanced()))
	require.NoError(t, err)
	return planOfTiles(t, s)
}

// planOfTiles returns the plan of a schedule; ok is false where ranks cannot share it out.
func planOfTiles(t *testing.T, s *schedule.Schedule) (p planned, ok bool) {
	t.Helper()
	loops, err := astgen.Roll(s)
	require.NoError(t, err)
	p.prog = cpu.Make(loops)
	p.Plan, err = ranks.Make(ranks.OfCPU(p.prog), "border")
	if err != nil {
		require.IsType(t, &ranks.NotShared{}, err)
		return p, false
	}
	return p, true
}

// onRanks returns how many elements differ that so many ranks leave, and whether there were enough tiles.
func onRanks(t *testing.T, plan planned, count int, extent, steps int64) (differ int64, ok bool) {
	return against(t, plan, extent, steps, func(mem *scop.Memory) (*Report, bool, error) {
		return RunRanks(plan.prog, plan.Plan, count, mem, Options{Seed: 1})
	})
}

// against returns how many elements differ that ranks leave from those of the original, and whether there were enough tiles.
func against(t *testing.T, plan planned, extent, steps int64, run func(*scop.Memory) (*Report, bool, error)) (differ int64, ok bool) {
	p := plan.Scop()
	params, ok := oracle.Sized(p, extent, steps)
	if !ok {
		return 0, false
	}
	mem, err := scop.NewMemory(p, params, 3)
	require.NoError(t, err)
	want := mem.Clone()
	require.NoError(t, scop.Run(p, want))
	report, ok, err := run(mem)
	require.NoError(t, err)
	if !ok {
		return 0, false
	}
	require.Empty(t, report.Findings)
	return want.Compare(mem).Differ, true
}

// TestRanks runs cases as ranks with memory of their own would: in one dimension and two, in all of which the same is proved.
func TestRanks(t *testing.T) {
	for _, c := range pipeline.Some(t) {
		plan, ok := planOf(t, c)
		if !ok {
			continue
		}
		proof := plan.Prove()
		require.True(t, proof.Holds, "%s: %s %s", c.Name, proof.Violation, proof.Undecided)
		if len(c.Space.Space) > 2 {
			continue
		}
		for _, steps := range []int64{1, 13} {
			for _, count := range []int{1, 3} {
				differ, _ := onRanks(t, plan, count, 57, steps)
				require.Zero(t, differ, "%s: %d ranks, %d steps", c.Name, count, steps)
			}
		}
	}
}

// TestRanksMutants breaks plans: each strip one row short at each side, or left out, or sent after the other phase. That is found by the proof, or by running it.
func TestRanksMutants(t *testing.T) {
	for _, name := range []string{"jacobi-1d", "fdtd-2d"} {
		c := pipeline.Case(t, name)
		whole, ok := planOf(t, c)
		require.True(t, ok)
		tried := 0
		try := func(what string, change func(strips []ranks.Strip, i int) []ranks.Strip) {
			for phase := range whole.After {
				for way := range 2 {
					strips := whole.After[phase].Up
					if way == 1 {
						strips = whole.After[phase].Down
					}
					for i := range strips {
						mutant := *whole.Plan
						mutant.After = append([]ranks.Exchange{}, whole.After...)
						changed := change(append([]ranks.Strip{}, strips...), i)
						if way == 0 {
							mutant.After[phase].Up = changed
						} else {
							mutant.After[phase].Down = changed
						}
						tried++
						proof := mutant.Prove()
						require.False(t, proof.Holds, "%s: %s: phase %d, way %d, strip %v", name, what, phase, way, strips[i])
						differ := int64(0)
						for _, steps := range []int64{7, 13} {
							more, ok := onRanks(t, planned{&mutant, whole.prog}, 2, 57, steps)
							require.True(t, ok)
							differ += more
						}
						require.NotZero(t, differ, "%s: %s: phase %d, way %d, strip %v", name, what, phase, way, strips[i])
					}
				}
			}
		}
		shorter := func(r ranks.Rows, lo, hi int64) ranks.Rows {
			s := ranks.Rows{Start: r.Start}
			for i := range r.Lo {
				s.Lo, s.Hi = append(s.Lo, r.Lo[i]+lo), append(s.Hi, r.Hi[i]-hi)
			}
			return s
		}
		try("one row short below", func(strips []ranks.Strip, i int) []ranks.Strip {
			strips[i].Since, strips[i].Until = shorter(strips[i].Since, 1, 0), shorter(strips[i].Until, 1, 0)
			return strips
		})
		try("one row short above", func(strips []ranks.Strip, i int) []ranks.Strip {
			strips[i].Since, strips[i].Until = shorter(strips[i].Since, 0, 1), shorter(strips[i].Until, 0, 1)
			return strips
		})
		try("left out", func(strips []ranks.Strip, i int) []ranks.Strip { return append(strips[:i:i], strips[i+1:]...) })
		try("one column short", func(strips []ranks.Strip, i int) []ranks.Strip {
			last := len(strips[i].Lo) - 1
			if last == 0 || whole.Arrays[0].Dim == last {
				return strips[:0]
			}
			strips[i].Lo = append([]affine.Expr{}, strips[i].Lo...)
			strips[i].Lo[last] = affine.Offset(strips[i].Lo[last], 1)
			return strips
		})
		turned := *whole.Plan
		turned.After = nil
		for _, e := range whole.After {
			turned.After = append(turned.After, ranks.Exchange{Up: e.Down, Down: e.Up})
		}
		require.False(t, turned.Prove().Holds, name)
		late := *whole.Plan
		late.After = []ranks.Exchange{whole.After[1], whole.After[0]}
		require.False(t, late.Prove().Holds, name)
		require.Greater(t, tried, 8)
	}
}

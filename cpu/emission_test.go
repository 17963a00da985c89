package cpu_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/cpu"
	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/schedule"
)

// TestEmission proves of all cases that what is printed is the schedule, and spoils programs: then it is no more.
func TestEmission(t *testing.T) {
	spoilers := map[string]func(p *cpu.Program){
		"nothing":               func(*cpu.Program) {},
		"a phase left out":      func(p *cpu.Program) { p.Phases = p.Phases[:1] },
		"phases exchanged":      func(p *cpu.Program) { p.Phases[0], p.Phases[1] = p.Phases[1], p.Phases[0] },
		"a time tile too few":   func(p *cpu.Program) { p.THi = affine.Offset(p.THi, -1) },
		"a tile too few":        func(p *cpu.Program) { p.Phases[1].Hi = affine.Offset(p.Phases[1].Hi, -1) },
		"work that is not done": func(p *cpu.Program) { p.Phases[0].Work = astgen.Work{} },
		"another iterator": func(p *cpu.Program) {
			s := tiles(p.Phases[0].Body)[0].Steps[0]
			s.Iters[len(s.Iters)-1] = affine.Offset(s.Iters[len(s.Iters)-1], 1)
		},
		"a row too short": func(p *cpu.Program) {
			s := tiles(p.Phases[1].Body)[0].Steps[0]
			l := &s.Loops[len(s.Loops)-1]
			l.Hi = shorter(l.Hi)
		},
		"a guard too many": func(p *cpu.Program) {
			s := tiles(p.Phases[1].Body)[0].Steps[0]
			s.Guard = append(astgen.Cond{}, append(firstOf(s.Guard), affine.Var(p.Names.T).Add(-2)))
		},
	}
	for _, x := range pipeline.All(t) {
		h := schedule.LegalH(x.Space.K)[1]
		sizes := schedule.Sizes{H: h, W: []int64{schedule.MinW0(x.Cone, h)}}
		for range x.Space.Space[1:] {
			sizes.W = append(sizes.W, 32)
		}
		s := x.Schedule(t, sizes)
		for what, spoil := range spoilers {
			loops, err := astgen.Roll(s)
			require.NoError(t, err)
			p := cpu.Make(loops)
			spoil(p)
			proof := astgen.ProveEmission(s, p.Names, p.Read)
			require.Equal(t, what == "nothing", proof.Holds, "%s, %s: %v", x.Name, what, proof)
			require.Empty(t, proof.Undecided, "%s, %s", x.Name, what)
		}
	}
}

// TestEmissionOfChains exchanges loops to tiles that wait for each other: of those that tell chains apart any may be outermost, none
// may be within one along a chain.
func TestEmissionOfChains(t *testing.T) {
	x := pipeline.Case(t, "heat-3d")
	s := x.Schedule(t, schedule.Sizes{H: schedule.LegalH(x.Space.K)[1], W: []int64{8, 8, 8}})
	chains, ok := schedule.FindChains(s, x.Cone, 2)
	require.True(t, ok)
	s.Wait(chains)
	loops, err := astgen.Roll(s)
	require.NoError(t, err)
	p := cpu.Make(loops)
	for order, holds := range map[[3]int]bool{{1, 2, 3}: true, {2, 1, 3}: true, {1, 3, 2}: false, {3, 2, 1}: false} {
		proof := astgen.ProveEmission(s, p.Names, func() (astgen.Reading, error) {
			r, err := p.Read()
			for i, v := range r.Visits {
				l := v.Loops
				r.Visits[i].Loops = []astgen.Range{l[0], l[order[0]], l[order[1]], l[order[2]]}
			}
			return r, err
		})
		require.Equal(t, holds, proof.Holds, "%v: %v", order, proof)
	}
}

// firstOf returns the rows of the first alternative of c, none if there is none.
func firstOf(c astgen.Cond) []affine.Expr {
	if len(c) == 0 {
		return nil
	}
	return append([]affine.Expr{}, c[0]...)
}

// shorter returns e - 1.
func shorter(e affine.Expr) affine.Expr {
	switch x := e.(type) {
	case affine.Table:
		values := slices.Clone(x.Values)
		for i := range values {
			values[i]--
		}
		return affine.Table{Var: x.Var, Values: values}
	case affine.Min:
		args := make([]affine.Expr, len(x.Args))
		for i, a := range x.Args {
			args[i] = shorter(a)
		}
		return affine.Min{Args: args}
	}
	return affine.Offset(e, -1)
}

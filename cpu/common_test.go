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

// TestCommon finds what the phases of all cases have in common, whatever hexagons look like, and spoils the second phase: constants of sums
// may differ, and are those of each phase then; nothing else may.
func TestCommon(t *testing.T) {
	step := func(p *cpu.Program) *cpu.Step { return tiles(p.Phases[1].Body)[0].Steps[0] }
	spoilers := map[string]func(p *cpu.Program) (common bool){
		"nothing": func(*cpu.Program) bool { return true },
		"another place": func(p *cpu.Program) bool {
			s := step(p)
			s.Iters[0] = affine.Offset(s.Iters[0], 17)
			return true
		},
		"another stride": func(p *cpu.Program) bool {
			s := step(p)
			s.Iters[0] = s.Iters[0].(affine.Sum).Plus(affine.Var(p.Names.T))
			return false
		},
		"another bound": func(p *cpu.Program) bool {
			l := &step(p).Loops[0]
			l.Hi = affine.MinOf(l.Hi, affine.Var(p.Names.T).Add(1000))
			return false
		},
		"a guard":       func(p *cpu.Program) bool { s := step(p); s.Guard = astgen.Cond{{affine.Var(p.Names.T)}}; return false },
		"other rows":    func(p *cpu.Program) bool { step(p).Groups = []cpu.Group{{Size: 7}, {Size: 1}}; return false },
		"another order": func(p *cpu.Program) bool { s := step(p); s.Back[1] = !s.Back[1]; return false },
		"another fetch": func(p *cpu.Program) bool { step(p).Grows++; return false },
		"another wait": func(p *cpu.Program) bool {
			p.Phases[1].Body = append(p.Phases[1].Body, cpu.Await{Lag: 3})
			return false
		},
		"another tile":   func(p *cpu.Program) bool { p.Phases[1].Tile = "other"; return false },
		"phases swapped": func(p *cpu.Program) bool { p.Phases[0], p.Phases[1] = p.Phases[1], p.Phases[0]; return false },
		"one phase":      func(p *cpu.Program) bool { p.Phases = p.Phases[:1]; return false },
	}
	for _, x := range pipeline.All(t) {
		h := schedule.LegalH(x.Space.K)[1]
		sizes := schedule.Sizes{H: h, W: []int64{schedule.MinW0(x.Cone, h)}}
		for range x.Space.Space[1:] {
			sizes.W = append(sizes.W, 32)
		}
		s := x.Schedule(t, sizes)
		for what, spoil := range spoilers {
			if what != "nothing" && !slices.Contains([]string{"jacobi-1d", "jacobi-2d", "fdtd-2d", "asymmetric"}, x.Name) {
				continue
			}
			loops, err := astgen.Roll(s)
			require.NoError(t, err)
			p := cpu.Make(loops)
			want := spoil(p)
			c := p.Common()
			require.Equal(t, want, c != nil, "%s, %s", x.Name, what)
			if c == nil {
				continue
			}
			for number, ph := range p.Phases {
				common, own := iterators(c.Body), iterators(ph.Body)
				require.Equal(t, len(own), len(common), x.Name)
				for i := range own {
					require.Equal(t, own[i], affine.Subst(common[i], map[string]affine.Sum{c.Var: affine.Num(int64(number))}), "%s, %s: phase %d", x.Name, what, number)
				}
			}
		}
	}
}

// iterators returns what the iterators of all steps are.
func iterators(list []cpu.Node) (all []affine.Expr) {
	for _, tile := range tiles(list) {
		for _, s := range tile.Steps {
			all = append(all, s.Iters...)
		}
	}
	return all
}

// TestWork has a condition of many cases left out: threads look at all tiles of a phase then, and what is emitted is the schedule all the same.
func TestWork(t *testing.T) {
	x := pipeline.Case(t, "jacobi-1d")
	s := x.Schedule(t, schedule.Sizes{H: schedule.LegalH(x.Space.K)[1], W: []int64{schedule.MinW0(x.Cone, schedule.LegalH(x.Space.K)[1])}})
	for times, kept := range map[int]bool{1: true, 9: false} {
		loops, err := astgen.Roll(s)
		require.NoError(t, err)
		for i, n := range loops.Body.(astgen.For).Body.(astgen.Block) {
			l := n.(astgen.Launch)
			require.NotEmpty(t, l.Work)
			l.Work = slices.Repeat(l.Work[:1], times)
			loops.Body.(astgen.For).Body.(astgen.Block)[i] = l
		}
		p := cpu.Make(loops)
		require.Equal(t, kept, p.Phases[0].Work != nil)
		if !kept {
			require.True(t, astgen.ProveEmission(s, p.Names, p.Read).Holds)
		}
	}
}

package emulate_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/cpu"
	"github.com/hexcc/hexcc/emulate"
	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/schedule"
)

// eachCPU calls f with the cases of testdata as programs for CPUs, with rows of a few vectors.
func eachCPU(t *testing.T, f func(name string, p *cpu.Program, s *schedule.Schedule)) {
	eachOnCPU(t, 40, false, f)
}

// eachOnCPU is eachCPU with classical tiles of a width, whose tiles wait for each other if waits is set.
func eachOnCPU(t *testing.T, width int64, waits bool, f func(name string, p *cpu.Program, s *schedule.Schedule)) {
	for _, x := range pipeline.All(t) {
		h := schedule.LegalH(x.Space.K)[1]
		sizes := schedule.Sizes{H: h, W: []int64{schedule.MinW0(x.Cone, h)}}
		if len(x.Space.Space) == 1 {
			sizes.W[0] += 40
		}
		for range x.Space.Space[1:] {
			sizes.W = append(sizes.W, width)
		}
		s := x.Schedule(t, sizes)
		if waits {
			chains, ok := schedule.FindChains(s, x.Cone, 1)
			require.True(t, ok, x.Name)
			s.Wait(chains)
		}
		loops, err := astgen.Roll(s)
		require.NoError(t, err)
		p := cpu.Make(loops)
		require.NoError(t, p.Verify(), x.Name)
		f(x.Name, p, s)
	}
}

// TestCPU runs all cases as CPUs would: bit for bit what the source computes, and no order matters that is not kept.
func TestCPU(t *testing.T) {
	vectors, twice := 0, 0
	eachCPU(t, func(name string, p *cpu.Program, s *schedule.Schedule) {
		v, err := emulate.Verify(emulate.Request{CPU: p, Schedule: s, Points: 30_000, Jobs: 2})
		require.NoError(t, err, name)
		require.True(t, v.OK(), "%s\n%v\n%v", name, v, p)
		for _, st := range steps(p) {
			if g := st.Groups[0]; g.Vectors != nil {
				vectors++
				if g.Vectors.Repeat {
					twice++
				}
			}
		}
	})
	require.Greater(t, vectors, 20)
	require.Greater(t, twice, 10)
}

// steps returns all steps of p.
func steps(p *cpu.Program) (all []*cpu.Step) {
	var visit func(list []cpu.Node)
	visit = func(list []cpu.Node) {
		for _, n := range list {
			switch n := n.(type) {
			case cpu.For:
				visit(n.Body)
			case cpu.If:
				visit(n.Then)
				visit(n.Else)
			case cpu.Tile:
				all = append(all, n.Steps...)
			}
		}
	}
	for _, ph := range p.Phases {
		visit(ph.Body)
	}
	return all
}

// A spoiler changes one thing of a program, or reports that there is no such thing.
type spoiler struct {
	name string
	do   func(p *cpu.Program) bool
}

// ofVectors returns a spoiler of the first vectors of each step that f changes something of.
func ofVectors(name string, f func(s *cpu.Step, v *cpu.Vectors) bool) spoiler {
	return spoiler{name, func(p *cpu.Program) (done bool) {
		for _, s := range steps(p) {
			for i := range s.Groups {
				if v := s.Groups[i].Vectors; v != nil {
					done = f(s, v) || done
				}
			}
		}
		return done
	}}
}

// ofLoops returns a spoiler of all steps.
func ofLoops(name string, f func(s *cpu.Step)) spoiler {
	return spoiler{name, func(p *cpu.Program) bool {
		for _, s := range steps(p) {
			f(s)
		}
		return true
	}}
}

// spoilers are mistakes that a maker of programs could make.
var spoilers = []spoiler{
	ofVectors("limits a line too far", func(_ *cpu.Step, v *cpu.Vectors) bool {
		for i := range v.Limits {
			v.Limits[i].Const += v.Lanes
		}
		return true
	}),
	ofVectors("points run twice that must not", func(_ *cpu.Step, v *cpu.Vectors) bool {
		if v.Repeat {
			return false
		}
		v.Repeat = true
		return true
	}),
	ofVectors("window around another place", func(_ *cpu.Step, v *cpu.Vectors) (done bool) {
		for i := range v.Windows {
			v.Windows[i].Index.Const++
			done = true
		}
		return done
	}),
	ofVectors("an offset left out", func(s *cpu.Step, v *cpu.Vectors) bool {
		if len(v.Windows) == 0 {
			return false
		}
		w := &v.Windows[0]
		if len(w.Offsets) == 1 || w.Center == w.Offsets[0] {
			return false
		}
		w.Offsets = w.Offsets[1:]
		return true
	}),
	ofLoops("steps that never run", func(s *cpu.Step) { s.Guard = astgen.Cond{{affine.Num(-1)}} }),
	ofLoops("rows one point longer", func(s *cpu.Step) {
		l := &s.Loops[len(s.Loops)-1]
		l.Hi = longer(l.Hi)
	}),
	ofLoops("another iterator", func(s *cpu.Step) { s.Iters[len(s.Iters)-1] = affine.Offset(s.Iters[len(s.Iters)-1], 1) }),
	{"phases in one launch", func(p *cpu.Program) bool {
		p.Phases[0].Work, p.Phases[0].Body = nil, append(append([]cpu.Node{}, p.Phases[1].Body...), p.Phases[0].Body...)
		p.Phases = p.Phases[:1]
		return true
	}},
	{"phases exchanged", func(p *cpu.Program) bool {
		p.Phases[0], p.Phases[1] = p.Phases[1], p.Phases[0]
		return true
	}},
	{"a phase left out", func(p *cpu.Program) bool {
		p.Phases = p.Phases[:1]
		return true
	}},
	{"tiles left out", func(p *cpu.Program) bool {
		p.Phases[1].Lo = affine.Offset(p.Phases[1].Lo, 1)
		return true
	}},
	{"nests in the other order", func(p *cpu.Program) (done bool) {
		ofTiles(p, func(t *cpu.Tile) {
			t.Nests = t.InNests()
			slices.Reverse(t.Nests)
			done = done || len(t.Nests) > 1
		})
		return done
	}},
	{"steps in the other order", func(p *cpu.Program) (done bool) {
		ofTiles(p, func(t *cpu.Tile) {
			slices.Reverse(t.Steps)
			done = done || len(t.Steps) > 1
		})
		return done
	}},
	{"a step too many", func(p *cpu.Program) (done bool) {
		ofTiles(p, func(t *cpu.Tile) {
			if t.Var != "" {
				t.Lo = affine.Offset(t.Lo, -1)
				done = true
			}
		})
		return done
	}},
}

// longer returns e + 1.
func longer(e affine.Expr) affine.Expr {
	switch x := e.(type) {
	case affine.Table:
		values := slices.Clone(x.Values)
		for i := range values {
			values[i]++
		}
		return affine.Table{Var: x.Var, Values: values}
	case affine.Min:
		args := make([]affine.Expr, len(x.Args))
		for i, a := range x.Args {
			args[i] = longer(a)
		}
		return affine.Min{Args: args}
	}
	return affine.Offset(e, 1)
}

// ofTiles calls f with each tile of p, which it may change.
func ofTiles(p *cpu.Program, f func(*cpu.Tile)) {
	var visit func(list []cpu.Node)
	visit = func(list []cpu.Node) {
		for i, n := range list {
			switch n := n.(type) {
			case cpu.For:
				visit(n.Body)
			case cpu.If:
				visit(n.Then)
				visit(n.Else)
			case cpu.Tile:
				f(&n)
				list[i] = n
			}
		}
	}
	for _, ph := range p.Phases {
		visit(ph.Body)
	}
}

// foundBy returns what finds what is wrong with p when it is run: "" for nobody.
func foundBy(t *testing.T, p *cpu.Program, s *schedule.Schedule) string {
	v, err := emulate.Verify(emulate.Request{CPU: p, Schedule: s, Points: 4000, First: true})
	require.NoError(t, err)
	if v.OK() {
		return ""
	}
	for _, x := range v.Trials {
		if len(x.Report.Findings) > 0 {
			return x.Report.Findings[0].Kind.String()
		}
	}
	return "mismatch"
}

// TestCPUMutants spoils programs: each is found out when it is run.
func TestCPUMutants(t *testing.T) {
	all := 0
	for _, x := range spoilers {
		found := 0
		eachCPU(t, func(name string, p *cpu.Program, s *schedule.Schedule) {
			if len(s.Canonical.Space) > 2 || !x.do(p) {
				return
			}
			require.NotEmpty(t, foundBy(t, p, s), "%s of %s", x.name, name)
			found++
		})
		require.NotZero(t, found, x.name)
		all += found
	}
	require.Greater(t, all, 150)
}

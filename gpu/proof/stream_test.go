package proof_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/gpu/proof"
	"github.com/hexcc/hexcc/gpu/stream"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/pipeline"
)

// evaluations returns a mutant of what warps evaluate: f gives what is there instead of number n of each beat.
func evaluations(n int, f func(p *gpu.Pipeline, op gpu.Evaluate) []gpu.WarpOp) func(p *gpu.Program) {
	return func(p *gpu.Program) {
		for i := range p.Pipeline().Stages {
			for r, ops := range p.Pipeline().Stages[i].Beats {
				var out []gpu.WarpOp
				at := 0
				for _, op := range ops {
					by := []gpu.WarpOp{op}
					if e, ok := op.(gpu.Evaluate); ok {
						if at == n {
							by = f(p.Pipeline(), e)
						}
						at++
					}
					out = append(out, by...)
				}
				p.Pipeline().Stages[i].Beats[r] = out
			}
		}
	}
}

// streamsOf returns a mutant of what the kernels from phase on run.
func streamsOf(phase int, f func(k *gpu.Kernel, s *gpu.Stream)) func(p *gpu.Program) {
	return func(p *gpu.Program) {
		for _, k := range p.Kernels[phase:] {
			s, _ := k.Stream()
			f(k, &s)
			k.Body[0] = s
		}
	}
}

// iterated returns op, of iterators that are by further where name counts.
func iterated(op gpu.Evaluate, name string, by int64) []gpu.WarpOp {
	op.Iters = slices.Clone(op.Iters)
	for i, x := range op.Iters {
		if s, ok := x.(affine.Sum); ok {
			op.Iters[i] = s.Add(by * s.Coef(name))
		}
	}
	return []gpu.WarpOp{op}
}

// guarded returns op, with what f makes of the conditions of its domain.
func guarded(op gpu.Evaluate, f func(all []affine.Expr) []affine.Expr) []gpu.WarpOp {
	op.Domain = astgen.Cond{f(slices.Clone(op.Domain[0]))}
	return []gpu.WarpOp{op}
}

// inactive returns a mutant of where warps run no step: an alternative holds in one more chain.
func inactive(k int) func(p *gpu.Program) {
	return func(p *gpu.Program) {
		for i := range p.Pipeline().Stages {
			st := &p.Pipeline().Stages[i]
			st.Inactive = slices.Clone(st.Inactive)
			st.Inactive[k] = []affine.Expr{st.Inactive[k][0].(affine.Sum).Add(1)}
		}
	}
}

// emissionMutants are mistakes in which instances warps run.
var emissionMutants = map[string]func(p *gpu.Program){
	"warps run no step before they have to": inactive(0),
	"warps run no step while they have to":  inactive(1),
	"a line is not computed":                evaluations(1, func(*gpu.Pipeline, gpu.Evaluate) []gpu.WarpOp { return nil }),
	"a line is computed twice":              evaluations(1, func(_ *gpu.Pipeline, op gpu.Evaluate) []gpu.WarpOp { return []gpu.WarpOp{op, op} }),
	"a line is the next one":                evaluations(2, func(p *gpu.Pipeline, op gpu.Evaluate) []gpu.WarpOp { return iterated(op, p.Vars.Line, 1) }),
	"a row is the next one":                 evaluations(0, func(p *gpu.Pipeline, op gpu.Evaluate) []gpu.WarpOp { return iterated(op, p.Vars.Beat, 1) }),
	"a step is the next one":                evaluations(2, func(p *gpu.Pipeline, op gpu.Evaluate) []gpu.WarpOp { return iterated(op, p.Vars.Time, 1) }),
	"a column is the next one":              evaluations(0, func(p *gpu.Pipeline, op gpu.Evaluate) []gpu.WarpOp { return iterated(op, p.Vars.At, 1) }),
	"a line is a column shorter": evaluations(1, func(_ *gpu.Pipeline, op gpu.Evaluate) []gpu.WarpOp {
		op.Own[1] = op.Own[1].Add(-1)
		return []gpu.WarpOp{op}
	}),
	"a condition is missing": evaluations(1, func(_ *gpu.Pipeline, op gpu.Evaluate) []gpu.WarpOp {
		return guarded(op, func(all []affine.Expr) []affine.Expr { return all[1:] })
	}),
	"a condition is stricter": evaluations(1, func(_ *gpu.Pipeline, op gpu.Evaluate) []gpu.WarpOp {
		return guarded(op, func(all []affine.Expr) []affine.Expr {
			return append(all[:len(all)-1], affine.Offset(all[len(all)-1], -1))
		})
	}),
	"strips lie a line further":            streamsOf(0, func(_ *gpu.Kernel, s *gpu.Stream) { s.Line = affine.Offset(s.Line, 1) }),
	"strips of a phase lie a line further": streamsOf(1, func(_ *gpu.Kernel, s *gpu.Stream) { s.Line = affine.Offset(s.Line, 1) }),
	"strips overlap by a line": streamsOf(0, func(k *gpu.Kernel, s *gpu.Stream) {
		s.Line = s.Line.(affine.Sum).Minus(affine.Var(k.Grid[0].Var))
	}),
	"the first strip is left out":          streamsOf(1, func(k *gpu.Kernel, _ *gpu.Stream) { k.Grid[0].Lo = affine.Offset(k.Grid[0].Lo, 1) }),
	"the last strip is left out":           streamsOf(1, func(k *gpu.Kernel, _ *gpu.Stream) { k.Grid[0].Hi = affine.Offset(k.Grid[0].Hi, -1) }),
	"chains lie a column further":          streamsOf(1, func(_ *gpu.Kernel, s *gpu.Stream) { s.Column = affine.Offset(s.Column, 1) }),
	"chains begin a step later":            streamsOf(1, func(_ *gpu.Kernel, s *gpu.Stream) { s.Time = affine.Offset(s.Time, 1) }),
	"chains begin late":                    streamsOf(0, func(_ *gpu.Kernel, s *gpu.Stream) { s.Lo = affine.Offset(s.Lo, 9) }),
	"chains end early":                     streamsOf(0, func(_ *gpu.Kernel, s *gpu.Stream) { s.Hi = affine.Offset(s.Hi, -2) }),
	"turns beyond the last row are full":   fuller(func(p *gpu.Pipeline, x affine.Sum) bool { return x.Coef(p.Vars.Last) != 0 }),
	"turns beyond the last line are full":  fuller(func(p *gpu.Pipeline, x affine.Sum) bool { return x.Coef(p.Vars.Line) < 0 }),
	"turns before the first line are full": fuller(func(p *gpu.Pipeline, x affine.Sum) bool { return x.Coef(p.Vars.Line) > 0 }),
}

// fuller returns a mutant in which turns are full whatever such conditions say.
func fuller(drop func(p *gpu.Pipeline, x affine.Sum) bool) func(p *gpu.Program) {
	return func(p *gpu.Program) {
		line := p.Pipeline()
		line.Full = astgen.Cond{slices.DeleteFunc(slices.Clone(line.Full[0]), func(e affine.Expr) bool { return drop(line, e.(affine.Sum)) })}
	}
}

// TestStreamEmission spoils which instances the warps of a pipeline run, in three dimensions and with a plane that a statement of its own writes: each mistake is found.
func TestStreamEmission(t *testing.T) {
	for _, name := range []string{"laplacian-3d", "border"} {
		x := pipeline.Case(t, "laplacian-3d")
		if name == "border" {
			x = pipeline.Read(t, name, bordered)
		}
		make := func(t *testing.T) *pipeline.Streams {
			s, why := pipeline.Streaming(t, name, x.Scop, stream.Shape{Columns: 1, Steps: 2, Warps: 2, Period: 1, Lines: 3})
			require.Empty(t, why)
			return s
		}
		t.Run(name, func(t *testing.T) {
			s := make(t)
			require.Empty(t, proof.Emission(s.Program, s.Loops).Violation)
		})
		for what, spoil := range emissionMutants {
			t.Run(name+" "+what, func(t *testing.T) {
				s := make(t)
				spoil(s.Program)
				p := proof.Emission(s.Program, s.Loops)
				t.Log(p.Violation)
				require.False(t, p.Holds)
			})
		}
	}
}

// bordered is a program in which a statement of its own writes the plane before all others.
var bordered = cases.BorderedVolume("for (int j = 1; j < m - 1; j++) for (int k = 1; k < l - 1; k++) A[(t + 1) % 2][0][j][k] = 0.5f * A[t % 2][0][j][k];")

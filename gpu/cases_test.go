package gpu_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/emulate"
	"github.com/hexcc/hexcc/frontend"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/schedule"
)

// A stencil is a case of testdata, up to its cone.
type stencil struct {
	name  string
	space *schedule.Canonical
	cone  schedule.Cone
	deps  []schedule.Dependence
}

// stencils reads all cases of testdata.
func stencils(t testing.TB) []stencil {
	files, err := filepath.Glob("../testdata/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	var all []stencil
	for _, f := range files {
		text, err := os.ReadFile(f)
		require.NoError(t, err)
		r, err := frontend.Parse(frontend.Source{Name: "input.c", Text: txtar.Parse(text).Files[0].Data}, frontend.Options{})
		require.NoError(t, err, f)
		x := stencil{name: strings.TrimSuffix(filepath.Base(f), ".txtar")}
		x.deps, err = schedule.Dependences(r.Programs[0])
		require.NoError(t, err, f)
		x.space, err = schedule.Canonicalize(r.Programs[0], x.deps)
		require.NoError(t, err, f)
		x.cone, err = schedule.BoundCone(x.space, x.deps)
		require.NoError(t, err, f)
		all = append(all, x)
	}
	return all
}

// small returns sizes whose tiles a test can run many of: the n-th of several.
func (x stencil) small(n int) schedule.Sizes {
	h := schedule.LegalH(x.space.K)[n%2]
	sizes := schedule.Sizes{H: h, W: []int64{schedule.MinW0(x.cone, h) + int64(n)}}
	for i := range x.space.Space[1:] {
		sizes.W = append(sizes.W, int64(4+3*i+2*n))
	}
	return sizes
}

func (x stencil) mapped(t testing.TB, sizes schedule.Sizes, o gpu.Options) (*schedule.Schedule, *gpu.Program) {
	s, err := schedule.Hybrid(x.space, x.cone, sizes)
	require.NoError(t, err)
	loops, err := astgen.Generate(s)
	require.NoError(t, err)
	d, _ := gpu.LookupDevice("sm_80")
	p, err := gpu.Map(loops, d, o)
	require.NoError(t, err)
	require.NoError(t, p.Verify())
	return s, p
}

// runsRight runs kernels of the n-th sizes in the emulator.
func (x stencil) runsRight(t *testing.T, n int, o gpu.Options) {
	t.Helper()
	s, p := x.mapped(t, x.small(n), o)
	v, err := emulate.Verify(emulate.Request{Program: p, Schedule: s, Points: 1 << 13})
	require.NoError(t, err)
	require.True(t, v.OK(), "%v %v\n%v\n%v", s.Sizes, o.Strategy, v, p)
}

// TestCasesRunRight runs kernels of every case in the emulator.
func TestCasesRunRight(t *testing.T) {
	for _, x := range stencils(t) {
		t.Run(x.name, func(t *testing.T) {
			for n, o := range []gpu.Options{{}, {}, {Rolled: true}} {
				x.runsRight(t, n, o)
			}
			for n, st := range gpu.Strategies() {
				x.runsRight(t, n%3, gpu.Options{Strategy: st})
			}
		})
	}
}

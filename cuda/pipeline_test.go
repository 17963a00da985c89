package cuda_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/cuda"
	"github.com/hexcc/hexcc/frontend"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// A translation is a C file and what became of it.
type translation struct {
	scop      *scop.Program
	names     cuda.Names
	files     cuda.Files
	registers int // of a thread, by estimate; 0: not asked for
}

// A variant is a way to translate.
type variant struct {
	name      string
	strategy  gpu.Strategy
	spaceOnly bool // tiles of space alone
	large     bool // tiles that need more shared memory than may be declared: over 48 KiB
	lines     bool // #line directives
	unroll    int  // points along s0 in the body of a loop; 0: straight code
}

var (
	staged = variant{name: "staged"}
	small  = variant{name: "small"}
	global = variant{name: "global", strategy: gpu.Global}
	large  = variant{name: "large", large: true}
	by7    = variant{name: "by7", large: true, unroll: 7}
	by2    = variant{name: "by2", unroll: 2, strategy: gpu.Static}
)

// others are cases that are also tried in other ways than the usual one.
var others = []struct {
	path string
	variant
}{
	{"../testdata/jacobi-2d.txtar", global},
	{"../testdata/fdtd-2d.txtar", global},
	{"../testdata/jacobi-2d.txtar", large},
	{"../testdata/fdtd-2d.txtar", large},
	{"../testdata/jacobi-2d.txtar", by7},
	{"../testdata/fdtd-2d.txtar", by7},
	{"../testdata/gradient-2d.txtar", by2},
	{"../testdata/heat-3d.txtar", by2},
}

// eachCase runs f for every case of testdata as a subtest.
func eachCase(t *testing.T, f func(t *testing.T, path string)) {
	paths, err := filepath.Glob("../testdata/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) { f(t, path) })
	}
}

// input returns the name of a case and its input.c.
func input(t *testing.T, path string) (base, text string) {
	archive, err := txtar.ParseFile(path)
	require.NoError(t, err)
	for _, file := range archive.Files {
		if file.Name == "input.c" {
			return strings.TrimSuffix(filepath.Base(path), ".txtar"), string(file.Data)
		}
	}
	t.Fatalf("%s has no input.c", path)
	return "", ""
}

// load translates a case.
func load(t *testing.T, path string, v variant) translation {
	base, text := input(t, path)
	return translate(t, base, text, v)
}

// translate translates C text.
func translate(t *testing.T, base, text string, v variant) translation {
	t.Helper()
	parsed, err := frontend.Parse(frontend.Source{Name: base + ".c", Text: []byte(text)}, frontend.Options{NoAlias: true})
	require.NoError(t, err)
	p := parsed.Programs[0]
	deps, err := schedule.Dependences(p)
	require.NoError(t, err)
	space, err := schedule.Canonicalize(p, deps)
	require.NoError(t, err)
	cone, err := schedule.BoundCone(space, deps)
	require.NoError(t, err)
	tile := sizes(space, cone, v)
	s, err := schedule.Hybrid(space, cone, tile)
	if v.spaceOnly {
		s, err = schedule.Space(space, tile)
	}
	require.NoError(t, err)
	loops, err := astgen.Generate(s)
	require.NoError(t, err)
	device, ok := gpu.LookupDevice("sm_80")
	require.True(t, ok)
	g, err := gpu.Map(loops, device, gpu.Options{Strategy: v.strategy, Unroll: v.unroll})
	require.NoError(t, err)
	names := cuda.Names{Base: base, About: []string{s.Sizes.String()}, Lines: v.lines}
	return translation{scop: p, names: names, files: cuda.Print(g, names)}
}

// sizes returns small tile sizes, or large ones.
func sizes(c *schedule.Canonical, cone schedule.Cone, v variant) schedule.Sizes {
	legal := schedule.LegalH(c.K)
	dims := len(c.Space)
	w := [][]int64{{5}, {3, 32}, {2, 4, 32}, {1, 2, 2, 16}}[dims-1]
	if v.large {
		w = [][]int64{{9000}, {40, 128}, {6, 16, 64}, {1, 2, 2, 32}}[dims-1]
	}
	s := schedule.Sizes{W: append([]int64(nil), w...)}
	for _, h := range legal {
		if h <= 2 {
			s.H = h
		}
	}
	s.H = max(s.H, legal[0])
	s.W[0] = max(s.W[0], schedule.MinW0(cone, s.H))
	return s
}

package ptx_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/frontend"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/ptx"
	"github.com/hexcc/hexcc/schedule"
)

// A variant is a way to translate.
type variant struct {
	name      string
	strategy  gpu.Strategy
	spaceOnly bool // tiles of space alone
	large     bool // tiles that need more shared memory than may be declared
	unroll    int  // points along s0 in the body of a loop; 0: straight code
}

var (
	staged    = variant{name: "staged"}
	global    = variant{name: "global", strategy: gpu.Global}
	spaceOnly = variant{name: "space", spaceOnly: true}
	large     = variant{name: "large", large: true}
	by2       = variant{name: "by2", strategy: gpu.Static, unroll: 2}
)

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

// mapped translates C text up to kernels.
func mapped(t *testing.T, base, text string, v variant) ptx.Part {
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
	return ptx.Part{Program: g, Names: ptx.Names{Base: base, About: []string{s.Sizes.String()}}}
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

// llvm returns an LLVM for an architecture. Without one the test is skipped,
// except in CI, where it fails.
func llvm(t *testing.T, arch string) ptx.Tools {
	t.Helper()
	tools, err := ptx.Find(os.Getenv("HEXCC_LLC"), arch)
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	return tools
}

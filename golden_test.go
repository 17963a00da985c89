package hexcc_test

import (
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	testcases "github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/golden"
	"github.com/hexcc/hexcc/schedule"
)

const cases = "testdata/*.txtar"

func source(text []byte) hexcc.Source { return hexcc.Source{Name: "input.c", Text: text} }

// TestGolden compares products with the sections of each case (-update rewrites).
func TestGolden(t *testing.T) {
	golden.Run(t, cases, nil, func(t *testing.T, c *golden.Case) {
		check := func(pass string, made hexcc.Product) { c.Check(pass, made.String()) }
		res, err := hexcc.Compile(source(c.Input("input.c")), hexcc.Options{Strategy: hexcc.Hybrid, Kernel: hexcc.Tiles, Dump: check}) // kernels of rows that stream have golden files of their own
		require.NoError(t, err)
		proofs := 5
		if res.Schedule.Waits != nil { // and of waits, and of regions
			proofs = 7
		}
		require.Len(t, res.Proofs, proofs)
		for _, p := range res.Proofs {
			require.True(t, p.Holds, p.Name)
			require.NotZero(t, p.Tests, p.Name)
		}
		if c.Name == "jacobi-1d" { // read by a person, with tiles small enough for that
			tile := &schedule.Sizes{H: 1, W: []int64{4}}
			res, err := hexcc.Compile(source(c.Input("input.c")), hexcc.Options{Target: hexcc.OpenCL, Tile: tile})
			require.NoError(t, err)
			check("opencl", res.OpenCL)
		}
	})
}

// TestStop checks that Compile ends after the pass that Options name.
func TestStop(t *testing.T) {
	for i, name := range hexcc.PassNames() {
		var ran []string
		dump := func(pass string, _ hexcc.Product) { ran = append(ran, pass) }
		_, err := hexcc.Compile(source(hexcc.Example), hexcc.Options{Stop: name, Dump: dump})
		require.NoError(t, err)
		require.Equal(t, hexcc.PassNames()[:i+1], ran)
	}
}

// inputs returns the C program of each case by name.
func inputs(t *testing.T) map[string][]byte {
	paths, err := filepath.Glob(cases)
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	found := map[string][]byte{}
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		require.NoError(t, err)
		for _, f := range archive.Files {
			if f.Name == "input.c" {
				found[filepath.Base(path)] = f.Data
			}
		}
	}
	return found
}

// someInputs returns the programs of testcases.Some by name.
func someInputs(t *testing.T) map[string][]byte {
	found := map[string][]byte{}
	for _, c := range testcases.Some(t) {
		found[c.Name] = []byte(c.Text)
	}
	return found
}

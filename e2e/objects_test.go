package e2e_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/cuda"
	"github.com/hexcc/hexcc/internal/tool"
	"github.com/hexcc/hexcc/internal/whole"
)

// TestObjects builds a program whose regions use objects of classes, lambdas and templates, as it is and translated: all print the same, for
// sizes at which objects that are exchanged are alike, are not, and are one.
func TestObjects(t *testing.T) {
	tool.CXX(t)
	path, err := filepath.Abs("../testdata/objects/objects.cpp")
	require.NoError(t, err)
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	dir := t.TempDir()
	build := func(name string, args ...string) string {
		out := filepath.Join(dir, name)
		tool.Run(t, "g++", append([]string{"-std=c++17", "-Wall", "-Wextra", "-Werror", "-Wno-unknown-pragmas", "-ffp-contract=off", "-I", filepath.Dir(path), "-o", out}, args...)...)
		return out
	}
	plain := build("plain", "-O1", path)
	var programs []string
	for _, target := range []hexcc.Target{hexcc.OpenMP, hexcc.CUDA} {
		made, err := hexcc.Compile(hexcc.Source{Name: path, Text: text}, hexcc.Options{Target: target, Base: "objects"})
		require.NoError(t, err)
		if target == hexcc.OpenMP {
			out := filepath.Join(whole.Write(t, made.C.Named("objects")...), "objects.hex.cpp")
			programs = append(programs, build("openmp", "-O1", "-fopenmp", "-DHEXCC_GRAIN=0", out))
			continue
		}
		out := whole.Write(t, made.Files.Named("objects")...)
		require.NoError(t, os.WriteFile(filepath.Join(out, "cuda_runtime.h"), []byte(cuda.Shim), 0o666))
		programs = append(programs, build("cuda", "-O0", "-I", out, "-x", "c++", filepath.Join(out, cuda.HostFile("objects")), filepath.Join(out, cuda.KernelFile("objects"))))
	}
	for _, args := range [][]string{{}, {"5", "7", "3"}, {"3", "3", "4"}, {"41", "18", "9"}} {
		for _, p := range programs {
			said := tool.SameOutput(t, plain, p, args...)
			require.Contains(t, said, "it does not hold that u_cols_ >= v_cols_", "%s %v", p, args)
			require.Contains(t, said, "it does not hold that arrays u_data_ and speed_data_ do not overlap", "%s %v", p, args)
		}
	}
}

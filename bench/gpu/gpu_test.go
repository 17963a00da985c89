package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/tool"
)

// runner runs bench-gpu on a small grid, on the CPU, and returns what it says and its status.
func runner(t *testing.T, dir string, args ...string) (string, int) {
	cmd := exec.Command(filepath.Join(dir, "bench-gpu"), append([]string{"--steps=40", "--runs=3"}, args...)...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		require.ErrorAs(t, err, new(*exec.ExitError))
	}
	return string(out), cmd.ProcessState.ExitCode()
}

// A results is the file that the runner writes.
type results struct {
	Device  string
	Records []struct {
		Key, Original, Untiled, Tile, Binding string
		MS                                    []float64
		GStencils, Limit, Share, GBs          float64
	}
}

func read(t *testing.T, path string) (r results) {
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &r), "%s", text)
	return r
}

// TestHarness builds the harness for the CPU and measures little on tiny grids: results are compared with
// the original programs and with untiled kernels, a run goes on where time was up, and what is wrong is found.
func TestHarness(t *testing.T) {
	if !cases.Whole() {
		t.Skip("a C++ compiler takes long for its kernels: with HEXCC_TESTS=all only; TestTests runs those of one case")
	}
	tool.CXX(t)
	dir := t.TempDir()
	o := order{dir: dir, arch: "sm_90", shim: true, jobs: 2, reference: "33:14", only: regexp.MustCompile("^(laplacian-2d/float/(global|moved|streaming)|fdtd-2d/double/staged|gradient-3d/float/static)$")}
	require.NoError(t, o.build())
	file := filepath.Join(dir, "r.json")

	out, status := runner(t, dir, "--sizes=33", "--only=2d", "--out=r.json", "--seconds=0")
	require.Equal(t, 75, status, out)
	out, status = runner(t, dir, "--sizes=33", "--only=2d/double", "--out=r.json")
	require.Zero(t, status, out)
	first := read(t, file)
	require.Len(t, first.Records, 3)
	out, status = runner(t, dir, "--sizes=33", "--only=2d", "--out=r.json")
	require.Zero(t, status, out)
	out, status = runner(t, dir, "--sizes=14", "--only=3d", "--out=r.json")
	require.Zero(t, status, out)
	all := read(t, file)
	require.Equal(t, "shim", all.Device)
	require.Equal(t, first.Records, all.Records[:3], "measured once")
	keys := map[string]bool{}
	for _, r := range all.Records {
		keys[r.Key] = true
		if r.GBs > 0 {
			continue
		}
		require.Len(t, r.MS, 3)
		require.Equal(t, "equal", r.Original, r.Key)
		require.Contains(t, []string{"equal", "kept"}, r.Untiled, r.Key)
		require.Positive(t, r.GStencils)
		require.Positive(t, r.Limit, r.Key)
		require.InDelta(t, r.GStencils/r.Limit, r.Share, 1e-5)
	}
	for _, key := range []string{"laplacian-2d/float/33/copy", "laplacian-2d/float/33/untiled", "laplacian-2d/float/33/a (global)",
		"laplacian-2d/float/33/e (moved)", "laplacian-2d/float/33/s (streaming)", "fdtd-2d/double/33/b (staged)", "gradient-3d/float/14/f (static)"} {
		require.True(t, keys[key], key)
	}

	reference := filepath.Join(dir, "reference", "laplacian-2d-float-33-37")
	text, err := os.ReadFile(reference)
	require.NoError(t, err)
	text[3] ^= 1
	require.NoError(t, os.WriteFile(reference, text, 0o666))
	out, status = runner(t, dir, "--sizes=33", "--only=laplacian-2d/float/33/e", "--out=wrong.json")
	require.Equal(t, 1, status, out)
	require.Contains(t, out, "original DIFFERENT: 1 of 1 parts")
}

// TestTests builds and runs the tests of a case for the CPU.
func TestTests(t *testing.T) {
	tool.CXX(t)
	dir := t.TempDir()
	o := order{dir: dir, arch: "sm_80", shim: true, jobs: 2, only: regexp.MustCompile("^jacobi-1d$")}
	require.NoError(t, o.buildTests("../../testdata/*.txtar"))
	out, err := exec.Command(filepath.Join(dir, "gpu-test.sh")).CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Regexp(t, `^ok   jacobi-1d: \d+ sizes\nall cases equal\n$`, string(out))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "tests", "jacobi-1d"), []byte("#!/bin/sh\necho wrong\nexit 1\n"), 0o777))
	out, err = exec.Command(filepath.Join(dir, "gpu-test.sh")).CombinedOutput()
	require.Error(t, err)
	require.Contains(t, string(out), "FAIL jacobi-1d\nwrong\n1 cases failed\n")
}

// TestConstants checks constants of stencils: their suffix follows the type.
func TestConstants(t *testing.T) {
	require.Equal(t, "0.25f * x + sqrtf(1.0f)", realTypes[0].text("0.25R * x + SQRT(1.0R)"))
	require.Equal(t, "0.25 * x + sqrt(1.0)", realTypes[1].text("0.25R * x + SQRT(1.0R)"))
}

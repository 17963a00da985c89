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

// TestTests builds tests for the CPU, of --check and of a whole program, and runs them as a machine with a GPU does.
func TestTests(t *testing.T) {
	tool.CXX(t)
	dir := t.TempDir()
	o := order{
		dir: dir, arch: "sm_80", shim: true, jobs: 2, nvcc: "none", turns: 1,
		only: regexp.MustCompile("^(case/jacobi-1d/(auto|phases|planes|untiled)|idiom/(malloc-in-main|signed-zeros)/(auto|fma))/cuda$"),
	}
	require.NoError(t, o.buildTests("../.."))
	path := func(name string) string { return filepath.Join(dir, "tests", name) }
	missing, err := os.ReadFile(path("missing.txt"))
	require.NoError(t, err)
	require.Contains(t, string(missing), "case/jacobi-1d/phases/cuda: the same text as case/jacobi-1d/auto/cuda\n")
	require.Contains(t, string(missing), "case/jacobi-1d/planes/cuda: HX218: ")
	require.Contains(t, string(missing), "idiom/malloc-in-main/fma/cuda: not tested: products are fused, and it is a whole program\n")

	run := func(args ...string) (string, int) {
		return tested(t, path("gpu-test"), filepath.Join(dir, "results.jsonl"), args...)
	}
	out, status := run("-only", "jacobi-1d/auto")
	require.Zero(t, status, out)
	require.Regexp(t, `^ok   case/jacobi-1d/auto/cuda: \d+ sizes, [\d.]+ s  \[1 of 1\]\n1 tests equal, `, out)
	out, status = run("-seconds", "0.001")
	require.Equal(t, 75, status, out)
	out, status = run()
	require.Zero(t, status, out)
	require.NotContains(t, out, "ok   case/jacobi-1d/auto", "it has a result")
	require.Contains(t, out, "ok   idiom/malloc-in-main/auto/cuda: ")

	wrong := path("programs/case.jacobi-1d.untiled.cuda")
	for said, script := range map[string]string{
		"FAIL case/jacobi-1d/untiled/cuda: differs, ": "echo 'f: n=3: 1 of 2 elements DIFFER'; exit 1",
		"FAIL case/jacobi-1d/untiled/cuda: crashed, ": "kill -9 $$",
		"FAIL case/jacobi-1d/untiled/cuda: failed, ":  "echo 'all equal'",
		"HANG case/jacobi-1d/untiled/cuda: ":          "echo begins; sleep 100",
	} {
		require.NoError(t, os.WriteFile(wrong, []byte("#!/bin/sh\n"+script+"\n"), 0o777))
		out, status = tested(t, path("gpu-test"), filepath.Join(t.TempDir(), "r"), "-only", "jacobi-1d/untiled", "-limit", "1.5")
		require.Equal(t, 1, status)
		require.Contains(t, out, said)
	}
	require.NoError(t, os.WriteFile(path("programs/idiom.malloc-in-main.want1"), []byte("another\n"), 0o666))
	out, status = tested(t, path("gpu-test"), filepath.Join(t.TempDir(), "r"), "-only", "malloc-in-main")
	require.Equal(t, 1, status)
	require.Contains(t, out, "differs")
	require.Contains(t, out, `and the original "another\n"`)
}

// tested runs tests whose results go to a file.
func tested(t *testing.T, program, results string, args ...string) (string, int) {
	out, errs, status := tool.Output(t, program, append([]string{"-out", results}, args...)...)
	return out + errs, status
}

// TestConstants checks constants of stencils: their suffix follows the type.
func TestConstants(t *testing.T) {
	require.Equal(t, "0.25f * x + sqrtf(1.0f)", realTypes[0].text("0.25R * x + SQRT(1.0R)"))
	require.Equal(t, "0.25 * x + sqrt(1.0)", realTypes[1].text("0.25R * x + SQRT(1.0R)"))
}

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/internal/cases"
	sources "github.com/hexcc/hexcc/internal/programs"
	"github.com/hexcc/hexcc/internal/tool"
)

// runner runs the programs of a build, on the CPU, and returns what they say and their status.
func runner(t *testing.T, dir string, args ...string) (string, int) {
	cmd := exec.Command(filepath.Join(dir, "bench-gpu"), append([]string{"--runs=3", "--each=1000"}, args...)...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		require.ErrorAs(t, err, new(*exec.ExitError))
	}
	return string(out), cmd.ProcessState.ExitCode()
}

func read(t *testing.T, path string) results {
	r, err := readResults(path)
	require.NoError(t, err)
	return r
}

// TestHarness builds two programs for the CPU and measures them on tiny grids: results are compared with the original programs and with
// each other, a run goes on where time was up, and what is wrong, fails, hangs or crashes is found and does not harm the others.
func TestHarness(t *testing.T) {
	if !cases.Whole() {
		t.Skip("a C++ compiler takes long for its kernels: with HEXCC_TESTS=all only; TestTests runs those of one case")
	}
	tool.CXX(t)
	t.Chdir("../..")
	dir := t.TempDir()
	o := order{dir: dir, arch: "sm_90", shim: true, jobs: 2, reference: "33:14", grids: "n=33,T=40",
		only: regexp.MustCompile("^(laplacian-2d/float/(untiled|hybrid.*|streaming|by hand|auto|space|overlapped|memory a.*)|weighted-5/double fma/(untiled|hybrid))$")}
	require.NoError(t, o.build())
	file := filepath.Join(dir, "r.json")

	out, status := runner(t, dir, "--out=r.json", "--seconds=0")
	require.Equal(t, 75, status, out)
	out, status = runner(t, dir, "--programs=laplacian", "--only=untiled", "--out=r.json")
	require.Zero(t, status, out)
	first := read(t, file)
	require.Len(t, first.Records, 2)
	out, status = runner(t, dir, "--out=r.json")
	require.Zero(t, status, out)
	all := read(t, file)
	require.Equal(t, "shim", all.Device)
	require.Equal(t, first.Records, all.Records[:2], "measured once")
	found := map[string]*measurement{}
	for _, r := range all.Records {
		found[r.Key] = r
		if r.GBs > 0 || r.Same != "" || r.Refused != "" {
			continue
		}
		require.Len(t, r.MS, 3)
		hand := strings.HasPrefix(r.Way, "by hand")
		if r.Program == "laplacian-2d" {
			require.Equal(t, "equal", r.Original, r.Key)
		}
		if !hand {
			require.Equal(t, "equal", r.CPU, r.Key)
			require.Positive(t, r.Expected, r.Key)
			require.NotEmpty(t, r.Tile)
		}
		require.Contains(t, []string{"equal", "kept"}, r.Others, r.Key)
		require.Positive(t, r.Rate)
		require.Zero(t, r.Strange)
	}
	const base = "laplacian-2d/float/T=40,n=33/"
	for _, way := range []string{"copy", "untiled", "hybrid", "streaming", "by hand", "space", "overlapped", "auto", "hybrid ready", "hybrid phases"} {
		require.NotNil(t, found[base+way], way)
	}
	require.NotEmpty(t, found[base+"auto"].Same)
	require.NotNil(t, found["weighted-5/double fma/T=40,n=33/hybrid"])

	var table strings.Builder
	all.table(&table)
	require.Contains(t, table.String(), "| laplacian-2d | float | T=40,n=33 | ")
	require.NotContains(t, table.String(), "What went wrong")

	reference := filepath.Join(dir, "reference", "laplacian-2d-float-33-37")
	text, err := os.ReadFile(reference)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(reference, append(text, text...), 0o666))
	out, status = runner(t, dir, "--programs=laplacian", "--only=space", "--out=longer.json")
	require.Equal(t, 1, status, out)
	require.Contains(t, out, "DIFFERENT: the reference has 2 parts, not 1")
	text[3] ^= 1
	require.NoError(t, os.WriteFile(reference, text, 0o666))
	out, status = runner(t, dir, "--programs=laplacian", "--only=space", "--out=wrong.json")
	require.Equal(t, 1, status, out)
	require.Contains(t, out, "DIFFERENT: 1 of 1 parts")
	table.Reset()
	read(t, filepath.Join(dir, "wrong.json")).table(&table)
	require.Contains(t, table.String(), "What went wrong")
	require.NotContains(t, table.String(), "| laplacian-2d | float | T=40,n=33 | space | ", "it does not count")

	// Nothing is done in no time: each way hangs, is told of, and leaves the others to the next process.
	out, status = runner(t, dir, "--programs=laplacian", "--out=hangs.json", "--hang=0", "--each=1")
	require.Equal(t, 1, status, out)
	for _, r := range read(t, filepath.Join(dir, "hangs.json")).Records {
		if r.GBs == 0 && r.Same == "" {
			require.Contains(t, r.Failed, "too long", r.Key)
		}
	}

	// A process that ended while a way ran is told of by the next one.
	require.NoError(t, os.WriteFile(filepath.Join(dir, "crash.json.began"), []byte("weighted-5/double fma/T=40,n=33/hybrid"), 0o666))
	out, status = runner(t, dir, "--programs=weighted", "--only=hybrid", "--out=crash.json")
	require.Zero(t, status, out)
	require.Equal(t, "the process ended", read(t, filepath.Join(dir, "crash.json")).Records[0].Failed)
}

// TestLargeFrame measures a program whose original has all its arrays in its frame, more than a process's first stack holds.
func TestLargeFrame(t *testing.T) {
	if !cases.Whole() {
		t.Skip("a C++ compiler takes long for its kernels: with HEXCC_TESTS=all only")
	}
	tool.CXX(t)
	t.Chdir("../..")
	o := order{dir: t.TempDir(), arch: "sm_90", shim: true, jobs: 2, grids: "n=620,m=620", only: regexp.MustCompile("^harris/float/untiled$")}
	require.NoError(t, o.build())
	out, status := runner(t, o.dir, "--out=r.json", "--runs=1", "--each=0.01")
	require.Zero(t, status, out)
	records := read(t, filepath.Join(o.dir, "r.json")).Records
	require.Equal(t, "equal", records[len(records)-1].CPU, out)
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

// TestTable checks the tables of results that are known.
func TestTable(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "r.json")
	require.NoError(t, os.WriteFile(file, []byte(`{"date":"today","device":"D","built":"B",
"records":[
{"key":"p/float/n=1/auto","program":"p","kind":"float","grid":"n=1","way":"auto","same":"hybrid"},
{"key":"p/float/n=1/untiled","program":"p","kind":"float","grid":"n=1","way":"untiled","tile":"w0=1","registers":30,"blocks":4,"ms":[2],"ms_median":2,"rate":100,"expected":200,"cpu":"equal","others":"kept"},
{"key":"p/float/n=1/hybrid","program":"p","kind":"float","grid":"n=1","way":"hybrid","ms":[1],"ms_median":1,"rate":300,"expected":200,"cpu":"equal","others":"equal"},
{"key":"p/float/n=1/streaming","program":"p","kind":"float","grid":"n=1","way":"streaming","ms":[1],"ms_median":1,"rate":400,"expected":800,"cpu":"equal","others":"equal"},
{"key":"p/float/n=1/space","program":"p","kind":"float","grid":"n=1","way":"space","ms":[1],"ms_median":1,"rate":900,"expected":800,"cpu":"equal","others":"DIFFERENT: 7 words"},
{"key":"p/float/n=1/wavefront","failed":"line 1: a fault"}
]}`), 0o666))
	replays := filepath.Join(dir, "replays.json")
	require.NoError(t, os.WriteFile(replays, []byte(`{"Program":"p_float","Way":"hybrid","Replayed":150e9}`+"\n"), 0o666))
	r := read(t, file)
	require.NoError(t, r.readReplays(replays))
	var b strings.Builder
	r.table(&b)
	for _, want := range []string{
		"| p | float | n=1 | hybrid | 300 | streaming | 400 | 0.75 | 100 | 3.00 |  |\n",
		"has 0.75 of the best on the geometric mean of 1, and at least 0.75; of plain loops it has 3.00.",
		"| p | float | n=1 | untiled | w0=1 | 30, 4 | 2 | 100 | 200 | 0.50 |  |  |\n",
		"| p | float | n=1 | hybrid | - |  | 1 | 300 | 200 | 1.50 | 150 | 2.00 |\n",
		"| hybrid | 1.50 | 1.50 | 1.50 | 1 | 2.00 | 2.00 | 2.00 | 1 |\n",
		"- p/float/n=1/space is wrong: original: equal, ; others: DIFFERENT: 7 words\n",
		"- p/float/n=1/wavefront failed: line 1: a fault\n",
	} {
		require.Contains(t, b.String(), want)
	}
	require.NotContains(t, b.String(), "| space | - |  |", "what is wrong does not count")
}

// TestPrograms checks that each program is there, and takes one key.
func TestPrograms(t *testing.T) {
	t.Chdir("../..")
	seen := map[string]bool{}
	for _, p := range programs() {
		require.False(t, seen[p.key()], p.key())
		seen[p.key()] = true
		text, err := p.text("f")
		require.NoError(t, err)
		require.Equal(t, p.real.name == "double", !sources.HasFloats(text), p.key())
	}
}

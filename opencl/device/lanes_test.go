package device_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/emulate"
	"github.com/hexcc/hexcc/gpu/stream"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/tool"
	"github.com/hexcc/hexcc/internal/whole"
	"github.com/hexcc/hexcc/opencl"
	"github.com/hexcc/hexcc/opencl/device"
	"github.com/hexcc/hexcc/scop"
)

// onLanes is set in tests that run with opencl/testdata/lanes.cpp as their OpenCL library: a device with sub-groups.
const onLanes = "HEXCC_TEST_LANES"

// TestSubGroups builds and runs kernels whose rows stream on a device with sub-groups of 32, and asks for them where sub-groups are others, or there are none. The library that is
// loaded is the one that the process has begun with: the tests are those of a process of their own.
func TestSubGroups(t *testing.T) {
	part, run := streaming(t)
	switch want := os.Getenv(onLanes); want {
	case "":
		if d := open(t); d.Usual != "" { // PoCL 3.1
			_, err := d.Build(part, d.Usual)
			require.ErrorContains(t, err, "HX508")
			require.ErrorContains(t, err, "needs sub-groups that exchange values")
		}
		inLanes(t)
	case "runs":
		d := open(t)
		program, err := d.Build(part, "")
		require.NoError(t, err)
		defer program.Close()
		run(program)
	default:
		_, err := open(t).Build(part, "")
		require.ErrorContains(t, err, "HX508")
		require.ErrorContains(t, err, want)
	}
}

// streaming returns kernels whose rows stream, and what runs them.
func streaming(t *testing.T) (opencl.Part, func(*device.Program)) {
	res := whole.Compile(t, "jacobi-2d", cases.Input(t, "jacobi-2d"), hexcc.Options{
		NoAlias: true, Strategy: hexcc.Hybrid, Target: hexcc.OpenCL, Kernel: hexcc.Streaming, Pipeline: &stream.Shape{Columns: 2, Steps: 2, Warps: 2, Period: 1},
	})
	return opencl.Part{Program: res.GPU, Names: opencl.Names{Base: "jacobi-2d"}}, func(p *device.Program) {
		request := emulate.Request{Program: res.GPU}
		for i, params := range [][]int64{{0, 5}, {3, 1}, {7, 41}, {13, 157}} {
			diff, err := request.Against(params, uint64(i), func(mem *scop.Memory) error { return p.Run(0, mem) })
			require.NoError(t, err)
			require.Zero(t, diff.Differ, "%v: first %s: %s for %s", params, diff.First, diff.A, diff.B)
		}
	}
}

// inLanes runs the test again, in processes that load testdata/lanes.cpp.
func inLanes(t *testing.T) {
	tool.CXX(t)
	clang := ""
	for _, name := range []string{os.Getenv("HEXCC_CLANG"), "clang", "clang-19"} {
		if path, err := exec.LookPath(name); err == nil && clang == "" {
			clang = path
		}
	}
	if clang == "" {
		tool.Missing(t, "no clang: set HEXCC_CLANG; kernels whose rows stream are not run")
	}
	dir := t.TempDir()
	tool.Run(t, "g++", "-std=c++17", "-O1", "-U_FORTIFY_SOURCE", "-w", "-fPIC", "-shared", "../testdata/lanes.cpp", "-o", filepath.Join(dir, "libOpenCL.so.1"), "-ldl")
	for want, env := range map[string]string{
		"runs": "LANES_SIZE=32", "needs sub-groups of 32 work-items, and": "LANES_SIZE=16", "needs sub-groups that exchange values, and": "LANES_NONE=1",
	} {
		cmd := exec.Command(os.Args[0], "-test.run=^TestSubGroups$", "-test.v")
		cmd.Env = append(os.Environ(), env, onLanes+"="+want, "LD_LIBRARY_PATH="+dir,
			"LANES_CC="+clang+" -x cl -O1 -w -cl-no-stdinc -Xclang -finclude-default-header -Xclang -cl-ext=+cl_khr_fp64 -Dcl_khr_subgroups=1 -Dcl_khr_subgroup_shuffle=1")
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s\n%s", env, out)
		require.Contains(t, string(out), "--- PASS: TestSubGroups")
	}
}

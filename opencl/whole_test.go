package opencl_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/oracle"
	"github.com/hexcc/hexcc/internal/tool"
	"github.com/hexcc/hexcc/internal/whole"
	"github.com/hexcc/hexcc/opencl"
)

// most is how many bytes of kernels PoCL builds in seconds: its time grows with the square of them, and of 1.8 MB it takes minutes.
const most = 300_000

// TestIdioms builds every twelfth program of testdata/idioms as it is, and with its region
// on the device: both print the same. Where narrow tiles, of which small grids have many, have too much text, tiles are
// those that the model chooses.
func TestIdioms(t *testing.T) {
	needDevice(t)
	cases.EachNthIdiom(t, 12, 1, func(t *testing.T, x cases.Idiom) {
		tr := translate(t, x.Name, x.Text, hexcc.Options{NoAlias: true})
		if len(tr.files.Kernel) > most {
			tr = translationOf(x.Name, whole.Compile(t, x.Name, x.Text, hexcc.Options{NoAlias: true, Target: hexcc.OpenCL}))
		}
		plain, ours := tr.programs(t, x.Text)
		for _, args := range x.Runs[:min(3, len(x.Runs))] {
			tool.SameOutput(t, plain, ours, args...)
		}
	})
}

// programs builds a program as it is and translated.
func (tr translation) programs(t *testing.T, text string) (plain, ours string) {
	dir := tr.write(t)
	source := filepath.Join(dir, tr.names.Base+".c")
	require.NoError(t, os.WriteFile(source, []byte(text), 0o666))
	build := func(name string, args ...string) string {
		return tool.Build(t, "gcc", filepath.Join(dir, name), append([]string{"-O2", "-Wno-unknown-pragmas", "-I", dir}, args...)...)
	}
	return build("plain", source), build("ours", filepath.Join(dir, opencl.HostFile(tr.names.Base)), tr.object(t, dir), "-lOpenCL")
}

// TestSeveral runs a file with several regions, and the ways in which a run can fail.
func TestSeveral(t *testing.T) {
	needDevice(t)
	o := hexcc.Options{NoAlias: true, Target: hexcc.OpenCL}
	plain, ours := translationOf("several", whole.Compile(t, "several", cases.Several, o)).programs(t, cases.Several)
	require.Empty(t, tool.SameOutput(t, plain, ours))

	_, errs, status := tool.OutputWith(t, []string{"HEXCC_OPENCL_DEVICE=nowhere"}, ours)
	require.NotZero(t, status)
	require.Regexp(t, `several.hex_kernel.c:\d+: HEXCC_OPENCL_DEVICE=nowhere names none of the OpenCL devices\n`, errs)
	require.Contains(t, errs, "  0  ")
	_, errs, status = tool.OutputWith(t, []string{"HEXCC_OPENCL_OPTIONS=-DT=(("}, ours)
	require.NotZero(t, status)
	require.Regexp(t, `several.hex_kernel.c:\d+: clBuildProgram: CL_BUILD_PROGRAM_FAILURE`, errs)
	require.Contains(t, errs, "error: ") // the log

	o.WithoutDevice = true
	_, ours = translationOf("several", whole.Compile(t, "several", cases.Several, o)).programs(t, cases.Several)
	want, _, _ := tool.Output(t, plain)
	got, errs, status := tool.OutputWith(t, []string{"HEXCC_OPENCL_DEVICE=nowhere"}, ours)
	require.Equal(t, want, got)
	require.Zero(t, status)
	require.Contains(t, errs, "the kernels cannot run here")
}

// TestMutants checks that wrong text is noticed: without barriers results differ,
// and in another address space the kernels are not built.
func TestMutants(t *testing.T) {
	needDevice(t)
	right := translate(t, "jacobi-1d", cases.Input(t, "jacobi-1d"), hexcc.Options{NoAlias: true})
	trials := oracle.Trials(t, right.scop, 4)
	differ := func(old, new string) (n int64) {
		tr := right
		require.Contains(t, tr.files.Run, old)
		tr.files.Run = strings.ReplaceAll(tr.files.Run, old, new)
		ours := tr.build(t)
		for _, x := range trials {
			n += int64(x.After.Compare(ours.Run(t, x.Before)).Differ)
		}
		return n
	}
	require.Zero(t, differ("barrier(", "barrier("))
	require.Positive(t, differ("barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);", ";"))

	wrong := strings.Replace(right.files.Kernel, "__local", "__constant", 1)
	_, errs, status := tool.Output(t, buildOnly(t, wrong))
	require.NotZero(t, status)
	require.Contains(t, errs, "error: ")
	_, errs, status = tool.Output(t, buildOnly(t, right.files.Kernel))
	require.Zero(t, status, errs)
	require.Empty(t, errs, "the kernels compile without a warning")
}

// buildOnly returns a program that builds a kernel file and prints the log.
func buildOnly(t *testing.T, kernels string) string {
	dir := tool.Write(t, map[string]string{"kernels.cl": kernels})
	program := filepath.Join(dir, "build")
	tool.Quiet(t, "gcc", "-DCL_TARGET_OPENCL_VERSION=120", "-DKERNELS=\""+filepath.Join(dir, "kernels.cl")+"\"", "testdata/build.c", "-lOpenCL", "-o", program)
	return program
}

// TestExample builds the examples for OpenCL as their users do.
func TestExample(t *testing.T) {
	needDevice(t)
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, os.DirFS("../examples")))
	hexcc := tool.Hexcc(t, "..")
	tool.Run(t, "make", "-C", dir, "HEXCC="+hexcc, "opencl")
	tool.Run(t, "gcc", "-O2", "-ffp-contract=off", "-w", filepath.Join(dir, "jacobi-2d.c"), "-o", filepath.Join(dir, "plain"))
	want := tool.Run(t, filepath.Join(dir, "plain"), "70", "20")
	require.Equal(t, want, tool.Run(t, filepath.Join(dir, "jacobi-2d.opencl"), "70", "20"))
	require.FileExists(t, filepath.Join(dir, "opencl", "jacobi-2d.d"))
	require.Contains(t, tool.Run(t, "make", "-C", dir, "HEXCC="+hexcc, "opencl/jacobi-2d.hex_check"), "hex_check.c")
	require.Contains(t, tool.Run(t, filepath.Join(dir, "opencl", "jacobi-2d.hex_check"), "n=70", "steps=20"), "all equal")
}

// TestExampleCMake does so with CMake.
func TestExampleCMake(t *testing.T) {
	needDevice(t)
	cmake, dir := tool.CMake(t), t.TempDir()
	require.NoError(t, os.CopyFS(dir, os.DirFS("../examples")))
	hexcc, build := tool.Hexcc(t, ".."), filepath.Join(dir, "build")
	tool.Run(t, cmake, "-S", dir, "-B", build, "-DHEXCC="+hexcc, "-DHEXCC_SHIM=ON", "-DHEXCC_OPENCL=ON")
	make := func() string { return tool.Run(t, cmake, "--build", build, "--target", "jacobi-2d-opencl") }
	require.Contains(t, make(), "hexcc --target=opencl")
	tool.Run(t, "gcc", "-O2", "-ffp-contract=off", "-w", filepath.Join(dir, "jacobi-2d.c"), "-o", filepath.Join(dir, "plain"))
	require.Equal(t, tool.Run(t, filepath.Join(dir, "plain"), "70", "20"), tool.Run(t, filepath.Join(build, "jacobi-2d-opencl"), "70", "20"))
	require.NotContains(t, make(), "hexcc --target=opencl", "nothing has changed")
}

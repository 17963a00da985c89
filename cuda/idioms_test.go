package cuda_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var runLine = regexp.MustCompile(`(?m)^// RUN (.*)$`)

// stagedIdioms are those whose kernels use shared memory in this test.
var stagedIdioms = map[string]bool{"swap-rows": true, "rotate-three": true, "flat-index-macro": true}

// TestIdiomsRunOnCPU builds each program of testdata/idioms as it is, at -O0 and
// at -O2, and with its region translated and the kernels run on the CPU: all
// print the same, whatever surrounds the region and follows it.
func TestIdiomsRunOnCPU(t *testing.T) {
	paths, err := filepath.Glob("../testdata/idioms/*.c")
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	for _, path := range paths {
		base := strings.TrimSuffix(filepath.Base(path), ".c")
		t.Run(base, func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			v := global // small text: the host code differs between idioms, the kernels do not
			if stagedIdioms[base] {
				v = staged
			}
			tr := translate(t, base, string(text), v)
			dir := tr.write(t)
			build := func(name string, args ...string) string {
				program := filepath.Join(dir, name)
				tool(t, "gcc", append([]string{"-std=gnu11", "-ffp-contract=off", "-Wall", "-Wextra", "-Werror", "-Wno-unknown-pragmas",
					"-I", dir, "-o", program}, args...)...)
				return program
			}
			ours := build("ours", "-O1", "-x", "c", filepath.Join(dir, tr.names.HostFile()), "-x", "none", tr.buildOnCPU(t, dir), "-lstdc++", "-lm")
			plain, fast := build("plain", "-O0", path, "-lm"), build("fast", "-O2", path, "-lm")
			for run := range strings.SplitSeq(string(runLine.FindSubmatch(text)[1]), "|") {
				args := strings.Fields(run)
				want := printed(t, plain, args)
				require.Equal(t, want, printed(t, fast, args), "-O2 %s", run)
				require.Equal(t, want, printed(t, ours, args), "translated %s", run)
			}
		})
	}
}

// printed returns what a program prints.
func printed(t *testing.T, program string, args []string) string {
	cmd := exec.Command(program, args...)
	var out, errs strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &errs
	require.NoError(t, cmd.Run(), "%s %v\n%s", program, args, errs.String())
	return out.String()
}

// TestIdiomsCompile compiles what is printed for some idioms with nvcc, without a warning.
func TestIdiomsCompile(t *testing.T) {
	compiler := nvcc(t)
	for _, base := range []string{"rotate-three", "struct-of-pointers", "flat-volume", "array-of-structs", "mixed-structs", "named-constants"} {
		t.Run(base, func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile("../testdata/idioms/" + base + ".c")
			require.NoError(t, err)
			tr := translate(t, base, string(text), global)
			dir := tr.write(t)
			tool(t, compiler, "-O3", "-Werror", "all-warnings", "-Xcompiler", "-Wall,-Wextra,-Werror", "-arch=sm_80",
				"-c", filepath.Join(dir, tr.names.KernelFile()), "-o", filepath.Join(dir, "kernel.o"))
		})
	}
}

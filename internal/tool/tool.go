// Package tool runs the programs that tests ask: compilers, and what they made.
// For tests only.
package tool

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hexcc/hexcc/internal/nvcc"
)

// Missing says that what a test needs is not here: it is skipped, but in CI,
// where nothing may be missing, it fails.
func Missing(t testing.TB, format string, args ...any) {
	t.Helper()
	if os.Getenv("CI") == "true" {
		t.Fatalf(format, args...)
	}
	t.Skipf(format, args...)
}

// NVCC returns the path of nvcc, which must not be missing.
func NVCC(t testing.TB) string {
	t.Helper()
	path, err := nvcc.Find()
	if err != nil {
		Missing(t, "%v", err)
	}
	return path
}

// Disassembler requires nvcc, with the gcc that it asks for the headers of the machine, and nvdisasm: none may be missing.
func Disassembler(t testing.TB) {
	t.Helper()
	NVCC(t)
	if _, err := nvcc.FindDisassembler(); err != nil {
		Missing(t, "%v", err)
	}
	if _, err := exec.LookPath("gcc"); err != nil {
		Missing(t, "%v", err)
	}
}

// CMake returns the path of CMake, which must not be missing: $HEXCC_CMAKE, or the one on PATH.
func CMake(t testing.TB) string {
	t.Helper()
	if path := os.Getenv("HEXCC_CMAKE"); path != "" {
		return path
	}
	path, err := exec.LookPath("cmake")
	if err != nil {
		Missing(t, "no cmake on PATH or in HEXCC_CMAKE, which .ci/run installs: %v", err)
	}
	return path
}

// Python returns a python that has islpy, which must not be missing: python3, or
// what HEXCC_PYTHON says.
func Python(t testing.TB) string {
	t.Helper()
	return pythonWith(t, "islpy")
}

// NumPy is Python with NumPy and IPython in place of islpy.
func NumPy(t testing.TB) string {
	t.Helper()
	return pythonWith(t, "numpy, IPython")
}

func pythonWith(t testing.TB, modules string) string {
	t.Helper()
	python := "python3"
	if p := os.Getenv("HEXCC_PYTHON"); p != "" {
		python = p
	}
	if err := exec.Command(python, "-c", "import "+modules).Run(); err != nil {
		Missing(t, "%s has no %s: %v", python, modules, err)
	}
	return python
}

// Hexcc builds hexcc from the module's root, a path from the test, and returns where it is.
func Hexcc(t testing.TB, root string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "hexcc")
	RunIn(t, root, "go", "build", "-o", path, "./cmd/hexcc")
	return path
}

// CXX requires g++, which must not be missing: without it nothing runs the text of CUDA.
func CXX(t testing.TB) {
	t.Helper()
	if _, err := exec.LookPath("g++"); err != nil {
		Missing(t, "no g++ on PATH: %v", err)
	}
}

// Write writes files into a new folder, and returns it.
func Write(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// Run runs a program that must succeed, and returns what it prints.
func Run(t testing.TB, name string, args ...string) string {
	t.Helper()
	return RunIn(t, "", name, args...)
}

// RunIn is Run in a folder.
func RunIn(t testing.TB, dir, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
	return string(out)
}

// Quiet runs a program that must succeed and say nothing.
func Quiet(t testing.TB, name string, args ...string) {
	t.Helper()
	if out := Run(t, name, args...); out != "" {
		t.Fatalf("%s %s:\n%s", name, strings.Join(args, " "), out)
	}
}

// Strict are the flags for C of ours and of users: any warning is an error, and
// arithmetic is what it says.
var Strict = []string{"-std=gnu11", "-ffp-contract=off", "-Wall", "-Wextra", "-Werror", "-Wno-unknown-pragmas"}

// Build compiles C by a compiler with Strict and args, such as files, to a program, and returns that.
func Build(t testing.TB, compiler, program string, args ...string) string {
	t.Helper()
	Quiet(t, compiler, slices.Concat(Strict, args, []string{"-lm", "-o", program})...)
	return program
}

// Output runs a program and returns what it prints, on stdout and on stderr, and its exit status.
func Output(t testing.TB, program string, args ...string) (stdout, stderr string, status int) {
	t.Helper()
	return OutputWith(t, nil, program, args...)
}

// OutputWith is Output with more in the environment.
func OutputWith(t testing.TB, env []string, program string, args ...string) (stdout, stderr string, status int) {
	t.Helper()
	cmd := exec.Command(program, args...)
	cmd.Env = append(os.Environ(), env...)
	return Finish(t, cmd, cmd.Run)
}

// Finish runs cmd by run, which may fail only by the program's exit status, and
// returns what Output does.
func Finish(t testing.TB, cmd *exec.Cmd, run func() error) (stdout, stderr string, status int) {
	t.Helper()
	var out, errs strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := run(); err != nil && cmd.ProcessState == nil {
		t.Fatalf("%s: %v", cmd.Path, err)
	}
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

// SameOutput requires that program succeeds and prints on stdout, for args, what
// original does, which is something; it returns what it says on stderr.
func SameOutput(t testing.TB, original, program string, args ...string) (stderr string) {
	t.Helper()
	want, _, _ := Output(t, original, args...)
	got, stderr, status := Output(t, program, args...)
	if got != want || want == "" || status != 0 {
		t.Fatalf("%s %v exits with %d and prints\n%s\nnot\n%s\n%s", program, args, status, got, want, stderr)
	}
	return stderr
}

package e2e_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/cuda"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/gallery"
	"github.com/hexcc/hexcc/internal/tool"
	"github.com/hexcc/hexcc/opencl/device"
)

// roundedByDevices are the programs whose kernels call what no standard rounds, and each device in its own way.
var roundedByDevices = map[string]string{"fdtd-2d": "exp", "fdtd-3d-pml": "expf"}

// longInOpenCL are the programs whose straight code an OpenCL compiler takes minutes for: in CI it is not their turn.
var longInOpenCL = map[string]bool{"lbm-d2q9": true, "advection-2d": true, "groundwater": true}

// unbounded are the programs that come to not-a-numbers from random values, of which PTX keeps no bits.
var unbounded = map[string]bool{"cardiac": true, "euler-2d": true}

// smallSizes are points along a side and steps: of programs that take some numbers only, those.
var smallSizes = map[string][][2]int{
	"":              {{8, 3}, {37, 5}, {20, 40}},
	"cahn-hilliard": {{8, 3}, {16, 20}},
}

// TestGallery translates each program of examples/gallery without flags, by the command, and runs it: it prints what the original
// prints, and draws the same picture, bit for bit. Programs take turns: OpenMP is for every fourth one, OpenCL and C for the next, CUDA for
// the one after that, then PTX and the emulator, in CI those whose round it is, but with HEXCC_TESTS=all everything for all.
func TestGallery(t *testing.T) {
	hexcc := command(t)
	all, err := gallery.Read("../examples/gallery")
	require.NoError(t, err)
	for i, p := range all {
		if i%4 > 0 && !cases.Whole() || !cases.Due(i, cases.Rounds) {
			continue
		}
		t.Run(p.Name, func(t *testing.T) {
			t.Parallel()
			x := gallerist{T: t, p: p, hexcc: hexcc}.in(i)
			sizes := smallSizes[p.Name]
			if sizes == nil {
				sizes = smallSizes[""]
			}
			if p.Fixed { // each size is a translation of its own
				sizes = sizes[1:2]
			}
			x.compare(sizes)
		})
	}
}

// A gallerist tries one program.
type gallerist struct {
	*testing.T
	p     gallery.Program
	hexcc string
	turn  int // which targets are tried
}

// in is x for program number i, of which CI tries a fourth of the targets; with HEXCC_TESTS=all, every one.
func (x gallerist) in(i int) gallerist {
	x.turn = (i + i/4) % 4 // also of every fourth program
	if x.turn == 1 && longInOpenCL[x.p.Name] {
		x.turn = 0
	}
	return x
}

// tries reports whether the targets of a turn are tried.
func (x gallerist) tries(turn int) bool { return x.turn == turn || cases.Every() }

// targets are those whose text is compiled and run.
func (x gallerist) targets() (all []string) {
	for turn, targets := range [][]string{{"openmp"}, {"c", "opencl"}, {"cuda"}} {
		if x.tries(turn) {
			all = append(all, targets...)
		}
	}
	return all
}

// compare translates the program for its targets, and compares what it does for sizes with the original.
func (x gallerist) compare(sizes [][2]int) {
	flags, _ := x.p.Sized(sizes[0][0], sizes[0][1])
	dir := x.TempDir()
	plain := x.build(dir, "plain", append(flags, x.p.Path)...)
	var programs []string
	for _, target := range x.targets() {
		if target == "opencl" && roundedByDevices[x.p.Name] != "" {
			continue
		}
		if p := x.translated(target, flags); p != "" {
			programs = append(programs, p)
		}
	}
	for _, s := range sizes {
		_, args := x.p.Sized(s[0], s[1])
		want, wantPicture := x.run(plain, args)
		require.NotEmpty(x, want)
		for _, p := range programs {
			got, picture := x.run(p, args)
			require.Equal(x, want, got, "%s %v", filepath.Base(p), s)
			require.Equal(x, wantPicture, picture, "%s %v: another picture", filepath.Base(p), s)
		}
	}
	if !x.tries(3) {
		return
	}
	library := roundedByDevices[x.p.Name] == "" || os.Getenv("HEXCC_LIBDEVICE") != "" // PTX takes from it what no standard rounds
	if _, err := llvm(); !unbounded[x.p.Name] && (err == nil && library || os.Getenv("CI") == "true") {
		flags = append(flags[:len(flags):len(flags)], "--device=ptx") // which no program here can call
	}
	tool.Run(x, x.hexcc, slices.Concat([]string{"verify", "-q"}, flags, []string{x.p.Path})...)
}

// language returns the compiler of the program's text, and how it calls that.
func (x gallerist) language() (compiler string, flags []string) {
	flags = []string{"-O0", "-ffp-contract=off", "-Wno-unknown-pragmas"}
	if x.p.IsCPlusPlus() {
		return "g++", append(flags, "-std=c++17", "-x", "c++")
	}
	return "gcc", append(flags, "-std=gnu11", "-x", "c")
}

// build compiles sources, of the language of the program, to a program in dir. What stands behind -x none is linked.
func (x gallerist) build(dir, name string, args ...string) string {
	compiler, flags := x.language()
	program := filepath.Join(dir, name)
	tool.Run(x, compiler, slices.Concat(flags, []string{"-I", dir, "-I", filepath.Dir(x.p.Path)}, args, []string{"-lm", "-o", program})...)
	return program
}

// translated returns the program as it is for a target, or "" if this machine, which is not that of CI, lacks what it needs.
func (x gallerist) translated(target string, flags []string) string {
	dir := x.TempDir()
	base := filepath.Join(dir, x.p.Name)
	tool.Run(x, x.hexcc, slices.Concat(flags, []string{"-q", "--target=" + target, "-o", base, x.p.Path})...)
	made := func(end string) string {
		found, err := filepath.Glob(base + end)
		require.NoError(x, err)
		require.Len(x, found, 1, "%s%s", x.p.Name, end)
		return found[0]
	}
	switch target {
	case "openmp", "c":
		return x.build(dir, target, append(flags, made(".hex.c*"), "-fopenmp", "-DHEXCC_GRAIN=0")...)
	case "opencl":
		if d, err := device.Open(""); err == nil {
			d.Close()
		} else if os.Getenv("CI") != "true" {
			return ""
		}
		return x.build(dir, target, append(flags, made(".hex_host.c*"), "-x", "none", x.object(dir, "gcc", "-x", "c", made(".hex_kernel.c")), "-lOpenCL")...)
	}
	if _, err := exec.LookPath("g++"); err != nil && os.Getenv("CI") != "true" {
		return ""
	}
	require.NoError(x, os.WriteFile(filepath.Join(dir, "cuda_runtime.h"), []byte(cuda.Shim), 0o666))
	runtime, err := runtimes()
	require.NoError(x, err)
	kernels := filepath.Join(dir, "kernels.o")
	require.NoError(x, plusPlus(dir, "-include", filepath.Join(runtime, "runtime.h"), "-x", "c++", "-c", made(".hex_kernel.cu"), "-o", kernels))
	return x.build(dir, target, append(flags, made(".hex_host.cu"), "-x", "none", kernels, "-lstdc++")...)
}

// object compiles one file of kernels.
func (x gallerist) object(dir, compiler string, args ...string) string {
	object := filepath.Join(dir, "kernels.o")
	tool.Run(x, compiler, slices.Concat([]string{"-O0", "-ffp-contract=off", "-U_FORTIFY_SOURCE", "-w", "-I", dir}, args, []string{"-c", "-o", object})...)
	return object
}

// run returns what a program prints, and the picture that it draws.
func (x gallerist) run(program string, args []string) (printed, picture string) {
	name := filepath.Join(x.TempDir(), "picture.pgm")
	out, errs, status := tool.OutputWith(x, []string{"OMP_NUM_THREADS=3", "OMP_WAIT_POLICY=passive"}, program, append(args[:len(args):len(args)], name)...)
	require.Zero(x, status, "%s %v: %s%s", program, args, out, errs)
	text, err := os.ReadFile(name)
	require.NoError(x, err)
	require.True(x, strings.HasPrefix(string(text), "P5"))
	return out, string(text)
}

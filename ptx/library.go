package ptx

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/scop"
)

// This file finds NVIDIA's library of functions, libdevice, and links it: bitcode
// that comes with the CUDA toolkit, and alone in a package of PyPI. Every LLVM that
// is taken here reads it. What is computed is what nvcc's kernels compute.

// libraryFunctions are those taken from libdevice, where they are called __nv_exp and __nv_expf.
var libraryFunctions = []string{
	"acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cbrt", "cos", "cosh", "erf", "erfc", "exp", "exp2", "expm1",
	"fmod", "hypot", "lgamma", "log", "log10", "log1p", "log2", "pow", "remainder", "sin", "sinh", "tan", "tanh", "tgamma",
}

// NoLibrary as the path of libdevice says to do without.
const NoLibrary = "none"

// libraryFile is what the file is called since CUDA 9.
const libraryFile = "libdevice.10.bc"

// Uses returns where p first calls a function of libdevice, and which; ok is false if it does not.
func Uses(p *scop.Program) (at diag.Span, name string, ok bool) {
	for _, s := range p.Stmts {
		eachCall(s, func(c scop.Call) {
			if !ok && slices.Contains(libraryFunctions, inDouble(c)) {
				at, name, ok = s.Pos, c.Func, true
			}
		})
	}
	return at, name, ok
}

// FindLibrary returns the path of libdevice for p, a program that uses it: the file path or, if that is "",
// the one of a CUDA toolkit, or beside nvcc. The error is a diag.List: HX301.
func FindLibrary(p *scop.Program, path string) (string, error) {
	var tried []string
	switch path {
	case NoLibrary:
		tried = []string{"--libdevice=none says to do without"}
	case "":
		for _, file := range libraryPlaces() {
			if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() {
				return file, nil
			}
			tried = append(tried, "there is no "+file)
		}
	default:
		info, err := os.Stat(path)
		switch {
		case err != nil:
			tried = []string{err.Error()}
		case !info.Mode().IsRegular():
			tried = []string{path + " is no file"}
		default:
			return path, nil
		}
	}
	at, name, _ := Uses(p)
	d := &diag.Diagnostic{
		Code: "HX301", At: at,
		Msg: fmt.Sprintf("PTX has no instruction that computes %s, and NVIDIA's library of functions, %s, was not found", name, libraryFile),
		Help: "install it (python3 -m pip install nvidia-nvvm, or a CUDA toolkit) and name the file with --libdevice or HEXCC_LIBDEVICE; " +
			"or write --target=cuda: nvcc takes " + name + " from there",
	}
	for _, t := range tried {
		d.Notes = append(d.Notes, diag.Note{Msg: t})
	}
	return "", diag.List{d}
}

// libraryPlaces returns where libdevice may be: in the toolkit that the environment
// names, in that of the nvcc that it names or that is on PATH, and where installers put it.
func libraryPlaces() (files []string) {
	add := func(dir ...string) {
		file := filepath.Join(append(dir, libraryFile)...)
		if !slices.Contains(files, file) {
			files = append(files, file)
		}
	}
	for _, name := range []string{"CUDA_HOME", "CUDA_PATH"} {
		if dir := os.Getenv(name); dir != "" {
			add(dir, "nvvm", "libdevice")
		}
	}
	nvcc := os.Getenv("HEXCC_NVCC")
	if nvcc == "" {
		nvcc = "nvcc"
	}
	if path, err := exec.LookPath(nvcc); err == nil {
		if real, err := filepath.EvalSymlinks(path); err == nil {
			add(filepath.Dir(filepath.Dir(real)), "nvvm", "libdevice")
		}
	}
	add("/usr/local/cuda", "nvvm", "libdevice")
	add("/opt/cuda", "nvvm", "libdevice")
	add("/usr/lib/nvidia-cuda-toolkit", "libdevice")
	return files
}

// link returns a module with what it calls of the library, as bitcode.
func (t Tools) link(module string) (bitcode []byte, err error) {
	linker, err := beside(t.LLC, "llvm-link", t.major())
	if err != nil {
		return nil, diag.List{{
			Code: "HX501", Msg: fmt.Sprintf("functions such as exp need llvm-link of LLVM %s: %v", t.Version, err),
			Help: fmt.Sprintf("install all of LLVM (Debian and Ubuntu: apt-get install llvm-%s)", t.major()),
		}}
	}
	dir, err := os.MkdirTemp("", "hexcc")
	if err != nil {
		return nil, failed(t, err)
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "kernels.ll")
	if err := os.WriteFile(file, []byte(module), 0o666); err != nil {
		return nil, failed(t, err)
	}
	// The two differ in their data layouts, of which the linker warns: in addresses of shared memory, which the library has not.
	bitcode, _, err = run(deadline, nil, linker, "-suppress-warnings", "-only-needed", "-internalize", "-o", "-", file, t.Library)
	if err != nil {
		return nil, failed(t, err)
	}
	return bitcode, nil
}

// major returns the first number of the version.
func (t Tools) major() string {
	first, _, _ := strings.Cut(t.Version, ".")
	return first
}

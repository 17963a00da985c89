package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"time"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/emulate"
	"github.com/hexcc/hexcc/machine"
	"github.com/hexcc/hexcc/mpirun"
	"github.com/hexcc/hexcc/opencl/device"
	"github.com/hexcc/hexcc/ptx"
)

// A check is what hexcc doctor found of one thing.
type check struct {
	Name    string `json:"name"`
	Status  string `json:"status"`            // ok, missing, or fails: it is there and does not work
	Found   string `json:"found,omitempty"`   // what it is, with its version, or what is wrong
	For     string `json:"for"`               // what hexcc needs it for
	Install string `json:"install,omitempty"` // a command, or what to do, where it is not ok
}

// The statuses of a check.
const (
	isOK      = "ok"
	isMissing = "missing"
	isFailing = "fails"
)

// A diagnosis is all that hexcc doctor found.
type diagnosis struct {
	Version string  `json:"version"`
	System  string  `json:"system"`
	CPU     string  `json:"cpu"`
	OK      bool    `json:"ok"` // hexcc itself works: it translates and verifies
	Checks  []check `json:"checks"`
}

// Run looks at this machine. It fails where hexcc itself does not work; what else is missing is no failure.
func (c *doctorCmd) Run(s *session) error {
	if err := resolveArch(&c.Arch); err != nil {
		return err
	}
	sys := thisSystem()
	d := diagnosis{Version: hexcc.Version, System: runtime.GOOS + "/" + runtime.GOARCH, CPU: machine.ThisCPU(), OK: true}
	if sys.name != "" {
		d.System += ", " + sys.name
	}
	for _, works := range []check{checkTranslation(), checkVerification()} {
		d.OK = d.OK && works.Status == isOK
		d.Checks = append(d.Checks, works)
	}
	d.Checks = append(d.Checks, checkCompiler(sys)...)
	d.Checks = append(d.Checks, checkCxx(sys), checkCUDA(sys, c.Arch), checkGPU(), checkLLVM(sys, c.Arch), checkOpenCL(sys), checkMPI(sys))
	d.Checks = append(d.Checks, checkKept())
	if err := d.print(s, c.Format); err != nil {
		return err
	}
	if !d.OK {
		return exit(exitUsage)
	}
	return nil
}

func (d diagnosis) print(s *session, format string) error {
	if format == "json" {
		text, err := json.MarshalIndent(d, "", "  ")
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(s.stdout, "%s\n", text)
		return err
	}
	fmt.Fprintf(s.stdout, "hexcc %s on %s, %s\n\n", d.Version, d.System, d.CPU)
	for _, c := range d.Checks {
		found := c.Found
		if found == "" {
			found = "not found"
		}
		fmt.Fprintf(s.stdout, "%-8s %-14s %s\n", c.Status, c.Name, found)
		if c.Status != isOK {
			fmt.Fprintf(s.stdout, "%-8s %-14s for %s: %s\n", "", "", c.For, c.Install)
		}
	}
	return nil
}

// reportBug is what to do where hexcc itself does not work.
const reportBug = "this is a fault of hexcc: please report it with this text"

// checkTranslation translates the built-in example for CPUs.
func checkTranslation() check {
	c := check{Name: "translation", Status: isOK, For: "all"}
	began := time.Now()
	if _, err := hexcc.Compile(exampleSource(), hexcc.Options{Target: hexcc.OpenMP, Base: "jacobi-2d"}); err != nil {
		c.Status, c.Found, c.Install = isFailing, err.Error(), reportBug
		return c
	}
	c.Found = fmt.Sprintf("the built-in example, for CPUs, in %v", time.Since(began).Round(time.Millisecond))
	return c
}

// checkVerification runs the translated example inside hexcc.
func checkVerification() check {
	c := check{Name: "verification", Status: isOK, For: "hexcc verify"}
	res, err := hexcc.Compile(exampleSource(), hexcc.Options{Target: hexcc.C, Base: "jacobi-2d"})
	if err == nil {
		var v *emulate.Verification
		v, err = emulate.Verify(emulate.Request{Program: res.GPU, CPU: res.CPU, Schedule: res.Schedule, Proofs: res.Proofs, Sizes: []emulate.Size{{"n": 67, "steps": 5}}, Seed: 1})
		if err == nil && !v.OK() {
			err = errors.New("the example and its translation differ")
		}
	}
	if err != nil {
		c.Status, c.Found, c.Install = isFailing, err.Error(), reportBug
		return c
	}
	c.Found = "the example and its translation, run inside hexcc, are equal"
	return c
}

func exampleSource() hexcc.Source { return hexcc.Source{Name: "jacobi-2d.c", Text: hexcc.Example} }

var vectorMacros = []struct{ macro, name string }{
	{"__AVX512F__", "AVX-512"}, {"__AVX2__", "AVX2"}, {"__AVX__", "AVX"}, {"__SSE2__", "SSE2"}, {"__ARM_FEATURE_SVE", "SVE"}, {"__ARM_NEON", "NEON"},
}

// checkCompiler looks for the C compiler of this machine, and what it does of OpenMP and of the processor.
func checkCompiler(sys system) []check {
	c := check{Name: "C compiler", Status: isOK, For: "--target=openmp and c, hexcc cc, hexcc tune, headers of the machine"}
	path, err := hostCompiler()
	if err != nil {
		c.Status, c.Install = isMissing, sys.install("cc")
		return []check{c}
	}
	c.Found = describe(path)
	if _, err := askHost([]string{path}, nil); err != nil {
		c.Status, c.Found, c.Install = isFailing, fmt.Sprintf("%s: %v", c.Found, err), sys.install("cc")
	}
	omp := check{Name: "OpenMP", Status: isOK, For: "--target=openmp"}
	if out, err := tryProgram(path, ompProgram, "-fopenmp"); err != nil {
		omp.Status, omp.Found, omp.Install = isMissing, filepath.Base(path)+" -fopenmp: "+err.Error(), sys.install("openmp")
	} else {
		omp.Found = filepath.Base(path) + " -fopenmp, threads: " + strings.TrimSpace(out)
	}
	native := check{Name: "vectors", Status: isOK, For: "fast loops on this processor"}
	switch out, err := output(patience, path, "-march=native", "-E", "-dM", "-x", "c", os.DevNull); {
	case err != nil:
		native.Status, native.Found, native.Install = isMissing, filepath.Base(path)+" does not take -march=native", "name the processor, as -mcpu or -march of the compiler do"
	default:
		native.Found = "-march=native, no vectors that are known"
		for _, v := range vectorMacros {
			if strings.Contains(string(out), "#define "+v.macro+" ") {
				native.Found = "-march=native: " + v.name
				break
			}
		}
	}
	return []check{c, omp, native}
}

const ompProgram = `#include <stdio.h>
int main(void)
{
  int threads = 0;
#pragma omp parallel reduction(+ : threads)
  threads += 1;
#ifdef _OPENMP
  printf("%d\n", threads);
  return 0;
#else
  return 1;
#endif
}
`

// tryProgram compiles a program in C with flags, and returns what it prints.
func tryProgram(compiler, text string, flags ...string) (out string, err error) {
	dir, err := os.MkdirTemp("", "hexcc-doctor-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	source, program := filepath.Join(dir, "try.c"), filepath.Join(dir, "try")
	if err := os.WriteFile(source, []byte(text), 0o666); err != nil {
		return "", err
	}
	if said, err := output(patience, compiler, append(flags, source, "-o", program)...); err != nil {
		return "", fmt.Errorf("it does not compile: %s", firstLine(said))
	}
	said, err := output(patience, program)
	if err != nil {
		return "", fmt.Errorf("what it compiles does not run: %w", err)
	}
	return string(said), nil
}

// describe returns the path of a compiler with the first line that it says of its version.
func describe(path string) string {
	said, err := output(patience, path, "--version")
	if err != nil {
		return path
	}
	return path + ": " + firstLine(said)
}

func firstLine(text []byte) string {
	line, _, _ := strings.Cut(strings.TrimSpace(string(text)), "\n")
	return line
}

func checkCxx(sys system) check {
	c := check{Name: "C++ compiler", Status: isOK, For: "hexcc verify --device=cpu, and hexcc shim"}
	path, err := exec.LookPath("g++")
	if err != nil {
		c.Status, c.Found, c.Install = isMissing, "no g++", sys.install("c++")
		return c
	}
	c.Found = describe(path)
	return c
}

// checkMPI looks for an MPI, and lets it compile and start a program on two ranks.
func checkMPI(sys system) check {
	c := check{Name: "MPI", Status: isOK, For: "--target=mpi, and its ranks in hexcc verify"}
	library, err := mpirun.Find()
	if err != nil {
		c.Status, c.Found, c.Install = isMissing, "no mpicc, or no mpirun", sys.install("mpi")
		return c
	}
	c.Found, err = library.Try()
	if err != nil {
		c.Status, c.Found, c.Install = isFailing, firstLine([]byte(err.Error())), sys.install("mpi")
	}
	return c
}

func checkCUDA(sys system, arch string) check {
	c := check{Name: "nvcc", Status: isOK, For: "compiling what --target=cuda writes"}
	said, wrong := cudaCompiler(arch)
	if wrong == nil {
		c.Found = strings.TrimPrefix(said, "nvcc: ")
		return c
	}
	c.Status, c.Found, c.Install = isFailing, wrong.Msg, wrong.Help
	if wrong.Code == "HX504" {
		c.Status, c.Install = isMissing, sys.install("nvcc")
	}
	return c
}

func checkGPU() check {
	c := check{Name: "NVIDIA GPU", Status: isOK, For: "running what --target=cuda and ptx write"}
	gpus, err := gpusHere()
	if err != nil {
		c.Status, c.Found, c.Install = isMissing, err.Error(), "without one, hexcc verify runs kernels inside hexcc, and hexcc verify --device=cpu on this processor"
		return c
	}
	var names []string
	for _, g := range gpus {
		names = append(names, fmt.Sprintf("%s (%s, driver %s)", g.name, g.arch, g.driver))
	}
	c.Found = strings.Join(names, "; ")
	return c
}

// A gpu is one of this machine.
type gpu struct{ name, arch, driver string }

var capability = regexp.MustCompile(`^(\d+)\.(\d+)$`)

// gpusHere returns the NVIDIA GPUs of this machine, at least one.
func gpusHere() (gpus []gpu, err error) {
	path, err := exec.LookPath("nvidia-smi")
	if err != nil {
		return nil, errors.New("no NVIDIA driver: there is no nvidia-smi")
	}
	said, err := output(patience, path, "--query-gpu=name,compute_cap,driver_version", "--format=csv,noheader")
	if err != nil {
		return nil, fmt.Errorf("%s fails: %s", path, firstLine(said))
	}
	for line := range strings.Lines(string(said)) {
		fields := strings.Split(strings.TrimSpace(line), ", ")
		if len(fields) != 3 {
			continue
		}
		if m := capability.FindStringSubmatch(fields[1]); m != nil {
			gpus = append(gpus, gpu{fields[0], "sm_" + m[1] + m[2], fields[2]})
		}
	}
	if len(gpus) == 0 {
		return nil, fmt.Errorf("%s names no GPU", path)
	}
	return gpus, nil
}

// nativeArch is the --arch of the GPU of this machine.
const nativeArch = "native"

// resolveArch puts the architecture of this machine's GPU in the place of native. The error says that there is none, or that hexcc
// does not know arch.
func resolveArch(arch *string) error {
	if *arch == nativeArch {
		gpus, err := gpusHere()
		if err != nil {
			return &diag.Diagnostic{
				Code: "HX501", Msg: fmt.Sprintf("--arch=%s asks for the GPU of this machine: %v", nativeArch, err),
				Help: "name the architecture that the kernels are to run on, such as --arch=sm_80; hexcc help arch lists them",
			}
		}
		for _, g := range gpus[1:] {
			if g.arch != gpus[0].arch {
				return fmt.Errorf("--arch=%s: the GPUs of this machine are of several architectures: take --arch=%s (%s) or --arch=%s (%s)", nativeArch, gpus[0].arch, gpus[0].name, g.arch, g.name)
			}
		}
		*arch = gpus[0].arch
	}
	return machine.CheckArch(*arch)
}

func checkLLVM(sys system, arch string) check {
	c := check{Name: "llc", Status: isOK, For: "--target=ptx"}
	tools, err := ptx.Find(os.Getenv("HEXCC_LLC"), arch)
	var list diag.List
	switch {
	case errors.As(err, &list):
		c.Status, c.Found, c.Install = isMissing, list[0].Msg, sys.install("llvm")
		if notes := list[0].Notes; len(notes) > 0 {
			c.Found = notes[0].Msg
		}
	case err != nil:
		c.Status, c.Found, c.Install = isFailing, err.Error(), sys.install("llvm")
	default:
		c.Found = fmt.Sprintf("%s: LLVM %s, with opt, knows %s", tools.LLC, tools.Version, arch)
	}
	return c
}

func checkOpenCL(sys system) check {
	c := check{Name: "OpenCL", Status: isOK, For: "running what --target=opencl writes"}
	d, err := device.Open(os.Getenv("HEXCC_OPENCL_DEVICE"))
	if err != nil {
		var one *diag.Diagnostic
		c.Status, c.Found, c.Install = isMissing, err.Error(), sys.install("opencl")
		if errors.As(err, &one) {
			c.Found = one.Msg
		}
		return c
	}
	defer d.Close()
	c.Found = d.Name
	return c
}

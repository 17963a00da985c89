package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/cuda"
	"github.com/hexcc/hexcc/opencl"
	"github.com/hexcc/hexcc/ptx"
)

// This file compiles tests.

// patience is how long a compiler may take.
const patience = 5 * time.Minute

// compile runs a compiler; the error has the beginning of what it said.
func (t *tester) compile(name string, args ...string) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	out, err := exec.CommandContext(ctx, name, args...).CombinedOutput()
	if ctx.Err() != nil {
		return fmt.Errorf("%s takes more than %v", filepath.Base(name), patience)
	}
	if err != nil {
		return fmt.Errorf("%s %s: %w\n%s", filepath.Base(name), strings.Join(args, " "), err, out[:min(len(out), 2000)])
	}
	return nil
}

// flagsOfC are those of C and C++. What no region needs may call functions of other files: the program is linked without it.
var flagsOfC = []string{"-O2", "-ffp-contract=off", "-w", "-ffunction-sections", "-fdata-sections"}

// compiler returns the compiler of the program, and its flags.
func (x input) compiler() (name string, flags []string) {
	name, flags = "gcc", []string{"-std=gnu11", "-x", "c"}
	if x.cxx() {
		name, flags = "g++", []string{"-std=gnu++17", "-x", "c++"}
	}
	flags = slices.Concat(flags, flagsOfC, []string{"-I", filepath.Dir(x.path)})
	for _, d := range x.defines {
		flags = append(flags, "-D"+d)
	}
	return name, flags
}

// originals compiles the program as it is, runs it, and returns the runs with what it printed.
func (t *tester) originals(x input) (runs []wholeRun, err error) {
	folder := t.path("sources/" + x.group + "/" + x.name)
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return nil, err
	}
	program := filepath.Join(folder, "original")
	cc, flags := x.compiler()
	text := filepath.Join(folder, filepath.Base(x.path)) // a case is no file
	if err := os.WriteFile(text, x.text, 0o666); err != nil {
		return nil, err
	}
	if err := t.compile(cc, slices.Concat(flags, []string{text, "-o", program, "-Wl,--gc-sections", "-lm"})...); err != nil {
		return nil, err
	}
	for i, args := range x.runs {
		out, err := exec.Command(program, args...).Output()
		if err != nil {
			return nil, fmt.Errorf("the original with %v: %w", args, err)
		}
		want := fmt.Sprintf("programs/%s.%s.want%d", x.group, x.name, i)
		if err := t.builder.write("tests/"+want, string(out)); err != nil {
			return nil, err
		}
		runs = append(runs, wholeRun{Args: args, Want: want})
	}
	return runs, nil
}

// program compiles and links a test, of its main file and the kernels, unless the program is newer than its sources.
func (t *tester) program(x input, target hexcc.Target, res *hexcc.Result, main, folder, program string) error {
	at := func(file string) string { return t.path(folder + "/" + file) }
	header, main := at(ctext.HeaderFile(x.name)), at(main)
	kernels, library, text, call := at(cuda.KernelFile(x.name)), "", "", (*regexp.Regexp)(nil)
	switch target {
	case hexcc.PTX:
		kernels, library, text, call = at(ptx.LoaderFile(x.name)), "libcuda.so.1", res.PTX.Loader, driverCall
	case hexcc.OpenCL:
		kernels, library, text, call = at(opencl.RunFile(x.name)), "libOpenCL.so.1", res.OpenCL.Run, openCLCall
	}
	if newer(program, header, main, kernels) {
		return nil
	}
	cc, common := x.compiler()
	common = append(common, "-I", t.path(folder))
	objects := []string{at("main.o"), at("kernels.o")}
	defer func() {
		for _, o := range objects {
			_ = os.Remove(o) // it may not be there
		}
	}()
	err := t.compile(cc, slices.Concat(common, []string{"-c", main, "-o", objects[0]})...)
	if err != nil {
		return err
	}
	if target == hexcc.CUDA {
		args := slices.Concat(t.flags(), []string{"-I", t.path(folder), "-c", kernels, "-o", objects[1]})
		link := []string{"-arch=" + t.arch, "-L" + filepath.Join(filepath.Dir(t.compiler), "../lib"), "-cudart=static", "-Xlinker", "-s,--gc-sections"}
		if t.shim {
			link = []string{"-s", "-Wl,--gc-sections"}
		}
		link = slices.Concat(link, objects, []string{"-o", program, "-lm"})
		return errors.Join(t.compile(t.compiler, args...), t.compile(t.compiler, link...))
	}
	stub, shared := at("stub.c"), at("stub.so") // it stands for a library that comes with the driver, which is where the GPU is
	if err := os.WriteFile(stub, []byte(stubs(text, call)), 0o666); err != nil {
		return err
	}
	objects = append(objects, shared)
	for _, args := range [][]string{
		{"gcc", "-shared", "-fPIC", "-Wl,-soname," + library, stub, "-o", shared},
		slices.Concat([]string{"gcc", "-std=gnu11"}, flagsOfC, []string{"-I", t.path(folder), "-c", kernels, "-o", objects[1]}),
		{cc, "-s", "-Wl,--gc-sections", objects[0], objects[1], shared, "-o", program, "-lpthread", "-lm"},
	} {
		if err := t.compile(args[0], args[1:]...); err != nil {
			return err
		}
	}
	return nil
}

// driverCall finds the declarations of functions of the driver, openCLCall where those of OpenCL are named.
var (
	driverCall = regexp.MustCompile(`(?m)^CUresult (cu\w+)\(`)
	openCLCall = regexp.MustCompile(`\b(cl[A-Z]\w+)\b`)
)

// stubs returns C with the functions that call finds in text.
func stubs(text string, call *regexp.Regexp) string {
	var names []string
	for _, m := range call.FindAllStringSubmatch(text, -1) {
		names = append(names, m[1])
	}
	slices.Sort(names)
	out := ""
	for _, name := range slices.Compact(names) {
		out += fmt.Sprintf("int %s(void) { return 100; }\n", name)
	}
	return out
}

// runner builds what runs the tests, for a machine without Go.
func (b *builder) runner() error {
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", b.path("tests/gpu-test"), "github.com/hexcc/hexcc/bench/gpu/testrun")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go build testrun: %w\n%s", err, out)
	}
	return nil
}

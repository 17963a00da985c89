package e2e_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/cuda"
	"github.com/hexcc/hexcc/diag"
	testcases "github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/randc"
	"github.com/hexcc/hexcc/internal/tool"
	"github.com/hexcc/hexcc/internal/whole"
	"github.com/hexcc/hexcc/opencl"
	"github.com/hexcc/hexcc/openmp"
	"github.com/hexcc/hexcc/ptx"
	"github.com/hexcc/hexcc/ptx/asm"
)

// TestIdentifiers translates programs with names that only C takes, that other languages keep, or that
// generated text uses: for every target what is written compiles, and where it can be run without a
// device it prints what the original does.
func TestIdentifiers(t *testing.T) {
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		tool.Missing(t, "no gcc, which takes $ and é in names: %v", err)
	}
	count := *wideCount
	if count == 0 {
		if count = 4; testcases.Whole() {
			count = 12
		}
	}
	targets := []hexcc.Target{hexcc.OpenMP, hexcc.OpenCL, hexcc.PTX, hexcc.CUDA}
	if _, err := exec.LookPath("g++"); err != nil && os.Getenv("CI") != "true" {
		targets = targets[:3] // nothing compiles kernels
	}
	ran := 0
	for i := range count {
		p := randc.Names(*wideFirst + uint64(i))
		dir := tool.Write(t, map[string]string{"original.c": p.Text})
		plain := filepath.Join(dir, "plain")
		if exec.Command(gcc, "-w", "-ffp-contract=off", filepath.Join(dir, "original.c"), "-lm", "-o", plain).Run() != nil {
			continue // names that the headers of the machine use
		}
		ran++
		for _, target := range targets {
			if why := tryNames(t, gcc, plain, p, target); why != "" {
				t.Errorf("seed %d, target %s, base %s: %s\n%s", *wideFirst+uint64(i), target, p.Base, why, p.Text)
			}
		}
	}
	t.Logf("%d of %d programs ran", ran, count)
	require.Greater(t, ran, count/3)
}

// tryNames returns what is wrong with the translation of p, "" if nothing is.
func tryNames(t *testing.T, gcc, plain string, p randc.Named, target hexcc.Target) (why string) {
	defer func() {
		if r := recover(); r != nil {
			why = fmt.Sprintf("panic: %v", r)
		}
	}()
	res, err := hexcc.Compile(hexcc.Source{Name: p.Base + ".c", Text: []byte(p.Text)}, hexcc.Options{Target: target, Base: p.Base, NoAlias: true})
	var list diag.List
	if errors.As(err, &list) {
		if slices.ContainsFunc(list, func(d *diag.Diagnostic) bool { return d.Code == "HX501" }) { // no llc here
			return ""
		}
		return list.Error()
	}
	run := func(compiler string, args ...string) {
		if out, err := exec.Command(compiler, append(args, "-w", "-ffp-contract=off")...).CombinedOutput(); err != nil && why == "" {
			why = fmt.Sprintf("%s %s: %v\n%s", compiler, strings.Join(args, " "), err, out)
		}
	}
	same := func(program string) {
		if why == "" {
			want, got := tool.Run(t, plain), tool.Run(t, program)
			if want != got {
				why = fmt.Sprintf("it prints %s, not %s", got, want)
			}
		}
	}
	write := func(files ...ctext.File) string { return whole.Write(t, files...) }
	switch target {
	case hexcc.OpenMP:
		dir := write(res.C.Named(p.Base)...)
		run(gcc, "-fopenmp", filepath.Join(dir, openmp.CFile(p.Base)), "-lm", "-o", filepath.Join(dir, "ours"))
		same(filepath.Join(dir, "ours"))
	case hexcc.CUDA:
		dir := write(res.Files.Named(p.Base)...)
		object, ours := filepath.Join(dir, "kernel.o"), filepath.Join(dir, "ours")
		run("g++", "-I", "../cuda/shim", "-I", dir, "-x", "c++", "-c", filepath.Join(dir, cuda.KernelFile(p.Base)), "-o", object)
		run(gcc, "-I", dir, "-x", "c", filepath.Join(dir, cuda.HostFile(p.Base)), "-x", "none", object, "-lstdc++", "-lm", "-o", ours)
		same(ours)
	case hexcc.OpenCL:
		dir := write(res.OpenCL.Named(p.Base)...)
		for _, name := range []string{opencl.HostFile(p.Base), opencl.RunFile(p.Base)} {
			if name == opencl.RunFile(p.Base) && exec.Command(gcc, "-E", "-include", "CL/cl.h", "-x", "c", "/dev/null").Run() != nil {
				continue
			}
			run(gcc, "-fsyntax-only", "-I", dir, filepath.Join(dir, name))
		}
		if clang := os.Getenv("HEXCC_CLANG"); clang != "" {
			run(clang, "-x", "cl", "-cl-std=CL1.2", "-Xclang", "-finclude-default-header", "-fsyntax-only", filepath.Join(dir, opencl.KernelFile(p.Base)))
		}
	case hexcc.PTX:
		dir := write(res.PTX.Named(p.Base)...)
		for _, name := range []string{ptx.HostFile(p.Base), ptx.LoaderFile(p.Base)} {
			run(gcc, "-fsyntax-only", "-I", dir, filepath.Join(dir, name))
		}
		for line := range strings.Lines(res.PTX.PTX) {
			if strings.ContainsFunc(line, func(r rune) bool { return r > 0x7f }) {
				return "a line of PTX has characters beyond ASCII: " + line
			}
		}
		if _, err := asm.Parse(res.PTX.PTX); err != nil {
			return err.Error()
		}
	}
	return why
}

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/crun"
	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/cuda"
	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/internal/listing"
	"github.com/hexcc/hexcc/internal/nvcc"
	"github.com/hexcc/hexcc/openmp"
	"github.com/hexcc/hexcc/report"
)

// This file asks compilers for machine code, for hexcc report --compile.

// check returns what is wrong with the language of machine code that is asked for, for the target.
func (c *reportCmd) check() error {
	onCPU := isCPU(c.Target)
	switch {
	case c.Compile == "":
		return nil
	case c.Compile == "asm" && !onCPU:
		return fmt.Errorf("--compile=asm: %s is no target of a C compiler: --compile=sass or ptx with --target=cuda, asm with openmp and c", c.Target)
	case c.Compile != "asm" && (onCPU || c.Target != string(hexcc.CUDA)):
		return fmt.Errorf("--compile=%s: nvcc compiles what --target=cuda prints; with --target=openmp and c take --compile=asm", c.Compile)
	}
	return nil
}

// machineCode returns what a compiler of this machine makes of a translation.
func (c *reportCmd) machineCode(res *hexcc.Result, base string) (*report.MachineCode, error) {
	dir, err := os.MkdirTemp("", "hexcc")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	if c.Compile == "asm" {
		return c.assembly(res, base, dir)
	}
	arch := res.GPU.Device.Name
	if _, wrong := cudaCompiler(arch); wrong != nil {
		return nil, wrong
	}
	compiler, err := nvcc.Find()
	if err != nil {
		return nil, err
	}
	var source string
	for _, f := range res.Files.Named(base) {
		path := filepath.Join(dir, f.Name)
		if f.Name == cuda.KernelFile(base) {
			source = path
		}
		if err := os.WriteFile(path, []byte(f.Text), 0o666); err != nil {
			return nil, err
		}
	}
	if c.Compile == "ptx" {
		text, err := nvcc.LinedPTX(compiler, source, arch)
		if err != nil {
			return nil, notListed(compiler, err)
		}
		return &report.MachineCode{Language: "PTX", Command: "nvcc -O3 -ptx -lineinfo -arch=" + arch, Functions: listing.PTX(text, filepath.Base(source))}, nil
	}
	disassembler, err := nvcc.FindDisassembler()
	if err != nil {
		return nil, &diag.Diagnostic{Code: "HX504", Msg: "--compile=sass needs nvdisasm, which is part of NVIDIA's CUDA toolkit, to show machine instructions", Help: "put nvdisasm on PATH or its path into HEXCC_NVDISASM, or take --compile=ptx, which needs nvcc alone"}
	}
	cubin, _, err := nvcc.Cubin(compiler, source, arch)
	if err != nil {
		return nil, notListed(compiler, err)
	}
	text, err := nvcc.DisassembleLines(disassembler, cubin)
	if err != nil {
		return nil, notListed(disassembler, err)
	}
	return &report.MachineCode{Language: "SASS of " + arch, Command: "nvcc -O3 -lineinfo -cubin -arch=" + arch + ", nvdisasm", Functions: listing.SASS(text, filepath.Base(source))}, nil
}

// assembly is machineCode of C, by the C compiler of this machine for its processor.
func (c *reportCmd) assembly(res *hexcc.Result, base, dir string) (*report.MachineCode, error) {
	find := crun.Compiler
	if res.Scop.Cxx {
		find = crun.CxxCompiler
	}
	compiler, err := find()
	if err != nil {
		return nil, &diag.Diagnostic{Code: "HX501", Msg: "--compile=asm: " + err.Error(), Help: installCompilers}
	}
	flags, err := c.compilerFlags()
	if err != nil {
		return nil, err
	}
	name := ctext.InLanguage(openmp.CFile(base), res.Scop)
	source := filepath.Join(dir, name)
	if err := os.WriteFile(source, []byte(res.C.Text), 0o666); err != nil {
		return nil, err
	}
	shown := []string{"-O3", "-march=native", "-ffp-contract=off"}
	if c.Target == string(hexcc.OpenMP) {
		shown = append(shown, "-fopenmp")
	}
	args := append(append([]string{}, shown...), "-S", "-g1", "-w", "-fno-asynchronous-unwind-tables", "-o", source+".s", source)
	if out, err := exec.Command(compiler, append(args, flags...)...).CombinedOutput(); err != nil {
		return nil, notListed(compiler, fmt.Errorf("%w\n%s", err, out))
	}
	text, err := os.ReadFile(source + ".s")
	if err != nil {
		return nil, err
	}
	return &report.MachineCode{
		Language: "Assembly of " + runtime.GOARCH, Command: filepath.Base(compiler) + " " + strings.Join(shown, " "), Functions: listing.GNU(string(text), name, "hexcc_"),
	}, nil
}

// notListed says that a compiler or disassembler failed, with the first lines that it said.
func notListed(program string, err error) error {
	first, says, _ := strings.Cut(err.Error(), "\n")
	return &diag.Diagnostic{
		Code: "HX503", Msg: fmt.Sprintf("--compile: %s did not compile: %s", filepath.Base(program), strings.TrimPrefix(first, program+": ")), Notes: sayings(says, 8),
		Help: "leave out --compile, or compile the file with the -I, -D and -U that are given here by hand",
	}
}

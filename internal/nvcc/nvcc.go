// Package nvcc asks NVIDIA's compilers what kernels use: for tests, reports and
// hexcc profile --compile only. .ci/install-nvcc installs them without a GPU.
package nvcc

import (
	"bytes"
	"debug/elf"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// Find returns the path of nvcc: $HEXCC_NVCC, or the one on PATH.
func Find() (string, error) { return find("nvcc") }

// FindDisassembler returns the path of nvdisasm: $HEXCC_NVDISASM, or the one on PATH.
func FindDisassembler() (string, error) { return find("nvdisasm") }

// find returns the path of a program: that in HEXCC_ and its name, or the one on PATH.
func find(name string) (string, error) {
	variable := "HEXCC_" + strings.ToUpper(name)
	if path := os.Getenv(variable); path != "" {
		return path, nil
	}
	if path, err := exec.LookPath(name); err == nil {
		return path, nil
	}
	return "", fmt.Errorf("no %s on PATH or in %s; .ci/install-%s installs it", name, variable, name)
}

// A Usage is what a kernel uses on an architecture.
type Usage struct {
	Arch      string // sm_80
	Kernel    string // as the assembler calls it
	Registers int    // of a thread
	Spilled   int    // bytes of a thread that it stores for want of registers
	Shared    int    // bytes of a block; what is asked for at launch is not in it
	Code      int    // bytes of instructions; only from Assemble
}

var (
	entryLine  = regexp.MustCompile(`Compiling entry function '(\S+)' for '(sm_\d+)'`)
	spillLine  = regexp.MustCompile(`(\d+) bytes spill stores`)
	usedLine   = regexp.MustCompile(`Used (\d+) registers`)
	sharedPart = regexp.MustCompile(`(\d+) bytes smem`)
)

// Usages reads what ptxas -v says, by kernel and architecture.
func Usages(said string) (all []Usage) {
	for line := range strings.Lines(said) {
		if m := entryLine.FindStringSubmatch(line); m != nil {
			all = append(all, Usage{Arch: m[2], Kernel: m[1]})
		}
		if len(all) == 0 {
			continue
		}
		last := &all[len(all)-1]
		for _, f := range []struct {
			line *regexp.Regexp
			to   *int
		}{{spillLine, &last.Spilled}, {usedLine, &last.Registers}, {sharedPart, &last.Shared}} {
			if m := f.line.FindStringSubmatch(line); m != nil {
				*f.to, _ = strconv.Atoi(m[1])
			}
		}
	}
	return all
}

// PTX compiles CUDA C++ to the intermediate language: file.cu to file.ptx, for
// compute capability compute and later ones (80). It returns the name of the latter.
func PTX(nvcc, file string, compute int) (string, error) {
	ptx := strings.TrimSuffix(file, filepath.Ext(file)) + ".ptx"
	_, err := run(nvcc, "-O3", "-ptx", fmt.Sprintf("-arch=compute_%d", compute), file, "-o", ptx)
	return ptx, err
}

// LinedPTX compiles CUDA C++ for an architecture (sm_80) and returns the text in the intermediate language, with the numbers of lines.
func LinedPTX(nvcc, file, arch string) (string, error) {
	ptx := strings.TrimSuffix(file, filepath.Ext(file)) + ".ptx"
	if _, err := run(nvcc, "-O3", "-ptx", "-lineinfo", "-arch="+arch, file, "-o", ptx); err != nil {
		return "", err
	}
	text, err := os.ReadFile(ptx)
	return string(text), err
}

// Assemble assembles what PTX made for an architecture: sm_90.
func Assemble(nvcc, ptx, arch string) ([]Usage, error) {
	cubin := strings.TrimSuffix(ptx, ".ptx") + "." + arch + ".cubin"
	said, err := run(filepath.Join(filepath.Dir(nvcc), "ptxas"), "-O3", "-v", "-arch="+arch, ptx, "-o", cubin)
	if err != nil {
		return nil, err
	}
	all := Usages(said)
	object, err := elf.Open(cubin)
	if err != nil {
		return nil, err
	}
	defer object.Close()
	for i := range all {
		s := object.Section(".text." + all[i].Kernel)
		if s == nil {
			return nil, fmt.Errorf("%s has no code of %s", cubin, all[i].Kernel)
		}
		all[i].Code = int(s.Size)
	}
	return all, nil
}

// Cubin compiles CUDA C++ with the numbers of lines for an architecture, and returns the binary's name and what its kernels use.
func Cubin(nvcc, file, arch string) (cubin string, all []Usage, err error) {
	cubin = strings.TrimSuffix(file, filepath.Ext(file)) + ".cubin"
	said, err := run(nvcc, "-O3", "-arch="+arch, "-lineinfo", "-Xptxas=-v", "-cubin", "-o", cubin, file)
	return cubin, Usages(said), err
}

// CubinOf compiles CUDA C++ that others have written to a binary with this name, with flags beside those of Cubin and without warnings, and returns what its kernels use. Flags with relative
// paths are relative to the folder of the file.
func CubinOf(nvcc, file, arch, cubin string, flags ...string) ([]Usage, error) {
	args := append([]string{"-O3", "-arch=" + arch, "-lineinfo", "-Xptxas=-v", "-w", "-cubin", "-o", cubin}, flags...)
	said, err := runIn(filepath.Dir(file), nvcc, append(args, filepath.Base(file))...)
	return Usages(said), err
}

// Preprocess returns a file with all that it includes, as CubinOf compiles it for the device.
func Preprocess(nvcc, file, arch string, flags ...string) (string, error) {
	args := append([]string{"-E", "-w", "-arch=" + arch}, flags...)
	return runIn(filepath.Dir(file), nvcc, append(args, filepath.Base(file))...)
}

// Version returns what nvcc says of itself.
func Version(nvcc string) (string, error) { return run(nvcc, "--version") }

// Disassemble returns the instructions of a binary by source line, each with its bits.
func Disassemble(nvdisasm, cubin string) (string, error) {
	return run(nvdisasm, "-gi", "-hex", "-c", cubin)
}

// DisassembleLines is Disassemble without bits.
func DisassembleLines(nvdisasm, cubin string) (string, error) {
	return run(nvdisasm, "-gi", "-c", cubin)
}

// run runs a program and returns what it said.
func run(name string, args ...string) (string, error) { return runIn("", name, args...) }

// runIn runs a program in a folder, this one where it is empty, and returns what it said.
func runIn(folder, name string, args ...string) (string, error) {
	var said bytes.Buffer
	cmd := exec.Command(name, args...)
	cmd.Dir = folder
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, said.String())
	}
	return said.String(), nil
}

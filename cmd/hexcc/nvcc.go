package main

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/cuda"
	"github.com/hexcc/hexcc/internal/ccline"
)

// This file is hexcc nvcc: nvcc, with regions translated to kernels.

// Run does what nvcc does, with regions translated.
func (c *nvccCmd) Run(s *session) error {
	return statusError(nvccStep(c.Command, s.stdout, s.stderr))
}

// nvccStep is compileStep for nvcc, which compiles kernels: of a source with regions come a source for the host and one with
// kernels, each is compiled, and their objects are joined.
func nvccStep(args []string, stdout, stderr io.Writer) int {
	s := &step{stdout: stdout, stderr: stderr}
	name := cmp.Or(os.Getenv("HEXCC_NVCC"), "nvcc")
	n := 0
	for n < len(args) && ours(args[n]) {
		n++
	}
	if err := s.read(slices.Concat(args[:n], []string{name}, args[n:])); err != nil {
		return s.fail("%v", err)
	}
	line := ccline.ParseNVCC(s.words[1:])
	s.line = ccline.Line{Compiler: name, Args: line.Args, Inputs: line.Inputs, Stage: line.Stage, Output: line.Output}
	if err := s.findRegions(); err != nil {
		return s.fail("%v", err)
	}
	if len(s.units) == 0 {
		return s.plainly()
	}
	if err := s.check("--target=" + string(hexcc.CUDA)); err != nil {
		return s.fail("%v", err)
	}
	return s.running.caught(func() int {
		defer s.clean()
		return s.kernels(line)
	})
}

// ours reports whether an argument before those of nvcc is one of hexcc, by how it is spelled: nvcc has none of these.
func ours(arg string) bool {
	name, _, _ := strings.Cut(arg, "=")
	return slices.Contains([]string{orPlain, "--strategy", "--tile", "--assume", "--grid", "--tuned", "--fallback", "--kernel", "--launch", "--fma", "--reassociate", "--place", "--block", "--memory", "--unroll", "--region", "--on-violated", "--on-no-device", "--unchecked"}, name)
}

// kernels compiles what has regions, and then the rest.
func (s *step) kernels(line ccline.NVCC) int {
	objects := map[int]string{}
	for i, p := range s.units {
		dir, err := newFolder(fmt.Sprint(i, "\n", p.Name, "\n", line.Output))
		if err != nil {
			return s.fail("cannot make a folder for what is compiled: %v", reason(err))
		}
		p.dir = dir
		if status := s.translateKernels(p, line); status != 0 {
			return status
		}
		if p.plain {
			continue
		}
		object := filepath.Join(dir.path, "both.o")
		if line.Stage == ccline.Compile {
			object = cmp.Or(line.Output, strings.TrimSuffix(filepath.Base(p.Name), filepath.Ext(p.Name))+".o")
		}
		if status := s.compileKernels(p, line, object); status != 0 {
			return status
		}
		objects[p.At] = object
	}
	rest := s.words[:1:1]
	inputs := 0
	for i, a := range line.Args {
		switch object, made := objects[i]; {
		case !made:
			rest = append(rest, a)
			inputs += count(line.Inputs, i)
		case line.Stage == ccline.Link:
			rest = append(rest, object)
		}
	}
	if line.Stage == ccline.Compile && inputs == 0 {
		return exitDone
	}
	return s.compile(rest)
}

func count(inputs []ccline.Input, at int) (n int) {
	for _, in := range inputs {
		if in.At == at {
			n++
		}
	}
	return n
}

// translateKernels translates a part into its folder. Where that fails, what is wrong for nvcc, too, is said by nvcc.
func (s *step) translateKernels(p *part, line ccline.NVCC) int {
	arch := line.Least()
	if arch != "" && arch != nativeArch && !strings.HasPrefix(arch, "sm_") && !slices.ContainsFunc(s.flags, func(f string) bool { return strings.HasPrefix(f, "--arch=") }) {
		return s.fail("-arch=%s: hexcc makes kernels for one architecture: name it, as -arch=sm_80 or by HEXCC_FLAGS=--arch=sm_80", arch)
	}
	args := []string{"translate", "--target=" + string(hexcc.CUDA), "-o" + filepath.Join(p.dir.path, s.base(p)), "--force"}
	if strings.HasPrefix(arch, "sm_") || arch == nativeArch {
		args = append(args, "--arch="+arch)
	}
	if p.Cxx {
		args = append(args, "--language=c++")
	} else {
		args = append(args, "--language=c")
	}
	for _, list := range []struct {
		flag   string
		values []string
	}{{"-I", line.Dirs}, {"-D", line.Defines}, {"-U", line.Undefines}, {"--pre-include=", line.Includes}} {
		for _, v := range list.values {
			args = append(args, list.flag+v)
		}
	}
	s.runTranslation(p, append(append(args, s.flags...), "--", p.Name))
	if !p.failed {
		_, _ = s.stderr.Write(p.said.Bytes())
		return exitDone
	}
	var said bytes.Buffer
	cmd := exec.Command(s.words[0], append(line.Alone(), "-c", p.Name, "-o", filepath.Join(p.dir.path, "as-it-is.o"))...)
	cmd.Stdout, cmd.Stderr = &said, &said
	status, err := s.running.run(cmd)
	switch {
	case err != nil:
		return s.missing(err)
	case status != 0:
		_, _ = bare(s.stderr).Write(said.Bytes())
		return status
	case s.orPlain:
		fmt.Fprintln(s.stderr, asItIs(p))
		p.plain = true
		return exitDone
	}
	_, _ = s.stderr.Write(p.said.Bytes())
	return exitUsage
}

// base is what the files of a part are called.
func (s *step) base(p *part) string {
	return strings.TrimSuffix(filepath.Base(p.Name), filepath.Ext(p.Name))
}

// compileKernels compiles the translation of a part to one object.
func (s *step) compileKernels(p *part, line ccline.NVCC, object string) int {
	dir, base := p.dir.path, s.base(p)
	source := filepath.Join(dir, "host", filepath.Base(p.Name))
	text, err := os.ReadFile(filepath.Join(dir, cuda.HostFile(base)))
	if err == nil {
		err = os.Mkdir(filepath.Dir(source), 0o700)
	}
	if err == nil {
		err = os.WriteFile(source, text, 0o600)
	}
	if err == nil { // errors at run time are then told of a file that hexcc would have written, not of one that is gone
		kernels := filepath.Join(dir, cuda.KernelFile(base))
		if text, err = os.ReadFile(kernels); err == nil {
			line := fmt.Sprintf("#line 1 %s\n", ctext.Quote(filepath.Join(filepath.Dir(p.Name), cuda.KernelFile(base))))
			err = os.WriteFile(kernels, append([]byte(line), text...), 0o600)
		}
	}
	if err != nil {
		return s.fail("%v", err)
	}
	command := append(s.words[:1:1], line.Alone()...)
	arch := []string{}
	if len(line.Archs) == 0 {
		arch = []string{"-arch=sm_80"} // for which the kernels are
	}
	hostObject, kernelObject := filepath.Join(dir, "host.o"), filepath.Join(dir, "kernel.o")
	language := "c"
	if p.Cuda {
		language = "cu"
	} else if p.Cxx {
		language = "c++"
	}
	for _, words := range [][]string{
		slices.Concat(command, []string{"-Xcompiler", "-iquote," + filepath.Dir(p.Name), "-I", dir, "-x", language, "-c", source, "-o", hostObject}),
		slices.Concat(command, arch, []string{"-x", "cu", "-c", filepath.Join(dir, cuda.KernelFile(base)), "-o", kernelObject}),
		{"ld", "-r", "-o", object, hostObject, kernelObject},
	} {
		if status := s.compile(words); status != 0 {
			return status
		}
	}
	if line.Depends == "" {
		return exitDone
	}
	target := cmp.Or(line.Output, base+".o")
	file := cmp.Or(line.DependsFile, strings.TrimSuffix(target, filepath.Ext(target))+".d")
	return s.compile(slices.Concat(command, []string{strings.TrimSuffix(line.Depends, "D"), "-MF", file, "-MT", cmp.Or(line.DependsTarget, target), p.Name}))
}

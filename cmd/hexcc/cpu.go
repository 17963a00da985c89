package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/crun"
	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/cuda"
	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/emulate"
	"github.com/hexcc/hexcc/scop"
)

// A compiled is a translation with the file around it, as a compiler made a program of it.
type compiled struct {
	how  string // it was made, for people
	all  string // that there is of it: "host file and all"
	prog *crun.Binary
	ran  string // what it says by mistake where a tested fact does not hold: "the kernels run"
	wide string // an entry of the environment with which it takes kernels for large arrays; "": there are none
	env  []string
}

// runCPU compiles the printed CUDA of a file for the CPU, or the printed C, the user's file around it too, and runs it at the sizes at which v ran
// the emulator, and where what it tests before the kernels or the tiled loops run does not hold.
func (c *verifyCmd) runCPU(s *session, res *hexcc.Result, r *hexcc.Region, request emulate.Request, v *emulate.Verification) error {
	if err := ctext.Callable(r.Scop); err != nil {
		return s.diagnoseOne(&c.sourceFlags, err)
	}
	dir, err := os.MkdirTemp("", "hexcc-verify-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	compile := c.compileCPU
	if isCPU(c.Target) {
		compile = c.compileC
	}
	all, original, err := compile(dir, res, r)
	if err != nil {
		return s.diagnoseOne(&c.sourceFlags, err)
	}
	for _, ours := range all {
		if err := c.runCompiled(s, r, request, v, ours, original); err != nil {
			return err
		}
	}
	return nil
}

// runCompiled is runCPU of one program.
func (c *verifyCmd) runCompiled(s *session, r *hexcc.Region, request emulate.Request, v *emulate.Verification, ours compiled, original *crun.Binary) error {
	elements := 0
	for n, t := range v.Trials {
		in, want, err := c.trial(r.Scop, t.Params, request.Seed+uint64(n))
		if err != nil {
			return err
		}
		env := ours.env
		if t.Version > 0 && ours.wide != "" {
			env = append(env[:len(env):len(env)], ours.wide)
		}
		d, err := ours.compare(in, want, "", env...)
		if err != nil {
			fmt.Fprintf(s.stdout, "%s with %s: %v\n", ours.how, t.Sizes, err)
			return exit(exitMismatch)
		}
		elements += int(d.Elements)
	}
	if !c.Quiet {
		fmt.Fprintf(s.stdout, "%s, %s, at %d sizes: all %d elements are equal\n", ours.how, ours.all, v.Sizes(), elements)
	}
	var near [][]int64
	for _, t := range v.Trials {
		near = append(near, t.Params)
	}
	for _, f := range crun.FailingInputs(r.Scop, near, request.Seed) {
		if err := c.runFailing(s, f, ours, original); err != nil {
			return err
		}
	}
	return nil
}

// trial returns a memory, and what the interpreter makes of it.
func (c *verifyCmd) trial(p *scop.Program, params []int64, seed uint64) (in crun.Input, want *scop.Memory, err error) {
	if in.Memory, err = scop.NewMemory(p, params, seed); err != nil {
		return in, nil, err
	}
	want = in.Clone()
	return in, want, scop.RunOriginal(p, want, nil)
}

// runFailing runs one input on which the kernels, or the tiled loops, must not run: the original loops do, or the program stops. There is one
// thread: where arrays overlap, loops that the source itself runs in parallel leave what their threads happen to.
func (c *verifyCmd) runFailing(s *session, f crun.Failing, ours compiled, original *crun.Binary) error {
	if f.Err != nil {
		if !c.Quiet {
			fmt.Fprintf(s.stdout, "not run: a program for which it does not hold that %s: %v\n", f.What, f.Err)
		}
		return nil
	}
	env := append(slices.Clip(ours.env), "OMP_NUM_THREADS=1")
	where := fmt.Sprintf("%s with %s, where it does not hold that %s", ours.how, f.Input.Sizes(), f.What)
	if c.OnViolated == "refuse" {
		if _, says, err := ours.prog.Run([]crun.Input{f.Input}, env...); err == nil || !strings.Contains(says, "the program stops") {
			fmt.Fprintf(s.stdout, "%s: it does not stop\n", where)
			return exit(exitMismatch)
		}
		fmt.Fprintf(s.stdout, "%s: it stops\n", where)
		return nil
	}
	wants, says, err := original.Run([]crun.Input{f.Input}, env...) // and not the interpreter, which knows neither overlapping arrays nor loops that end otherwise where a fact does not hold
	if err != nil {
		return fmt.Errorf("the original program: %w\n%s", err, says)
	}
	d, err := ours.compare(f.Input, wants[0], "it does not hold that ", env...)
	if err != nil {
		fmt.Fprintf(s.stdout, "%s: %v\n", where, err)
		return exit(exitMismatch)
	}
	if !c.Quiet {
		fmt.Fprintf(s.stdout, "%s: the original loops run, all %d elements are equal\n", where, d.Elements)
	}
	return nil
}

// compare runs b on in, with env in its environment. The error is that it fails, does not say what it must, or leaves something else than want.
func (b compiled) compare(in crun.Input, want *scop.Memory, must string, env ...string) (d scop.Difference, err error) {
	got, says, err := b.prog.Run([]crun.Input{in}, env...)
	switch {
	case err != nil:
		return d, fmt.Errorf("%w\n%s", err, says)
	case must == "" && says != "":
		return d, fmt.Errorf("it says: %s", says)
	case !strings.Contains(says, must):
		return d, errors.New(b.ran)
	}
	var local []*scop.Array
	for _, a := range in.Program.Arrays {
		if a.Local {
			local = append(local, a)
		}
	}
	if d = got[0].Compare(want, local...); d.Differ > 0 {
		return d, fmt.Errorf("%d of %d elements differ, first %s: %s, expected %s", d.Differ, d.Elements, d.First, d.A, d.B)
	}
	return d, nil
}

// compileCPU compiles the translation of a file, whose kernels run on the CPU, and the original, for one of its regions.
func (c *verifyCmd) compileCPU(dir string, res *hexcc.Result, r *hexcc.Region) (all []compiled, original *crun.Binary, err error) {
	cc, err := crun.Compiler()
	if err != nil {
		return nil, nil, noCompiler("C", err)
	}
	path := func(name string) string { return filepath.Join(dir, name) }
	if err := errors.Join(os.Mkdir(path("ours"), 0o777), os.Mkdir(path("original"), 0o777)); err != nil {
		return nil, nil, err
	}
	kernels, err := c.compileKernels(dir, res)
	if err != nil {
		return nil, nil, err
	}
	flags, err := c.compilerFlags()
	if err != nil {
		return nil, nil, err
	}
	flags = append([]string{"-I", dir}, flags...)
	regions := []*scop.Program{r.Scop}
	if original, err = crun.Compile(cc, path("original"), regions, r.Scop.Source, flags...); err != nil {
		return nil, nil, notCompiled(cc, err)
	}
	ours, err := crun.Compile(cc, path("ours"), regions, []byte(res.Files.Host), append(flags, kernels, "-lstdc++")...)
	return []compiled{{how: "CUDA on the CPU", all: "host file and all", prog: ours, ran: "the kernels run", wide: "HEXCC_WIDE=1"}}, original, rejected(cc, err)
}

func noCompiler(what string, err error) error {
	return &diag.Diagnostic{Code: "HX501", Msg: fmt.Sprintf("--device=cpu needs a C and a C++ compiler: %s: %v", what, err), Help: installCompilers}
}

// compileKernels writes a translation to CUDA to dir, with what lets a compiler for the CPU take it, and compiles the kernels to a file of objects.
func (c *verifyCmd) compileKernels(dir string, res *hexcc.Result) (object string, err error) {
	cxx, err := exec.LookPath("g++")
	if err != nil {
		return "", noCompiler("C++", err)
	}
	path := func(name string) string { return filepath.Join(dir, name) }
	files := []outFile{{path: path("cuda_runtime.h"), text: []byte(cuda.Shim)}}
	for _, f := range res.Files.Named(c.baseName()) {
		files = append(files, outFile{path: path(f.Name), text: []byte(f.Text)})
	}
	if err := (writer{}).writeAll(files); err != nil {
		return "", err
	}
	out, err := output(deadline, cxx, "-std=c++17", "-O1", "-ffp-contract=off", "-U_FORTIFY_SOURCE", "-w", "-I", dir,
		`-DHEXCC_WIDE=(getenv("HEXCC_WIDE") != NULL)`, "-x", "c++", "-c", path(cuda.KernelFile(c.baseName())), "-o", path("kernel.o"))
	if err == nil {
		return path("kernel.o"), nil
	}
	if err = fmt.Errorf("%w\n%s", err, out); compilesNothing(cxx, dir) {
		return "", notCompiled(cxx, err)
	}
	return "", rejected(cxx, err)
}

// compilesNothing says whether a C++ compiler fails even with an empty file: it is not whole.
func compilesNothing(cxx, dir string) bool {
	empty := filepath.Join(dir, "empty.cc")
	if err := os.WriteFile(empty, nil, 0o666); err != nil {
		return true
	}
	_, err := output(deadline, cxx, "-c", empty, "-o", filepath.Join(dir, "empty.o"))
	return err != nil
}

// compilerFlags returns the flags by which a compiler finds what the source includes, and knows its macros.
func (c *sourceFlags) compilerFlags() (flags []string, err error) {
	for _, i := range append([]string{filepath.Dir(c.File)}, c.Include...) {
		absolute, err := filepath.Abs(i)
		if err != nil {
			return nil, err
		}
		flags = append(flags, "-I", absolute)
	}
	for _, d := range c.Define {
		flags = append(flags, "-D"+d)
	}
	for _, u := range c.Undefine {
		flags = append(flags, "-U"+u)
	}
	return flags, nil
}

const installCompilers = "install gcc and g++ (Debian and Ubuntu: apt-get install gcc g++)"

// notCompiled says that a compiler failed, if that is what err is, with the first lines that it said.
func notCompiled(compiler string, err error) error {
	var status *exec.ExitError
	var l late
	if !errors.As(err, &status) && !errors.As(err, &l) {
		return err
	}
	first, says, _ := strings.Cut(err.Error(), "\n")
	var unlinked *crun.LinkError
	if errors.As(err, &unlinked) {
		return &diag.Diagnostic{
			Code: "HX503", Msg: fmt.Sprintf("--device=cpu: %s compiled the file, but could not link it: its functions need what other files define", compiler), Notes: sayings(says, 8),
			Help: "leave out --device=cpu: hexcc verify then runs the region, and the rest of the file does not matter",
		}
	}
	return &diag.Diagnostic{
		Code: "HX503", Msg: fmt.Sprintf("--device=cpu: %s did not compile: %s", compiler, strings.TrimPrefix(first, compiler+": ")), Notes: sayings(says, 8),
		Help: installCompilers + "; gcc must compile the file with the -I, -D and -U that are given here",
	}
}

// rejected is notCompiled of text that hexcc made, for a compiler that compiles other text: what it refuses is no fault of the machine.
func rejected(compiler string, err error) error {
	told := notCompiled(compiler, err)
	var status *exec.ExitError
	var unlinked *crun.LinkError
	var d *diag.Diagnostic
	if errors.As(err, &status) && !errors.As(err, &unlinked) && errors.As(told, &d) {
		d.Msg = strings.Replace(d.Msg, "did not compile: ", "compiles, but not what hexcc made of the file: ", 1)
		d.Help = bugHelp
	}
	return told
}

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
	"strconv"
	"strings"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/crun"
	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/scop"
)

// This file runs the user's own program for verify --run, as it is and translated, both compiled by the compiler of the machine, and compares what regions leave in memory.
// Nothing of how hexcc reads the program is in that.

// A wholeRun is a run of verify --run.
type wholeRun struct {
	*verifyCmd
	s        *session
	ctx      context.Context
	res      *hexcc.Result
	dir      string
	original *crun.Whole
	says     crun.Said  // of the original
	repeated *crun.Said // of the original, when it runs again
}

// checkRun returns an error if --run does not go together with other flags.
func (c *verifyCmd) checkRun() error {
	switch {
	case !c.Program.given && len(c.With) > 0:
		return errors.New("--with is what the program of --run is compiled with: give --run='ARGUMENTS', too, empty if there are none")
	case !c.Program.given:
		return nil
	case isMPI(c.Target):
		return fmt.Errorf("--run runs FILE.c as it is translated by --target=openmp, c or cuda: what --target=%s writes is called by a program for ranks", c.Target)
	case c.Device == "ptx" || c.Device == "opencl":
		return fmt.Errorf("--run compiles what is translated for this CPU: leave out --device=%s", c.Device)
	case c.FMA || c.Reassociate != "":
		return errors.New("--run compares bit for bit, and --fma and --reassociate round otherwise: leave them out, or leave out --run")
	}
	return nil
}

// runProgram runs the program that FILE.c is.
func (c *verifyCmd) runProgram(s *session, res *hexcc.Result) error {
	dir, err := os.MkdirTemp("", "hexcc-run-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	ctx, stop := untilStopped()
	defer stop()
	w := &wholeRun{verifyCmd: c, s: s, ctx: ctx, res: res, dir: dir}
	builds, err := w.compile()
	if err = askedBy("--run", err); err == nil {
		w.says, err = w.runOriginal("original")
	}
	if err != nil {
		return s.diagnoseOne(&c.sourceFlags, err)
	}
	for _, b := range builds {
		if err := w.compare(b); err != nil {
			return err
		}
	}
	return nil
}

// A wholeBuild is a translation, as a program.
type wholeBuild struct {
	how string
	*crun.Whole
}

func (w *wholeRun) path(name ...string) string {
	return filepath.Join(append([]string{w.dir}, name...)...)
}

// compile compiles the program as it is, and translated in each of the ways in which its rows may run.
func (w *wholeRun) compile() (all []wholeBuild, err error) {
	cc, err := crun.Compiler()
	if err != nil {
		return nil, noCompiler("C", err)
	}
	flags, err := w.compilerFlags()
	if err != nil {
		return nil, err
	}
	flags = append(flags, "-fopenmp", "-DHEXCC_GRAIN=0") // threads, whatever the size
	for _, with := range w.With {
		flags = append(flags, strings.Fields(with)...)
	}
	cxx := w.res.Scop.Cxx
	build := func(name string, source []byte, more ...string) (*crun.Whole, error) {
		if err := os.Mkdir(w.path(name), 0o777); err != nil {
			return nil, err
		}
		return crun.CompileWhole(w.ctx, cc, w.path(name), cxx, source, append(more, flags...)...)
	}
	if w.original, err = build("original", w.res.Probed.Source); err != nil {
		return nil, notWhole(cc, err)
	}
	if isCPU(w.Target) {
		for _, b := range buildsOf(w.res.C.Whole) {
			made, err := build(b.name, []byte(w.res.C.Text), b.flags...)
			if err != nil {
				return nil, rejected(cc, err)
			}
			all = append(all, wholeBuild{b.how, made})
		}
		return all, nil
	}
	kernels, err := w.compileKernels(w.dir, w.res)
	if err != nil {
		return nil, err
	}
	made, err := build("cuda", []byte(w.res.Files.Host), "-I", w.dir, kernels, "-lstdc++")
	return []wholeBuild{{"CUDA on the CPU", made}}, rejected(cc, err)
}

// notWhole says why the program as it is could not be compiled.
func notWhole(cc string, err error) error {
	first, says, _ := strings.Cut(err.Error(), "\n")
	d := &diag.Diagnostic{Code: "HX503", Notes: sayings(says, 8)}
	var unlinked *crun.LinkError
	var status *exec.ExitError
	switch {
	case errors.As(err, &unlinked):
		d.Msg = fmt.Sprintf("--run: %s compiled the file, but could not link it to a program", cc)
		d.Help = "name the other files and libraries of the program by --with, as in --with='output.c -lfftw3'; the file needs a main, or one of those"
	case errors.As(err, &status):
		d.Msg = "--run: the file does not compile: " + strings.TrimPrefix(first, cc+": ")
		d.Help = "give the -I, -D and -U that it takes, and other flags of the compiler by --with"
	default:
		return err
	}
	return d
}

// run runs a program with the arguments of --run, and writes a recording.
func (w *wholeRun) run(program *crun.Whole, recording, what string, env ...string) (crun.Said, error) {
	memory := w.path(recording + ".memory")
	if err := os.WriteFile(memory, nil, 0o666); err != nil { // a program in which no region runs writes none
		return crun.Said{}, err
	}
	said, err := program.Run(w.ctx, memory, w.Program.text, env...)
	switch {
	case w.ctx.Err() != nil:
		return said, fmt.Errorf("%s was interrupted", what)
	case err != nil:
		return said, fmt.Errorf("%s, with arguments '%s': %w\n%s", what, w.Program.text, err, said.Err)
	}
	return said, nil
}

// runOriginal runs the program as it is, by one thread, and writes a recording.
func (w *wholeRun) runOriginal(recording string) (crun.Said, error) {
	return w.run(w.original, recording, "the program as it is", "OMP_NUM_THREADS=1")
}

// again returns what the program as it is says when it runs once more, and writes a recording.
func (w *wholeRun) again() (crun.Said, error) {
	if w.repeated == nil {
		said, err := w.runOriginal("again")
		if err != nil {
			return said, err
		}
		w.repeated = &said
	}
	return *w.repeated, nil
}

var violated = regexp.MustCompile(`(?m)^(.*):(\d+): hexcc: it does not hold that (.*): the original loops run`)

// compare runs a translation and compares what it leaves with what the original has left.
func (w *wholeRun) compare(b wholeBuild) error {
	how := b.how + ", the program itself"
	if w.Program.text != "" {
		how += fmt.Sprintf(" with arguments '%s'", w.Program.text)
	}
	mismatch := func(format string, args ...any) error {
		fmt.Fprintf(w.s.stdout, how+": "+format+"\n", args...)
		return exit(exitMismatch)
	}
	said, err := w.run(b.Whole, "translated", b.how, "OMP_NUM_THREADS=4")
	if err != nil {
		return mismatch("%v", err)
	}
	untiled := map[int]string{} // by site: what does not hold
	for _, m := range violated.FindAllStringSubmatch(said.Err, -1) {
		line, _ := strconv.Atoi(m[2])
		if k := slices.IndexFunc(w.res.Probed.Sites, func(x hexcc.ProbedSite) bool { return x.First <= line && line <= x.Last }); k >= 0 {
			untiled[k] = m[3]
		}
	}
	all, err := w.recordings("original", "translated")
	if err != nil {
		return mismatch("%v", errors.Join(err, w.repeats()))
	}
	compared, ran := false, false
	for k, x := range all {
		site := w.res.Probed.Sites[k]
		where := fmt.Sprintf("the region in line %d, function %s", site.First, site.Function)
		why := untiled[k]
		ran = ran || why == "" && x.Runs[0] > 0
		switch {
		case x.Differ > 0 && why == "":
			if err := w.repeats(); err != nil {
				return mismatch("%v", err)
			}
			before := ""
			if x.Found > 0 {
				before = fmt.Sprintf("; before, where it begins, %d do, first in run %d %s: %s, not %s", x.Found, x.FirstFound.Run, x.FirstFound.Name, x.FirstFound.B, x.FirstFound.A)
			}
			return mismatch("%s leaves %d elements that differ, first in run %d of %d %s: %s, not %s%s", where, x.Differ, x.First.Run, x.Runs[0], x.First.Name, x.First.B, x.First.A, before)
		case x.Runs[0] != x.Runs[1]:
			return mismatch("%s ran %d times, and %d times translated", where, x.Runs[0], x.Runs[1])
		case why != "":
			w.tell("%s: %s: it does not hold that %s: the original loops ran, and nothing was compared", how, where, why)
		case x.Elements > 0:
			compared = true
			w.tell("%s: %s%s: all %d elements that it leaves are equal", how, where, runsOf(x), x.Elements)
		case x.Runs[0] == 0:
			w.tell("%s: %s did not run", how, where)
		case x.Full:
			w.tell("%s: %s: its arrays have too many bytes to be compared: give smaller sizes", how, where)
		case len(site.Arrays) == 0:
			w.tell("%s: %s: its arrays have no name around it: what the program prints is compared alone", how, where)
		default:
			w.tell("%s: %s: it leaves no elements to compare", how, where)
		}
		if x.Unread > 0 && why == "" {
			w.tell("%s: %s: %d times an array could not be read, and was not compared", how, where, x.Unread)
		}
	}
	if !ran && len(untiled) > 0 {
		return mismatch("nothing was compared: the tiled loops of no region ran")
	}
	return w.printed(how, said, compared, mismatch)
}

// runsOf says how many runs were compared.
func runsOf(x crun.Comparison) string {
	switch {
	case x.Runs[0] == 1:
		return ""
	case x.Compared == x.Runs[0]:
		return fmt.Sprintf(", %d runs", x.Compared)
	}
	return fmt.Sprintf(", %d of %d runs", x.Compared, x.Runs[0])
}

// tell prints a line, unless -q is given.
func (w *wholeRun) tell(format string, args ...any) {
	if !w.Quiet {
		fmt.Fprintf(w.s.stdout, format+"\n", args...)
	}
}

// printed compares what the programs print, and how they end. Lines that differ each time that the original runs, as those with times do, are left out, unless nothing is
// compared then.
func (w *wholeRun) printed(how string, said crun.Said, compared bool, mismatch func(string, ...any) error) error {
	if said.Status != w.says.Status {
		return mismatch("it ends with status %d, not %d\n%s", said.Status, w.says.Status, said.Err)
	}
	if !compared && said.Out == "" {
		why := "no region ran that leaves elements, and the program prints nothing"
		if w.says.Status != 0 {
			why += fmt.Sprintf(": it ends with status %d\n%s", w.says.Status, w.says.Err)
		}
		return mismatch("nothing was compared: %s", strings.TrimSpace(why))
	}
	want, got := strings.SplitAfter(w.says.Out, "\n"), strings.SplitAfter(said.Out, "\n")
	differ := differing(want, got, nil)
	if len(differ) == 0 {
		if n := strings.Count(said.Out, "\n"); said.Out != "" {
			w.tell("%s: it prints the same, %d line%s", how, n, map[bool]string{n != 1: "s"}[true])
		}
		return nil
	}
	again, err := w.again()
	var times []int // the lines that differ each time
	for try := 0; ; try++ {
		if err != nil {
			return mismatch("%v", err)
		}
		times = append(times, differing(want, strings.SplitAfter(again.Out, "\n"), times)...)
		if len(differing(want, got, times)) == 0 || try == 3 {
			break
		}
		again, err = w.runOriginal("again") // times may be the same now and then
	}
	for i, line := range want {
		compared = compared || line != "" && !slices.Contains(times, i)
	}
	if left := differing(want, got, times); !compared || len(left) > 0 {
		if len(left) > 0 {
			differ = left
		}
		return mismatch("it prints something else, first in line %d: %q, not %q", differ[0]+1, lineOf(got, differ[0]), lineOf(want, differ[0]))
	}
	w.tell("%s: it prints the same but for %d line%s that differ each time that the program runs", how, len(differ), map[bool]string{len(differ) != 1: "s"}[true])
	return nil
}

// differing returns the numbers of the lines that differ, but for those of except.
func differing(want, got []string, except []int) (lines []int) {
	for i := range max(len(want), len(got)) {
		if lineOf(want, i) != lineOf(got, i) && !slices.Contains(except, i) {
			lines = append(lines, i)
		}
	}
	return lines
}

func lineOf(lines []string, i int) string {
	if i < len(lines) {
		return strings.TrimSuffix(lines[i], "\n")
	}
	return ""
}

// recordings compares two recordings.
func (w *wholeRun) recordings(a, b string) ([]crun.Comparison, error) {
	sites := w.res.Probed.Sites
	return crun.CompareRecordings(w.path(a+".memory"), w.path(b+".memory"), len(sites), func(site, array int) (string, scop.Type) {
		return sites[site].Named(array)
	})
}

// repeats returns an error if the program as it is does not do the same when it runs again.
func (w *wholeRun) repeats() error {
	if _, err := w.again(); err != nil {
		return err
	}
	all, err := w.recordings("original", "again")
	if err == nil && !slices.ContainsFunc(all, func(x crun.Comparison) bool { return x.Differ > 0 || x.Runs[0] != x.Runs[1] }) {
		return nil
	}
	return errors.New("the program as it is does something else each time that it runs, so that nothing can be compared: it should not take random numbers from a clock, or sum in threads")
}

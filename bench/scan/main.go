// Command scan measures astgen/scan beside isl, on isl's own inputs for code generation (-inputs, the folder test_inputs/codegen of
// isl's sources) or on random schedules (-random). Of each it says whether there are loops, whether they are proved, whether they run the
// right instances in the right order, by running them at small values of the parameters, how many operations they have, and how long they
// took to make, without the proof.
//
// Operations of isl are counted in the text that isl's tests expect of the program codegen, NAME.c beside an input, else in what islpy
// prints. Time is the fastest of several runs, without reading the text, ours and isl's in turn, each in a process of its own. A schedule
// with too many instances to run is made again with smaller numbers in its text, and those loops are run.
//
// The exit status is 1 if loops are wrong.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	_ "embed"

	"github.com/hexcc/hexcc/astgen/scan"
	"github.com/hexcc/hexcc/internal/schedules"
)

//go:embed isl.py
var script string

type flags struct {
	inputs, run, python string
	random              int
	seed                uint64
	limit               time.Duration
	runs, check         int
	bad, worker, both   bool
}

func main() {
	var f flags
	flag.StringVar(&f.inputs, "inputs", "", "measure the .in and .st files below this folder")
	flag.StringVar(&f.run, "run", "", "only inputs whose name matches this expression; of at most 3, both texts are shown")
	flag.StringVar(&f.python, "python", "", "a Python that has islpy; none: isl's times are left out")
	flag.IntVar(&f.random, "random", 0, "measure so many random schedules")
	flag.Uint64Var(&f.seed, "seed", 1, "the first random schedule is this one")
	flag.DurationVar(&f.limit, "limit", 10*time.Second, "the time that making the loops of an input may take")
	flag.IntVar(&f.runs, "runs", 3, "how often loops are made; the fastest counts")
	flag.IntVar(&f.check, "check", 3, "at how many values of the parameters loops are run")
	flag.BoolVar(&f.bad, "v", false, "list all inputs, not only those without loops or with wrong ones")
	flag.BoolVar(&f.both, "check-isl", false, "run isl's loops as well, to see that they are what is taken to be right")
	flag.BoolVar(&f.worker, "worker", false, "answer questions on the standard input: for this command itself")
	flag.Parse()
	if err := f.main(); err != nil {
		fmt.Fprintln(os.Stderr, "bench/scan:", err)
		os.Exit(1)
	}
}

var errWrong = errors.New("some loops are wrong or missing")

func (f flags) main() error {
	if f.worker {
		return serve(os.Stdin, os.Stdout)
	}
	list, err := f.list()
	if err != nil {
		return err
	}
	if len(list) == 0 {
		return errors.New("no inputs: name a folder by -inputs, or a number by -random")
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	ours, isl := &worker{command: []string{self, "-worker"}}, (*worker)(nil)
	defer ours.stop()
	if f.python != "" {
		if err := exec.Command(f.python, "-c", "import islpy").Run(); err != nil {
			return fmt.Errorf("%s has no islpy: %w", f.python, err)
		}
		isl = &worker{command: []string{f.python, "-c", script}}
		defer isl.stop()
	}
	for i := range list {
		if err := list[i].measure(ours, isl, f); err != nil {
			return err
		}
		list[i].report(os.Stdout, f.bad, len(list) <= 3)
	}
	table(os.Stdout, list)
	for _, x := range list {
		if x.ours.Err != "" || x.ours.Wrong != "" {
			return errWrong
		}
	}
	return nil
}

// forRuns is the time that running the loops of an input may take.
const forRuns = time.Minute

// An input is a schedule with what came of it.
type input struct {
	dir, name, text string
	expected        string // isl's loops, from a file
	ours, isl       answer
}

func (x *input) measure(ours, isl *worker, f flags) (err error) {
	x.ours, err = ours.ask(question{Text: x.text, Runs: f.runs, Check: f.check}, f.limit+forRuns)
	if x.ours.Time > f.limit {
		x.ours.Err = fmt.Sprintf("more than %v", f.limit)
	}
	if err == nil && isl != nil {
		x.isl, err = isl.ask(question{Text: x.text, Runs: f.runs}, f.limit)
	}
	if x.expected != "" {
		x.isl.Text, x.isl.Err = x.expected, ""
	}
	if err == nil && f.both && x.isl.Text != "" {
		a, err := ours.ask(question{Text: x.text, Check: f.check, Loops: x.isl.Text}, f.limit+forRuns)
		x.isl.Wrong = a.Wrong + a.Err
		return err
	}
	return err
}

// list returns what is to be measured.
func (f flags) list() (list []input, err error) {
	only, err := regexp.Compile(f.run)
	if err != nil {
		return nil, err
	}
	for i := range f.random {
		seed := f.seed + uint64(i)
		if name := fmt.Sprint(seed); only.MatchString(name) {
			list = append(list, input{dir: "random", name: name, text: schedules.Random(seed)})
		}
	}
	if f.inputs == "" {
		return list, nil
	}
	err = filepath.WalkDir(f.inputs, func(path string, _ fs.DirEntry, err error) error {
		ext := filepath.Ext(path)
		if err != nil || ext != ".in" && ext != ".st" {
			return err
		}
		name, err := filepath.Rel(f.inputs, path)
		if err != nil || !only.MatchString(name) {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		x := input{dir: filepath.Dir(name), name: name, text: string(text)}
		if loops, err := os.ReadFile(strings.TrimSuffix(path, ext) + ".c"); err == nil {
			x.expected = string(loops)
		}
		list = append(list, x)
		return nil
	})
	return list, err
}

// report says what came of x, of those that are wrong or where all is set; whole shows the texts.
func (x *input) report(out *os.File, all, whole bool) {
	state := "ok"
	switch {
	case x.ours.Err != "":
		state = "NO LOOPS: " + x.ours.Err
	case x.ours.Wrong != "":
		state = "WRONG: " + x.ours.Wrong
	}
	if x.isl.Wrong != "" {
		state += "; ISL'S ARE WRONG: " + x.isl.Wrong
	}
	if x.ours.Open != "" && x.ours.Wrong == "" {
		state += "; NOT PROVED: " + x.ours.Open
	}
	if state != "ok" || all || whole {
		if !whole {
			state, _, _ = strings.Cut(state, "\n")
			state = state[:min(len(state), 300)]
		}
		c, d := scan.CountText(x.ours.Text), scan.CountText(x.isl.Text)
		fmt.Fprintf(out, "%-40s %4d ops, isl %4d   %8.2f ms, isl %8.2f   %d runs %s  %s\n",
			x.name, c.Operations(), d.Operations(), ms(x.ours.Time), ms(x.isl.Time), x.ours.Checked, x.ours.As, state)
	}
	if whole {
		fmt.Fprintf(out, "\n%s\n-- ours: %v\n%s\n-- isl: %v\n%s\n", x.text, scan.CountText(x.ours.Text), x.ours.Text, scan.CountText(x.isl.Text), x.isl.Text+x.isl.Err)
	}
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

package main

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/machine"
	"github.com/hexcc/hexcc/model"
	"github.com/hexcc/hexcc/report"
	"github.com/hexcc/hexcc/tune"
	"github.com/hexcc/hexcc/tune/stencil"
)

// How long a run may take: until one has ended, and at least, whatever the first one took.
const (
	longestRun = 2 * time.Minute
	shortRun   = 5 * time.Second
	// How many of the fastest run again in the end, and how often.
	finalists, rounds = 4, 3
	// interrupted is the exit status of a search that was interrupted, as shells have it.
	interrupted = 130
)

// Run measures candidates, or lists them.
func (c *tuneCmd) Run(s *session) error {
	begun := time.Now()
	t, err := c.tuner(s)
	if err != nil {
		return s.diagnoseOne(&c.sourceFlags, err)
	}
	if c.DryRun {
		return s.write(c.Force, outFile{path: "-", text: []byte(t.DryRun())})
	}
	if err := c.compilers(s, t); err != nil {
		return s.diagnoseOne(&c.sourceFlags, err)
	}
	ctx, stop := untilStopped()
	defer stop()
	defer t.Close()
	if err := t.Prepare(); err != nil {
		return s.diagnoseOne(&c.sourceFlags, err)
	}
	log, err := c.open(s, t)
	if err != nil {
		return s.diagnoseOne(&c.sourceFlags, err)
	}
	defer log.Close()
	search := tune.Search{
		Runner: t, Levels: t.Levels(), Log: log, Budget: c.Budget - time.Since(begun), Jobs: c.Jobs, Limit: longestRun, Least: shortRun, Told: c.teller(s),
		Finalists: finalists, Rounds: rounds,
	}
	r, err := search.Run(ctx)
	if !c.Quiet && isTerminal(s.stderr) {
		fmt.Fprint(bare(s.stderr), "\r\x1b[K")
	}
	if err != nil {
		return s.diagnoseOne(&c.sourceFlags, err)
	}
	return c.tell(s, t, r)
}

// tuner finds the candidates.
func (c *tuneCmd) tuner(s *session) (*stencil.Tuner, error) {
	for name, given := range map[string]bool{"tile": c.Tile != "auto", "strategy": c.Strategy != string(hexcc.Auto), "fuse": c.Fuse != "", "load-schedule": c.LoadSchedule != "",
		"save-schedule": c.SaveSchedule != "", "tuned": c.Tuned != "", "unroll": c.Unroll > 0, "memory": c.Memory != "moved"} {
		if given {
			return nil, fmt.Errorf("hexcc tune looks for strategy and sizes: leave out --%s", name)
		}
	}
	target := hexcc.Target(c.Target)
	switch {
	case target == hexcc.OpenMP, target == hexcc.C, target == hexcc.CUDA, c.DryRun && (target == hexcc.OpenCL || target == hexcc.PTX):
	default:
		return nil, fmt.Errorf("hexcc tune measures --target=openmp, c and cuda, and with --dry-run lists candidates for opencl and ptx, too; --target=%s is none of them", c.Target)
	}
	if c.Runs < 1 || c.Jobs < 0 || c.Budget <= 0 {
		return nil, fmt.Errorf("--runs and --budget are more than 0, and --jobs is no less")
	}
	if c.Jobs == 0 {
		c.Jobs = runtime.GOMAXPROCS(0)
	}
	c.target, c.cpu = c.Target, c.CPU
	sizes, err := s.splitDefines(&c.sourceFlags)
	if err != nil {
		return nil, err
	}
	o, err := s.options(&c.sourceFlags)
	if err != nil {
		return nil, err
	}
	if o.Host, err = s.host(&c.sourceFlags); err != nil {
		return nil, err
	}
	if o.Target, o.Base = target, c.baseName(); c.CPU == "" && isCPU(c.Target) {
		if native, err := machine.ParseCPU("native"); err == nil { // else caches that are assumed, as for translate
			o.CPU = native
		}
	}
	grid := model.Typical{}
	maps.Copy(grid, o.Grid)
	maps.Copy(grid, sizes)
	o.Grid = grid
	src, err := s.source(c.File)
	if err != nil {
		return nil, err
	}
	args, err := stencil.Folders(c.File, c.Include, c.Define, c.Undefine)
	if err != nil {
		return nil, err
	}
	return stencil.New(stencil.Request{Source: src, Options: o, Shared: c.flags(), Args: args, Repetitions: c.Runs, Seed: 1})
}

// flags are those that ask for what all candidates have.
func (c *tuneCmd) flags() []string {
	words := []string{"--target=" + c.Target}
	for _, d := range c.Define {
		words = append(words, "-D"+d)
	}
	for _, u := range c.Undefine {
		words = append(words, "-U"+u)
	}
	for _, a := range c.Assume {
		words = append(words, "--assume="+a)
	}
	add := func(name, value, usual string) {
		if value != usual {
			words = append(words, "--"+name+"="+value)
		}
	}
	add("arch", c.Arch, "sm_80")
	add("order", strings.Join(c.Order, ","), "")
	add("region", c.Region, "")
	add("fallback", c.Fallback, "error")
	add("on-violated", c.OnViolated, "original")
	add("leave", strings.Join(c.Leave, ","), "")
	if c.Unchecked {
		words = append(words, "--unchecked")
	}
	return words
}

// compilers finds what compiles candidates.
func (c *tuneCmd) compilers(s *session, t *stencil.Tuner) (err error) {
	if c.Target == string(hexcc.CUDA) {
		var gpu stencil.GPU
		if t.NVCC, gpu, err = stencil.FindGPU(); err != nil {
			return err
		}
		if t.GPU = gpu.Name; gpu.Arch != "" && gpu.Arch != c.Arch && !c.Quiet {
			s.remark(fmt.Sprintf("kernels and sizes are for %s, and the %s is %s: --arch=%s\n", c.Arch, gpu.Name, gpu.Arch, gpu.Arch))
		}
	}
	if t.Compiler, err = hostCompiler(); err != nil {
		return &diag.Diagnostic{Code: "HX501", Msg: "hexcc tune compiles what it measures: " + err.Error(), Help: installCompilers + "; --dry-run ranks candidates by the model, and runs nothing"}
	}
	return nil
}

// open opens the log.
func (c *tuneCmd) open(s *session, t *stencil.Tuner) (*tune.Log, error) {
	path := c.Log
	if path == "" {
		base, err := outputBase("", c.base())
		if err != nil {
			return nil, fmt.Errorf("the log needs a name: --log=FILE")
		}
		path = base + ".tune.jsonl"
	}
	log, err := tune.Open(path, t.Key(), false)
	var mismatch *tune.MismatchError
	if errors.As(err, &mismatch) && c.Force {
		log, err = tune.Open(path, t.Key(), true)
	} else if errors.Is(err, tune.ErrLocked) {
		return nil, &diag.Diagnostic{Code: "HX021", Msg: err.Error(), Help: "wait until it has ended, or name another log with --log=FILE"}
	} else if mismatch != nil {
		return nil, &diag.Diagnostic{Code: "HX019", Msg: mismatch.Error(), Help: "--log=FILE names another log; --force starts this one anew"}
	}
	if err != nil {
		return nil, err
	}
	if log.Dropped && !c.Quiet {
		s.remark(fmt.Sprintf("%s: the last line was not whole, and is dropped\n", path))
	}
	return log, nil
}

// teller returns what tells of the progress: a line of a terminal that is written over, with -v a line for each candidate.
func (c *tuneCmd) teller(s *session) func(tune.Progress) {
	terminal := bare(s.stderr)
	switch {
	case c.Quiet || s.document():
		return nil
	case c.Verbose:
		return func(p tune.Progress) {
			if last := stencil.Last(p); last != "" {
				s.remark(last + "\n" + stencil.Progress(p) + "\n")
			}
		}
	case isTerminal(terminal):
		return func(p tune.Progress) { fmt.Fprintf(terminal, "\r\x1b[K%.79s", stencil.Progress(p)) }
	}
	return nil
}

// tell prints what was found, and writes what is asked for.
func (c *tuneCmd) tell(s *session, t *stencil.Tuner, r *tune.Result) error {
	best := r.Best()
	if best == nil {
		return s.diagnoseOne(&c.sourceFlags, nothingMeasured(r))
	}
	summary := t.Summary(r, append(slices.Clone(t.Shared), c.File))
	text := t.About() + "on " + t.Key().Device + "\n" + summary
	if r.Ended != "" {
		text += fmt.Sprintf("not all was measured: %s; the same command goes on\n", r.Ended)
	}
	if !c.Quiet {
		fmt.Fprint(s.stdout, text+"\n"+t.Table(r))
	}
	for _, o := range r.Outcomes {
		if o.Rejected != nil && o.Rejected.Kind == tune.Wrong && !o.Reference {
			fmt.Fprintf(s.stderr, "hexcc: warning: %s has wrong results: a fault of hexcc or of the C compiler; please report it\n", o.Name)
		}
	}
	var files []outFile
	if c.Save != "" {
		saved, err := c.saved(t.Choice(*best))
		if err != nil {
			return err
		}
		files = append(files, outFile{path: c.Save, text: saved})
	}
	if c.Output != "" {
		page := report.TuningPage(report.Tuning{Version: hexcc.Version, Name: filepath.Base(c.File), About: t.About(), Summary: summary, Unit: t.Unit(), Outcomes: r.Outcomes, Ended: r.Ended})
		files = append(files, outFile{path: c.Output, text: page})
	}
	if err := s.write(c.Force, files...); err != nil {
		return err
	}
	if r.Ended == tune.Interrupted {
		return exit(interrupted)
	}
	return nil
}

// nothingMeasured says why there is no result.
func nothingMeasured(r *tune.Result) error {
	d := &diag.Diagnostic{Code: "HX511", Msg: "no candidate was measured", Help: "give smaller sizes with -DNAME=V, or more time with --budget"}
	if r.Ended != "" {
		d.Msg += ": " + r.Ended
	}
	for _, o := range r.Outcomes {
		if o.Rejected != nil {
			d.Notes = append(d.Notes, diag.Note{Msg: fmt.Sprintf("%s: %v", o.Name, o.Rejected)})
		}
	}
	return d
}

// saved returns what the file of --save has with x.
func (c *tuneCmd) saved(x tune.Choice) ([]byte, error) {
	var choices tune.Choices
	text, _, err := readInput(c.Save) // not as an input, which is never replaced
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, err
	default:
		if choices, err = tune.ParseChoices(text); err != nil {
			return nil, fmt.Errorf("--save=%s: %w", c.Save, err)
		}
	}
	return choices.With(x).Text(), nil
}

package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/gpu/lower"
	"github.com/hexcc/hexcc/gpu/stream"
	"github.com/hexcc/hexcc/machine"
	"github.com/hexcc/hexcc/model"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/tune"
	"github.com/hexcc/hexcc/tune/stencil"
)

// compile reads and compiles the file of the flags. What is wrong is printed;
// the error then is the status to end with. The result holds what was made even so.
func (s *session) compile(f *sourceFlags, change ...func(*hexcc.Options)) (*hexcc.Result, error) {
	src, err := s.source(f.File)
	if err != nil {
		return nil, err
	}
	o, err := s.options(f)
	if err != nil {
		return nil, err
	}
	if o.Host, err = s.host(f); err != nil {
		return nil, err
	}
	for _, c := range change {
		c(&o)
	}
	if o.Printed == nil && !s.listsHeaders && !o.Cxx {
		o.Printed = f.printed(src, o)
	}
	var stop func()
	o.Began, stop = s.progress(f)
	res, err := func() (*hexcc.Result, error) {
		defer stop()
		return hexcc.Compile(src, o)
	}()
	if res != nil {
		s.readHeaders(res.Headers)
	}
	if f.Verbose && res != nil {
		for _, t := range res.Times {
			s.remark(fmt.Sprintf("pass %s: %.3f ms\n", t.Pass, float64(t.Took.Microseconds())/1000))
		}
		s.decisions(res, f.FMA)
	}
	if err := s.diagnose(f, res, err); err != nil {
		return res, err
	}
	if f.SaveSchedule != "" {
		if err := one(res, "--save-schedule writes the schedule"); err != nil {
			return res, err
		}
		text := ""
		if res.Mapped != nil {
			text = res.Mapped.Schedule.String()
		} else {
			text = schedule.Save(res.Schedule, res.Clauses...)
		}
		s.later = append(s.later, outFile{path: f.SaveSchedule, text: []byte(text)})
	}
	return res, nil
}

// decisions prints what was fused, what tile sizes were compared, what was asked of the
// schedule, and what the answers took.
func (s *session) decisions(res *hexcc.Result, fma bool) {
	for _, r := range res.Regions {
		if fma {
			s.remark(fmt.Sprintf("--fma: fused products in the region of line %d: %d\n", r.Scop.UserLine(), r.Scop.Fusions))
		}
		if r.Regrouped != nil {
			s.remark(fmt.Sprintf("--reassociate: %v\n", r.Regrouped))
		}
		if r.Folded != nil {
			s.remark(fmt.Sprintf("--fold: %v\n", r.Folded))
		}
		if r.Outlook != nil {
			s.remark(fmt.Sprint(r.Outlook))
		}
		if r.Choice != nil {
			s.remark(r.Choice.String())
		}
		if r.Streams != nil {
			s.remark(r.Streams.String())
		}
		for _, p := range r.Proofs {
			s.remark("proof of " + p.Text(true) + "\n")
		}
	}
}

// one returns an error unless res has one region: what says what it is needed for.
func one(res *hexcc.Result, what string) error {
	if len(res.Regions) == 1 {
		return nil
	}
	names := make([]string, len(res.Regions))
	for i, r := range res.Regions {
		names[i] = fmt.Sprintf("--region=%d (line %d, function %s)", r.Scop.Region.Index+1, r.Scop.UserLine(), r.Scop.Function)
	}
	return fmt.Errorf("%s of one region, and the file has %d: choose %s", what, len(res.Regions), strings.Join(names, " or "))
}

// options returns what the flags ask for; an error is a mistake of usage.
func (s *session) options(f *sourceFlags) (o hexcc.Options, err error) {
	if err := resolveArch(&f.Arch); err != nil {
		return o, err
	}
	o = hexcc.Options{IncludeDirs: f.Include, Defines: f.Define, Undefines: f.Undefine, Includes: f.PreInclude, Cxx: f.Language == "c++", Order: f.Order, Arch: f.Arch, LLC: f.LLC, Libdevice: f.Libdevice, Region: f.Region, Base: f.baseName()}
	o.Fuse, o.Stream = f.Fuse, f.Stream
	if (f.Fuse != "" || f.Stream != "" && f.Stream != hexcc.StepByStep) && f.Strategy == string(hexcc.Auto) {
		f.Strategy = string(hexcc.Overlapped)
	}
	o.Strategy, o.Launch, o.Kernel = hexcc.Strategy(f.Strategy), hexcc.Launch(f.launch), hexcc.Kernel(f.kernel)
	if o.Pipeline, err = stream.ParseShape(f.pipeline); err != nil {
		return o, fmt.Errorf("--pipeline=%s: %w", f.pipeline, err)
	}
	if f.Fallback != "error" {
		o.Fallback = hexcc.Strategy(f.Fallback)
	}
	if o.Tile, err = o.Strategy.ParseTile(f.Tile); err != nil {
		return o, fmt.Errorf("--tile=%s: %w", f.Tile, err)
	}
	if o.Grid, err = model.ParseTypical(f.Grid); err != nil {
		return o, fmt.Errorf("--grid=%s: %w", f.Grid, err)
	}
	if o.Tuned, err = s.tuned(f); err != nil {
		return o, err
	}
	if o.CPU, err = machine.ParseCPU(f.cpu); err != nil {
		return o, fmt.Errorf("--cpu=%s: %w", f.cpu, err)
	}
	if err := f.fits(); err != nil {
		return o, err
	}
	if f.LoadSchedule != "" {
		if o.Tile != nil || o.Order != nil {
			return o, fmt.Errorf("--load-schedule=%s: the file has sizes and order; leave out --tile and --order", f.LoadSchedule)
		}
		if o.Load, err = s.source(f.LoadSchedule); err != nil {
			return o, err
		}
	}
	for _, fact := range f.Assume {
		if fact == "noalias" {
			o.NoAlias = true
		} else {
			o.Assume = append(o.Assume, fact)
		}
	}
	if o.Memory, err = lower.LookupStrategy(f.Memory); err != nil {
		return o, fmt.Errorf("--memory: %w", err)
	}
	o.Leave, o.Fission, o.Fold = f.Leave, f.Fission, f.Fold
	for _, w := range f.wishes() {
		if w.value == "" {
			continue
		}
		if err := o.Set(w.name, w.value); err != nil {
			return o, fmt.Errorf("--%s=%s: %w", w.name, w.value, err)
		}
	}
	if o.Unroll = f.Unroll; f.Unroll < 0 {
		return o, fmt.Errorf("--unroll=%d: a body has 1 point or more", f.Unroll)
	}
	if f.FmaxErrors < 0 {
		return o, fmt.Errorf("-fmax-errors=%d: a number of errors, or 0 for all", f.FmaxErrors)
	}
	if f.LocalMemory < 0 || f.WorkGroup < 0 || f.WorkGroup > 0 && f.WorkGroup < machine.LeastThreads {
		return o, fmt.Errorf("--local-memory is a number of bytes, and --work-group at least %d", machine.LeastThreads)
	}
	o.LocalMemory, o.WorkGroup = f.LocalMemory, f.WorkGroup
	o.RankGrid = hexcc.RankGrid(f.RankGrid)
	o.FMA, o.Reassociate = f.FMA, string(f.Reassociate)
	o.Unchecked, o.Refuse, o.WithoutDevice = f.Unchecked, f.OnViolated == "refuse", f.OnNoDevice == "original"
	return o, nil
}

// A wish is the value of a flag about kernels; "": it was not given.
type wish struct{ name, value string }

// wishes returns those that hexcc.Wishes reads.
func (f *sourceFlags) wishes() []wish {
	registers := ""
	if f.Registers != 0 {
		registers = strconv.Itoa(f.Registers)
	}
	return []wish{{"place", f.Place}, {"block", f.Block}, {"elements", f.Elements}, {"registers", registers}, {"occupancy", f.Occupancy}, {"prefetch", f.Prefetch}}
}

// tuned reads the file of --tuned; nil where there is none.
func (s *session) tuned(f *sourceFlags) (*hexcc.Tuned, error) {
	if f.Tuned == "" {
		return nil, nil
	}
	for name, given := range map[string]bool{
		"tile": f.Tile != "auto", "strategy": f.Strategy != string(hexcc.Auto), "fuse": f.Fuse != "", "load-schedule": f.LoadSchedule != "", "kernel=streaming": f.kernel == string(hexcc.Streaming),
	} {
		if given {
			return nil, fmt.Errorf("--tuned=%s says how to tile: leave out --%s", f.Tuned, name)
		}
	}
	text, err := s.read(f.Tuned)
	if err != nil {
		return nil, err
	}
	choices, err := tune.ParseChoices(text)
	if err != nil {
		return nil, fmt.Errorf("--tuned=%s: %w", f.Tuned, err)
	}
	return &hexcc.Tuned{Name: shown(f.Tuned), Choices: choices, Device: stencil.Device(hexcc.Target(f.target), f.Arch)}, nil
}

// fits returns an error if a flag has no meaning for the target.
func (f *sourceFlags) fits() error {
	cpu, streams := isCPU(f.target), f.kernel == string(hexcc.Streaming)
	if streams {
		for _, flag := range []struct {
			name  string
			given bool
		}{
			{"tile", f.Tile != "" && f.Tile != "auto"}, {"order", len(f.Order) > 0}, {"launch=phases", f.launch == string(hexcc.Phases) && f.target != string(hexcc.OpenCL)},
			{"strategy=" + f.Strategy, f.Strategy != string(hexcc.Auto) && f.Strategy != string(hexcc.Hybrid)},
			{"memory", f.Memory != "moved"}, {"unroll", f.Unroll > 0}, {"leave", len(f.Leave) > 0}, {"fuse", f.Fuse != ""}, {"stream", f.Stream != ""},
		} {
			if flag.given {
				return fmt.Errorf("--%s has no meaning with --kernel=streaming", flag.name)
			}
		}
	}
	for _, w := range f.wishes() {
		if w.value != "" && cpu {
			return fmt.Errorf("--%s has no meaning with --target=%s", w.name, f.target)
		}
	}
	for _, flag := range []struct {
		name         string
		given, forIt bool
	}{
		{"cpu", f.cpu != "", cpu}, {"memory", f.Memory != "moved", !cpu}, {"unroll", f.Unroll > 0, !cpu}, {"leave", len(f.Leave) > 0, !cpu},
		{"kernel", streams, !cpu}, {"stream", f.Stream != "", !cpu},
		{"local-memory", f.LocalMemory > 0, !cpu}, {"work-group", f.WorkGroup > 0, !cpu},
		{"rank-grid", f.RankGrid != "" && f.RankGrid != string(hexcc.AnyRankGrid), f.target == string(hexcc.MPI)},
	} {
		if flag.given && !flag.forIt {
			return fmt.Errorf("--%s has no meaning with --target=%s", flag.name, f.target)
		}
	}
	if f.pipeline != "" && !streams {
		return fmt.Errorf("--pipeline goes with --kernel=streaming")
	}
	return nil
}

// shows sets what a page is about, and returns what that changes of options.
func (c *sourceFlags) shows(t targetFlags, m mappingFlags) func(*hexcc.Options) {
	c.target, c.cpu, c.launch, c.kernel, c.pipeline = t.Target, t.CPU, t.Launch, m.Kernel, m.Pipeline
	return func(o *hexcc.Options) { o.Target, o.Ranked = hexcc.Target(t.Target), true }
}

// base returns the name of the source without folder and ending, "" where it has none.
func (f *sourceFlags) base() string {
	if f.File == "-" {
		return ""
	}
	name := filepath.Base(f.File)
	return strings.TrimSuffix(name, filepath.Ext(name))
}

// isCPU reports whether the target is C for CPUs.
func isCPU(target string) bool {
	return target == string(hexcc.OpenMP) || target == string(hexcc.C) || target == string(hexcc.MPI)
}

// isMPI reports whether a target is for several ranks.
func isMPI(target string) bool {
	return target == string(hexcc.MPI) || target == string(hexcc.MPICUDA)
}

// baseName returns the name that is used where no file is written, which is good for #include.
func (f *sourceFlags) baseName() string {
	switch base := f.base(); {
	case base == "":
		return "stdin"
	case ctext.Includable(base) != nil:
		return ctext.Identifier(base)
	default:
		return base
	}
}

// diagnose prints warnings and errors as the flags want them and returns the
// status to end with, nil when nothing is wrong.
func (s *session) diagnose(f *sourceFlags, res *hexcc.Result, err error) error {
	var list diag.List
	if err != nil && !errors.As(err, &list) {
		return err
	}
	if f.Quiet {
		list = slices.DeleteFunc(slices.Clone(list), func(d *diag.Diagnostic) bool { return d.Severity != diag.Error })
	} else if res != nil {
		list = append(list, res.Warnings...)
	}
	if f.Werror {
		list = list.WarningsAsErrors()
	}
	if len(list) == 0 {
		return nil
	}
	list = diag.Sorted(list)
	shown, more := list, 0
	if !s.document() {
		if !f.Verbose {
			list = withFactsTogether(list)
		}
		shown, more = list.First(f.FmaxErrors)
	}
	if err := s.tell(shown); err != nil {
		return err
	}
	if more > 0 {
		errors := "errors"
		if more == 1 {
			errors = "error"
		}
		fmt.Fprintf(s.stderr, "hexcc: %d more %s not shown; -fmax-errors=0 shows all\n", more, errors)
	}
	if !list.HasErrors() {
		return nil
	}
	return exit(list.ExitStatus())
}

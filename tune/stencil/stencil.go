// Package stencil measures the ways to run a region on the machine at hand: what hexcc makes of it with other strategies and sizes, beside the region as it
// is written. It makes candidates of what the model ranks, and programs of candidates; package tune searches.
package stencil

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/crun"
	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/machine"
	"github.com/hexcc/hexcc/model"
	"github.com/hexcc/hexcc/scop"
	"github.com/hexcc/hexcc/tune"
)

// A Request is what to measure.
type Request struct {
	Source  hexcc.Source
	GPU     string        // what GPU runs kernels; "": none
	Options hexcc.Options // of all candidates; Grid has the sizes that the user gives
	Shared  []string      // flags that ask for these options, for those who repeat what was measured
	// Compiler is a C compiler, and Args what it needs to read the source: -I, -D and -U. It runs in a folder of its own.
	Compiler    string
	NVCC        string // compiles kernels; "": there are none
	Args        []string
	Optimize    []string // flags that say how well it compiles; nil: those that translations name in their heads
	Repetitions int      // of each program at least, of which the fastest counts
	Seed        uint64
}

// A Tuner knows the candidates of a region, and runs them.
type Tuner struct {
	Request
	*hexcc.Ways
	// Assumed are the parameters whose values the user has not given.
	Assumed []string
	params  []int64
	headers []string
	ways    struct {
		sync.Mutex
		byName map[string]hexcc.Way
	}
	dir   string
	image *crun.Image
}

// New finds the candidates. The error is a diag.List where something is wrong with the program.
func New(r Request) (*Tuner, error) {
	o := r.Options
	o.Stop = "space"
	res, err := hexcc.Compile(r.Source, o)
	if err != nil {
		return nil, err
	}
	if len(res.Regions) != 1 {
		return nil, fmt.Errorf("hexcc tune measures one region, and the file has %d: choose one with --region", len(res.Regions))
	}
	if r.Options.FMA {
		return nil, errors.New("hexcc tune compares results bit for bit, and with --fma they differ from those of the source: leave --fma out")
	}
	if res.Regrouped != nil {
		return nil, errors.New("hexcc tune compares results bit for bit, and with --reassociate they differ from those of the source: leave --reassociate out")
	}
	t := &Tuner{Request: r, headers: res.Headers}
	given := r.Options.Grid
	if r.Options.Grid, err = model.Measurable(res.Space, given); err != nil {
		return nil, err
	}
	if t.Ways, err = hexcc.Candidates(r.Source, r.Options); err != nil {
		return nil, err
	}
	t.Options.Grid, t.ways.byName = r.Options.Grid, map[string]hexcc.Way{}
	for _, p := range t.Scop.Params {
		t.params = append(t.params, r.Options.Grid[p.Name])
		if _, ok := given[p.Name]; !ok {
			t.Assumed = append(t.Assumed, p.Name)
		}
	}
	return t, nil
}

// Sizes returns the sizes that programs run at, as in "n=2000, T=100".
func (t *Tuner) Sizes() string {
	list := make([]string, len(t.params))
	for i, v := range t.params {
		list[i] = fmt.Sprintf("%s=%d", t.Scop.Params[i].Name, v)
	}
	if len(list) == 0 {
		return "those of the source"
	}
	return strings.Join(list, ", ")
}

// Prepare makes what programs read, in a folder that Close removes.
func (t *Tuner) Prepare() error {
	if err := ctext.Callable(t.Scop); err != nil {
		return err
	}
	mem, err := scop.NewMemory(t.Scop, t.params, t.Seed)
	if err != nil {
		return err
	}
	if t.dir, err = os.MkdirTemp("", "hexcc-tune-"); err != nil {
		return err
	}
	t.image, err = crun.NewImage(crun.Input{Memory: mem}, t.dir)
	return err
}

// Close removes what was made.
func (t *Tuner) Close() error {
	if t.dir == "" {
		return nil
	}
	return os.RemoveAll(t.dir)
}

// Key tells what outcomes are of.
func (t *Tuner) Key() tune.Key {
	sum := sha256.New()
	for _, part := range []string{string(t.Ways.Source.Text), t.Scop.String()} {
		fmt.Fprintf(sum, "%d:%s", len(part), part)
	}
	for _, h := range t.headers {
		if text, err := os.ReadFile(h); err == nil { // else one that is built in
			fmt.Fprintf(sum, "%d:%s", len(text), text)
		}
	}
	return tune.Key{
		Program: fmt.Sprintf("%x", sum.Sum(nil)[:16]), Region: fmt.Sprintf("%d, function %s", t.Scop.Region.Index+1, t.Scop.Function), Flags: strings.Join(t.Shared, " "),
		Target: string(t.Options.Target), Compiler: version(t.Compiler) + ", " + strings.Join(slices.Concat(t.flags(true), t.Args), " "), Device: strings.TrimPrefix(t.GPU+", "+t.Device(), ", "), Sizes: t.Sizes(), Made: hexcc.Version,
	}
}

// Device names what programs run on, as results are kept by.
func (t *Tuner) Device() string { return Device(t.Options.Target, t.Options.Arch) }

// Device names what programs of a target run on: this machine, where that is a CPU, else the architecture, as GPUs of one translation are known by no more. With
// another number of threads than the machine has, it is another device.
func Device(target hexcc.Target, arch string) string {
	if target != hexcc.OpenMP && target != hexcc.C {
		return machine.DeviceOf(arch).Name
	}
	name := machine.ThisCPU()
	if n := os.Getenv(numThreads); n != "" && target == hexcc.OpenMP {
		name += ", " + numThreads + "=" + n
	}
	return name
}

// Choice returns the outcome of a search as a file keeps it.
func (t *Tuner) Choice(o tune.Outcome) tune.Choice {
	return tune.Choice{
		Program: hexcc.ProgramID(t.Scop), Target: string(t.Options.Target), Device: t.Device(), Sizes: t.Options.Grid,
		Flags: t.Flags(o.Name), Threads: o.Threads, Seconds: o.Best(),
	}
}

// The names of what is measured for comparison.
const (
	Plain    = "plain loops"
	Parallel = "omp parallel for"
)

// candidate returns a way as a candidate.
func (t *Tuner) candidate(w hexcc.Way) tune.Candidate {
	name := w.Flags()
	t.ways.Lock()
	t.ways.byName[name] = w
	t.ways.Unlock()
	return tune.Candidate{Name: name, Group: string(w.Strategy), Expected: t.expected(w.PerPoint), Bound: w.Bound, Steps: t.Steps(w)}
}

// Flags returns the flags that ask for a candidate, without what the environment has to say.
func (t *Tuner) Flags(name string) string {
	w, _ := t.way(name)
	return w.Flags()
}

// expected returns what a run takes by the model: seconds or, on a CPU, how often what plain loops take.
func (t *Tuner) expected(perPoint float64) float64 {
	switch {
	case t.Seconds:
		return perPoint * float64(t.Grid.Points)
	case t.Ways.Plain > 0:
		return perPoint / t.Ways.Plain
	}
	return perPoint
}

// Candidate returns the way of a name that a level has given.
func (t *Tuner) way(name string) (hexcc.Way, bool) {
	t.ways.Lock()
	defer t.ways.Unlock()
	w, ok := t.ways.byName[name]
	return w, ok
}

// Pragma returns the line before #pragma scop that asks for a candidate.
func (t *Tuner) Pragma(name string) string {
	w, _ := t.way(name)
	return w.Pragma()
}

// All returns the candidates that the model has ranked, its choice first.
func (t *Tuner) All() (all []tune.Candidate) {
	all = append(all, t.candidate(t.First))
	for _, w := range t.Ways.Ways {
		if w.Flags() != t.First.Flags() {
			all = append(all, t.candidate(w))
		}
	}
	return all
}

// Build makes the program of a candidate.
func (t *Tuner) Build(ctx context.Context, c tune.Candidate) (tune.Program, error) {
	made, err := t.text(ctx, c)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp(t.dir, "build-")
	if err != nil {
		return nil, err
	}
	flags := slices.Concat(t.flags(made.threads), t.Args)
	if made.kernel != "" {
		var more []string
		if more, err = t.kernel(ctx, dir, made); err == nil {
			flags = append(flags, more...)
		}
	}
	var p *crun.Timed
	if err == nil {
		p, err = crun.CompileTimed(ctx, t.Compiler, dir, t.Scop, made.text, flags...)
	}
	if err != nil {
		return nil, errors.Join(os.RemoveAll(dir), t.notCompiled(c, err))
	}
	if c.Threads > 0 {
		p.Env = []string{threads(c.Threads)}
	}
	return &program{t, p, c, dir}, nil
}

// A text is what is compiled of a candidate.
type text struct {
	text           []byte // the user's file
	threads        bool   // it runs in several
	kernel, header string // in CUDA; "": there are none
}

// text returns the text of a candidate.
func (t *Tuner) text(ctx context.Context, c tune.Candidate) (made text, err error) {
	switch c.Name {
	case Plain:
		return text{text: t.Ways.Source.Text}, nil
	case Parallel:
		if made.text, err = parallelLoops(t.Scop); err != nil {
			err = &tune.Rejection{Kind: tune.Refused, Why: err.Error()}
		}
		made.threads = true
		return made, err
	}
	w, ok := t.way(c.Name)
	if !ok {
		panic("stencil: " + c.Name + " is no candidate")
	}
	o, err := w.With(t.Options)
	if err != nil {
		panic(fmt.Sprintf("stencil: %s: %v", c.Name, err))
	}
	var res *hexcc.Result
	done := make(chan error, 1)
	go func() {
		r, err := hexcc.Compile(t.Ways.Source, o)
		res = r
		done <- err
	}()
	select {
	case <-ctx.Done(): // a translation ends by itself, but nobody waits for it
		return made, ctx.Err()
	case err = <-done:
	}
	var list diag.List
	switch {
	case errors.As(err, &list) && len(list) > 0:
		return made, &tune.Rejection{Kind: tune.Refused, Why: said(list[0])}
	case err != nil:
		return made, err
	case t.Options.Target == hexcc.CUDA:
		return text{[]byte(res.Files.Host), false, res.Files.Kernel, res.Files.Header}, nil
	}
	return text{text: []byte(res.C.Text), threads: t.Options.Target == hexcc.OpenMP}, nil
}

func said(d *diag.Diagnostic) string {
	if d.Code == "" {
		return d.Msg
	}
	return fmt.Sprintf("%s [%s]", d.Msg, d.Code)
}

// flags are those of the C compiler.
func (t *Tuner) flags(threads bool) []string {
	flags := t.Optimize
	if flags == nil {
		flags = []string{"-O3", "-march=native"}
	}
	flags = append(slices.Clone(flags), "-ffp-contract=off", "-fno-math-errno")
	if threads {
		flags = append(flags, "-fopenmp")
	}
	return flags
}

// notCompiled is a rejection of a candidate; of the program as it is, it is an error.
func (t *Tuner) notCompiled(c tune.Candidate, err error) error {
	first, says, _ := strings.Cut(err.Error(), "\n")
	first = strings.TrimPrefix(first, t.Compiler+": ")
	var status *exec.ExitError
	if !errors.As(err, &status) {
		return err // of the machine, or since the search has ended
	}
	if c.Name == Plain {
		return &diag.Diagnostic{Code: "HX503", Msg: fmt.Sprintf("%s did not compile the program as it is: %s", t.Compiler, first), Notes: notes(says),
			Help: "hexcc tune runs the function around the region: it must compile with the -I, -D and -U that are given here, and link without other files"}
	}
	why := firstLine(says)
	for line := range strings.Lines(says) {
		if strings.Contains(line, "error") {
			why = strings.TrimSpace(line)
			break
		}
	}
	return &tune.Rejection{Kind: tune.Uncompile, Why: first + ": " + why}
}

func notes(says string) (all []diag.Note) {
	for line := range strings.Lines(says) {
		if line = strings.TrimSpace(line); line != "" && len(all) < 8 {
			all = append(all, diag.Note{Msg: "it says: " + line})
		}
	}
	return all
}

func firstLine(says string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(says), "\n")
	return line
}

// A program is a candidate that was compiled.
type program struct {
	*Tuner
	timed     *crun.Timed
	candidate tune.Candidate
	dir       string
}

// How often programs run: short ones more often than long ones, as their times vary more.
const (
	mostRuns     = 50
	leastSeconds = 0.5
	enough       = 10 // seconds, whatever the number of repetitions
)

// Run runs it. What the program as it is leaves is what is expected of all others.
func (p *program) Run(ctx context.Context) ([]float64, error) {
	seconds, d, err := p.timed.Run(ctx, p.image, crun.Repeat{Runs: p.Repetitions, Most: mostRuns, Seconds: leastSeconds, Enough: enough})
	var failed *crun.RunError
	switch {
	case errors.As(err, &failed) && p.candidate.Name == Plain:
		return nil, &diag.Diagnostic{Code: "HX511", Msg: fmt.Sprintf("the program as it is fails with %s: %v", p.Sizes(), failed), Notes: notes(failed.Says),
			Help: "give other sizes with -DNAME=V"}
	case errors.Is(err, crun.ErrSays):
		return nil, &tune.Rejection{Kind: tune.NotRun, Why: firstLine(failed.Says)}
	case failed != nil:
		return nil, &tune.Rejection{Kind: tune.Crashed, Why: strings.TrimSuffix(failed.Error()+": "+firstLine(failed.Says), ": ")}
	case err != nil:
		return nil, err
	case d.Differ > 0:
		return nil, &tune.Rejection{Kind: tune.Wrong, Why: fmt.Sprintf("at element %s: %s, expected %s; %d of %d elements differ", d.First, d.A, d.B, d.Differ, d.Elements)}
	}
	return seconds, nil
}

// Remove removes it.
func (p *program) Remove() { _ = os.RemoveAll(p.dir) }

// Folders returns the -I, -D and -U with which a compiler in another folder reads a file as hexcc does.
func Folders(file string, include, define, undefine []string) (args []string, err error) {
	for _, dir := range append([]string{filepath.Dir(file)}, include...) {
		absolute, err := filepath.Abs(dir)
		if err != nil {
			return nil, err
		}
		args = append(args, "-I", absolute)
	}
	for _, d := range define {
		args = append(args, "-D"+d)
	}
	for _, u := range undefine {
		args = append(args, "-U"+u)
	}
	return args, nil
}

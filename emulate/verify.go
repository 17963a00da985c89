package emulate

import (
	"errors"
	"slices"
	"strings"
	"sync"

	"github.com/hexcc/hexcc/astgen/mapped"
	"github.com/hexcc/hexcc/cpu"
	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// A Size gives parameters values by name. Parameters left out are free.
type Size map[string]int64

// A Request says what to verify. Only Program is needed, or CPU in its place.
type Request struct {
	Program *gpu.Program
	CPU     *cpu.Program // run as a CPU would
	// Own, in their place, is the loops of a schedule that the user has written.
	Own *mapped.Program
	// Schedule is what the program came from; sizes are chosen to fit its tiles.
	Schedule *schedule.Schedule
	// Sizes are tried, each completed in several ways where it leaves parameters
	// free; none: all are free.
	Sizes  []Size
	Proofs []schedule.Proof // printed with the outcome
	Seed   uint64           // of the input and of the order of execution
	Jobs   int              // sizes run at once; 0: 1
	Points int64            // instances a size of our choice has at most; 0: a good number
	First  bool             // stop each trial soon after the first finding
	// OneVersion runs the first version of the kernels only, which the sizes that are tried need; else the second
	// runs too, at the largest of them.
	OneVersion bool
	// Profile counts in the first trial what a profiler would; it takes longer.
	Profile bool
	// Functions are taken in place of those of math.h where Against runs the original program.
	Functions scop.Functions
	// Progress is told how many sizes are done, of how many; nil: nobody is. Calls do not overlap.
	Progress func(done, of int)
}

// A Verification is the outcome: what ran, at each size, and what was wrong.
type Verification struct {
	Proofs []schedule.Proof
	Trials []Trial
	// Skipped says, for each size of our choice that was dropped, why the program
	// does not run there.
	Skipped []error
	// Outside says, for each size that the caller gave and for which a tested fact
	// does not hold, which one: there the kernels do not run.
	Outside []string
	// As says in which type values of others are calculated here, in both programs; "" if there are none.
	As       string
	Overlaps bool // tiles run what others run, too
}

// A Trial is one run of the original program and of the kernels, on equal input. The original is that of which the
// kernels are made: where products are fused or sums regrouped it has them so, too.
type Trial struct {
	Params     []int64
	Sizes      string // n=4, T=2
	Version    int    // of the program: which of its Versions ran
	Report     *Report
	Difference scop.Difference
	// Rounding compares the program with that of the source, where products are fused or sums regrouped; else it is nil.
	Rounding  *scop.Rounding
	Regrouped bool // sums have other orders than in the source
}

// OK reports whether the kernels did what the program does, and nothing else, and that is what the source does but for rounding.
func (t *Trial) OK() bool {
	return t.Report.OK() && t.Difference.Differ == 0 && (t.Rounding == nil || t.Rounding.OK())
}

// OK reports whether all trials and all proofs are well, and show anything: see Empty.
func (v *Verification) OK() bool {
	for i := range v.Trials {
		if !v.Trials[i].OK() {
			return false
		}
	}
	for _, p := range v.Proofs {
		if !p.Holds {
			return false
		}
	}
	return v.Empty() == ""
}

// Empty says why the trials show nothing, "" if they do. That a size leaves nothing to do is
// well as long as there is another at which iterations run and elements are compared.
func (v *Verification) Empty() string {
	var instances, elements int64
	for _, t := range v.Trials {
		instances, elements = instances+t.Report.Expected, elements+int64(t.Difference.Elements)
	}
	switch {
	case len(v.Trials) == 0:
		return "the kernels run at none of the sizes"
	case instances == 0:
		return "no iteration runs at any of the sizes"
	case elements == 0:
		return "no element is compared at any of the sizes"
	}
	return ""
}

// Verify runs the original program and the kernels on the same random input, at
// several sizes. What it finds is in the Verification; the error is about the
// request, or a *diag.Diagnostic about the original program: that it fails by
// itself, whatever the size or at a size that the caller gave.
func Verify(r Request) (*Verification, error) {
	chosen, outside, err := r.trials()
	if err != nil {
		return nil, err
	}
	if len(chosen) > 0 && !r.OneVersion && r.Program != nil && len(r.Program.Versions()) > 1 { // sizes that need the second are too large to try: it suffices for all
		at := largest(chosen)
		c := chosen[at]
		c.version = 1
		chosen = slices.Insert(slices.Clone(chosen), at+1, c)
	}
	trials, errs := r.tryAll(chosen)
	v := &Verification{Proofs: r.Proofs, Outside: outside, Overlaps: r.overlaps()}
	v.As = r.calculatedAs()
	for i, t := range trials {
		switch {
		case t != nil:
			v.Trials = append(v.Trials, *t)
		case chosen[i].given || !dueToSize(errs[i]):
			return nil, errs[i]
		default:
			v.Skipped = append(v.Skipped, errs[i])
		}
	}
	if len(v.Trials) == 0 && len(v.Outside) == 0 {
		return nil, errors.Join(append(v.Skipped, errNoSizes)...)
	}
	return v, nil
}

// overlaps reports whether tiles run what others run, too.
func (r *Request) overlaps() bool {
	if r.CPU != nil {
		return r.CPU.Schedule.Overlaps()
	}
	return r.Program != nil && r.Program.Overlaps
}

// calculatedAs says in which types values of types that Go does not have are calculated, "" if there are none.
func (r *Request) calculatedAs() string {
	if r.Program != nil {
		return ""
	}
	var as []string
	p := r.scop()
	if p.Uses(scop.LongDouble) {
		as = append(as, "double where the program has long double")
	}
	if p.Uses(scop.ComplexFloat) || p.Uses(scop.ComplexDouble) {
		as = append(as, "pairs of floats where the program has complex numbers")
	}
	return strings.Join(as, ", and ")
}

var errNoSizes = errors.New("no parameter values of our choice suit the program: give some with --sizes")

// dueToSize reports whether err, of a trial, need not come at other sizes.
func dueToSize(err error) bool {
	var d *diag.Diagnostic
	return errors.As(err, &d) && d.Code != "HX121" // a division by zero
}

// tryAll runs a trial of each choice, up to r.Jobs at once; each gives a trial or an error.
func (r *Request) tryAll(chosen []choice) ([]*Trial, []error) {
	trials := make([]*Trial, len(chosen))
	errs := make([]error, len(chosen))
	var wait sync.WaitGroup
	var report sync.Mutex
	done := 0
	free := make(chan bool, max(1, r.Jobs))
	for i, c := range chosen {
		free <- true
		wait.Go(func() {
			trials[i], errs[i] = r.try(c, uint64(i))
			if r.Progress != nil {
				report.Lock()
				done++
				r.Progress(done, len(chosen))
				report.Unlock()
			}
			<-free
		})
	}
	wait.Wait()
	return trials, errs
}

// try runs one trial, number i.
func (r *Request) try(c choice, i uint64) (*Trial, error) {
	t := &Trial{Params: c.params, Version: c.version, Regrouped: r.scop().Unregrouped != nil}
	var err error
	watched := func(mem *scop.Memory) error { return tooBig(r.scop(), mem) }
	t.Difference, err = r.against(c.params, i, watched, func(mem *scop.Memory) error {
		if t.Sizes = mem.Sizes(); c.version > 0 {
			t.Sizes += ", in 64 bits"
		}
		t.Report, err = r.run(c, mem, Options{Seed: r.Seed + i, First: r.First, Profile: r.Profile && i == 0})
		return err
	})
	if err == nil && c.version == 0 && r.scop().Rounded() {
		t.Rounding, err = rounding(r.scop(), c.params, r.Seed+i, r.Functions)
	}
	if err != nil {
		return nil, err
	}
	return t, nil
}

// rounding compares what p leaves, whose products are fused or sums regrouped, with what the program of the source does, on equal input.
func rounding(p *scop.Program, params []int64, seed uint64, f scop.Functions) (*scop.Rounding, error) {
	before, err := scop.NewMemory(p, params, seed)
	if err != nil {
		return nil, err
	}
	rounded, written := before.Clone(), before.Clone()
	if err := errors.Join(scop.RunOriginal(p, rounded, f), scop.RunAsWritten(p, written, f)); err != nil {
		return nil, err
	}
	r := rounded.CompareRounded(written, before)
	return &r, nil
}

// scop returns the program that the request is about.
func (r *Request) scop() *scop.Program {
	switch {
	case r.CPU != nil:
		return r.CPU.Scop()
	case r.Program != nil:
		return r.Program.Scop
	}
	return r.Own.Scop
}

// run runs what is to be verified, in the version that is chosen.
func (r *Request) run(c choice, mem *scop.Memory, o Options) (*Report, error) {
	switch {
	case r.CPU != nil:
		return RunCPU(r.CPU, mem, o)
	case r.Own != nil:
		return RunOwn(r.Own, mem, o)
	}
	p := *r.Program
	if c.version > 0 {
		p.Kernels = p.Versions()[c.version].Kernels
	}
	return Run(&p, mem, o)
}

// Against runs the original program, and what device does on a memory, on equal
// input, number i, and compares what they leave. Arrays that are not copied to
// the device hold something else there.
func (r *Request) Against(params []int64, i uint64, device func(mem *scop.Memory) error) (d scop.Difference, err error) {
	return r.against(params, i, func(*scop.Memory) error { return nil }, device)
}

// against is Against, unless before refuses the memory: then nothing runs, which might take hours.
func (r *Request) against(params []int64, i uint64, before, device func(mem *scop.Memory) error) (d scop.Difference, err error) {
	p := r.scop()
	mem, err := scop.NewMemory(p, params, r.Seed+i)
	if err != nil {
		return d, err
	}
	if err := before(mem); err != nil {
		return d, err
	}
	want := mem.Clone()
	if err := scop.RunOriginal(p, want, r.Functions); err != nil {
		return d, err
	}
	var dead []*scop.Array
	for _, a := range p.Arrays {
		if r.Own != nil {
			if a.Scratch {
				dead = append(dead, a)
			}
			continue
		}
		if r.CPU != nil { // its arrays are those of the program, but for those of which tiles have buffers
			if r.CPU.Buffer(a) != nil || a.Scratch { // nor has the program those
				dead = append(dead, a)
			}
			continue
		}
		t := r.Program.Transfer(a)
		if !t.In { // the device has something else there
			mem.Scramble(a, r.Seed+i+1)
		}
		if !t.Out && !a.Const {
			dead = append(dead, a)
		}
	}
	if err := device(mem); err != nil {
		return d, err
	}
	return mem.Compare(want, dead...), nil
}

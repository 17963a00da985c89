package emulate

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// A Size gives parameters values by name. Parameters left out are free.
type Size map[string]int64

// A Request says what to verify. Only Program is needed.
type Request struct {
	Program *gpu.Program
	// Schedule is what Program came from; sizes are chosen to fit its tiles.
	Schedule *schedule.Schedule
	// Sizes are tried, each completed in several ways where it leaves parameters
	// free; none: all are free.
	Sizes  []Size
	Proofs []schedule.Proof // printed with the outcome
	Seed   uint64           // of the input and of the order of execution
	Jobs   int              // sizes run at once; 0: 1
	Points int64            // instances a size of our choice has at most; 0: a good number
	First  bool             // stop each trial soon after the first finding
}

// A Verification is the outcome: what ran, at each size, and what was wrong.
type Verification struct {
	Proofs []schedule.Proof
	Trials []Trial
}

// A Trial is one run of the original program and of the kernels, on equal input.
type Trial struct {
	Params     []int64
	Sizes      string // n=4, T=2
	Report     *Report
	Difference scop.Difference
}

// OK reports whether the kernels did what the program does, and nothing else.
func (t *Trial) OK() bool { return t.Report.OK() && t.Difference.Differ == 0 }

// OK reports whether all trials, of which there must be one, and all proofs are well.
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
	return len(v.Trials) > 0
}

// Verify runs the original program and the kernels on the same random input, at
// several sizes. What it finds is in the Verification; the error is about the
// request, or a *diag.Diagnostic about the original program: it fails by itself
// at a size that the caller gave, or at all sizes that were tried.
func Verify(r Request) (*Verification, error) {
	chosen, err := r.trials()
	if err != nil {
		return nil, err
	}
	trials := make([]*Trial, len(chosen))
	errs := make([]error, len(chosen))
	var wait sync.WaitGroup
	free := make(chan bool, max(1, r.Jobs))
	for i, c := range chosen {
		free <- true
		wait.Go(func() {
			trials[i], errs[i] = r.try(c.params, uint64(i))
			<-free
		})
	}
	wait.Wait()
	v := &Verification{Proofs: r.Proofs}
	for i, t := range trials {
		if t != nil {
			v.Trials = append(v.Trials, *t)
		} else if chosen[i].given {
			return nil, errs[i]
		}
	}
	if len(v.Trials) == 0 {
		return nil, errors.Join(errs...)
	}
	return v, nil
}

// try runs one trial, number i.
func (r *Request) try(params []int64, i uint64) (*Trial, error) {
	p := r.Program.Scop
	mem, err := scop.NewMemory(p, params, r.Seed+i)
	if err != nil {
		return nil, err
	}
	want := mem.Clone()
	if err := scop.Run(p, want); err != nil {
		return nil, err
	}
	report, err := Run(r.Program, mem, Options{Seed: r.Seed + i, First: r.First})
	if err != nil {
		return nil, err
	}
	return &Trial{params, mem.Sizes(), report, mem.Compare(want)}, nil
}

// String prints v: a line for each size, then the totals over all of them.
func (v *Verification) String() string {
	var b strings.Builder
	say := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	width := 0
	for _, t := range v.Trials {
		width = max(width, len(t.Sizes))
	}
	for i := range v.Trials {
		t := &v.Trials[i]
		say("  %-*s  %s", width, t.Sizes, t.verdict())
	}
	v.summary(say)
	if v.OK() {
		say("verified: bit for bit at %d sizes", len(v.Trials))
	} else {
		say("verification failed")
		v.findings(say)
	}
	return b.String()
}

// verdict is one line on a trial.
func (t *Trial) verdict() string {
	d, r := t.Difference, t.Report
	full, partial := r.tiles()
	did := fmt.Sprintf("%d instances in %d full and %d partial tiles, %d elements compared", r.Expected, full, partial, d.Elements)
	switch {
	case d.Differ > 0:
		return fmt.Sprintf("MISMATCH  %s is %s, should be %s; %d of %d elements differ", d.First, d.A, d.B, d.Differ, d.Elements)
	case !r.OK():
		return "WRONG     " + did
	}
	return "OK        " + did
}

// tiles returns the number of tiles that ran, by the branches that tell them apart.
func (r *Report) tiles() (full, partial int64) {
	for _, b := range r.Branches {
		if b.Note == "full tile" {
			full, partial = full+b.Then, partial+b.Else
		}
	}
	return full, partial
}

// summary prints the totals over all trials.
func (v *Verification) summary(say func(string, ...any)) {
	for _, p := range v.Proofs {
		switch {
		case p.Holds:
			say("%-24s proved for all sizes, %d tests", p.Name+":", p.Tests)
		case p.Undecided != "":
			say("%-24s not decided: %s", p.Name+":", p.Undecided)
		default:
			say("%-24s VIOLATED: %s", p.Name+":", p.Violation)
		}
	}
	var n Instances
	var d scop.Difference
	var counts [kindCount]int64
	for _, t := range v.Trials {
		n.Expected += t.Report.Expected
		n.Once += t.Report.Once
		d.Elements += t.Difference.Elements
		d.Largest = max(d.Largest, t.Difference.Largest)
		for k, c := range t.Report.Counts {
			counts[k] += c
		}
	}
	sum := func(kinds ...Kind) (total int64) {
		for _, k := range kinds {
			total += counts[k]
		}
		return total
	}
	if wrong := sum(Missing, Duplicate, NotInstance); wrong == 0 {
		say("%-24s %d, each run once", "instances:", n.Expected)
	} else {
		say("%-24s %d expected: %d never run, %d run again, %d runs outside of the domains", "instances:",
			n.Expected, counts[Missing], counts[Duplicate], counts[NotInstance])
	}
	say("%-24s %s", "data races:", count(sum(SharedRace, GlobalRace, BlockRace)))
	say("%-24s %s", "out of bounds:", count(sum(OutOfBounds)))
	say("%-24s %s", "uninitialised reads:", count(sum(Uninitialised)))
	if other := sum(Misplaced, Undefined, BadLaunch); other > 0 {
		say("%-24s %d", "other:", other)
	}
	say("%-24s %d", "elements compared:", d.Elements)
	say("%-24s %v", "largest difference:", d.Largest)
}

func count(n int64) string {
	if n == 0 {
		return "none"
	}
	return fmt.Sprint(n)
}

// findings prints what was wrong at the first size of each kind of finding.
func (v *Verification) findings(say func(string, ...any)) {
	var seen []Kind
	for _, t := range v.Trials {
		fresh := slices.Clone(seen)
		for _, f := range t.Report.Findings {
			if !slices.Contains(seen, f.Kind) {
				say("  at %s: %v", t.Sizes, f)
				fresh = append(fresh, f.Kind)
			}
		}
		seen = fresh
	}
}

package emulate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// This file prints the outcome of a verification.

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
	if len(v.Skipped) > 0 {
		say("  left out %s, where the program does not run: %v", sizes(len(v.Skipped)), v.Skipped[0])
	}
	for _, text := range v.Outside {
		say("  %s", text)
	}
	v.summary(say)
	if v.As != "" {
		say("both calculate with %s", v.As)
	}
	if _, rounded := v.rounding(); v.OK() && rounded {
		say("verified: bit for bit the program with %s at %s, and within the tolerance the source", v.Trials[0].changed(), sizes(v.Sizes()))
	} else if v.OK() {
		say("verified: bit for bit at %s", sizes(v.Sizes()))
	} else if why := v.Empty(); why != "" {
		say("verification failed: %s, so nothing was verified; try others with --sizes", why)
	} else {
		say("verification failed")
		v.findings(say)
	}
	return b.String()
}

// Sizes returns the number of sizes: some are tried with more than one version of the kernels.
func (v *Verification) Sizes() (n int) {
	for _, t := range v.Trials {
		if t.Version == 0 {
			n++
		}
	}
	return n
}

// changed says why what ran differs from the source by rounding.
func (t *Trial) changed() string {
	if t.Regrouped {
		return "regrouped sums"
	}
	return "fused products"
}

// verdict is one line on a trial.
func (t *Trial) verdict() string {
	d, r := t.Difference, t.Report
	full, partial := r.tiles()
	did := fmt.Sprintf("%d instances in %d full and %d partial tiles, %d elements compared", r.Expected, full, partial, d.Elements)
	apart := slices.ContainsFunc(r.Branches, func(b Branch) bool { return b.Role.Kind == gpu.FullTile })
	if full+partial == 0 && (t.Version > 0 || r.OnCPU || !apart && r.Expected > 0) { // nothing tells them apart
		did = fmt.Sprintf("%d instances, %d elements compared", r.Expected, d.Elements)
	}
	switch {
	case d.Differ > 0:
		return fmt.Sprintf("MISMATCH  %s is %s, should be %s; %d of %d elements differ", d.First, d.A, d.B, d.Differ, d.Elements)
	case !r.OK():
		return "WRONG     " + did
	case !t.OK():
		return fmt.Sprintf("ROUNDING  %s is %s with %s, in the source %s; %d of %d elements differ by more than the tolerance",
			t.Rounding.First, t.Rounding.A, t.changed(), t.Rounding.B, t.Rounding.Beyond, t.Rounding.Elements)
	}
	return "OK        " + did
}

// tiles returns the number of tiles that ran, by the branches that tell them apart.
func (r *Report) tiles() (full, partial int64) {
	for _, b := range r.Branches {
		if b.Role.Kind == gpu.FullTile {
			full, partial = full+b.Then, partial+b.Else
		}
	}
	return full, partial
}

// labels are what is proved, by the name of the proof, in the order to print.
var labels = []struct{ name, label string }{
	{"legality", "dependences respected:"},
	{"partition", "each instance in a tile:"},
	{"emission", "loops are the schedule:"},
	{"passes", "steps may run together:"},
	{"staging", "copies of partial tiles:"},
	{"full tiles", "values in full tiles:"},
	{"sums", "regrouped sums:"},
	{"waits", "waits keep the order:"},
	{"regions", "copies of tiles apart:"},
}

// proofs prints the proofs, those of labels first.
func (v *Verification) proofs(say func(string, ...any)) {
	rest := slices.Clone(v.Proofs)
	for _, l := range labels {
		if i := slices.IndexFunc(rest, func(p schedule.Proof) bool { return p.Name == l.name }); i >= 0 {
			if l.name == "staging" && !strings.Contains(rest[i].Claim, "partial") { // of tiles that run in waves
				l.label = "copies and stores:"
			}
			sayProof(say, l.label, rest[i])
			rest = slices.Delete(rest, i, i+1)
		}
	}
	for _, p := range rest {
		sayProof(say, p.Name+":", p)
	}
}

func sayProof(say func(string, ...any), label string, p schedule.Proof) {
	switch {
	case p.Holds:
		say("%-24s proved for all sizes, %s", label, p.Effort())
	case p.Undecided != "":
		say("%-24s not decided: %s", label, p.Undecided)
	default:
		say("%-24s VIOLATED: %s", label, p.Violation)
	}
}

// summary prints the totals over all trials.
func (v *Verification) summary(say func(string, ...any)) {
	v.proofs(say)
	var n Instances
	var d scop.Difference
	var counts [kindCount]int64
	for _, t := range v.Trials {
		n.Expected += t.Report.Expected
		n.Once += t.Report.Once
		n.Again += t.Report.Again
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
	wrong := sum(Missing, Duplicate, NotInstance)
	switch {
	case wrong == 0 && n.Again > 0 && v.Overlaps:
		say("%-24s %d, each run; %d runs more, by tiles that compute what others own, with equal results", "instances:", n.Expected, n.Again)
	case wrong == 0 && n.Again > 0:
		say("%-24s %d, each run; %d runs a second time, in vectors, which changes nothing", "instances:", n.Expected, n.Again)
	case wrong == 0:
		say("%-24s %d, each run once", "instances:", n.Expected)
	default:
		say("%-24s %d expected: %d never run, %d run again, %d runs outside of the domains", "instances:",
			n.Expected, counts[Missing], counts[Duplicate], counts[NotInstance])
	}
	say("%-24s %s", "data races:", count(sum(SharedRace, GlobalRace, BlockRace, TileRace, PointRace)))
	say("%-24s %s", "out of bounds:", count(sum(OutOfBounds)))
	say("%-24s %s", "uninitialised reads:", count(sum(Uninitialised)))
	if other := sum(Misplaced, Undefined, BadLaunch, Repeated); other > 0 {
		say("%-24s %d", "other:", other)
	}
	say("%-24s %d", "elements compared:", d.Elements)
	say("%-24s %v", "largest difference:", d.Largest)
	if all, rounded := v.rounding(); rounded {
		how := "fused, from the source:"
		if v.Trials[0].Regrouped {
			how = "from the source:"
		}
		say("%-24s %s; the tolerance is %d", how, &all, scop.Tolerance)
	}
}

// rounding returns how far the program lies from that of the source at all sizes; rounded is false where it is that.
func (v *Verification) rounding() (all scop.Rounding, rounded bool) {
	for _, t := range v.Trials {
		if t.Rounding != nil {
			all.Add(*t.Rounding)
			rounded = true
		}
	}
	return all, rounded
}

func sizes(n int) string {
	if n == 1 {
		return "1 size"
	}
	return fmt.Sprintf("%d sizes", n)
}

func count(n int64) string {
	if n == 0 {
		return "none"
	}
	return fmt.Sprint(n)
}

// findings prints what was wrong at the first size of each kind of finding.
func (v *Verification) findings(say func(string, ...any)) {
	if all, _ := v.rounding(); !all.OK() {
		say("  the program makes roundings larger: results depend on how it is rounded. Leave out --fma or --reassociate, or try fewer time steps with --sizes")
	}
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

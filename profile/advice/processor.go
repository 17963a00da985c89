package advice

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/model"
	"github.com/hexcc/hexcc/profile"
	"github.com/hexcc/hexcc/schedule"
)

// This file is about loops of a CPU: what bounds them by what perf measured of the program, or by the model, and what to try.

// A Processor is what bounds the loops of a file, and what to try. Its JSON form is documented in docs/profile.md.
type Processor struct {
	Version  int                `json:"version"`
	File     string             `json:"file"`
	Target   string             `json:"target"`
	Profile  string             `json:"profile"` // the file of what was measured; "": nothing was
	Threads  int64              `json:"threads"`
	Counts   map[string]float64 `json:"counts"`  // by event
	Lacks    []string           `json:"lacks"`   // events that the machine could not count
	Figures  []string           `json:"figures"` // what the counts say by themselves
	Measured []profile.Finding  `json:"measured"`
	Loops    []Loops            `json:"loops"`
}

// Loops are those of a region.
type Loops struct {
	Function string            `json:"function"`
	Line     int               `json:"line"`
	Strategy string            `json:"strategy"`
	Sizes    string            `json:"sizes"`
	Grid     []model.Value     `json:"grid"`
	PerPoint float64           `json:"perPoint"` // what a point takes, as a share of what it takes in plain loops; 0: not weighed
	Shares   []Share           `json:"shares"`   // what that goes into, the most first
	Findings []profile.Finding `json:"findings"` // by the model
	Trials   []Trial           `json:"trials"`
}

// A Share is what a part of the time of a point goes into, by the model.
type Share struct {
	Class profile.Class `json:"class"`
	Part  float64       `json:"part"` // of the whole
}

// OfProcessor answers a request about a CPU, for so many threads. The error, a diagnostic, says that the profile is of no use.
func OfProcessor(q Request, threads int64) (*Processor, error) {
	out := &Processor{Version: Version, File: q.Source.Name, Target: string(q.Options.Target), Profile: q.Profile, Threads: threads}
	if q.Profile != "" {
		run, err := profile.ParsePerf(q.Profile, q.Text)
		if err != nil {
			return nil, err
		}
		out.Counts, out.Lacks, out.Figures, out.Measured = run.Counts, run.Lacks, run.Figures(), run.Classify(threads)
	}
	for _, r := range q.Result.Regions {
		x, err := q.loops(r, out.Measured)
		if err != nil {
			return nil, err
		}
		out.Loops = append(out.Loops, *x)
	}
	return out, nil
}

// shareFrom is from which share of the time on something is found, by the model.
const shareFrom = 0.25

// loops says what bounds those of r, and what to try against what was measured, or, where that says nothing, against that.
func (q *Request) loops(r *hexcc.Region, measured []profile.Finding) (*Loops, error) {
	x := &Loops{Function: r.Scop.Function, Line: r.Scop.UserLine(), Strategy: string(r.Strategy), Sizes: r.Sizes.String()}
	if k := r.Ranking; k != nil {
		x.Grid = k.Grid.Values
		best := k.Best[0]
		if k.Plain > 0 {
			x.PerPoint = best.PerPoint / k.Plain
		}
		x.Shares = sharesOf(best)
	}
	for _, s := range x.Shares {
		if s.Part >= shareFrom {
			x.Findings = append(x.Findings, profile.Finding{Class: s.Class, Value: s.Part, From: shareFrom, Text: fmt.Sprintf("%s: %.0f %% of the time of a point, by the model", s.Class, 100*s.Part)})
		}
	}
	against := measured
	if len(against) == 0 {
		against = x.Findings
	}
	res, base, err := alone(q.Source, q.Options, r, len(q.Result.Regions) > 1)
	if err != nil {
		return nil, err
	}
	list := suggestedLoops(base, q.Options, against)
	for _, s := range list[:min(len(list), mostTrials)] {
		if t, changes := q.tryLoops(s, base, res.C.Whole, len(q.Result.Regions) > 1); changes {
			x.Trials = append(x.Trials, t)
		}
	}
	return x, nil
}

// sharesOf returns what a point takes its time with, the most first. Tiles that wait for each other may hide some of the rest: then waiting is nothing.
func sharesOf(b model.Ranked) (all []Share) {
	parts := []Share{
		{profile.CPUArithmetic, b.Shares.Work}, {profile.CPURows, b.Shares.Rows}, {profile.CPUMemory, b.Shares.Bytes}, {profile.CPUIdle, max(0, b.Shares.Wait)},
	}
	sum := 0.0
	for _, p := range parts {
		sum += p.Part
	}
	if sum <= 0 || math.IsInf(sum, 0) {
		return nil
	}
	for i := range parts {
		parts[i].Part /= sum
	}
	slices.SortStableFunc(parts, func(a, b Share) int { return cmp.Compare(b.Part, a.Part) })
	return parts
}

// suggestedLoops returns what may help r against findings, whether or not it can have it.
func suggestedLoops(r *hexcc.Region, o hexcc.Options, findings []profile.Finding) []suggestion {
	s := &subject{Region: r, options: o}
	if len(r.Sizes.W) == 0 { // loops as they are have none
		return nil
	}
	widest := len(r.Sizes.W) - 1
	for _, f := range findings {
		switch f.Class {
		case profile.CPUMemory:
			if r.Sizes.H >= 0 {
				s.add("taller tiles compute more steps of what they load once", s.sized(taller)...)
			}
			for _, other := range []hexcc.Strategy{hexcc.Hybrid, hexcc.Overlapped, hexcc.Wavefront} {
				if r.Strategy != other && r.Sizes.H < 0 {
					s.add("tiles of space and time compute several steps of what they load once", Setting{"strategy", string(other)})
				}
			}
			s.add("narrower tiles stay in a nearer cache", s.sized(func(x *schedule.Sizes) { x.W[0] = max(1, x.W[0]/2) })...)
		case profile.CPUCaches:
			s.add("narrower tiles stay in a nearer cache", s.sized(func(x *schedule.Sizes) { x.W[0] = max(1, x.W[0]/2) })...)
			s.add("shorter rows stay in a nearer cache", s.sized(func(x *schedule.Sizes) { x.W[widest] = max(1, x.W[widest]/2) })...)
		case profile.CPUArithmetic:
			if r.Strategy == hexcc.Overlapped {
				s.add("tiles that do not overlap compute nothing twice", Setting{"strategy", string(hexcc.Hybrid)})
			}
			s.add("sums with parts in common are computed once; results differ by rounding", Setting{"reassociate", hexcc.AnyLoop})
			s.add("a product and a sum are one operation; results differ by rounding", Setting{"fma", ""})
		case profile.CPURows:
			s.add("longer rows begin less often", s.sized(func(x *schedule.Sizes) { x.W[widest] *= 2 })...)
			s.add("wider tiles have fewer rows that are cut", s.sized(func(x *schedule.Sizes) { x.W[0] *= 2 })...)
		case profile.CPUIdle:
			s.add("tiles start when those that they need have ended, not all of a phase", Setting{"launch", string(hexcc.Ready)})
			s.add("narrower tiles are more for the threads to share", s.sized(func(x *schedule.Sizes) { x.W[0] = max(1, x.W[0]/2) })...)
			if r.Sizes.H > 1 {
				s.add("shorter tiles have narrower waists, and are more", s.sized(func(x *schedule.Sizes) { x.H = (x.H - 1) / 2 })...)
			}
		}
	}
	return s.list
}

// tryLoops tries a suggestion; changes: it makes other loops than before.
func (q *Request) tryLoops(x suggestion, before *hexcc.Region, loops string, several bool) (t Trial, changes bool) {
	t = Trial{Settings: x.settings, Flags: flags(x.settings), Pragma: pragma(x.settings), Why: x.why}
	o := q.Options
	var err error
	if t.Without, err = apply(&o, x.settings); err != nil {
		t.Refused = err.Error()
		return t, true
	}
	res, made, err := alone(q.Source, o, before, several)
	if err != nil {
		t.Refused = refusal(err)
		return t, true
	}
	t.Accepted, t.Made = true, "the model sees no difference"
	if a, b := before.Ranking, made.Ranking; a != nil && b != nil && a.Best[0].PerPoint > 0 && b.Best[0].PerPoint > 0 {
		if ratio := b.Best[0].PerPoint / a.Best[0].PerPoint; math.Abs(ratio-1) > 0.005 {
			t.Made = fmt.Sprintf("a point takes %.2f times as long, by the model", ratio)
		}
	} else {
		t.Made = "the model does not weigh it"
	}
	return t, res.C.Whole != loops
}

// Text returns p in words.
func (p *Processor) Text() string {
	w := &writer{}
	if p.Profile != "" {
		w.line("Of %s, the whole program", p.Profile)
		w.findings(p.Measured)
		w.item("figures", strings.Join(p.Figures, ", "))
		w.item("lacks", strings.Join(p.Lacks, ", "))
		if len(p.Measured) == 0 {
			w.item("note", "these counters do not tell what bounds it: what follows is by the model")
		}
		w.line("")
	}
	for i, x := range p.Loops {
		if i > 0 {
			w.line("")
		}
		w.line("%s: function %s, line %d", p.File, x.Function, x.Line)
		w.item("tiles", "--target="+p.Target+" --strategy="+x.Strategy+" --tile="+x.Sizes)
		w.item("sizes", sizesText(x.Grid))
		w.findings(x.Findings)
		var parts []string
		for _, s := range x.Shares {
			parts = append(parts, fmt.Sprintf("%s %.0f %%", s.Class, 100*s.Part))
		}
		w.item("time", strings.Join(parts, ", ")+", by the model")
		if x.PerPoint > 0 {
			w.item("", fmt.Sprintf("a point takes %.2f of what it takes in plain loops, by the model", x.PerPoint))
		}
		(&Region{Trials: x.Trials}).trials(w)
	}
	return w.String()
}

// findings writes what bounds something, and what else was found.
func (w *writer) findings(all []profile.Finding) {
	for i, f := range all {
		name := "also"
		if i == 0 {
			name = "bound by"
		}
		w.item(name, f.Text)
	}
}

// JSON returns p in the form that docs/profile.md describes. Lists and maps are never null.
func (p *Processor) JSON() []byte {
	full := *p
	full.Lacks, full.Figures, full.Measured, full.Counts = filled(p.Lacks), filled(p.Figures), filled(p.Measured), filledMap(p.Counts)
	full.Loops = slices.Clone(p.Loops)
	for i := range full.Loops {
		x := &full.Loops[i]
		x.Grid, x.Shares, x.Findings, x.Trials = filled(x.Grid), filled(x.Shares), filled(x.Findings), filled(slices.Clone(x.Trials))
		for j := range x.Trials {
			x.Trials[j].Without = filled(x.Trials[j].Without)
		}
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(&full); err != nil {
		panic(fmt.Sprintf("advice: JSON of %s: %v", p.File, err)) // plain data always encodes
	}
	return out.Bytes()
}

package hexcc

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/gpu/lower"
	"github.com/hexcc/hexcc/model"
	"github.com/hexcc/hexcc/schedule"
)

// This file lists the ways to run a region that the model knows, for those who want to measure more of them than the one that it chooses.

// A Way is one way to run a region: what flags and clauses of #pragma hexcc can ask for.
type Way struct {
	Strategy Strategy
	Sizes    schedule.Sizes
	Launch   Launch // of Hybrid; "": not said
	Fuse     string // launches of Overlapped; "": one
	Kernel   Kernel // "": not said
	Memory   string // use of shared memory; "": not said
	Unroll   int    // 0: not said

	PerPoint float64 // by the model: seconds, or on CPUs a weight; 0: not known
	Bound    string  // what that goes into for the most part; "": not known
}

// order is less for what the model expects more of; of which it knows nothing, that is last.
func (w Way) order() float64 {
	if w.PerPoint == 0 {
		return math.Inf(1)
	}
	return w.PerPoint
}

// wishes returns what w asks for: names of flags, which are those of clauses, and values.
func (w Way) wishes() (all [][2]string) {
	add := func(name, value string) {
		if value != "" {
			all = append(all, [2]string{name, value})
		}
	}
	add("strategy", string(w.Strategy))
	if w.Sizes.W != nil {
		add("tile", w.Sizes.String())
	}
	add("fuse", w.Fuse)
	add("launch", string(w.Launch))
	add("kernel", string(w.Kernel))
	add("memory", w.Memory)
	if w.Unroll > 0 {
		add("unroll", fmt.Sprint(w.Unroll))
	}
	return all
}

// Flags returns the flags that ask for w.
func (w Way) Flags() string {
	var words []string
	for _, x := range w.wishes() {
		words = append(words, "--"+x[0]+"="+x[1])
	}
	return strings.Join(words, " ")
}

// Pragma returns the line before #pragma scop that asks for w.
func (w Way) Pragma() string {
	text := "#pragma hexcc"
	for _, x := range w.wishes() {
		text += " " + x[0] + "(" + x[1] + ")"
	}
	return text
}

// Ways are the ways to run a region, the best by the model first.
type Ways struct {
	*Region        // as the model chooses by itself
	Source  Source // it is of
	Ways    []Way
	First   Way // the model's choice
	// Refused says of strategies why they do not apply.
	Refused []Refusal
	Plain   float64 // what the loops take as they are written, in the unit of PerPoint; 0: not known
	Seconds bool    // PerPoint is seconds, else a weight
	Grid    model.Grid
	units   map[Strategy]*unit
}

// A Refusal is why a strategy does not apply.
type Refusal struct {
	Strategy Strategy
	Why      string
}

// Candidates returns the ways to run the one region of src. Of o it overrides what a Way says.
func Candidates(src Source, o Options) (*Ways, error) {
	o.Stop, o.Tile, o.Dump = "tile", nil, nil
	chosen := newFile(src, o)
	if err := chosen.compile(); err != nil {
		return nil, err
	}
	if len(chosen.units) != 1 {
		return nil, fmt.Errorf("the file has %d regions, and one is to be chosen", len(chosen.units))
	}
	w := &Ways{Region: chosen.Region, Source: src, Seconds: o.Target.isGPU(), units: map[Strategy]*unit{}}
	var err error
	if w.Grid, err = model.NewGrid(chosen.Space, o.Grid); err != nil {
		return nil, err
	}
	for _, s := range Strategies()[1:] {
		if s == Untiled && o.Target.isCPU() {
			continue // that is the program as it is
		}
		o.Strategy = s
		f := newFile(src, o)
		if err := f.compile(); err != nil {
			w.refuse(s, err)
			continue
		}
		u := f.units[0]
		if u.Strategy != s {
			w.refuse(s, fmt.Errorf("the region is tiled by --strategy=%s in its place", u.Strategy))
			continue
		}
		ways, err := u.ways()
		if err != nil {
			w.refuse(s, err)
			continue
		}
		w.units[s] = u
		w.Ways = append(w.Ways, ways...)
	}
	slices.SortStableFunc(w.Ways, func(x, y Way) int { return cmp.Compare(x.order(), y.order()) })
	w.First = chosen.units[0].way()
	if i := slices.IndexFunc(w.Ways, func(x Way) bool { return x.Flags() == w.First.Flags() }); i >= 0 {
		w.First = w.Ways[i]
	}
	w.Plain, err = chosen.units[0].plain()
	return w, err
}

// refuse notes why a strategy does not apply.
func (w *Ways) refuse(s Strategy, err error) {
	var list diag.List
	text := err.Error()
	if errors.As(err, &list) && len(list) > 0 {
		text = list[0].Msg
		if list[0].Code != "" {
			text += fmt.Sprintf(" [%s]", list[0].Code)
		}
	}
	w.Refused = append(w.Refused, Refusal{s, text})
}

// way returns how u is to run, as far as the pass "tile" has decided.
func (u *unit) way() Way {
	w := Way{Strategy: u.Strategy, Sizes: u.Sizes}
	w.Sizes.Start = nil
	switch {
	case u.Streams != nil:
		w.Sizes, w.Kernel = schedule.Sizes{}, Streaming
	case u.Strategy == Hybrid && u.opts.Target.isCPU():
		if w.Launch = Phases; len(u.weighed) > 0 && u.weighed[0].Weight.Ready {
			w.Launch = Ready
		}
	case u.Strategy == Hybrid:
		if w.Launch, w.Kernel = Phases, Tiles; u.chosenReady() {
			w.Launch = Ready
		}
	}
	if u.Strategy == Overlapped && u.Groups != nil {
		w.Fuse = u.Groups.Text(u.Scop)
	}
	return w
}

// plain returns what the model expects of the loops as they are written, 0 if it knows nothing of them.
func (u *unit) plain() (float64, error) {
	if u.opts.Target.isGPU() {
		e, err := model.ChooseUntiled(u.Space, u.device(), u.opts.Grid, u.asked())
		return e.PerPoint, err
	}
	if u.Space.Ordered || u.Space.Sweeps != nil {
		return 0, nil
	}
	return u.cpu().Plain(u.Space, u.opts.Grid)
}

// ways returns the ways to run u by its strategy, the best first.
func (u *unit) ways() (all []Way, err error) {
	if u.opts.Target.isGPU() {
		return u.waysOfGPU(), nil
	}
	if u.Strategy == Hybrid {
		return u.waysOfHexagons()
	}
	ranked, err := u.ranked(false)
	for _, r := range ranked {
		all = append(all, u.wayOf(r))
	}
	return all, err
}

func (u *unit) wayOf(r model.Ranked) Way {
	w := Way{Strategy: u.Strategy, Sizes: r.Sizes, PerPoint: r.PerPoint, Bound: r.Bound}
	if r.Groups != nil {
		w.Fuse = r.Groups.Text(u.Scop)
	}
	return w
}

// waysOfHexagons returns hexagons for a CPU, with each launch that the target has.
func (u *unit) waysOfHexagons() (all []Way, err error) {
	cpu := u.cpu()
	cone := cpu.Aligned(u.Space, u.Cone)
	for _, launch := range []Launch{Phases, Ready} {
		if launch == Ready && u.opts.Target != OpenMP {
			continue
		}
		best, err := cpu.RankedHexagons(u.Space, cone, u.opts.Grid, launch == Ready)
		if err != nil {
			return nil, err
		}
		for _, r := range best {
			if launch == Ready && !u.canWait(cone, r.Sizes) {
				continue
			}
			w := u.wayOf(r)
			w.Launch = launch
			all = append(all, w)
		}
	}
	if chosen := u.way(); !slices.ContainsFunc(all, func(w Way) bool { return w.Flags() == chosen.Flags() }) { // of equals the smallest, say
		r, err := cpu.Hybrid(u.Space, cone, u.opts.Grid, chosen.Sizes, chosen.Launch == Ready)
		if err != nil {
			return nil, err
		}
		chosen.PerPoint, chosen.Bound = r.PerPoint, r.Bound
		all = append(all, chosen)
	}
	return all, nil
}

// waysOfGPU returns what the model has ranked: hexagons with the launch that it has chosen, or the one estimate of other strategies.
func (u *unit) waysOfGPU() (all []Way) {
	if u.Choice == nil {
		w := u.way()
		if u.Outlook != nil {
			if e := u.Outlook.Of(string(u.Strategy)); e != nil {
				w.PerPoint = e.PerPoint
			}
		}
		return []Way{w}
	}
	for _, c := range u.Choice.Best {
		w := u.way()
		w.Sizes, w.PerPoint, w.Bound = c.Sizes, c.Cost.PerPoint, c.Cost.Bound()
		w.Sizes.Start = nil
		all = append(all, w)
	}
	return all
}

// Near returns ways with sizes next to those of w, as far as they are legal: one size larger or smaller, heights by a step that is legal, widths by a factor of 2.
func (w *Ways) Near(of Way) (all []Way) {
	u := w.units[of.Strategy]
	if u == nil || of.Sizes.W == nil || of.Kernel == Streaming {
		return nil
	}
	add := func(change func(*schedule.Sizes)) {
		x := of
		x.Sizes.W = slices.Clone(of.Sizes.W)
		if change(&x.Sizes); u.legal(x.Sizes) != nil || x.Flags() == of.Flags() {
			return
		}
		x.PerPoint, x.Bound = 0, ""
		if r, err := u.weigh(x); err == nil {
			x.PerPoint, x.Bound = r.PerPoint, r.Bound
		}
		all = append(all, x)
	}
	if k := int64(u.Space.K); u.Strategy == Hybrid || u.Strategy == Wavefront {
		add(func(s *schedule.Sizes) { s.H += k })
		add(func(s *schedule.Sizes) { s.H -= k })
	}
	for d := range of.Sizes.W {
		if of.Sizes.W[d] <= w.Grid.Space[d].Hi { // wider tiles than the grid are as wide as it
			add(func(s *schedule.Sizes) { s.W[d] *= 2 })
		}
		add(func(s *schedule.Sizes) { s.W[d] /= 2 })
	}
	return all
}

// legal returns an error unless tiles of u may have such sizes.
func (u *unit) legal(sizes schedule.Sizes) error {
	switch u.Strategy {
	case Hybrid:
		return schedule.CheckSizes(u.Space, u.Cone, sizes)
	case Wavefront:
		return schedule.CheckWavefront(u.Space, u.Cone, sizes)
	}
	return schedule.CheckWidths(u.Space, sizes)
}

// weigh returns what the model expects of a way on a CPU.
func (u *unit) weigh(w Way) (model.Ranked, error) {
	if u.opts.Target.isGPU() {
		return model.Ranked{}, errors.New("of a GPU, sizes are counted as they are chosen")
	}
	cpu := u.cpu()
	switch u.Strategy {
	case Hybrid:
		return cpu.Hybrid(u.Space, cpu.Aligned(u.Space, u.Cone), u.opts.Grid, w.Sizes, w.Launch == Ready)
	case Wavefront:
		return cpu.Parallelogram(u.Space, u.Cone, u.opts.Grid, w.Sizes)
	case Overlapped:
		return cpu.Overlapped(u.Space, u.Deps, u.Groups, u.opts.Grid, w.Sizes)
	}
	return cpu.Boxed(u.Space, u.opts.Grid, w.Sizes)
}

// Steps returns how many iterations of the time loop a tile of w spans; 0: it spans none whole, or that is not known.
func (w *Ways) Steps(of Way) int64 {
	u := w.units[of.Strategy]
	switch {
	case u == nil || of.Sizes.W == nil:
		return 0
	case of.Strategy == Hybrid || of.Strategy == Wavefront:
		return (2*of.Sizes.H + 2) / int64(u.Space.K)
	case of.Strategy == Overlapped && !u.Scop.Timeless:
		return of.Sizes.H
	}
	return 0
}

// With returns o with what w asks for.
func (w Way) With(o Options) (Options, error) {
	o.Strategy, o.Fuse, o.Launch, o.Unroll = w.Strategy, w.Fuse, w.Launch, w.Unroll
	if w.Kernel != "" {
		o.Kernel = w.Kernel
	}
	var err error
	if w.Memory != "" {
		if o.Memory, err = lower.LookupStrategy(w.Memory); err != nil {
			return o, err
		}
	}
	if w.Sizes.W != nil {
		o.Tile, err = w.Strategy.ParseTile(w.Sizes.String())
	}
	return o, err
}

package model

import (
	"fmt"
	"strings"

	"github.com/hexcc/hexcc/machine"
	"github.com/hexcc/hexcc/schedule"
)

// This file compares ways to run a program: tiles of space and time, boxes of space,
// and the loops as they are written.

// An Outlook is what the model expects of each way, for one grid and one machine.
type Outlook struct {
	Grid Grid
	// Seconds: figures are seconds, else weights of a CPU, which compare with each other only.
	Seconds bool
	// Steps is how many time steps a tile of Hybrid has, and Least how many any has at least.
	Steps, Least           int64
	Hybrid, Space, Untiled *Expected // nil: not possible, or not asked for
	Overlapped             *Expected // of boxes that overlap, all nests of an iteration in one launch; nil likewise
	Streams                *Expected // of hexagons whose rows stream through registers; nil likewise
	Wavefront              *Expected // of parallelograms, in place of hexagons; nil likewise, and on GPUs

	dims   int // of space
	device machine.Device
}

// Expected is what the model expects of one way.
type Expected struct {
	Sizes    schedule.Sizes // the zero value where nothing is tiled
	PerPoint float64        // seconds, or a weight
	// Tiles are those that may run at once: the blocks of a launch, on a CPU the tiles between two barriers. 0: not known.
	Tiles  int64
	Ready  bool            // tiles start when those that they need have ended
	Idle   float64         // for that share of the time a place for a block, on a GPU, has none; of hexagons alone
	Groups schedule.Groups // launches of an iteration, on a CPU phases, where tiles overlap; nil: it is one
	Other  *Expected       // of boxes that overlap: Estimate.Other
}

func (e Estimate) expected() *Expected {
	return &Expected{Sizes: e.Sizes, PerPoint: e.PerPoint, Tiles: e.Blocks}
}

func (c *Choice) expected() *Expected {
	best := c.Best[0]
	e := &Expected{Sizes: best.Sizes, PerPoint: best.Cost.PerPoint, Tiles: best.Cost.Blocks, Ready: c.Ready, Idle: best.Cost.Idle}
	if c.Ready {
		e.Tiles = int64(best.Cost.AtOnce)
	}
	return e
}

// NewOutlook returns the outlook on d. choice is what was found for tiles of space and
// time, nil if those are not wanted; boxes are the widths of those of space alone,
// the zero value if they are to be chosen. The error, a diag.List, says what is
// wrong with the typical sizes.
func NewOutlook(c *schedule.Canonical, d machine.Device, typical Typical, choice *Choice, boxes schedule.Sizes, asked Asked) (*Outlook, error) {
	untiled, err := ChooseUntiled(c, d, typical, asked)
	if err != nil {
		return nil, err
	}
	o := &Outlook{Seconds: true, Untiled: untiled.expected(), dims: len(c.Space), device: d}
	if o.Grid, err = NewGrid(c, typical); err != nil {
		return nil, err
	}
	if choice != nil {
		o.Hybrid = choice.expected()
		o.steps(c, o.Hybrid.Sizes)
	}
	var space Estimate
	if boxes.W == nil {
		space, err = ChooseSpace(c, d, typical, asked)
	} else {
		space, err = AssessSpace(c, d, typical, boxes, asked)
	}
	if err == nil { // else no box fits
		o.Space = space.expected()
	}
	return o, nil
}

// With returns o with what c has for tiles of space and time.
func (o *Outlook) With(c *Choice) *Outlook {
	out := *o
	out.Hybrid = c.expected()
	return &out
}

// WithStreams returns o with what c has for hexagons whose rows stream.
func (o *Outlook) WithStreams(c *StreamChoice) *Outlook {
	out := *o
	if out.Streams = c.expected(); out.Streams.PerPoint == 0 {
		out.Streams = nil
	}
	return &out
}

// WithOverlapped returns o with what e has for boxes that overlap.
func (o *Outlook) WithOverlapped(e Estimate) *Outlook {
	out := *o
	out.Overlapped = e.expected()
	out.Overlapped.Groups, out.Overlapped.Other = e.Groups, e.Other
	return &out
}

// WithoutOverlapped returns o without boxes that overlap, where they are not to be had.
func (o *Outlook) WithoutOverlapped() *Outlook {
	out := *o
	out.Overlapped = nil
	return &out
}

// WithParallelograms returns o, of a CPU, with parallelograms.
func (o *Outlook) WithParallelograms(w Weighed) *Outlook {
	out := *o
	out.Wavefront = &Expected{Sizes: w.Sizes, PerPoint: w.Weight.PerPoint, Tiles: w.Weight.Tiles, Ready: true}
	return &out
}

// WithBuffered is WithOverlapped on a CPU.
func (o *Outlook) WithBuffered(b Buffered) *Outlook {
	out := *o
	out.Overlapped = &Expected{Sizes: b.Sizes, PerPoint: b.PerPoint, Tiles: b.Tiles, Groups: b.Groups}
	return &out
}

// Outlook is NewOutlook on a CPU, whose tiles of space and time have the given weight, if it is not nil.
func (cpu Caches) Outlook(c *schedule.Canonical, typical Typical, hybrid *Weight, sizes, boxes schedule.Sizes) (*Outlook, error) {
	grid, err := NewGrid(c, typical)
	if err != nil {
		return nil, err
	}
	o := &Outlook{Grid: grid, dims: len(c.Space)}
	if hybrid != nil {
		o.steps(c, sizes)
		o.Hybrid = &Expected{Sizes: sizes, PerPoint: hybrid.PerPoint, Tiles: hybrid.Tiles, Ready: hybrid.Ready}
	}
	sweep := cpu.sweep(c, grid)
	untiled := sweep.untiled()
	o.Untiled = &Expected{PerPoint: untiled.PerPoint, Tiles: untiled.Tiles}
	var space Weight
	if boxes.W == nil {
		boxes, space = sweep.boxes()
	} else {
		space = sweep.boxed(boxes.W)
	}
	o.Space = &Expected{Sizes: boxes, PerPoint: space.PerPoint, Tiles: space.Tiles}
	return o, nil
}

func (o *Outlook) steps(c *schedule.Canonical, sizes schedule.Sizes) {
	k := int64(c.K)
	o.Steps, o.Least = (2*sizes.H+2)/k, (2*schedule.LegalH(c.K)[0]+2)/k
}

// Verify returns a broken invariant, or nil.
func (o *Outlook) Verify() error {
	for _, e := range []*Expected{o.Hybrid, o.Streams, o.Wavefront, o.Overlapped, o.Space, o.Untiled} {
		if e != nil && o.Grid.Points > 0 && !positive(e.PerPoint) {
			return fmt.Errorf("model: a point takes %v in tiles of %v", e.PerPoint, e.Sizes)
		}
	}
	return nil
}

// Covers reports whether one tile of space and time holds the whole grid, so that
// no two run at the same time.
func (o *Outlook) Covers() bool { return o.Hybrid != nil && o.Hybrid.Tiles <= 1 && o.Grid.Points > 0 }

// overlapMargin is how many times better boxes that overlap have to be than hexagons to be taken in their place on a CPU: hexagons compute nothing twice.
const overlapMargin = 1.25

// Other returns the way without hexagons of which the model expects the most: boxes of space, boxes that overlap, parallelograms, or
// plain loops where hexcc writes them, which is on GPUs. It is nil where there is none.
func (o *Outlook) Other() *Expected {
	best := o.Space
	for _, e := range []*Expected{o.Untiled, o.Overlapped} {
		if e == o.Overlapped && e != nil && o.Hybrid != nil && !o.Seconds && e.PerPoint*overlapMargin > o.Hybrid.PerPoint {
			continue
		}
		if (o.Seconds || e == o.Overlapped) && e != nil && (best == nil || o.Likely(e) < o.Likely(best)) {
			best = e
		}
	}
	if w := o.Wavefront; w != nil && !o.Covers() && (best == nil || o.Likely(w) < o.Likely(best)) {
		best = w
	}
	return best
}

// Loses reports whether the model expects more of a way without hexagons than of e.
func (o *Outlook) Loses(e *Expected) bool {
	other := o.Other()
	return e != nil && other != nil && loses(o.Likely(e), o.Likely(other))
}

// Better returns the way to take in place of tiles of space and time, or of boxes of space where there are no such tiles, and why; nil
// if there is none. The model finds it faster, or a tile of space and time holds the whole grid, and no more time steps than any must.
func (o *Outlook) Better() (*Expected, string) {
	other := o.Other()
	switch {
	case other == nil || o.Grid.Points == 0:
	case o.Hybrid == nil:
		if o.Space != nil && loses(o.Likely(o.Space), o.Likely(other)) {
			return other, "the model finds it faster than boxes of space"
		}
	case o.Covers() && o.Steps == o.Least:
		return other, fmt.Sprintf("the dependences reach so far that one tile of %d time steps covers the grid of %s points", o.Steps, o.Grid.extents())
	case loses(o.Likely(o.Hybrid), o.Likely(other)) && other == o.Wavefront:
		return other, "the model finds them faster than hexagons"
	case loses(o.Likely(o.Hybrid), o.Likely(other)):
		return other, "the model finds it faster than tiles of space and time"
	}
	return nil, ""
}

// Of returns what is expected of a way by the name that --strategy has for it, nil if nothing is.
func (o *Outlook) Of(way string) *Expected {
	return map[string]*Expected{"hybrid": o.Hybrid, "streaming": o.Streams, "wavefront": o.Wavefront, "overlapped": o.Overlapped, "space": o.Space, "untiled": o.Untiled}[way]
}

// Doubts returns what speaks against running e, one of o, in words; nothing does if there are none.
func (o *Outlook) Doubts(e *Expected) (doubts []string) {
	if e == nil || o.Grid.Points == 0 {
		return nil
	}
	if e == o.Hybrid && o.Covers() {
		doubts = append(doubts, fmt.Sprintf("one tile covers the grid of %s points: no two tiles run at the same time", o.Grid.extents()))
	}
	if e == o.Hybrid && o.Space != nil && loses(o.Likely(e), o.Likely(o.Space)) {
		doubts = append(doubts, "boxes of space are expected to be faster than what is written")
	}
	if e != o.Overlapped && o.Overlapped != nil && o.Likely(e) > overlapMargin*o.Likely(o.Overlapped) {
		doubts = append(doubts, "boxes that overlap are expected to be faster than what is written")
	}
	if e != o.Untiled && loses(o.Likely(e), o.Likely(o.Untiled)) {
		doubts = append(doubts, "plain loops are expected to be faster than what is written")
	}
	return doubts
}

// loses reports whether a is more than b by more than what sizes about as good differ by.
func loses(a, b float64) bool { return a*slack > b*(slack+1) }

// Figures says in a sentence what a point takes.
func (o *Outlook) Figures() string {
	if o.Grid.Points == 0 {
		return "the grid has no points"
	}
	var parts []string
	for _, x := range o.ways() {
		if x.e != nil {
			parts = append(parts, o.figure(x.e)+o.corrected(x.e)+" in "+x.what)
		}
	}
	text := "by the model a point takes " + strings.Join(parts, ", ")
	if !o.Seconds {
		text += ", taken as 1"
	}
	return text
}

type way struct {
	e    *Expected
	what string
}

func (o *Outlook) ways() []way {
	loops, fused, several := "plain loops", "boxes that overlap, all nests in one phase", "boxes that overlap, %d phases for all nests"
	if o.Seconds {
		fused, several = "boxes that overlap, a launch for all nests", "boxes that overlap, %d launches for all nests"
		loops = "plain loops, a launch for each nest and time step"
	}
	if o.Overlapped != nil && len(o.Overlapped.Groups) > 1 {
		fused = fmt.Sprintf(several, len(o.Overlapped.Groups))
	}
	tiles := "tiles of space and time"
	if o.Hybrid != nil && o.Hybrid.Ready {
		tiles += ", each when those that it needs have ended"
	}
	return []way{{o.Hybrid, tiles}, {o.Streams, "rows that stream through registers"}, {o.Wavefront, "parallelograms of space and time, each when those that it needs have ended"}, {o.Overlapped, fused}, {o.Space, "boxes of space"}, {o.Untiled, loops}}
}

// figure returns a time, or how often the weight of plain loops.
func (o *Outlook) figure(e *Expected) string {
	switch ps := 1e12 * e.PerPoint; {
	case o.Seconds && ps >= 100:
		return fmt.Sprintf("%.0f ps", ps)
	case o.Seconds:
		return fmt.Sprintf("%.3g ps", ps)
	}
	return fmt.Sprintf("%.2f", e.PerPoint/o.Untiled.PerPoint)
}

// corrected says what a point of e takes by Likely, where that is another figure.
func (o *Outlook) corrected(e *Expected) string {
	likely := *e
	if likely.PerPoint = o.Likely(e); likely.PerPoint == e.PerPoint {
		return ""
	}
	return fmt.Sprintf(" (likely %s)", o.figure(&likely))
}

// String prints the outlook, one way a line.
func (o *Outlook) String() string {
	if o.Grid.Points == 0 {
		return o.Figures() + "\n"
	}
	var b strings.Builder
	unit := "a point, of what plain loops take"
	if o.Seconds {
		unit = "a point"
	}
	fmt.Fprintf(&b, "what the model expects on a grid of %s points", o.Grid.extents())
	if o.Seconds {
		b.WriteString(", and, as likely, what that is by how long such kernels took on a GPU")
	}
	b.WriteByte('\n')
	for _, x := range o.ways() {
		if x.e == nil {
			continue
		}
		sizes := ""
		if x.e.Sizes.W != nil {
			sizes = fmt.Sprintf(", %v", x.e.Sizes)
		}
		at := ""
		if x.e.Tiles > 0 && x.e.Sizes.W != nil {
			at = fmt.Sprintf(", %d at once", x.e.Tiles)
		}
		fmt.Fprintf(&b, "  %9s %s%s: %s%s%s\n", o.figure(x.e), unit, o.corrected(x.e), x.what, sizes, at)
		if other := x.e.Other; other != nil {
			how := "step by step"
			if other.Sizes.Stream != nil {
				how = "plane by plane"
			}
			fmt.Fprintf(&b, "  %9s %s: the best of them that run %s, %v\n", o.figure(other), unit, how, other.Sizes)
		}
	}
	return b.String()
}

// extents returns those of the grid, as in 510 x 510.
func (g Grid) extents() string {
	var all []string
	for _, r := range g.Space {
		all = append(all, fmt.Sprint(r.Hi-r.Lo+1))
	}
	return strings.Join(all, " x ")
}

package stream

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/machine"
	"github.com/hexcc/hexcc/schedule"
)

// A Shape is how a tile lies on the warps of a block.
type Shape struct {
	Columns int // of a row, that a lane holds: K
	Steps   int // of a warp: M
	Warps   int // one behind the other in time: Q
	Period  int // beats between barriers: D
	Lines   int // of a row, that a warp holds, in three dimensions: R; 0 in two
	Across  int // warps side by side along a strip, in three dimensions: V; 0 and 1 are one
	Ahead   int // periods by which rows begin to be loaded before their use; 0: PeriodsAhead
	Look    int // beats between looks at other chains, to the next turn; 0: everyBeats, or everyBeatsOfLines
	Code    int // beats of a turn that there is code for, where rows can move between registers; 0: as many as fit the cache for instructions
}

// String returns s as --pipeline has it.
func (s Shape) String() string {
	text := fmt.Sprintf("columns=%d,steps=%d,warps=%d,period=%d", s.Columns, s.Steps, s.Warps, s.Period)
	if s.Lines > 0 {
		text += fmt.Sprintf(",lines=%d", s.Lines)
	}
	if s.Across > 1 {
		text += fmt.Sprintf(",across=%d", s.Across)
	}
	if s.Ahead > 0 && s.Ahead != PeriodsAhead {
		text += fmt.Sprintf(",ahead=%d", s.Ahead)
	}
	if s.Look > 0 {
		text += fmt.Sprintf(",look=%d", s.Look)
	}
	if s.Code > 0 {
		text += fmt.Sprintf(",code=%d", s.Code)
	}
	return text
}

// Height returns the steps of a tile.
func (s Shape) Height() int64 { return int64(s.Steps) * int64(s.Warps) }

// ahead returns how many periods before their use rows begin to be loaded.
func (s Shape) ahead() int {
	if s.Ahead == 0 {
		return PeriodsAhead
	}
	return s.Ahead
}

// across returns how many warps run the same steps.
func (s Shape) across() int { return max(1, s.Across) }

// strip returns how many lines a strip has.
func (s Shape) strip() int64 { return int64(s.Lines) * int64(s.across()) }

// width returns how many columns a warp holds of a row.
func (s Shape) width() int64 { return 32 * int64(s.Columns) }

// turn returns how many beats a turn has for rows of which so many are in use at once, and how many slots rings have: a divisor, at least
// a period more than rows are loaded ahead: of those that come from global memory some are read, and the others have arrived or are on their way.
func (s Shape) turn(depth int64) (turn, slots int) {
	d, p := int(depth), s.Period
	for turn = d; ; turn += d {
		if turn%p != 0 {
			continue
		}
		for slots = (1 + s.ahead()) * p; slots <= turn; slots++ {
			if turn%slots == 0 {
				return turn, slots
			}
		}
	}
}

// ParseShape reads a shape as String writes it; what it leaves out is that of DefaultShape. It returns nil for "".
func ParseShape(text string) (*Shape, error) {
	if text == "" {
		return nil, nil
	}
	s := DefaultShape
	for _, part := range strings.Split(text, ",") {
		name, value, ok := strings.Cut(part, "=")
		n, err := strconv.Atoi(value)
		if !ok || err != nil || n < 1 || n > 64 {
			return nil, fmt.Errorf("%q is not NAME=NUMBER, a number from 1 to 64", part)
		}
		at := map[string]*int{"columns": &s.Columns, "steps": &s.Steps, "warps": &s.Warps, "period": &s.Period, "lines": &s.Lines, "across": &s.Across, "ahead": &s.Ahead, "look": &s.Look, "code": &s.Code}[name]
		if at == nil {
			return nil, fmt.Errorf("%q is none: there are columns, steps, warps, period, lines, across, ahead, look and code", name)
		}
		*at = n
	}
	return &s, nil
}

// A Fit is what a pipeline of a shape takes, or Why there is none: "" if there is one.
type Fit struct {
	Shape     Shape
	Why       string
	Sizes     schedule.Sizes
	Registers int   // of a thread, an estimate
	Shared    int64 // bytes of rows and edges in shared memory
	Guards    int64 // bytes of shared memory for what turns test that are not full, about
	Blocks    int   // at the same time on a multiprocessor
	Turn      gpu.TurnCount
	Chain     Chain
}

// A Chain is what beats a chain has beside those of its rows, and how far it runs behind others.
type Chain struct {
	Beside int64 // beats
	Look   int64 // beats between looks at others
	Behind int64 // beats from that in which a chain may begin to that in which one of the next phase may, which waits for it
}

// ShapesFor returns the shapes to try for a program, the most promising first. Several warps lie along a strip only where across says so: what is printed has to share
// the copies of rows among them.
func ShapesFor(c *schedule.Canonical, across bool) []Shape {
	if len(c.Space) == 3 {
		return slices.DeleteFunc(slices.Clone(Volumes), func(s Shape) bool { return s.Across > 1 && !across })
	}
	return Shapes
}

// Try returns what pipelines of a shape of ShapesFor take: Fits, but for strips that are too much for a multiprocessor.
func Try(c *schedule.Canonical, cone schedule.Cone, d machine.Device, s Shape) Fit {
	f := Fits(c, cone, d, s)
	if s.Lines > 0 && f.Why == "" {
		f.Why = f.crowded(c, cone, d)
	}
	if f.Why != "" {
		return Fit{Shape: f.Shape, Why: f.Why}
	}
	return f
}

// crowded says why strips are too much for a multiprocessor: shared memory has no room for what turns test that are not full, or holds less than half as many warps as of strips of one. (With 8 in place of
// 14, laplacian-3d is 1.8 times as fast on an H200 in strips of four warps as in strips of two, with as many.)
func (f Fit) crowded(c *schedule.Canonical, cone schedule.Cone, d machine.Device) string {
	s := f.Shape
	if n := f.Shared + f.Guards; n > int64(d.SharedBytes) {
		return fmt.Sprintf("a block takes about %d bytes of shared memory with what turns test that are not full, and %s has %d", n, d.Name, d.SharedBytes)
	}
	if s.across() == 1 {
		return ""
	}
	alone := s
	alone.Across = 0
	of := Fits(c, cone, d, alone)
	if have, would := f.Blocks*s.Warps*s.across(), of.Blocks*s.Warps; 2*have < would {
		return fmt.Sprintf("a multiprocessor holds %d warps, and %d of strips one warp high", have, would)
	}
	return ""
}

// Shapes are tried in this order in two dimensions: many steps in a warp, in registers, ask for little of shared memory; wide lanes for few exchanges. All have a barrier in each beat: with one
// in every second beat there is twice as much code, and an H200 made 0.6 to 0.8 times as much.
var Shapes = []Shape{
	DefaultShape, flat(4, 4, 4), flat(8, 2, 4), flat(4, 2, 4),
	flat(8, 2, 2), flat(8, 1, 4), flat(4, 2, 2), flat(4, 1, 4), flat(8, 1, 2), flat(4, 1, 2),
	flat(16, 2, 2), flat(16, 1, 4), flat(16, 1, 2), flat(8, 6, 2), flat(8, 3, 2), flat(8, 3, 4),
}

// flat returns a shape of two dimensions with a barrier in each beat.
func flat(columns, steps, warps int) Shape {
	return Shape{Columns: columns, Steps: steps, Warps: warps, Period: 1}
}

// volume returns one of three dimensions, with two warps in time and so many across a strip; 0 is 1.
func volume(columns, steps, lines, across int) Shape {
	return Shape{Columns: columns, Steps: steps, Warps: 2, Period: 1, Lines: lines, Across: across}
}

// Volumes are tried in this order in three dimensions. With two steps a warp, turns of laplacian-3d made 1.3 times as much on an H200 as with three, with loops over one beat for both. Two warps in time share all code of a half of the hexagon each, with columns in the same lanes. The more warps lie across
// a strip, the fewer lines go through global memory.
var Volumes = []Shape{
	volume(4, 2, 4, 4), volume(4, 3, 4, 4), volume(4, 3, 4, 2), volume(4, 3, 4, 0), volume(4, 2, 4, 2), volume(2, 3, 4, 4), volume(3, 2, 4, 4), volume(3, 2, 4, 2), volume(4, 2, 4, 0), volume(3, 2, 4, 0), volume(4, 2, 3, 0), volume(4, 2, 2, 0), volume(2, 2, 4, 0), volume(4, 1, 4, 0), volume(2, 2, 2, 0), volume(4, 1, 2, 0), volume(2, 1, 4, 0), volume(2, 1, 2, 0), volume(4, 4, 4, 0),
}

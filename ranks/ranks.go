// Package ranks runs the tiles of a schedule on several machines, of which each has its part of the arrays. Of the first dimension of
// tiles, S0, a rank owns an interval, in all phases and time tiles; what crosses the border between two of them follows from where
// values go (flow.go) and where tiles lie, as a relation that holds for all sizes, time tiles and borders:
//
//	after phase p of time tile T the rank below border B sends the rank above it the elements that its tiles of that phase wrote last and that
//	tiles above B, of any later phase, read; and the rank above B the one below it alike
//
// so that each value is sent at most once to a rank, to one that reads it, as soon as it is there.
package ranks

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/poly"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// A NotShared says why ranks cannot share out a region, and where.
type NotShared struct {
	At   diag.Span
	Why  string
	Help string
}

func (e *NotShared) Error() string { return e.Why }

// Loops are what ranks run, whatever runs the tiles of one of them:
//
//	if Busy, for each TLo <= T <= THi, in order:
//	  for each of Phases, in order, the next one when all of it is done: for each Lo <= Tile <= Hi, in any order and at once
type Loops struct {
	Schedule *schedule.Schedule
	T        string // the variable of time tiles
	TLo, THi affine.Expr
	Busy     astgen.Cond // over parameters: where it does not hold, there is nothing to do
	Phases   []Phase
}

// A Phase is the tiles of one phase of a time tile, by their index along S0.
type Phase struct {
	Tile   string
	Lo, Hi affine.Expr // over T and parameters
	// Second is the tile index of the loop next to that over Tile, whose turns run in order, and its bounds; "": there is none.
	Second             string
	SecondLo, SecondHi affine.Expr
}

// Scop returns the region.
func (l *Loops) Scop() *scop.Program { return l.Schedule.Canonical.Scop }

// A Plan says what ranks own and send.
type Plan struct {
	Loops
	Border string // a variable: the first tile of a rank that has one below it
	Arrays []Array
	Before Exchange   // before the first phase: what was in memory
	After  []Exchange // after each phase, by its number
	// An iteration of the time loop is one from first to last, both sums of parameters.
	first, last affine.Sum
	Reach       int64     // values cross at most so many borders of tiles: a rank needs so many tiles
	Grid        *Grid     // nil: ranks share out S0 alone
	Pipeline    *Pipeline // nil: tiles of a phase need none of each other
	flows       map[*scop.Array][]flow
	flat        *scop.Program              // see view
	sent        []map[*scop.Array]poly.Set // by message: the elements whose values cross the border and are read
	NoGrid      string                     // why there is none, where one was asked for
}

// An Exchange is what the ranks on both sides of a border send each other.
type Exchange struct {
	Up, Down []Strip // to the rank above, and to that below
}

// A Strip is a box of elements of an array. Along the dimension that ranks share out it is those
//
//	first + lo .. first + hi    where first is the first element that the rank above the border owns,
//
// lo and hi being the greatest of what Since, Until and Steps have for lo, and the smallest of what they have for hi; none where lo > hi. Along all others it is numbers, or
// sums of parameters; and all of it lies in Lo .. Hi.
type Strip struct {
	Array  *scop.Array
	Upper  bool          // of a ring: it is the elements Sum - x of those x instead
	Lo, Hi []affine.Expr // by dimension, over parameters
	Since  Rows          // by how many iterations of the time loop lie between its first one and the start of the time tile
	Until  Rows          // by how many lie between the start of the time tile and the last one
	Steps  Rows          // by how many iterations the time loop has beside the first; without numbers: whatever that is
	Every  []Every       // by dimension, which subscripts it has; nil: all
	sent   poly.Set      // the elements that it was made for
	whole  bool          // sent before the first phase, all of it is needed: the receiver sends it on
}

// Rows are lo and hi by a number k: Lo[k - Start] and Hi[k - Start]; the first, or the last, where that is outside.
type Rows struct {
	Start  int64
	Lo, Hi []int64
}

// none is a bound that no element is within.
const none = 1 << 30

// At returns lo and hi for k.
func (r Rows) At(k int64) (lo, hi int64) {
	if len(r.Lo) == 0 {
		return -none, none
	}
	i := min(max(k-r.Start, 0), int64(len(r.Lo))-1)
	return r.Lo[i], r.Hi[i]
}

// An Array says where the elements of an array lie.
type Array struct {
	Array *scop.Array
	Dim   int // the dimension along which ranks share it out; -1: all ranks have all of it, and none writes it
	// Unit is by how many elements of that dimension subscripts move where instances move by one point along S0: 1, or, where one subscript stands for several, as
	// A[(i*m + j)*3 + k] with numbers for m, the stride of the first of these.
	Unit int64
	// Beside those that it owns, a rank's tiles use the elements up to Lo before the first and Hi behind the last: Lo <= 0 <= Hi.
	Lo, Hi int64
	// Ring: the ends of the dimension are neighbours. The elements x of its upper half, 2x >= Sum, belong where Sum - x does. What a rank owns is
	// an interval of each half; Lo and Hi are not set.
	Ring bool
	Sum  affine.Sum
}

// Reversed reports whether tiles run through an array from its last element along Dim to its first: it is a ring, all of which is the upper half, whose Sum is -1. Its Lo and Hi are set, in terms of Sum - x.
func (a Array) Reversed() bool { return a.Ring && a.Sum.IsNum() && a.Sum.Const == reversedSum }

const reversedSum = -1

// Reversed reports whether tiles run through arrays from the last element to the first.
func (p *Plan) Reversed() bool { return slices.ContainsFunc(p.Arrays, Array.Reversed) }

// BorderRow returns the first row above a border of tiles, where other plans share out rows by it, too (Loop): FirstRow, or where tiles run through arrays backwards that of the border which lies as far from the first element.
func (p *Plan) BorderRow() affine.Sum {
	if p.Reversed() {
		return affine.Var(p.Border).Times(p.Width())
	}
	return p.FirstRow()
}

// Messages returns what is sent, by number: before the first phase up and down, 0 and 1; after phase 0 of a time tile, 2 and 3; and so on.
func (p *Plan) Messages() [][]Strip {
	list := [][]Strip{p.Before.Up, p.Before.Down}
	for _, e := range p.After {
		list = append(list, e.Up, e.Down)
	}
	return list
}

// SinceFirst is how many iterations of the time loop lie between its first one and the start of time tile T; UntilLast how many between that and the last one.
func (p *Plan) SinceFirst() affine.Sum { return p.start().Minus(p.first) }

// UntilLast: see SinceFirst.
func (p *Plan) UntilLast() affine.Sum { return p.last.Minus(p.start()) }

// Steps is how many iterations the time loop has beside the first.
func (p *Plan) Steps() affine.Sum { return p.last.Minus(p.first) }

func (p *Plan) start() affine.Sum { return affine.Var(p.T).Times(p.perTile()) }

// perTile returns how many iterations of the time loop a time tile has.
func (p *Plan) perTile() int64 { return p.Schedule.Height / int64(p.Schedule.Canonical.K) }

// FirstRow returns the first point along S0, and so the first element of arrays whose Unit is 1, of which the rank above the border is the owner.
func (p *Plan) FirstRow() affine.Sum {
	d := p.home().Space[0]
	return affine.Var(p.Border).Times(d.Stride).Add(d.Offset)
}

// First returns the first element of a, along the dimension that ranks share out, of which the rank above the border is the owner.
func (p *Plan) First(a Array) affine.Sum { return p.FirstRow().Times(a.Unit) }

// Width returns how many rows lie between two borders of tiles.
func (p *Plan) Width() int64 { return p.home().Space[0].Stride }

// TileAt returns which border of p lies where border B of other does, by its BorderRow, as times*B + plus; ok is false where there is none for some B. times is negative where tiles of p run through arrays backwards.
func (p *Plan) TileAt(other *Plan) (times, plus int64, ok bool) {
	width, apart := p.Width(), other.BorderRow().Const-p.FirstRow().Const
	if p.Reversed() { // who owns y = -1 - x from FirstRow on owns x below -FirstRow
		width, apart = -width, other.BorderRow().Const+p.FirstRow().Const
	}
	return other.Width() / width, apart / width, other.Width()%width == 0 && apart%width == 0
}

// home returns the phase by whose tiles elements have owners: the last one.
func (p *Plan) home() schedule.Phase { return p.Schedule.Phases[len(p.Schedule.Phases)-1] }

func (s Strip) String() string {
	text := s.Array.Name
	for d := range s.Lo {
		if affine.Same(s.Lo[d], s.Hi[d]) {
			text += fmt.Sprintf("[%v]", s.Lo[d])
		} else {
			text += fmt.Sprintf("[%v .. %v]", s.Lo[d], s.Hi[d])
		}
	}
	for _, e := range s.Every {
		text += e.Text()
	}
	return text + fmt.Sprintf(" since %v until %v", s.Since, s.Until)
}

// sides are by which tiles lie above the border: up, a value goes from one below it to one above it.
type planner struct {
	*Plan
	scop   *scop.Program
	params []string // of the region, T and Border
	// shifted is how many tiles further the border is that below speaks of.
	shifted int64
	along   int // the dimension of tiles that arrays are looked at along: 0 or, for a Grid, 1
	fine    bool
	known   map[columnsOf][]box
}

// Make returns the plan of loops, with a name for the border between two ranks. The error is a *NotShared, or a *poly.LimitError.
func Make(loops Loops, border string) (*Plan, error) {
	return makePlan(&Plan{Loops: loops, Border: border}, false)
}

// Finer returns another plan of the same loops, with boxes for each store: more of them, which hold less that others have written. It is for plans that Prove says no to.
func (p *Plan) Finer() (*Plan, error) {
	return makePlan(&Plan{Loops: p.Loops, Border: p.Border, flows: p.flows, flat: p.flat}, true) // where values go is the same
}

func makePlan(plan *Plan, fine bool) (*Plan, error) {
	p := newPlanner(plan)
	p.fine = fine
	p.After = make([]Exchange, len(plan.Schedule.Phases))
	err := poly.Limited(func() error { return p.make() })
	return p.Plan, err
}

func newPlanner(plan *Plan) *planner {
	p := &planner{Plan: plan, scop: plan.view(), known: map[columnsOf][]box{}}
	p.params = append(slices.Clone(p.scop.ParamNames()), plan.T, plan.Border)
	return p
}

func (p *planner) make() error {
	if err := p.inSteps(); err != nil {
		return err
	}
	if p.home().Space[0].Drift != 0 {
		return &NotShared{p.scop.Start(), "dependences reach further to one side of the outermost loop over space than to the other, so that tiles move along it from one time tile to the next, from rank to rank",
			"choose another outermost loop with --order, or move what a nest computes by a number of points, so that it reads as far to both sides"}
	}
	if err := p.time(); err != nil {
		return err
	}
	if Pipelined(p.Schedule) {
		p.Plan.Pipeline = &Pipeline{Lag: p.Schedule.Waits.Steps[0].Lag}
	}
	for range p.Messages() {
		p.Plan.sent = append(p.Plan.sent, map[*scop.Array]poly.Set{})
	}
	for _, a := range p.scop.Arrays {
		array, err := p.lies(a)
		if err != nil {
			return err
		}
		p.Arrays = append(p.Arrays, array)
		if array.Dim < 0 {
			continue
		}
		var classes []class
		if p.fine {
			if classes, err = p.classes(a); err != nil {
				return err
			}
		}
		sent := map[key]poly.Set{}
		for _, f := range p.flowsOf(a) {
			if p.Plan.Pipeline != nil && f.From.a != nil {
				continue // slabs have what tiles compute
			}
			p.crossings(f, array, func(phase, way int, set poly.Set) {
				k := key{phase, way, slices.IndexFunc(classes, func(c class) bool { return slices.Contains(c.by, f.From) })}
				if !set.IsEmpty() {
					sent[k] = sent[k].Union(set)
				}
			})
		}
		keys := slices.SortedFunc(maps.Keys(sent), func(x, y key) int { return cmp.Or(x.phase-y.phase, x.way-y.way, x.class-y.class) })
		for _, key := range keys {
			set := sent[key]
			which := 2 * (key.phase + 1)
			if key.way < 0 {
				which++
			}
			p.Plan.sent[which][a] = p.Plan.sent[which][a].Union(set)
			var of *class
			if key.class >= 0 {
				of = &classes[key.class]
			}
			strips, err := p.strips(array, of, key.phase, set)
			if err != nil {
				return err
			}
			ex := &p.Before
			if key.phase >= 0 {
				ex = &p.After[key.phase]
			}
			if key.way > 0 {
				ex.Up = append(ex.Up, strips...)
			} else {
				ex.Down = append(ex.Down, strips...)
			}
		}
		if err := p.initially(array); err != nil {
			return err
		}
	}
	if p.Plan.Pipeline != nil {
		return newPiper(p.Plan).make()
	}
	return nil
}

// A key says when elements are sent, which way, and which class of stores has written them: -1 where that does not matter.
type key struct{ phase, way, class int }

// Usual returns lo and hi in time tiles that the ends of the time loop do not cut.
func (s Strip) Usual() (lo, hi int64) {
	lo, hi = s.Since.At(none)
	l, h := s.Until.At(none)
	return max(lo, l), min(hi, h)
}

// hull returns the least and the greatest row of s in any time tile.
func (s Strip) hull() (lo, hi int64) {
	lo, hi = none, -none
	for i := range s.Until.Lo {
		lo, hi = min(lo, s.Until.Lo[i]), max(hi, s.Until.Hi[i])
	}
	return lo, hi
}

// String returns who owns what, and the messages.
func (p *Plan) String() string {
	text := ""
	for i, strips := range p.Messages() {
		for _, s := range strips {
			text += fmt.Sprintf("message %d: %v\n", i, s)
		}
	}
	return text
}

// Verify returns what is wrong with the plan itself.
func (p *Plan) Verify() error { return nil }

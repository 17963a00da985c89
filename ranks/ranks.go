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
	Reach       int64 // values cross at most so many borders of tiles: a rank needs so many tiles
	Grid        *Grid // nil: ranks share out S0 alone
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
	d := p.Schedule.Phases[1].Space[0]
	return affine.Var(p.Border).Times(d.Stride).Add(d.Offset)
}

// First returns the first element of a, along the dimension that ranks share out, of which the rank above the border is the owner.
func (p *Plan) First(a Array) affine.Sum { return p.FirstRow().Times(a.Unit) }

// Width returns how many rows lie between two borders of tiles.
func (p *Plan) Width() int64 { return p.Schedule.Phases[1].Space[0].Stride }

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
	if len(p.Schedule.Phases) != 2 {
		return &NotShared{p.scop.Start(), fmt.Sprintf("ranks share out hexagonal tiles, and this region has none: %s", p.Schedule.Scheme),
			"read the values of the previous time step, from a second array or a time dimension such as [t%2], and let the time loop be the outermost loop of the region"}
	}
	if p.Schedule.Phases[1].Space[0].Drift != 0 {
		return &NotShared{p.scop.Start(), "dependences reach further to one side of the outermost loop over space than to the other, so that tiles move along it from one time tile to the next, from rank to rank",
			"choose another outermost loop with --order, or move what a nest computes by a number of points, so that it reads as far to both sides"}
	}
	if err := p.time(); err != nil {
		return err
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
	return nil
}

// A key says when elements are sent, which way, and which class of stores has written them: -1 where that does not matter.
type key struct{ phase, way, class int }

// lies returns how an array lies on ranks. One that nothing writes, and that tiles do not read along with where they are, all ranks have as a whole.
func (p *planner) lies(a *scop.Array) (Array, error) {
	dim, unit, err := p.dimension(a)
	var array Array
	if err == nil {
		array, err = p.around(a, dim, unit)
	}
	if err != nil && !p.scop.Writes(a) {
		return Array{Array: a, Dim: -1, Unit: 1}, nil
	}
	return array, err
}

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

// dimension returns the dimension of an array that runs along a dimension of tiles, -1 if none does, and its unit.
func (p *planner) dimension(a *scop.Array) (dim int, unit int64, err error) {
	dim, unit = -1, 1
	for _, st := range p.scop.Stmts {
		place := p.Schedule.Canonical.Places[st.Order][p.along]
		if place.Iter < 0 {
			continue
		}
		for _, x := range st.Accesses {
			if x.Array != a {
				continue
			}
			for d, index := range x.Index {
				if place.Iter < len(index.Iters) && index.Iters[place.Iter] != 0 {
					c := index.Iters[place.Iter]
					if c = max(c, -c); dim < 0 {
						dim, unit = d, c
					}
					if dim != d || index.Mod > 0 || c != unit {
						return -1, 1, &NotShared{x.Pos, fmt.Sprintf("%s has %s for a subscript along which ranks would share out array %s", x.Text, st.Iters[place.Iter], a.Name),
							"index one dimension of each array by the outermost loop over space, plus a number"}
					}
				}
			}
		}
	}
	if dim < 0 && p.scop.Writes(a) {
		return -1, 1, &NotShared{a.Pos, fmt.Sprintf("array %s is written, and no dimension of it runs along the loop whose tiles ranks share out", a.Name),
			"index one dimension of each array that is written by the outermost loop over space, or keep the nest that writes it out of the region"}
	}
	return dim, unit, nil
}

// around returns how a lies on ranks: how far before the first element of its own, and behind the last one, a rank's tiles use elements of it.
func (p *planner) around(a *scop.Array, dim int, unit int64) (array Array, err error) {
	array = Array{Array: a, Dim: dim, Unit: unit}
	if dim < 0 {
		return array, nil
	}
	own := p.Schedule.Phases[1].Space[p.along]
	for _, st := range p.scop.Stmts {
		place := p.Schedule.Canonical.Places[st.Order][p.along]
		for _, x := range st.Accesses {
			if x.Array != a || place.Iter < 0 || place.Iter >= len(x.Index[dim].Iters) || x.Index[dim].Iters[place.Iter] != -place.Sign()*unit {
				continue
			}
			if unit > 1 {
				return array, &NotShared{x.Pos, fmt.Sprintf("%s runs through array %s backwards, or around its ends, by one subscript that stands for several", x.Text, a.Name),
					"declare the array with its dimensions, such as float A[n][m]"}
			}
			if !place.Down || !slices.ContainsFunc(st.Folded, func(sum *scop.Affine) bool { return sum != nil }) {
				return array, &NotShared{x.Pos, fmt.Sprintf("%s runs through array %s backwards", x.Text, a.Name), "let all loops that touch the array count up"}
			}
			if sum := p.scop.Sum(place.Shift, nil); array.Ring && !sum.Minus(array.Sum).IsNum() {
				return array, &NotShared{x.Pos, fmt.Sprintf("array %s is a ring of two different sizes", a.Name), "let all loops over the array have one range"}
			} else if !array.Ring {
				array.Ring, array.Sum = true, sum
			}
		}
	}
	for _, st := range p.scop.Stmts {
		for _, x := range st.Accesses {
			if x.Array != a || array.Ring {
				continue
			}
			near, far, err := p.apartFrom(st, x, dim, unit)
			if err != nil {
				return array, &NotShared{x.Pos, fmt.Sprintf("%s lies at any distance from what the instance computes, along the dimension of array %s that ranks would share out", x.Text, a.Name),
					"use numbers for distances along the outermost loop over space, and keep what all points read in an array of its own, with fewer dimensions"}
			}
			if near > far {
				continue
			}
			for _, ph := range p.Schedule.Phases {
				d := ph.Space[p.along]
				least, most, _ := d.Extent()
				array.Lo = min(array.Lo, (d.Offset+least-own.Offset)*unit-far)
				array.Hi = max(array.Hi, (d.Offset+most-own.Offset-own.Stride)*unit-near+1)
			}
		}
	}
	return array, nil
}

// apartFrom returns how many elements behind that which x touches its instances lie along tiles, at least and at most: near > far where there are no instances. The error is errUnbounded.
func (p *planner) apartFrom(st *scop.Stmt, x *scop.Access, dim int, unit int64) (near, far int64, err error) {
	iters := poly.Ins(len(st.Iters))
	_, s := p.placeAlong(st, iters, p.along)
	distance := s.Times(unit).Minus(p.scop.Sum(x.Index[dim].Affine, iters))
	if distance.IsNum() {
		return distance.Const, distance.Const, nil
	}
	to := poly.NewMap(p.params, st.Tuple(), pairs, poly.Equal(poly.Out(0), distance), poly.Equal(poly.Out(1), affine.Num(0)))
	return between(to.Apply(st.Domain.IntersectParams(p.scop.Context)).ProjectOut(p.params...))
}

// below returns that the owner of an element with this subscript is a rank below the border.
func (p *planner) below(a Array, x affine.Sum) poly.Formula {
	first := p.First(a).Add(p.shifted * p.Width() * a.Unit)
	low := poly.Less(x, first)
	if !a.Ring {
		return low
	}
	return poly.Or(poly.And(p.lower(a, x), low), poly.And(poly.Not(p.lower(a, x)), poly.Less(a.Sum.Minus(x), first)))
}

// lower returns that the element lies in the lower half of a ring.
func (p *planner) lower(a Array, x affine.Sum) poly.Formula { return poly.Less(x.Times(2), a.Sum) }

// place returns [tau, s0] of an instance of st with these iterators, placeAlong [tau, s_d].
func (p *planner) place(st *scop.Stmt, iters []affine.Sum) (tau, s0 affine.Sum) {
	return p.placeAlong(st, iters, 0)
}

func (p *planner) placeAlong(st *scop.Stmt, iters []affine.Sum, d int) (tau, s affine.Sum) {
	c := p.Schedule.Canonical
	at := c.Places[st.Order][d]
	s = p.scop.Sum(at.Shift, nil)
	if at.Iter >= 0 {
		s = s.Plus(iters[at.Iter].Times(at.Sign()))
	}
	return iters[0].Times(int64(c.K)).Add(int64(c.Levels[st.Order])), s
}

// in returns that an instance of st lies in tile S0 of a phase of time tile T.
func (p *planner) in(st *scop.Stmt, iters []affine.Sum, phase int, T, S0 affine.Sum) []poly.Formula {
	s, ph := p.Schedule, p.Schedule.Phases[phase]
	tau, s0 := p.place(st, iters)
	a := tau.Add(ph.TimeShift).Minus(T.Times(s.Height))
	d := ph.Space[0]
	b := s0.Minus(S0.Times(d.Stride)).Minus(T.Times(d.Drift)).Add(-d.Offset)
	rows := []poly.Formula{poly.NotNegative(a), poly.Less(a, affine.Num(s.Height))}
	for _, side := range d.Sides {
		rows = append(rows, poly.NotNegative(a.Times(side.A).Plus(b.Times(side.B)).Add(side.C)))
	}
	return rows
}

// crossings calls add for what f sends across the border, with the phase that it is sent after, and 1 for up, -1 for down.
func (p *planner) crossings(f flow, a Array, add func(phase, way int, set poly.Set)) {
	T, B := affine.Var(p.T), affine.Var(p.Border)
	for _, way := range []int{1, -1} {
		own := p.below(a, poly.Out(a.Dim)) // where Out is an element: the receiver is its owner
		if way > 0 {
			own = poly.Not(own)
		}
		source, target := B.Add(-1), B
		if way < 0 {
			source, target = B, B.Add(-1)
		}
		switch {
		case f.From.a == nil:
			for phase := range p.Schedule.Phases {
				rows := append(p.in(f.To.st, poly.Ins(len(f.To.st.Iters)), phase, T, target), poly.Not(own))
				m := f.Pairs.Intersect(poly.NewMap(p.params, f.To.st.Tuple(), elements(f.To.a.Array), rows...))
				add(-1, way, m.Range().ProjectOut(p.T))
			}
		case f.To.a == nil:
			for phase := range p.Schedule.Phases {
				rows := append(p.in(f.From.st, poly.Ins(len(f.From.st.Iters)), phase, T, source), own)
				m := f.Pairs.Intersect(poly.NewMap(p.params, f.From.st.Tuple(), elements(f.From.a.Array), rows...))
				add(phase, way, m.Range())
			}
		default:
			for phase := range p.Schedule.Phases {
				from := p.in(f.From.st, poly.Ins(len(f.From.st.Iters)), phase, T, source)
				m := f.Pairs.Intersect(poly.NewMap(p.params, f.From.st.Tuple(), f.To.st.Tuple(), from...))
				if m.IsEmpty() {
					continue
				}
				for later := range p.Schedule.Phases {
					for dt := int64(0); dt <= 1; dt++ {
						to := p.in(f.To.st, poly.Outs(len(f.To.st.Iters)), later, T.Add(dt), target)
						n := m.Intersect(poly.NewMap(p.params, f.From.st.Tuple(), f.To.st.Tuple(), to...))
						if n.IsEmpty() {
							continue
						}
						add(phase, way, n.Inverse().ApplyRange(f.From.a.Map).Range())
					}
				}
			}
		}
	}
}

func elements(a *scop.Array) poly.Tuple {
	return poly.Tuple{Name: a.Name, Dims: poly.Dims(len(a.Extents))}
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

package ranks

import (
	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/schedule"
)

// This file says what ranks of a pipeline send at given sizes, as the printed text does.

// TurnsAt returns the first and the last tile along S1, of all tiles of all time tiles, at some sizes; first > last: there are none. Where there is one dimension of tiles that is 0, once.
func (p *Plan) TurnsAt(params []int64) (first, last int64) {
	if !p.Turns() {
		return 0, 0
	}
	ph, env := p.Phases[0], p.environment(params)
	within := p.TurnsByTile()
	first, last = none, -none
	for t := affine.Eval(p.TLo, env); t <= affine.Eval(p.THi, env); t++ {
		env[p.T] = t
		from, to := affine.Eval(ph.Lo, env), affine.Eval(ph.Hi, env)
		if !within {
			to = min(from, to)
		}
		for tile := from; tile <= to; tile++ {
			env[ph.Tile] = tile
			if lo, hi := affine.Eval(ph.SecondLo, env), affine.Eval(ph.SecondHi, env); lo <= hi {
				first, last = min(first, lo), max(last, hi)
			}
		}
	}
	return first, last
}

// TurnsByTile reports whether which tiles there are along S1 depends on S0, as where S1 is skewed.
func (p *Plan) TurnsByTile() (depends bool) {
	for _, e := range []affine.Expr{p.Phases[0].SecondLo, p.Phases[0].SecondHi} {
		affine.Vars(e, func(name string) { depends = depends || name == p.Phases[0].Tile })
	}
	return depends
}

// A turnBoxes is the boxes of slabs at some sizes.
type turnBoxes struct {
	p      *Plan
	params []int64
	env    map[string]int64
	slabs  [2][]slabAt // up and down
}

// A slabAt is a slab at some sizes.
type slabAt struct {
	Slab
	lo, hi []int64 // of the iterators
	shifts []int64 // by dimension of tiles: what is added to the iterator
	array  Array
}

func (p *Plan) turnBoxes(params []int64) *turnBoxes {
	b := &turnBoxes{p: p, params: params, env: p.environment(params)}
	for way, up := range []bool{true, false} {
		for _, s := range p.Pipeline.way(up) {
			x := slabAt{Slab: s}
			for i := range s.Lo {
				x.lo, x.hi = append(x.lo, affine.Eval(s.Lo[i], b.env)), append(x.hi, affine.Eval(s.Hi[i], b.env))
			}
			for _, at := range p.Schedule.Canonical.Places[s.Stmt.Order] {
				x.shifts = append(x.shifts, affine.Eval(p.Scop().Sum(at.Shift, nil), b.env))
			}
			for _, a := range p.Arrays {
				if a.Array == s.Access.Array {
					x.array = a
				}
			}
			b.slabs[way] = append(b.slabs[way], x)
		}
	}
	return b
}

// TurnBoxes returns what goes up, or down, in a turn of time tile t at a border.
func (p *Plan) TurnBoxes(up bool, params []int64, t, turn, border int64) (list []Box) {
	p.turnBoxes(params).visit(up, t, turn, border, func(b Box) { list = append(list, b) })
	return list
}

// visit visits these boxes.
func (b *turnBoxes) visit(up bool, t, turn, border int64, visit func(Box)) {
	way := 1
	if up {
		way = 0
	}
	for _, s := range b.slabs[way] {
		b.ofSlab(s, t, turn, border, visit)
	}
}

func (b *turnBoxes) ofSlab(s slabAt, T, turn, border int64, visit func(Box)) {
	p := b.p
	c, ph := p.Schedule.Canonical, p.Schedule.Phases[0]
	d, k, places := ph.Space[0], int64(c.K), c.Places[s.Stmt.Order]
	step := T*p.Schedule.Height - ph.TimeShift - int64(c.Levels[s.Stmt.Order]) // step a is iteration (a + that) / K
	from, end := max(s.lo[0], -affine.Quotient(-step, k)), min(s.hi[0], affine.Quotient(step+p.Schedule.Height-1, k))
	if s.Depth >= 0 {
		from = max(from, end-s.Depth)
	}
	first := border*d.Stride + d.Offset
	for t := from; t <= end; t++ {
		a := t*k - step
		row, to := first+d.Lo[a]-s.Ahead, first+d.Lo[a]-1
		if !s.Up {
			row, to = first+d.Lo[a], min(first+d.Lo[a]+s.Near, first+s.Far)
		}
		lo, hi := append([]int64{}, s.lo...), append([]int64{}, s.hi...)
		lo[0], hi[0] = t, t
		if !narrow(places[0], s.shifts[0], row, to, lo, hi) {
			continue
		}
		if !p.Turns() {
			b.box(s, border, lo, hi, visit)
			continue
		}
		d1, skew := ph.Space[1], c.Skew(1)
		left, right := turn*d1.Stride+d1.Offset+d1.Lo[a], turn*d1.Stride+d1.Offset+d1.Hi[a]
		if skew == nil || skew[0] == 0 {
			if narrow(places[1], s.shifts[1], left, right, lo, hi) {
				b.box(s, border, lo, hi, visit)
			}
			continue
		}
		if i := places[0].Iter; i >= 0 {
			row, to = lo[i], hi[i]
			if row, to = row*places[0].Sign()+s.shifts[0], to*places[0].Sign()+s.shifts[0]; row > to {
				row, to = to, row
			}
		} else {
			row, to = s.shifts[0], s.shifts[0]
		}
		for ; row <= to; row++ {
			l, h := append([]int64{}, lo...), append([]int64{}, hi...)
			if narrow(places[0], s.shifts[0], row, row, l, h) && narrow(places[1], s.shifts[1]+skew[0]*row, left, right, l, h) {
				b.box(s, border, l, h, visit)
			}
		}
	}
}

// narrow limits the iterators from lo to hi to those at places from one to another; false: there are none.
func narrow(at schedule.Place, shift, from, to int64, lo, hi []int64) bool {
	switch i := at.Iter; {
	case i < 0:
		return from <= shift && shift <= to
	case at.Down:
		lo[i], hi[i] = max(lo[i], shift-to), min(hi[i], shift-from)
		return lo[i] <= hi[i]
	default:
		lo[i], hi[i] = max(lo[i], from-shift), min(hi[i], to-shift)
		return lo[i] <= hi[i]
	}
}

// box visits the elements that instances between lo and hi write, of those that the receiver has.
func (b *turnBoxes) box(s slabAt, border int64, lo, hi []int64, visit func(Box)) {
	for i := range lo {
		if lo[i] > hi[i] {
			return
		}
	}
	x := accessBox(s.Access, lo, hi, b.params)
	b.env[b.p.Border] = border
	own := affine.Eval(b.p.First(s.array), b.env)
	if s.array.Ring { // it has room for all
		visit(x)
		return
	}
	if s.Up {
		x.Lo[s.array.Dim] = max(x.Lo[s.array.Dim], own+s.array.Lo)
	} else {
		x.Hi[s.array.Dim] = min(x.Hi[s.array.Dim], own-1+s.array.Hi)
	}
	if x.Bytes() > 0 {
		visit(x)
	}
}

// turnsOf adds to s what rank r of n sends in the turns of time tiles.
func (p *Plan) turnsOf(s *Share, b *turnBoxes, r, n, lo, hi int64) {
	first, last := p.TurnsAt(b.params)
	for t := lo; t <= hi; t++ {
		for turn := first; turn <= last; turn++ {
			for _, up := range []bool{true, false} {
				border := s.Last + 1
				if !up {
					border = s.First
				}
				if up && r == n-1 || !up && r == 0 {
					continue
				}
				bytes := int64(0)
				b.visit(up, t, turn, border, func(x Box) { bytes += x.Bytes() })
				if bytes > 0 {
					s.Messages, s.Bytes = s.Messages+1, s.Bytes+bytes
				}
			}
		}
	}
}

package ranks

import (
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/scop"
)

// This file says what ranks of a grid own and send at given sizes, as the printed text does.

// TileRows say which steps a tile S0 of a phase has at which places, and where the tiles along S1 begin then.
type TileRows struct {
	From, To        []int64 // by place s0, from T*Drift + S0*Stride + First on: the first and the last step; none where From > To
	First, Stride   int64
	Height, K       int64
	Lean            []int64 // by step: where a tile along S1 begins, less First1 + S1*Stride1
	First1, Stride1 int64
	plan            *Plan
	shift           int64
}

// RowsOf returns the rows of a phase.
func (p *Plan) RowsOf(phase int) TileRows {
	ph := p.Schedule.Phases[phase]
	d, d1 := ph.Space[0], ph.Space[1]
	least, most, _ := d.Extent()
	r := TileRows{First: d.Offset + least, Stride: d.Stride, Height: p.Schedule.Height, K: int64(p.Schedule.Canonical.K), Lean: d1.Lo, First1: d1.Offset, Stride1: d1.Stride, plan: p, shift: ph.TimeShift}
	for row := least; row <= most; row++ {
		from, to := int64(0), int64(-1)
		for a := range d.Lo {
			if d.Lo[a] <= row && row <= d.Hi[a] {
				if from > to {
					from = int64(a)
				}
				to = int64(a)
			}
		}
		r.From, r.To = append(r.From, from), append(r.To, to)
	}
	return r
}

// Time returns what, with T*Height and a step a at which a statement runs, is K times the iteration of the time loop.
func (r TileRows) Time(st *scop.Stmt) int64 {
	return -r.shift - int64(r.plan.Schedule.Canonical.Levels[st.Order])
}

// slabBoxes visits the boxes of s, after a tile at S0 in a phase of time tile T, at a border along S1.
func (p *Plan) slabBoxes(s Slab, r TileRows, params []int64, T, tile, border int64, visit func(Box)) {
	env := p.environment(params)
	env[p.Grid.Border] = border
	place, step := p.Schedule.Canonical.Places[s.Stmt.Order], T*r.Height+r.Time(s.Stmt)
	n := len(s.Lo)
	least, most := make([]int64, n), make([]int64, n)
	for i := range n {
		least[i], most[i] = affine.Eval(s.Lo[i], env), affine.Eval(s.Hi[i], env)
	}
	first, last := least[0], most[0]
	shift := func(d int) int64 { return affine.Eval(p.Scop().Sum(place[d].Shift, nil), env) }
	shift0, shift1, own := shift(0), shift(1), affine.Eval(p.FirstColumn(), env)
	for row := range r.From {
		if r.From[row] > r.To[row] {
			continue
		}
		s0 := tile*r.Stride + int64(row) + r.First
		t, end := max(first, -affine.Quotient(-(r.From[row]+step), r.K)), min(last, affine.Quotient(r.To[row]+step, r.K))
		if s.Depth >= 0 {
			t = max(t, end-s.Depth)
		}
		for ; t <= end; t++ {
			column := border*r.Stride1 + r.First1 + r.Lean[t*r.K-step]
			from, to := column-s.Ahead, column-1
			if !s.Up {
				from, to = column, min(column+s.Near, border*r.Stride1+r.First1+s.Far)
			}
			lo, hi := append([]int64{}, least...), append([]int64{}, most...)
			lo[0], hi[0] = t, t
			ok := true
			narrow := func(d int, from, to, shift int64) {
				if i := place[d].Iter; i >= 0 {
					lo[i], hi[i] = max(lo[i], from-shift), min(hi[i], to-shift)
				} else {
					ok = ok && from <= shift && shift <= to
				}
			}
			narrow(0, s0, s0, shift0)
			narrow(1, from, to, shift1)
			for i := range lo {
				ok = ok && lo[i] <= hi[i]
			}
			if !ok {
				continue
			}
			b := accessBox(s.Access, lo, hi, params)
			d := p.sideOf(b.Array)
			if s.Up {
				b.Lo[d.Dim] = max(b.Lo[d.Dim], own+d.Lo)
			} else {
				b.Hi[d.Dim] = min(b.Hi[d.Dim], own-1+d.Hi)
			}
			if b.Bytes() > 0 {
				visit(b)
			}
		}
	}
}

// accessBox returns the elements that an access of a slab touches, of instances between lo and hi.
func accessBox(a *scop.Access, lo, hi, params []int64) Box {
	b := Box{Array: a.Array}
	for _, x := range a.Index {
		l, h := x.At(lo, params), x.At(hi, params)
		if l, h = min(l, h), max(l, h); x.Mod > 0 { // it is one number
			l, h = affine.Remainder(l, x.Mod), affine.Remainder(h, x.Mod)
		}
		b.Lo, b.Hi = append(b.Lo, l), append(b.Hi, h)
	}
	return b
}

// sideOf returns how an array lies along S1.
func (p *Plan) sideOf(a *scop.Array) Side {
	return p.Grid.Arrays[slices.IndexFunc(p.Arrays, func(x Array) bool { return x.Array == a })]
}

// Columns returns the first and the last tile along S1, of all phases and time tiles, at some sizes.
func (p *Plan) Columns(params []int64) (first, last int64) {
	env := p.environment(params)
	for t := affine.Eval(p.TLo, env); t <= affine.Eval(p.THi, env); t++ {
		env[p.T] = t
		for i, ph := range p.Phases {
			lo, hi := affine.Eval(ph.SecondLo, env), affine.Eval(ph.SecondHi, env)
			if i == 0 && t == affine.Eval(p.TLo, env) {
				first, last = lo, hi
			}
			first, last = min(first, lo), max(last, hi)
		}
	}
	return first, last
}

// A Cell is what a rank of a grid has and does, beside what its row has: tiles along S1.
type Cell struct {
	Share
	Row, Column   int
	First1, Last1 int64
}

// Cells returns what each of rows x columns ranks has and does, whose threads run batch tiles at once, in the order of ranks; ok is false where there are too few tiles.
func (p *Plan) Cells(params []int64, rows, columns int, batch int64) (list []Cell, ok bool) {
	shares, ok := p.Shares(params, rows)
	if !ok || shares == nil {
		return nil, ok
	}
	first1, last1 := p.Columns(params)
	all, n := last1-first1+1, int64(columns)
	if n > 1 && n > all/p.Grid.Reach {
		return nil, false
	}
	begin := func(k int64) int64 { return first1 + all/n*k + min(all%n, k) }
	env := p.environment(params)
	lo, hi := affine.Eval(p.TLo, env), affine.Eval(p.THi, env)
	for a, share := range shares {
		for b := range columns {
			c := Cell{Share: share, Row: a, Column: b, First1: begin(int64(b)), Last1: begin(int64(b)+1) - 1}
			if columns > 1 {
				c.Messages, c.Bytes = 0, 0
				count := func(bytes int64) {
					if bytes > 0 {
						c.Messages, c.Bytes = c.Messages+1, c.Bytes+bytes
					}
				}
				for way := range 2 {
					if to := b + 1 - 2*way; to >= 0 && to < columns {
						count(size(p.BesideBoxes(c, way, params, rows)))
					}
				}
				for which := range p.Messages() {
					if to := a + 1 - 2*(which%2); to < 0 || to >= rows {
						continue
					}
					end := hi
					if which < 2 {
						end = lo
					}
					for t := lo; t <= end; t++ {
						count(size(p.StripBoxes(c, which, params, t, rows, columns)))
					}
				}
				for t := lo; t <= hi; t++ {
					for phase := range p.Phases {
						first, last := p.tilesOf(c.Share, phase, params, t)
						for way := range 2 {
							if to := b + 1 - 2*way; to < 0 || to >= columns {
								continue
							}
							for k := int64(0); k <= last-first; k += batch {
								bytes := int64(0)
								for i := k; i <= min(last-first, k+batch-1); i++ {
									bytes += size(p.SlabBoxes(c, 2*phase+way, params, t, p.InOrder(phase, first, last, i)))
								}
								count(bytes)
							}
						}
					}
				}
			}
			list = append(list, c)
		}
	}
	return list, true
}

// InOrder returns the tile that is number k, from 0 on, of those from first to last that a rank runs in a phase: that at the side where strips are sent is the first one, then come those at the other
// side, and at both sides by turns.
func (p *Plan) InOrder(phase int, first, last, k int64) int64 {
	if (k%2 == 0) == (k/2%2 == 0) == (len(p.After[phase].Up) > 0) {
		return last - k/2
	}
	return first + k/2
}

func size(list []Box) (bytes int64) {
	for _, b := range list {
		bytes += b.Bytes()
	}
	return bytes
}

// tilesOf returns the tiles of a phase of time tile t that a share has.
func (p *Plan) tilesOf(s Share, phase int, params []int64, t int64) (first, last int64) {
	env := p.environment(params)
	env[p.T] = t
	return max(s.First, affine.Eval(p.Phases[phase].Lo, env)), min(s.Last, affine.Eval(p.Phases[phase].Hi, env))
}

// SlabBoxes returns what a rank sends up the chain after phase 0, 0, or down, 1; after phase 1, 2 or 3; and so on: of the tile at S0 of a time tile.
func (p *Plan) SlabBoxes(c Cell, which int, params []int64, t, tile int64) (list []Box) {
	border := c.Last1 + 1
	if which%2 == 1 {
		border = c.First1
	}
	rows := p.RowsOf(which / 2)
	for _, s := range p.Grid.Chain[which/2].way(which%2 == 0) {
		p.slabBoxes(s, rows, params, t, tile, border, func(b Box) { list = append(list, b) })
	}
	return list
}

// StripBoxes returns the boxes of message number which that a rank sends: those of its row, less the columns that it does not have.
func (p *Plan) StripBoxes(c Cell, which int, params []int64, t int64, rows, columns int) (list []Box) {
	border := c.Last + 1
	if which%2 == 1 {
		border = c.First
	}
	for _, b := range p.Boxes(which, params, t, border) {
		for i, a := range p.Arrays {
			if d := p.Grid.Arrays[i].Dim; a.Array == b.Array && d >= 0 {
				lo, hi := c.Columns(p, params, i, columns)
				b.Lo[d], b.Hi[d] = max(b.Lo[d], lo), min(b.Hi[d], hi)
			}
		}
		list = append(list, b)
	}
	return list
}

// BesideBoxes returns what a rank sends up or down, 0 or 1, along its row before the first phase.
func (p *Plan) BesideBoxes(c Cell, way int, params []int64, rows int) (list []Box) {
	env := p.environment(params)
	env[p.Grid.Border] = c.Last1 + 1
	if way == 1 {
		env[p.Grid.Border] = c.First1
	}
	column := affine.Eval(p.FirstColumn(), env)
	for i, side := range p.Grid.Arrays {
		if side.Dim < 0 || side.Lo == 0 && side.Hi == 0 {
			continue
		}
		b := Box{Array: p.Arrays[i].Array}
		for d, e := range b.Array.Extents {
			lo, hi := int64(0), affine.Eval(p.Scop().Sum(e, nil), env)-1
			switch {
			case d == p.Arrays[i].Dim:
				lo, hi = c.Rows[i][0], c.Rows[i][1]
			case d == side.Dim && way == 0:
				lo, hi = max(lo, column+side.Lo), min(hi, column-1)
			case d == side.Dim:
				lo, hi = max(lo, column), min(hi, column+side.Hi-1)
			}
			b.Lo, b.Hi = append(b.Lo, lo), append(b.Hi, hi)
		}
		list = append(list, b)
	}
	return list
}

// Columns returns the first and the last subscript, along the second dimension that ranks share out, of what a rank has in memory of an array; Owned of what it owns.
func (c Cell) Columns(p *Plan, params []int64, array, columns int) (lo, hi int64) {
	return c.columns(p, params, array, columns, p.Grid.Arrays[array].Lo, p.Grid.Arrays[array].Hi)
}

// OwnColumns: see Columns.
func (c Cell) OwnColumns(p *Plan, params []int64, array, columns int) (lo, hi int64) {
	return c.columns(p, params, array, columns, 0, 0)
}

func (c Cell) columns(p *Plan, params []int64, array, columns int, before, behind int64) (lo, hi int64) {
	env, d := p.environment(params), p.Grid.Arrays[array].Dim
	hi = affine.Eval(p.Scop().Sum(p.Arrays[array].Array.Extents[d], nil), env) - 1
	env[p.Grid.Border] = c.First1
	if first := affine.Eval(p.FirstColumn(), env); c.Column > 0 {
		lo = max(lo, first+before)
	}
	env[p.Grid.Border] = c.Last1 + 1
	if end := affine.Eval(p.FirstColumn(), env); c.Column < columns-1 {
		hi = min(hi, end-1+behind)
	}
	return lo, hi
}

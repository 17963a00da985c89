package ranks

import (
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/scop"
)

// This file says how ranks are set out in rows and columns, by a model of what a phase takes, and which tiles wait for each other along S0.

// A Cost is what the choice of a grid weighs, in points, for each index along all dimensions of space behind the second one.
type Cost struct {
	Points int64 // of a tile
	Rows   int64 // that the strips of a phase take, for each tile along S1
	Beside int64 // as many tiles along S1 as the columns that a rank has beside its own fill
	Chain  int64 // that the slabs of a tile S0 take
	Near   int64 // tiles along S1 that compute what goes down a chain
}

// byteCost is the points of a stencil that take as long as a byte takes to be packed, sent and unpacked: 0.08 to 0.15 ns, and about 0.2 ns, by docs/mpi.md.
const byteCost = 2

// runCost is the points that take as long as it takes to begin with elements that lie behind each other: 3 ns.
const runCost = 40

// Cost returns the cost of the grid.
func (p *Plan) Cost() (c Cost) {
	c.Near = p.Grid.Near
	for _, ph := range p.Schedule.Phases {
		d := ph.Space[0]
		points := int64(0)
		for a := range d.Lo {
			points += max(0, d.Hi[a]-d.Lo[a]+1)
		}
		c.Points = max(c.Points, points*p.ColumnWidth()*int64(len(p.Scop().Stmts))/int64(p.Schedule.Canonical.K))
	}
	for _, e := range p.After {
		for _, s := range slices.Concat(e.Up, e.Down) {
			lo, hi := s.hull()
			c.Rows += byteCost * max(0, hi-lo+1) * p.ColumnWidth() * int64(s.Array.Elem.Size()) / int64(len(p.After))
		}
	}
	for _, a := range p.Grid.Arrays {
		c.Beside = max(c.Beside, (a.Hi-a.Lo)/p.ColumnWidth())
	}
	for phase, chain := range p.Grid.Chain {
		r := p.RowsOf(phase)
		for _, s := range slices.Concat(chain.Up, chain.Down) {
			for row := range r.From {
				for a := r.From[row]; a <= r.To[row]; a++ {
					if s.Depth >= 0 && a+(s.Depth+1)*r.K <= r.To[row] || (a-r.shift-int64(p.Schedule.Canonical.Levels[s.Stmt.Order]))%r.K != 0 {
						continue
					}
					columns := s.Ahead
					if !s.Up {
						columns = min(s.Near, s.Far-r.Lean[a]) + 1
					}
					if columns > 0 && len(p.Schedule.Phases[phase].Space) == 2 {
						c.Chain += runCost / int64(len(p.Grid.Chain)) // each row of columns is one
					}
					c.Chain += byteCost * max(0, columns) * int64(s.Access.Array.Elem.Size()) / int64(len(p.Grid.Chain))
				}
			}
		}
	}
	return c
}

// SetOut returns how so many ranks are set out in rows and columns, unless the program says it; 0, 0 where they cannot be.
func (p *Plan) SetOut(params []int64, ranks int) (rows, columns int) {
	first, last := p.Tiles(params)
	if first > last {
		return ranks, 1
	}
	first1, last1 := p.Columns(params)
	tiles, tiles1 := last-first+1, last1-first1+1
	env := p.environment(params)
	phases := int64(len(p.Phases)) * (affine.Eval(p.THi, env) - affine.Eval(p.TLo, env) + 1)
	c, best, count := p.Cost(), int64(-1), int64(ranks)
	for k := int64(1); k <= count; k++ {
		r := count / k
		if count%k != 0 || r > tiles || k > 1 && k > tiles1/p.Grid.Reach {
			continue
		}
		n, n1 := (tiles+r-1)/r, (tiles1+k-1)/k
		cost := n * n1 * c.Points
		if k > 1 {
			cost += n*c.Chain + (k-1)*(n1*c.Points+c.Chain)/phases // the last rank of a chain begins so much later
		}
		if k > 1 && n < 3 {
			cost += min(n1, c.Near)*c.Points + c.Chain // nothing else is left to do until the rank behind has sent what goes down
		}
		if r > 1 {
			cost += c.Rows * (n1 + c.Beside)
		}
		if best < 0 || cost < best {
			best, rows, columns = cost, int(r), int(k)
		}
	}
	return rows, columns
}

// waits returns which tiles of the phase before tiles of this one use elements of, by the rows that they have (Grid.Apart).
func (p *Plan) waits(phase int) [2]int64 {
	this, before := p.RowsOf(phase), p.RowsOf((phase+len(p.Phases)-1)%len(p.Phases))
	lo, hi := int64(1), int64(-1)
	for _, a := range p.Arrays {
		if a.Dim < 0 {
			continue
		}
		used, straight := p.offsets(a, false)
		written, straight2 := p.offsets(a, true)
		if !straight || !straight2 {
			return [2]int64{-1, 1}
		}
		for d := int64(-1); d <= 1; d++ {
			for _, x := range used {
				for _, w := range written {
					// rows of a tile at d, and of one at 0
					first, last := d*this.Stride+this.First+x, d*this.Stride+this.First+x+int64(len(this.From))-1
					if first <= before.First+w+int64(len(before.From))-1 && last >= before.First+w {
						lo, hi = min(lo, d), max(hi, d)
					}
				}
			}
		}
	}
	if lo > hi {
		return [2]int64{}
	}
	return [2]int64{lo, hi}
}

// offsets returns what lies between the place along S0 of an instance and the row of an array that it accesses, or writes; straight is false where that is not always a number.
func (p *Plan) offsets(a Array, writes bool) (list []int64, straight bool) {
	for _, st := range p.Scop().Stmts {
		at := p.Schedule.Canonical.Places[st.Order][0]
		for _, x := range st.Accesses {
			if x.Array != a.Array || writes && !x.Write {
				continue
			}
			index := x.Index[a.Dim]
			for i, c := range index.Iters {
				if i == at.Iter && c*at.Sign() != 1 || i != at.Iter && c != 0 {
					return nil, false
				}
			}
			off := p.Scop().Sum(scop.Affine{Const: index.Const, Params: index.Params}, nil).Minus(p.Scop().Sum(at.Shift, nil))
			if at.Iter < 0 || index.Mod > 0 || !off.IsNum() {
				return nil, false
			}
			if !slices.Contains(list, off.Const) {
				list = append(list, off.Const)
			}
		}
	}
	return list, true
}

package schedule

import (
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/poly"
)

// This file is the order of tiles. A tile is its indices [T, phase, S0, ..], as the dimensions of a schedule
// begin. Who must have ended before whom is one thing, and what keeps it is another: launches in turn today. The proof of
// legality reads the relations below, whatever keeps them.

// An Order is a strict partial order of tiles.
type Order struct {
	Before poly.Map // each tile to those that start only when it has ended
	Free   poly.Map // each tile to all others: they may start before it has ended
}

// Launched returns the order that is kept where the host launches the values of Host dimensions in turn, each to its end,
// and each block runs those of Seq dimensions one after the other. Blocks wait for none of their launch, so
// that tiles are in order only if they differ in a Host or Seq dimension first.
func Launched(tile []Dim) Order {
	v := poly.Tuple{Dims: poly.Dims(len(tile))}
	free := notAfter(tile, poly.False())
	return Order{Before: poly.NewMap(nil, v, v, after(tile)), Free: poly.NewMap(nil, v, v, free)}
}

// launched returns the order of the tiles of s where launches keep it, by phase: what one runs in order another one may not.
func (s *Schedule) launched() Order {
	tile := s.Dims[:s.tileDims()]
	if s.Fronts != nil {
		return s.Fronts.order(len(tile))
	}
	if s.Canonical.Sweeps == nil {
		return Launched(tile)
	}
	v := poly.Tuple{Dims: poly.Dims(len(tile))}
	before, free := after(tile[:2]), notAfter(tile[:2], poly.False())
	for phase, ph := range s.Phases {
		own := slices.Clone(tile)
		for i, p := range ph.Nest() {
			own[2+i].Role = ph.Space[p].Role
		}
		here := poly.And(poly.Equal(poly.In(0), poly.Out(0)), poly.Equal(poly.In(1), poly.Out(1)), poly.Equal(poly.In(1), affine.Num(int64(phase))))
		before = poly.Or(before, poly.And(here, after(own)))
		free = poly.Or(free, poly.And(here, notAfter(own, poly.False())))
	}
	return Order{Before: poly.NewMap(nil, v, v, before), Free: poly.NewMap(nil, v, v, free)}
}

// after returns where Out runs after In, two vectors of dims: later in a dimension whose values run in turn, and equal before it.
func after(dims []Dim) poly.Formula {
	cases, equal := poly.False(), poly.True()
	for i, d := range dims {
		x, y := poly.In(i), poly.Out(i)
		if d.Role == Wave {
			return poly.Or(cases, poly.And(equal, noLess(i, len(dims)), further(i, len(dims))))
		}
		if d.Role == Host || d.Role == Seq {
			cases = poly.Or(cases, poly.And(equal, poly.Less(x, y)))
		}
		equal = poly.And(equal, poly.Equal(x, y))
	}
	return cases
}

// notAfter returns where Out differs from In and does not run after it: at the first dimension where they differ the
// order is wrong, or there is none. Where they are equal it holds if same does.
func notAfter(dims []Dim, same poly.Formula) poly.Formula {
	cases, equal := poly.False(), poly.True()
	for i, d := range dims {
		x, y := poly.In(i), poly.Out(i)
		if d.Role == Wave { // Out is less in one of them, or equal in all
			for k := i; k < len(dims); k++ {
				cases = poly.Or(cases, poly.And(equal, poly.Less(poly.Out(k), poly.In(k))))
			}
			for k := i; k < len(dims); k++ {
				equal = poly.And(equal, poly.Equal(poly.In(k), poly.Out(k)))
			}
			break
		}
		cases = poly.Or(cases, poly.And(equal, poly.Less(y, x)))
		if d.Role == Block || d.Role == Thread {
			cases = poly.Or(cases, poly.And(equal, poly.Less(x, y)))
		}
		equal = poly.And(equal, poly.Equal(x, y))
	}
	return poly.Or(cases, poly.And(equal, same))
}

// noLess holds where Out is at least In in each dimension from one on, up to another.
func noLess(from, to int) poly.Formula {
	f := poly.True()
	for i := from; i < to; i++ {
		f = poly.And(f, poly.AtMost(poly.In(i), poly.Out(i)))
	}
	return f
}

// further holds where Out is more than In in one dimension from one on, up to another.
func further(from, to int) poly.Formula {
	f := poly.False()
	for i := from; i < to; i++ {
		f = poly.Or(f, poly.Less(poly.In(i), poly.Out(i)))
	}
	return f
}

// tileDims returns how many of the dimensions of s are the indices of tiles.
func (s *Schedule) tileDims() int { return 2 + len(s.Phases[0].Space) }

// anywhere relates all vectors of so many dimensions.
func anywhere(n int) poly.Map {
	v := poly.Tuple{Dims: poly.Dims(n)}
	return poly.NewMap(nil, v, v)
}

// sameTile relates vectors in one tile of n indices whose other dimensions f relates.
func sameTile(n int, dims []Dim, f poly.Formula) poly.Map {
	tile, step := poly.Tuple{Dims: poly.Dims(n)}, poly.Tuple{Dims: poly.Dims(len(dims))}
	same := poly.True()
	for i := range n {
		same = poly.And(same, poly.Equal(poly.In(i), poly.Out(i)))
	}
	return poly.NewMap(nil, tile, tile, same).FlatProduct(poly.NewMap(nil, step, step, f))
}

// ofTiles relates vectors of s whose tiles m relates.
func (s *Schedule) ofTiles(m poly.Map) poly.Map {
	return m.FlatProduct(anywhere(len(s.Dims) - s.tileDims()))
}

// later relates vectors of s to those that run after them in the same tile.
func (s *Schedule) later() poly.Map {
	n := s.tileDims()
	return sameTile(n, s.Dims[n:], after(s.Dims[n:]))
}

// notLater relates vectors of s to those in the same tile that do not run after them.
func (s *Schedule) notLater() poly.Map {
	n := s.tileDims()
	return sameTile(n, s.Dims[n:], notAfter(s.Dims[n:], poly.True()))
}

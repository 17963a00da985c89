package schedule

import (
	"fmt"
	"math/big"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/poly"
	"github.com/hexcc/hexcc/scop"
)

// This file runs parallelograms (wavefront.go) front by front, which asks nothing of a device but launches and barriers. Tiles of one
// front need none of each other, nor do points of one front of a tile:
//
//	fronts of tiles    N·T + S0 + S1 + ..      a launch for each
//	fronts of points   M·tau + s0 + s1 + ..    one after the other in a block, with a barrier between them
//
// Both are the hyperplanes of Lamport: a tile that another one needs lies in an earlier front, since no tile needs one behind it in its
// time tile, and one of the time tile before at most N - 1 indices further, all dimensions together. M is the least for which the same
// holds of the distances of dependences: for Gauss-Seidel over five points 2, and over nine 4, where s1 = i + j:
//
//	for t, i, j: A[i][j] = f(A[i-1][j], A[i][j-1], A[i+1][j], A[i][j+1])    2*t + i + j
//
// A front has points of all steps of a tile, so that a block has many at a time, whatever its narrowest width.

// Fronts are weights of the sums by which tiles, and the points of a tile, run in turn. What has the same sum runs in any order.
type Fronts struct {
	Tiles  int64 // N, of T; each of S0, S1, .. has 1
	Points int64 // M, of tau; each of s0, s1, .. has 1
}

// TileFronts returns parallelograms as Wavefront does, whose tiles and points run front by front. They lean by whole numbers of points,
// at least by the slopes of the cone.
func TileFronts(c *Canonical, cone Cone, deps []Dependence, sizes Sizes) (*Schedule, error) {
	s, err := FrontTiles(c, cone, sizes)
	if err != nil {
		return nil, err
	}
	if s.Fronts, err = leastFronts(s, deps); err != nil {
		return nil, err
	}
	s.Dims = s.dims()
	s.Relate()
	return s, nil
}

// leastFronts returns the least weights by which tiles of s, which FrontTiles returned, and their points may run in turn.
func leastFronts(s *Schedule, deps []Dependence) (*Fronts, error) {
	points, err := s.Canonical.pointFront(deps)
	return &Fronts{s.tileFront(), points}, err
}

// FrontTiles returns TileFronts less its Fronts and its Map: what it takes to count.
func FrontTiles(c *Canonical, cone Cone, sizes Sizes) (*Schedule, error) {
	whole := cone
	whole.Lo, whole.Ordered = nil, cone.Ordered
	whole.Hi = make([]*big.Rat, len(cone.Lo)) // tiles of a time tile depend on those before them
	for _, lo := range cone.Lo {
		x := mustSlope(lo)
		whole.Lo = append(whole.Lo, big.NewRat(ceilDiv(x.num, x.den), 1))
	}
	s, err := parallelograms(c, whole, sizes)
	if err != nil {
		return nil, err
	}
	s.Phases[0].Space[0].Role = Seq // it follows from the front and the others
	for p := range s.Phases[0].Space[1:] {
		s.Phases[0].Space[1+p].Role = Block
	}
	return s, nil
}

// tileFront returns by how much at least the front of tiles has to grow with each time tile.
func (s *Schedule) tileFront() int64 {
	n, some := bounds{s, s.Cone, nil, map[phasePair]answer{}}.needs(0, 0, 1)
	weight := int64(1)
	for p := range n.lo {
		if some {
			weight += max(0, -n.lo[p])
		}
	}
	return weight
}

// pointFront returns the least weight of tau with which each dependence of a later tau goes to a later front.
func (c *Canonical) pointFront(deps []Dependence) (weight int64, err error) {
	weight = 1
	err = poly.Limited(func() error {
		for _, d := range deps {
			m := d.Map.Intersect(c.tauRelation(d, poly.AtMost, 1))
			if m.IsEmpty() {
				continue
			}
			m = m.Intersect(c.tauRelation(d, poly.AtMost, c.shortest(d)))
			behind := negated(c.distance(d, 0))
			for p := range c.Space[1:] {
				behind = plus(behind, c.distance(d, 1+p), -1)
			}
			behind.Const++
			switch most, ok := m.MaxRatio(behind, c.distance(d, -1)); {
			case !ok:
				panic(fmt.Sprintf("schedule: no weight of tau bounds a distance that slopes do: %v", d.Map))
			case most != nil && most.Sign() > 0:
				least := mustSlope(most)
				weight = max(weight, ceilDiv(least.num, least.den))
			}
		}
		return nil
	})
	return weight, err
}

// wave returns the wave of a point [tau, s0, ..].
func (f *Fronts) wave(v []affine.Sum) affine.Sum {
	sum := v[0].Times(f.Points)
	for _, s := range v[1:] {
		sum = sum.Plus(s)
	}
	return sum
}

// WaveOf returns the wave in which an instance of st runs that lies at those places of space, of a schedule that has fronts.
func (s *Schedule) WaveOf(st *scop.Stmt, iters, space []affine.Sum) affine.Sum {
	return s.Fronts.wave(append([]affine.Sum{s.Canonical.tau(st, iters[0])}, space...))
}

// TileFront returns the front of a tile with those indices.
func (f *Fronts) TileFront(T affine.Sum, tiles ...affine.Sum) affine.Sum {
	sum := T.Times(f.Tiles)
	for _, S := range tiles {
		sum = sum.Plus(S)
	}
	return sum
}

// order returns the order of n dimensions of tiles, [T, phase, S0, ..] in any order of those of space.
func (f *Fronts) order(n int) Order {
	v := poly.Tuple{Dims: poly.Dims(n)}
	x, y := poly.Ins(n), poly.Outs(n)
	from, to := f.TileFront(x[0], x[2:]...), f.TileFront(y[0], y[2:]...)
	free := poly.False()
	for i := range n {
		free = poly.Or(free, poly.And(poly.AtMost(to, from), poly.Less(x[i], y[i])), poly.And(poly.AtMost(to, from), poly.Less(y[i], x[i])))
	}
	return Order{Before: poly.NewMap(nil, v, v, poly.Less(from, to)), Free: poly.NewMap(nil, v, v, free)}
}

// dims returns the dimensions of a schedule whose tiles and points run in fronts.
func (f *Fronts) dims(s *Schedule) []Dim {
	dims := []Dim{{"T", Block}, {"phase", Host}}
	for i := range s.Phases[0].Space {
		d := s.tileDim(i)
		d.Role = Block
		dims = append(dims, d)
	}
	dims = append(dims, Dim{"wave", Seq})
	for _, d := range s.Canonical.inTile() {
		if d.Name != "nest" {
			d.Role = Thread
		}
		dims = append(dims, d)
	}
	return dims
}

// Text says in a line each how tiles and points run, as in
//
//	tiles run by 3*T + S0 + S1, the least first, and those with the same at once
//	points of a tile run by 2*tau + s0 + s1, the least first, and those with the same at once
func (f *Fronts) Text(space []string) string {
	tiles, points := affine.Var("T").Times(f.Tiles), affine.Var("tau").Times(f.Points)
	order := []string{"T"}
	for _, s := range space {
		tiles, points = tiles.Plus(affine.Var("S"+s[1:])), points.Plus(affine.Var(s))
		order = append(order, "S"+s[1:])
	}
	return fmt.Sprintf("tiles run by %s, the least first, and those with the same at once\npoints of a tile run by %s, the least first, and those with the same at once\n",
		tiles.Text(order), points.Text(append([]string{"tau"}, space...)))
}

package schedule

import (
	"fmt"
	"slices"
	"strings"
)

// This file is sections 3.4 and 3.5 of the paper: classical tiles in all space
// dimensions but the first, and their combination with hexagons,
//
//	[tau, s0, .., sn] -> [T, phase, S0, S1, .., Sn, tau, s0, .., sn]
//
// with a rank behind tau where statements of one tau and place depend on each other.

// Hybrid returns the hybrid hexagonal/classical schedule of c for a cone that
// holds its dependences. It fails with a diag.List where sizes are not legal.
func Hybrid(c *Canonical, cone Cone, sizes Sizes) (*Schedule, error) {
	y, err := newHybrid(c, cone, sizes)
	if err != nil {
		return nil, err
	}
	return y.schedule(), nil
}

// HybridTiles returns Hybrid less its Map, which takes most of the time: what
// it takes to count.
func HybridTiles(c *Canonical, cone Cone, sizes Sizes) (*Schedule, error) {
	y, err := newHybrid(c, cone, sizes)
	if err != nil {
		return nil, err
	}
	return y.tiles(), nil
}

func newHybrid(c *Canonical, cone Cone, sizes Sizes) (hybrid, error) {
	if err := CheckSizes(c, cone, sizes); err != nil {
		return hybrid{}, err
	}
	return assemble(c, cone, sizes), nil
}

// assemble returns the tiling of sizes that have been checked.
func assemble(c *Canonical, cone Cone, sizes Sizes) hybrid {
	y := hybrid{c: c, cone: cone, sizes: sizes, moved: [2][]int64{sizes.Start, sizes.Start}}
	for i := range c.Space {
		y.lo = append(y.lo, mustSlope(cone.Lo[i]))
	}
	y.hex = newHexagon(mustSlope(cone.Hi[0]), y.lo[0], sizes.H, sizes.W[0])
	for phase := range y.hex.Moved {
		y.hex.Moved[phase].s0 = coef(sizes.Start, 0)
	}
	return y
}

// A hybrid is a hybrid tiling under construction.
type hybrid struct {
	c     *Canonical
	cone  Cone
	sizes Sizes
	lo    []slope // slopes below, by space dimension
	hex   hexagon
	// moved is, by phase and space dimension, how far the tiles are moved from
	// where they start without; nil: nowhere. In dimension 0 hex knows.
	moved [2][]int64
}

// phases are the phases in launch order.
var phases = []int{0, 1}

// tiles returns the tiling tile by tile.
func (y hybrid) tiles() *Schedule {
	s := &Schedule{
		Canonical: y.c, Cone: y.cone, Scheme: "hybrid hexagonal/classical", Sizes: y.sizes,
		Height: y.hex.Height,
	}
	for _, phase := range phases {
		s.Phases = append(s.Phases, y.phase(phase))
	}
	s.Dims = s.dims()
	return s
}

// schedule returns the tiling tile by tile, and as a relation.
func (y hybrid) schedule() *Schedule {
	s := y.tiles()
	s.Relate()
	return s
}

// dims returns the dimensions of the schedule, those of tiles as a phase has them: the points of a time step are parallel.
func (s *Schedule) dims() []Dim {
	if s.Fronts != nil {
		return s.Fronts.dims(s)
	}
	dims := []Dim{{"T", Host}, {"phase", Host}}
	for i := range s.Phases[0].Space {
		dims = append(dims, s.tileDim(i))
	}
	if s.Stream() != nil {
		dims = append(dims, Dim{"plane", Seq})
	}
	return append(dims, s.Canonical.inTile()...)
}

// tileDim returns the i-th index of tiles within a phase: by the names that phases have for it, in order if it is so in any of them.
func (s *Schedule) tileDim(i int) (dim Dim) {
	for _, ph := range s.Phases {
		d := ph.Space[ph.Nest()[i]]
		if !slices.Contains(strings.Split(dim.Name, "/"), d.Tile) {
			dim.Name = strings.TrimPrefix(dim.Name+"/"+d.Tile, "/")
		}
		dim.Role = max(dim.Role, d.Role)
	}
	return dim
}

// phase returns the tiles of a phase.
func (y hybrid) phase(phase int) Phase {
	ph := Phase{TimeShift: y.hex.timeShift(phase), Space: []TileDim{y.hexagonal(phase)}}
	for i := range y.c.Space[1:] {
		ph.Space = append(ph.Space, y.classical(phase, i+1))
	}
	return ph
}

// hexagonal returns the tiles of space dimension 0: S0 of (3) and (5), solved for s0.
func (y hybrid) hexagonal(phase int) TileDim {
	d := TileDim{
		Tile: "S0", Point: y.c.Space[0], Role: Block,
		Stride: y.hex.Width, Drift: -y.hex.Drift, Offset: -y.hex.spaceShift(phase),
	}
	return d.between(y.hex.Height, y.hex.sides()...)
}

// classical returns the tiles of space dimension i: (14), S_i = ⌊(s_i + δ1_i·t')/w_i⌋, solved
// for s_i: 0 <= s_i - w_i·S_i + δ1_i·t' < w_i. The local time t' of (15) and (16) is the step a, whatever the phase.
// Where the cone is closed on both sides the tiles are boxes, none of which needs another: they run in any order.
func (y hybrid) classical(phase, i int) TileDim {
	w, skew := y.sizes.W[i], y.lo[i]
	d := TileDim{Tile: fmt.Sprint("S", i), Point: y.c.Space[i], Role: Seq, Stride: w, Offset: coef(y.moved[phase], i)}
	if hi := y.cone.Hi[i]; skew.num == 0 && hi != nil && hi.Sign() == 0 {
		d.Role = Block
	}
	return d.between(y.hex.Height,
		HalfPlane{A: skew.num, B: skew.den},
		HalfPlane{A: -skew.num, B: -skew.den, C: skew.den*w - 1})
}

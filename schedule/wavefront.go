package schedule

import (
	"fmt"
	"math/big"
)

// This file tiles with parallelograms alone: classical tiles in all dimensions of space, which lean by the slopes below, and do so anew
// in each time tile. No tile depends on one behind it in any dimension, so that they could run in lexicographic order; a chain runs
// those along the last dimensions, and waits for the one before it in its time tile, and some of the time tile before (GPUs run them front by front: fronts.go):
//
//	[tau, s0, .., sn] -> [T, 0, S0, .., Sn, tau, s0, .., sn]     S_p = ⌊(s_p + δ1_p·a)/w_p⌋,  a = tau - Height·T
//
// It needs no slopes above, so that it is the tiling of programs whose points of one tau depend on each other (skew.go). At the first
// time tile one chain runs, then two: all cores have work once there are as many chains as cores. Hexagons begin with all.

// Wavefront returns the tiling of c by parallelograms whose chains wait for each other, for a cone that holds its
// dependences. It fails with a diag.List where sizes are not legal.
func Wavefront(c *Canonical, cone Cone, sizes Sizes) (*Schedule, error) {
	return Plan{}.Wavefront(c, cone, sizes)
}

// wavefront is Wavefront. why says why no waits keep tiles in the order of their cone; "": they do.
func wavefront(c *Canonical, cone Cone, sizes Sizes) (s *Schedule, why string, err error) {
	if s, err = parallelograms(c, cone, sizes); err != nil {
		return nil, "", err
	}
	s.Dims = s.dims()
	s.Relate()
	chains, why := waitsOf(s)
	if why == "" {
		s.Wait(chains)
	}
	return s, why, nil
}

// waitsOf returns how chains of parallelograms wait for each other. why says why no waits keep tiles in the order of their cone; "": they do.
func waitsOf(s *Schedule) (c Chains, why string) {
	open := Cone{Lo: s.Cone.Lo, Hi: make([]*big.Rat, len(s.Cone.Lo))} // tiles of a time tile depend on those before them
	return tryChains(s, open, Chains{Blocks: 1, Along: true})
}

// FarthestWait returns how many tiles along the first dimension lie between a parallelogram of those sizes and the furthest of the time tile before that it waits for; ok is false where no such waits are found.
func FarthestWait(c *Canonical, cone Cone, sizes Sizes) (tiles int64, ok bool) {
	s, err := parallelograms(c, cone, sizes)
	if err != nil {
		return 0, false
	}
	s.Dims = s.dims()
	waits, why := waitsOf(s)
	if why != "" {
		return 0, false
	}
	return -waits.Steps[0].Lo[0], true
}

// Lean returns how many points parallelograms of those sizes lean along the first dimension, from their first step to their last one.
func Lean(cone Cone, sizes Sizes) int64 {
	lean := mustSlope(cone.Lo[0])
	return ceilDiv(lean.num*(2*sizes.H+1), lean.den)
}

// parallelogramScheme is the name of the scheme.
const parallelogramScheme = "wavefront of parallelograms"

// parallelograms returns the tiles of Wavefront.
func parallelograms(c *Canonical, cone Cone, sizes Sizes) (*Schedule, error) {
	if err := CheckWavefront(c, cone, sizes); err != nil {
		return nil, err
	}
	s := &Schedule{Canonical: c, Cone: cone, Scheme: parallelogramScheme, Sizes: sizes, Height: 2*sizes.H + 2}
	ph := Phase{}
	for i, w := range sizes.W {
		lean := mustSlope(cone.Lo[i])
		d := TileDim{Tile: fmt.Sprint("S", i), Point: c.Space[i], Role: Seq, Stride: w}
		if i == 0 {
			d.Role = Block
		}
		ph.Space = append(ph.Space, d.between(s.Height,
			HalfPlane{A: lean.num, B: lean.den},
			HalfPlane{A: -lean.num, B: -lean.den, C: lean.den*w - 1}))
	}
	s.Phases = []Phase{ph}
	return s, nil
}

// CheckWavefront returns nil where sizes make parallelograms, and otherwise a diag.List that names the nearest sizes that do.
func CheckWavefront(c *Canonical, cone Cone, sizes Sizes) error {
	return checkSizes(c, cone, sizes, func(Cone, int64) int64 { return 1 })
}

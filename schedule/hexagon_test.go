package schedule

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A distance is (dt, ds).
type distance struct{ t, s int64 }

// slopesOf returns δ0 and δ1 of the distances by their definition.
func slopesOf(ds []distance) (delta0, delta1 slope) {
	hi, lo := new(big.Rat), new(big.Rat)
	for _, d := range ds {
		if r := big.NewRat(d.s, d.t); r.Cmp(hi) > 0 {
			hi = r
		}
		if r := big.NewRat(-d.s, d.t); r.Cmp(lo) > 0 {
			lo = r
		}
	}
	delta0, _ = slopeOf(hi)
	delta1, _ = slopeOf(lo)
	return delta0, delta1
}

// timeTileOf is (2) for phase 0, (4) for phase 1.
func (g hexagon) timeTileOf(phase int, t int64) int64 {
	return floorDiv(t+g.timeShift(phase), g.Height)
}

// spaceTileOf is (3) for phase 0, (5) for phase 1.
func (g hexagon) spaceTileOf(phase int, T, s0 int64) int64 {
	return floorDiv(s0+g.spaceShift(phase)+T*g.Drift, g.Width)
}

// A tile names a tile of a phase.
type tile struct {
	T     int64
	Phase int
	S0    int64
}

// before reports whether x runs wholly before y: tiles of one T and phase run at once.
func (x tile) before(y tile) bool {
	return x.T < y.T || x.T == y.T && x.Phase < y.Phase
}

// points returns the number of points of a tile.
func (g hexagon) points() int64 {
	var n int64
	for a := range g.Height {
		lo, hi := rowOf(g.sides(), a)
		n += max(0, hi-lo+1)
	}
	return n
}

// A shape is a hexagon with its rows at hand.
type shape struct {
	hexagon
	lo, hi []int64 // by step
}

func shapeOf(g hexagon) shape {
	s := shape{hexagon: g}
	for a := range g.Height {
		lo, hi := rowOf(g.sides(), a)
		s.lo, s.hi = append(s.lo, lo), append(s.hi, hi)
	}
	return s
}

// tile returns the tile that holds (t, s0), and how many do.
func (g shape) tile(t, s0 int64) (at tile, count int) {
	for phase := range 2 {
		T := g.timeTileOf(phase, t)
		S0 := g.spaceTileOf(phase, T, s0)
		a := t + g.timeShift(phase) - g.Height*T
		b := s0 + g.spaceShift(phase) + g.Drift*T - g.Width*S0
		if g.lo[a] <= b && b <= g.hi[a] {
			at = tile{T, phase, S0}
			count++
		}
	}
	return at, count
}

// fault looks for a point that is not in exactly one tile, or a dependence
// that the order of the tiles reverses, in a window around several periods.
// The tiling repeats by (Height, -Drift) and (0, Width), so it suffices that
// sources fill one period.
func fault(h hexagon, ds []distance) string {
	g := shapeOf(h)
	for t := int64(-1); t < g.Height-1; t++ {
		for s := int64(-2); s < g.Width-2; s++ {
			src, count := g.tile(t, s)
			if count != 1 {
				return fmt.Sprintf("(%d, %d) lies in %d tiles", t, s, count)
			}
			for _, d := range ds {
				dst, count := g.tile(t+d.t, s+d.s)
				if count != 1 || src != dst && !src.before(dst) {
					return fmt.Sprintf("(%d, %d) in %v -> (%d, %d) in %d tiles such as %v", t, s, src, t+d.t, s+d.s, count, dst)
				}
			}
		}
	}
	return ""
}

// randomDistances returns 1 to 4 distances with 1 <= dt <= 3 and -4 <= ds <= 4.
func randomDistances(rng *rand.Rand) []distance {
	ds := make([]distance, 1+rng.IntN(4))
	for i := range ds {
		ds[i] = distance{1 + rng.Int64N(3), rng.Int64N(9) - 4}
	}
	return ds
}

// inCone returns the integer distances of the cone with dt <= limit, those
// that a chain of dependences might have.
func inCone(delta0, delta1 slope, limit int64) (ds []distance) {
	for t := int64(1); t <= limit; t++ {
		for s := -delta1.floorMul(t); s <= delta0.floorMul(t); s++ {
			ds = append(ds, distance{t, s})
		}
	}
	return ds
}

// TestHexagonsPartitionThePlane checks exact cover and legality by brute force,
// at the bound of w0 in half the cases and just above it in the others.
func TestHexagonsPartitionThePlane(t *testing.T) {
	const sets, workers = 20000, 4
	var wait sync.WaitGroup
	for worker := range workers {
		wait.Go(func() {
			rng := rand.New(rand.NewPCG(1, uint64(worker)))
			for range sets / workers {
				ds := randomDistances(rng)
				delta0, delta1 := slopesOf(ds)
				h := rng.Int64N(6)
				w0 := minW0(delta0, delta1, h) + max(0, rng.Int64N(9)-4)
				g := newHexagon(delta0, delta1, h, w0)
				if !assert.Empty(t, fault(g, ds), "%v h=%d w0=%d", ds, h, w0) {
					return
				}
			}
		})
	}
	wait.Wait()
}

// TestHexagonsHoldTheCone checks that a tiling is legal for each distance of
// the cone, whether or not it is a dependence: the proofs lean on this.
func TestHexagonsHoldTheCone(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		ds := randomDistances(rng)
		delta0, delta1 := slopesOf(ds)
		h := rng.Int64N(5)
		g := newHexagon(delta0, delta1, h, minW0(delta0, delta1, h))
		require.Empty(t, fault(g, inCone(delta0, delta1, g.Height+2)), "%v h=%d", ds, h)
	}
}

// TestRowsAreTheHexagon checks the rows against the inequalities of the paper
// as it prints them, in rationals.
func TestRowsAreTheHexagon(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	rat := func(n int64) *big.Rat { return big.NewRat(n, 1) }
	le := func(x, y *big.Rat) bool { return x.Cmp(y) <= 0 }
	sum := func(xs ...*big.Rat) *big.Rat {
		s := new(big.Rat)
		for _, x := range xs {
			s.Add(s, x)
		}
		return s
	}
	mul := func(s slope, x int64) *big.Rat { return big.NewRat(s.num*x, s.den) }
	for range 200 {
		d0, d1 := slopesOf(randomDistances(rng))
		h := rng.Int64N(5)
		g := newHexagon(d0, d1, h, minW0(d0, d1, h)+rng.Int64N(3))
		for a := range g.Height {
			lo, hi := rowOf(g.sides(), a)
			for b := range g.Width {
				left := sum(mul(d0, a), rat(-b))
				right := sum(mul(d1, a), rat(b))
				want := le(left, sum(mul(d0, 2*h+1), rat(-g.F0))) && // (6)
					le(right, sum(mul(d1, 2*h+1), rat(g.F0+g.W0))) && // (8)
					le(sum(mul(d1, h), big.NewRat(1-d1.den, d1.den)), right) && // (10)
					le(sum(mul(d0, h), rat(-g.F0-g.W0-g.F1), big.NewRat(1-d0.den, d0.den)), left) // (12)
				require.Equal(t, want, lo <= b && b <= hi, "%+v a=%d b=%d", g, a, b)
			}
		}
	}
}

// misprinted returns g with equation (3) as the report prints it.
func misprinted(g hexagon) hexagon {
	g.Shift = g.F1 + g.W0 + 1
	return g
}

func TestMisprintFailsOnAsymmetricStencils(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	asymmetric := 0
	for range 500 {
		ds := randomDistances(rng)
		delta0, delta1 := slopesOf(ds)
		h := rng.Int64N(6)
		g := newHexagon(delta0, delta1, h, minW0(delta0, delta1, h))
		bad := fault(misprinted(g), ds)
		if g.F0 == g.F1 {
			require.Empty(t, bad)
			continue
		}
		asymmetric++
		require.NotEmpty(t, bad, "%v h=%d", ds, h)
	}
	assert.Greater(t, asymmetric, 100)
}

// TestBelowTheBound checks that w0 is bounded for a reason: one less fails for
// some stencils, though not for all.
func TestBelowTheBound(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	failed := 0
	for range 500 {
		delta0, delta1 := slopesOf(randomDistances(rng))
		h := rng.Int64N(6)
		if w0 := minW0(delta0, delta1, h); w0 > 0 {
			g := newHexagon(delta0, delta1, h, w0-1)
			if fault(g, inCone(delta0, delta1, g.Height+2)) != "" {
				failed++
			}
		}
	}
	assert.Greater(t, failed, 100)
}

// TestUnclampedSlopeFails checks the gap that clamping closes: all
// dependences lean one way, and the other slope is taken as it comes.
func TestUnclampedSlopeFails(t *testing.T) {
	failed := 0
	for h := range int64(5) {
		for lean := int64(1); lean <= 3; lean++ {
			g := newHexagon(slope{lean, 1}, slope{-lean, 1}, h, lean+1)
			if g.Width < 1 || fault(g, []distance{{1, lean}}) != "" {
				failed++
			}
		}
	}
	assert.Positive(t, failed)
}

func TestPaperNumbers(t *testing.T) {
	one := slope{1, 1}
	assert.EqualValues(t, 36, newHexagon(one, one, 2, 3).points())
	for h := range int64(6) {
		for w0 := range int64(6) {
			assert.Equal(t, 2*(h+1)*(h+1+w0), newHexagon(one, one, h, w0).points())
		}
	}
	delta0, delta1 := slopesOf([]distance{{1, -2}, {2, 2}})
	assert.Equal(t, slope{1, 1}, delta0)
	assert.Equal(t, slope{2, 1}, delta1)
	assert.EqualValues(t, 1, minW0(delta0, delta1, 2))
	assert.EqualValues(t, 42, newHexagon(delta0, delta1, 2, 3).points())

	delta0, delta1 = slopesOf([]distance{{2, 1}, {3, -1}})
	assert.Equal(t, slope{1, 2}, delta0)
	assert.Equal(t, slope{1, 3}, delta1)
}

// TestTilesHaveEqualSize checks that the points of a tile are its share of the plane.
func TestTilesHaveEqualSize(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	for range 500 {
		d0, d1 := slopesOf(randomDistances(rng))
		h := rng.Int64N(8)
		g := newHexagon(d0, d1, h, minW0(d0, d1, h)+rng.Int64N(4))
		require.Equal(t, g.Height*g.Width, 2*g.points())
	}
}

func FuzzHexagon(f *testing.F) {
	f.Add(uint64(1), uint8(2), uint8(3))
	f.Add(uint64(99), uint8(5), uint8(0))
	f.Fuzz(func(t *testing.T, seed uint64, h, extra uint8) {
		ds := randomDistances(rand.New(rand.NewPCG(seed, seed)))
		delta0, delta1 := slopesOf(ds)
		height := int64(h % 12)
		w0 := minW0(delta0, delta1, height) + int64(extra%12)
		g := newHexagon(delta0, delta1, height, w0)
		if bad := fault(g, ds); bad != "" {
			t.Fatalf("%v h=%d w0=%d: %s", ds, height, w0, bad)
		}
	})
}

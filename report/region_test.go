package report

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// instances lists the iterators of all instances of s with iterators from -2 to
// 14, by trying each point on each row.
func instances(s *scop.Stmt, values []int64) (all [][]int64) {
	var try func(prefix []int64)
	try = func(prefix []int64) {
		if len(prefix) < len(s.Iters) {
			for x := int64(-2); x <= 14; x++ {
				try(append(prefix[:len(prefix):len(prefix)], x))
			}
			return
		}
		for _, row := range s.Bounds {
			if affineAt(row, prefix, values) < 0 {
				return
			}
		}
		all = append(all, prefix)
	}
	try(nil)
	return all
}

func affineAt(e scop.Affine, iters, params []int64) int64 {
	v := value(e, params)
	for i, c := range e.Iters {
		v += c * iters[i]
	}
	return v
}

// vectorAt is the place of an instance in the canonical space.
func vectorAt(c *schedule.Canonical, stmt int, iters, params []int64) []int64 {
	v := []int64{int64(c.K)*iters[0] + int64(c.Levels[stmt])}
	for _, at := range c.Places[stmt] {
		s := value(at.Shift, params)
		if at.Iter >= 0 {
			s += at.Sign() * iters[at.Iter]
		}
		v = append(v, s)
	}
	return v
}

// TestRegion compares regions with the places of all instances.
func TestRegion(t *testing.T) {
	for name, sizes := range sizesOf {
		p := products(t, name, sizes)
		given := map[string]int64{}
		var values []int64
		for i, x := range p.Scop.Params {
			given[x.Name] = int64(5 + i)
			values = append(values, int64(5+i))
		}
		r := regionOf(p.Schedule, given)
		want := map[[2]int64]bool{}
		for i, s := range p.Scop.Stmts {
			for _, iters := range instances(s, values) {
				v := vectorAt(p.Space, i, iters, values)
				want[[2]int64{v[0], v[1]}] = true
				require.True(t, r.domain.has(v[0], v[1]), name)
			}
		}
		require.NotEmpty(t, want)
		for tau := int64(-4); tau < 64; tau++ {
			for s := int64(-4); s < 16; s++ {
				require.Equal(t, want[[2]int64{tau, s}], r.in(tau, s), "%s: (%d, %d)", name, tau, s)
			}
		}
	}
}

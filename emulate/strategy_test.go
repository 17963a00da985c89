package emulate_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/emulate"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/schedule"
)

// TestStrategies verifies every case under every use of shared memory on a grid
// where a full tile follows a full tile, and on one a little larger.
func TestStrategies(t *testing.T) {
	cases(t, func(t *testing.T, name string, p plan) {
		sizes := p.moving(t)
		for _, st := range gpu.Strategies() {
			r := p.requestWith(t, sizes, gpu.Options{Strategy: st})
			some, ok := r.Typical(func(params []int64) []int64 { return params })
			require.True(t, ok, st)
			if len(sizes.W) > 1 && (st == gpu.Moved || st == gpu.Static) {
				require.Positive(t, some.After, st)
			}
			grids := []int64{0, 1}
			if len(sizes.W) > 2 {
				grids = grids[:1] // they take long
			}
			for _, more := range grids {
				size := emulate.Size{}
				for i, v := range r.Program.Scop.Params {
					if size[v.Name] = some.Params[i]; i > 0 {
						size[v.Name] += more
					}
				}
				r.Sizes = append(r.Sizes, size)
			}
			v, err := emulate.Verify(r)
			require.NoError(t, err)
			require.True(t, v.OK(), "%v: %v", st, v)
			instances := int64(0)
			for _, x := range v.Trials {
				instances += x.Report.Expected
				for _, b := range x.Report.Branches {
					if b.Note == gpu.FullTile {
						require.Positive(t, b.Then)
					}
				}
			}
			t.Logf("%v: %d instances, %d full tiles, %d after one", st, instances, some.Full, some.After)
		}
	})
}

// moving returns the least sizes of few points at which a full tile moves what
// the one before left: in narrower tiles a row would be moved onto itself.
func (p plan) moving(t *testing.T) schedule.Sizes {
	s := p.tiny()
	last := len(s.W) - 1
	for last > 0 {
		r := p.requestWith(t, s, gpu.Options{Strategy: gpu.Moved})
		if _, n := edited(r.Program, -1, afterFull, nil); n > 0 {
			break
		}
		s.W[last]++
		require.Less(t, s.W[last], int64(32))
	}
	return s
}

// afterFull selects what a full tile does after a full tile.
func afterFull(x place) bool {
	n, ok := x.node().(gpu.If)
	return ok && n.Note == gpu.AfterFull
}

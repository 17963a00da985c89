package schedule

import (
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestChainsAreLegal finds the waits of every case, and proves legality by the order that they keep.
func TestChainsAreLegal(t *testing.T) {
	programs := cases(t)
	for _, name := range slices.Sorted(maps.Keys(programs)) {
		p := programs[name]
		t.Run(name, func(t *testing.T) {
			deps, c, cone := analyze(t, p)
			for _, sizes := range someSizes(c, cone) {
				s, err := Hybrid(c, cone, sizes)
				require.NoError(t, err)
				chains, ok := FindChains(s, cone, 1)
				require.True(t, ok, sizes)
				start := time.Now()
				s.Wait(chains)
				legality := ProveLegality(s, deps)
				assert.True(t, legality.Holds, "%v: %v\n%s", sizes, legality, chains.Text(s.Dims[:s.tileDims()]))
				waits := ProveWaits(s, chains)
				assert.True(t, waits.Holds, "%v: %v\n%s", sizes, waits, chains.Text(s.Dims[:s.tileDims()]))
				t.Logf("%v: %v\n%s", sizes, time.Since(start).Round(10*time.Microsecond), chains.Text(s.Dims[:s.tileDims()]))
			}
		})
	}
}

// TestChainsWaitForNoMore makes each wait of some cases shorter in each way that there is: dependences are then out of order.
func TestChainsWaitForNoMore(t *testing.T) {
	programs := cases(t)
	for _, name := range []string{"jacobi-1d", "jacobi-2d", "asymmetric", "fdtd-2d", "heat-3d"} {
		deps, c, cone := analyze(t, programs[name])
		for _, sizes := range someSizes(c, cone)[:2] {
			s, err := Hybrid(c, cone, sizes)
			require.NoError(t, err)
			chains, ok := FindChains(s, cone, 1)
			require.True(t, ok)
			tile := s.Dims[:s.tileDims()]
			for i := range chains.Steps {
				for what, spoil := range map[string]func(w *Wait){
					"first": func(w *Wait) { w.Lo[0]++ }, "last": func(w *Wait) { w.Hi[0]-- }, "lag": func(w *Wait) { w.Lag-- },
				} {
					if what == "lag" && len(tile) == 2+chains.Blocks {
						continue
					}
					short := chains.clone()
					spoil(&short.Steps[i])
					s.Order = short.Order(tile)
					assert.False(t, ProveLegality(s, deps).Holds, "%s %v %s\n%s", name, sizes, what, short.Text(tile))
				}
			}
		}
	}
}

// clone returns c with waits of its own.
func (c Chains) clone() Chains {
	c.Steps = slices.Clone(c.Steps)
	for i := range c.Steps {
		c.Steps[i].Lo, c.Steps[i].Hi = slices.Clone(c.Steps[i].Lo), slices.Clone(c.Steps[i].Hi)
	}
	return c
}

// TestChainsOrder compares the order of waits with what waiting does: on small grids of tiles, a tile is before another one just if
// waits and the order of chains lead from one to the other. What is free is the rest.
func TestChainsOrder(t *testing.T) {
	block, seq := Dim{Role: Block}, Dim{Role: Seq}
	for _, x := range []struct {
		chains Chains
		tile   []Dim
	}{
		{Chains{1, []Wait{{1, 1, []int64{0}, []int64{1}, 1}, {0, 0, []int64{-1}, []int64{0}, 2}}, false}, []Dim{{}, {}, block, seq}},
		{Chains{1, []Wait{{1, 1, []int64{0}, []int64{1}, 0}, {0, 0, []int64{-1}, []int64{0}, 0}}, false}, []Dim{{}, {}, block}},
		{Chains{1, []Wait{{0, 1, []int64{-1}, []int64{2}, 1}}, false}, []Dim{{}, {}, block, seq, seq}},
		{Chains{2, []Wait{{0, 1, []int64{-1, 0}, []int64{1, 1}, 0}}, false}, []Dim{{}, {}, block, block}},
		{Chains{1, []Wait{{2, 1, []int64{0}, []int64{0}, 0}, {0, 0, []int64{-1}, []int64{1}, 1}, {1, 0, []int64{0}, []int64{1}, 0}}, false}, []Dim{{}, {}, block, seq}},
		{Chains{1, []Wait{{0, 1, []int64{-1}, []int64{0}, 1}}, true}, []Dim{{}, {}, block, seq}},
		{Chains{1, []Wait{{0, 1, []int64{-2}, []int64{0}, 0}}, true}, []Dim{{}, {}, block}},
		{Chains{1, []Wait{{1, 1, []int64{0}, []int64{0}, 2}, {0, 0, []int64{-1}, []int64{0}, 0}}, true}, []Dim{{}, {}, block, seq}},
	} {
		o, n := x.chains.Order(x.tile), len(x.tile)
		before, free, direct := o.Before.Wrap(), o.Free.Wrap(), x.chains.Direct(x.tile).Wrap()
		tiles := gridOf(x.chains, n)
		reach := reachable(x.chains, n, tiles)
		inside := func(v []int64) bool {
			return !slices.ContainsFunc(v[2:], func(k int64) bool { return k < -1 || k > 1 })
		}
		for i, from := range tiles {
			for j, to := range tiles {
				if inside(from) && inside(to) {
					pair := slices.Concat(from, to)
					require.Equal(t, reach[i][j], before.Contains(nil, pair...), "%v -> %v\n%s", from, to, x.chains.Text(x.tile))
					require.Equal(t, x.chains.waits(n, from, to), direct.Contains(nil, pair...), "%v -> %v\n%s", from, to, x.chains.Text(x.tile))
					require.Equal(t, !reach[i][j] && i != j, free.Contains(nil, pair...), "%v -> %v\n%s", from, to, x.chains.Text(x.tile))
				}
			}
		}
	}
}

// gridOf returns tiles of three time tiles, all phases, and indices around 0.
func gridOf(c Chains, dims int) (tiles [][]int64) {
	tiles = [][]int64{{}}
	for i := range dims {
		lo, hi := int64(-5), int64(5)
		switch {
		case i == 0:
			lo, hi = 0, 2
		case i == 1:
			lo, hi = 0, int64(len(c.Steps)-1)
		case dims == 5:
			lo, hi = -3, 3
		}
		var longer [][]int64
		for _, v := range tiles {
			for k := lo; k <= hi; k++ {
				longer = append(longer, append(slices.Clone(v), k))
			}
		}
		tiles = longer
	}
	return tiles
}

// reachable returns which tiles have ended when others start, by waits and the order of chains, step by step.
func reachable(c Chains, dims int, tiles [][]int64) [][]bool {
	direct := func(x, y []int64) bool {
		return c.waits(dims, x, y) || slices.Equal(x[:2+c.Blocks], y[:2+c.Blocks]) && slices.Compare(x, y) < 0
	}
	// Paths grow in T, the phase and the places of a chain: the order in which tiles are listed.
	reach := make([][]bool, len(tiles))
	for i, from := range tiles {
		reach[i] = make([]bool, len(tiles))
		for j := range tiles {
			if i == j || direct(from, tiles[j]) {
				reach[i][j] = i != j
				continue
			}
		}
	}
	for k := range tiles {
		for i := range k {
			if reach[i][k] {
				for j := k + 1; j < len(tiles); j++ {
					reach[i][j] = reach[i][j] || reach[k][j]
				}
			}
		}
	}
	return reach
}

// waits reports whether tile y waits for x itself.
func (c Chains) waits(dims int, x, y []int64) bool {
	if c.Along && slices.Equal(x[:2], y[:2]) && y[2] == x[2]+1 && (dims == 3 || x[3] <= y[3]) {
		return true
	}
	w := c.Steps[y[1]]
	if x[1] != int64(w.From) || y[0]-x[0] != w.Time {
		return false
	}
	for i := range c.Blocks {
		if d := y[2+i] - x[2+i]; d < w.Lo[i] || w.Hi[i] < d {
			return false
		}
	}
	return dims == 2+c.Blocks || x[2+c.Blocks] <= y[2+c.Blocks]+w.Lag
}

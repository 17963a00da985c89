package lower_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/gpu/lower"
)

// A tally counts what a full tile does, by running its loops.
type tally struct {
	points  int64
	first   map[string]bool // array elements read before they are written
	written map[string]bool
}

// tallyFull returns the tally of the first full tile below n, with all tile
// indices and parameters as in env. It forgets what shared memory is.
func tallyFull(n astgen.Node, env map[string]int64) *tally {
	switch n := n.(type) {
	case astgen.Block:
		for _, m := range n {
			if c := tallyFull(m, env); c != nil {
				return c
			}
		}
	case astgen.For:
		return tallyFull(n.Body, env)
	case astgen.Launch:
		return tallyFull(n.Body, env)
	case astgen.If:
		return tallyFull(n.Then, env)
	case astgen.Tile:
		if !n.Full {
			return nil
		}
		c := &tally{first: map[string]bool{}, written: map[string]bool{}}
		for _, s := range n.Steps {
			c.step(s, 0, env)
		}
		return c
	}
	return nil
}

func (c *tally) step(s astgen.Step, depth int, env map[string]int64) {
	if depth < len(s.Loops) {
		l := s.Loops[depth]
		for v := l.BoxLo; v <= l.BoxHi; v++ {
			env[l.Var] = v
			c.step(s, depth+1, env)
		}
		return
	}
	c.points++
	var iters []int64
	for _, e := range s.Iters {
		iters = append(iters, affine.Eval(e, env))
	}
	for _, acc := range s.Stmt.Accesses {
		key := acc.Array.Name
		for _, ix := range acc.Index {
			v := ix.Affine.At(iters, make([]int64, 8))
			if ix.Mod > 0 {
				v = ((v % ix.Mod) + ix.Mod) % ix.Mod
			}
			key += fmt.Sprint(" ", v)
		}
		switch {
		case acc.Write:
			c.written[key] = true
		case !c.written[key]:
			c.first[key] = true
		}
	}
}

// TestCountsAreThoseOfTheLoops counts a full tile of every case one point after the other.
func TestCountsAreThoseOfTheLoops(t *testing.T) {
	for _, x := range stencils(t) {
		for n := range 3 {
			sizes := x.small(n)
			s, p := x.mapped(t, sizes, lower.Options{Strategy: lower.Staged})
			loops, err := astgen.Generate(s)
			require.NoError(t, err)
			k := lower.NewCounter(x.Space, p.Device, lower.Options{Strategy: lower.Staged})
			env := map[string]int64{loops.Names.T: 5}
			for _, name := range loops.Names.Tiles {
				env[name] = 3
			}
			for _, v := range p.Scop.Params {
				env[v.Name] = 0
			}
			want := tallyFull(loops.Body, env)
			require.NotNil(t, want, x.Name)
			for _, name := range loops.Names.Tiles[1:] {
				env[name]++
			}
			want.dropOnce(tallyFull(loops.Body, env), len(loops.Names.Tiles) > 1)
			got := k.Counts(s)[0]
			require.Equal(t, want.points, got.Points, "%s %v", x.Name, sizes)
			if got.Global == 0 { // all arrays are staged
				require.Equal(t, int64(len(want.first)), got.Loads, "%s %v", x.Name, sizes)
				require.Equal(t, int64(len(want.written)), got.Stores, "%s %v", x.Name, sizes)
			}
			require.Equal(t, k.Traffic(s, 0).Loads, got.Loads)
			require.Equal(t, p.Kernels[0].SharedBytes(), got.SharedBytes)
			require.Equal(t, barriers(inTiles(p.Kernels[0].Body)), got.Barriers, "%s %v\n%v", x.Name, sizes, p)
		}
	}
}

// dropOnce forgets the elements of arrays that no tile writes and of which
// another tile of the block reads the same: a block loads them once.
func (c *tally) dropOnce(other *tally, several bool) {
	byArray := func(keys map[string]bool) map[string]map[string]bool {
		all := map[string]map[string]bool{}
		for key := range keys {
			name := strings.Fields(key)[0]
			if all[name] == nil {
				all[name] = map[string]bool{}
			}
			all[name][key] = true
		}
		return all
	}
	written, others := byArray(c.written), byArray(other.first)
	for name, keys := range byArray(c.first) {
		if several && written[name] == nil && maps.Equal(keys, others[name]) {
			maps.DeleteFunc(c.first, func(key string, _ bool) bool { return keys[key] })
		}
	}
}

// inTiles returns nodes without what a block does before its first tile.
func inTiles(nodes []gpu.Node) []gpu.Node {
	for i, n := range nodes {
		if _, ok := n.(gpu.For); ok {
			return nodes[i:]
		}
	}
	return nodes
}

// barriers returns the number of barriers of a full tile and the loop around it.
func barriers(ns []gpu.Node) (n int) {
	for _, x := range ns {
		switch x := x.(type) {
		case gpu.For:
			n += barriers(x.Body)
		case gpu.If:
			if x.Role.Kind == gpu.FullTile {
				n += barriers(x.Then)
			}
		case gpu.Barrier:
			n++
		}
	}
	return n
}

package schedule

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestGraph compares the graph of horizontal diffusion with the figures of MODESTO, and of others with what the source says.
func TestGraph(t *testing.T) {
	diffusion := program("N M",
		nest{"t i j", "t = 0 and 1 <= i < N-1 and 1 <= j < M-1", "lap[i][j] = in[i][j] in[i-1][j] in[i+1][j] in[i][j-1] in[i][j+1]"},
		nest{"t i j", "t = 0 and 1 <= i < N-2 and 2 <= j < M-2", "fli[i][j] = lap[i+1][j] lap[i][j] in[i+1][j] in[i][j]"},
		nest{"t i j", "t = 0 and 2 <= i < N-2 and 1 <= j < M-2", "flj[i][j] = lap[i][j+1] lap[i][j] in[i][j+1] in[i][j]"},
		nest{"t i j", "t = 0 and 2 <= i < N-2 and 2 <= j < M-2", "out[i][j] = fli[i][j] fli[i-1][j] flj[i][j] flj[i][j-1] in[i][j]"})
	for _, a := range diffusion.Arrays {
		a.Local = slices.Contains([]string{"lap", "fli", "flj"}, a.Name)
	}
	deps, c, _ := analyze(t, diffusion)
	g, err := NewGraph(c, deps)
	require.NoError(t, err)
	require.Equal(t, `in -> S0: at [-1,0] [0,-1] [0,0] [0,1] [1,0]
in -> S1: at [0,0] [1,0]
S0 -> S1: at [0,0] [1,0]
in -> S2: at [0,0] [0,1]
S0 -> S2: at [0,0] [0,1]
in -> S3: at [0,0]
S1 -> S3: at [-1,0] [0,0]
S2 -> S3: at [0,-1] [0,0]
`, g.String())
	orders, ok := g.Orders()
	require.True(t, ok)
	require.EqualValues(t, 2, orders)
	one, ok := g.Needed([]int64{1, 1})
	require.True(t, ok)
	require.Equal(t, []int64{13, 5, 2, 2, 1}, one, "in at 13 offsets, lap at 5")
	tile, ok := g.Needed([]int64{32, 32})
	require.True(t, ok)
	require.Equal(t, []int64{1284, 1152, 1056, 1056, 1024}, tile)
	require.Equal(t, []bool{false, true, true, true, false}, []bool{g.Nodes[0].Temporary, g.Nodes[1].Temporary, g.Nodes[2].Temporary, g.Nodes[3].Temporary, g.Nodes[4].Temporary})

	// What a nest reads that one before it has written in part comes from both.
	part := program("N",
		nest{"t i", "t = 0 and 1 <= i < N-1", "b[i] = a[i]"},
		nest{"t i", "t = 0 and 1 <= i < N-1", "c[i] = b[i-1] b[i+1]"})
	deps, c, _ = analyze(t, part)
	g, err = NewGraph(c, deps)
	require.NoError(t, err)
	require.Equal(t, "a -> S0: at [0]\nb -> S1: at [-1] [1]\nS0 -> S1: at [-1] [1]\n", g.String())

	// Of time steps, what an iteration finds is what those before it have left.
	steps := program("T N", nest{"t i", "0 <= t < T and 1 <= i < N-1", "A[t+1 %2][i] = A[t %2][i-1] A[t %2][i+1]"})
	deps, c, _ = analyze(t, steps)
	g, err = NewGraph(c, deps)
	require.NoError(t, err)
	require.Equal(t, "A -> S0: at [-1] [1]\n", g.String())
}

// TestGraphNeeded compares Needed with counts of random graphs, by running backwards from each point.
func TestGraphNeeded(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 50 {
		g := &Graph{}
		n := 2 + rng.IntN(4)
		for i := range n {
			x := GraphNode{Name: string(rune('a' + i)), Temporary: i > 0 && i < n-1}
			if i > 0 {
				x.Stmt = program("N", nest{"t i", "t = 0 and 0 <= i < N", "b[i] = a[i]"}).Stmts[0]
			}
			g.Nodes = append(g.Nodes, x)
			for from := range i {
				if e := (GraphEdge{From: from, To: i}); rng.IntN(2) == 0 || from == i-1 {
					for x := int64(-2); x <= 2; x++ {
						if rng.IntN(2) == 0 || x == 2 {
							e.Offsets = append(e.Offsets, []int64{x})
						}
					}
					g.Edges = append(g.Edges, e)
				}
			}
		}
		const w = 7
		seen := make([]map[int64]bool, n)
		for i := range seen {
			seen[i] = map[int64]bool{}
		}
		var visit func(node int, at int64)
		visit = func(node int, at int64) {
			if seen[node][at] {
				return
			}
			seen[node][at] = true
			for _, e := range g.Edges {
				if e.To == node {
					for _, o := range e.Offsets {
						visit(e.From, at+o[0])
					}
				}
			}
		}
		for at := range int64(w) {
			visit(n-1, at)
		}
		got, ok := g.Needed([]int64{w})
		require.True(t, ok)
		for i := range seen {
			require.EqualValues(t, len(seen[i]), got[i], "node %d of %v", i, g)
		}
	}
}

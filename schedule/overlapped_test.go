package schedule

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/scop"
)

// TestOverlapped compares the boxes of tiles that overlap with numbers from papers, and asks for the proofs.
func TestOverlapped(t *testing.T) {
	history := program("T N", nest{"t i", "0 <= t < T and 1 <= i < N-1", "A[t+1][i] = A[t][i-1] A[t][i] A[t][i+1]"})
	diffusion := program("N M",
		nest{"t i j", "t = 0 and 1 <= i < N-1 and 1 <= j < M-1", "lap[i][j] = in[i][j] in[i-1][j] in[i+1][j] in[i][j-1] in[i][j+1]"},
		nest{"t i j", "t = 0 and 1 <= i < N-2 and 2 <= j < M-2", "fli[i][j] = lap[i+1][j] lap[i][j] in[i+1][j] in[i][j]"},
		nest{"t i j", "t = 0 and 2 <= i < N-2 and 1 <= j < M-2", "flj[i][j] = lap[i][j+1] lap[i][j] in[i][j+1] in[i][j]"},
		nest{"t i j", "t = 0 and 2 <= i < N-2 and 2 <= j < M-2", "out[i][j] = fli[i][j] fli[i-1][j] flj[i][j] flj[i][j-1] in[i][j]"})
	two := program("T N",
		nest{"t i", "0 <= t < T and 1 <= i < N-1", "A[t+1][i] = A[t][i] B[t][i-1] B[t][i]"},
		nest{"t i", "0 <= t < T and 1 <= i < N-1", "B[t+1][i] = A[t][i+1] B[t][i]"})
	for _, x := range []struct {
		name  string
		of    func() (*Schedule, []Dependence)
		boxes [][]Box // by statement and step
	}{
		{"history", overlappedOf(t, history, Sizes{H: 3, W: []int64{8}}), [][]Box{{{[]int64{-2}, []int64{9}}, {[]int64{-1}, []int64{8}}, {[]int64{0}, []int64{7}}}}},
		// MODESTO, horizontal diffusion: of 32 x 32 points, 33 x 32 of fli and 32 x 33 of flj; its 1152 of lap are the 34 x 34 around less the corners.
		{"diffusion", overlappedOf(t, diffusion, Sizes{H: 1, W: []int64{32, 32}}), nil},
		{"two fields", overlappedOf(t, two, Sizes{H: 2, W: []int64{8}}), nil},
	} {
		t.Run(x.name, func(t *testing.T) {
			s, deps := x.of()
			require.NoError(t, s.Verify())
			if x.boxes != nil {
				require.Equal(t, x.boxes, s.Phases[0].Boxes)
			}
			partition, legality := ProvePartition(s), ProveLegality(s, deps)
			require.True(t, partition.Holds, "%v\n%v", partition, s)
			require.True(t, legality.Holds, "%v\n%v", legality, s)
			checkQuestions(t, partition)
			checkQuestions(t, legality)
			s, _ = x.of() // a row or a column less of one box breaks a dependence, if others own it
			rng := rand.New(rand.NewPCG(1, 2))
			narrower := 0
			for i, steps := range s.Phases[0].Boxes {
				for a, b := range steps {
					for p := range b.Lo {
						s, deps := x.of()
						at := &s.Phases[0].Boxes[i][a]
						switch up := rng.IntN(2) == 0; {
						case up && at.Hi[p] > s.Sizes.W[p]-1:
							at.Hi[p]--
						case at.Lo[p] < 0:
							at.Lo[p]++
						default:
							continue
						}
						narrower++
						s.Relate()
						require.False(t, ProveLegality(s, deps).Holds, "S%d, step %d, dimension %d", i, a, p)
					}
				}
			}
			require.Positive(t, narrower)
		})
	}
}

// TestGroups asks for the proofs of horizontal diffusion in all partitions into launches, in all orders: they hold where Check allows them, and only there.
func TestGroups(t *testing.T) {
	deps, c, _ := analyze(t, program("N M",
		nest{"t i j", "t = 0 and 1 <= i < N-1 and 1 <= j < M-1", "lap[i][j] = in[i][j] in[i-1][j] in[i+1][j] in[i][j-1] in[i][j+1]"},
		nest{"t i j", "t = 0 and 1 <= i < N-2 and 2 <= j < M-2", "fli[i][j] = lap[i+1][j] lap[i][j] in[i+1][j] in[i][j]"},
		nest{"t i j", "t = 0 and 2 <= i < N-2 and 1 <= j < M-2", "flj[i][j] = lap[i][j+1] lap[i][j] in[i][j+1] in[i][j]"},
		nest{"t i j", "t = 0 and 2 <= i < N-2 and 2 <= j < M-2", "out[i][j] = fli[i][j] fli[i-1][j] flj[i][j] flj[i][j-1] in[i][j]"}))
	for _, name := range []string{"lap", "fli", "flj"} {
		c.Scop.Arrays[slices.IndexFunc(c.Scop.Arrays, func(a *scop.Array) bool { return a.Name == name })].Local = true
	}
	overlap := NewOverlap(c, deps)
	require.Len(t, overlap.temporaries, 3)
	legal, illegal := 0, 0
	for _, g := range partitions(4) {
		s, err := overlap.In(g).Schedule(Sizes{H: 1, W: []int64{4, 8}})
		require.NoError(t, err)
		require.NoError(t, s.Verify())
		partition := ProvePartition(s)
		require.True(t, partition.Holds, "%v: %v", g, partition)
		allowed := g.Check(c, deps) == nil
		require.Equal(t, allowed, ProveLegality(s, deps).Holds, "%s", g.Text(c.Scop))
		if !allowed {
			illegal++
			continue
		}
		legal++
		for _, a := range overlap.temporaries { // a tile has for itself what no other launch uses
			within := slices.ContainsFunc(g, func(group []int) bool {
				return !slices.ContainsFunc(c.Scop.Stmts, func(st *scop.Stmt) bool {
					return !slices.Contains(group, st.Order) && slices.ContainsFunc(st.Accesses, func(x *scop.Access) bool { return x.Array == a })
				})
			})
			require.Equal(t, within, s.temporary(a), "%s: %s", g.Text(c.Scop), a.Name)
		}
		if len(g) > 1 {
			require.Equal(t, g, s.Groups())
			s.Temporaries = overlap.temporaries // what launches hand on is in no memory, then
			require.False(t, ProveLegality(s, deps).Holds, "%s", g.Text(c.Scop))
			s.Temporaries = nil
			s.Phases = append(s.Phases, s.Phases[len(g)-1])
			s.Relate()
			require.False(t, ProvePartition(s).Holds, "%s, the last launch twice", g.Text(c.Scop))
			require.ErrorContains(t, g[1:].Check(c, deps), "is in no group")
			require.ErrorContains(t, append(g[:1:1], g...).Check(c, deps), "is in a group twice")
		}
	}
	require.Equal(t, []int{1 + 4 + 5 + 2, 75 - 12}, []int{legal, illegal}) // by hand: in one launch, in two, in three, in four
	_, err := overlap.In(Groups{{0}, {1, 2, 3}}).Tiles(Sizes{H: 2, W: []int64{4, 8}})
	require.Error(t, err)
}

// partitions returns all ordered partitions of 0 to n-1.
func partitions(n int) []Groups {
	if n == 0 {
		return []Groups{nil}
	}
	var all []Groups
	for _, g := range partitions(n - 1) {
		for i := range len(g) + 1 {
			all = append(all, slices.Insert(slices.Clone(g), i, []int{n - 1}))
			if i < len(g) {
				in := slices.Clone(g)
				in[i] = append(slices.Clone(in[i]), n-1)
				all = append(all, in)
			}
		}
	}
	return all
}

// overlappedOf returns how to make the tiles of p that overlap, each time anew.
func overlappedOf(t *testing.T, p *scop.Program, sizes Sizes) func() (*Schedule, []Dependence) {
	return func() (*Schedule, []Dependence) {
		deps, c, _ := analyze(t, p)
		s, err := Overlapped(c, deps, sizes)
		require.NoError(t, err)
		return s, deps
	}
}

// TestVersions asks for the proofs of tiles that overlap where one stores what another one still reads: arrays have two versions.
func TestVersions(t *testing.T) {
	planes := program("T N", nest{"t i", "0 <= t < T and 1 <= i < N-1", "A[t+1 %2][i] = A[t %2][i-1] A[t %2][i] A[t %2][i+1]"})
	back := program("T N",
		nest{"t i", "0 <= t < T and 1 <= i < N-1", "B[i] = A[i-1] A[i+1]"},
		nest{"t i", "0 <= t < T and 1 <= i < N-1", "A[i] = B[i]"})
	for _, x := range []struct {
		name  string
		p     *scop.Program
		sizes Sizes
		array string
	}{
		{"planes", planes, Sizes{H: 3, W: []int64{8}}, "A"},
		{"copy back", back, Sizes{H: 2, W: []int64{8}}, "A"},
	} {
		t.Run(x.name, func(t *testing.T) {
			of := overlappedOf(t, x.p, x.sizes)
			s, deps := of()
			require.NotEmpty(t, s.Versions)
			require.Equal(t, x.array, s.Versions[0].Array.Name)
			require.NoError(t, s.Verify())
			partition, legality := ProvePartition(s), ProveLegality(s, deps)
			require.True(t, partition.Holds, "%v\n%v", partition, s)
			require.True(t, legality.Holds, "%v\n%v", legality, s)
			checkQuestions(t, legality)
			s.Versions = nil
			require.False(t, ProveLegality(s, deps).Holds, "without versions")
		})
	}
}

// TestOvertile compares the boxes of tiles with the figures of Holewinski, Pouchet and Sadayappan, ICS 2012.
func TestOvertile(t *testing.T) {
	// A stencil of 5 points, blocks of 64 by 8 threads of 12 points each, 6 time steps, on 4000 x 4000 points.
	planes := program("T N", nest{"t i j", "0 <= t < T and 1 <= i < N-1 and 1 <= j < N-1", "A[t+1 %2][i][j] = A[t %2][i-1][j] A[t %2][i+1][j] A[t %2][i][j] A[t %2][i][j-1] A[t %2][i][j+1]"})
	s, _ := overlappedOf(t, planes, Sizes{H: 6, W: []int64{86, 54}})()
	boxes := s.Phases[0].Boxes[0]
	require.Equal(t, Box{[]int64{-5, -5}, []int64{90, 58}}, boxes[0], "96 x 64 points of the first step")
	require.Equal(t, Box{[]int64{0, 0}, []int64{85, 53}}, boxes[5])
	computed := int64(0)
	for _, b := range boxes[:6] {
		computed += (b.Hi[0] - b.Lo[0] + 1) * (b.Hi[1] - b.Lo[1] + 1)
	}
	stored := int64(86 * 54)
	require.InDelta(t, 1.323, 96*64/float64(stored), 0.0005, "where all steps compute the first one's box")
	require.InDelta(t, 1.159, float64(computed)/float64(6*stored), 0.0005)
	// What a tile loads of the plane of the first step, and stores of the plane of the last one, for each useful point. (hexcc stores the plane before, too,
	// which nobody but the caller may read.)
	loaded := (boxes[0].Hi[0] - boxes[0].Lo[0] + 3) * (boxes[0].Hi[1] - boxes[0].Lo[1] + 3)
	require.InDelta(t, 0.399, float64(loaded+stored)/float64(6*stored), 0.0005)
	one, _ := overlappedOf(t, planes, Sizes{H: 1, W: []int64{96, 64}})()
	b := one.Phases[0].Boxes[0][0]
	require.Equal(t, Box{[]int64{0, 0}, []int64{95, 63}}, b)
	require.InDelta(t, 2.05, float64(98*66+96*64)/float64(96*64), 0.005, "one time step")
	require.Equal(t, []int64{75, 47}, []int64{(4000 + 53) / 54, (4000 + 85) / 86}, "tiles")

	// Two fields, A[i] of B[i-1] and B[i], then B[i] of A[i] and A[i+1], three time steps: what is computed first reaches from 2 before the tile, and is 5
	// longer than it for A, 4 for B; what is read of B from 3 before, and is 6 longer.
	two := program("T N",
		nest{"t i", "0 <= t < T and 1 <= i < N-1", "A[i] = B[i-1] B[i]"},
		nest{"t i", "0 <= t < T and 1 <= i < N-1", "B[i] = A[i] A[i+1]"})
	const l0 = 10
	s, _ = overlappedOf(t, two, Sizes{H: 3, W: []int64{l0}})()
	c := s.Canonical
	require.Equal(t, 2, c.K)
	of := func(st, a int) (from, length int64) { // in elements, from that at the local coordinate 0 of B on
		b := s.Phases[0].Boxes[st][a]
		shift := c.Places[1][0].Shift.Const - c.Places[st][0].Shift.Const
		return b.Lo[0] + shift, b.Hi[0] - b.Lo[0] + 1
	}
	from, length := of(0, 0)
	require.Equal(t, []int64{-2, l0 + 5}, []int64{from, length}, "A")
	require.Equal(t, []int64{-3, l0 + 6}, []int64{from - 1, length + 1}, "what that reads of B")
	from, length = of(1, 1)
	require.Equal(t, []int64{-2, l0 + 4}, []int64{from, length}, "B")
}

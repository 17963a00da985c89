package schedule

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/frontend"
	testcases "github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/poly"
	"github.com/hexcc/hexcc/scop"
)

// eachSwept runs f for the programs that sweep there and back, with their dependences and their space.
func eachSwept(t *testing.T, f func(t *testing.T, name string, deps []Dependence, c *Canonical)) {
	testcases.EachSwept(t, func(t *testing.T, name, text string) {
		res, err := frontend.Parse(frontend.Source{Name: name + ".c", Text: []byte(text)}, frontend.Options{NoAlias: true})
		require.NoError(t, err)
		p, facts := Pieces(Fold(scop.WithCoefficients(res.Programs[0])))
		require.Empty(t, facts)
		deps, err := Dependences(p)
		require.NoError(t, err)
		c, err := Swept(p, deps)
		require.NoError(t, err)
		require.NoError(t, c.Verify())
		f(t, name, deps, c)
	})
}

// sweptSizes returns widths for tests: single points, odd ones, and large.
func sweptSizes(c *Canonical) (list []Sizes) {
	for _, w := range []int64{1, 3, 64} {
		s := Sizes{H: NoHeight}
		for p := range c.Space {
			s.W = append(s.W, w+int64(p))
		}
		list = append(list, s)
	}
	return list
}

// unproved returns the first proof that does not hold of the tiling of c by boxes, "" if all do.
func unproved(t *testing.T, c *Canonical, deps []Dependence, sizes Sizes) string {
	t.Helper()
	s, err := Space(c, sizes)
	require.NoError(t, err)
	require.NoError(t, s.Verify())
	for _, proof := range []Proof{ProvePartition(s), ProveLegality(s, deps)} {
		if !proof.Holds {
			return proof.String()
		}
	}
	return ""
}

// TestSweepsAreProved proves boxes in order, and that solvers are one level for each direction.
func TestSweepsAreProved(t *testing.T) {
	levels := map[string][]bool{
		"thomas": {true}, "vertical": {true}, "adi": {true, true}, "adi-periodic": {true, true, true}, "column-sum": {true}, "diffusion-3d": {true, true},
		"adi-mirrored": {true, true},
		"shallow":      {true, true, false},
	}
	eachSwept(t, func(t *testing.T, name string, deps []Dependence, c *Canonical) {
		t.Logf("%v%v", c, c.Sweeps)
		assert.Equal(t, levels[name], c.Sweeps)
		for _, sizes := range sweptSizes(c) {
			assert.Empty(t, unproved(t, c, deps, sizes), sizes)
		}
	})
}

// placed returns c with other places.
func placed(c *Canonical, change func(places [][]Place)) *Canonical {
	other := *c
	other.Places, other.Maps = nil, nil
	for _, at := range c.Places {
		other.Places = append(other.Places, slices.Clone(at))
	}
	change(other.Places)
	for _, st := range c.Scop.Stmts {
		other.Maps = append(other.Maps, other.relation(st).IntersectDomain(st.Domain))
	}
	return &other
}

// TestSweepsNeedAll spoils tilings in order: each mistake is found out.
func TestSweepsNeedAll(t *testing.T) {
	eachSwept(t, func(t *testing.T, name string, deps []Dependence, c *Canonical) {
		sizes := sweptSizes(c)[1]
		s := sweeper{c: c, along: make([]int, len(c.Scop.Stmts))}
		for _, d := range carriedBySpace(deps) {
			require.True(t, s.carries(d))
		}
		for level, sweeps := range c.Sweeps {
			if !sweeps {
				continue
			}
			free := *c
			free.Sweeps = slices.Clone(c.Sweeps)
			free.Sweeps[level] = false
			assert.NotEmpty(t, unproved(t, &free, deps, sizes), "level %d in any order", level)
		}
		var ups, downs []int
		for i, along := range s.along {
			if along == 0 {
				continue
			}
			if c.Places[i][0].Down {
				downs = append(downs, i)
			} else {
				ups = append(ups, i)
			}
			turned := placed(c, func(places [][]Place) {
				at := &places[i][0]
				at.Down, at.Shift = !at.Down, difference(scop.Affine{}, at.Shift)
			})
			assert.NotEmpty(t, unproved(t, turned, deps, sizes), "sweep of %d turned round", i)
			across := placed(c, func(places [][]Place) { places[i][0], places[i][1] = places[i][1], places[i][0] })
			assert.NotEmpty(t, unproved(t, across, deps, sizes), "sweep of %d across columns", i)
			if !slices.ContainsFunc(c.Together, func(pair [2]int) bool { return pair[0] == i || pair[1] == i }) {
				continue // nothing of its level needs it
			}
			early := placed(c, func(places [][]Place) { places[i][0].Shift.Const -= 1000 })
			late := placed(c, func(places [][]Place) { places[i][0].Shift.Const += 1000 })
			assert.NotEmpty(t, unproved(t, early, deps, sizes)+unproved(t, late, deps, sizes), "sweep of %d at any time", i)
		}
		require.NotEmpty(t, ups)
		require.Equal(t, name == "adi-mirrored", len(downs) == 0)
		for k, down := range downs { // the sweep back where the one there is
			up := ups[min(k, len(ups)-1)]
			if c.Levels[up] != c.Levels[down] {
				continue
			}
			swapped := placed(c, func(places [][]Place) {
				places[up][0].Shift, places[down][0].Shift = places[down][0].Shift, places[up][0].Shift
			})
			assert.NotEmpty(t, unproved(t, swapped, deps, sizes), "sweeps %d and %d exchanged", up, down)
		}
		for i, rank := range c.Ranks {
			for j := range c.Ranks {
				if c.Levels[i] == c.Levels[j] && rank < c.Ranks[j] && slices.Contains(c.Together, [2]int{i, j}) && meets(c, deps, i, j) {
					turned := *c
					turned.Ranks = slices.Clone(c.Ranks)
					turned.Ranks[i], turned.Ranks[j] = c.Ranks[j], rank
					assert.NotEmpty(t, unproved(t, &turned, deps, sizes), "ranks of %d and %d exchanged", i, j)
				}
			}
		}
	})
}

// meets reports whether an instance of statement j depends on one of i at the same place in the same iteration of time.
func meets(c *Canonical, deps []Dependence, i, j int) bool {
	return slices.ContainsFunc(deps, func(d Dependence) bool {
		if d.Src.Order != i || d.Dst.Order != j {
			return false
		}
		same := d.Map.Intersect(sameTime(d.Src, d.Dst))
		for p := range c.Space {
			x, y := c.place(d.Src, p, poly.Ins(len(d.Src.Iters))), c.place(d.Dst, p, poly.Outs(len(d.Dst.Iters)))
			same = same.Intersect(poly.NewMap(c.Scop.ParamNames(), d.Src.Tuple(), d.Dst.Tuple(), poly.Equal(x, y)))
		}
		return !same.IsEmpty()
	})
}

// TestNotSwept asks for programs that are not tiled in order along one loop: they are refused as before.
func TestNotSwept(t *testing.T) {
	for name, loops := range map[string]string{
		"a line":         "for (int i = 1; i < n; i++) a[0][i] += a[0][i - 1]; for (int i = n - 2; i >= 0; i--) a[0][i] += a[0][i + 1];",
		"both loops":     "for (int i = 1; i < n; i++) for (int j = 1; j < n; j++) a[i][j] += a[i - 1][j] + a[i][j - 1];",
		"along diagonal": "for (int i = 1; i < n; i++) for (int j = 1; j < n; j++) a[i][j] += a[i - 1][j - 1];",
		"nothing":        "for (int i = 1; i < n; i++) for (int j = 1; j < n; j++) a[i][j] += 1.0;",
	} {
		text := "void f(int T, int n, double a[n][n]) {\n#pragma scop\nfor (int t = 0; t < T; t++) {" + loops + "}\n#pragma endscop\n}\n"
		res, err := frontend.Parse(frontend.Source{Name: "a.c", Text: []byte(text)}, frontend.Options{NoAlias: true})
		require.NoError(t, err, name)
		deps, err := Dependences(res.Programs[0])
		require.NoError(t, err)
		_, err = Swept(res.Programs[0], deps)
		require.Error(t, err, name)
		if name != "nothing" {
			require.ErrorAs(t, err, new(diag.List), name)
		}
	}
}

package cpu_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/cpu"
	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// eachRolled calls f with the rolled loops, of two phases, of the cases of testdata with these names; tiles have a few steps.
func eachRolled(t *testing.T, names []string, f func(name string, s *schedule.Schedule, n cpu.Tile)) {
	found := 0
	for _, x := range pipeline.All(t) {
		if !slices.Contains(names, x.Name) {
			continue
		}
		h := schedule.LegalH(x.Space.K)[3]
		sizes := schedule.Sizes{H: h, W: []int64{schedule.MinW0(x.Cone, h)}}
		for range x.Space.Space[1:] {
			sizes.W = append(sizes.W, 32)
		}
		s := x.Schedule(t, sizes)
		p, err := astgen.Roll(s)
		require.NoError(t, err)
		for _, ph := range cpu.Make(p).Phases {
			for _, n := range tiles(ph.Body) {
				f(x.Name, s, n)
				found++
			}
		}
	}
	require.Equal(t, 2*len(names), found)
}

// TestAhead counts by hand what steps fetch. A star of reach r reads r rows more on each side, of what the step
// before has written, and the hexagon grows by r: 2r rows, from the first beyond those that are written.
func TestAhead(t *testing.T) {
	type rows struct {
		array         string
		reach         int64
		before, after [2]int64
	}
	around := func(r int64) []rows { return []rows{{"A", r, [2]int64{-2 * r, -1}, [2]int64{1, 2 * r}}} }
	two := [2]int64{-2, -1}
	want := map[string][][]rows{
		"jacobi-1d":  {nil}, // rows are the hexagons' own dimension
		"jacobi-2d":  {around(1)},
		"heat-3d-27": {around(1)},
		"star-2d-2":  {around(2)},
		"star-2d-4":  {around(4)},
		// In place, with four statements in turn: hexagons grow by two rows, where those of all statements together
		// are one row wider. S0 stores along one column, which is no row.
		"fdtd-2d": {
			nil,
			{{"ey", 0, two, [2]int64{1, 2}}, {"hz", 0, [2]int64{-3, -2}, [2]int64{1, 2}}}, // ey[i] -= hz[i] - hz[i-1]
			{{"ex", 0, two, [2]int64{1, 2}}, {"hz", 1, two, [2]int64{1, 2}}},              // ex[i][j] -= hz[i][j] - hz[i][j-1]
			{{"ex", 0, two, [2]int64{1, 2}}, {"ey", 0, two, [2]int64{2, 3}}, {"hz", 0, two, [2]int64{1, 2}}},
		},
	}
	eachRolled(t, slices.Collect(maps.Keys(want)), func(name string, _ *schedule.Schedule, n cpu.Tile) {
		for k, st := range n.Steps {
			var got []rows
			for _, r := range st.Ahead.Rows {
				got = append(got, rows{r.From.Array.Name, r.Reach, r.Before, r.After})
			}
			require.Equal(t, want[name][k], got, "%s %s", name, st.Stmt.Name)
			// Rows beyond are fetched where they are four, and not where they are eight or more.
			beyond := slices.ContainsFunc(st.Groups[0].Fetch, func(f cpu.Fetch) bool { return f.Beyond })
			require.Equal(t, len(got) == 1 && got[0].reach == 1, beyond, "%s %s", name, st.Stmt.Name)
		}
	})
}

// TestAheadRows lists the rows that each step of a hexagon touches: what is fetched is no row that the step itself touches, and
// holds all that the next one is the first to read, while the hexagon grows; and no step fetches a row that none needs.
func TestAheadRows(t *testing.T) {
	names := []string{"jacobi-2d", "heat-2d", "heat-3d", "heat-3d-27", "star-2d-2", "star-2d-4", "fdtd-2d", "wave-2d"}
	eachRolled(t, names, func(name string, s *schedule.Schedule, n cpu.Tile) {
		checked := 0
		for _, st := range n.Steps {
			if len(st.Ahead.Rows) > 0 {
				checkAhead(t, name, s, n.Phase, st)
				checked++
			}
		}
		require.NotZero(t, checked, name)
	})
}

func checkAhead(t *testing.T, name string, s *schedule.Schedule, phase int, st *cpu.Step) {
	dim, k := s.Phases[phase].Space[0], int64(s.Canonical.K)
	last := s.Height/k - 1
	bounds := func(q int64) (lo, hi int64) {
		return dim.Lo[q*k+int64(s.Canonical.Levels[st.Stmt.Order])], dim.Hi[q*k+int64(s.Canonical.Levels[st.Stmt.Order])]
	}
	spare := map[string]bool{} // rows, from the edges of a step, that no step needed so far
	needed := map[string]bool{}
	for q := range min(st.Ahead.Grows, last) {
		lo, hi := bounds(q)
		touched := map[string]bool{}
		for _, a := range st.Stmt.Accesses {
			for b := lo; b <= hi; b++ {
				touched[rowName(a, q, b)] = true
			}
		}
		fetched := map[string]string{}
		for i, r := range st.Ahead.Rows {
			for e, edge := range []int64{lo, hi} {
				by := [][2]int64{r.Before, r.After}[e]
				for d := by[0]; d <= by[1]; d++ {
					row := rowName(r.From, q, edge+d)
					require.NotContains(t, touched, row, "%s %s step %d", name, st.Stmt.Name, q)
					fetched[row] = fmt.Sprint(i, e, d)
					spare[fetched[row]] = true
				}
			}
		}
		lo, hi = bounds(q + 1)
		for _, a := range st.Stmt.Accesses {
			for b := lo; b <= hi && !a.Write; b++ {
				if row := rowName(a, q+1, b); !touched[row] {
					require.Contains(t, fetched, row, "%s %s step %d", name, st.Stmt.Name, q)
					needed[fetched[row]] = true
				}
			}
		}
	}
	require.Equal(t, needed, spare, "%s %s", name, st.Stmt.Name)
}

// rowName names the row, or the plane, that a touches at a time and a place in the first dimension.
func rowName(a *scop.Access, time, place int64) string {
	text := a.Array.Name
	for _, x := range a.Index {
		if slices.ContainsFunc(x.Iters[2:], func(c int64) bool { return c != 0 }) {
			continue // of another dimension
		}
		v := x.Const + x.Iters[0]*time + x.Iters[1]*place
		if x.Mod > 0 {
			v = (v%x.Mod + x.Mod) % x.Mod
		}
		text += fmt.Sprintf("[%d]", v)
	}
	return text
}

// tiles returns those in nodes.
func tiles(nodes []cpu.Node) (all []cpu.Tile) {
	for _, n := range nodes {
		switch n := n.(type) {
		case cpu.For:
			all = append(all, tiles(n.Body)...)
		case cpu.If:
			all = append(append(all, tiles(n.Then)...), tiles(n.Else)...)
		case cpu.Tile:
			all = append(all, n)
		}
	}
	return all
}

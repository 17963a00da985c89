package astgen_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/schedule"
)

// TestRoll runs the loops of every case with the steps of tiles as a loop: each
// instance runs once, and steps are in order.
func TestRoll(t *testing.T) {
	tables := false
	cases(t, func(t *testing.T, s *schedule.Schedule) {
		p, err := astgen.Roll(s)
		require.NoError(t, err)
		require.NoError(t, p.Verify())
		for i, params := range grids(s.Canonical.Scop, len(p.Names.Points)) {
			if i%3 != 1 { // TestCases has them all
				continue
			}
			values := map[string]int64{}
			for i, x := range s.Canonical.Scop.Params {
				values[x.Name] = params[i]
			}
			r := execute(t, p, values)
			require.Equal(t, instances(s.Canonical.Scop, params, -1, 24), r.count, "%v\n%v", params, p)
		}
		for _, n := range rolled(p.Body) {
			for _, st := range n.Steps {
				for _, l := range st.Loops {
					tables = tables || hasTable(l.Lo) || hasTable(l.Hi)
				}
			}
		}
	})
	require.True(t, tables, "some hexagon has rows that are not on one line")
}

// rolled returns the loops over steps.
func rolled(n astgen.Node) (all []astgen.Rolled) {
	switch n := n.(type) {
	case astgen.Block:
		for _, m := range n {
			all = append(all, rolled(m)...)
		}
	case astgen.For:
		return rolled(n.Body)
	case astgen.Launch:
		return rolled(n.Body)
	case astgen.Rolled:
		return []astgen.Rolled{n}
	}
	return all
}

func hasTable(e affine.Expr) bool {
	switch e := e.(type) {
	case affine.Table:
		return true
	case affine.Min:
		return anyTable(e.Args)
	case affine.Max:
		return anyTable(e.Args)
	}
	return false
}

func anyTable(args []affine.Expr) bool {
	for _, a := range args {
		if hasTable(a) {
			return true
		}
	}
	return false
}

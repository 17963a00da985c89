package report

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestBoundsAreTheRows: the inequalities hold at the points of the rows and at
// no others, for random shapes; a row that is changed is noticed.
func TestBoundsAreTheRows(t *testing.T) {
	for _, g := range shapes() {
		s := g.schedule()
		bs, ok := hexagonOf(s, g.cone())
		require.True(t, ok, "%+v", g)
		d := s.Phases[1].Space[0]
		for a := range s.Height {
			for b := int64(-3); b < d.Stride+3; b++ {
				inside := true
				for _, q := range bs {
					v := q.A*a + q.B*b
					inside = inside && (q.Least && v >= q.C || !q.Least && v <= q.C)
				}
				require.Equal(t, d.Lo[a] <= b && b <= d.Hi[a], inside, "%+v: (%d, %d)", g, a, b)
			}
		}
		d.Hi[0]++
		_, ok = hexagonOf(s, g.cone())
		require.False(t, ok)
	}
}

func TestBoundText(t *testing.T) {
	bs, _ := hexagonOf(jacobi.schedule(), jacobi.cone())
	var texts []string
	for _, b := range bs {
		texts = append(texts, "("+b.Number+") "+b.String())
	}
	require.Equal(t, []string{"(6) a - b <= 3", "(7) a <= 5", "(8) a + b <= 10", "(10) a + b >= 2", "(12) a - b >= -5", "(13) a >= 0"}, texts)
	bs, _ = hexagonOf(shape{h: 4, w0: 4, n0: 1, d0: 2, n1: 0, d1: 1}.schedule(), shape{h: 4, w0: 4, n0: 1, d0: 2, n1: 0, d1: 1}.cone())
	require.Equal(t, "a - 2b <= 5", bs[0].String())
	require.Equal(t, "b <= 6", bs[2].String())
}

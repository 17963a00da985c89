package report

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSubscripts(t *testing.T) {
	require.Equal(t, `w<tspan dy="2.2" font-size="7.2">0</tspan><tspan dy="-2.2" dx="2.8">=</tspan> 3`, subscripts("w_0 = 3", 10))
	require.Equal(t, "jacobi_2d &lt;a&gt;", subscripts(plain("jacobi_2d <a>"), 10))
	require.InDelta(t, textWidth("aa", 10), textWidth("a", 10)*2, 1e-9)
	require.Greater(t, textWidth("ss", 10), textWidth("s_s", 10))
}

func TestNum(t *testing.T) {
	for f, want := range map[float64]string{0: "0", -0.001: "0", 1.5: "1.5", 10: "10", 2.345: "2.35", -3.1: "-3.1"} {
		require.Equal(t, want, num(f))
	}
}

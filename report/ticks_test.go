package report

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTicks: an axis of ratios has three marks at least, however short it is.
func TestTicks(t *testing.T) {
	for _, x := range []struct {
		lo, hi float64
		want   string
	}{
		{0.86, 1.12, "[0.8 1 1.2]"},
		{0.02, 0.4, "[0.02 0.05 0.1 0.2]"},
		{1, 1, "[0.95 1 1.05 1.1]"},
		{3, 3, "[2.8 3 3.2]"},
		{0.001, 10, "[0.001 0.002 0.005 0.01 0.02 0.05 0.1 0.2 0.5 1 2 5 10]"},
	} {
		var all []string
		for _, v := range (&ratios{x.lo, x.hi}).ticks() {
			all = append(all, fmt.Sprintf("%.3g", v))
		}
		require.Equal(t, x.want, fmt.Sprint(all))
	}
}

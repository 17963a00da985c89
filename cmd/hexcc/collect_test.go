package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestGrowth checks that memory grows by a multiple where little is kept, and by less the more is.
func TestGrowth(t *testing.T) {
	require.Equal(t, most, growth(0))
	require.Equal(t, most, growth(64<<20))
	last := most
	for live := uint64(64 << 20); live < 1<<40; live += live / 8 {
		p := growth(live)
		require.LessOrEqual(t, p, last)
		require.GreaterOrEqual(t, p, least)
		last = p
	}
	require.Less(t, uint64(growth(1<<30)), uint64(100), "with a gigabyte kept, less than two are taken")
	require.Equal(t, least, last)
}

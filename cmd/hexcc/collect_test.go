package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestGrowth checks that memory grows by a multiple where little is kept, and by less the more is.
func TestGrowth(t *testing.T) {
	for _, most := range []int{most, mostHuge} {
		require.Equal(t, most, growth(0, most))
		last := most
		for live := uint64(4 << 20); live < 1<<40; live += live / 8 {
			p := growth(live, most)
			require.LessOrEqual(t, p, last)
			require.GreaterOrEqual(t, p, least)
			last = p
		}
		require.Less(t, uint64(growth(1<<30, most)), uint64(100), "with a gigabyte kept, less than two are taken")
		require.Equal(t, least, last)
	}
	require.Equal(t, most, growth(64<<20, most))
	require.LessOrEqual(t, growth(64<<20, mostHuge), 500, "what is kept already bounds what is added to it")
}

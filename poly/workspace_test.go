package poly

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// All tests of this package run with workspaces that are overwritten when they are given back.
func init() { spoil = true }

// TestWorkspace tries that what a workspace is overwritten with reaches the next who borrows it in no row, and that results outlive what they were made in.
func TestWorkspace(t *testing.T) {
	a := MustSet("[n] -> { S[i, j] : 0 <= i < n and 0 <= j < n and exists k : i + j = 3k }")
	b := MustSet("[n] -> { S[i, j] : i <= j and exists k : j - i = 2k }")
	both, text := a.Intersect(b), a.Intersect(b).String()
	rest := a.Subtract(b)
	for range 100 {
		require.False(t, b.Intersect(a).IsEmpty())
	}
	require.Equal(t, text, both.String())
	require.True(t, both.Union(rest).IsEqual(a))
	require.True(t, both.Intersect(rest).IsEmpty())

	w := borrowWorkspace(3, 10)
	w.overwrite()
	w.giveBack(merger{})
	for range 100 {
		w := borrowWorkspace(1, 7)
		require.Len(t, w.ints, 7)
		for _, x := range w.ints {
			require.True(t, x.isZero())
		}
		w.giveBack(merger{})
	}
}

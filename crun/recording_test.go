package crun

import (
	"bytes"
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/scop"
)

// recorded writes a recording of one array in doubles, first in row 1 of 2 x 3: what each run found and left, by turns.
func recorded(t *testing.T, runs uint64, arrays ...[]float64) string {
	t.Helper()
	var b bytes.Buffer
	put := func(x any) { require.NoError(t, binary.Write(&b, binary.NativeEndian, x)) }
	for i, a := range arrays {
		put(record{Kind: found + uint64(i%2), Run: uint64(1 + i/2), From: 24, Bytes: uint64(8 * len(a)), Read: 1, Extents: [8]uint64{2, 3}})
		put(a)
	}
	put(record{Kind: ran, Run: runs, Read: 1})
	name := filepath.Join(t.TempDir(), "memory")
	require.NoError(t, os.WriteFile(name, b.Bytes(), 0o666))
	return name
}

func compared(a, b string) ([]Comparison, error) {
	return CompareRecordings(a, b, 1, func(int, int) (string, scop.Type) { return "A", scop.Double })
}

func TestRecordings(t *testing.T) {
	nan := math.NaN()
	other := math.Float64frombits(math.Float64bits(nan) + 1)
	a := recorded(t, 2, []float64{1, 2, 3}, []float64{4, 5, nan}, []float64{4, 5, 6}, []float64{7, 8, 9})
	t.Run("equal", func(t *testing.T) {
		all, err := compared(a, recorded(t, 2, []float64{1, 2, 3}, []float64{4, 5, other}, []float64{4, 5, 6}, []float64{7, 8, 9}))
		require.NoError(t, err)
		require.Equal(t, []Comparison{{Runs: [2]uint64{2, 2}, Compared: 2, Elements: 6}}, all)
	})
	t.Run("an element differs", func(t *testing.T) {
		all, err := compared(a, recorded(t, 2, []float64{1, 2, 3}, []float64{4, 5, nan}, []float64{4, 5, 6}, []float64{7, -8, 9.5}))
		require.NoError(t, err)
		require.Equal(t, int64(2), all[0].Differ)
		require.Equal(t, Element{Run: 2, Name: "A[1][1]", A: "8", B: "-8"}, all[0].First)
		require.Zero(t, all[0].Found)
	})
	t.Run("zeros of two signs differ", func(t *testing.T) {
		all, err := compared(recorded(t, 1, []float64{0}, []float64{0}), recorded(t, 1, []float64{0}, []float64{math.Copysign(0, -1)}))
		require.NoError(t, err)
		require.Equal(t, int64(1), all[0].Differ)
	})
	t.Run("what was not set, and is not", func(t *testing.T) {
		all, err := compared(recorded(t, 1, []float64{1, 2}, []float64{1, 5}), recorded(t, 1, []float64{-1, 2}, []float64{-1, 5}))
		require.NoError(t, err)
		require.Equal(t, int64(1), all[0].Found)
		require.Zero(t, all[0].Differ)
	})
	t.Run("what was not set, and is in one", func(t *testing.T) {
		all, err := compared(recorded(t, 1, []float64{1, 2}, []float64{1, 5}), recorded(t, 1, []float64{-1, 2}, []float64{-3, 5}))
		require.NoError(t, err)
		require.Equal(t, int64(1), all[0].Differ)
	})
	t.Run("fewer runs", func(t *testing.T) {
		_, err := compared(a, recorded(t, 1, []float64{1, 2, 3}, []float64{4, 5, nan}))
		require.ErrorIs(t, err, errOtherRuns)
	})
	t.Run("another size", func(t *testing.T) {
		_, err := compared(recorded(t, 1, []float64{1, 2}, []float64{1, 2}), recorded(t, 1, []float64{1}, []float64{1}))
		require.ErrorIs(t, err, errOtherRuns)
	})
	t.Run("none", func(t *testing.T) {
		empty := filepath.Join(t.TempDir(), "empty")
		require.NoError(t, os.WriteFile(empty, nil, 0o666))
		all, err := compared(empty, empty)
		require.NoError(t, err)
		require.Equal(t, make([]Comparison, 1), all)
		_, err = compared(empty, a)
		require.ErrorIs(t, err, errOtherRuns)
		_, err = compared(a, empty)
		require.ErrorIs(t, err, errOtherRuns)
	})
}

// TestLongDoubles: of 16 bytes the last six are no digits, and a difference that a double does not have is one.
func TestLongDoubles(t *testing.T) {
	one := toExtended(math.Float64bits(1))
	noise := append(one[:10:10], 1, 2, 3, 4, 5, 6)
	next := bytes.Clone(one)
	next[0]++
	require.True(t, sameElement(scop.LongDouble, one, noise))
	require.False(t, sameElement(scop.LongDouble, one, next))
}

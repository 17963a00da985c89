package profile

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// pair returns a kernel of which so many launches of so many blocks were measured, and counted.
func pair(name string, launches int, blocks float64, of, ofBlocks int64) Pair {
	return Pair{
		&Measured{Kernel: name, Launches: launches, Blocks: blocks, Values: map[Quantity]float64{Time: 2e-3, DRAMRead: 3e6, DRAMWritten: 1e6, Instructions: 1e5}},
		Counted{Launches: of, Blocks: ofBlocks, Updates: 100, Bytes: 2, SecondsPerUpdate: 1e-9, Instructions: 8},
	}
}

// TestUpdates: the launches of a profile are a run, several, or a part of one; else it is said why they are not.
func TestUpdates(t *testing.T) {
	for _, x := range []struct {
		pairs     []Pair
		kernels   int
		want      float64
		note, why string
	}{
		{[]Pair{pair("a", 10, 8, 10, 80), pair("b", 10, 8, 10, 80)}, 2, 1000, "", ""},
		{[]Pair{pair("a", 20, 8, 10, 80), pair("b", 22, 8, 11, 88)}, 2, 2000, "", ""},
		{[]Pair{pair("a", 1, 8, 10, 80)}, 1, 100, "as if all launches were alike: the profile has 1, and a run 10", ""},
		{[]Pair{pair("a", 10, 8, 10, 80)}, 2, 0, "", "the profile has not all kernels of the region"},
		{[]Pair{pair("a", 10, 8, 10, 80), pair("b", 9, 8, 10, 80)}, 2, 0, "", "the profile has 10 of 10 launches of a, and 9 of 10 of b"},
		{[]Pair{pair("a", 10, 16, 10, 80)}, 1, 0, "", "launches of a have 16 blocks in the profile, and 8 at these sizes"},
		{[]Pair{pair("a", 10, 8, 0, 0)}, 1, 0, "", "a is not launched at these sizes"},
		{[]Pair{pair("a", 1, 300, 1, 0)}, 1, 1000, "", ""}, // the device decides how many blocks run chains
	} {
		n, note, why := Updates(x.pairs, x.kernels, 1000)
		require.Equal(t, x.why, why)
		require.Equal(t, x.note, note)
		require.InDelta(t, x.want, n, 1e-9)
	}
}

// TestCompare: what differs by more than a quarter is marked, either way; a time only of the device that the model is for.
func TestCompare(t *testing.T) {
	pairs := []Pair{pair("a", 10, 8, 10, 80), pair("b", 10, 8, 10, 80)} // 4 ms, 8e6 bytes, 2e5 instructions of warps
	at := func(updates float64, device bool) map[string]Comparison {
		all := map[string]Comparison{}
		for _, c := range Compare(pairs, updates, device) {
			all[c.What] = c
		}
		return all
	}
	all := at(4e6, true)
	require.Len(t, all, 3)
	require.InDelta(t, 1000, all["time"].Measured, 1e-9)
	require.InDelta(t, 1000, all["time"].Expected, 1e-9)
	require.False(t, all["time"].Differs)
	require.InDelta(t, 2, all["bytes of device memory"].Measured, 1e-9)
	require.False(t, all["bytes of device memory"].Differs)
	require.InDelta(t, 1.6, all["instructions of lanes"].Measured, 1e-9)
	require.InDelta(t, 8, all["instructions of lanes"].Expected, 1e-9)
	require.True(t, all["instructions of lanes"].Differs)
	require.True(t, at(2e6, true)["time"].Differs)
	d, ok := DeviceOf("8.0")
	require.True(t, ok)
	c := Counted{Operations: 8, Unit: FP64}
	rates := c.MeasuredIntensities(d, Compare(pairs, 4e6, true))
	require.Len(t, rates, 1)
	require.InDelta(t, 4, rates[0].Kernel, 1e-9)
	require.InDelta(t, 32*108*1.41/1555, rates[0].Balance, 1e-9) // results of a clock, multiprocessors, GHz by GB/s: 1e9 each
	require.True(t, at(8e6, true)["time"].Differs)
	require.NotContains(t, at(4e6, false), "time")
	for ratio, differs := range map[float64]bool{1.26: true, 1.24: false, 0.81: false, 0.79: true} {
		require.Equal(t, differs, compare("", "", ratio, 1, "").Differs, "%v", ratio)
	}
	delete(pairs[1].Values, DRAMRead)
	require.NotContains(t, at(4e6, true), "bytes of device memory", "one kernel lacks it")
}

// TestGap: short launches are found by the time that is assumed between them.
func TestGap(t *testing.T) {
	require.InDelta(t, 0.5, gap(launchSeconds), 1e-12)
}

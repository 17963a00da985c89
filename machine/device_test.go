package machine_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/machine"
)

// TestDevices checks that the values of each architecture agree with each
// other. Package cuda compares them with what NVIDIA's tools know.
func TestDevices(t *testing.T) {
	seen := map[string]bool{}
	for _, d := range machine.Devices() {
		require.False(t, seen[d.Name], d.Name)
		seen[d.Name] = true
		found, ok := machine.LookupDevice(d.Name)
		require.True(t, ok)
		require.Equal(t, d, found)

		require.LessOrEqual(t, d.SharedBytes+d.SharedReserved, d.SharedPerSM, d.Name)
		require.GreaterOrEqual(t, d.SharedBytes, 48<<10, d.Name)
		require.Zero(t, d.SharedPerSM%d.SharedUnit, d.Name)
		require.LessOrEqual(t, d.ThreadsPerBlock, d.ThreadsPerSM, d.Name)
		require.Zero(t, d.ThreadsPerSM%d.Warp, d.Name)
		require.LessOrEqual(t, d.RegistersPerBlock, d.Registers, d.Name)
		require.Zero(t, d.Registers%(d.RegisterUnit*d.Partitions), d.Name)
		require.LessOrEqual(t, d.BlocksPerSM*d.Warp, d.ThreadsPerSM, "%s: as many blocks of a warp", d.Name)
		require.Positive(t, d.Occupancy(d.ThreadsPerBlock, 32, int64(d.SharedBytes)).Blocks, d.Name)
		require.Equal(t, d.BlocksPerSM, d.Occupancy(d.Warp, 16, 0).Blocks, d.Name)
		require.Zero(t, d.Occupancy(d.Warp, 16, int64(d.SharedBytes)+1).Blocks, d.Name)

		require.Positive(t, d.SMs*d.MHz*d.GBs*d.FP32*d.SharedPerClock, d.Name)
		require.NotEmpty(t, d.From, d.Name)
		require.Contains(t, machine.DeviceTable(), d.Part)
	}
	require.GreaterOrEqual(t, len(seen), 14)
	_, ok := machine.LookupDevice("sm_1")
	require.False(t, ok)
	for _, line := range strings.Split(machine.DeviceTable(), "\n") {
		require.LessOrEqual(t, len(line), 100, line)
	}
}

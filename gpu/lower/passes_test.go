package lower_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/emulate"
	"github.com/hexcc/hexcc/gpu/lower"
	"github.com/hexcc/hexcc/internal/pipeline"
)

// TestKernelsAreRightAfterEachPass runs, in the emulator, the kernels that each pass leaves, from the first that makes one on.
func TestKernelsAreRightAfterEachPass(t *testing.T) {
	passes := lower.KernelPasses()
	require.Equal(t, "nodes", passes[0])
	require.Equal(t, "resources", passes[len(passes)-1])
	changed := map[string]bool{}
	device := pipeline.Device(t, "sm_80")
	device.RegistersPerThread = 120 // so that spilling has work to do in small tiles, too
	for _, x := range pipeline.Some(t) {
		t.Run(x.Name, func(t *testing.T) {
			x := stencil{x}
			s := x.Schedule(t, x.small(0))
			var before string
			for _, pass := range passes {
				p, err := lower.LowerUpTo(pass, pipeline.Loops(t, s), device, lower.Options{})
				require.NoError(t, err)
				require.NoError(t, p.Verify(), "after %s", pass)
				if p.String() == before {
					continue
				}
				before = p.String()
				changed[pass] = true
				v, err := emulate.Verify(emulate.Request{Program: p, Schedule: s, Points: 1 << 12})
				require.NoError(t, err)
				require.True(t, v.OK(), "after %s: %v\n%v", pass, v, p)
			}
		})
	}
	require.True(t, changed["promote"] && changed["spill"] && changed["tests"], "which passes change something: %v", changed)
}

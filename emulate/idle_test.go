package emulate_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/emulate"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/oracle"
	"github.com/hexcc/hexcc/scop"
)

// TestNoIdleLaunch runs every case, in CI every third, at sizes from 1 on, narrower and wider than a tile, with 0, 1 and more
// steps, and counts what each launch does: none does nothing. Without the condition some do, so the
// test can fail.
func TestNoIdleLaunch(t *testing.T) {
	eachNth(t, 3, 2, func(t *testing.T, name string, p plan) {
		program := p.request(t, p.small()).Program
		rng := rand.New(rand.NewPCG(1, 2))
		for try := range 5 {
			params := oracle.RandomParams(program.Scop, rng, try)
			mem, err := scop.NewMemory(program.Scop, params, uint64(try))
			require.NoError(t, err)
			report, err := emulate.Run(program, mem, emulate.Options{Seed: uint64(try)})
			require.NoError(t, err)
			require.True(t, report.OK(), "%s: %v", mem.Sizes(), report)
			for _, l := range report.Launches {
				require.Positive(t, l.Points, "%s: %s is launched at T = %d for nothing", mem.Sizes(), l.Kernel.Name, l.T)
			}
		}
	})
}

// TestIdleWithoutWork checks that launches would be idle if the host started all that have tiles.
func TestIdleWithoutWork(t *testing.T) {
	p := newPlan(t, "jacobi-2d", cases.Input(t, "jacobi-2d"))
	program := p.request(t, p.small()).Program
	idle := func() (n int) {
		mem, err := scop.NewMemory(program.Scop, []int64{12, 27}, 1)
		require.NoError(t, err)
		report, err := emulate.Run(program, mem, emulate.Options{})
		require.NoError(t, err)
		for _, l := range report.Launches {
			if l.Points == 0 {
				n++
			}
		}
		return n
	}
	require.Zero(t, idle())
	for _, k := range program.Kernels {
		require.NotNil(t, k.Work)
		k.Work = astgen.Work(nil)
	}
	require.Positive(t, idle())
}

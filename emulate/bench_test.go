package emulate_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/emulate"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// BenchmarkRun runs 20 steps of jacobi-2d on 500x500.
func BenchmarkRun(b *testing.B) {
	p := newPlan(b, "jacobi-2d", cases.Input(b, "jacobi-2d"))
	r := p.request(b, schedule.Sizes{H: 2, W: []int64{3, 32}})
	mem, err := scop.NewMemory(r.Program.Scop, []int64{20, 500}, 1)
	require.NoError(b, err)
	points := int64(0)
	for b.Loop() {
		report, err := emulate.Run(r.Program, mem, emulate.Options{})
		require.NoError(b, err)
		points += report.Total.Points
	}
	b.ReportMetric(float64(points)/b.Elapsed().Seconds()/1e6, "Minstances/s")
}

// BenchmarkVerify verifies cases at the sizes chosen by default.
func BenchmarkVerify(b *testing.B) {
	for name, sizes := range map[string]schedule.Sizes{
		"jacobi-2d": {H: 3, W: []int64{5, 64}}, "fdtd-2d": {H: 3, W: []int64{4, 64}}, "heat-3d": {H: 1, W: []int64{3, 6, 32}},
	} {
		b.Run(name, func(b *testing.B) {
			r := newPlan(b, name, cases.Input(b, name)).request(b, sizes)
			r.Points = 0
			for b.Loop() {
				v, err := emulate.Verify(r)
				require.NoError(b, err)
				require.True(b, v.OK())
				b.Log(v)
			}
		})
	}
}

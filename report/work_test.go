package report

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/schedule"
)

// TestWork compares with figures counted by hand: operations of the bodies, and
// what one step after the other moves.
func TestWork(t *testing.T) {
	for _, x := range []struct {
		name                string
		sizes               schedule.Sizes
		operations, untiled int64 // by point
		double              bool
	}{
		{"jacobi-1d", sizesOf["jacobi-1d"], 3, 8, false},
		{"jacobi-2d", sizesOf["jacobi-2d"], 5, 8, false},
		{"star-2d-4", schedule.Sizes{H: 1, W: []int64{8, 32}}, 22, 16, true}, // c[k] is an argument
		{"heat-4d", schedule.Sizes{H: 0, W: []int64{0, 2, 2, 32}}, 10, 8, false},
	} {
		p := products(t, x.name, x.sizes)
		w, ok := workOf(p.GPU)
		require.True(t, ok, x.name)
		require.Equal(t, 2*CountKernel(p.GPU.Kernels[0]).Points, w.points) // one of each phase
		require.Equal(t, x.operations*w.points, w.operations, x.name)
		require.Equal(t, x.untiled*w.points, w.untiled, x.name)
		require.Equal(t, x.double, w.double, x.name)
		c := CountKernel(p.GPU.Kernels[0])
		require.Equal(t, w.bytes, 2*c.Bytes)
	}
}

// TestRoofline: the point of the tile lies where the counts put it, under all limits.
func TestRoofline(t *testing.T) {
	p := products(t, "jacobi-2d", sizesOf["jacobi-2d"])
	w, _ := workOf(p.GPU)
	f := &roofline{device: p.GPU.Device, work: w}
	require.Empty(t, f.limits())
	f.layout(1000)
	pic := readSVG(t, rooflinePicture(p.GPU, 1000).document("a", "b"))
	dot := pic.in("circle", "tilepoint")
	require.Len(t, dot, 1)
	best, _ := f.bound()
	require.LessOrEqual(t, best, f.peak)
	require.LessOrEqual(t, best, f.tiled*1555+1e-9) // an A100's 1555 GB/s
	require.InDelta(t, 9746, f.peak, 1)             // 108 multiprocessors, 64 lanes, 1.41 GHz
	at := f.at(f.tiled, best)
	require.InDelta(t, at.x, dot[0].points[0].x, 0.01)
	require.InDelta(t, at.y, dot[0].points[0].y, 0.01)
	for _, l := range pic.in("line", "roof") {
		for _, q := range l.points {
			require.LessOrEqual(t, q.y, f.at(f.xLo, f.yLo).y+0.01)
		}
	}

	unknown := *p.GPU // products are shared
	unknown.Device.GBs = 0
	require.Contains(t, string(rooflinePicture(&unknown, 1000).document("a", "b")), "the table of devices does not state bandwidth and clock of sm_80")
}

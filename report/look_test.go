package report

import (
	"os"
	"testing"
	"time"

	"github.com/hexcc/hexcc/schedule"
)

func TestLook(t *testing.T) {
	out := os.Getenv("LOOK")
	if out == "" {
		t.Skip()
	}
	for name, g := range map[string]shape{"jacobi": jacobi, "skewed": skewed, "half": {h: 4, w0: 4, n0: 1, d0: 2, n1: 1, d1: 3}, "flat": {h: 0, w0: 1, n0: 1, d0: 1, n1: 1, d1: 1}, "big": {h: 11, w0: 20, n0: 1, d0: 1, n1: 1, d1: 1}, "one": {h: 2, w0: 3, n0: 0, d0: 1, n1: 1, d1: 1}} {
		os.WriteFile(out+"/hex-"+name+".svg", hexagonPicture(g.schedule(), g.cone()).document("t", "d"), 0o644)
	}
}

func TestLookCone(t *testing.T) {
	out := os.Getenv("LOOK")
	if out == "" {
		t.Skip()
	}
	w := func(name string, g shape, ds ...Distance) {
		os.WriteFile(out+"/cone-"+name+".svg", conePicture(g.cone(), ds, "t").document("t", "d"), 0o644)
	}
	w("jacobi", jacobi, Distance{1, -1}, Distance{1, 0}, Distance{1, 1}, Distance{2, 0})
	w("skewed", skewed, Distance{1, -2}, Distance{2, 2})
	w("far", skewed, Distance{5, -10}, Distance{4, 4}, Distance{2, 2}, Distance{1, 1})
}

func TestLookTiling(t *testing.T) {
	out := os.Getenv("LOOK")
	if out == "" {
		t.Skip()
	}
	w := func(name string, g shape, r region) {
		os.WriteFile(out+"/tiling-"+name+".svg", tilingPicture(g.schedule(), r, 1120).document("t", "d"), 0o644)
	}
	w("jacobi", jacobi, rectangle(rect{0, 12, 1, 30}, "T = 13, N = 32"))
	w("skewed", skewed, rectangle(rect{0, 12, 1, 30}, "T = 13, N = 32"))
	w("half", shape{h: 4, w0: 4, n0: 1, d0: 2, n1: 1, d1: 3}, rectangle(rect{0, 20, 0, 38}, "T = 21, N = 40"))
	w("big", shape{h: 9, w0: 20, n0: 1, d0: 1, n1: 1, d1: 1}, rectangle(rect{0, 50, 0, 200}, "T = 51, N = 201"))
}

func TestLookPlot(t *testing.T) {
	out := os.Getenv("LOOK")
	if out == "" {
		t.Skip()
	}
	for name, g := range map[string]shape{"jacobi": jacobi, "skewed": skewed} {
		in := &Inspection{File: "x.c", Function: "f", Tile: &Tile{H: 2, W: []int64{3}, Points: 36, Height: 6}, Dependences: []Dependence{{Nearest: []int64{1, -g.n1}}, {Nearest: []int64{2, 2}}}}
		os.WriteFile(out+"/plot-"+name+".svg", plot(in, Products{Schedule: g.schedule(), Cone: g.cone()}, rectangle(rect{0, 12, 1, 30}, "T = 13, N = 32")), 0o644)
	}
}

func TestLookPipeline(t *testing.T) {
	out := os.Getenv("LOOK")
	if out == "" {
		t.Skip()
	}
	for name, sizes := range map[string]schedule.Sizes{
		"jacobi-1d": {H: 2, W: []int64{3}},
		"jacobi-2d": {H: 2, W: []int64{3, 32}}, "fdtd-2d": {H: 3, W: []int64{4, 32}}, "asymmetric": {H: 2, W: []int64{3}},
		"wave-2d": {H: 3, W: []int64{4, 32}}, "laplacian-3d": {H: 1, W: []int64{4, 8, 32}}, "heat-3d": {H: 1, W: []int64{4, 8, 32}}, "life": {H: 2, W: []int64{3, 32}},
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			p := products(t, name, sizes)
			mid := time.Now()
			in := Inspect(p)
			t.Log(mid.Sub(start), time.Since(mid))
			os.WriteFile(out+"/p-"+name+".svg", Plot(p, nil), 0o644)
			os.WriteFile(out+"/p-"+name+".txt", []byte(in.Text()), 0o644)
			os.WriteFile(out+"/p-"+name+".json", in.JSON(), 0o644)
			os.WriteFile(out+"/p-"+name+".isl", []byte(in.ISL()), 0o644)
		})
	}
}

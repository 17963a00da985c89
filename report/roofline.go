package report

import (
	"fmt"
	"math"

	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/machine"
)

// A roofline is the figure of how fast a full tile can run at most: operations
// a second against operations a byte, both axes logarithmic.
type roofline struct {
	drawing
	box            rectangle
	xLo, xHi       float64 // operations a byte, powers of two
	yLo, yHi       float64 // 1e9 operations a second
	device         machine.Device
	work           work
	peak, bytes    float64 // 1e9 operations and bytes a second
	sharedCeiling  float64 // 1e9 operations a second; 0: no shared memory is used
	tiled, untiled float64 // operations a byte
}

// A rectangle of a picture.
type rectangle struct{ x, y, w, h float64 }

// rooflinePicture draws where a full tile of p lies under the limits of its device.
func rooflinePicture(p *gpu.Program, width float64) *drawing {
	w, ok := workOf(p)
	say := func(text string) *drawing {
		d := &drawing{w: width, h: 30}
		d.text(0, 18, plain(text), style{size: 13, fill: ink.faint, italic: true})
		return d
	}
	switch {
	case !ok:
		return say("no full tile of constant size: there is nothing to count")
	case w.operations == 0:
		return say("the statements have no operation on float or double to count")
	}
	f := &roofline{device: p.Device, work: w}
	missing := f.limits()
	if missing != "" {
		return say(fmt.Sprintf("the table of devices does not state %s of %s", missing, p.Device.Name))
	}
	f.layout(width)
	f.axes()
	f.roofs()
	f.points()
	f.legend()
	return &f.drawing
}

// limits fills in what the device can do, or says which of it is not known.
func (f *roofline) limits() (missing string) {
	d := f.device
	lanes, kind := d.FP32, "FP32"
	if f.work.double {
		lanes, kind = d.FP64, "FP64"
	}
	switch {
	case lanes == 0:
		return "the rate of " + kind
	case d.GBs == 0 || d.MHz == 0 || d.SMs == 0:
		return "bandwidth and clock"
	}
	clocks := float64(d.SMs) * float64(d.MHz) / 1000 // 1e9 a second, of all multiprocessors
	f.peak, f.bytes = clocks*float64(lanes), float64(d.GBs)
	f.tiled = float64(f.work.operations) / float64(f.work.bytes)
	f.untiled = float64(f.work.operations) / float64(f.work.untiled)
	if f.work.shared > 0 && d.SharedPerClock > 0 {
		f.sharedCeiling = clocks * float64(d.SharedPerClock) * float64(f.work.operations) / float64(f.work.shared)
	}
	return ""
}

// reach is what can be had at so many operations a byte.
func (f *roofline) reach(intensity float64) float64 { return min(f.peak, intensity*f.bytes) }

// bound is what a full tile can reach, and what bounds it.
func (f *roofline) bound() (float64, string) {
	best, by := f.tiled*f.bytes, "global memory"
	if f.sharedCeiling > 0 && f.sharedCeiling < best {
		best, by = f.sharedCeiling, "shared memory"
	}
	if f.peak < best {
		best, by = f.peak, "arithmetic"
	}
	return best, by
}

func (f *roofline) layout(width float64) {
	ridge := f.peak / f.bytes
	f.xLo = math.Exp2(math.Floor(math.Log2(min(f.untiled, f.tiled, ridge)) - 1))
	f.xHi = math.Exp2(math.Ceil(math.Log2(max(f.untiled, f.tiled, ridge)) + 1))
	f.yHi = math.Exp2(math.Ceil(math.Log2(f.peak * 1.3)))
	if f.sharedCeiling > f.peak {
		f.yHi = math.Exp2(math.Ceil(math.Log2(f.sharedCeiling * 1.2)))
	}
	f.yLo = math.Exp2(math.Floor(math.Log2(f.reach(f.xLo))))
	f.w = width
	f.box = rectangle{70, 34, min(520, width-420), 300}
	f.h = f.box.y + f.box.h + 52
}

func (f *roofline) at(intensity, rate float64) point {
	part := func(v, lo, hi float64) float64 { return math.Log(v/lo) / math.Log(hi/lo) }
	return point{f.box.x + f.box.w*part(intensity, f.xLo, f.xHi), f.box.y + f.box.h*(1-part(rate, f.yLo, f.yHi))}
}

func (f *roofline) axes() {
	small := style{size: 11, fill: ink.faint, anchor: "middle"}
	f.group(attrs{"stroke", ink.grid, "stroke-width", 1}, func() {
		for x := f.xLo; x <= f.xHi; x *= 2 {
			f.line(f.at(x, f.yLo), f.at(x, f.yHi), nil)
		}
		for y := f.yLo; y <= f.yHi; y *= 2 {
			f.line(f.at(f.xLo, y), f.at(f.xHi, y), nil)
		}
	})
	bottom := f.box.y + f.box.h
	skip := math.Exp2(math.Ceil(40/(f.box.w/math.Log2(f.xHi/f.xLo)))) / 2
	for x := f.xLo; x <= f.xHi; x *= max(2, skip*2) {
		f.text(f.at(x, f.yLo).x, bottom+18, powerText(x), small)
	}
	small.anchor = "end"
	for y := f.yLo; y <= f.yHi; y *= 2 {
		f.text(f.box.x-8, f.at(f.xLo, y).y+4, powerText(y), small)
	}
	word := style{size: 13, fill: ink.text}
	f.text(12, 16, "1e9 operations a second", word)
	word.anchor = "end"
	f.text(f.box.x+f.box.w, bottom+38, "operations for each byte of global memory", word)
}

// powerText writes a power of two, those below 1 as fractions.
func powerText(x float64) string {
	if x < 1 {
		return "1/" + num(1/x)
	}
	return thousands(int64(x))
}

// roofs draws the limits of the device, and what shared memory allows this tile.
func (f *roofline) roofs() {
	ridge := f.peak / f.bytes
	f.group(attrs{"fill", "none", "stroke-width", 2.2, "stroke", ink.text, "class", "roof"}, func() {
		start := f.at(f.xLo, f.reach(f.xLo))
		f.line(start, f.at(ridge, f.peak), nil)
		f.line(f.at(ridge, f.peak), f.at(f.xHi, f.peak), nil)
	})
	if f.sharedCeiling > f.yLo {
		f.line(f.at(f.xLo, f.sharedCeiling), f.at(f.xHi, f.sharedCeiling),
			attrs{"class", "ceiling", "stroke", ink.written, "stroke-width", 1.8, "stroke-dasharray", "8 4"})
	}
}

func (f *roofline) points() {
	best, _ := f.bound()
	f.line(f.at(f.tiled, f.yLo), f.at(f.tiled, best), attrs{"stroke", ink.first, "stroke-width", 1, "stroke-dasharray", "2 3"})
	f.diamond(f.at(f.untiled, f.reach(f.untiled)), 6)
	f.note("a full tile", func() {
		f.circle(f.at(f.tiled, best), 6.5, attrs{"class", "tilepoint", "fill", ink.first, "stroke", ink.paper, "stroke-width", 1.5})
	})
}

func (f *roofline) diamond(c point, r float64) {
	f.polygon([]point{c.add(0, -r), c.add(r, 0), c.add(0, r), c.add(-r, 0)}, attrs{"fill", ink.again, "stroke", ink.text, "stroke-width", 1.2})
}

// legend says beside the figure what the lines and points are.
func (f *roofline) legend() {
	x, y := f.box.x+f.box.w+36, f.box.y+6
	head, small := style{size: 12, fill: ink.text, bold: true}, style{size: 12, fill: ink.text}
	item := func(symbol func(p point), lines ...string) {
		symbol(point{x + 10, y - 4})
		for i, line := range lines {
			st := small
			if i == 0 {
				st = head
			}
			f.text(x+30, y, line, st)
			y += 16
		}
		y += 10
	}
	perPoint := float64(f.work.points) / float64(f.work.operations)
	best, by := f.bound()
	item(func(p point) { f.circle(p, 6, attrs{"fill", ink.first}) }, "a full tile, at most",
		fmt.Sprintf("%.3g operations a byte, %s a point", f.tiled, bytesText(f.work.bytes, f.work.points)),
		fmt.Sprintf("%s e9 operations, %s e9 points a second", rounded(best), rounded(best*perPoint)),
		"limited by "+by)
	item(func(p point) { f.diamond(p, 6) }, "one step after the other, at most",
		fmt.Sprintf("%.3g operations a byte, %s a point", f.untiled, bytesText(f.work.untiled, f.work.points)),
		fmt.Sprintf("%s e9 points a second", rounded(f.reach(f.untiled)*perPoint)))
	line := func(colour, dash string) func(p point) {
		return func(p point) {
			f.line(p.add(-10, 0), p.add(12, 0), attrs{"stroke", colour, "stroke-width", 2.2, "stroke-dasharray", dash})
		}
	}
	kind := "float"
	if f.work.double {
		kind = "double"
	}
	item(line(ink.text, "none"), fmt.Sprintf("%s (%s)", plain(f.device.Name), f.device.Part),
		fmt.Sprintf("%s GB/s of global memory", thousands(int64(f.device.GBs))),
		fmt.Sprintf("%s e9 operations a second on %s", rounded(f.peak), kind),
		"without fused multiply-add: results stay those of C")
	if f.sharedCeiling > 0 {
		item(line(ink.written, "8 4"), "shared memory",
			fmt.Sprintf("%s a point through it", bytesText(f.work.shared, f.work.points)))
	}
}

func bytesText(bytes, points int64) string {
	return fmt.Sprintf("%.3g bytes", float64(bytes)/float64(points))
}

// rounded writes a rate with three digits or none after the point.
func rounded(x float64) string {
	if x < 100 {
		return fmt.Sprintf("%.3g", x)
	}
	return thousands(int64(math.Round(x)))
}

package report

import (
	"fmt"
	"math"
	"strings"
)

// This file draws what the caches of a CPU have to hold beside what they are.

const (
	cacheRow  = 22
	cacheLeft = 120
)

// cacheBars draws the working sets of a full tile below y, on a logarithmic scale on which the levels of cache are lines, and returns where they end.
func (d *drawing) cacheBars(t *Threads, y float64) float64 {
	if t == nil || len(t.Sets) == 0 {
		return y
	}
	c := t.Processor
	d.text(0, y+14, "What caches have to hold", style{size: 14, fill: ink.text, bold: true})
	d.text(210, y+14, "different elements of all arrays that a full tile touches, and of it its largest step and parts of that; the scale is logarithmic", style{size: 12, fill: ink.text})
	y += 44
	least, most := float64(c.Line), float64(2*c.L3)
	for _, s := range t.Sets {
		least, most = min(least, float64(s.Bytes)), max(most, 2*float64(s.Bytes))
	}
	at := func(bytes int64) float64 {
		return cacheLeft + (d.w-cacheLeft-90)*math.Log(float64(bytes)/least)/math.Log(most/least)
	}
	several := t.Sets[0].Phase != t.Sets[len(t.Sets)-1].Phase
	high := float64(len(t.Sets)) * cacheRow
	for i, s := range t.Sets {
		top, colour := y+float64(i)*cacheRow, phaseTint(i%4)
		name := "a " + s.Part
		if several {
			name += fmt.Sprintf(", phase %d", s.Phase)
		}
		var arrays []string
		for _, a := range s.Arrays {
			arrays = append(arrays, fmt.Sprintf("%s: %s", a.Array, count(int(a.Elements), "element")))
		}
		size := sizeText(s.Bytes)
		if s.Most {
			size = "at most " + size
		}
		d.text(cacheLeft-10, top+14, name, style{size: 12, fill: ink.text, anchor: "end"})
		d.note(strings.Join(arrays, ", "), func() {
			d.rect(cacheLeft, top+2, max(1, at(s.Bytes)-cacheLeft), cacheRow-6, attrs{"class", "set", "fill", colour.fill, "stroke", colour.edge, "stroke-width", 0.9})
		})
		d.text(max(cacheLeft, at(s.Bytes))+6, top+14, size, style{size: 11, fill: ink.text})
	}
	for _, level := range []struct {
		name  string
		bytes int64
	}{{"l1", c.L1}, {"l2", c.L2}, {"l3, a core's share", c.L3}} {
		x := at(level.bytes)
		d.line(point{x, y - 8}, point{x, y + high}, attrs{"class", "level", "stroke", ink.written, "stroke-width", 1.4})
		d.text(x, y-12, fmt.Sprintf("%s %s", level.name, sizeText(level.bytes)), style{size: 11, fill: ink.text, anchor: "middle"})
	}
	y += high + 10
	for _, b := range t.Buffers {
		d.text(0, y+12, plain(fmt.Sprintf("%s is in a buffer of each tile: %s", b.Array, sizeText(b.Bytes))), style{size: 12, fill: ink.faint})
		y += 18
	}
	return y
}

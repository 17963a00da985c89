package report

import (
	"fmt"
	"path/filepath"
	"strings"
)

// Plot returns pictures of the tiling of p as one SVG file: a tile with its
// sides, the dependence cone, and the tiles of the plane of time and s0.
// values are of parameters; the others get values that make a good picture.
func Plot(p Products, values map[string]int64) []byte {
	return plot(Inspect(p), p, regionOf(p.Schedule, values))
}

const (
	plotWide = 1180
	margin   = 28
)

func plot(in *Inspection, p Products, r region) []byte {
	page := &drawing{w: plotWide}
	y := page.heading(in)
	hexagon, cone := hexagonPicture(p.Schedule, p.Cone), conePicture(p.Cone, in.distances(), timeName(p.Schedule.Canonical))
	head := style{size: 16, fill: ink.text, bold: true}
	beside := margin + max(hexagon.w+30, 760)
	page.w = max(plotWide, beside+cone.w+margin)
	page.text(margin, y, "One tile", head)
	page.text(beside, y, "What one instance may depend on", head)
	small := style{size: 13, fill: ink.faint}
	page.text(margin, y+20, "Numbers: inequalities of Grosser et al., RR-8339. The pale rim reaches half way to the next tiles.", small)
	page.text(beside, y+20, "Arrows: opposites of the distances", small)
	y += 16
	page.place(hexagon, margin, y)
	page.place(cone, beside, y+8)
	page.facts(in, beside, y+cone.h+40)
	y += max(hexagon.h, cone.h+40+20*float64(len(facts(in)))) + 44
	page.text(margin, y, "The tiles of time and s_0", head)
	page.text(margin, y+20, "Each tile carries its indices and the launch that runs it. The tiles of one launch run in parallel; launches run one after the other.", small)
	tiling := tilingPicture(p.Schedule, r, page.w-2*margin)
	page.place(tiling, margin, y+36)
	page.h = y + 36 + tiling.h + margin
	return page.document(plotTitle(in), plotDescription(in))
}

func (d *drawing) heading(in *Inspection) float64 {
	d.text(margin, 42, plain(plotTitle(in)), style{size: 22, fill: ink.text, bold: true})
	if in.Tile != nil {
		sub := strings.NewReplacer("w", "w_").Replace(sizesText(in.Tile.H, in.Tile.W))
		d.text(margin, 66, fmt.Sprintf("tile sizes %s", sub), style{size: 14, fill: ink.faint})
	}
	return 108
}

func plotTitle(in *Inspection) string {
	if in.Function == "" {
		return "Hexagonal tiling"
	}
	return fmt.Sprintf("Tiling of %s (%s)", in.Function, filepath.Base(in.File))
}

func plotDescription(in *Inspection) string {
	return fmt.Sprintf("%s. One tile with its points and the lines around it; the opposite dependence cone; "+
		"the tiles of time and the first space dimension, coloured by phase.", plotTitle(in))
}

// facts are lines of numbers about a full tile.
func facts(in *Inspection) []string {
	for _, k := range in.Kernels {
		if k.Points > 0 {
			return []string{
				fmt.Sprintf("%s in %s", count(int(k.Points), "point"), count(int(in.Tile.Height), "step")),
				fmt.Sprintf("%s, %s, %d bytes shared", count(int(k.Loads+k.Reads), "load"), count(int(k.Stores+k.Writes), "store"), k.SharedBytes),
			}
		}
	}
	return nil
}

func (d *drawing) facts(in *Inspection, x, y float64) {
	lines := facts(in)
	if len(lines) == 0 {
		return
	}
	d.text(x, y, "A full tile", style{size: 14, fill: ink.text, bold: true})
	for i, line := range lines {
		d.text(x, y+20*float64(i+1), line, style{size: 13, fill: ink.text})
	}
}

package report

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/schedule"
)

// PictureNames are the pictures that a sheet may hold, in the order in which it does.
var PictureNames = []string{"graph", "hexagon", "cone", "tiling", "strips", "order", "timeline", "ranks", "footprint", "pipeline", "roofline"}

// NoPictureOnCPU says why there are no pictures of that name where the target is a CPU.
var NoPictureOnCPU = map[string]string{
	"pipeline": "it is about rows that stream through the registers of warps",
	"roofline": "no table has the rates of processors",
}

// PicturesOnCPU are the pictures that a sheet may hold where the target is a CPU.
func PicturesOnCPU() (names []string) {
	for _, name := range PictureNames {
		if NoPictureOnCPU[name] == "" {
			names = append(names, name)
		}
	}
	return names
}

// PlotOptions say what to draw. The zero PlotOptions draw all.
type PlotOptions struct {
	Pictures []string         // some of PictureNames; nil: all
	Values   map[string]int64 // of parameters; the others get values that make a good picture
	fine     bool             // as one can zoom
}

// Plot returns pictures of the tilings of regions, one below the other, as one SVG file.
func Plot(o PlotOptions, regions ...Products) []byte {
	page := &drawing{w: plotWide}
	var sheets []*drawing
	for _, p := range regions {
		in := collect(p)
		sheets = append(sheets, sheet(in, pictures(p, in, o)))
	}
	for _, s := range sheets {
		page.w = max(page.w, s.w)
		page.place(s, 0, page.h)
		page.h += s.h
	}
	title := "Hexagonal tiling"
	if len(regions) > 0 {
		title = plotTitle(&Inspection{File: regions[0].Scop.File, Function: regions[0].Scop.Function})
	}
	return page.document(title, plotDescription(title, o, regions))
}

const (
	plotWide = 1240
	margin   = 28
)

// A picture is a drawing with a heading and a note on how to read it.
type picture struct {
	name        string
	title, note string
	d           *drawing
}

// pictures draws those that o asks for and that p has the products for.
func pictures(p Products, in *Inspection, o PlotOptions) (all []picture) {
	add := func(name, title, note string, draw func() *drawing) {
		if len(o.Pictures) == 0 || slices.Contains(o.Pictures, name) {
			all = append(all, picture{name, title, note, draw()})
		}
	}
	if p.Schedule == nil {
		return nil
	}
	s, inner := p.Schedule, float64(plotWide-2*margin)
	notes, terms := p.notes(), p.terms()
	note := notes.tile
	if _, ok := hexagonOf(s, p.Cone); ok && !s.Overlaps() {
		note = "Numbers: inequalities of Grosser et al., RR-8339. The pale rim reaches half way to the next tiles."
	}
	if in.Graph != nil && in.Graph.hands() {
		add("graph", "What statements read of each other in an iteration", "Each number is at how many offsets; hover for them.",
			func() *drawing { return graphPicture(graphOf(p), s, terms) })
	}
	add("hexagon", "One tile", note,
		func() *drawing { return hexagonPicture(s, p.Cone) })
	if len(p.Deps) > 0 && len(p.Cone.Lo) > 0 && p.Cone.Hi[0] != nil { // none bounds what tiles of space alone keep, nor parallelograms from above
		add("cone", "What one instance may depend on", "Arrows: opposites of the distances",
			func() *drawing { return conePicture(p.Cone, in.distances(), timeName(s.Canonical)) })
	}
	add("tiling", "The tiles of time and s_0", notes.tiling,
		func() *drawing { return tilingPicture(s, regionOf(s, o.Values), terms, inner) })
	for i := 1; i < len(s.Phases[0].Space); i++ {
		add("strips", fmt.Sprintf("The tiles of s_%d", i), p.stripsNote(i),
			func() *drawing { return stripPicture(s, p.Cone, i, stripWide) })
	}
	ready := schedule.WhenReady(s, p.slopes())
	add("order", "When tiles can start", notes.order,
		func() *drawing { return orderPicture(s, ready, terms, inner) })
	if ready.Why == "" {
		columns := timelineColumns
		if o.fine {
			columns = fineColumns
		}
		add("timeline", notes.timelineTitle, notes.timeline,
			func() *drawing { return timelinePicture(p, inner, columns) })
	}
	if p.Ranks != nil {
		sent := "after a phase; before the first one"
		if p.Ranks.Pipeline != nil {
			sent = "in the turns of a time tile; before the first time tile"
		}
		add("ranks", "Who runs what, and the messages", fmt.Sprintf("%d ranks on a small grid. An arrow: what crosses a border %s, ranks send more, once. Hover for bytes.", drawnRanks, sent),
			func() *drawing { return ranksPicture(p.Ranks, s, o.Values, terms, inner) })
	}
	add("footprint", "What a full tile uses, step by step", notes.footprint,
		func() *drawing { return footprintPicture(p, inner) })
	if pipelineIn(p) != nil {
		add("pipeline", "When warps run steps", "The warps of a block, from top to bottom; beats from left to right. A number is that of the tile along the chain; one of them is framed.",
			func() *drawing { return pipelinePicture(p.GPU, s.Canonical, inner) })
	}
	if p.onCPU() {
		return all // see NoPictureOnCPU
	}
	add("roofline", "How fast it can be", "From counts of a full tile and what a typical part of the architecture can do: a bound, not a measurement.",
		func() *drawing { return rooflinePicture(p.GPU, inner) })
	return all
}

const stripWide = 540

// sheet lays pictures out in rows, under a heading.
func sheet(in *Inspection, all []picture) *drawing {
	page := &drawing{w: plotWide}
	for _, p := range all {
		page.w = max(page.w, p.d.w+2*margin)
	}
	y := page.heading(in)
	for len(all) > 0 {
		n, high := 0, 0.0
		x := float64(margin)
		for n < len(all) && (n == 0 || x+all[n].wide() <= page.w-margin+1) {
			page.section(all[n], x, y)
			x += all[n].wide() + 40
			high = max(high, all[n].d.h)
			n++
		}
		all = all[n:]
		y += 36 + high + 44
	}
	page.h = y - 16
	return page
}

// wide is the room of p and of the words above it.
func (p picture) wide() float64 { return max(p.d.w, textWidth(p.note, 13), 1.1*textWidth(p.title, 16)) }

func (d *drawing) section(p picture, x, y float64) {
	d.text(x, y, p.title, style{size: 16, fill: ink.text, bold: true})
	d.text(x, y+20, p.note, style{size: 13, fill: ink.faint})
	d.group(attrs{"class", p.name}, func() { d.place(p.d, x, y+36) })
}

func (d *drawing) heading(in *Inspection) float64 {
	d.text(margin, 42, plain(plotTitle(in)), style{size: 22, fill: ink.text, bold: true})
	if in.Tile == nil {
		return 108
	}
	sub := fmt.Sprintf("lines %d to %d   ·   tile sizes ", in.FirstLine, in.LastLine) + strings.NewReplacer("w", "w_").Replace(sizesText(in.Tile.H, in.Tile.W))
	d.text(margin, 66, strings.Join(append([]string{sub}, facts(in)...), "   ·   "), style{size: 14, fill: ink.faint})
	return 108
}

func plotTitle(in *Inspection) string {
	if in.Function == "" {
		return "Hexagonal tiling"
	}
	return fmt.Sprintf("Tiling of %s (%s)", in.Function, diag.Printable(filepath.Base(in.File)))
}

// descriptions say what the pictures show, for readers who cannot see them.
var descriptions = map[string]string{
	"hexagon":   "one tile with its points and the lines around it",
	"cone":      "the opposite dependence cone",
	"tiling":    "the tiles of time and the first space dimension, coloured by phase, with the launch that runs each",
	"strips":    "the tiles of each other space dimension, in the order in which a block runs them",
	"order":     "when tiles can start, in phases and when their data is ready, with what waits for what",
	"timeline":  "when the blocks of a device run tiles and when they are idle, in phases and when ready, simulated",
	"ranks":     "which rank runs which tiles, and the messages that cross the borders between ranks",
	"footprint": "the elements that a tile loads, reads again and writes at each step, and the shared memory it takes",
	"roofline":  "the limits of the device and where a full tile lies under them",
}

// descriptionsOnCPU are those that are others where the target is a CPU.
var descriptionsOnCPU = map[string]string{
	"tiling":    "the tiles of time and the first space dimension, coloured by phase, with the round in which each runs",
	"strips":    "the tiles of each other space dimension, in the order in which a thread runs them",
	"timeline":  "when threads run tiles and when they are idle, in phases and when ready, simulated",
	"footprint": "the elements that a tile touches for the first time, reads again and writes at each step, and what the caches have to hold of them",
}

// description returns what the picture of that name shows.
func (p Products) description(name string) string {
	if p.onCPU() {
		return cmp.Or(descriptionsOnCPU[name], descriptions[name])
	}
	return descriptions[name]
}

func plotDescription(title string, o PlotOptions, regions []Products) string {
	var parts []string
	for _, name := range PictureNames {
		if len(o.Pictures) == 0 || slices.Contains(o.Pictures, name) {
			if len(regions) == 0 {
				parts = append(parts, descriptions[name])
			} else if p := regions[0]; (name != "ranks" || p.Ranks != nil) && (!p.onCPU() || NoPictureOnCPU[name] == "") {
				parts = append(parts, p.description(name))
			}
		}
	}
	return title + ": " + strings.Join(parts, "; ") + "."
}

// steps counts the steps at which the tiles of a phase have points.
func (t *Tile) steps(phase int) (n int) {
	for a := range t.Height {
		if !slices.ContainsFunc(t.Phases[phase].Dims, func(d TileDim) bool { return d.Lo[a] > d.Hi[a] }) {
			n++
		}
	}
	return n
}

// facts are what a full tile does, in numbers.
func facts(in *Inspection) []string {
	for _, k := range in.Kernels {
		if p := in.Pipeline; p != nil {
			return []string{
				fmt.Sprintf("a full turn: %s in %s", count(int(k.Points), "point"), count(p.Turn, "beat")),
				fmt.Sprintf("%s, %s, %d bytes shared", count(int(k.Loads), "load"), count(int(k.Stores), "store"), k.SharedBytes),
			}
		}
		if k.Points > 0 {
			return []string{
				fmt.Sprintf("a full tile: %s in %s", count(int(k.Points), "point"), count(in.Tile.steps(k.Phase), "step")),
				fmt.Sprintf("%s, %s, %d bytes shared", count(int(k.Loads+k.Reads), "load"), count(int(k.Stores+k.Writes), "store"), k.SharedBytes),
			}
		}
	}
	return nil
}

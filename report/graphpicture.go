package report

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/hexcc/hexcc/schedule"
)

// A graphFigure is the graph of an iteration: arrays and statements from left to right, each behind all that it reads, and frames around those of a launch.
type graphFigure struct {
	drawing
	g     *schedule.Graph
	layer []int // by node
	row   []int
	at    []point // the middle of each node
}

const (
	nodeWide  = 92
	nodeHigh  = 44
	layerGap  = 64
	nodeGap   = 26
	graphEdge = 20
)

// graphPicture draws the graph of p, with the launches of its schedule.
func graphPicture(g *schedule.Graph, s *schedule.Schedule, t terms) *drawing {
	f := &graphFigure{g: g, layer: make([]int, len(g.Nodes)), row: make([]int, len(g.Nodes)), at: make([]point, len(g.Nodes))}
	for i, x := range g.Nodes { // edges lead to later nodes
		for _, e := range g.Edges {
			if e.To == i {
				f.layer[i] = max(f.layer[i], f.layer[e.From]+1)
			}
		}
		if x.Stmt != nil {
			f.layer[i] = max(f.layer[i], 1)
		}
	}
	f.arrange()
	for launch, l := range f.launches(s) {
		f.frame(launch, l)
	}
	for _, e := range g.Edges {
		f.edge(e)
	}
	for i := range g.Nodes {
		f.node(i)
	}
	f.graphLegend(s, t)
	return &f.drawing
}

// arrange places the nodes: layers side by side, and the nodes of one below each other, in the middle of the picture.
func (f *graphFigure) arrange() {
	rows := slices.Repeat([]int{0}, len(f.g.Nodes)+1)
	most, last := 0, 0
	for i := range f.g.Nodes {
		f.row[i] = rows[f.layer[i]]
		rows[f.layer[i]]++
		most, last = max(most, rows[f.layer[i]]), max(last, f.layer[i])
	}
	high := float64(most)*(nodeHigh+nodeGap) - nodeGap
	for i := range f.g.Nodes {
		own := float64(rows[f.layer[i]])*(nodeHigh+nodeGap) - nodeGap
		f.at[i] = point{
			graphEdge + nodeWide/2 + float64(f.layer[i])*(nodeWide+layerGap),
			graphEdge + (high-own)/2 + nodeHigh/2 + float64(f.row[i])*(nodeHigh+nodeGap),
		}
	}
	f.w, f.h = 2*graphEdge+float64(last)*(nodeWide+layerGap)+nodeWide, 2*graphEdge+high
}

// launches returns the statements of each launch of an iteration, by node.
func (f *graphFigure) launches(s *schedule.Schedule) (all [][]int) {
	if s == nil {
		return nil
	}
	by := map[int]int{}
	for i, x := range f.g.Nodes {
		if x.Stmt == nil {
			continue
		}
		launch := 0
		if len(s.Phases) == s.Canonical.K && !s.Overlaps() && s.Height == int64(s.Canonical.K) { // boxes of space: a level each
			launch = s.Canonical.Levels[x.Stmt.Order]
		} else if g := s.Groups(); g != nil {
			launch = g.Of(x.Stmt.Order)
		} else if !s.Overlaps() {
			return nil // tiles of several phases and time steps
		}
		at, known := by[launch]
		if !known {
			at = len(all)
			by[launch] = at
			all = append(all, nil)
		}
		all[at] = append(all[at], i)
	}
	return all
}

// frame draws what is around the nodes of a launch, of that number.
func (f *graphFigure) frame(launch int, nodes []int) {
	lo, hi := f.at[nodes[0]], f.at[nodes[0]]
	for _, i := range nodes {
		lo, hi = point{min(lo.x, f.at[i].x), min(lo.y, f.at[i].y)}, point{max(hi.x, f.at[i].x), max(hi.y, f.at[i].y)}
	}
	const around = 11
	f.rect(lo.x-nodeWide/2-around, lo.y-nodeHigh/2-around, hi.x-lo.x+nodeWide+2*around, hi.y-lo.y+nodeHigh+2*around,
		attrs{"class", "launch", "rx", 10, "fill", phaseTint(launch).light, "fill-opacity", 0.6, "stroke", phaseTint(launch).edge, "stroke-width", 1})
}

// edge draws an edge with how many offsets it has. Those into a node end below each other, in the order of where they come from.
func (f *graphFigure) edge(e schedule.GraphEdge) {
	var into []schedule.GraphEdge
	for _, x := range f.g.Edges {
		if x.To == e.To {
			into = append(into, x)
		}
	}
	slices.SortStableFunc(into, func(x, y schedule.GraphEdge) int {
		return cmp.Or(cmp.Compare(f.at[x.From].y, f.at[y.From].y), cmp.Compare(f.at[x.From].x, f.at[y.From].x))
	})
	at := slices.IndexFunc(into, func(x schedule.GraphEdge) bool { return x.From == e.From })
	apart := min(13, float64(nodeHigh-8)/float64(max(1, len(into)-1)))
	a, b := f.at[e.From], f.at[e.To]
	from, to := point{a.x + nodeWide/2, a.y}, point{b.x - nodeWide/2 - 1, b.y + (float64(at)-float64(len(into)-1)/2)*apart}
	if off := to.y - b.y; off > nodeHigh/4 || off < -nodeHigh/4 { // where the end of a statement is round
		to.x += nodeHigh / 8
	}
	title := f.g.Nodes[e.To].Name + " reads " + f.g.Nodes[e.From].Name + " " + e.Text()
	f.note(title, func() {
		f.arrow(from, to, ink.axis, 1.2)
		text := "?"
		if e.Offsets != nil {
			text = fmt.Sprint(len(e.Offsets))
		}
		part := 1 - (18+15*float64(at%3))/(to.x-from.x) // those next to each other side by side
		f.text(from.x+part*(to.x-from.x), from.y+part*(to.y-from.y)+4, plain(text), style{size: 12, fill: ink.text, anchor: "middle", halo: phaseTint(0).light})
	})
}

// node draws a node: an array is a box, a statement is round; dashed if nobody else sees what it computes.
func (f *graphFigure) node(i int) {
	x, at := f.g.Nodes[i], f.at[i]
	a := attrs{"rx", 2, "fill", ink.paper, "stroke", ink.text, "stroke-width", 1.2}
	if x.Stmt != nil {
		a[1] = nodeHigh / 2
	}
	if x.Temporary {
		a = append(a, "stroke-dasharray", "5 3")
	}
	f.rect(at.x-nodeWide/2, at.y-nodeHigh/2, nodeWide, nodeHigh, a)
	if x.Stmt == nil || len(x.Arrays) == 0 {
		f.text(at.x, at.y+5, plain(short(x.Name)), style{size: 14, fill: ink.text, anchor: "middle", bold: true})
		return
	}
	f.text(at.x, at.y-2, plain(short(x.Name)), style{size: 14, fill: ink.text, anchor: "middle", bold: true})
	f.text(at.x, at.y+14, plain(short(arrayNames(x.Arrays))), style{size: 12, fill: ink.faint, anchor: "middle"})
}

// short returns a name as long as fits a node.
func short(name string) string {
	if runes := []rune(name); len(runes) > 12 {
		return string(runes[:11]) + "…"
	}
	return name
}

// graphLegend says below the graph what is what.
func (f *graphFigure) graphLegend(s *schedule.Schedule, t terms) {
	words := []string{"boxes: arrays as the iteration finds them; round: statements, with what they compute; dashed: nobody else sees it", "numbers: at how many offsets a statement reads that"}
	if f.launches(s) != nil {
		words = append(words, "frames: what a "+t.launch+" runs")
	}
	for i, line := range words {
		f.text(graphEdge, f.h+16+18*float64(i), plain(line), style{size: 12, fill: ink.faint})
		f.w = max(f.w, 2*graphEdge+6.1*float64(len(line)))
	}
	f.h += 16 + 18*float64(len(words))
}

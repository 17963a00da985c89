package report

import (
	"fmt"
	"strings"

	"github.com/hexcc/hexcc/model"
	"github.com/hexcc/hexcc/schedule"
)

// shownFusions is how many partitions into launches the text has, of those that the data has.
const shownFusions = 5

// fusionsOf returns partitions of the statements of an iteration into launches, the best first by the model of what moves between levels of memory, then those
// with one launch and with one for each if they are not among them. There are none where no statement reads another one, or reads at fixed distances only.
func fusionsOf(p Products, g *schedule.Graph) (all []Fusion) {
	if g == nil || p.GPU == nil || p.Outlook == nil || !handsOn(g) {
		return nil
	}
	typical := model.Typical{}
	for _, v := range p.Outlook.Grid.Values {
		typical[v.Name] = v.Value
	}
	levels := p.GPU.Device.Levels()
	if p.Machine != nil {
		levels = *p.Machine
	}
	ranking, err := model.ChooseFusions(p.Space, p.Deps, g, levels, typical)
	if err != nil {
		return nil
	}
	best := ranking.Best[0]
	add := func(f *model.Fusion) {
		x := fusionData(p, f)
		for _, have := range all {
			if have.Groups == x.Groups {
				return
			}
		}
		if f != best {
			x.Why = best.Lost(f)
		}
		all = append(all, x)
	}
	for _, f := range ranking.Best {
		add(f)
	}
	add(ranking.One)
	add(ranking.Each)
	return all
}

// handsOn reports whether a statement of g reads what another one computes.
func handsOn(g *schedule.Graph) bool {
	for _, e := range g.Edges {
		if g.Nodes[e.From].Stmt != nil {
			return true
		}
	}
	return false
}

func fusionData(p Products, f *model.Fusion) Fusion {
	out := Fusion{Groups: f.Groups.Text(p.Scop), Widths: f.Widths, Microseconds: 1e6 * f.Seconds, Bytes: int64(f.Bytes())}
	for i, part := range f.Parts {
		l := Launch{Bound: part.Bound, Microseconds: 1e6 * part.Seconds, Bytes: int64(part.Bytes), Again: part.Again, Holds: int64(part.Holds)}
		for _, s := range f.Groups[i] {
			l.Statements = append(l.Statements, p.Scop.Stmts[s].Name)
		}
		computes, _ := model.TotalPoints(part.Work.Computed)
		loads, _ := model.TotalBytes(part.Work.Loads)
		stores, _ := model.TotalBytes(part.Work.Stores)
		l.Computes, l.Loads, l.Stores = computes.String(), loads.String(), stores.String()
		out.Launches = append(out.Launches, l)
	}
	return out
}

// textFusions writes which statements may share launches.
func (in *Inspection) textFusions(w *writer) {
	if in.Graph == nil || len(in.Graph.Fusions) == 0 {
		return
	}
	w.section("Launches of an iteration, by what moves between levels of memory")
	for i, f := range in.Graph.Fusions {
		if i >= shownFusions && f.Why != "" && i < len(in.Graph.Fusions)-2 {
			continue
		}
		text := f.Why
		if i == 0 {
			text = fmt.Sprintf("%.4g us in tiles of %s; memory moves %.4g MB", f.Microseconds, numbers(f.Widths), float64(f.Bytes)/1e6)
			for _, l := range f.Launches {
				text += fmt.Sprintf("; [%s] bound by %s, %.3g points for each, a tile holds %d bytes, computes %s points, loads %s bytes and stores %s",
					strings.Join(l.Statements, ","), l.Bound, l.Again, l.Holds, l.Computes, l.Loads, l.Stores)
			}
		}
		w.item(f.Groups, text, plainWords)
	}
}

// numbers writes widths as in 8 x 32.
func numbers(all []int64) string {
	var texts []string
	for _, x := range all {
		texts = append(texts, fmt.Sprint(x))
	}
	return strings.Join(texts, " x ")
}

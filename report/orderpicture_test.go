package report

import (
	"fmt"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/poly"
	"github.com/hexcc/hexcc/schedule"
)

// linkOf reads which link an element is.
func linkOf(t *testing.T, text string) (l schedule.Link) {
	_, err := fmt.Sscan(text, &l.Time, &l.Phase, &l.At[0], &l.Place)
	require.NoError(t, err)
	return l
}

// indices are those of a tile of l, 0 where l does not say.
func indices(r schedule.Ready, l schedule.Link) []int64 {
	v := make([]int64, len(r.Tile))
	v[0], v[1], v[2] = l.Time, int64(l.Phase), l.At[0]
	if at := 2 + r.Chains.Blocks; at < len(v) {
		v[at] = l.Place
	}
	return v
}

// firstBeats finds when each tile of a grid can start from an order of tiles alone: pass by pass, all those of which everything
// that has to end before has done so. It enumerates the pairs of the relation, and knows nothing of waits.
func firstBeats(r schedule.Ready, order poly.Map, links []schedule.Link) map[schedule.Link]int64 {
	before := make([][]int, len(links))
	pairs := order.Wrap()
	for i, y := range links {
		for j, x := range links {
			if pairs.Contains(nil, append(indices(r, x), indices(r, y)...)...) {
				before[i] = append(before[i], j)
			}
		}
	}
	beats := map[schedule.Link]int64{}
	for beat := int64(0); len(beats) < len(links); beat++ {
		var now []schedule.Link
		for i, y := range links {
			_, started := beats[y]
			free := !started
			for _, j := range before[i] {
				b, ended := beats[links[j]]
				free = free && ended && b < beat
			}
			if free {
				now = append(now, y)
			}
		}
		for _, y := range now {
			beats[y] = beat
		}
	}
	return beats
}

// TestOrderPicture reads the colours and the numbers of tiles back, and compares them with the beats that the relations allow.
func TestOrderPicture(t *testing.T) {
	eachPlot(t, func(t *testing.T, p Products, pic svgPicture) {
		r := schedule.WhenReady(p.Schedule, p.Cone)
		require.Empty(t, r.Why)
		var links []schedule.Link
		all, last := map[schedule.Link]bool{}, int64(0)
		for _, class := range []string{"link", "chain"} {
			for _, kind := range []string{"rect", "polygon"} {
				for _, s := range pic.in(kind, class) {
					if l := linkOf(t, s.data["data-link"]); !all[l] {
						all[l] = true
						links = append(links, l)
						last = max(last, l.Place)
					}
				}
			}
		}
		for l := range all { // of chains that are not drawn tile by tile, the others
			for k := range last {
				if l.Place = k + 1; !all[l] {
					all[l] = true
					links = append(links, l)
				}
			}
		}
		require.Less(t, len(links), 250, "few enough to enumerate all pairs")
		beats := map[string]map[schedule.Link]int64{
			"phases": firstBeats(r, schedule.Launched(r.Tile).Before, links),
			"ready":  firstBeats(r, r.Before, links),
		}
		most := int64(0)
		for _, of := range beats {
			for _, beat := range of {
				most = max(most, beat)
			}
		}
		for order, of := range beats {
			half := svgPicture{}
			for _, s := range pic.shapes {
				if len(s.classes) > 1 && s.classes[0] == "order" && s.classes[1] == order {
					half.shapes = append(half.shapes, s)
				}
			}
			tiles := append(half.in("rect", "link"), half.in("polygon", "chain")...)
			require.NotEmpty(t, tiles)
			numbers := half.in("text", "beat")
			for _, s := range tiles {
				l := linkOf(t, s.data["data-link"])
				require.Equal(t, blend(ink.beats, float64(of[l])/float64(most)), s.data["fill"], "%s %v", order, l)
				for _, x := range numbers {
					if insidePolygon(s.points, x.box.x+x.box.w/2, x.box.y+x.box.h/2) {
						require.Equal(t, strconv.FormatInt(of[l], 10), x.text, "%s %v", order, l)
					}
				}
			}
			relation := r.Waits
			if order == "phases" {
				relation = schedule.Launched(r.Tile).Before
			}
			drawn := map[[2]schedule.Link]bool{}
			for _, s := range half.in("line", "wait") {
				from, to := linkOf(t, s.data["data-from"]), linkOf(t, s.data["data-to"])
				require.True(t, relation.Wrap().Contains(nil, append(indices(r, from), indices(r, to)...)...), "%s %v -> %v", order, from, to)
				drawn[[2]schedule.Link{from, to}] = true
			}
			if order == "ready" && p.Schedule.Sizes.W[0] <= 4 { // tiles are large enough for all arrows
				require.Len(t, drawn, arrows(r, half, t))
			}
		}
	})
}

// arrows counts the pairs of tiles of which one waits for the other and for no later one of its chain: of chains by their first tiles, and along those drawn.
func arrows(r schedule.Ready, half svgPicture, t *testing.T) (n int) {
	direct := r.Waits.Wrap()
	waits := func(x, y schedule.Link) bool {
		return direct.Contains(nil, append(indices(r, x), indices(r, y)...)...)
	}
	var first, along []schedule.Link
	for _, s := range half.in("polygon", "chain") {
		first = append(first, linkOf(t, s.data["data-link"]))
	}
	for _, s := range half.in("rect", "link") {
		along = append(along, linkOf(t, s.data["data-link"]))
	}
	for _, x := range first {
		for _, y := range first {
			if waits(x, y) {
				n++
			}
		}
	}
	last := int64(0)
	for _, x := range along {
		last = max(last, x.Place)
	}
	for _, x := range along {
		for _, y := range along {
			further := x
			if further.Place++; waits(x, y) && (x.Place == last || !waits(further, y)) {
				n++
			}
		}
	}
	return n
}

// TestOrderLegend: beside ready, phases take longer where chains have several tiles, and the legend begins at 0.
func TestOrderLegend(t *testing.T) {
	for name, sizes := range sizesOf {
		p := products(t, name, sizes)
		r := schedule.WhenReady(p.Schedule, p.Cone)
		g := gridOf(r)
		var late [2]int64
		for i, starts := range []map[schedule.Link]int64{g.inPhases(r.Chains), g.whenReady(r.Chains)} {
			for _, beat := range starts {
				late[i] = max(late[i], beat)
			}
		}
		if g.along > 1 {
			require.Greater(t, late[0], 2*late[1], name)
		} else {
			require.Equal(t, late[0], late[1], name)
		}
		svg := string(Plot(PlotOptions{Pictures: []string{"order"}}, p))
		for _, beat := range late {
			require.Contains(t, svg, fmt.Sprintf(">the last tile can start at beat %d<", beat))
		}
		require.Contains(t, svg, ">0</text>")
	}
}

// TestNoOrderPicture: where there are no waits the picture says why.
func TestNoOrderPicture(t *testing.T) {
	p := products(t, "jacobi-2d", sizesOf["jacobi-2d"])
	s := *p.Schedule
	s.Cone = schedule.Cone{}
	p.Schedule, p.Cone, p.Deps = &s, schedule.Cone{}, nil
	svg := Plot(PlotOptions{Pictures: []string{"order"}}, p)
	wellFormed(t, "none", svg)
	require.Contains(t, string(svg), "no slopes bound")
}

// TestBlend: the ends and the middle of a row of colours.
func TestBlend(t *testing.T) {
	row := []string{"#000000", "#ffffff", "#ff0080"}
	for part, want := range map[float64]string{0: "#000000", 0.25: "#808080", 0.5: "#ffffff", 1: "#ff0080"} {
		require.Equal(t, want, blend(row, part))
	}
}

package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// maxGraph bounds the statements of which a graph is made.
const maxGraph = 48

// graphOf returns the graph of an iteration, nil where it is not known.
func graphOf(p Products) *schedule.Graph {
	if p.Space == nil || len(p.Space.Scop.Stmts) > maxGraph {
		return nil
	}
	g, err := schedule.NewGraph(p.Space, p.Deps)
	if err != nil {
		return nil
	}
	return g
}

// graphData is a graph as plain data, with what the results of a tile need where tiles overlap.
func graphData(g *schedule.Graph, s *schedule.Schedule) *Graph {
	if g == nil {
		return nil
	}
	out := &Graph{}
	out.Orders, _ = g.Orders()
	var needed []int64
	if s != nil && s.Overlaps() {
		needed, _ = g.Needed(s.Sizes.W)
	}
	for i, x := range g.Nodes {
		n := GraphNode{Name: x.Name, Kind: "array", Temporary: x.Temporary}
		if x.Stmt != nil {
			n.Kind, n.Array = "statement", arrayNames(x.Arrays)
		}
		if needed != nil {
			n.Needed = needed[i]
		}
		out.Nodes = append(out.Nodes, n)
	}
	for _, e := range g.Edges {
		out.Edges = append(out.Edges, GraphEdge{g.Nodes[e.From].Name, g.Nodes[e.To].Name, e.Offsets})
	}
	return out
}

// DOT returns the graph of an iteration in the language of Graphviz, with nothing in it where it is not known.
func DOT(p Products) string {
	g := graphOf(p)
	if g == nil {
		g = &schedule.Graph{}
	}
	name := ""
	if p.Scop != nil {
		name = p.Scop.Function
	}
	return g.DOT(name)
}

// hands reports whether a statement reads what another one computes in the same iteration.
func (g *Graph) hands() bool {
	return slices.ContainsFunc(g.Edges, func(e GraphEdge) bool {
		i := slices.IndexFunc(g.Nodes, func(n GraphNode) bool { return n.Name == e.From })
		return g.Nodes[i].Kind == "statement"
	})
}

// textGraph writes what statements read of each other in an iteration, if they do.
func (in *Inspection) textGraph(w *writer) {
	g := in.Graph
	if g == nil || !g.hands() {
		return
	}
	w.section("Graph of an iteration")
	for _, n := range g.Nodes {
		if n.Kind != "statement" {
			continue
		}
		text := "computes " + n.Array
		if n.Temporary {
			text += ", which nobody else sees"
		}
		for _, e := range g.Edges {
			if e.To == n.Name {
				text += "; reads " + e.From + " " + offsetsText(e.Offsets)
			}
		}
		w.item(n.Name, text, plainWords)
	}
	if g.Orders > 0 {
		w.item("orders", fmt.Sprintf("%d in which statements may run", g.Orders), plainWords)
	}
	var needs []string
	for _, n := range g.Nodes {
		if n.Needed > 0 {
			needs = append(needs, fmt.Sprintf("%d of %s", n.Needed, n.Name))
		}
	}
	if len(needs) > 0 {
		w.item("needed", "for the results of a tile: "+strings.Join(needs, ", "), plainWords)
	}
}

// arrayNames returns the names of arrays, as in "u, v".
func arrayNames(arrays []*scop.Array) string {
	var names []string
	for _, a := range arrays {
		names = append(names, a.Name)
	}
	return strings.Join(names, ", ")
}

func offsetsText(offsets [][]int64) string { return schedule.GraphEdge{Offsets: offsets}.Text() }

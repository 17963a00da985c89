package schedule

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/poly"
	"github.com/hexcc/hexcc/scop"
)

// This file is the graph of stencils of one iteration of the time loop, as MODESTO has it (Gysi, Grosser, Hoefler, ICS 2015): nodes are arrays as the iteration
// finds them, and statements; an edge says at which offsets a statement reads what another one has computed in the same iteration:
//
//	lap = 4 in - in[±1]    in -> lap at [0] [-1] [1]
//	out = lap[1] - lap     lap -> out at [0] [1]; what out needs of in, through lap, is at [-1] [0] [1] [2]
//
// Offsets are in iterations of the statement that reads: it runs at a point and reads what is computed, or lies, so far from there.

// A Graph is nodes and edges; edges lead from earlier nodes to later ones.
type Graph struct {
	Nodes []GraphNode // first arrays, then statements in the order of the source
	Edges []GraphEdge // by To, then From
}

// A GraphNode is an array that is read as the iteration finds it, or a statement.
type GraphNode struct {
	Name      string
	Arrays    []*scop.Array // what is read, or what the statement writes
	Stmt      *scop.Stmt    // nil: an array
	Temporary bool          // what the statement computes is used in its iteration only: nobody else sees it
}

// A GraphEdge says that To reads what From has. Offsets are by dimension of space, in order; nil where they are no numbers.
type GraphEdge struct {
	From, To int
	Offsets  [][]int64
}

// NewGraph returns the graph of the program of c, whose dependences are given.
func NewGraph(c *Canonical, deps []Dependence) (g *Graph, err error) {
	err = poly.Limited(func() error {
		g = newGraph(c, deps)
		return nil
	})
	return g, err
}

func newGraph(c *Canonical, deps []Dependence) *Graph {
	p, g := c.Scop, &Graph{}
	temporaries := Temporaries(p)
	inputs := map[*scop.Array]int{}
	var reads [][]bool // by statement and access: as the iteration finds it
	for _, st := range p.Stmts {
		old := make([]bool, len(st.Accesses))
		for i, a := range st.Accesses {
			if old[i] = !a.Write && readsFound(p, st, i, withinIteration); !old[i] {
				continue
			}
			if _, known := inputs[a.Array]; !known {
				inputs[a.Array] = len(g.Nodes)
				g.Nodes = append(g.Nodes, GraphNode{Name: a.Array.Name, Arrays: []*scop.Array{a.Array}})
			}
		}
		reads = append(reads, old)
	}
	first := len(g.Nodes)
	for _, st := range p.Stmts {
		n := GraphNode{Name: st.Name, Stmt: st, Temporary: true}
		for _, a := range st.Accesses {
			if a.Write {
				if !slices.Contains(n.Arrays, a.Array) {
					n.Arrays = append(n.Arrays, a.Array)
				}
				n.Temporary = n.Temporary && slices.Contains(temporaries, a.Array)
			}
		}
		g.Nodes = append(g.Nodes, n)
	}
	for i, st := range p.Stmts {
		for k, a := range st.Accesses {
			if reads[i][k] {
				at, ok := c.readAt(st, a)
				g.add(inputs[a.Array], first+i, at, ok)
			}
		}
	}
	for _, d := range deps {
		if d.Kind != Flow || d.Src == d.Dst || d.Map.Intersect(sameTime(d.Src, d.Dst)).IsEmpty() {
			continue
		}
		for _, a := range d.Dst.Accesses { // a dependence stands for all accesses to the same elements
			if a.Write || a.Array != d.DstAccess.Array || indexKey(a.Index) != indexKey(d.DstAccess.Index) {
				continue
			}
			from, ok := c.readAt(d.Src, d.SrcAccess)
			to, ok2 := c.readAt(d.Dst, a)
			for p := range to {
				to[p] -= from[p]
			}
			g.add(first+d.Src.Order, first+d.Dst.Order, to, ok && ok2)
		}
	}
	slices.SortFunc(g.Edges, func(x, y GraphEdge) int { return slices.Compare([]int{x.To, x.From}, []int{y.To, y.From}) })
	for _, e := range g.Edges {
		slices.SortFunc(e.Offsets, slices.Compare)
	}
	return g
}

// add adds an offset to an edge; ok is false if it is no number.
func (g *Graph) add(from, to int, at []int64, ok bool) {
	i := slices.IndexFunc(g.Edges, func(e GraphEdge) bool { return e.From == from && e.To == to })
	switch {
	case i < 0 && ok:
		g.Edges = append(g.Edges, GraphEdge{from, to, [][]int64{at}})
	case i < 0:
		g.Edges = append(g.Edges, GraphEdge{from, to, nil})
	case !ok:
		g.Edges[i].Offsets = nil
	case g.Edges[i].Offsets != nil && !slices.ContainsFunc(g.Edges[i].Offsets, func(have []int64) bool { return slices.Equal(have, at) }):
		g.Edges[i].Offsets = append(g.Edges[i].Offsets, at)
	}
}

// readAt returns how far the element that a touches lies from the point at which st runs, by dimension of space, 0 along dimensions that no subscript
// follows. ok is false if a subscript is more than a loop variable and a number.
func (c *Canonical) readAt(st *scop.Stmt, a *scop.Access) (at []int64, ok bool) {
	at = make([]int64, len(c.Space))
	for _, x := range a.Index {
		iter, terms := -1, 0
		for i, k := range x.Iters {
			if i > 0 && k != 0 {
				iter, terms = i, terms+1
			}
		}
		if iter < 0 {
			continue // a plane, or a row of an array
		}
		p := slices.IndexFunc(c.Places[st.Order], func(place Place) bool { return place.Iter == iter })
		if terms > 1 || p < 0 || x.Iters[iter] != 1 || x.Mod > 0 || slices.ContainsFunc(x.Params, func(k int64) bool { return k != 0 }) {
			return at, false
		}
		at[p] = x.Const
	}
	return at, true
}

// maxOrders bounds the statements of which orders are counted: there are sets of them to look at.
const maxOrders = 20

// Orders returns in how many orders the statements may run in which each runs behind those that it reads; ok is false if there are too many to count.
func (g *Graph) Orders() (n int64, ok bool) {
	first := slices.IndexFunc(g.Nodes, func(x GraphNode) bool { return x.Stmt != nil })
	if first < 0 || len(g.Nodes)-first > maxOrders {
		return 0, false
	}
	k := len(g.Nodes) - first
	before := make([]uint32, k)
	for _, e := range g.Edges {
		if e.From >= first {
			before[e.To-first] |= 1 << (e.From - first)
		}
	}
	ways := make([]int64, 1<<k) // by the statements that have run
	ways[0] = 1
	for done := range uint32(1 << k) {
		for i := range k {
			if bit := uint32(1) << i; ways[done] > 0 && done&bit == 0 && before[i]&^done == 0 {
				if ways[done|bit] > math.MaxInt64-ways[done] {
					return 0, false
				}
				ways[done|bit] += ways[done]
			}
		}
	}
	return ways[1<<k-1], true
}

// maxNeeded bounds the points that Needed looks at.
const maxNeeded = 1 << 20

// Needed returns, by node, how many of its points it takes to compute all results that are no temporaries at so many points along each dimension: of statements
// the points that they run, of arrays the elements that are read. ok is false where offsets are no numbers, or there are too many points.
func (g *Graph) Needed(widths []int64) (n []int64, ok bool) {
	points := make([]map[string]bool, len(g.Nodes))
	box := boxPoints(widths)
	if box == nil {
		return nil, false
	}
	for i, x := range g.Nodes {
		points[i] = map[string]bool{}
		if x.Stmt != nil && !x.Temporary {
			for _, at := range box {
				points[i][pointKey(at)] = true
			}
		}
	}
	total := 0
	for i := range slices.Backward(g.Nodes) {
		for _, e := range g.Edges {
			if e.To != i {
				continue
			}
			if e.Offsets == nil {
				return nil, false
			}
			for key := range points[i] {
				at := pointOf(key, len(widths))
				for _, o := range e.Offsets {
					from := slices.Clone(at)
					for p := range from {
						from[p] += o[p]
					}
					points[e.From][pointKey(from)] = true
				}
			}
			if total += len(points[e.From]); total > maxNeeded {
				return nil, false
			}
		}
	}
	for _, set := range points {
		n = append(n, int64(len(set)))
	}
	return n, true
}

// boxPoints returns the points of a box, nil if they are too many.
func boxPoints(widths []int64) [][]int64 {
	all := [][]int64{{}}
	for _, w := range widths {
		if int64(len(all))*w > maxNeeded {
			return nil
		}
		var more [][]int64
		for _, at := range all {
			for x := range w {
				more = append(more, append(slices.Clone(at), x))
			}
		}
		all = more
	}
	return all
}

func pointKey(at []int64) string {
	var key []byte
	for _, x := range at {
		key = binary.LittleEndian.AppendUint64(key, uint64(x))
	}
	return string(key)
}

func pointOf(key string, dims int) []int64 {
	at := make([]int64, dims)
	for p := range at {
		at[p] = int64(binary.LittleEndian.Uint64([]byte(key[8*p:])))
	}
	return at
}

// String returns the graph, a line for each edge.
func (g *Graph) String() string {
	var b strings.Builder
	for _, e := range g.Edges {
		fmt.Fprintf(&b, "%s -> %s: %s\n", g.Nodes[e.From].Name, g.Nodes[e.To].Name, e.Text())
	}
	return b.String()
}

// Text returns the offsets of e, as in "5 offsets: [0,0] [-1,0] ..".
func (e GraphEdge) Text() string {
	if e.Offsets == nil {
		return "at offsets that are no numbers"
	}
	var texts []string
	for _, o := range e.Offsets {
		var parts []string
		for _, x := range o {
			parts = append(parts, fmt.Sprint(x))
		}
		texts = append(texts, "["+strings.Join(parts, ",")+"]")
	}
	return "at " + strings.Join(texts, " ")
}

// DOT returns the graph in the language of Graphviz: temporaries are dashed, arrays are boxes.
func (g *Graph) DOT(name string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "digraph %q {\n  rankdir=LR;\n", name)
	for _, x := range g.Nodes {
		shape, label := "box", x.Name
		if x.Stmt != nil {
			shape = "ellipse"
			for _, a := range x.Arrays {
				label += "\\n" + a.Name
			}
		}
		style := ""
		if x.Temporary {
			style = ", style=dashed"
		}
		fmt.Fprintf(&b, "  %q [shape=%s, label=\"%s\"%s];\n", x.Name, shape, label, style)
	}
	for _, e := range g.Edges {
		label := "?"
		if e.Offsets != nil {
			label = fmt.Sprint(len(e.Offsets))
		}
		fmt.Fprintf(&b, "  %q -> %q [label=%q];\n", g.Nodes[e.From].Name, g.Nodes[e.To].Name, label)
	}
	b.WriteString("}\n")
	return b.String()
}

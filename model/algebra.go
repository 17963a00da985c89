package model

import (
	"errors"
	"fmt"
	"slices"

	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// This file counts what a group of statements does that share a launch, by the algebra of MODESTO (Gysi, Grosser, Hoefler, ICS 2015, sections 2.5 and 2.6),
// computation on the fly: a tile computes again what it needs of points that others own. With lap at a star of points around each of out,
//
//	[lap,out]    a tile computes w0 w1 + 2 w0 + 2 w1 of lap, and w0 w1 of out; of in it loads two rings of points more than it owns; lap moves nothing
//	[lap],[out]  computes w0 w1 of either; stores w0 w1 of lap, and loads w0 w1 + 2 w0 + 2 w1 of it again

// A set is statements, a bit for each.
type set = uint64

// An algebra is what counting needs to know of a program.
type algebra struct {
	dims  int
	exact bool // regions are the points that are needed; else boxes around them, which is what tiles compute
	stmts []fusible
	keys  []element
	whole []region // by statement: what a whole grid needs of it
	all   set
	large bool // a region has more offsets than are counted exactly
}

// A fusible is a statement.
type fusible struct {
	operations float64
	double     bool
	follows    []bool // the dimensions of space that it has loops for
	lasts      bool   // somebody sees what it computes, besides statements of the iteration
	readers    set    // that read it in its iteration
	reads      []elementRead
	writes     []int  // indices of keys
	before     set    // that are in its launch, or in one before
	stored     []from // who stores, later in its iteration, what it reads, and at which distance
}

// An element is one of an array at each point.
type element struct {
	name    string
	array   *scop.Array
	follows []bool
}

// An elementRead is one that a statement reads at each point.
type elementRead struct {
	key    int // of keys
	at     []int64
	found  bool   // as the iteration finds it, of some points: where statements have computed it, those at the borders of the grid, which do not count
	inPart bool   // what computes it leaves out points everywhere, such as those of another colour, and the iteration finds those
	from   []from // what may have computed it
}

// A from is a statement that computed, or stores, what is read, and how far from the point that reads.
type from struct {
	stmt int
	at   []int64
}

// maxFusible bounds the statements of a program whose groups are chosen: a set has a bit for each.
const maxFusible = 48

// newAlgebra returns the algebra of the program of c, whose dependences and graph are given. The error says which statement reads what at no offset that
// is numbers, or that there are too many.
func newAlgebra(c *schedule.Canonical, deps []schedule.Dependence, g *schedule.Graph, exact bool) (*algebra, error) {
	p := c.Scop
	if len(p.Stmts) > maxFusible {
		return nil, fmt.Errorf("there are %d statements: groups of at most %d are chosen", len(p.Stmts), maxFusible)
	}
	before, err := c.Precede(deps)
	if err != nil {
		return nil, err
	}
	al := &algebra{dims: len(c.Space), exact: exact, all: 1<<len(p.Stmts) - 1}
	offsets := map[*scop.Access]schedule.Offset{}
	for i, st := range p.Stmts {
		f := fusible{operations: float64(st.Operations()), before: before[i], follows: make([]bool, al.dims)}
		for d, place := range c.Places[i] {
			f.follows[d] = place.Iter >= 0
		}
		f.lasts = slices.ContainsFunc(g.Nodes, func(n schedule.GraphNode) bool { return n.Stmt == st && !n.Temporary })
		for _, a := range st.Accesses {
			o, ok := c.Offset(st, a)
			if !ok {
				return nil, fmt.Errorf("%s is at no fixed distance from the point at which %s runs", a.Text, st.Name)
			}
			offsets[a] = o
			f.double = f.double || a.Array.Elem.Size() == 8
			if key := al.key(a, o); a.Write && !slices.Contains(f.writes, key) {
				f.writes = append(f.writes, key)
			}
		}
		al.stmts = append(al.stmts, f)
	}
	for i, st := range p.Stmts {
		for _, a := range st.Accesses {
			if !a.Write {
				al.read(g, i, a, offsets)
			}
		}
	}
	al.conflicts(p, deps, offsets)
	if al.whole = al.regions(al.all); al.large {
		return nil, errTooManyOffsets
	}
	return al, nil
}

// maxOffsets bounds those at which a point is needed, where they are counted exactly.
const maxOffsets = 1 << 12

var errTooManyOffsets = errors.New("what a point needs is at too many offsets to count exactly")

// key returns the index of what a touches.
func (al *algebra) key(a *scop.Access, o schedule.Offset) int {
	name := a.Array.Name
	if slices.ContainsFunc([]byte(o.Plane), func(c byte) bool { return c != ',' }) {
		name += "[" + o.Plane + "]"
	}
	i := slices.IndexFunc(al.keys, func(e element) bool {
		return e.name == name && e.array == a.Array && slices.Equal(e.follows, o.Follows)
	})
	if i < 0 {
		i = len(al.keys)
		al.keys = append(al.keys, element{name, a.Array, o.Follows})
	}
	return i
}

// read adds what statement i reads by a.
func (al *algebra) read(g *schedule.Graph, i int, a *scop.Access, offsets map[*scop.Access]schedule.Offset) {
	f, o := &al.stmts[i], offsets[a]
	r := elementRead{key: al.key(a, o), at: o.At}
	for _, e := range g.Edges {
		to, src := g.Nodes[e.To].Stmt, g.Nodes[e.From]
		switch {
		case to == nil || to.Order != i:
		case src.Stmt == nil:
			r.found = r.found || src.Arrays[0] == a.Array
		default: // statements come behind what they read as the iteration finds it
			for _, w := range src.Stmt.Accesses {
				if w.Write && w.Array == a.Array && al.key(w, offsets[w]) == r.key {
					r.inPart = r.inPart || len(src.Stmt.When) > 0
					r.from = append(r.from, from{src.Stmt.Order, minus(o.At, offsets[w].At)})
					al.stmts[src.Stmt.Order].readers |= 1 << i
				}
			}
		}
	}
	r.inPart = r.inPart && r.found
	if !slices.ContainsFunc(f.reads, func(x elementRead) bool { return x.key == r.key && slices.Equal(x.at, r.at) }) {
		f.reads = append(f.reads, r)
	}
}

func minus(x, y []int64) []int64 {
	z := slices.Clone(x)
	for p := range z {
		z[p] -= y[p]
	}
	return z
}

// conflicts finds what tiles of a launch that has both statements would store while others still read it.
func (al *algebra) conflicts(p *scop.Program, deps []schedule.Dependence, offsets map[*scop.Access]schedule.Offset) {
	temporaries := schedule.Temporaries(p)
	for _, d := range deps {
		src, dst := d.Src.Order, d.Dst.Order
		same := src == dst || al.stmts[dst].before>>src&1 != 0
		if d.Kind != schedule.Anti || !same || slices.Contains(temporaries, d.SrcAccess.Array) {
			continue
		}
		for _, r := range d.Src.Accesses {
			if r.Write || r.Array != d.SrcAccess.Array {
				continue
			}
			for _, w := range d.Dst.Accesses {
				if w.Write && w.Array == r.Array {
					al.stmts[src].stored = append(al.stmts[src].stored, from{dst, minus(offsets[r].At, offsets[w].At)})
				}
			}
		}
	}
}

// seen reports whether what i, of a group, computes is used outside of the group.
func (al *algebra) seen(i int, group set) bool {
	return al.stmts[i].lasts || al.stmts[i].readers&^group != 0
}

// regions returns what a tile needs of each statement of a group: what it owns where others use it, and what those need that read it in the tile. A box is
// around what the tile owns, too.
func (al *algebra) regions(group set) []region {
	need := make([]region, len(al.stmts))
	for i := range slices.Backward(al.stmts) {
		if group>>i&1 == 0 {
			continue
		}
		if !al.exact || al.seen(i, group) || al.stmts[i].readers == 0 {
			need[i] = need[i].with(owned(al.dims, al.exact))
		}
		for _, r := range al.stmts[i].reads {
			for _, f := range r.from {
				if group>>f.stmt&1 != 0 {
					need[f.stmt] = need[f.stmt].with(need[i].moved(f.at))
					if len(need[f.stmt].at) > maxOffsets {
						need[f.stmt].at, al.large = nil, true
					}
				}
			}
		}
	}
	return need
}

// A Volume is an amount of elements of an array, or of points of a statement.
type Volume struct {
	Name   string
	Bytes  int64 // of one; 0 for points
	Amount Amount
}

// A Work is what a tile does in a launch.
type Work struct {
	Stmts    []int    // by Order
	Computed []Volume // points of each
	Loads    []Volume // elements that it loads, each once
	Stores   []Volume
	Holds    []Volume // elements that it holds: all that its statements read
	// Moves is what registers load and store at a point of each statement, in bytes.
	Moves []int64
}

// work returns what a tile of a launch of group does, that needs regions of its statements; whole: it is a whole grid, and stores all of them that others use.
func (al *algebra) work(group set, need []region, whole bool) *Work {
	w := &Work{}
	loads, holds := make([]region, len(al.keys)), make([]region, len(al.keys))
	for i, st := range al.stmts {
		if group>>i&1 == 0 {
			continue
		}
		w.Stmts = append(w.Stmts, i)
		w.Computed = append(w.Computed, Volume{"", 0, amountOf(need[i], st.follows)})
		moves := int64(0)
		for _, r := range st.reads {
			there := need[i].moved(r.at)
			holds[r.key] = holds[r.key].with(there)
			if r.found && len(r.from) == 0 || r.inPart || slices.ContainsFunc(r.from, func(f from) bool { return group>>f.stmt&1 == 0 }) {
				loads[r.key] = loads[r.key].with(there)
			}
			moves += al.keys[r.key].bytes()
		}
		stored := owned(al.dims, al.exact)
		if whole {
			stored = need[i]
		}
		for _, key := range st.writes {
			moves += al.keys[key].bytes()
			if e := al.keys[key]; al.seen(i, group) {
				w.Stores = append(w.Stores, Volume{e.name, e.bytes(), amountOf(stored, e.follows)})
			}
		}
		w.Moves = append(w.Moves, moves)
	}
	for k, e := range al.keys {
		if loads[k].lo != nil {
			w.Loads = append(w.Loads, Volume{e.name, e.bytes(), amountOf(loads[k], e.follows)})
		}
		if holds[k].lo != nil {
			w.Holds = append(w.Holds, Volume{e.name, e.bytes(), amountOf(holds[k], e.follows)})
		}
	}
	return w
}

func (e element) bytes() int64 { return int64(max(1, e.array.Elem.Size())) }

// conflict reports whether tiles of a launch of group, that need such regions, store what others of them still read.
func (al *algebra) conflict(group set, need []region) bool {
	for i, st := range al.stmts {
		if group>>i&1 == 0 {
			continue
		}
		for _, f := range st.stored {
			for p, d := range f.at {
				if group>>f.stmt&1 != 0 && (need[i].lo[p]+d < 0 || need[i].hi[p]+d > 0) {
					return true
				}
			}
		}
	}
	return false
}

// volumeBytes returns the bytes of parts for tiles of some widths.
func volumeBytes(parts []Volume, w []int64) (bytes float64) {
	for _, x := range parts {
		bytes += float64(x.Bytes) * x.Amount.At(w)
	}
	return bytes
}

// TotalBytes returns the bytes of parts as a polynomial in the widths, and the least widths for which it holds.
func TotalBytes(parts []Volume) (x Polynomial, least []int64) {
	return total(parts, func(p Volume) int64 { return p.Bytes })
}

// TotalPoints returns the points of parts likewise.
func TotalPoints(parts []Volume) (x Polynomial, least []int64) {
	return total(parts, func(Volume) int64 { return 1 })
}

func total(parts []Volume, times func(Volume) int64) (x Polynomial, least []int64) {
	for _, p := range parts {
		x = x.Plus(p.Amount.Polynomial.Times(times(p)))
		if least == nil {
			least = slices.Repeat([]int64{1}, len(p.Amount.Least))
		}
		for d, n := range p.Amount.Least {
			least[d] = max(least[d], n)
		}
	}
	return x, least
}

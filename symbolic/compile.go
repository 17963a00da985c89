package symbolic

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// This file compiles the nodes of a full tile, and what the program does in its place.

// A compiler holds a full tile ready to run.
type compiler struct {
	scope
	kernel     *gpu.Kernel
	body       fullTile
	scop       *scop.Program
	schedule   *schedule.Schedule
	names      astgen.Names
	slices     []slice
	areas      []*area
	registerOf map[string]int
	code       []node
	total      int // cells of all areas
	points     int // of all slices
	all        int // accesses of all points of a tile
	filled     []filled
	handed     []handed
	full       [][]affine.Sum // alternatives of the condition under which tiles are full
}

// A filled buffer is copied in before the first tile of a block: element 0 of it is that of origin.
type filled struct {
	buffer *area
	origin access
}

// A slice is a step of the tile: the box of its points, and what each of them touches.
type slice struct {
	astgen.Slice
	first      int // number of its first point
	points     int
	touch      []access
	touchFirst int         // number of the first access of its first point
	when       []subscript // 0 at the instances that do anything
}

// An access is an element that an operation touches.
type access struct {
	area   *area
	index  []subscript
	write  bool
	keeps  bool    // a write that leaves the old value for some data
	reg    int     // -1: none
	lo, hi []int64 // the range of each subscript
	flat   linear  // the number of the cell, less what subscripts modulo numbers add
	rounds []round // those
	inside bool    // its subscripts always are in its area and, of global memory, inside of what the program touches
}

// A round adds stride times a subscript modulo a number.
type round struct {
	*subscript
	stride int64
}

// flatten makes the number of the cell of a quick to compute. All areas have their places.
func (a *access) flatten() {
	if a.area == nil {
		return
	}
	a.flat.konst, a.inside = int64(a.area.first), true
	stride := int64(1)
	for d := len(a.index) - 1; d >= 0; d-- {
		x, least, most := &a.index[d], a.area.lo[d], a.area.lo[d]+a.area.size[d]-1
		if a.area.buffer == nil {
			if least, most = 0, -1; len(a.area.inside) > 0 {
				least, most = a.area.inside[2*d], a.area.inside[2*d+1]
			}
		}
		a.inside = a.inside && least <= a.lo[d] && a.hi[d] <= most
		a.flat.konst -= stride * a.area.lo[d]
		if x.mod > 0 {
			a.rounds = append(a.rounds, round{x, stride})
		} else {
			a.flat.konst += stride * x.konst
			for i, slot := range x.slots {
				a.flat.add(slot, stride*x.coefs[i])
			}
		}
		stride *= a.area.size[d]
	}
}

// eachAccess calls f with all accesses of nodes.
func eachAccess(nodes []node, f func(*access)) {
	for i := range nodes {
		eachAccess(nodes[i].then, f)
		eachAccess(nodes[i].not, f)
		for k := range nodes[i].ops {
			o := &nodes[i].ops[k]
			if o.stmt == nil {
				f(o.to)
				f(o.from)
			}
			for j := range o.touch {
				f(&o.touch[j])
			}
		}
	}
}

func newCompiler(p *gpu.Program, k *gpu.Kernel, body fullTile, loops *astgen.Program, tried bool) *compiler {
	c := &compiler{
		scope:  scope{slots: map[string]int{}, residues: residues{tried: tried}},
		kernel: k, body: body, scop: p.Scop, schedule: loops.Schedule, names: loops.Names,
		registerOf: map[string]int{}, full: fullWhere(loops, k.Phase),
	}
	if body.loop != "" && !slices.Contains(c.names.Tiles, body.loop) {
		panic(undecided(fmt.Sprintf("tiles follow each other by %s, which is no index of tiles", body.loop)))
	}
	if c.slot(body.loop) != i0 {
		panic("symbolic: the index of the loop around tiles has another slot")
	}
	for _, b := range c.names.Points {
		c.slot(b)
	}
	for _, b := range k.Shared {
		c.areas = append(c.areas, &area{name: b.Name, array: b.Array, buffer: b, lo: make([]int64, len(b.Shape)), size: b.Shape})
	}
	for _, at := range astgen.FullSlices(astgen.Slices(c.schedule, c.names, k.Phase), c.names) {
		c.slice(at)
	}
	c.handed = c.handsOn()
	for _, a := range c.areas { // what the program touches
		if a.buffer == nil {
			for d := range a.size {
				a.inside = append(a.inside, a.lo[d], a.lo[d]+a.size[d]-1)
			}
		}
	}
	for _, a := range c.areas {
		if a.buffer != nil && body.once[a.buffer] {
			if slices.Contains(a.buffer.Wrap, true) {
				panic(undecided(fmt.Sprintf("%s is filled once and wraps", a.name)))
			}
			c.filled = append(c.filled, filled{a, c.access(gpu.Ref{Array: a.array, Index: a.buffer.Origin}, nil)})
		}
	}
	c.code = c.nodes(body.nodes)
	for _, a := range c.areas {
		if a.buffer == nil && a.written && slices.ContainsFunc(c.areas, func(b *area) bool {
			return b != a && b.buffer == nil && b.array == a.array && !a.apart(b) && !c.divided(a, b)
		}) {
			panic(undecided(fmt.Sprintf("elements of %s lie at distances that depend on the sizes", a.array.Name)))
		}
		a.first = c.total
		if c.total += a.cells(); c.total > maxCells {
			panic(undecided(fmt.Sprintf("a tile touches more than %d elements", maxCells)))
		}
	}
	for i := range c.handed {
		c.handed[i].from.flatten()
		c.handed[i].to.flatten()
	}
	eachAccess(c.code, (*access).flatten)
	for i := range c.slices {
		for k := range c.slices[i].touch {
			c.slices[i].touch[k].flatten()
		}
	}
	return c
}

// slice compiles the accesses of a step.
func (c *compiler) slice(at astgen.Slice) {
	s := slice{Slice: at, first: c.points, points: 1}
	around := map[string][2]int64{}
	for p, b := range c.names.Points {
		s.points *= int(at.Hi[p] - at.Lo[p] + 1)
		around[b] = [2]int64{at.Lo[p], at.Hi[p]}
	}
	c.points += s.points
	for _, acc := range at.Stmt.Accesses {
		index := make([]affine.Expr, len(acc.Index))
		for d, ix := range acc.Index {
			x := c.scop.Sum(ix.Affine, at.Iters)
			index[d] = x
			if ix.Mod > 0 {
				index[d] = affine.Modulo(x, ix.Mod)
			}
		}
		array := acc.Array
		if v := c.schedule.Version(array); v != nil {
			array = v.From(c.kernel.Phase)
		}
		a := c.access(gpu.Ref{Array: array, Index: index}, around)
		a.write, a.keeps = acc.Write, acc.Write && at.Stmt.Conditional(acc)
		a.area.written = a.area.written || acc.Write
		s.touch = append(s.touch, a)
	}
	s.when = c.remainders(at.Stmt, at.Iters)
	s.touchFirst = c.all
	c.all += s.points * len(s.touch)
	c.slices = append(c.slices, s)
}

// remainders compiles what is 0 at those instances of st that do anything. Residues of symbols are tried.
func (c *compiler) remainders(st *scop.Stmt, iters []affine.Sum) (all []subscript) {
	for _, e := range c.scop.Remainders(st, iters) {
		s, symbols := c.subscript(e)
		if symbols != "" {
			panic(undecided(fmt.Sprintf("%s runs where %v is 0, which depends on the tile", st.Name, e)))
		}
		all = append(all, s)
	}
	return all
}

// access compiles r, in loops whose variables have these ranges.
func (c *compiler) access(r gpu.Ref, around map[string][2]int64) access {
	a := access{reg: -1}
	var symbols []string
	for d, e := range r.Index {
		s, text := c.subscript(c.around(r, d, e))
		a.index, symbols = append(a.index, s), append(symbols, text)
	}
	a.area = c.area(r, symbols)
	for d := range a.index {
		c.own(a.area, d, c.around(r, d, r.Index[d]), &a.index[d], around)
		if a.area.buffer == nil {
			a.area.note(d, &a.index[d])
		}
		lo, hi := a.index[d].ends(c.slots, around)
		a.area.grow(d, lo, hi)
		a.lo, a.hi = append(a.lo, lo), append(a.hi, hi)
	}
	if r.Reg != "" {
		a.reg = c.register(r.Reg)
	}
	return a
}

// around returns subscript e of dimension d of r modulo the extent, if the program has such
// subscripts there: it is less than the extent, so that changes nothing, and they can be compared.
func (c *compiler) around(r gpu.Ref, d int, e affine.Expr) affine.Expr {
	x, plain := e.(affine.Sum)
	if !plain || r.Buffer != nil {
		return e
	}
	extent := r.Array.Extents[d]
	known := !slices.ContainsFunc(extent.Params, func(k int64) bool { return k != 0 })
	for _, st := range c.scop.Stmts {
		for _, acc := range st.Accesses {
			if acc.Array != r.Array || acc.Index[d].Mod == 0 {
				continue
			}
			if m := acc.Index[d].Mod; known && m == extent.Const {
				return affine.Mod{X: x, D: m}
			}
		}
	}
	return e
}

// most is how many tiles are run one after the other.
const most = 3

// ends returns the least and the greatest value of s.
func (s *subscript) ends(slots map[string]int, around map[string][2]int64) (lo, hi int64) {
	if s.mod > 0 {
		return 0, s.mod - 1
	}
	lo, hi = s.konst, s.konst
	for i, slot := range s.slots {
		r := [2]int64{0, most - 1}
		if slot != i0 {
			for name, n := range slots {
				if n == slot {
					r = around[name]
				}
			}
		}
		x, y := s.coefs[i]*r[0], s.coefs[i]*r[1]
		lo, hi = lo+min(x, y), hi+max(x, y)
	}
	return lo, hi
}

func (c *compiler) register(name string) int {
	i, ok := c.registerOf[name]
	if !ok {
		i = len(c.registerOf)
		c.registerOf[name] = i
	}
	return i
}

// area returns that of r, whose subscripts have these symbols.
func (c *compiler) area(r gpu.Ref, dims []string) *area {
	symbols := strings.Join(dims, "; ")
	for _, a := range c.areas {
		if r.Buffer != nil && a.buffer == r.Buffer {
			if a.dims == nil {
				a.symbols, a.dims = symbols, dims
			}
			if a.symbols != symbols {
				panic(undecided(fmt.Sprintf("subscripts of %s lie at distances that depend on the sizes", a.name)))
			}
			return a
		}
		if r.Buffer == nil && a.buffer == nil && a.array == r.Array && a.symbols == symbols {
			return a
		}
	}
	if r.Buffer != nil {
		panic(undecided(fmt.Sprintf("%s is no buffer of the kernel", r.Buffer.Name)))
	}
	a := &area{name: r.Array.Name, array: r.Array, symbols: symbols, dims: dims, lo: make([]int64, len(r.Index)), size: make([]int64, len(r.Index))}
	for range r.Index {
		a.at = append(a.at, map[int64]bool{})
	}
	c.areas = append(c.areas, a)
	return a
}

// A node is a barrier, nodes under a condition, or operations.
type node struct {
	barrier   bool
	kind      gpu.RoleKind // of an If
	then, not []node
	loops     []loop
	guard     [][]linear // nil: none
	ops       []op
}

// A loop is lo <= vars[slot] <= hi, dealt to n threads if n > 0, which are stride apart.
type loop struct {
	slot      int
	lo, hi    func([]int64) int64
	n, stride int64
}

// An op copies from one element to another, loads a register, or computes.
type op struct {
	to, from *access
	stmt     *scop.Stmt
	slice    int // of what it computes, and the coordinates there
	coords   []linear
	when     []subscript
	touch    []access
}

func (c *compiler) nodes(nodes []gpu.Node) (code []node) {
	for _, n := range nodes {
		switch n := n.(type) {
		case gpu.Barrier:
			code = append(code, node{barrier: true})
		case gpu.Arrive: // gpu.Verify checks that what copies to shared memory has arrived before it is used
		case gpu.If:
			if n.Role.Kind != gpu.AfterFull && n.Role.Kind != gpu.LastFull {
				panic(undecided(fmt.Sprintf("a condition in a full tile: %v", n.Cond)))
			}
			code = append(code, node{kind: n.Role.Kind, then: c.nodes(n.Then), not: c.nodes(n.Else)})
		case gpu.Threads:
			code = append(code, c.threads(n))
		default:
			panic(undecided(fmt.Sprintf("%T in a full tile", n)))
		}
	}
	return code
}

func (c *compiler) threads(n gpu.Threads) node {
	out := node{}
	around := map[string][2]int64{}
	for _, l := range n.Loops {
		lo, hi := c.number(l.Lo), c.number(l.Hi)
		x := loop{slot: c.slot(l.Var), lo: lo, hi: hi}
		if l.Axis >= 0 {
			t := c.kernel.Threads
			x.n, x.stride = int64(t[l.Axis]), []int64{1, int64(t[0]), int64(t[0] * t[1])}[l.Axis]
		}
		out.loops = append(out.loops, x)
		around[l.Var] = [2]int64{ends(l.Lo, around, -1), ends(l.Hi, around, 1)}
	}
	if n.Guard != nil {
		out.guard = [][]linear{}
		for _, rows := range n.Guard {
			var all []linear
			for _, e := range rows {
				l, symbols := c.split(e.(affine.Sum))
				if len(symbols) > 0 {
					panic(undecided(fmt.Sprintf("a guard %v in a full tile", e)))
				}
				all = append(all, l)
			}
			out.guard = append(out.guard, all)
		}
	}
	for _, o := range n.Body {
		out.ops = append(out.ops, c.op(o, around))
	}
	return out
}

// ends returns the least value of e (sign -1) or the greatest.
func ends(e affine.Expr, around map[string][2]int64, sign int64) int64 {
	switch e := e.(type) {
	case affine.Sum:
		v := e.Const
		for _, t := range e.Terms {
			x, y := t.Coef*around[t.Var][0], t.Coef*around[t.Var][1]
			if sign < 0 {
				v += min(x, y)
			} else {
				v += max(x, y)
			}
		}
		return v
	case affine.Min:
		v := ends(e.Args[0], around, sign)
		for _, a := range e.Args[1:] {
			v = min(v, ends(a, around, sign))
		}
		return v
	case affine.Max:
		v := ends(e.Args[0], around, sign)
		for _, a := range e.Args[1:] {
			v = max(v, ends(a, around, sign))
		}
		return v
	}
	panic(undecided(fmt.Sprintf("a bound %v of points of a full tile", e)))
}

func (c *compiler) op(o gpu.Op, around map[string][2]int64) op {
	switch o := o.(type) {
	case gpu.Copy:
		to, from := c.access(o.To, around), c.access(o.From, around)
		to.area.written = true
		return op{to: &to, from: &from}
	case gpu.Load:
		from := c.access(o.From, around)
		to := access{reg: c.register(o.Reg)}
		from.reg = -1
		return op{to: &to, from: &from}
	case gpu.Compute:
		out := op{stmt: o.Stmt, slice: slices.IndexFunc(c.slices, func(s slice) bool {
			return s.Stmt == o.Stmt && affine.Same(s.Iters[0], o.Iters[0])
		})}
		if out.slice < 0 {
			panic(wrong(fmt.Sprintf("%s runs at time %v, which no step has", o.Stmt.Name, o.Iters[0])))
		}
		at := c.slices[out.slice]
		for p, b := range c.names.Points {
			place := c.schedule.Canonical.Places[o.Stmt.Order][p]
			x := affine.Num(at.Lo[p])
			if place.Iter >= 0 {
				x = o.Iters[place.Iter].(affine.Sum).Minus(at.Iters[place.Iter].Without(b)).Times(place.Sign())
			}
			l, symbols := c.split(x)
			if len(symbols) > 0 {
				panic(wrong(fmt.Sprintf("%s runs at %v, which no step has", o.Stmt.Name, o.Iters)))
			}
			out.coords = append(out.coords, l)
		}
		iters := make([]affine.Sum, len(o.Iters))
		for i, e := range o.Iters {
			iters[i] = e.(affine.Sum)
		}
		out.when = c.remainders(o.Stmt, iters)
		for k, r := range o.Refs {
			a := c.access(r, around)
			a.write, a.keeps = o.Stmt.Accesses[k].Write, at.touch[k].keeps
			a.area.written = a.area.written || a.write
			out.touch = append(out.touch, a)
		}
		return out
	}
	panic(undecided(fmt.Sprintf("%T in a full tile", o)))
}

package emulate

import (
	"fmt"
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/scop"
)

const (
	read    = "read"
	written = "written"
	ran     = "run" // of an instance, not an element
)

// A ref is a gpu.Ref ready to use. It belongs to an op of a Threads node, in
// which id is its number.
type ref struct {
	*memory
	warps  *warps // that run the node, for a profile; else nil
	id     uint16
	dims   []dimension
	origin []func() int64 // of a buffer: what to add for the element of the array
	mod    []int64
	wrap   []bool
	down   []bool
	array  *scop.Array
	what   func() string // what the op does at its present point
	// regions are where a tile may touch the array, where that is said.
	regions [][]bound
}

// A dimension is a subscript and the number of elements there: konst + coef * *v
// + more, or code if that is set.
type dimension struct {
	extent      int64
	konst, coef int64
	v           *int64
	more        []linearTerm
	code        func() int64
}

// at returns the subscript.
func (d *dimension) at() int64 {
	at := d.konst + d.coef**d.v
	for i := range d.more {
		at += d.more[i].coef * *d.more[i].v
	}
	if d.code != nil {
		return d.code()
	}
	return at
}

func (m *machine) dimension(e affine.Expr, extent int64) dimension {
	d := dimension{extent: extent, v: new(int64)}
	s, ok := e.(affine.Sum)
	if !ok {
		d.code = m.expr(e)
		return d
	}
	l := m.sum(s)
	if d.konst = l.konst; len(l.terms) > 0 {
		d.coef, d.v, d.more = l.terms[0].coef, l.terms[0].v, l.terms[1:]
	}
	return d
}

// ref compiles r as reference number len(t.refs) of t.
func (f *function) ref(t *threads, r gpu.Ref, what func() string) *ref {
	c := &ref{id: uint16(len(t.refs)), what: what, warps: t.warps}
	if r.Buffer != nil {
		b := f.buffers[r.Buffer]
		if b == nil {
			panic(fmt.Sprintf("emulate: BUG: kernel %s does not declare buffer %s", f.kernel.Name, r.Buffer.Name))
		}
		c.memory, c.array, c.mod, c.wrap, c.down = b, r.Buffer.Array, r.Buffer.Mod, r.Buffer.Wrap, r.Buffer.Down
		for _, o := range r.Buffer.Origin {
			c.origin = append(c.origin, f.expr(o))
		}
	} else {
		c.memory, c.array, c.regions = f.arrays[r.Array], r.Array, f.regions(r)
	}
	if len(r.Index) != len(c.extent) {
		panic(fmt.Sprintf("emulate: BUG: %s has %d dimensions, is given %d subscripts", c.name, len(c.extent), len(r.Index)))
	}
	for i, e := range r.Index {
		c.dims = append(c.dims, f.dimension(e, c.extent[i]))
	}
	t.refs = append(t.refs, c)
	return c
}

// offset returns the number of the cell, -1 if there is none.
func (r *ref) offset() int {
	off := int64(0)
	for i := range r.dims {
		d := &r.dims[i]
		v := d.at()
		if uint64(v) >= uint64(d.extent) {
			return -1
		}
		off = off*d.extent + v
	}
	if r.part != nil && !r.part.has(off) {
		return -1
	}
	return int(off)
}

// index returns the subscripts.
func (r *ref) index() []int64 {
	index := make([]int64, len(r.dims))
	for i := range r.dims {
		index[i] = r.dims[i].at()
	}
	return index
}

// element returns the subscripts of the element of the array that r stands for.
func (r *ref) element() []int64 {
	index := r.index()
	for i, o := range r.origin {
		if r.down != nil && r.down[i] {
			index[i] = -index[i]
		}
		index[i] += o()
		if r.mod[i] > 0 {
			index[i] = floorMod(index[i], r.mod[i])
		}
	}
	return index
}

// load returns the code that reads through r, watched and counted.
func (m *machine) load(r *ref) func() uint64 {
	load := m.watchedLoad(r)
	if r.warps == nil {
		return load
	}
	see := r.observer(false)
	return func() uint64 {
		see()
		return load()
	}
}

// store returns the code that writes through r, watched and counted.
func (m *machine) store(r *ref) func(uint64) {
	store := m.watchedStore(r)
	if r.warps == nil {
		return store
	}
	see := r.observer(true)
	return func(bits uint64) {
		see()
		store(bits)
	}
}

func (m *machine) watchedLoad(r *ref) func() uint64 {
	poison := r.poison()
	if r.global {
		return func() uint64 {
			m.now.GlobalLoads++
			at := r.offset()
			if at < 0 {
				m.outside(r, read)
				return poison
			}
			if r.regions != nil {
				m.stray(r, read)
			}
			m.sawRead(r, at)
			return r.cells[at]
		}
	}
	return func() uint64 {
		m.now.SharedLoads++
		at := r.offset()
		if at < 0 {
			m.outside(r, read)
			return poison
		}
		if !m.sawSharedRead(r, at) {
			return poison
		}
		return r.cells[at]
	}
}

func (m *machine) watchedStore(r *ref) func(uint64) {
	return func(bits uint64) {
		if r.global {
			m.now.GlobalStores++
		} else {
			m.now.SharedStores++
		}
		at := r.offset()
		if at < 0 {
			m.outside(r, written)
			return
		}
		if r.regions != nil {
			m.stray(r, written)
		}
		m.sawWrite(r, at)
		r.cells[at] = bits
	}
}

// name returns array[i][j].
func elementName(array string, index []int64) string {
	for _, i := range index {
		array += fmt.Sprintf("[%d]", i)
	}
	return array
}

// elementOf names the present element of r: shared_A[0][3] (A[1][17]).
func (r *ref) elementOf() string {
	s := elementName(r.name, r.index())
	if r.origin != nil {
		s += " (" + elementName(r.array.Name, r.element()) + ")"
	}
	return s
}

func (m *machine) outside(r *ref, verb string) {
	if m.wanted(OutOfBounds) {
		m.found(Finding{Kind: OutOfBounds, Element: r.elementOf(), Uses: []Access{m.present(r, verb)},
			Msg: fmt.Sprintf("%s is declared", elementName(r.name, r.extent))})
	} else {
		m.report.Counts[OutOfBounds]++
	}
}

func (m *machine) uninitialised(r *ref, at int) {
	if m.wanted(Uninitialised) {
		m.found(Finding{Kind: Uninitialised, Element: r.elementOf(), Uses: []Access{m.present(r, read)},
			Msg: "nothing was written there in this block"})
	} else {
		m.report.Counts[Uninitialised]++
	}
}

// race notes that the present access through r is not ordered with an earlier one of the same cell.
func (m *machine) race(k Kind, r *ref, at int, earlier record, verbs ...string) {
	if !m.wanted(k) {
		m.report.Counts[k]++
		return
	}
	now := m.present(r, verbs[1])
	m.found(Finding{Kind: k, Element: r.elementOf(), Uses: []Access{m.past(earlier, verbs[0]), now}})
}

// standsFor reports whether r stands for the element index of its array.
func (r *ref) standsFor(index []int64) bool {
	element := r.element()
	for i, x := range index {
		if r.wrap != nil && r.wrap[i] {
			x = floorMod(x, r.extent[i])
		}
		if element[i] != x {
			return false
		}
	}
	return len(element) == len(index)
}

// expect checks that r stands for the element index of its array.
func (m *machine) expect(r *ref, index []int64) {
	if r.standsFor(index) {
		return
	}
	m.found(Finding{Kind: Misplaced, Element: r.elementOf(), Uses: []Access{m.present(r, "used")},
		Msg: "the statement means " + elementName(r.array.Name, index)})
}

// present describes an access through r, now.
func (m *machine) present(r *ref, verb string) Access { return m.past(m.record(r), verb) }

// past describes the access of r, a record of this launch. It puts the variables
// back to their values then, and afterwards to their present ones.
func (m *machine) past(r record, verb string) Access {
	e := m.log[r.node-m.launch]
	t := e.threads
	defer restore(append(slices.Clone(t.uniform), t.points()...))()
	tile := ""
	for i, v := range t.uniform {
		*v = m.values[e.at+i]
		if i > 0 {
			tile += ", "
		}
		tile += fmt.Sprintf("%s=%d", t.names[i], *v)
	}
	t.unpack(r.point)
	n := t.kernel.Threads
	id := int(r.thread)
	return Access{
		Verb: verb, Kernel: t.kernel.Name, Block: t.kernel.block(),
		Thread: [3]int{id % n[0], id / n[0] % n[1], id / n[0] / n[1]},
		Tile:   tile, Node: t.text(), Statement: t.refs[r.ref].what(),
	}
}

// restore returns a function that sets all vars back.
func restore(vars []*int64) func() {
	old := make([]int64, len(vars))
	for i, v := range vars {
		old[i] = *v
	}
	return func() {
		for i, v := range vars {
			*v = old[i]
		}
	}
}

package emulate

import (
	"fmt"
	"math"
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/cpu"
	"github.com/hexcc/hexcc/scop"
)

// This file runs the rows of a step as they are printed: point by point, or in vectors whose lines are loaded once and handed on,
// with the first and the last vector of a row, where points may run twice, over points that others run, too. Some rows run without
// vectors, as on processors that have none. Where rows begin in a cache line is a matter of chance.

// A row runs some rows of a step side by side, all of them where the loops outside of the row are.
type row struct {
	m       *processor
	step    *cpu.Step
	group   cpu.Group
	lo, hi  func() int64
	along   *int64         // the variable of the row
	iters   []func() int64 // of the first row
	names   []*int64       // the variables that hold them
	lines   []*line        // of the rows
	limits  []func() int64 // of the first place of a vector
	end     *int64         // RowEnd
	windows []window       // loaded for the present vector
	lane    int64          // of the present vector; -1: none
	pending []func()       // stores, until all rows have their values
	ran     places         // that ran
	from    []int64        // by row, where they differ: the places of the first that it has points at
	to      []int64
	vector  *cpu.Vectors   // of the group
	zero    []func() int64 // 0 where a point runs
	sources []cpu.Source   // of windows, in a pass
	apart   bool           // no window but those that are handed on is loaded line by line
}

// A line is one of the rows.
type line struct {
	code  *scop.Code
	iters []func() int64
}

// A window is the elements that are loaded for a vector, by their place from that under it.
type window struct {
	of                  cpu.Window
	array               *elements
	lead                []func() int64
	index               func() int64
	before, here, after []uint64
	direct              map[int64][]uint64 // by offset, where each vector is loaded by itself; nil: lines
	apart               map[int64][]uint64 // those of a pass that are
}

// newRow returns a group where the loops outside of it are bound.
func (m *processor) newRow(s *cpu.Step, g cpu.Group) *row {
	l := s.Loops[len(s.Loops)-1]
	r := &row{m: m, step: s, group: g, lo: m.expr(l.Lo), hi: m.expr(l.Hi), lane: -1, vector: g.Vectors}
	m.bind(l.Var, func(v *int64) {
		r.along = v
		r.turn()
		for _, e := range s.Iters {
			r.iters = append(r.iters, m.expr(e))
		}
		r.bindIters(0)
	})
	return r
}

// row returns the code that runs a group where outer are.
func (m *processor) row(s *cpu.Step, g cpu.Group, outer []*int64) func() {
	r := m.newRow(s, g)
	if s.Ordered && g.Size > 1 {
		return func() { r.staggered(outer[len(outer)-1]) }
	}
	if g.Vectors != nil && g.Vectors.Apart {
		return r.apartRows
	}
	if s.Align == nil {
		return func() {
			r.start()
			for b, last := r.lo(), r.hi(); b <= last; b++ {
				r.points(b)
			}
		}
	}
	return r.aligned
}

// staggered runs rows each of which is one place behind the one before; over is the variable that leads from row to row.
func (r *row) staggered(over *int64) {
	r.start()
	r.from, r.to = nil, nil
	first := *over
	for k := range int64(r.group.Size) {
		*over = first + k
		r.from, r.to = append(r.from, r.lo()+k), append(r.to, r.hi()+k)
	}
	*over = first
	for b := slices.Min(r.from); b <= slices.Max(r.to); b++ {
		r.points(b)
	}
}

// turn compiles what is to be 0 for the present point to run.
func (r *row) turn() {
	t := r.step.Turn
	for _, e := range append(t.Rows[:len(t.Rows):len(t.Rows)], t.Points...) {
		r.zero = append(r.zero, r.m.expr(e))
	}
	if t.By > 0 {
		place := affine.Var(r.step.Loops[len(r.step.Loops)-1].Var)
		r.zero = append(r.zero, r.m.expr(affine.Modulo(t.First.Plus(place), t.By)))
	}
}

// onTurn reports whether the present point runs.
func (r *row) onTurn() bool {
	return !slices.ContainsFunc(r.zero, func(x func() int64) bool { return x() != 0 })
}

// bindIters binds the iterators from i on, and then compiles what is over them.
func (r *row) bindIters(i int) {
	m, s := r.m, r.step
	if i < len(s.Stmt.Iters) {
		m.bind(s.Stmt.Iters[i], func(v *int64) {
			r.names = append(r.names, v)
			r.bindIters(i + 1)
		})
		return
	}
	for k := range r.group.Size {
		r.lines = append(r.lines, r.line(k))
	}
	if r.vector == nil {
		return
	}
	m.bind(cpu.RowEnd, func(v *int64) {
		r.end = v
		for _, x := range r.vector.Limits {
			r.limits = append(r.limits, m.expr(x))
		}
	})
	for _, w := range r.vector.Windows {
		x := window{of: w, array: m.arrays[w.From.Array], index: m.expr(w.Index)}
		for _, e := range w.Lead {
			x.lead = append(x.lead, m.expr(e))
		}
		r.windows = append(r.windows, x)
	}
}

// line compiles the body for the row that many after the first.
func (r *row) line(k int) *line {
	m, st := r.m, r.step.Stmt
	if st.Order > math.MaxUint16 || m.prog.Scop().Stmts[st.Order] != st {
		panic("emulate: BUG: " + st.Name + " is not at its place in the program")
	}
	out := &line{}
	for _, x := range r.step.At(k) {
		out.iters = append(out.iters, m.expr(x))
	}
	b, own := st, func(a *scop.Access) *scop.Access { return a }
	if shared, ok := m.bodies[r.step]; ok {
		b, own = shared.of, func(a *scop.Access) *scop.Access { return shared.like[a] }
	}
	inWindow := map[*scop.Access]bool{}
	st.Reads(func(a *scop.Access, stored bool) {
		inWindow[a] = r.vector != nil && !stored && r.vector.Kinds.Access(a) == cpu.Varying
	})
	out.code = scop.Compile(m.prog.Scop(), b, scop.Binding{
		Memory: m.mem,
		Load: func(n int) func() uint64 {
			a := own(b.Accesses[n])
			return r.reader(out, a, k, inWindow[a])
		},
		Store: func(n int) func(uint64) { return r.writer(out, own(b.Accesses[n])) },
		Fault: func(msg string) {
			m.found(Finding{Kind: Undefined, Msg: msg + " at " + st.Instance(out.code.Iters)})
		},
	})
	return out
}

// reader returns what reads the element that a touches at a point of l, row k: in a vector, from a window if it has it.
func (r *row) reader(l *line, a *scop.Access, k int, inWindow bool) func() uint64 {
	m, st, x := r.m, r.step.Stmt, r.m.arrays[a.Array]
	from, offset := -1, int64(0)
	if inWindow {
		if from, offset = r.vector.Window(m.prog, r.step, a, k); from < 0 {
			panic(fmt.Sprintf("emulate: BUG: no window has %s", a.Text))
		}
	}
	element := r.elementOf(x, a)
	return func() uint64 {
		at := element(l.code.Iters)
		if at < 0 {
			return 0
		}
		m.total.GlobalLoads++
		m.ofTile(x, at, st)
		m.read(x, at, st)
		if from >= 0 && r.lane >= 0 {
			return r.value(&r.windows[from], offset)
		}
		return x.Cells[at]
	}
}

// writer returns what stores to the element that a touches: where several rows run at once, when all have their values.
func (r *row) writer(l *line, a *scop.Access) func(uint64) {
	m, st, x := r.m, r.step.Stmt, r.m.arrays[a.Array]
	element := r.elementOf(x, a)
	store := func(at int64, bits uint64) {
		m.wrote(x, at, st)
		if x.Cells[at] = bits; x.scratch != nil {
			x.by[at] = m.serial
		}
	}
	last := r.group.Size > 1 && r.step.StoresLast()
	return func(bits uint64) {
		at := element(l.code.Iters)
		if at < 0 {
			return
		}
		m.total.GlobalStores++
		if !last {
			store(at, bits)
			return
		}
		now := m.moment
		r.pending = append(r.pending, func() {
			m.moment = now
			store(at, bits)
		})
	}
}

// elementOf returns what returns the number of the element that a touches at iterators, -1 if there is none.
func (r *row) elementOf(x *elements, a *scop.Access) func(iters []int64) int64 {
	if x.scratch != nil {
		return func(iters []int64) int64 { return r.element(x, a, iters) }
	}
	offset := a.Offsets(x.Storage, r.m.mem.Params)
	return func(iters []int64) int64 {
		if at, exists := offset(iters); exists {
			return int64(at)
		}
		return r.element(x, a, iters) // says what is wrong
	}
}

// element returns the number of the element that a touches, -1 if there is none.
func (r *row) element(x *elements, a *scop.Access, iters []int64) int64 {
	at := int64(0)
	for i, e := range a.Index {
		v := x.own(a, i, e.At(iters, r.m.mem.Params))
		if uint64(v) >= uint64(x.Extent[i]) {
			r.outside(x, fmt.Sprintf("%s at %s", a.Text, r.step.Stmt.Instance(iters)))
			return -1
		}
		at = at*x.Extent[i] + v
	}
	return at
}

func (r *row) outside(x *elements, what string) {
	r.m.found(Finding{Kind: OutOfBounds, Msg: fmt.Sprintf("%s: %s is declared", what, elementName(x.Array.Name, x.Extent))})
}

// start begins rows: none of their points ran.
func (r *row) start() { r.ran.clear() }

// places are a set of places along rows, which lie close together.
type places struct {
	first int64 // that there is a bit for
	has   []bool
}

func (p *places) clear() { p.has = p.has[:0] }

func (p *places) contain(b int64) bool {
	return len(p.has) > 0 && p.first <= b && b < p.first+int64(len(p.has)) && p.has[b-p.first]
}

func (p *places) add(b int64) {
	if len(p.has) == 0 {
		p.first = b
	}
	if b < p.first {
		p.has = slices.Concat(make([]bool, p.first-b), p.has)
		p.first = b
	}
	for p.first+int64(len(p.has)) <= b {
		p.has = append(p.has, false)
	}
	p.has[b-p.first] = true
}

// set moves to a place along the rows.
func (r *row) set(b int64) {
	*r.along = b
	for i, e := range r.iters {
		*r.names[i] = e()
	}
}

// points runs all rows at one place.
func (r *row) points(b int64) {
	m := r.m
	if r.step.Ordered { // behind all points before it, as if it were a step
		*m.clock++
		m.now = *m.clock
	}
	r.set(b)
	d := m.domains[r.step.Stmt]
	for k, l := range r.lines {
		if r.from != nil && (b < r.from[k] || r.to[k] < b) {
			continue
		}
		for i, e := range l.iters {
			l.code.Iters[i] = e()
		}
		m.total.Points++
		m.again = r.ran.contain(b)
		if kind, ok := m.note(d, l.code.Iters, m.serial); !ok && !(kind == Duplicate && m.again) {
			m.found(Finding{Kind: kind, Msg: r.step.Stmt.Instance(l.code.Iters)})
			if kind == NotInstance {
				continue
			}
		}
		m.point = d.number(l.code.Iters)
		if r.onTurn() {
			l.code.Run()
		} else if !l.code.Idle() {
			m.found(Finding{Kind: Missing, Msg: r.step.Stmt.Instance(l.code.Iters)})
		}
	}
	for _, store := range r.pending {
		store()
	}
	r.pending = r.pending[:0]
	r.ran.add(b)
	if m.again {
		m.report.Again += int64(len(r.lines))
	}
	m.again = false
}

// aligned runs rows that should begin at a cache line.
func (r *row) aligned() {
	r.start()
	start, stop := r.lo(), r.hi()
	if start > stop {
		return
	}
	if r.set(start); len(r.step.Turn.Rows) > 0 && !r.onTurn() { // the whole row is left out
		for b := start; b <= stop; b++ {
			r.points(b)
		}
		return
	}
	v := r.vector
	if v != nil && r.m.rng.IntN(4) == 0 {
		v = nil // no vectors here
	}
	if v != nil && v.Repeat && stop-start >= v.Lanes-1 {
		begin := start
		start += r.lead(begin)
		whole := start
		start = r.wholeLines(start, stop)
		at := start
		if begin < whole {
			at = begin
		}
		for at <= stop {
			r.direct(min(at, stop+1-v.Lanes))
			if at < whole {
				at = start
			} else {
				at += v.Lanes
			}
		}
		return
	}
	for n := r.lead(start); n > 0 && start <= stop; n-- {
		r.points(start)
		start++
	}
	if v != nil {
		start = r.wholeLines(start, stop)
	}
	for ; start <= stop; start++ {
		r.points(start)
	}
}

// apartRows runs rows in vectors whose operands are loaded by themselves, from where they start.
func (r *row) apartRows() {
	r.start()
	at, stop, v := r.lo(), r.hi(), r.vector
	if at > stop {
		return
	}
	r.set(at)
	if whole := len(r.step.Turn.Rows) > 0 && !r.onTurn(); whole || r.m.rng.IntN(4) == 0 { // the row is left out, or there are no vectors
		for ; at <= stop; at++ {
			r.points(at)
		}
		return
	}
	if v.Repeat && stop-at >= v.Lanes-1 {
		for ; at <= stop; at += v.Lanes {
			r.direct(min(at, stop+1-v.Lanes))
		}
		return
	}
	for ; at <= stop+1-v.Lanes; at += v.Lanes {
		r.direct(at)
	}
	for ; at <= stop; at++ {
		r.points(at)
	}
}

// lead returns how many points are before the first cache line of the element of Align, from a place on.
func (r *row) lead(b int64) int64 {
	r.set(b)
	iters := make([]int64, len(r.names))
	for i, v := range r.names {
		iters[i] = *v
	}
	x := r.m.arrays[r.step.Align.Array]
	at := max(0, r.element(x, r.step.Align, iters)) % (int64(len(x.Cells)) / x.planes)
	lanes := int64(64) / int64(x.Array.Elem.Size())
	return floorMod(-(at + x.base), lanes)
}

// wholeLines runs vectors from start, which begins a cache line, while the lines that they load exist, and returns what is left.
func (r *row) wholeLines(start, stop int64) int64 {
	r.set(start)
	*r.end = stop
	last := r.limits[0]()
	for _, limit := range r.limits[1:] {
		last = min(last, limit())
	}
	if start > last {
		return start
	}
	r.begin()
	for ; start <= last; start += r.vector.Lanes {
		r.set(start)
		r.next(nil)
		r.vectorAt(start)
		r.handOn()
	}
	return start
}

// direct runs the vector at a place with each of its operands loaded by itself.
func (r *row) direct(b int64) {
	r.set(b)
	for i := range r.windows {
		w := &r.windows[i]
		w.direct = map[int64][]uint64{}
		for _, c := range w.of.Offsets {
			w.direct[c] = r.load(w, c, r.vector.Lanes)
		}
	}
	r.vectorAt(b)
}

// vectorAt runs the points of a vector.
func (r *row) vectorAt(b int64) {
	for lane := range r.vector.Lanes {
		r.lane = lane
		r.points(b + lane)
	}
	r.lane = -1
}

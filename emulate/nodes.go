package emulate

import (
	"fmt"
	"math"

	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/scop"
)

// A function is the body of a kernel being compiled.
type function struct {
	*machine
	kernel    *kernel
	buffers   map[*gpu.Buffer]*memory
	registers map[string][]uint64 // by thread
	tests     map[string]*bool    // results of gpu.Test
}

// buffer allocates b. Its cells outlive a block, but no block sees what another wrote.
func (f *function) buffer(b *gpu.Buffer) *memory {
	n := int64(1)
	for _, e := range b.Shape {
		n *= e
	}
	x := newMemory(b.Name, b.Array.Elem, b.Shape, make([]uint64, n), false)
	f.memories = append(f.memories, x)
	return x
}

func (f *function) nodes(list []gpu.Node) func() {
	codes := make([]func(), len(list))
	for i, n := range list {
		codes[i] = f.node(n)
	}
	return func() {
		for _, run := range codes {
			run()
		}
	}
}

func (f *function) node(n gpu.Node) func() {
	switch n := n.(type) {
	case gpu.For:
		return f.loop(n)
	case gpu.Test:
		return f.test(n)
	case gpu.If:
		return f.branch(n)
	case gpu.Barrier:
		return f.barrier
	case gpu.Arrive:
		return f.arrive
	case gpu.Await:
		return f.awaitCode(n)
	case gpu.Signal:
		return f.signalCode(n)
	case gpu.Threads:
		return f.threads(n)
	case gpu.Stream:
		return f.streams(n)
	}
	panic(fmt.Sprintf("emulate: unknown node %T", n))
}

func (f *function) loop(n gpu.For) (run func()) {
	lo, hi := f.expr(n.Lo), f.expr(n.Hi)
	f.bind(n.Var, func(v *int64) {
		body := f.nodes(n.Body)
		if f.opts.Profile {
			once := body
			body = func() {
				f.tested()
				once()
			}
		}
		run = func() {
			end := hi()
			for *v = lo(); *v <= end; *v++ {
				body()
			}
			if f.profile != nil {
				f.tested() // the last one, that fails
			}
		}
	})
	return run
}

// test has the result of n known to what is compiled after it.
func (f *function) test(n gpu.Test) func() {
	cond, result := f.given(n.Given, n.Cond), new(bool)
	f.tests[n.Var] = result
	return func() { *result = cond() }
}

// given returns the code of a condition and an earlier test, unless that is "".
func (f *function) given(test string, c astgen.Cond) func() bool {
	cond := f.cond(c)
	if test == "" {
		return cond
	}
	earlier := f.tests[test]
	if earlier == nil {
		panic(fmt.Sprintf("emulate: BUG: test %q is not made before it is used", test))
	}
	return func() bool { return *earlier && cond() }
}

func (f *function) branch(n gpu.If) func() {
	cond, then, other := f.given(n.Given, n.Cond), f.nodes(n.Then), f.nodes(n.Else)
	if f.opts.Profile {
		then, other = f.within(n.Role.Kind, then, other)
	}
	b := &Branch{Kernel: f.kernel.Name, Role: n.Role}
	if n.Role.Kind != gpu.NoRole {
		f.branches = append(f.branches, b)
	}
	return func() {
		if f.profile != nil {
			f.tested()
		}
		if cond() {
			b.Then++
			then()
		} else {
			b.Else++
			other()
		}
	}
}

// threads is a gpu.Threads ready to run.
type threads struct {
	*machine
	kernel     *kernel
	role       gpu.Role
	title      string   // of what has no role
	names      []string // of the variables bound around it
	uniform    []*int64
	loops      []pointLoop
	bits       int // of the value of each loop in a packed point
	guard      func() bool
	ops        []func()
	refs       []*ref
	arithmetic int64  // of all ops, at a point
	count      uint64 // of points in this execution
	random     uint64
	warps      *warps // that run it, for a profile; else nil
	arrival    uint32 // while copies of it arrive, the execution in which they do; else 0
}

// A pointLoop is one loop over points, its values dealt to the threads of an axis.
type pointLoop struct {
	v        *int64
	lo, hi   func() int64
	axis     int
	size     int64 // threads along the axis
	stride   int64 // of a thread of the axis in the number of the thread
	earlier  int   // an outer loop over the same axis, or -1
	once     bool  // no thread runs more than one value,
	all      bool  // and every thread one
	position int64 // of the present thread along the axis
}

func (f *function) threads(n gpu.Threads) func() {
	t := &threads{
		machine: f.machine, kernel: f.kernel, role: n.Role, random: f.rng.Uint64(),
		names: append([]string(nil), f.names...), uniform: append([]*int64(nil), f.uniform...),
	}
	if f.opts.Profile {
		t.warps = &warps{threads: t, work: workOf(n.Role.Kind)}
	}
	t.idleAxes(n)
	undo := map[string]*int64{}
	for _, l := range n.Loops {
		p := t.pointLoop(l.Axis)
		p.lo, p.hi = f.expr(l.Lo), f.expr(l.Hi)
		p.once, p.all = l.Once(p.size)
		if _, twice := undo[l.Var]; twice {
			panic(fmt.Sprintf("emulate: BUG: %q has two loops over %s", n.Role.String(), l.Var))
		}
		undo[l.Var] = f.vars[l.Var]
		f.vars[l.Var] = p.v
		t.loops = append(t.loops, p)
	}
	if n.Guard != nil {
		t.guard = f.cond(n.Guard)
	}
	if len(t.loops) > 0 {
		t.bits = min(32, 64/len(t.loops))
	}
	for _, op := range n.Body {
		t.ops = append(t.ops, f.op(t, op))
		if c, ok := op.(gpu.Compute); ok {
			t.arithmetic += int64(math.Round(c.Stmt.OperationsAcross()))
		}
	}
	for name, v := range undo {
		if delete(f.vars, name); v != nil {
			f.vars[name] = v
		}
	}
	if t.warps != nil {
		return t.warps.run
	}
	return t.run
}

// idleAxes adds a loop for each axis that no loop of n uses: every thread along it runs all points.
func (t *threads) idleAxes(n gpu.Threads) {
	var used [3]bool
	for _, l := range n.Loops {
		if l.Axis >= 0 {
			used[l.Axis] = true
		}
	}
	for axis, size := range t.kernel.Threads {
		if !used[axis] && size > 1 {
			p := t.pointLoop(axis)
			p.lo, p.hi = func() int64 { return 0 }, func() int64 { return int64(size) - 1 }
			p.once, p.all = true, true
			t.loops = append(t.loops, p)
		}
	}
}

func (t *threads) pointLoop(axis int) pointLoop {
	p := pointLoop{v: new(int64), axis: axis, size: 1, earlier: -1}
	if axis < 0 {
		return p
	}
	n := t.kernel.Threads
	p.size = int64(n[axis])
	p.stride = []int64{1, int64(n[0]), int64(n[0] * n[1])}[axis]
	for i, l := range t.loops {
		if l.axis == axis {
			p.earlier = i
		}
	}
	return p
}

// text says what the node is for.
func (t *threads) text() string {
	if t.title != "" {
		return t.title
	}
	return t.role.String()
}

// run executes the node: all its points, each by its thread.
func (t *threads) run() {
	t.startNode(t)
	t.count = 0
	t.level(0, 0, 0)
}

// level runs the points inside the present values of loops[:d].
func (t *threads) level(d int, thread int64, point uint64) {
	if d == len(t.loops) {
		t.at(thread, point)
		return
	}
	l := &t.loops[d]
	lo := l.lo()
	n := l.hi() - lo + 1
	if n <= 0 {
		return
	}
	// The order of the points is free: start somewhere, go up or down.
	t.random = t.random*6364136223846793005 + 1442695040888963407
	i, step := int64(t.random>>33)%n, int64(1)
	if t.random>>32&1 == 1 {
		step = n - 1
	}
	mask := uint64(1)<<t.bits - 1
	for range n {
		*l.v = lo + i
		id := thread
		if l.axis >= 0 {
			l.position = i % l.size
			id += l.position * l.stride
		}
		if l.earlier < 0 {
			t.level(d+1, id, point<<t.bits|uint64(*l.v)&mask)
		} else if t.loops[l.earlier].position == l.position {
			t.level(d+1, thread, point<<t.bits|uint64(*l.v)&mask)
		}
		if i += step; i >= n {
			i -= n
		}
	}
}

// at runs the body at the present point.
func (t *threads) at(thread int64, point uint64) {
	if t.guard != nil && !t.guard() {
		return
	}
	t.thread, t.point = uint16(thread), point
	for _, op := range t.ops {
		op()
	}
	t.count++
}

// sampled reports whether to check the present point more closely: the first
// of each execution, and some later ones.
func (t *threads) sampled() bool { return t.count&63 == 0 }

// points returns the variables of the loops.
func (t *threads) points() []*int64 {
	vars := make([]*int64, len(t.loops))
	for i, l := range t.loops {
		vars[i] = l.v
	}
	return vars
}

// unpack sets the variables of the loops to a packed point.
func (t *threads) unpack(point uint64) {
	for i := len(t.loops) - 1; i >= 0; i-- {
		*t.loops[i].v = int64(point) << (64 - t.bits) >> (64 - t.bits)
		point >>= t.bits
	}
}

func (f *function) op(t *threads, op gpu.Op) func() {
	switch op := op.(type) {
	case gpu.Copy:
		return f.copy(t, op)
	case gpu.Load:
		return f.fetch(t, op)
	case gpu.Compute:
		return f.compute(t, op)
	}
	panic(fmt.Sprintf("emulate: unknown op %T", op))
}

func (f *function) copy(t *threads, op gpu.Copy) func() {
	if op.From.Buffer == nil && op.To.Buffer == nil {
		panic(fmt.Sprintf("emulate: BUG: %q copies within global memory", t.role.String()))
	}
	var to *ref
	from := f.ref(t, op.From, func() string { return "copy to " + to.elementOf() })
	to = f.ref(t, op.To, func() string { return "copy of " + from.elementOf() })
	global, shared := from, to
	if !from.global {
		global, shared = to, from
	}
	load, store := f.read(from, op.From.Reg), f.store(to)
	if op.Box {
		load, store = f.boxed(from, to, store)
	}
	if !from.global && !to.global { // from where the tile before had it
		return func() { store(load()) }
	}
	copied := func() {
		if t.sampled() {
			f.expect(shared, global.index())
		}
		store(load())
	}
	if op.Async {
		return f.asynchronous(t, copied, load, store)
	}
	return copied
}

func (f *function) compute(t *threads, op gpu.Compute) func() {
	s, d := op.Stmt, f.domains[op.Stmt]
	if len(op.Iters) != len(s.Iters) || len(op.Refs) != len(s.Accesses) {
		panic(fmt.Sprintf("emulate: BUG: %q gives %d iterators and %d references for %s", t.role.String(), len(op.Iters), len(op.Refs), s.Name))
	}
	iters := make([]func() int64, len(op.Iters))
	for i, e := range op.Iters {
		iters[i] = f.expr(e)
	}
	instance := func() string {
		now := make([]int64, len(iters))
		for i, e := range iters {
			now[i] = e()
		}
		return s.Instance(now)
	}
	refs := make([]*ref, len(op.Refs))
	for i, r := range op.Refs {
		refs[i] = f.ref(t, r, instance)
	}
	code := scop.Compile(f.prog.Scop, s, scop.Binding{
		Memory: f.mem,
		Load:   func(k int) func() uint64 { return f.read(refs[k], op.Refs[k].Reg) },
		Store:  func(k int) func(uint64) { return f.write(refs[k], op.Refs[k].Reg) },
		Fault:  func(msg string) { f.found(Finding{Kind: Undefined, Msg: msg + " at " + instance()}) },
	})
	return func() {
		for i, e := range iters {
			code.Iters[i] = e()
		}
		f.now.Points++
		if kind, ok := f.note(d, code.Iters, f.blocks); !ok {
			f.wrongInstance(t, kind, instance)
		}
		if t.sampled() {
			for i, a := range s.Accesses {
				f.expectAccess(refs[i], a, code.Iters)
			}
		}
		if !code.Idle() {
			code.Run()
		}
	}
}

// expectAccess checks that r stands for the element that a means at an instance.
func (m *machine) expectAccess(r *ref, a *scop.Access, iters []int64) {
	if r.array != a.Array {
		panic(fmt.Sprintf("emulate: BUG: a reference to %s stands for an access to %s", r.array.Name, a.Array.Name))
	}
	index := make([]int64, len(a.Index))
	for i, x := range a.Index {
		index[i] = x.At(iters, m.mem.Params)
	}
	m.expect(r, index)
}

func (m *machine) wrongInstance(t *threads, k Kind, instance func() string) {
	if !m.wanted(k) {
		m.report.Counts[k]++
		return
	}
	what := &ref{id: uint16(len(t.refs)), what: instance}
	t.refs = append(t.refs, what)
	m.found(Finding{Kind: k, Element: instance(), Uses: []Access{m.present(what, ran)}})
}

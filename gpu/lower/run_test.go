package lower_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/scop"
)

// This file runs a program and its kernels on symbolic values: a store writes a
// hash of its instance and of the values read. It notices races, as well as
// elements outside arrays and buffers.

// A memory holds values by array and element.
type memory map[string]uint64

func element(name string, index []int64) string { return name + fmt.Sprint(index) }

func mix(h uint64, xs ...uint64) uint64 {
	for _, x := range xs {
		h = (h ^ x) * 0x9e3779b97f4a7c15
		h ^= h >> 29
	}
	return h
}

// compute is the value that a statement stores.
func compute(s *scop.Stmt, iters []int64, load func(k int) uint64, store func(k int, v uint64)) {
	h := mix(uint64(s.Order) + 1)
	for _, x := range iters {
		h = mix(h, uint64(x))
	}
	for k, acc := range s.Accesses {
		if acc.Write {
			store(k, h)
		} else {
			h = mix(h, load(k))
		}
	}
}

// initial is the value of an element before the region.
func initial(key string) uint64 {
	h := uint64(7)
	for _, c := range []byte(key) {
		h = mix(h, uint64(c))
	}
	return h
}

func (m memory) load(key string) uint64 {
	if v, ok := m[key]; ok {
		return v
	}
	return initial(key)
}

// original runs the program in its own order: by time, then statement, then loops.
func original(p *scop.Program, params []int64) memory {
	m := memory{}
	limit := slices.Max(append(slices.Clone(params), 4)) + 2
	for t := int64(-1); t < limit; t++ {
		for _, s := range p.Stmts {
			iters := make([]int64, len(s.Iters))
			iters[0] = t
			var walk func(d int)
			walk = func(d int) {
				if d < len(iters) {
					for v := int64(-1); v < limit; v++ {
						iters[d] = v
						walk(d + 1)
					}
					return
				}
				for _, b := range s.Bounds {
					if b.At(iters, params) < 0 {
						return
					}
				}
				key := func(k int) string {
					var idx []int64
					for _, ix := range s.Accesses[k].Index {
						v := ix.Affine.At(iters, params)
						if ix.Mod > 0 {
							v %= ix.Mod
						}
						idx = append(idx, v)
					}
					return element(s.Accesses[k].Array.Name, idx)
				}
				compute(s, iters, func(k int) uint64 { return m.load(key(k)) }, func(k int, v uint64) { m[key(k)] = v })
			}
			walk(1)
		}
	}
	return m
}

// A machine runs a gpu.Program.
type machine struct {
	program *gpu.Program
	params  []int64
	rng     *rand.Rand
	global  memory
	env     map[string]int64
	shared  memory
	regs    map[register]uint64
	kernel  *gpu.Kernel
	block   int64
	epoch   int
	local   map[string]use // of shared memory and of global memory in a block
	launch  map[string]blocks
	fault   string
	loads   int
	stores  int
}

type use struct {
	epoch  int
	reader int // a thread, -1: none, -2: several
	writer int
}

type blocks struct {
	reader, writer int64
	reads, writes  bool
	several        bool
}

func runGPU(p *gpu.Program, params []int64) *machine {
	m := &machine{program: p, params: params, rng: rand.New(rand.NewPCG(1, uint64(params[0]))), global: memory{}, env: map[string]int64{}}
	for i, x := range p.Scop.Params {
		m.env[x.Name] = params[i]
	}
	lo, hi := affine.Eval(p.TLo, m.env), affine.Eval(p.THi, m.env)
	for t := lo; t <= hi && m.fault == ""; t++ {
		m.env[p.T] = t
		for _, k := range p.Kernels {
			m.run(k)
		}
	}
	return m
}

func (m *machine) run(k *gpu.Kernel) {
	m.kernel, m.launch = k, map[string]blocks{}
	n, first := k.Blocks(m.env)
	var order []int64
	for b := range n[0] * n[1] * n[2] {
		order = append(order, b)
	}
	m.rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	for _, b := range order {
		m.block = b
		for i, x := range k.Grid {
			m.env[x.Var] = first[i] + b%n[i]
			b /= n[i]
		}
		m.shared, m.local, m.epoch = memory{}, map[string]use{}, 0
		m.regs = map[register]uint64{}
		m.nodes(k.Body)
	}
	for _, x := range k.Grid {
		delete(m.env, x.Var)
	}
}

func (m *machine) nodes(ns []gpu.Node) {
	for _, n := range ns {
		switch n := n.(type) {
		case gpu.For:
			lo, hi := affine.Eval(n.Lo, m.env), affine.Eval(n.Hi, m.env)
			for v := lo; v <= hi; v++ {
				m.env[n.Var] = v
				m.nodes(n.Body)
			}
			delete(m.env, n.Var)
		case gpu.Test:
			n.Set(m.env)
		case gpu.If:
			if n.Holds(m.env) {
				m.nodes(n.Then)
			} else {
				m.nodes(n.Else)
			}
		case gpu.Barrier:
			m.epoch++
		case gpu.Threads:
			m.threads(n, 0, 0)
		}
	}
}

func (m *machine) threads(n gpu.Threads, depth, thread int) {
	if depth == len(n.Loops) {
		if n.Guard.Holds(m.env) {
			for _, op := range n.Body {
				m.op(op, thread)
			}
		}
		return
	}
	l := n.Loops[depth]
	lo, hi := affine.Eval(l.Lo, m.env), affine.Eval(l.Hi, m.env)
	for v := lo; v <= hi; v++ {
		m.env[l.Var] = v
		at := thread
		if l.Axis >= 0 {
			step := 1
			for a := range l.Axis {
				step *= m.kernel.Threads[a]
			}
			at += int(v-lo) % m.kernel.Threads[l.Axis] * step
		}
		m.threads(n, depth+1, at)
	}
	delete(m.env, l.Var)
}

func (m *machine) op(op gpu.Op, thread int) {
	switch op := op.(type) {
	case gpu.Copy:
		if op.From.Buffer == nil {
			m.loads++
		} else if op.To.Buffer == nil {
			m.stores++
		}
		m.store(op.To, thread, m.read(op.From, thread))
	case gpu.Load:
		m.regs[register{op.Reg, thread}] = m.load(op.From, thread)
	case gpu.Compute:
		var iters []int64
		for _, e := range op.Iters {
			iters = append(iters, affine.Eval(e, m.env))
		}
		compute(op.Stmt, iters, func(k int) uint64 { return m.read(op.Refs[k], thread) }, func(k int, v uint64) { m.store(op.Refs[k], thread, v) })
	}
}

// A register is one of a thread.
type register struct {
	name   string
	thread int
}

// read is load, or what the register of r holds, which must be what memory does.
func (m *machine) read(r gpu.Ref, thread int) uint64 {
	if r.Reg == "" {
		return m.load(r, thread)
	}
	v, ok := m.regs[register{r.Reg, thread}]
	key, shared := m.key(r)
	now := m.global.load(key)
	if shared {
		now = m.shared[key]
	}
	if !ok || v != now {
		m.fail("register %s of thread %d is not %s: %v", r.Reg, thread, key, m.env)
	}
	return v
}

func (m *machine) key(r gpu.Ref) (key string, shared bool) {
	var idx []int64
	for k, e := range r.Index {
		x := affine.Eval(e, m.env)
		extent := r.Array.Extents[k].At(nil, m.params)
		if r.Buffer != nil {
			extent = r.Buffer.Shape[k]
		}
		if x < 0 || x >= extent {
			m.fail("%v = %d is outside 0..%d: %v", r, x, extent-1, m.env)
		}
		idx = append(idx, x)
	}
	if r.Buffer != nil {
		return element(r.Buffer.Name, idx), true
	}
	return element(r.Array.Name, idx), false
}

func (m *machine) fail(format string, args ...any) {
	if m.fault == "" {
		m.fault = fmt.Sprintf(format, args...)
	}
}

func (m *machine) load(r gpu.Ref, thread int) uint64 {
	key, shared := m.key(r)
	m.use(key, shared, thread, false)
	if shared {
		v, ok := m.shared[key]
		if !ok {
			m.fail("%s is read before it is written: %v", key, m.env)
		}
		return v
	}
	return m.global.load(key)
}

func (m *machine) store(r gpu.Ref, thread int, v uint64) {
	if r.Reg != "" {
		m.regs[register{r.Reg, thread}] = v
	}
	key, shared := m.key(r)
	m.use(key, shared, thread, true)
	if shared {
		m.shared[key] = v
	} else {
		m.global[key] = v
	}
}

// use notes an access and looks for another of the same element that it races with.
func (m *machine) use(key string, shared bool, thread int, write bool) {
	where := fmt.Sprint(shared, key)
	u, ok := m.local[where]
	if !ok || u.epoch != m.epoch {
		u = use{epoch: m.epoch, reader: -1, writer: -1}
	}
	if u.writer >= 0 && u.writer != thread || write && u.reader != -1 && u.reader != thread {
		m.fail("race on %s between threads of a block: %v", key, m.env)
	}
	if write {
		u.writer = thread
	} else if u.reader >= 0 && u.reader != thread {
		u.reader = -2
	} else {
		u.reader = thread
	}
	m.local[where] = u
	if shared {
		return
	}
	b := m.launch[key]
	if b.writes && b.writer != m.block || write && b.reads && (b.several || b.reader != m.block) {
		m.fail("race on %s between blocks: %v", key, m.env)
	}
	if write {
		b.writes, b.writer = true, m.block
	} else {
		b.several = b.several || b.reads && b.reader != m.block
		b.reads, b.reader = true, m.block
	}
	m.launch[key] = b
}

// differs returns an element that two memories disagree on.
func differs(a, b memory) string {
	for _, key := range slices.Sorted(maps.Keys(a)) {
		if a.load(key) != b.load(key) {
			return key
		}
	}
	for _, key := range slices.Sorted(maps.Keys(b)) {
		if a.load(key) != b.load(key) {
			return key
		}
	}
	return ""
}

// withoutBarrier returns p without its i-th barrier, what follows that, and whether there is one.
func withoutBarrier(p *gpu.Program, i int) (less *gpu.Program, next gpu.Node, ok bool) {
	var strip func(ns []gpu.Node) []gpu.Node
	strip = func(ns []gpu.Node) []gpu.Node {
		var out []gpu.Node
		for k, n := range ns {
			switch x := n.(type) {
			case gpu.Barrier:
				if i--; i == -1 {
					if k+1 < len(ns) {
						next = ns[k+1]
					}
					continue
				}
			case gpu.For:
				x.Body = strip(x.Body)
				n = x
			case gpu.If:
				x.Then, x.Else = strip(x.Then), strip(x.Else)
				n = x
			}
			out = append(out, n)
		}
		return out
	}
	q := *p
	q.Kernels = nil
	for _, k := range p.Kernels {
		less := *k
		less.Body = strip(k.Body)
		q.Kernels = append(q.Kernels, &less)
	}
	return &q, next, i < 0
}

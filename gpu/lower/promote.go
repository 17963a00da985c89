package lower

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/machine"
)

// This file promotes elements of arrays to registers. In the straight code of a full tile each
// subscript is the index of the thread along an axis plus a number, so it is known which references
// are one element, and which elements another thread may write. A value that was read or computed is
// then not loaded again: by neighbouring rows of a step, or by later steps. Of
//
//	S0(t, i, y+1): reads A[i][y], A[i][y+1], A[i][y+2]
//	S0(t, i, y+2): reads A[i][y+1], A[i][y+2], A[i][y+3]
//
// the second loads A[i][y+3] alone, if no thread writes to row i between the two.

// promoted returns the nodes of a full tile with values in registers that are used again, and what
// registers those are. It takes the nodes over.
func (ph *plan) promoted(nodes []gpu.Node) ([]gpu.Node, registers) {
	k := promoter{plan: ph, names: maps.Clone(ph.used), held: map[string][]gpu.Ref{}}
	kept := forget(k.nodes(nodes))
	return kept, registers{k.names, k.slots}
}

// registers are those of the straight code of a tile.
type registers struct {
	names astgen.Used
	slots int // how many there are, or less
}

// spare is the registers of a thread that are left to addresses and intermediate results.
const spare = 40

// registersFor returns the 32-bit registers for values that a thread of a block
// of that shape has if two blocks run at once.
func registersFor(d machine.Device, threads [3]int) int {
	return min(d.RegistersPerThread, d.Registers/(2*threads[0]*threads[1]*threads[2])) - spare
}

// What ptxas was seen to take beside values without spilling: it loads and computes
// addresses well ahead. roomy is for all of that but planes; each plane of an array
// takes perPlane, and each nest that shares its steps with others perNest, as the loads of all of them come
// early. Where a thread has rows, each element that it copies out takes perCopy, as addresses differ in more then.
const (
	roomy    = 62
	perPlane = 14
	perNest  = 6
	perCopy  = 2
)

// Where copies go through registers, each value beyond some takes three more: easy, or less for each
// stride that an address takes beside the first.
const (
	easy   = 30
	stride = 10
)

// In one dimension of space every address in shared memory is the thread's and a number, and one in global memory lies in a row
// of few: beside values ptxas was seen to take alongLine, and what the widest statement reads, but no more than wideAtMost of that.
const (
	alongLine  = 18
	wideAtMost = 24
)

// wanted returns the registers of a thread where so many of them hold values: as
// many as compilers like, or as there are; and how many of those are too few. Addresses of planes are not counted there: ptxas computes them again.
func (ph *plan) wanted(values int) (registers, lacking int) {
	registers = min(ph.wants(values), ph.registersAtMost())
	return registers, max(0, ph.needs(values)+ph.rowRegisters()-registers)
}

// wants returns the registers of a thread with which so many of them hold values and nothing is spilled.
func (ph *plan) wants(values int) int {
	return ph.needs(values) + ph.planeRegisters() + ph.rowRegisters()
}

// needs is wants without addresses.
func (ph *plan) needs(values int) int {
	if len(ph.names.Points) == 1 {
		return values + alongLine + min(ph.statementWords(), wideAtMost)
	}
	if ph.options.Async {
		return values + roomy
	}
	strides := 1
	for _, f := range ph.staged {
		strides = max(strides, len(f.loop)-1)
	}
	return values + 3*max(0, values-easy+stride*(strides-1)) + roomy
}

// planeRegisters returns the registers for planes and nests.
func (ph *plan) planeRegisters() int {
	if len(ph.names.Points) == 1 {
		return 0
	}
	n := perNest * (ph.together() - 1)
	for _, f := range ph.staged {
		n += perPlane * len(f.full.planes)
	}
	return n
}

// rowRegisters returns the registers for addresses of what a thread copies of its rows.
func (ph *plan) rowRegisters() int {
	if !ph.options.Async || ph.rows <= 1 {
		return 0
	}
	n := int64(0)
	for _, f := range ph.staged {
		n += f.stores()
	}
	return int(perCopy*n) / ph.size()
}

// together returns how many nests a step of a full tile runs at most.
func (ph *launch) together() (most int) {
	n := 0
	for i, at := range ph.full {
		if n++; i > 0 && at.A != ph.full[i-1].A {
			n = 1
		}
		most = max(most, n)
	}
	return max(1, most)
}

// A promoter runs through the nodes of a tile in order.
type promoter struct {
	*plan
	names astgen.Used
	slots int                  // of the registers so far
	ahead int                  // of 32-bit registers that hold values loaded ahead
	set   map[int]bool         // slots of registers set in the present node, unless all threads run it
	held  map[string][]gpu.Ref // elements whose value is in their Reg, by alias class
}

func (k *promoter) nodes(nodes []gpu.Node) []gpu.Node {
	out := make([]gpu.Node, len(nodes))
	for i, n := range nodes {
		out[i] = n
		if t, ok := n.(gpu.Threads); ok {
			out[i] = k.node(t)
		}
	}
	return out
}

// node runs through n. Of moves, threads may take rows, so that alias classes do not tell what they write. What is set where not all threads run is not known after
// it, and nothing that is known outside of a loop is inside, where subscripts change with its variable.
func (k *promoter) node(n gpu.Threads) gpu.Threads {
	if n.Repeats() || n.Role.Kind == gpu.Move {
		clear(k.held)
		n = k.threads(n)
		clear(k.held)
		return n
	}
	if k.whole(n) {
		return k.threads(n)
	}
	set := k.set
	k.set = map[int]bool{}
	n = k.threads(n)
	for class, refs := range k.held {
		k.held[class] = slices.DeleteFunc(refs, func(r gpu.Ref) bool { return k.set[r.Slot] })
	}
	k.set = set
	return n
}

// aliasClass returns a key such that references with different keys are different elements for any
// two threads. It is the array; and, for an element of a buffer, the subscripts in dimensions along
// which no two threads differ, which are numbers in straight code: A[0] of one plane is never A[1] of another.
func (k *promoter) aliasClass(r gpu.Ref) string {
	if r.Buffer == nil {
		return r.Array.Name
	}
	key := []byte(r.Buffer.Name)
	for d, p := range k.plan.holding(r.Buffer).space {
		if p < 0 || k.along(k.axisOf(p)) == 1 {
			key = append(key, ' ')
			if x, ok := r.Index[d].(affine.Sum); ok && x.IsNum() {
				key = strconv.AppendInt(key, x.Const, 10)
			} else {
				key = fmt.Append(key, r.Index[d])
			}
		}
	}
	return string(key)
}

// hold notes that the register of r, of alias class at, holds its element.
func (k *promoter) hold(r gpu.Ref, at string) {
	k.held[at] = append(k.held[at], r)
	if k.set != nil {
		k.set[r.Slot] = true
	}
}

// whole reports whether all threads of the block run n, each once.
func (ph *block) whole(n gpu.Threads) bool {
	all := int64(1)
	for _, l := range n.Loops {
		lo, ok := l.Lo.(affine.Sum)
		hi, ok2 := l.Hi.(affine.Sum)
		if !ok || !ok2 || !hi.IsNum() || !lo.IsNum() || lo.Const != 0 || hi.Const != ph.along(l.Axis)-1 || l.Axis < 0 {
			return false
		}
		all *= ph.along(l.Axis)
	}
	return n.Guard == nil && all == int64(ph.size())
}

func (k *promoter) threads(n gpu.Threads) gpu.Threads {
	body := make([]gpu.Op, 0, 2*len(n.Body))
	for _, op := range n.Body {
		switch op := op.(type) {
		case gpu.Compute:
			body = k.compute(op, body)
		case gpu.Copy:
			if op.From.Buffer != nil {
				k.found(&op.From, k.aliasClass(op.From))
			}
			k.written(op.To, k.aliasClass(op.To))
			body = append(body, op)
		default:
			body = append(body, op)
		}
	}
	n.Body = body
	return n
}

// compute adds to ops c with what it reads and writes in registers where that
// is known to be the same, after the loads that takes. It changes what c refers to.
func (k *promoter) compute(c gpu.Compute, ops []gpu.Op) []gpu.Op {
	certain := k.certain(c.Stmt)
	stored := false
	for i, acc := range c.Stmt.Accesses {
		r := &c.Refs[i]
		at := k.aliasClass(*r)
		switch {
		case acc.Write:
			stored = true
			k.written(*r, at)
			if certain[i] {
				k.register(r)
				k.hold(*r, at)
			}
		case k.found(r, at):
		case !stored && certain[i]: // else the load would run before the store, or where the element does not exist
			k.register(r)
			ops = append(ops, load(*r))
			k.hold(*r, at)
		}
	}
	return append(ops, c)
}

// load returns the load of the element of r into its register.
func load(r gpu.Ref) gpu.Load {
	from := r
	from.Reg = ""
	return gpu.Load{Reg: r.Reg, From: from}
}

// found has r, of alias class at, read the register that holds its element, if there is one.
func (k *promoter) found(r *gpu.Ref, at string) bool {
	for _, h := range k.held[at] {
		if k.same(h, *r) {
			r.Reg, r.Slot = h.Reg, h.Slot
			return true
		}
	}
	r.Reg = ""
	return false
}

// written forgets what a write of r, of alias class at, by all threads, may change.
func (k *promoter) written(r gpu.Ref, at string) {
	if len(k.held[at]) == 0 {
		return
	}
	k.held[at] = slices.DeleteFunc(k.held[at], func(h gpu.Ref) bool {
		same, may := k.meet(h, r)
		return same || may
	})
}

// same reports whether a and b are the same element for each thread, as meet does.
func (k *promoter) same(a, b gpu.Ref) bool {
	if a.Buffer != b.Buffer || a.Array != b.Array {
		return false
	}
	for d := range a.Index {
		x, y, width, ok := moduloSums(a.Index[d], b.Index[d])
		if !ok && !affine.Same(a.Index[d], b.Index[d]) {
			return false
		}
		if ok && ((x.Const-y.Const)%width != 0 || !x.Minus(y).IsNum()) {
			return false
		}
	}
	return true
}

// meet says whether a and b are the same element for each thread, and whether
// the element of a for some thread may be that of b for some thread.
func (k *promoter) meet(a, b gpu.Ref) (same, may bool) {
	if a.Buffer != b.Buffer || a.Array != b.Array {
		return false, false
	}
	same, may = true, true
	for d := range a.Index {
		s, m := k.meetAt(a.Index[d], b.Index[d])
		same, may = same && s, may && m
	}
	return same, may
}

// meetAt is meet for one subscript: a sum, or one modulo the width of a buffer.
func (k *promoter) meetAt(a, b affine.Expr) (same, may bool) {
	x, y, width, ok := moduloSums(a, b)
	if !ok {
		return affine.Same(a, b), true
	}
	delta := x.Minus(y)
	if !delta.IsNum() {
		return false, true
	}
	apart := abs(delta.Const) % width
	apart = min(apart, width-apart)
	spread, step := k.spread(x)
	return apart == 0, apart <= spread && (apart%step == 0 || width < math.MaxInt64)
}

// moduloSums returns two subscripts as sums that are equal modulo width where they are: MaxInt64 if they are
// sums, the width of a buffer if both are sums modulo that. ok is false if they are anything else.
func moduloSums(a, b affine.Expr) (x, y affine.Sum, width int64, ok bool) {
	if u, isMod := a.(affine.Mod); isMod {
		if v, isMod := b.(affine.Mod); isMod && u.D == v.D {
			x, ok = u.X.(affine.Sum)
			y, ok2 := v.X.(affine.Sum)
			return x, y, u.D, ok && ok2
		}
	}
	x, ok = a.(affine.Sum)
	y, ok2 := b.(affine.Sum)
	return x, y, math.MaxInt64, ok && ok2
}

// spread returns the greatest difference of x between two threads of a block, and
// a number of which all differences are multiples.
func (k *promoter) spread(x affine.Sum) (n, step int64) {
	for axis := range k.plan.threads {
		c := abs(x.Coef(k.threadVar(axis)))
		n += c * (k.along(axis) - 1)
		step = affine.GCD(step, c)
	}
	return n, max(1, step)
}

func abs(x int64) int64 { return max(x, -x) }

// register gives r a new register for its element, named by its array and the numbers of its index.
func (k *promoter) register(r *gpu.Ref) {
	name := []byte(r.Array.Name)
	for _, e := range r.Index {
		x, ok := e.(affine.Sum)
		switch {
		case !ok:
		case x.Const < 0:
			name = strconv.AppendInt(append(name, "_m"...), -x.Const, 10)
		default:
			name = strconv.AppendInt(append(name, '_'), x.Const, 10)
		}
	}
	r.Reg = k.names.Fresh(string(name))
	k.slots++
	r.Slot = k.slots
}

// A life is the part of the straight code in which a register holds a value
// that is still read: from its setting to its last read, by number of operation.
type life struct {
	set, last int
	reads     int
	loaded    bool // by a Load, not by a write
	words     int  // of 32 bits
}

// lives returns the life of each register of the nodes of a tile, by slot, and how many operations there are.
func lives(nodes []gpu.Node) (all []life, ops int) {
	eachOp(nodes, func(op gpu.Op) {
		ops++
		_, loads := op.(gpu.Load)
		eachReg(op, func(r register, write bool) {
			for len(all) <= r.slot {
				all = append(all, life{})
			}
			if l := &all[r.slot]; write {
				*l = life{set: ops, last: ops, loaded: loads, words: r.words}
			} else {
				l.last = ops
				l.reads++
			}
		})
	})
	return all, ops
}

// live returns the most 32-bit registers that hold values at once in the nodes of a tile.
func live(nodes []gpu.Node) (most int) {
	all, ops := lives(nodes)
	change := make([]int, ops+1)
	for _, l := range all {
		change[l.set] += l.words
		change[l.last] -= l.words
	}
	now := 0
	for _, c := range change {
		now += c
		most = max(most, now)
	}
	return most
}

// eachOp calls f for each operation of the nodes that are no loops, in order.
func eachOp(nodes []gpu.Node, f func(gpu.Op)) {
	for _, n := range nodes {
		if t, ok := n.(gpu.Threads); ok {
			for _, op := range t.Body {
				f(op)
			}
		}
	}
}

// forget returns nodes without the registers that save nothing: what is loaded
// and read once is read from memory there, and what is written and never read
// again needs none.
func forget(nodes []gpu.Node) []gpu.Node {
	all, _ := lives(nodes)
	idle := func(r gpu.Ref) bool {
		return r.Reg != "" && (all[r.Slot].loaded && all[r.Slot].reads <= 1 || all[r.Slot].reads == 0)
	}
	out := make([]gpu.Node, len(nodes))
	for i, n := range nodes {
		out[i] = n
		t, ok := n.(gpu.Threads)
		if !ok {
			continue
		}
		body := make([]gpu.Op, 0, len(t.Body))
		for _, op := range t.Body {
			switch o := op.(type) {
			case gpu.Load:
				if all[o.From.Slot].reads <= 1 {
					continue
				}
			case gpu.Compute:
				if !slices.ContainsFunc(o.Refs, idle) {
					break
				}
				o.Refs = slices.Clone(o.Refs)
				for i, r := range o.Refs {
					if idle(r) {
						o.Refs[i].Reg = ""
					}
				}
				op = o
			}
			body = append(body, op)
		}
		t.Body = body
		out[i] = t
	}
	return out
}

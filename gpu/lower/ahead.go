package lower

import (
	"maps"
	"slices"

	"github.com/hexcc/hexcc/gpu"
)

// This file puts the loads of a step ahead of its stores. In straight code a point reads, computes and
// writes, then comes the next. A compiler that cannot tell that what one point writes is not what the
// next one reads, as of arrays with addresses of their own, has each wait for the one before:
//
//	ey[3][x] = ey[3][x] - f(hz[3][x])        load ey[3][x]; load hz[3][x]; load ey[4][x]; load hz[4][x]; ..
//	ey[4][x] = ey[4][x] - f(hz[4][x])        compute and store ey[3][x]; load the next; compute and store ey[4][x]; ..
//
// We can tell. So loads run ahead, by as many values as a bound has registers for, and no further than to
// behind what may write the element. In copies the same holds of what only some threads run: each such part would
// wait for its own loads before the next begins. Their loads go ahead of the copies that all threads run, their stores behind; unless copies
// are asynchronous, so that none waits.

// aheadAtMost is how many 32-bit registers hold values that were loaded ahead of the point that reads them.
const aheadAtMost = 24

// copiesAheadAtMost is the same of copies that only some threads run: with more, ptxas was seen to spill hundreds of bytes of PTX by LLVM.
const copiesAheadAtMost = 4

// ahead returns the nodes of a full tile with loads ahead of the stores of points before, by as many registers as there are where as many
// blocks run at once as without: values is how many hold values then. It takes the nodes over.
func (ph *plan) ahead(nodes []gpu.Node, values int) []gpu.Node {
	most := ph.registersBeside(values)
	for words := aheadAtMost; words > 0; words /= 2 {
		// What a thread wants is an estimate with room; where it can have all registers that there are, compilers were seen not to spill.
		if out := ph.aheadBy(nodes, words); most == ph.device.RegistersPerThread || ph.wants(live(out)) <= most {
			return out
		}
	}
	return nodes
}

// registersBeside returns the most registers that a thread can have where as many blocks run at once as if so many held values.
func (ph *plan) registersBeside(values int) int {
	threads := ph.size()
	blocks := func(registers int) int { return ph.device.Occupancy(threads, registers, ph.sharedBytes()).Blocks }
	most, _ := ph.wanted(values)
	for least := blocks(most); most < ph.device.RegistersPerThread && blocks(most+1) == least; {
		most++
	}
	return most
}

// aheadBy is ahead for loads of so many words in a step.
func (ph *plan) aheadBy(nodes []gpu.Node, words int) []gpu.Node {
	k := promoter{plan: ph, names: maps.Clone(ph.used), ahead: words}
	eachOp(nodes, func(op gpu.Op) {
		eachReg(op, func(r register, _ bool) {
			k.names[r.name], k.slots = true, max(k.slots, r.slot)
		})
	})
	out := slices.Clone(nodes)
	for i, n := range out {
		switch n := n.(type) {
		case gpu.If:
			n.Then, n.Else = k.copiesAhead(n.Then), k.copiesAhead(n.Else)
			out[i] = n
		case gpu.Threads:
			if n.Role.Kind == gpu.TimeStep {
				n.Body = k.aheadIn(n.Body)
				out[i] = n
			}
		}
	}
	return k.copiesAhead(out)
}

// A pending load waits for its place.
type pending struct {
	op    gpu.Op
	words int
	first int // the first of the points that reads it
}

// aheadIn returns the operations of a step with loads ahead.
func (k *promoter) aheadIn(ops []gpu.Op) []gpu.Op {
	var points []gpu.Compute
	var loads []pending
	reader := map[string]int{} // of a register that is loaded here: its load
	for _, op := range ops {
		switch op := op.(type) {
		case gpu.Load:
			reader[op.Reg] = len(loads)
			loads = append(loads, pending{op, op.From.Array.Elem.Words(), -1})
		case gpu.Compute:
			op = k.loadedFor(op, &loads, len(points))
			for _, r := range op.Refs {
				if at, ok := reader[r.Reg]; ok && r.Reg != "" && loads[at].first < 0 {
					loads[at].first = len(points)
				}
			}
			points = append(points, op)
		default:
			return ops
		}
	}
	return k.ordered(points, loads)
}

// loadedFor adds the loads of what c, the point of that number, reads in memory, and returns c reading registers.
func (k *promoter) loadedFor(c gpu.Compute, loads *[]pending, at int) gpu.Compute {
	certain := k.certain(c.Stmt)
	own := false
	for i, acc := range c.Stmt.Accesses {
		if acc.Write {
			break // a load would run before the store
		}
		if c.Refs[i].Reg != "" || !certain[i] {
			continue
		}
		if !own {
			c.Refs, own = slices.Clone(c.Refs), true
		}
		r := &c.Refs[i]
		k.register(r)
		*loads = append(*loads, pending{load(*r), r.Array.Elem.Words(), at})
	}
	return c
}

// ordered returns the points in order, and the loads, in order, as far ahead as may be.
func (k *promoter) ordered(points []gpu.Compute, loads []pending) []gpu.Op {
	out := make([]gpu.Op, 0, len(points)+len(loads))
	waiting := make([]int, len(points)) // words that were loaded for points that have not run
	now := 0
	for i, c := range points {
		for len(loads) > 0 {
			l := loads[0]
			if l.first > i && (now+l.words > k.ahead || k.mayWrite(points[i:l.first], l.op.(gpu.Load).From)) {
				break
			}
			out = append(out, l.op)
			if l.first >= 0 {
				waiting[l.first] += l.words
				now += l.words
			}
			loads = loads[1:]
		}
		out = append(out, c)
		now -= waiting[i]
	}
	return out
}

// mayWrite reports whether one of the points may, in any thread, write the element of r.
func (k *promoter) mayWrite(points []gpu.Compute, r gpu.Ref) bool {
	for _, c := range points {
		for i, acc := range c.Stmt.Accesses {
			if !acc.Write {
				continue
			}
			if same, may := k.meet(c.Refs[i], r); same || may {
				return true
			}
		}
	}
	return false
}

// copiesAhead returns nodes with copies in that not all threads run as loads ahead of other copies, and stores behind them, as
// long as there are registers for the values: else in several turns.
func (k *promoter) copiesAhead(nodes []gpu.Node) (out []gpu.Node) {
	if k.options.Async {
		return nodes // none waits for its loads
	}
	for i := 0; i < len(nodes); {
		end := i
		for end < len(nodes) && copiesIn(nodes[end]) {
			end++
		}
		if end > i+1 {
			out = append(out, k.copiedTogether(nodes[i:end])...)
			i = end
			continue
		}
		out = append(out, nodes[i])
		i++
	}
	return out
}

// copiesIn reports whether n copies from global to shared memory, each thread each element once.
func copiesIn(n gpu.Node) bool {
	t, ok := n.(gpu.Threads)
	return ok && t.Role.Kind == gpu.CopyIn && copies(t)
}

// copiedTogether returns copies in that run in any order, with few waits for loads.
func (k *promoter) copiedTogether(nodes []gpu.Node) (out []gpu.Node) {
	var all, loads, stores []gpu.Node // what goes between the loads and stores
	held := 0
	turn := func() {
		out = slices.Concat(out, loads, all, stores)
		all, loads, stores, held = nil, nil, nil, 0
	}
	for _, n := range nodes {
		if t := n.(gpu.Threads); k.whole(t) {
			all = append(all, t)
		}
	}
	for _, n := range nodes {
		t := n.(gpu.Threads)
		if k.whole(t) {
			continue
		}
		values := 0
		for _, op := range t.Body {
			values += op.(gpu.Copy).To.Array.Elem.Words()
		}
		if held > 0 && held+values > copiesAheadAtMost {
			turn()
		}
		if values > copiesAheadAtMost {
			all = append(all, t) // its loads are many at once as they are
			continue
		}
		load, store := k.halves(t)
		loads, stores, held = append(loads, load), append(stores, store), held+values
	}
	turn()
	return out
}

// halves returns copies as loads into registers, and stores from there.
func (k *promoter) halves(t gpu.Threads) (loads, stores gpu.Threads) {
	loads, stores = t, t
	loads.Body, stores.Body = nil, nil
	for _, op := range t.Body {
		c := op.(gpu.Copy)
		r := c.To
		k.register(&r)
		c.From.Reg, c.From.Slot = r.Reg, r.Slot
		loads.Body, stores.Body = append(loads.Body, load(c.From)), append(stores.Body, c)
	}
	return loads, stores
}

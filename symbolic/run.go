package symbolic

import (
	"fmt"
	"slices"

	"github.com/hexcc/hexcc/gpu"
)

// run runs so many full tiles one after the other, beside the program. It returns how many reads it compared.
func (c *compiler) run(tiles int) (reads int) {
	x := &execution{compiler: c, mayKeep: map[int]bool{}, machine: machine{cells: c.memory(), vars: c.vars}}
	x.program(tiles)
	x.registers = make([][]int32, len(c.registerOf))
	for i := range x.registers {
		x.registers[i] = make([]int32, c.kernel.Threads[0]*c.kernel.Threads[1]*c.kernel.Threads[2])
	}
	x.fillOnce()
	x.epoch = 1
	for tile := range tiles {
		for _, r := range x.registers {
			clear(r)
		}
		x.tile, x.ran = tile, make([]bool, c.points)
		x.vars[i0] = int64(tile)
		x.after, x.last = tile > 0, tile == tiles-1
		x.nodes(c.code)
		for n, ran := range x.ran {
			if !ran {
				panic(wrong(fmt.Sprintf("%s does not run", c.pointName(n))))
			}
		}
	}
	x.left(tiles)
	return x.reads
}

// An execution is one run of tiles.
type execution struct {
	*compiler
	machine
	tile        int
	after, last bool         // a full tile comes before this one in the block, and none behind it
	want        []int32      // what is read, by tile, point and access
	leaves      []int32      // by cell
	mayKeep     map[int]bool // cells that some instance writes which may be left out: see scop.Stmt.When
	ran         []bool       // by point
	reads       int
	thread      int32
}

// memory returns cells in which each of global memory has its own value.
func (c *compiler) memory() []cell {
	cells := make([]cell, c.total)
	for _, a := range c.areas {
		if a.buffer == nil {
			for i := a.first; i < a.first+a.cells(); i++ {
				cells[i].value = int32(1 + i)
			}
		}
	}
	return cells
}

// stored returns the value that an access of a tile stores.
func (c *compiler) stored(tile, touch int) int32 { return int32(1 + c.total + tile*c.all + touch) }

// program runs what the tiles stand for as the program does, step by step, and notes
// what is read and what is left: of tiles that overlap, by the instances that they own.
func (x *execution) program(tiles int) {
	all := x.all
	x.want, x.leaves = make([]int32, tiles*all), make([]int32, x.total)
	for i := range x.leaves {
		x.leaves[i] = x.cells[i].value
	}
	now := x.leaves // what memory has while the program runs
	if x.schedule.Overlaps() {
		now = slices.Clone(x.leaves)
	}
	for tile := range tiles {
		x.vars[i0] = int64(tile)
		for _, s := range x.slices {
			x.eachPoint(s, func(n int) {
				if x.isIdle(s.when) {
					x.keep(s)
					return
				}
				at := s.touchFirst + n*len(s.touch)
				for k := range s.touch {
					a := &s.touch[k]
					cell := x.cell(a)
					if !a.write || a.keeps {
						x.want[tile*all+at+k] = now[cell]
					}
					if a.write {
						now[cell] = x.stored(tile, at+k)
						if of := s.Stmt.Accesses[k].Array; x.owns(s) && !slices.Contains(x.schedule.Temporaries, of) && x.schedule.Version(of) == nil {
							x.leaves[cell] = now[cell]
						}
					}
				}
			})
		}
	}
	x.handOn(now)
}

// owns reports whether the tile owns the point of s that the local coordinates are set to.
func (x *execution) owns(s slice) bool {
	for p, b := range x.names.Points {
		if at := x.vars[x.slots[b]]; at < s.Owned.Lo[p] || at > s.Owned.Hi[p] {
			return false
		}
	}
	return true
}

// eachPoint sets the local coordinates to each point of s.
func (x *execution) eachPoint(s slice, visit func(n int)) {
	n := 0
	var walk func(p int)
	walk = func(p int) {
		if p == len(s.Lo) {
			visit(n)
			n++
			return
		}
		slot := x.slots[x.names.Points[p]]
		for b := s.Lo[p]; b <= s.Hi[p]; b++ {
			x.vars[slot] = b
			walk(p + 1)
		}
	}
	walk(0)
}

// cell returns the cell that a touches.
func (x *execution) cell(a *access) int {
	if !a.inside {
		x.check(a)
	}
	return x.address(a)
}

// address returns the cell that a touches, which lies in its area.
func (x *execution) address(a *access) int {
	at := a.flat.value(x.vars)
	for i := range a.rounds {
		at += a.rounds[i].stride * a.rounds[i].value(x.vars)
	}
	return int(at)
}

// check fails unless a lies in its area and, of global memory, inside of what the program touches:
// since that is a box, so does all of it lie inside of the array.
func (x *execution) check(a *access) {
	if a.area.buffer == nil && len(a.area.inside) == 0 {
		if slices.ContainsFunc(x.areas, func(b *area) bool { return b != a.area && b.buffer == nil && b.array == a.area.array }) {
			panic(undecided(fmt.Sprintf("elements of %s lie at distances that depend on the sizes", a.area.array.Name)))
		}
		panic(wrong(fmt.Sprintf("%s is nothing that the program touches", x.subscripts(a))))
	}
	for d := range a.index {
		v, lo, hi := a.index[d].value(x.vars), a.area.lo[d], a.area.lo[d]+a.area.size[d]-1
		if a.area.buffer == nil {
			lo, hi = a.area.inside[2*d], a.area.inside[2*d+1]
		}
		if v < lo || v > hi {
			panic(wrong(fmt.Sprintf("%s lies outside of %d..%d along dimension %d", x.subscripts(a), lo, hi, d)))
		}
	}
}

func (x *execution) subscripts(a *access) string {
	text := a.area.name
	for d := range a.index {
		text += fmt.Sprintf("[%d]", a.index[d].value(x.vars))
	}
	return text
}

// fillOnce gives buffers that a block fills before its first tile what they are to hold.
func (x *execution) fillOnce() {
	for i := range x.filled {
		f := &x.filled[i]
		for cell := range f.buffer.cells() {
			rest := int64(cell)
			at, inside := int64(0), true
			local := make([]int64, len(f.buffer.size))
			for d := len(local) - 1; d >= 0; d-- {
				local[d] = rest % f.buffer.size[d]
				rest /= f.buffer.size[d]
			}
			for d, l := range local {
				v := f.origin.index[d].value(x.vars) + l
				if m := f.buffer.buffer.Mod[d]; m > 0 {
					v %= m
				}
				v -= f.origin.area.lo[d]
				inside = inside && v >= 0 && v < f.origin.area.size[d]
				at = at*f.origin.area.size[d] + v
			}
			if inside {
				x.cells[f.buffer.first+cell].value = int32(1 + f.origin.area.first + int(at))
			}
		}
	}
}

func (x *execution) nodes(nodes []node) {
	for i := range nodes {
		n := &nodes[i]
		switch {
		case n.barrier:
			x.epoch++
		case n.kind == gpu.AfterFull && x.after, n.kind == gpu.LastFull && x.last:
			x.nodes(n.then)
		case n.kind != gpu.NoRole:
			x.nodes(n.not)
		default:
			x.level(n, 0, 0)
		}
	}
}

// level runs n inside of the present values of its first loops.
func (x *execution) level(n *node, depth int, thread int64) {
	if depth == len(n.loops) {
		if n.guard != nil && !x.holds(n.guard) {
			return
		}
		x.thread = int32(thread)
		for i := range n.ops {
			x.op(&n.ops[i])
		}
		return
	}
	l := &n.loops[depth]
	lo, hi := l.lo(x.vars), l.hi(x.vars)
	for v := lo; v <= hi; v++ {
		x.vars[l.slot] = v
		next := thread
		if l.n > 0 {
			next += (v - lo) % l.n * l.stride
		}
		x.level(n, depth+1, next)
	}
}

func (x *execution) holds(guard [][]linear) bool {
next:
	for _, rows := range guard {
		for i := range rows {
			if rows[i].value(x.vars) < 0 {
				continue next
			}
		}
		return true
	}
	return false
}

func (x *execution) op(o *op) {
	if o.stmt != nil {
		x.compute(o)
		return
	}
	v := x.load(o.from)
	if o.to.area == nil {
		x.registers[o.to.reg][x.thread] = v
		return
	}
	x.store(o.to, v)
}

// load returns the value of a, from its register if it has one.
func (x *execution) load(a *access) int32 {
	if a.reg >= 0 {
		v := x.registers[a.reg][x.thread]
		if at := x.cell(a); x.cells[at].value != v {
			panic(wrong(fmt.Sprintf("a register with %s stands for %s, which is %s", x.name(v), a.area.element(at), x.name(x.cells[at].value))))
		}
		return v
	}
	cell := x.cell(a)
	v, race := x.read(cell, x.thread)
	if race {
		panic(wrong(fmt.Sprintf("thread %d reads %s, which thread %d writes with no barrier between", x.thread, a.area.element(cell), x.cells[cell].writer)))
	}
	return v
}

// store sets a, and its register if it has one. Of global memory only what instances of the tiles write may be stored:
// another block may write the rest meanwhile.
func (x *execution) store(a *access, v int32) {
	cell := x.cell(a)
	if a.area.buffer == nil && x.leaves[cell] == int32(1+cell) && !x.mayKeep[cell] {
		panic(wrong(fmt.Sprintf("%s is stored, which no instance of the tile writes", a.area.element(cell))))
	}
	if x.write(cell, x.thread, v) {
		panic(wrong(fmt.Sprintf("thread %d writes %s, which another thread touches with no barrier between", x.thread, a.area.element(cell))))
	}
	if a.reg >= 0 {
		x.registers[a.reg][x.thread] = v
	}
}

// compute runs an instance: what it reads must be what the program reads there.
func (x *execution) compute(o *op) {
	s := &x.slices[o.slice]
	n := int64(0)
	for p := range o.coords {
		b := o.coords[p].value(x.vars)
		if b < s.Lo[p] || b > s.Hi[p] {
			panic(wrong(fmt.Sprintf("%s runs at %d along dimension %d in step %d, which has %d to %d", s.Stmt.Name, b, p, s.A, s.Lo[p], s.Hi[p])))
		}
		n = n*(s.Hi[p]-s.Lo[p]+1) + b - s.Lo[p]
	}
	if x.ran[s.first+int(n)] {
		panic(wrong(fmt.Sprintf("%s runs twice", x.pointName(s.first+int(n)))))
	}
	x.ran[s.first+int(n)] = true
	if x.isIdle(o.when) {
		return
	}
	first := s.touchFirst + int(n)*len(s.touch)
	for k := range o.touch {
		a := &o.touch[k]
		if !a.write || a.keeps {
			from := *a
			if a.keeps { // the old value is where the new one would be: in memory
				from.reg = -1
			}
			v := x.load(&from)
			x.reads++
			if want := x.want[x.tile*x.all+first+k]; v != want {
				panic(wrong(fmt.Sprintf("%s reads %s of %s and finds %s, where the program has %s", x.pointName(s.first+int(n)), s.Stmt.Accesses[k].Text, x.where(a), x.name(v), x.name(want))))
			}
		}
		if a.write {
			x.store(a, x.stored(x.tile, first+k))
		}
	}
}

// keep notes what an instance that may be left out would write: tiles may store again there what they found.
func (x *execution) keep(s slice) {
	for k := range s.touch {
		if s.touch[k].write {
			x.mayKeep[x.cell(&s.touch[k])] = true
		}
	}
}

// isIdle reports whether some of the remainders, of an instance, is not 0.
func (x *execution) isIdle(remainders []subscript) bool {
	for i := range remainders {
		if remainders[i].value(x.vars) != 0 {
			return true
		}
	}
	return false
}

// where says where a kernel has an element.
func (x *execution) where(a *access) string {
	if a.reg >= 0 {
		return "a register"
	}
	return x.subscripts(a)
}

// pointName names a point of the tile.
func (c *compiler) pointName(n int) string {
	for _, s := range c.slices {
		if n >= s.first && n < s.first+s.points {
			rest := int64(n - s.first)
			at := make([]int64, len(s.Lo))
			for p := len(at) - 1; p >= 0; p-- {
				at[p] = s.Lo[p] + rest%(s.Hi[p]-s.Lo[p]+1)
				rest /= s.Hi[p] - s.Lo[p] + 1
			}
			return fmt.Sprintf("%s in step %d at %v", s.Stmt.Name, s.A, at)
		}
	}
	return fmt.Sprint("point ", n)
}

// name says what a value is.
func (x *execution) name(v int32) string {
	at := int(v) - 1
	switch {
	case v == nothing:
		return "nothing"
	case at < x.total:
		for _, a := range x.areas {
			if at >= a.first && at < a.first+a.cells() {
				return "what " + a.element(at) + " was before the tiles"
			}
		}
	default:
		at -= x.total
		tile := at / x.all
		at %= x.all
		for _, s := range x.slices {
			if n := len(s.touch); at >= s.touchFirst && at < s.touchFirst+n*s.points {
				return fmt.Sprintf("what %s wrote in tile %d", x.pointName(s.first+(at-s.touchFirst)/n), tile)
			}
		}
	}
	return fmt.Sprint("value ", v)
}

// Package lower makes kernels of loops: it decides which threads run which points, what tiles keep
// in shared memory and in registers, and where threads wait for each other. The same decisions,
// taken for tiles of other sizes, are counted for the choice of sizes (Counter).
package lower

import (
	"fmt"
	"maps"
	"slices"

	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/machine"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// Options are the choices left to the caller. The zero Options are good ones.
type Options struct {
	Strategy Strategy
	Threads  [3]int // of a block; zeros: chosen by the tile sizes
	Rolled   bool   // full tiles run in loops too; else they are straight code as far as that is not too long
	Unroll   int    // how many points along s0 a loop of straight code has in its body; 0: as many as fit
	Leave    Leave  // arrays that stay in global memory, beside those that must or gain nothing otherwise
	Limit    int64  // how many accesses the steps of a full tile spell out for a thread; 0: maxUnrolled
}

// Leave says of arrays, by name, why they stay in global memory.
type Leave map[string]string

// With returns l with one array more.
func (l Leave) With(array, why string) Leave {
	more := Leave{array: why}
	maps.Copy(more, l)
	return more
}

// Has reports whether array stays in global memory.
func (l Leave) Has(array *scop.Array) bool { return l[array.Name] != "" }

// A mapping is what is common to the phases of one Map.
type mapping struct {
	scop     *scop.Program
	schedule *schedule.Schedule
	names    astgen.Names
	device   machine.Device
	options  Options
	used     astgen.Used
	copyVars []string
	onceVars []string
	laneVars []string
	// rolledVars are those of loops in straight code.
	rolledVars []string
	known      []astgen.Known // by phase
	always     map[*scop.Stmt][]bool
	layouts
	shared indices
}

// Lower returns kernels that run the loops of p on d: time tiles on the host, one
// launch for each phase, blocks for Block tile indices. The error is a diag.List:
// a tile that does not fit d.
func Lower(p *astgen.Program, d machine.Device, o Options) (*gpu.Program, error) {
	m := newMapping(p.Schedule, p.Names, layoutsOf(p.Schedule.Canonical), d, o)
	host, ok := p.Body.(astgen.For)
	if !ok || host.Role != schedule.Host {
		panic(fmt.Sprintf("lower: program starts with %T, not a host loop", p.Body))
	}
	m.known = p.Known
	out := &gpu.Program{Scop: m.scop, Device: d, T: host.Var, TLo: host.Lo, THi: host.Hi, Busy: astgen.Busy(m.scop)}
	transfers, err := schedule.Transfers(m.scop)
	if err != nil {
		return nil, err
	}
	out.Transfers = transfers
	for _, n := range host.Body.(astgen.Block) {
		k, remarks, err := m.kernel(n.(astgen.Launch))
		if err != nil {
			return nil, err
		}
		out.Kernels = append(out.Kernels, k)
		for _, r := range remarks {
			out.Remark(r)
		}
	}
	if narrow(out); !out.Told {
		out.Remark("for which parameters indices of 32 bits suffice cannot be told: they have 64")
	}
	return out, nil
}

func newMapping(s *schedule.Schedule, n astgen.Names, l layouts, d machine.Device, o Options) *mapping {
	m := &mapping{scop: s.Canonical.Scop, schedule: s, names: n, device: d, options: o, used: astgen.UsedNames(s.Canonical.Scop), layouts: l}
	m.used.Fresh(n.T)
	for p := range n.Tiles {
		m.used.Fresh(n.Tiles[p])
		m.used.Fresh(n.Points[p])
	}
	return m
}

// certain is Certain of st, found once.
func (m *mapping) certain(st *scop.Stmt) []bool {
	if m.always == nil {
		m.always = map[*scop.Stmt][]bool{}
	}
	c, ok := m.always[st]
	if !ok {
		c = st.Certain()
		m.always[st] = c
	}
	return c
}

// copyVar returns the variable of the i-th loop of copies.
func (m *mapping) copyVar(i int) string {
	for len(m.copyVars) <= i {
		m.copyVars = append(m.copyVars, m.used.Fresh(fmt.Sprintf("c%d", len(m.copyVars))))
	}
	return m.copyVars[i]
}

// onceVar returns the variable of a loop that leaves an axis to its thread 0.
func (m *mapping) onceVar(axis int) string {
	for len(m.onceVars) <= axis {
		m.onceVars = append(m.onceVars, m.used.Fresh(fmt.Sprintf("once%d", len(m.onceVars))))
	}
	return m.onceVars[axis]
}

// newPhase returns a phase with its arrays staged.
func (m *mapping) newPhase(number int) (*phase, []string) {
	ph := &phase{mapping: m, number: number}
	ph.all = astgen.Slices(m.schedule, m.names, number)
	ph.full = astgen.FullSlices(ph.all, m.names)
	ph.arrange()
	var why string
	ph.unroll, ph.factors, why = ph.straight()
	remarks := ph.stage()
	if why != "" {
		remarks = append(remarks, why)
	}
	return ph, remarks
}

// kernel returns the kernel of a launch.
func (m *mapping) kernel(l astgen.Launch) (*gpu.Kernel, []string, error) {
	ph, remarks := m.newPhase(l.Phase)
	ph.known = m.known[l.Phase]
	k := &gpu.Kernel{Name: fmt.Sprintf("%s_phase%d", m.scop.Function, l.Phase), Phase: l.Phase, Threads: ph.threads}
	for _, f := range ph.staged {
		k.Shared = append(k.Shared, f.buffer)
	}
	if err := m.fits(k); err != nil {
		return nil, nil, err
	}
	loop, ok := l.Body.(astgen.For)
	if !ok || loop.Role != schedule.Block {
		panic(fmt.Sprintf("lower: launch of phase %d starts with %T, not a block loop", l.Phase, l.Body))
	}
	k.Block, k.Lo, k.Hi, k.Work = loop.Var, loop.Lo, loop.Hi, l.Work
	ph.placed.loops = []string{k.Block}
	body := ph.nodes(loop.Body, false)
	k.Body = ph.placed.before(0, ph.placed.before(1, append(ph.copyOnce(), body...)...)...)
	k.Registers = ph.wanted(ph.values)
	k.Resident = k.ResidentOn(ph.device, 0)
	for axis := range k.Lanes {
		k.Lanes[axis] = ph.lane(axis)
	}
	return k, remarks, nil
}

// fits returns the error that the tile is too large, or nil.
func (m *mapping) fits(k *gpu.Kernel) error {
	if n := k.Threads[0] * k.Threads[1] * k.Threads[2]; n > m.device.ThreadsPerBlock {
		return diag.List{{
			Code: "HX404", At: m.scop.Start(),
			Msg:  fmt.Sprintf("a block of %d x %d x %d has %d threads, and one of %s at most %d", k.Threads[0], k.Threads[1], k.Threads[2], n, m.device.Name, m.device.ThreadsPerBlock),
			Help: "ask for fewer threads: each then runs more points",
		}}
	}
	bytes, limit := k.SharedBytes(), int64(m.device.SharedBytes)
	if bytes <= limit {
		return nil
	}
	d := &diag.Diagnostic{Code: "HX401", Msg: fmt.Sprintf("a tile needs %d bytes of shared memory, and a block of %s has %d", bytes, m.device.Name, limit)}
	d.At = m.scop.Start()
	for _, b := range k.Shared {
		d.Notes = append(d.Notes, diag.Note{Msg: fmt.Sprintf("%s takes %d bytes: %v elements of %s", b.Array.Name, b.Bytes(), b.Shape, b.Array.Elem)})
	}
	d.Help = "choose smaller tile sizes, or --tile=auto"
	return diag.List{d}
}

// nodes returns the loops of a kernel below the block index. loop says whether tiles follow each other in a block.
func (ph *phase) nodes(n astgen.Node, loop bool) []gpu.Node {
	switch n := n.(type) {
	case nil:
		return nil
	case astgen.Block:
		var all []gpu.Node
		for _, m := range n {
			all = append(all, ph.nodes(m, loop)...)
		}
		return all
	case astgen.For:
		ph.inner = walk{n.Var, n.Lo, n.Hi}
		ph.placed.loops = append(ph.placed.loops, n.Var)
		depth := len(ph.placed.loops)
		body := ph.nodes(n.Body, true)
		return []gpu.Node{gpu.For{Var: n.Var, Lo: n.Lo, Hi: n.Hi, Body: ph.placed.before(depth, body...)}}
	case astgen.If:
		note := ""
		if t, ok := n.Then.(astgen.Tile); ok && t.Full {
			note = gpu.FullTile
			if ph.inner.v != "" {
				ph.after = ph.inner.follows(n.Cond)
				last, ok := ph.inner.lasts(n.Cond)
				if ph.last = last; !ok {
					for _, f := range ph.staged {
						f.again = nil
					}
				}
			}
		}
		out := gpu.If{Cond: n.Cond, Then: ph.nodes(n.Then, loop), Else: ph.nodes(n.Else, loop), Note: note}
		if note == gpu.FullTile && ph.unroll {
			out = ph.fromCorners(out)
		}
		if note == gpu.FullTile {
			out = ph.place(out)
		}
		return []gpu.Node{out}
	case astgen.Tile:
		nodes := synchronize(ph.tile(n), ph.threads, loop)
		if n.Full && ph.unroll {
			return append(ph.keep(nodes), ph.storesOfLast()...)
		}
		return nodes
	}
	panic(fmt.Sprintf("lower: unexpected %T in a kernel", n))
}

// tile returns the parts of a tile: copies in, steps, copies out.
func (ph *phase) tile(t astgen.Tile) []work {
	if t.Full {
		return ph.fullTile(t)
	}
	var parts []work
	for _, f := range ph.staged {
		if !f.once {
			parts = append(parts, f.copyInPartial(ph)...)
		}
	}
	for _, s := range t.Steps {
		parts = append(parts, ph.step(s, false))
	}
	for _, f := range ph.staged {
		parts = append(parts, f.copyOutPartial(ph)...)
	}
	return parts
}

// fullTile returns the parts of a full tile.
func (ph *phase) fullTile(t astgen.Tile) []work {
	parts := ph.copyInStreams()
	for _, f := range ph.staged {
		if f.streams == nil && !f.once {
			parts = append(parts, f.copyIn(ph)...)
		}
	}
	interleave := ph.interleaves()
	for i, s := range t.Steps {
		parts = append(parts, ph.step(s, ph.unroll))
		if interleave {
			parts = append(parts, ph.stores(i, s)...)
		}
	}
	if !interleave {
		for _, f := range ph.staged {
			parts = append(parts, f.copyOut(ph)...)
		}
	}
	return parts
}

// step returns one time step: its box on the threads, as straight code or in loops.
func (ph *phase) step(s astgen.Step, straight bool) work {
	at := ph.slice(s)
	c := gpu.Compute{Stmt: s.Stmt, Iters: s.Iters}
	var loops []gpu.ThreadLoop
	for i, l := range s.Loops {
		loops = append(loops, gpu.ThreadLoop{Var: l.Var, Lo: l.Lo, Hi: l.Hi, Axis: axis(i, len(s.Loops))})
	}
	var w work
	for _, acc := range s.Stmt.Accesses {
		c.Refs = append(c.Refs, ph.ref(at, acc))
		if ph.layouts.of[acc.Array].again[acc] {
			continue // it uses nothing new
		}
		e := ph.effect(at, acc, loops)
		if straight {
			e = ph.inRows(e)
		}
		w.effects = append(w.effects, e)
	}
	note := fmt.Sprintf("step %d: %s", s.A, s.Stmt.Name)
	if straight {
		w.nodes = func() []gpu.Node { return ph.core(s, c, note) }
		return w
	}
	body := ph.points(loops, nil, c, note)
	if w.nodes = only(body); s.Guard != nil {
		w.nodes = only(gpu.If{Cond: s.Guard, Then: []gpu.Node{body}})
	}
	return w
}

// slice returns the slice of a step.
func (ph *phase) slice(s astgen.Step) astgen.Slice {
	for _, at := range ph.all {
		if at.A == s.A && at.Stmt == s.Stmt {
			return at
		}
	}
	panic(fmt.Sprintf("lower: phase %d has no step %d of %s", ph.number, s.A, s.Stmt.Name))
}

// inRows returns e as straight code has it, which deals rows of points to threads along y.
func (ph *phase) inRows(e effect) effect {
	if e.by[1].kind == dealt {
		e.by[1].rows = ph.rows
	}
	return e
}

// effect returns what acc uses at s, in loops over the local coordinates.
func (ph *phase) effect(s astgen.Slice, acc *scop.Access, loops []gpu.ThreadLoop) effect {
	e := effect{array: acc.Array, shared: ph.find(acc.Array) != nil, write: acc.Write}
	l, ok := ph.layouts.of[acc.Array]
	if !ok {
		e.whole = true
		return e
	}
	t := ph.touchAt(l, s, acc)
	e.Box = t.Box
	e.rows = func() []astgen.Sum { return ph.instanceRows(l, s, t, elementVars(len(l.space))) }
	e.by = dealings(loops, func(name string) (int, int64) {
		if k := slices.Index(l.space, slices.Index(ph.names.Points, name)); k >= 0 {
			return k, t.offset[k]
		}
		return -1, 0
	})
	return e
}

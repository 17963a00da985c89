package lower

import (
	"fmt"

	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// This file makes kernels of tiles that run front by front, and of points in them that run wave by wave (schedule/fronts.go). A block
// runs a tile. Each thread has the points of a step in a row along the last dimension, one for each wave, so that the points of a wave
// lie on the threads of all steps and rows, and a barrier stands between waves:
//
//	for wave:  q on z, y0 on y, y1 on x: if the point is in the tile and the domain, S0;  barrier

// fronts returns the kernels of p, whose schedule has fronts.
func (m *program) fronts(p *astgen.Program) (*gpu.Program, error) {
	host := p.Body.(astgen.For)
	l := host.Body.(astgen.Launch)
	out := &gpu.Program{Scop: m.scop, Device: m.device, T: host.Var, TLo: host.Lo, THi: host.Hi, Busy: astgen.Busy(m.scop), Fronts: m.schedule.Fronts}
	out.Transfers = schedule.Transfers(m.scop)
	k := &gpu.Kernel{Name: fmt.Sprintf("%s_front", m.scop.Function)}
	var body astgen.Node
	k.Grid, body = gridOf(l)
	var loops []astgen.For
	for loop, ok := body.(astgen.For); ok; loop, ok = body.(astgen.For) {
		loops, body = append(loops, loop), loop.Body
	}
	cond := astgen.Cond(nil)
	if c, ok := body.(astgen.If); ok {
		cond, body = c.Cond, c.Then
	}
	w := &waves{block: block{launch: launch{program: m}, rows: 1}, from: body.(astgen.Waves)}
	w.threads = w.shape()
	w.stage()
	k.Threads, k.Shared = w.threads, w.staged
	inside := w.nodes()
	if cond != nil {
		inside = []gpu.Node{gpu.If{Cond: cond, Then: inside}}
	}
	for i := len(loops) - 1; i >= 0; i-- {
		inside = []gpu.Node{gpu.For{Var: loops[i].Var, Lo: loops[i].Lo, Hi: loops[i].Hi, Body: inside}}
	}
	k.Body = inside
	if m.options.Async {
		k.Body, _ = fetched(k.Body, false)
	}
	for axis := range k.ThreadVars {
		k.ThreadVars[axis] = m.threadVar(axis)
	}
	k.Registers = w.registers(len(w.from.Steps))
	k.Resident, k.MostRegisters = k.ResidentOn(m.device, 0), m.options.Most
	out.Kernels, out.Remarks = []*gpu.Kernel{k}, w.remarks
	if narrow(out, m.names.Plane, m.names.Turn); !out.Told {
		out.Remark("for which parameters indices of 32 bits suffice cannot be told: they have 64")
	}
	return out, nil
}

// waves are the waves of a tile.
type waves struct {
	block
	from    astgen.Waves
	buffers map[*scop.Array]*gpu.Buffer // of arrays in shared memory
	staged  []*gpu.Buffer               // these, in an order
	bare    []int64                     // of the last dimension of each, without padding
	moved   map[*scop.Access][]moved
	remarks []string
}

// axisOf returns the axis of loop i of n: x for the last, z for the third from behind and, all of their values on each thread, -1 for those before.
func (w *waves) axisOf(i, n int) int {
	if k := n - 1 - i; k < gpu.MaxAxes {
		return k
	}
	return -1
}

// mostAlongZ is how many threads a block may have along z.
const mostAlongZ = 64

// shape returns the threads of a block: one for each value of the loops, or as many as there may be.
func (w *waves) shape() [3]int {
	threads, all := [3]int{1, 1, 1}, 1
	for i := range w.from.Steps[0].Loops {
		loops := w.from.Steps[0].Loops
		l := loops[len(loops)-1-i]
		axis := w.axisOf(len(loops)-1-i, len(loops))
		if axis < 0 {
			break
		}
		n := min(int(l.BoxHi-l.BoxLo)+1, w.device.ThreadsPerBlock/all)
		if axis == gpu.MaxAxes-1 {
			n = min(n, mostAlongZ)
		}
		threads[axis], all = n, all*n
	}
	return threads
}

// nodes returns the loop over waves, behind copies in.
func (w *waves) nodes() (nodes []gpu.Node) {
	for _, b := range w.staged {
		nodes = append(nodes, w.copyIn(b))
	}
	if len(nodes) > 0 {
		nodes = append(nodes, gpu.Barrier{})
	}
	loop := gpu.For{Var: w.from.Var, Lo: w.from.Lo, Hi: w.from.Hi}
	for _, s := range w.from.Steps {
		t := gpu.Threads{Guard: s.Guard, Role: gpu.Role{Kind: gpu.WavePoints, Stmt: s.Stmt}}
		for i, l := range s.Loops {
			t.Loops = append(t.Loops, gpu.ThreadLoop{Var: l.Var, Lo: l.Lo, Hi: l.Hi, Axis: w.axisOf(i, len(s.Loops))})
		}
		c := gpu.Compute{Stmt: s.Stmt, Iters: s.Iters}
		for _, acc := range s.Stmt.Accesses {
			c.Refs = append(c.Refs, w.ref(s, acc))
		}
		t.Body = []gpu.Op{c}
		loop.Body = append(append(append(loop.Body, t), w.stores(s, t)...), gpu.Barrier{Role: gpu.Role{Kind: gpu.BeforeNextWave}})
	}
	return append(nodes, loop)
}

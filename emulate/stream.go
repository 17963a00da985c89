package emulate

import (
	"fmt"
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/gpu/beat"
	"github.com/hexcc/hexcc/scop"
)

// This file runs kernels whose rows stream through the registers of warps. Package beat walks through the operations; here values are
// numbers, or undefined: then an instance must not read them, nor must they be stored to global memory. Warps run up to a barrier one after the
// other, in an order left to chance, often the last or the first one before all others. That no order matters is found by what is remembered of rows in shared
// memory and of elements in global memory, as elsewhere.

// A word is the bits of a value, and where it is from.
type word struct {
	bits uint64
	from int32 // undefined, 0, or one more than the number of a patch
}

// undefined stands for a value that is none.
const undefined = -1

// A patch is a load of what may not be needed: that it is in order with what other chains store matters where the value is used.
type patch struct {
	ref   *ref
	at    int
	read  record
	early bool // what the element holds was not to be seen yet
	used  bool
}

// A stream is a gpu.Stream ready to run.
type stream struct {
	*function
	nodes    *threads // what findings name
	pipeline *gpu.Pipeline
	block    *beat.Machine[word]
	vars     beat.Vars
	patches  []patch // of the present chain
	lines    l1
	warp     *ref // what findings say of all of a warp
}

func (f *function) streams(n gpu.Stream) (run func()) {
	p := n.Pipeline
	s := &stream{function: f, pipeline: p, lines: l1{}, nodes: &threads{machine: f.machine, kernel: f.kernel, title: "rows that stream", bits: 32}}
	column, lo, hi := f.expr(n.Column), f.expr(n.Lo), f.expr(n.Hi)
	time := f.expr(n.Time)
	names, line := []string{p.Vars.Time, p.Vars.Column, p.Vars.Beat, p.Vars.Warp}, func() int64 { return 0 }
	if n.Line != nil {
		names, line = append(names, p.Vars.Line), f.expr(n.Line)
	}
	turns := &Branch{Kernel: f.kernel.Name, Role: gpu.Role{Kind: gpu.FullTile}}
	f.branches = append(f.branches, turns)
	f.bindAll(names, func(v []*int64) {
		s.nodes.names, s.nodes.uniform = slices.Clone(f.names), slices.Clone(f.uniform)
		f.bindAll([]string{p.Vars.Last, p.Vars.At}, func(w []*int64) {
			last, at := w[0], w[1]
			s.vars, s.nodes.loops = beat.Vars{Column: v[1], Beat: v[2], Warp: v[3], At: at}, []pointLoop{{v: at}}
			s.warp = s.named(func() string { return "warp " + fmt.Sprint(*s.vars.Warp) })
			s.block = beat.New(p, s.vars, s)
			full := f.cond(p.Full)
			run = func() {
				first, end := lo(), hi()
				if n.Empty {
					for b := first; b <= end; b += int64(p.Every) {
						s.await(b+n.Lag, b+n.Behind)
						s.self.signal(b + int64(p.Every) - 1)
					}
					return
				}
				*v[0], *v[1] = time(), column()
				if len(v) > 4 {
					*v[4] = line()
				}
				s.begin()
				for b := first; b <= end; b += int64(p.Turn) {
					if (b-first)%int64(p.Every) == 0 {
						s.await(b+n.Lag, b+n.Behind)
					}
					*v[2], *last = b, b+int64(p.Turn)-1
					if s.block.Full = full(); s.block.Full {
						turns.Then++
					} else {
						turns.Else++
					}
					s.turn(b)
					if next := b + int64(p.Turn); s.self != nil && (next-first)%int64(p.Every) == 0 {
						s.self.signal(next - 1)
					}
				}
				s.end()
			}
		})
	})
	return run
}

// bindAll is bind for several names.
func (m *scope) bindAll(names []string, f func(v []*int64)) {
	var all []*int64
	var next func()
	next = func() {
		if len(all) == len(names) {
			f(all)
			return
		}
		m.bind(names[len(all)], func(v *int64) {
			all = append(all, v)
			next()
		})
	}
	next()
}

// begin starts a chain.
func (s *stream) begin() {
	s.patches, s.block.Counts = s.patches[:0], beat.Counts{}
	s.block.Start()
	s.lines.clear()
}

// end counts what a chain did.
func (s *stream) end() {
	c, now := s.block.Counts, s.now
	now.LaneUpdates += c.LaneUpdates
	now.Shuffles += c.Shuffles
	now.SharedLoads += c.SharedLoads
	now.SharedStores += c.SharedStores
}

// await waits, and forgets what the cache holds: the wait is an acquire.
func (s *stream) await(place, behind int64) {
	if s.self != nil {
		s.self.awaitAll(place, behind)
	}
	if !s.opts.sticky {
		s.lines.clear()
	}
}

// turn runs the turn that begins with beat b.
func (s *stream) turn(b int64) {
	for r := 0; r < s.pipeline.Turn; r += s.pipeline.Period {
		s.block.Interval(b+int64(r), r, s.order())
		s.barrier()
	}
}

// order returns in which order warps and copies run up to the next barrier.
func (s *stream) order() []int {
	rng, n := s.rng, s.block.Actors()
	all := rng.Perm(n)
	if way := rng.IntN(3); way > 0 {
		for i := range all {
			if all[i] = i; way == 1 {
				all[i] = n - 1 - i
			}
		}
	}
	return all
}

// named adds a ref for findings that are about no element.
func (s *stream) named(what func() string) *ref {
	r := &ref{id: uint16(len(s.nodes.refs)), what: what}
	s.nodes.refs = append(s.nodes.refs, r)
	return r
}

// The methods of a beat.Domain.

// Undefined returns what no instance may use.
func (s *stream) Undefined() word { return word{from: undefined} }

// Number returns the code of a sum.
func (s *stream) Number(e affine.Sum) func() int64 { return s.expr(e) }

// Holds returns the code of a condition.
func (s *stream) Holds(c astgen.Cond) func() bool { return s.cond(c) }

// Begin starts a beat of an actor.
func (s *stream) Begin(int) { s.startNode(s.nodes) }

// Wrong notes a fault.
func (s *stream) Wrong(f beat.Fault, where string) {
	kind := map[beat.Fault]Kind{beat.Race: SharedRace, beat.InFlight: InFlight, beat.Outside: OutOfBounds}[f]
	if !s.wanted(kind) {
		s.report.Counts[kind]++
		return
	}
	s.act(int(*s.vars.Warp) * gpu.WarpLanes)
	s.found(Finding{Kind: kind, Element: where, Uses: []Access{s.present(s.warp, "used")}})
}

// act makes a thread the one that acts, at the present column.
func (s *stream) act(thread int) {
	s.thread, s.point = uint16(thread), uint64(uint32(*s.vars.At))
}

// Instance returns the code of an instance.
func (s *stream) Instance(op gpu.Evaluate) func([]word, int) {
	st, d := op.Stmt, s.domains[op.Stmt]
	if len(op.Iters) != len(st.Iters) || len(op.Operands) != len(st.Accesses) || len(st.When) > 0 {
		panic(fmt.Sprintf("emulate: BUG: a warp evaluates %s with %d iterators and %d operands", st.Name, len(op.Iters), len(op.Operands)))
	}
	var iters []func() int64
	for _, e := range op.Iters {
		iters = append(iters, s.expr(e))
	}
	at := func() []int64 {
		now := make([]int64, len(iters))
		for i, e := range iters {
			now[i] = e()
		}
		return now
	}
	name := func() string { return st.Instance(at()) }
	here := s.named(name)
	var operands []word
	var code *scop.Code
	code = scop.Compile(s.prog.Scop, st, scop.Binding{
		Memory: s.mem,
		Load: func(k int) func() uint64 {
			a := st.Accesses[k]
			poison := s.arrays[a.Array].poison()
			element := func() string {
				var index []int64
				for _, x := range a.Index {
					index = append(index, x.At(code.Iters, s.mem.Params))
				}
				return elementName(a.Array.Name, index)
			}
			return func() uint64 {
				s.now.RegisterReads++
				if operands[k].from == undefined {
					s.lacks(here, read, element())
					return poison
				}
				return s.use(operands[k])
			}
		},
		Store: func(k int) func(uint64) { return func(bits uint64) { operands[k] = word{bits: bits} } },
		Fault: func(msg string) { s.found(Finding{Kind: Undefined, Msg: msg + " at " + name()}) },
	})
	return func(values []word, thread int) {
		s.act(thread)
		for i, e := range iters {
			code.Iters[i] = e()
		}
		s.now.Points++
		if kind, ok := d.run(code.Iters); !ok {
			s.wrongInstance(s.nodes, kind, name)
		}
		operands = values
		code.Run()
	}
}

// use returns the bits of a value that is needed.
func (s *stream) use(w word) uint64 {
	if w.from > 0 {
		s.usePatch(&s.patches[w.from-1])
	}
	return w.bits
}

// lacks notes that what is needed is not defined.
func (s *stream) lacks(by *ref, verb, element string) {
	if !s.wanted(Uninitialised) {
		s.report.Counts[Uninitialised]++
		return
	}
	s.found(Finding{Kind: Uninitialised, Element: element, Uses: []Access{s.present(by, verb)}, Msg: "a register, or a cell of shared memory, holds no value"})
}

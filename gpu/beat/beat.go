// Package beat runs pipelines of warps beat by beat: it moves values between registers, rows in shared memory and global memory as
// the operations of a gpu.Pipeline say. What a value is, is for a Domain to say: numbers where package emulate runs
// kernels, names of instances where package symbolic proves what they do. So both walk through the same operations.
//
// Whatever has no value is the domain's Undefined, and moves on as such: registers and shared memory at the start of a chain, columns
// beyond the lanes, results of columns that are no instances of the tile, what has not been copied.
package beat

import (
	"fmt"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/gpu"
)

// A Domain is what values are, and all that happens to them but being moved. Its code reads the variables of the pipeline.
type Domain[V any] interface {
	Undefined() V
	// Number and Holds return the code of a sum and of a condition over the variables.
	Number(affine.Sum) func() int64
	Holds(astgen.Cond) func() bool
	// Element returns what loads and stores an element of global memory.
	Element(e gpu.Element, use Use) Element[V]
	// Instance returns the code of an instance: of values by access, it sets those that the statement stores, from those that it reads.
	Instance(op gpu.Evaluate) func(values []V, thread int)
	// Begin is called before an actor starts a beat: a warp, or from number Warps on a RowCopy.
	Begin(actor int)
	// Wrong is told what goes wrong. Execution goes on.
	Wrong(f Fault, where string)
}

// An Element is an element of global memory: that of the present values of the variables. A thread of the block accesses it.
type Element[V any] interface {
	Load(thread int) V
	Store(thread int, v V)
}

// A Use is how an element is accessed.
type Use uint8

// The uses of elements.
const (
	Fetched  Use = iota // copied to shared memory, by an asynchronous copy
	Patched             // loaded into a row where no instance computes it, whether it is needed or not; and stored, where it is the last
	Operated            // loaded as an operand
	Put                 // stored
)

// A Fault is something that pipelines must not do.
type Fault uint8

// The faults.
const (
	Race     Fault = iota // two warps touch a row or a set of elements in shared memory, with no barrier between, and one writes
	InFlight              // one is touched that an asynchronous copy has not filled yet
	Outside               // a column is in no lane
)

// Vars are the variables of a pipeline. The machine sets Beat, Warp and At.
type Vars struct{ Column, Beat, Warp, At *int64 }

// Counts are what a machine did.
type Counts struct {
	LaneUpdates               int64 // results of statements that lanes calculated, whether of use or not
	Shuffles                  int64 // of warps, of a register of 4 bytes each
	SharedLoads, SharedStores int64 // elements
}

// A Machine is a block that runs a pipeline.
type Machine[V any] struct {
	Counts
	// Full says that nothing is guarded in the present turn.
	Full bool

	*gpu.Pipeline
	vars   Vars
	domain Domain[V]
	warps  []*warp[V]
	stages [][][]func(*warp[V]) // by stage and beat of a turn
	// By stage, whether a warp runs no step in the chain, and what it does then, by beat of a turn.
	inactive []func() bool
	feeds    [][][]func(*warp[V])
	copies   []func(r int)
	rings    map[*gpu.Ring][][]*slot[V] // by number and slot
	edges    map[*gpu.Edge][][]*slot[V] // by warp and slot
	interval int64                      // the number of barriers so far, from 1 on
}

// A warp is the registers of its lanes.
type warp[V any] struct {
	number int
	rows   [][]V // by row: of each lane its Left columns, Columns, and Right
}

// New returns a machine for p.
func New[V any](p *gpu.Pipeline, vars Vars, d Domain[V]) *Machine[V] {
	m := &Machine[V]{Pipeline: p, vars: vars, domain: d, rings: map[*gpu.Ring][][]*slot[V]{}, edges: map[*gpu.Edge][][]*slot[V]{}}
	for _, r := range p.Rings {
		m.rings[r] = slots[V](r.Name, r.Numbers, p.Slots, m.width())
	}
	for _, e := range p.Edges {
		m.edges[e] = slots[V](e.Name, p.Warps, p.Slots, e.Elements)
	}
	for q := range p.Warps {
		w := &warp[V]{number: q}
		for _, r := range p.Stage(q).Rows {
			w.rows = append(w.rows, make([]V, gpu.WarpLanes*(r.Left+p.Columns+r.Right)))
		}
		m.warps = append(m.warps, w)
	}
	for i := range p.Stages {
		var beats [][]func(*warp[V])
		c := compiler[V]{m, &p.Stages[i]}
		for _, ops := range p.Stages[i].Beats {
			var codes []func(*warp[V])
			for _, op := range ops {
				codes = append(codes, c.op(op))
			}
			beats = append(beats, codes)
		}
		if len(beats) != p.Turn {
			panic(fmt.Sprintf("beat: BUG: stage %d of %s has %d beats, a turn %d", i, p.Name, len(beats), p.Turn))
		}
		m.stages = append(m.stages, beats)
		c.rest()
	}
	for i := range p.Copies {
		m.copies = append(m.copies, m.rowCopy(p.Copies[i], p.Warps+i))
	}
	return m
}

// width returns how many columns a warp has.
func (m *Machine[V]) width() int { return gpu.WarpLanes * m.Columns }

// Actors returns how many warps and RowCopies there are.
func (m *Machine[V]) Actors() int { return len(m.warps) + len(m.copies) }

// Start starts a chain.
func (m *Machine[V]) Start() {
	none := m.domain.Undefined()
	for _, w := range m.warps {
		for _, r := range w.rows {
			fill(r, none)
		}
	}
	for _, all := range m.rings {
		start(all, none)
	}
	for _, all := range m.edges {
		start(all, none)
	}
	m.interval = 1
}

// Interval runs the beats of a turn from number r on, the first of which is the given one, up to the next barrier: one actor of order after the other.
func (m *Machine[V]) Interval(beat int64, r int, order []int) {
	for _, actor := range order {
		for d := range m.Period {
			*m.vars.Beat, *m.vars.Warp = beat+int64(d), int64(min(actor, m.Warps-1))
			m.domain.Begin(actor)
			if actor >= m.Warps {
				m.copies[actor-m.Warps](r + d)
				continue
			}
			w := m.warps[actor]
			for i := range m.Stages {
				if s := &m.Stages[i]; s.First <= actor && actor < s.First+s.Count {
					ops := m.stages[i]
					if m.inactive[i] != nil && !m.Full && m.inactive[i]() {
						ops = m.feeds[i]
					}
					for _, op := range ops[r+d] {
						op(w)
					}
				}
			}
		}
	}
	m.interval++
}

// FullTurn runs a full turn, the first beat of which is the given one: actors in the order of their numbers.
func (m *Machine[V]) FullTurn(beat int64) {
	m.Full = true
	order := make([]int, m.Actors())
	for i := range order {
		order[i] = i
	}
	for r := 0; r < m.Turn; r += m.Period {
		m.Interval(beat+int64(r), r, order)
	}
}

// thread returns the thread that has a column of a warp.
func (m *Machine[V]) thread(w *warp[V], column int) int {
	return w.number*gpu.WarpLanes + column/m.Columns
}

func fill[V any](list []V, v V) {
	for i := range list {
		list[i] = v
	}
}

package symbolic

import (
	"fmt"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/gpu/beat"
	"github.com/hexcc/hexcc/scop"
)

// This file runs full turns of a pipeline with names for values: what a statement wrote at a point, or what an element of global memory held at a beat.

// A value is what a register or a cell of shared memory holds: what access of stmt wrote at a point, or what was loaded of an element at a beat.
type value struct {
	stmt    *scop.Stmt // nil: it was loaded
	access  int
	point   point
	beat    int64
	element address
}

// A place is one of the points that a tile has: of a step, in a column.
type place struct {
	stmt   *scop.Stmt
	access int // that reads, or writes
	step   int64
	column int64
	line   int64
}

// A streamRun is a run of full turns.
type streamRun struct {
	*streams
	zero, beat, warp, at int64 // the variables: Column is 0
	block                *beat.Machine[int32]
	values               []value
	steady               bool // what is done counts
	reads                int
	// Of a steady turn: by how many beats behind its row a place is stored, or the element that it reads loaded; and of stores, at how many beats of the turn.
	stored, loaded map[place]int64
	stores         map[place]int
}

// runTurns runs full turns until those at the start do not matter, and another one that counts.
func runTurns(s *streams) *streamRun {
	x := &streamRun{streams: s, values: make([]value, 1), stored: map[place]int64{}, loaded: map[place]int64{}, stores: map[place]int{}}
	x.block = beat.New(s.Pipeline, beat.Vars{Column: &x.zero, Beat: &x.beat, Warp: &x.warp, At: &x.at}, x)
	x.block.Start()
	rows := 0
	for _, st := range s.Stages {
		rows = max(rows, len(st.Rows))
	}
	before := (s.Warps*s.Period+2*s.Ahead+rows)/s.Turn + 2
	for turn := range before + 1 {
		x.steady = turn == before
		x.block.FullTurn(int64(turn * s.Turn))
	}
	for p, n := range x.stores {
		if n != s.Turn {
			panic(wrong(fmt.Sprintf("%v is stored in %d beats of %d", p, n, s.Turn)))
		}
	}
	return x
}

func (p place) String() string {
	return fmt.Sprintf("%s of %s in column %d of step %d", p.stmt.Accesses[p.access].Text, p.stmt.Name, p.column, p.step)
}

// The methods of a beat.Domain.

// Undefined returns the name of nothing.
func (x *streamRun) Undefined() int32 { return nothing }

// Number returns the code of a sum over Column, which is 0, and Warp.
func (x *streamRun) Number(e affine.Sum) func() int64 {
	l := e.Const
	warp := e.Coef(x.Vars.Warp)
	for _, t := range e.Terms {
		if t.Var != x.Vars.Warp && t.Var != x.Vars.Column {
			return func() int64 { panic(undecided(fmt.Sprintf("a column %v", e))) } // full turns do not ask, unless something is wrong
		}
	}
	return func() int64 { return l + warp*x.warp }
}

// Holds returns that nothing is guarded.
func (x *streamRun) Holds(astgen.Cond) func() bool { return func() bool { return true } }

// Begin starts a beat.
func (x *streamRun) Begin(int) {}

// Wrong fails.
func (x *streamRun) Wrong(f beat.Fault, where string) {
	text := map[beat.Fault]string{beat.Race: "two warps use %s, and no barrier is between", beat.InFlight: "%s is used before what is copied there has arrived", beat.Outside: "%s has columns outside of the lanes"}
	panic(wrong(fmt.Sprintf(text[f], where)))
}

// now is the present point of element forms: of the beat itself.
func (x *streamRun) now() point { return point{0, x.at, x.beat, 0} }

// name returns the number of a value, a new one.
func (x *streamRun) name(v value) int32 {
	x.values = append(x.values, v)
	return int32(len(x.values) - 1)
}

// A streamElement is an element of global memory.
type streamElement struct {
	*streamRun
	form *form
	text string
}

// Element returns what loads and stores e.
func (x *streamRun) Element(e gpu.Element, _ beat.Use) beat.Element[int32] {
	return &streamElement{x, x.form(e.Array, e.Index, [4]string{x.Vars.Time, x.Vars.At, x.Vars.Beat, x.Vars.Line}), fmt.Sprintf("%s%v", e.Array.Name, e.Index)}
}

// Load returns the name of what the element holds.
func (x *streamElement) Load(int) int32 {
	return x.name(value{element: x.form.at(x.now(), x.warp), beat: x.beat})
}

// Store checks that what is stored is the result of an instance, in its own element.
func (x *streamElement) Store(_ int, n int32) {
	if !x.steady {
		return
	}
	v := x.values[n]
	if v.stmt == nil || v.element != x.form.at(x.now(), x.warp) {
		panic(wrong(fmt.Sprintf("%s is stored to %s, in column %d at beat %d of warp %d", x.describe(n), x.text, x.at, x.beat, x.warp)))
	}
	x.once(x.stored, x.placeOf(v.stmt, v.access, v.point), x.beat-v.point.r, "is stored")
	x.stores[x.placeOf(v.stmt, v.access, v.point)]++
}

// once notes by how many beats behind its row something is done with a place, which is the same for all rows.
func (x *streamRun) once(in map[place]int64, p place, behind int64, what string) {
	if have, ok := in[p]; ok && have != behind {
		panic(wrong(fmt.Sprintf("%v %s %d beats behind its row, and %d", p, what, have, behind)))
	}
	in[p] = behind
}

func (x *streams) placeOf(st *scop.Stmt, access int, p point) place {
	return place{st, access, x.step(st, p), p.c, p.l}
}

// step returns the step of an instance.
func (x *streams) step(st *scop.Stmt, p point) int64 {
	return int64(x.space.K)*p.t + int64(x.space.Levels[st.Order])
}

// describe says what a value is.
func (x *streamRun) describe(n int32) string {
	v := x.values[n]
	switch {
	case n == nothing:
		return "nothing"
	case v.stmt == nil:
		return fmt.Sprintf("what %s%v, from the base of the chain, held at beat %d", v.element.array.Name, v.element.at, v.beat)
	}
	return fmt.Sprintf("what %s wrote in column %d of step %d, row %d", v.stmt.Name, v.point.c, x.step(v.stmt, v.point), v.point.r)
}

// Instance returns the code of an instance: what it reads must be what the program reads there.
func (x *streamRun) Instance(op gpu.Evaluate) func([]int32, int) {
	if op.Border {
		return nil // it does not run
	}
	st := op.Stmt
	where := x.where(op)
	writers := make([][]writer, len(st.Accesses))
	for k, a := range st.Accesses {
		if !a.Write && x.scop.Writes(a.Array) {
			if writers[k] = x.writers(st, a, false, nearest); writers[k] == nil {
				panic(undecided(fmt.Sprintf("what writes %s, which %s reads", a.Text, st.Name)))
			}
		}
	}
	return func(values []int32, _ int) {
		p := where()
		for k, a := range st.Accesses {
			if a.Write {
				values[k] = x.name(value{st, k, p, x.beat, x.access[a].at(p, 0)})
			} else if x.steady {
				x.reads++
				x.check(st, k, p, values[k], writers[k])
			}
		}
	}
}

// where returns the code of the point of an instance.
func (x *streamRun) where(op gpu.Evaluate) func() point {
	sums := make([]affine.Sum, len(op.Iters))
	for i, e := range op.Iters {
		sum, ok := e.(affine.Sum)
		if !ok {
			panic(undecided(fmt.Sprintf("iterator %v", e)))
		}
		sums[i] = sum
	}
	at := map[string]affine.Sum{timeVar: sums[0]}
	for d, place := range x.space.Places[op.Stmt.Order] {
		at[placeVars[d]] = sums[place.Iter].Times(place.Sign()).Plus(x.scop.Sum(place.Shift, nil))
	}
	for i, e := range x.iters[op.Stmt.Order] {
		if !e.Subst(at).Equal(sums[i]) {
			panic(undecided(fmt.Sprintf("iterators %v", op.Iters)))
		}
	}
	warp := affine.Var(x.Vars.Warp)
	number := func(name, symbol string) func() int64 {
		e := at[name].Minus(affine.Var(symbol))
		coef := e.Coef(x.Vars.Warp)
		if e = e.Minus(warp.Times(coef)); !e.IsNum() {
			panic(undecided(fmt.Sprintf("%v is not a number from %s", at[name], symbol)))
		}
		return func() int64 { return e.Const + coef*x.warp }
	}
	t, c, r := number(timeVar, x.Vars.Time), number(placeVars[0], x.Vars.At), number(placeVars[x.streamed()], x.Vars.Beat)
	l := func() int64 { return 0 }
	if x.Vars.Line != "" {
		l = number(placeVars[1], x.Vars.Line)
	}
	return func() point { return point{t(), x.at + c(), x.beat + r(), l()} }
}

// check fails unless a value is the one that access k of an instance reads.
func (x *streamRun) check(st *scop.Stmt, k int, p point, n int32, writers []writer) {
	v, a := x.values[n], st.Accesses[k]
	fail := func(why string) {
		panic(wrong(fmt.Sprintf("%s in column %d of step %d, row %d, reads %s and finds %s: %s", st.Name, p.c, x.step(st, p), p.r, a.Text, x.describe(n), why)))
	}
	switch {
	case n == nothing:
		fail("no value")
	case v.element != x.access[a].at(p, 0):
		fail("another element")
	case v.stmt == nil:
		if writers != nil {
			x.once(x.loaded, x.placeOf(st, k, p), v.beat-p.r, "is loaded")
		}
		return
	}
	d := p.minus(v.point)
	for i, w := range writers {
		if w.stmt == v.stmt && w.access == v.access && w.before == d {
			for _, later := range writers[:i] {
				if !x.apart(v.stmt, later.stmt, later.before.minus(d)) {
					fail(fmt.Sprintf("%s writes it later", later.stmt.Name))
				}
			}
			return
		}
	}
	fail("an older one")
}

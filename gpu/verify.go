package gpu

import (
	"fmt"
	"maps"
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
)

// Verify returns a broken invariant of p, or nil: kernels fit the device,
// variables are bound where they are used, subscripts are as many as
// dimensions, constant subscripts lie inside buffers, copies join global and
// shared memory or stay in one buffer, and each axis of
// several threads is used once in a Threads.
func (p *Program) Verify() error {
	params := map[string]bool{}
	for _, x := range p.Scop.Params {
		params[x.Name] = true
	}
	v := verifier{program: p}
	v.expr("TLo", p.TLo, params)
	v.expr("THi", p.THi, params)
	v.cond("Busy", p.Busy, params)
	for _, k := range p.Kernels {
		v.kernel(k, with(params, p.T))
	}
	v.chains()
	return v.err
}

// A verifier keeps the first broken invariant.
type verifier struct {
	program *Program
	inside  *Kernel
	// registers are those set so far in the present list of nodes, and where: nil where all threads are.
	registers map[string]*Threads
	where     *Threads // the present one
	tests     []string // known here
	bases     []*Base  // known here
	err       error
}

func (v *verifier) fail(format string, args ...any) {
	if v.err == nil {
		v.err = fmt.Errorf("gpu: "+format, args...)
	}
}

// with returns bound with name added.
func with(bound map[string]bool, name string) map[string]bool {
	more := maps.Clone(bound)
	more[name] = true
	return more
}

func (v *verifier) expr(where string, e affine.Expr, bound map[string]bool) {
	affine.Vars(e, func(name string) {
		if !bound[name] {
			v.fail("%s: %s is not bound in %v", where, name, e)
		}
	})
}

func (v *verifier) cond(where string, c astgen.Cond, bound map[string]bool) {
	for _, all := range c {
		for _, e := range all {
			v.expr(where, e, bound)
		}
	}
}

func (v *verifier) kernel(k *Kernel, bound map[string]bool) {
	v.inside = k
	d := v.program.Device
	if n := len(k.Grid); n < 1 || n > MaxAxes {
		v.fail("%s has a grid of %d axes", k.Name, n)
	}
	inside := maps.Clone(bound)
	for _, x := range k.Grid {
		v.expr(k.Name, x.Lo, bound)
		v.expr(k.Name, x.Hi, bound)
		if inside[x.Var] {
			v.fail("%s: blocks of %s hide another variable", k.Name, x.Var)
		}
		inside[x.Var] = true
	}
	if n := k.Threads[0] * k.Threads[1] * k.Threads[2]; n < 1 || n > d.ThreadsPerBlock {
		v.fail("%s has %d threads, %s takes %d", k.Name, n, d.Name, d.ThreadsPerBlock)
	}
	if n := k.SharedBytes(); n > int64(d.SharedBytes) {
		v.fail("%s takes %d bytes of shared memory, %s has %d", k.Name, n, d.Name, d.SharedBytes)
	}
	for _, b := range k.Shared {
		if n := len(b.Array.Extents); len(b.Shape) != n || len(b.Origin) != n || len(b.Mod) != n || len(b.Wrap) != n || b.Down != nil && len(b.Down) != n {
			v.fail("%s has not the dimensions of %s", b.Name, b.Array.Name)
		}
	}
	v.registers, v.tests = map[string]*Threads{}, nil
	v.nodes(k.Body, inside)
	if v.copies(k.Body, false) {
		v.fail("%s ends with copies on their way", k.Name)
	}
	for _, b := range k.Shared {
		all := maps.Clone(inside)
		loops(k.Body, func(name string) { all[name] = true })
		for _, e := range b.Origin {
			v.expr(b.Name, e, all)
		}
	}
}

// loops calls f with the variable of each For in ns.
func loops(ns []Node, f func(name string)) {
	for _, n := range ns {
		switch n := n.(type) {
		case For:
			f(n.Var)
			loops(n.Body, f)
		case If:
			loops(n.Then, f)
			loops(n.Else, f)
		}
	}
}

func (v *verifier) nodes(ns []Node, bound map[string]bool) {
	for _, n := range ns {
		switch n := n.(type) {
		case For:
			v.expr("loop "+n.Var, n.Lo, bound)
			v.expr("loop "+n.Var, n.Hi, bound)
			if bound[n.Var] {
				v.fail("loop %s hides another", n.Var)
			}
			v.scope(n.Body, with(bound, n.Var))
		case Test:
			v.cond("test "+n.Var, n.Cond, bound)
			v.given(n.Given)
			if n.Var == "" || slices.Contains(v.tests, n.Var) || bound[n.Var] {
				v.fail("test %q hides another, or has no name", n.Var)
			}
			v.tests = append(v.tests, n.Var)
		case If:
			v.cond("if", n.Cond, bound)
			v.given(n.Given)
			outer := v.bases
			v.bases = slices.Concat(outer, n.Bases)
			v.scope(n.Then, bound)
			v.bases = outer
			v.scope(n.Else, bound)
		case Barrier, Arrive:
		case Await:
			if n.Var != "" && !bound[n.Var] {
				v.fail("await: %s is not bound", n.Var)
			}
		case Signal:
			if !bound[n.Var] {
				v.fail("signal: %s is not bound", n.Var)
			}
		case Threads:
			v.threads(n, bound)
		case Stream:
			v.stream(n, bound)
		default:
			v.fail("unknown node %T", n)
		}
	}
}

// copies checks that nothing but other copies in runs while asynchronous copies are on their way. pending says that some may be, before the nodes, and
// whether some may be behind them.
func (v *verifier) copies(ns []Node, pending bool) bool {
	for _, n := range ns {
		switch n := n.(type) {
		case If:
			then, other := v.copies(n.Then, pending), v.copies(n.Else, pending)
			pending = then || other
			continue
		case For:
			if n.Ahead && !pending {
				if v.ends(n.Body) {
					v.fail("loop %s ends with copies on their way", n.Var)
				}
				continue
			}
			if v.copies(n.Body, pending) {
				v.fail("loop %s ends with copies on their way", n.Var)
			}
		case Arrive:
			pending = false
			continue
		case Test:
			continue
		case Threads:
			if n.Role.Kind == CopyIn {
				pending = pending || slices.ContainsFunc(n.Body, func(op Op) bool { c, ok := op.(Copy); return ok && c.Async })
				continue
			}
		}
		if pending {
			v.fail("%T while copies are on their way", n)
			pending = false
		}
	}
	return pending
}

// ends reports whether nodes end with copies on their way.
func (v *verifier) ends(ns []Node) (pending bool) {
	for _, n := range ns {
		switch n := n.(type) {
		case If:
			then, other := v.ends(n.Then), v.ends(n.Else)
			pending = pending || then || other
		case Arrive:
			pending = false
		case Threads:
			pending = pending || slices.ContainsFunc(n.Body, func(op Op) bool { c, ok := op.(Copy); return ok && c.Async })
		}
	}
	return pending
}

// scope checks nodes whose registers are not seen outside of them.
func (v *verifier) scope(ns []Node, bound map[string]bool) {
	outer, tests := v.registers, v.tests
	v.registers = maps.Clone(outer)
	v.nodes(ns, bound)
	v.registers, v.tests = outer, tests
}

// given checks that a test has been made.
func (v *verifier) given(test string) {
	if test != "" && !slices.Contains(v.tests, test) {
		v.fail("test %s is used where it is not known", test)
	}
}

func (v *verifier) threads(n Threads, bound map[string]bool) {
	axes := map[int]bool{}
	where := n.Role.String()
	for _, l := range n.Loops {
		v.expr(where, l.Lo, bound)
		v.expr(where, l.Hi, bound)
		if bound[l.Var] {
			v.fail("%s: loop %s hides another", where, l.Var)
		}
		if l.Axis < -1 || l.Axis > 2 || l.Axis >= 0 && axes[l.Axis] {
			v.fail("%s: axis %d of %s", where, l.Axis, l.Var)
		}
		axes[l.Axis] = true
		bound = with(bound, l.Var)
	}
	for axis, threads := range v.inside.Threads {
		if threads > 1 && !axes[axis] {
			v.fail("%s: threads %d of axis %d, and no loop to deal to them", where, threads, axis)
		}
	}
	v.cond(where, n.Guard, bound)
	outer := v.registers
	v.where = &n
	if n.all(v.inside.Threads) {
		v.where = nil
	}
	if n.Repeats() {
		v.registers = maps.Clone(outer)
	}
	for _, op := range n.Body {
		v.op(where, op, bound)
	}
	v.registers = outer
}

func (v *verifier) op(where string, op Op, bound map[string]bool) {
	switch op := op.(type) {
	case Copy:
		if to, from := op.To.Buffer, op.From.Buffer; (to == nil) == (from == nil) && (to == nil || to != from) {
			v.fail("%s: copy from %v to %v", where, op.From, op.To)
		}
		v.ref(where, op.To, bound)
		v.ref(where, op.From, bound)
		v.get(where, op.From.Reg)
		if op.Box && (op.To.Buffer == nil || op.From.Buffer != nil) {
			v.fail("%s: a copy of a box from %v to %v", where, op.From, op.To)
		}
		if op.Async && (op.To.Buffer == nil || op.From.Buffer != nil || op.To.Reg != "" || op.From.Reg != "") {
			v.fail("%s: an asynchronous copy from %v to %v", where, op.From, op.To)
		}
	case Load:
		v.ref(where, op.From, bound)
		v.set(where, op.Reg)
	case Compute:
		if len(op.Iters) != len(op.Stmt.Iters) || len(op.Refs) != len(op.Stmt.Accesses) {
			v.fail("%s: %d iterators and %d elements for %s", where, len(op.Iters), len(op.Refs), op.Stmt.Name)
		}
		for _, e := range op.Iters {
			v.expr(where, e, bound)
		}
		for i, r := range op.Refs {
			if r.Array != op.Stmt.Accesses[i].Array {
				v.fail("%s: %v stands for %s", where, r, op.Stmt.Accesses[i].Array.Name)
			}
			v.ref(where, r, bound)
			if write := op.Stmt.Accesses[i].Write; r.Reg != "" && write {
				v.set(where, r.Reg)
			} else {
				v.get(where, r.Reg)
			}
		}
	default:
		v.fail("%s: unknown operation %T", where, op)
	}
}

// set notes that a register is set: once.
func (v *verifier) set(where, reg string) {
	if _, twice := v.registers[reg]; twice || reg == "" {
		v.fail("%s: register %q is set twice or has no name", where, reg)
	}
	v.registers[reg] = v.where
}

// get checks that a register that is read has been set, by the same threads.
func (v *verifier) get(where, reg string) {
	if reg == "" {
		return
	}
	by, set := v.registers[reg]
	if !set {
		v.fail("%s: register %s is read and not set before", where, reg)
	}
	if by != nil && (v.where == nil || !by.sameThreads(*v.where)) {
		v.fail("%s: register %s is read by other threads than set it", where, reg)
	}
}

// all reports whether all threads of a block run n at least once.
func (n Threads) all(threads [3]int) bool {
	if n.Guard != nil {
		return false
	}
	for axis, all := range threads {
		if all > 1 && !slices.ContainsFunc(n.Loops, func(l ThreadLoop) bool {
			values, ok := l.Values()
			return l.Axis == axis && ok && values >= int64(all)
		}) {
			return false
		}
	}
	return true
}

// sameThreads reports whether the same threads run n and m, at the same points.
func (n Threads) sameThreads(m Threads) bool {
	return n.SameLoops(m) && (n.Guard == nil) == (m.Guard == nil) && slices.EqualFunc(n.Guard, m.Guard, func(x, y []affine.Expr) bool { return slices.EqualFunc(x, y, affine.Same) })
}

// SameLoops reports whether each thread has the same points in the loops of n and m.
func (n Threads) SameLoops(m Threads) bool {
	return slices.EqualFunc(n.Loops, m.Loops, func(a, b ThreadLoop) bool {
		return a.Var == b.Var && a.Axis == b.Axis && affine.Same(a.Lo, b.Lo) && affine.Same(a.Hi, b.Hi)
	})
}

func (v *verifier) ref(where string, r Ref, bound map[string]bool) {
	if len(r.Index) != len(r.Array.Extents) {
		v.fail("%s: %v has not the dimensions of %s", where, r, r.Array.Name)
		return
	}
	for k, e := range r.Index {
		v.expr(where, e, bound)
		if x, ok := e.(affine.Sum); ok && r.Buffer != nil && x.IsNum() && (x.Const < 0 || x.Const >= r.Buffer.Shape[k]) {
			v.fail("%s: %v lies outside its buffer", where, r)
		}
	}
	if r.Base != nil {
		v.offset(where, r)
	}
	if r.Buffer == nil {
		return
	}
	for _, b := range v.inside.Shared {
		if b == r.Buffer {
			return
		}
	}
	v.fail("%s: %s is not a buffer of the kernel", where, r.Buffer.Name)
}

// offset checks that r lies where it is said to, seen from its base address.
func (v *verifier) offset(where string, r Ref) {
	if r.Buffer != nil || r.Base.Array != r.Array || len(r.Offset) != len(r.Index) || !slices.Contains(v.bases, r.Base) {
		v.fail("%s: %v has a base address that is not its own", where, r)
		return
	}
	for d, e := range r.Index {
		if by := r.Offset[d]; by < 0 || by == 0 && !affine.Same(e, r.Base.Index[d]) || by > 0 && !affine.Same(e, affine.Offset(r.Base.Index[d], by)) {
			v.fail("%s: %v is not %d ahead of %v", where, r, r.Offset, r.Base.Index)
		}
	}
}

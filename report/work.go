package report

import (
	"fmt"
	"math"
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/model"
	"github.com/hexcc/hexcc/scop"
)

// A work is what a full tile of each launch does, for a roofline.
type work struct {
	points     int64
	operations int64 // of numbers: + - * /, comparisons and functions, as written
	bytes      int64 // moved from and to global memory
	untiled    int64 // the same, if each step moved every array that it uses once
	shared     int64 // moved from and to shared memory
	double     bool  // some operation is on doubles
}

// workOf returns what one full tile of each kernel does; ok is false where none has a constant size.
func workOf(p *gpu.Program) (w work, ok bool) {
	if p == nil || len(p.Kernels) == 0 {
		return w, false
	}
	for _, k := range p.Kernels {
		w.add(countKernel(k))
	}
	return w, w.points > 0 && w.bytes > 0
}

func (w *work) add(c counter) {
	w.points, w.bytes, w.shared = w.points+c.Points, w.bytes+c.Bytes, w.shared+c.SharedTraffic
	for st, n := range c.runs {
		ops := &operations{}
		for _, a := range st.Body {
			ops.action(a)
		}
		w.operations += n * ops.n
		w.untiled += n * SweepBytes(st)
		w.double = w.double || ops.double
	}
}

// SweepBytes returns what one instance of st moves if every array that it uses
// moves once a step: one element for each plane that it reads or writes. Arrays
// that do not follow all space loops are used over and over, and move next to nothing.
func SweepBytes(st *scop.Stmt) (n int64) {
	seen := map[string]bool{}
	for _, acc := range st.Accesses {
		plane, all := planeOf(acc, st)
		if plane = fmt.Sprint(plane, acc.Write); all && !seen[plane] {
			seen[plane] = true
			n += int64(acc.Array.Elem.Size())
		}
	}
	return n
}

// planeOf names what acc touches of its array in the course of an iteration of the time loop: the array, the subscripts that no loop over
// space moves, as of A[t%2][i][j], and of those that loops move by several elements, as of A[19*i+q], which of them. all says that all loops over
// space move the others, so that it is an element for each point.
func planeOf(acc *scop.Access, st *scop.Stmt) (plane string, all bool) {
	plane = acc.Array.Name
	followed := make([]bool, len(st.Iters))
	for k, x := range acc.Index {
		step := int64(0) // by which loops move it
		for i, coef := range x.Iters {
			if i > 0 && coef != 0 {
				step, followed[i] = affine.GCD(step, max(coef, -coef)), true
			}
		}
		switch {
		case step == 0:
			plane += fmt.Sprint(" ", k, x)
		case step > 1:
			plane += fmt.Sprint(" ", k, "+", (x.Const%step+step)%step)
		}
	}
	return plane, !slices.Contains(followed[1:], false)
}

// arithmeticOf returns the work of a point in an iteration of the time loop.
func arithmeticOf(p *scop.Program) (w Arithmetic) {
	seen := map[string]bool{}
	ops := 0.0
	for i, share := range model.InstancesPerPoint(p) {
		st := p.Stmts[i]
		n := &operations{}
		for _, a := range st.Body {
			n.action(a)
		}
		ops += share * float64(n.n)
		if share < 0.1 { // a border
			continue
		}
		for _, acc := range st.Accesses {
			if plane, all := planeOf(acc, st); all && !seen[plane] {
				seen[plane] = true
				w.Bytes += int64(acc.Array.Elem.Size())
			}
		}
	}
	w.Operations = int64(math.Round(ops))
	return w
}

// operations counts the operations of expressions on float and double.
type operations struct {
	n      int64
	double bool
}

func (o *operations) action(a scop.Action) {
	switch a := a.(type) {
	case scop.Let:
		o.count(a.Value)
	case scop.Store:
		o.count(a.Value)
	}
}

func (o *operations) add(t scop.Type) {
	if t.IsFloat() {
		o.n++
		o.double = o.double || t == scop.Double
	}
}

func (o *operations) count(e scop.Expr) {
	switch e := e.(type) {
	case scop.Unary:
		o.count(e.X)
	case scop.Binary:
		o.add(e.X.Type())
		o.count(e.X)
		o.count(e.Y)
	case scop.Cast:
		o.count(e.X)
	case scop.Call:
		if o.add(e.Type()); e.IsFMA() { // a product and a sum
			o.add(e.Type())
		}
		for _, x := range e.Args {
			o.count(x)
		}
	case scop.Cond:
		o.count(e.C)
		o.count(e.X)
		o.count(e.Y)
	}
}

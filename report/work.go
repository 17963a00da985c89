package report

import (
	"fmt"
	"slices"

	"github.com/hexcc/hexcc/gpu"
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
			switch a := a.(type) {
			case scop.Let:
				ops.count(a.Value)
			case scop.Store:
				ops.count(a.Value)
			}
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
		key := fmt.Sprint(acc.Array.Name, acc.Write)
		followed := make([]bool, len(st.Iters))
		for k, x := range acc.Index {
			inSpace := false
			for i, coef := range x.Iters {
				if i > 0 && coef != 0 {
					inSpace, followed[i] = true, true
				}
			}
			if !inSpace {
				key += fmt.Sprint(" ", k, x)
			}
		}
		if !seen[key] && !slices.Contains(followed[1:], false) {
			seen[key] = true
			n += int64(acc.Array.Elem.Size())
		}
	}
	return n
}

// operations counts the operations of expressions on float and double.
type operations struct {
	n      int64
	double bool
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

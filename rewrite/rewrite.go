// Package rewrite makes programs of programs that leave the same in memory, bit for bit unless it says otherwise, and do so by other statements.
//
// Inline computes temporaries again wherever they are read, in place of reading them:
//
//	for i { lap[i] = 2*in[i] - in[i-1] - in[i+1] }         =>   for i { lap_1 = 2*in[i+1] - in[i] - in[i+2]
//	for i { fli[i] = lap[i+1] - lap[i] }                                lap_2 = 2*in[i] - in[i-1] - in[i+1]
//	                                                                    fli[i] = lap_1 - lap_2 }
//
// So lap needs neither memory nor a place where all threads wait for each other, and is computed twice. Each value is the result of the operations
// that it was the result of, in their order, so no result changes.
//
// Fission makes several statements of one, for what each writes.
//
// Fold computes combinations of arrays once that are used at several places, in nests of their own.
//
// Reassociate, only where it is asked for, regroups sums: what it leaves differs by rounding.
package rewrite

import (
	"errors"
	"fmt"
	"slices"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/poly"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// A Result is what Inline or Fission made of a program.
type Result struct {
	Program *scop.Program // has the other one as its Uninlined, unless it is that
	Orders  []int         // by statement: which one of the other program it was
	Values  []Value       // what is computed again, by reader, then writer
}

// A Value is what a statement computes again of an array, in place of reading it.
type Value struct {
	Writer, Reader *scop.Stmt // of the program before
	Array          *scop.Array
	Places         int // how many elements an instance of Reader read
}

// Inline returns p where each statement of a group computes itself what it reads of arrays that another one of the group writes. Groups are
// statements by Order; they are disjoint, and statements may be in none. A statement whose results nobody reads then is left out. The error is a
// diag.List: what stands against it; or a *poly.LimitError, where that cannot be decided.
func Inline(p *scop.Program, groups [][]int) (r *Result, err error) {
	err = poly.Limited(func() error {
		r, err = inline(p, groups)
		return err
	})
	if err != nil {
		return nil, err
	}
	return r, nil
}

func inline(p *scop.Program, groups [][]int) (*Result, error) {
	x := inliner{Program: *p, original: p, inlined: map[int]bool{}, bases: map[string]string{}}
	x.Stmts = slices.Clone(p.Stmts)
	var errs diag.List
	for _, group := range groups {
		var list diag.List
		switch err := x.group(slices.Sorted(slices.Values(group))); {
		case errors.As(err, &list):
			errs = append(errs, list...)
		case err != nil:
			return nil, err
		}
	}
	if errs != nil {
		return nil, errs
	}
	return x.result(), nil
}

// An inliner is a program whose statements are being rewritten. Their names and places stay.
type inliner struct {
	scop.Program
	original *scop.Program
	inlined  map[int]bool      // whose results were computed again, by Order
	bases    map[string]string // by name of a variable that was added: what it is named after
	values   []Value
}

// group rewrites the statements of a group, those that run first at first, so that those behind them read only what is read of other arrays.
func (x *inliner) group(orders []int) error {
	found := false
	for i, reader := range orders {
		for _, writer := range orders[:i] {
			for range x.Stmts[writer].Body { // a value may be made of what an action before it has stored
				handed := x.handed(writer, reader)
				if found = found || handed != nil; handed == nil {
					break
				}
				for _, a := range handed {
					if d := x.compute(writer, reader, a); d != nil {
						return diag.List{d}
					}
				}
			}
		}
	}
	if !found && len(orders) > 1 {
		return diag.List{apart(x.original, orders)}
	}
	return nil
}

// handed returns the arrays of which statement reader reads what statement writer has stored in the same iteration of the time loop.
func (x *inliner) handed(writer, reader int) (arrays []*scop.Array) {
	w, r := x.Stmts[writer], x.Stmts[reader]
	now := poly.NewMap(nil, w.Tuple(), r.Tuple(), poly.Equal(poly.In(0), poly.Out(0))).Intersect(schedule.Before(w, r))
	for _, read := range r.Accesses {
		if read.Write || slices.Contains(arrays, read.Array) {
			continue
		}
		for _, by := range w.Accesses {
			if by.Write && by.Array == read.Array && !by.Map.ApplyRange(read.Map.Inverse()).Intersect(now).IsEmpty() {
				arrays = append(arrays, read.Array)
				break
			}
		}
	}
	return arrays
}

// compute lets statement reader compute what it reads of a, which statement writer stores, or says why it cannot.
func (x *inliner) compute(writer, reader int, a *scop.Array) *diag.Diagnostic {
	r := x.Stmts[reader]
	values, d := x.valuesOf(x.Stmts[writer], a)
	if d != nil {
		return d
	}
	sources := map[*scop.Access]*source{}
	for _, read := range r.Accesses {
		if read.Write || read.Array != a {
			continue
		}
		if sources[read], d = x.source(values, r, read); d != nil {
			return d
		}
	}
	body, places := x.inline(r, sources)
	x.Stmts[reader] = body
	x.inlined[writer] = true
	x.values = append(x.values, Value{x.original.Stmts[writer], x.original.Stmts[reader], a, places})
	return nil
}

// result returns the program without statements that nobody needs any more, and without arrays that nobody uses.
func (x *inliner) result() *Result {
	r := &Result{Program: x.original, Values: x.values}
	if len(x.values) == 0 {
		for i := range x.original.Stmts {
			r.Orders = append(r.Orders, i)
		}
		return r
	}
	q := x.Program
	for drop := true; drop; {
		before := len(q.Stmts)
		q.Stmts = slices.DeleteFunc(slices.Clone(q.Stmts), func(s *scop.Stmt) bool { return x.inlined[s.Order] && unneeded(&q, s) })
		drop = len(q.Stmts) < before
	}
	for _, s := range q.Stmts {
		r.Orders = append(r.Orders, s.Order)
	}
	used := func(a *scop.Array) bool {
		return slices.ContainsFunc(q.Stmts, func(s *scop.Stmt) bool { return uses(s, a) })
	}
	q.Arrays = slices.DeleteFunc(slices.Clone(q.Arrays), func(a *scop.Array) bool { return !used(a) })
	q.Uninlined, q.Combinations = x.original, 0
	r.Program = q.Split(make([][][]scop.Affine, len(q.Stmts)))
	return r
}

// unneeded reports whether only s itself reads what it stores.
func unneeded(p *scop.Program, s *scop.Stmt) bool {
	for _, w := range s.Accesses {
		if !w.Write {
			continue
		}
		if !w.Array.Local || slices.ContainsFunc(p.Stmts, func(t *scop.Stmt) bool { return t != s && uses(t, w.Array) }) {
			return false
		}
	}
	return true
}

func uses(s *scop.Stmt, a *scop.Array) bool {
	return slices.ContainsFunc(s.Accesses, func(x *scop.Access) bool { return x.Array == a })
}

func stores(s *scop.Stmt, a *scop.Array) bool {
	return slices.ContainsFunc(s.Accesses, func(x *scop.Access) bool { return x.Array == a && x.Write })
}

// Temporaries returns the names of the arrays of which values are computed again.
func (r *Result) Temporaries() (names []string) {
	for _, v := range r.Values {
		if !slices.Contains(names, v.Array.Name) {
			names = append(names, v.Array.Name)
		}
	}
	return names
}

// Before returns the program that r is made of.
func (r *Result) Before() *scop.Program {
	if r.Program.Uninlined == nil {
		return r.Program
	}
	return r.Program.Uninlined
}

// Cost says how many operations an instance of each statement takes before and now, all added up.
func (r *Result) Cost() (before, now int64) {
	for _, s := range r.Before().Stmts {
		before += s.Operations()
	}
	for _, s := range r.Program.Stmts {
		now += s.Operations()
	}
	return before, now
}

// String says what is computed again.
func (r *Result) String() string {
	text := ""
	for _, v := range r.Values {
		text += fmt.Sprintf("%s computes %s of %s at %d places of each point\n", v.Reader.Name, v.Array.Name, v.Writer.Name, v.Places)
	}
	return text
}

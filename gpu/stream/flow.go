package stream

import (
	"fmt"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// This file finds which instance computes a value that an instance reads. A row of results can stand in registers until it is read
// only if that is the same number of steps, rows and columns before for all instances:
//
//	S0[t, i, j] reads A[t%2][i+1][j], which S0[t-1, i+1, j] writes: 1 step before, at distance (-1, 0)

// A source is where the value of a read comes from.
type source struct {
	access int        // by Stmt.Accesses of the reader
	stmt   *scop.Stmt // that writes it; nil: nothing does
	steps  int64      // how many steps before
	apart  [2]int64   // how far the reader is from there along s0 and s1
}

// A flow is what all statements read and write.
type flow struct {
	space   *schedule.Canonical
	level   []*scop.Stmt    // by level
	write   []*scop.Access  // by statement: its one store
	sources [][]source      // by statement
	again   []int64         // by statement: after so many iterations of the time loop an element is written again; 0: never
	placed  [][2]affine.Sum // by statement: s0 and s1 of an instance, over its iterators
	iters   [][]affine.Sum  // by statement: its iterators, over timeVar and placeVars
}

// timeVar is t, and placeVars are s0 and s1, in what a flow says of instances.
const timeVar = "t "

var placeVars = [2]string{"s0 ", "s1 "}

// flowOf returns the flow of the statements of c. why says what rows of registers cannot hold, "" if there is nothing.
func flowOf(c *schedule.Canonical) (f *flow, why string) {
	p := c.Scop
	f = &flow{space: c, level: make([]*scop.Stmt, c.K)}
	if len(c.Space) != 2 {
		return nil, fmt.Sprintf("the program has %d dimensions of space, not 2", len(c.Space))
	}
	if c.Ordered || len(c.Together) > 0 {
		return nil, "points of one time step depend on each other"
	}
	for _, st := range p.Stmts {
		if f.level[c.Levels[st.Order]] != nil {
			return nil, fmt.Sprintf("%s and %s run in the same step", f.level[c.Levels[st.Order]].Name, st.Name)
		}
		f.level[c.Levels[st.Order]] = st
		if why := f.add(st); why != "" {
			return nil, why
		}
	}
	for _, st := range p.Stmts {
		if why := f.read(st); why != "" {
			return nil, why
		}
	}
	return f, ""
}

// add notes where instances of st are, and what they write.
func (f *flow) add(st *scop.Stmt) (why string) {
	var stores []*scop.Access
	for _, a := range st.Accesses {
		if a.Write {
			stores = append(stores, a)
		}
	}
	switch {
	case len(stores) != 1:
		return fmt.Sprintf("%s stores to %d elements, not one", st.Name, len(stores))
	case len(st.When) > 0 || st.Folded != nil || len(st.Whole) > 0:
		return fmt.Sprintf("%s runs at some points only, or is folded", st.Name)
	case f.usesIndices(st):
		return fmt.Sprintf("%s calculates with indices of loops", st.Name)
	}
	for _, other := range f.write {
		if other.Array == stores[0].Array {
			return fmt.Sprintf("several statements write %s", other.Array.Name)
		}
	}
	iters := []affine.Sum{affine.Var(timeVar)}
	iters = append(iters, make([]affine.Sum, len(st.Iters)-1)...)
	var at [2]affine.Sum
	for d, place := range f.space.Places[st.Order] {
		if place.Iter < 0 || f.space.Skew(d) != nil {
			return fmt.Sprintf("%s has no loop along each dimension of space", st.Name)
		}
		shift := f.space.Scop.Sum(place.Shift, nil)
		iters[place.Iter] = affine.Var(placeVars[d]).Minus(shift).Times(place.Sign())
		at[d] = affine.Var(st.Iters[place.Iter]).Times(place.Sign()).Plus(shift)
	}
	f.write, f.placed, f.iters = append(f.write, stores[0]), append(f.placed, at), append(f.iters, iters)
	again, why := f.period(st, stores[0])
	f.again = append(f.again, again)
	return why
}

// usesIndices reports whether st calculates with its iterators.
func (f *flow) usesIndices(st *scop.Stmt) (uses bool) {
	st.Visit(func(e scop.Expr) {
		if v, ok := e.(scop.Var); ok && v.Kind == scop.IterVar {
			uses = true
		}
	})
	return uses
}

// subscripts returns the subscripts of an access of st, over timeVar, placeVars and the parameters.
func (f *flow) subscripts(st *scop.Stmt, a *scop.Access) (at []affine.Sum) {
	for _, x := range a.Index {
		at = append(at, f.space.Scop.Sum(x.Affine, f.iters[st.Order]))
	}
	return at
}

// period returns after how many iterations of the time loop st writes an element again.
func (f *flow) period(st *scop.Stmt, a *scop.Access) (again int64, why string) {
	again = 1
	for k, x := range f.subscripts(st, a) {
		c := x.Coef(timeVar)
		if c == 0 {
			continue
		}
		mod := a.Index[k].Mod
		switch {
		case mod == 0:
			return 0, fmt.Sprintf("%s keeps the values of all time steps", a.Array.Name)
		case c != 1 || again != 1:
			return 0, fmt.Sprintf("the subscript %d of %s does not step through time", k, a.Text)
		}
		again = mod
	}
	var found [2]bool
	for k, x := range f.subscripts(st, a) {
		for d, name := range placeVars {
			if c := x.Coef(name); c != 0 {
				if c != 1 && c != -1 || x.Coef(placeVars[1-d]) != 0 || x.Coef(timeVar) != 0 || a.Index[k].Mod > 0 || found[d] {
					return 0, fmt.Sprintf("%s does not follow the dimensions of space", a.Text)
				}
				found[d] = true
			}
		}
	}
	if !found[0] || !found[1] {
		return 0, fmt.Sprintf("%s does not follow each dimension of space", a.Text)
	}
	last := f.subscripts(st, a)
	if last[len(last)-1].Coef(placeVars[0]) == 0 {
		return 0, fmt.Sprintf("the last subscript of %s is not along the first dimension", a.Text)
	}
	return again, ""
}

// read finds where the values that st reads come from.
func (f *flow) read(st *scop.Stmt) (why string) {
	var all []source
	for k, a := range st.Accesses {
		if a.Write {
			continue
		}
		s := source{access: k}
		for _, w := range f.space.Scop.Stmts {
			if f.write[w.Order].Array == a.Array {
				s.stmt = w
			}
		}
		if s.stmt != nil {
			if why := f.distance(st, a, &s); why != "" {
				return why
			}
		}
		all = append(all, s)
	}
	f.sources = append(f.sources, all)
	return ""
}

// distance finds how far before st the instance is whose result a reads.
func (f *flow) distance(st *scop.Stmt, a *scop.Access, s *source) (why string) {
	w := f.write[s.stmt.Order]
	from, to := f.subscripts(s.stmt, w), f.subscripts(st, a)
	behind, mod := int64(0), int64(1) // the iteration that writes it is t - behind, modulo mod
	for k := range from {
		x, y := from[k], to[k]
		if w.Index[k].Mod != a.Index[k].Mod {
			return fmt.Sprintf("%s and %s have different remainders", w.Text, a.Text)
		}
		apart := x.Minus(y)
		if !apart.IsNum() {
			return fmt.Sprintf("how far %s is from %s differs from iteration to iteration", a.Text, w.Text)
		}
		switch {
		case x.Coef(timeVar) != 0:
			behind, mod = apart.Const, w.Index[k].Mod
		case x.Coef(placeVars[0]) != 0:
			s.apart[0] = apart.Const * x.Coef(placeVars[0])
		case x.Coef(placeVars[1]) != 0:
			s.apart[1] = apart.Const * x.Coef(placeVars[1])
		case apart.Const != 0:
			return fmt.Sprintf("%s and %s are different parts of one array", w.Text, a.Text)
		}
	}
	behind = affine.Remainder(behind, mod)
	for s.steps = f.between(s.stmt, st, behind); s.steps < 1; s.steps = f.between(s.stmt, st, behind) {
		behind += mod
	}
	return ""
}

// between returns how many steps lie between instances of two statements, the first of which is so many iterations of the time loop before.
func (f *flow) between(src, dst *scop.Stmt, iterations int64) int64 {
	return int64(f.space.K)*iterations + int64(f.space.Levels[dst.Order]-f.space.Levels[src.Order])
}

package stream

import (
	"fmt"
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/poly"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// This file finds which instance computes a value that an instance reads. A row of results can stand in registers until it is read
// only if that is the same number of steps, rows and columns before for all instances:
//
//	S0[t, i, j] reads A[t%2][i+1][j], which S0[t-1, i+1, j] writes: 1 step before, at distance (-1, 0)

// A field is an array that statements of one level write: one in the plane, and others at its borders.
type field struct {
	array  *scop.Array
	level  int
	number int          // among those of its level
	stmts  []*scop.Stmt // the first is the one in the plane
	again  int64        // after so many iterations of the time loop an element is written again
	write  []affine.Sum // its subscripts at [timeVar, placeVars]
	mod    []int64      // by subscript: modulo which; 0: none
}

// A source is where the value of a read comes from.
type source struct {
	access int      // by Stmt.Accesses of the reader
	field  *field   // that it is of; nil: nothing writes it
	steps  int64    // how many steps before; 0: the same step, at the same place
	apart  [3]int64 // how far the reader is from there along s0, s1 and s2
	own    bool     // the step of the reader stores to elements of the same plane, which have another value once it has
}

// A flow is what all statements read and write.
type flow struct {
	space   *schedule.Canonical
	levels  [][]*field
	fields  []*field
	sources [][]source     // by statement
	placed  [][]affine.Sum // by statement: its place, over placeVars and parameters
	iters   [][]affine.Sum // by statement: its iterators, over timeVar and placeVars
	values  [][]affine.Sum // by statement: its iterators, over parameters where they have one value, else as iters
}

// timeVar is t, and placeVars are s0, s1 and s2, in what a flow says of instances.
const timeVar = "t "

var placeVars = [3]string{"s0 ", "s1 ", "s2 "}

// streamed returns the dimension along which rows stream: the last one. In three dimensions a warp holds lines along the one before it.
func (f *flow) streamed() int { return len(f.space.Space) - 1 }

// lined reports whether a warp holds several lines of a row, along dimension 1.
func (f *flow) lined() bool { return f.streamed() == 2 }

// flowOf returns the flow of the statements of c. why says what rows of registers cannot hold, "" if there is nothing.
func flowOf(c *schedule.Canonical) (f *flow, why string) {
	f = &flow{space: c, levels: make([][]*field, c.K)}
	switch n := len(c.Space); {
	case n == 1:
		return nil, "one dimension of space has no rows that follow each other; many such problems in one array, side by side, have"
	case n > 3:
		return nil, fmt.Sprintf("two or three dimensions of space do, and this has %d", n)
	}
	if c.Ordered {
		return nil, "points of one time step depend on each other"
	}
	for _, st := range c.Scop.Stmts {
		if why := f.add(st); why != "" {
			return nil, why
		}
	}
	for _, pair := range c.Together {
		if src, dst := c.Scop.Stmts[pair[0]], c.Scop.Stmts[pair[1]]; !f.inPlane(src) && f.inPlane(dst) {
			return nil, fmt.Sprintf("%s depends on %s in its step, which runs at a border", dst.Name, src.Name)
		}
	}
	for _, x := range f.fields {
		if why := f.settle(x); why != "" {
			return nil, why
		}
	}
	for level, fields := range f.levels {
		if len(fields) == 0 {
			return nil, fmt.Sprintf("nothing runs at level %d", level)
		}
	}
	for _, st := range c.Scop.Stmts {
		if why := f.read(st); why != "" {
			return nil, why
		}
	}
	return f, ""
}

// add notes where instances of st are, and which fields it writes.
func (f *flow) add(st *scop.Stmt) (why string) {
	if len(st.When) > 0 || st.Folded != nil || len(st.Whole) > 0 {
		return fmt.Sprintf("%s runs at some points only, or is folded", st.Name)
	}
	iters, values := make([]affine.Sum, len(st.Iters)), make([]affine.Sum, len(st.Iters))
	iters[0], values[0] = affine.Var(timeVar), affine.Var(timeVar)
	at := make([]affine.Sum, len(f.space.Space))
	for d, place := range f.space.Places[st.Order] {
		if f.space.Skew(d) != nil {
			return "the dimensions of space are skewed"
		}
		shift := f.space.Scop.Sum(place.Shift, nil)
		if place.Iter < 0 {
			at[d] = shift
			continue
		}
		at[d] = affine.Var(placeVars[d])
		iters[place.Iter] = at[d].Minus(shift).Times(place.Sign())
		if only, ok := f.only(st, place.Iter); ok {
			at[d], values[place.Iter] = only.Times(place.Sign()).Plus(shift), only
		} else {
			values[place.Iter] = iters[place.Iter]
		}
	}
	f.placed, f.iters, f.values = append(f.placed, at), append(f.iters, iters), append(f.values, values)
	level := f.space.Levels[st.Order]
	written := map[*scop.Array]bool{}
	for _, a := range st.Accesses {
		if !a.Write {
			continue
		}
		if written[a.Array] {
			return fmt.Sprintf("%s stores to several elements of %s", st.Name, a.Array.Name)
		}
		written[a.Array] = true
		k := slices.IndexFunc(f.fields, func(x *field) bool { return x.array == a.Array })
		if k < 0 {
			x := &field{array: a.Array, level: level, number: len(f.levels[level])}
			f.fields, f.levels[level] = append(f.fields, x), append(f.levels[level], x)
			k = len(f.fields) - 1
		}
		if x := f.fields[k]; x.level != level {
			return fmt.Sprintf("%s and %s write %s one after the other", x.stmts[0].Name, st.Name, a.Array.Name)
		}
		f.fields[k].stmts = append(f.fields[k].stmts, st)
	}
	return ""
}

// only returns the value of an iterator of st, over parameters, if its bounds leave it one: as of a part of a nest that runs at a border.
func (f *flow) only(st *scop.Stmt, iter int) (value affine.Sum, ok bool) {
	var ends [2][]affine.Sum // least and greatest values
	for _, b := range st.Bounds {
		alone := true
		for i, c := range b.Iters {
			alone = alone && (c != 0) == (i == iter)
		}
		if !alone || iter >= len(b.Iters) {
			continue
		}
		switch rest := f.space.Scop.Sum(scop.Affine{Const: b.Const, Params: b.Params}, nil); b.Iters[iter] {
		case 1:
			ends[0] = append(ends[0], rest.Times(-1))
		case -1:
			ends[1] = append(ends[1], rest)
		}
	}
	for _, least := range ends[0] {
		if slices.ContainsFunc(ends[1], least.Equal) {
			return least, true
		}
	}
	return value, false
}

// store returns the access by which st writes an array.
func store(st *scop.Stmt, array *scop.Array) *scop.Access {
	for _, a := range st.Accesses {
		if a.Write && a.Array == array {
			return a
		}
	}
	panic(fmt.Sprintf("stream: %s does not write %s", st.Name, array.Name))
}

// subscripts returns the subscripts of an access of st, over timeVar, placeVars and the parameters; over parameters along dimensions where st is at one place.
func (f *flow) subscripts(st *scop.Stmt, a *scop.Access) (at []affine.Sum) {
	for _, x := range a.Index {
		at = append(at, f.space.Scop.Sum(x.Affine, f.values[st.Order]))
	}
	return at
}

// inPlane reports whether st runs at more than one place along each dimension of space.
func (f *flow) inPlane(st *scop.Stmt) bool {
	for d, at := range f.placed[st.Order] {
		if at.Coef(placeVars[d]) == 0 {
			return false
		}
	}
	return true
}

// settle finds which statement writes x in the plane, and which elements.
func (f *flow) settle(x *field) (why string) {
	slices.SortStableFunc(x.stmts, func(a, b *scop.Stmt) int {
		switch {
		case f.inPlane(a) == f.inPlane(b):
			return 0
		case f.inPlane(a):
			return -1
		}
		return 1
	})
	first := x.stmts[0]
	if !f.inPlane(first) {
		return fmt.Sprintf("%s, which writes %s, runs at one place along a dimension of space", first.Name, x.array.Name)
	}
	a := store(first, x.array)
	x.write, x.again = f.subscripts(first, a), 1
	found := make([]bool, len(f.space.Space))
	for k, w := range x.write {
		x.mod = append(x.mod, a.Index[k].Mod)
		if c := w.Coef(timeVar); c != 0 {
			switch {
			case x.mod[k] == 0:
				return fmt.Sprintf("%s keeps the values of all time steps", x.array.Name)
			case c != 1 || x.again != 1:
				return fmt.Sprintf("the subscript %d of %s does not step through time", k, a.Text)
			}
			x.again = x.mod[k]
		}
		alone := true // it follows no more than one of them
		for d, name := range placeVars {
			if c := w.Coef(name); c != 0 {
				if c != 1 && c != -1 || !alone || w.Coef(timeVar) != 0 || x.mod[k] > 0 || found[d] {
					return fmt.Sprintf("%s does not follow the dimensions of space", a.Text)
				}
				found[d], alone = true, false
			}
		}
	}
	if slices.Contains(found, false) {
		return fmt.Sprintf("%s does not follow each dimension of space", a.Text)
	}
	if x.write[len(x.write)-1].Coef(placeVars[0]) == 0 {
		return fmt.Sprintf("the last subscript of %s is not along the first dimension", a.Text)
	}
	for _, st := range x.stmts[1:] {
		if f.inPlane(st) {
			return fmt.Sprintf("%s and %s both write %s in the plane", first.Name, st.Name, x.array.Name)
		}
		if f.together(first, st) || f.together(st, first) { // then full turns would not be without st
			return fmt.Sprintf("%s and %s write elements of %s one after the other", first.Name, st.Name, x.array.Name)
		}
		at := f.here(st)
		for k, w := range f.subscripts(st, store(st, x.array)) {
			if !w.Equal(x.write[k].Subst(at)) || store(st, x.array).Index[k].Mod != x.mod[k] {
				return fmt.Sprintf("%s and %s write different elements of %s at one place", first.Name, st.Name, x.array.Name)
			}
		}
	}
	return ""
}

// here returns what the places of st are where they do not vary.
func (f *flow) here(st *scop.Stmt) map[string]affine.Sum {
	at := map[string]affine.Sum{}
	for d, x := range f.placed[st.Order] {
		at[placeVars[d]] = x
	}
	return at
}

// read finds where the values that st reads come from.
func (f *flow) read(st *scop.Stmt) (why string) {
	var all []source
	again := map[*scop.Access]bool{} // what is read behind a store to its array
	st.Reads(func(a *scop.Access, stored bool) { again[a] = stored })
	for k, a := range st.Accesses {
		if a.Write {
			continue
		}
		s := source{access: k}
		for _, x := range f.fields {
			if x.array == a.Array {
				s.field = x
			}
		}
		if s.field != nil {
			if why := f.distance(st, a, &s); why != "" {
				return why
			}
			if again[a] && s.own {
				return fmt.Sprintf("%s reads %s behind a store to it", st.Name, a.Text)
			}
			if s.own && slices.ContainsFunc(s.field.stmts, func(w *scop.Stmt) bool { return f.together(w, st) }) {
				if why := f.same(st, a, &s); why != "" {
					return why
				}
			}
		}
		all = append(all, s)
	}
	f.sources = append(f.sources, all)
	return ""
}

// distance finds how far before st the instance is whose result a reads.
func (f *flow) distance(st *scop.Stmt, a *scop.Access, s *source) (why string) {
	behind, mod := int64(0), int64(1) // the iteration that writes it is t - behind, modulo mod
	vary := func() string {
		return fmt.Sprintf("how far %s is from where it is computed differs from iteration to iteration", a.Text)
	}
	for k, read := range f.subscripts(st, a) {
		w := s.field.write[k]
		if s.field.mod[k] != a.Index[k].Mod {
			return fmt.Sprintf("%s and the stores to %s have different remainders", a.Text, a.Array.Name)
		}
		followed := false
		for d, name := range placeVars {
			sign := w.Coef(name)
			if sign == 0 {
				continue
			}
			// The place p of the source has sign*p + rest = read.
			source := read.Minus(w.Without(name)).Times(sign)
			apart := f.placed[st.Order][d].Minus(source)
			if !apart.IsNum() {
				return vary()
			}
			s.apart[d], followed = apart.Const, true
		}
		if followed {
			continue
		}
		apart := w.Minus(read)
		switch {
		case !apart.IsNum():
			return vary()
		case w.Coef(timeVar) != 0:
			behind, mod = apart.Const, s.field.mod[k]
		case apart.Const != 0:
			return fmt.Sprintf("%s and the stores to %s are different parts of one array", a.Text, a.Array.Name)
		}
	}
	behind = affine.Remainder(behind, mod)
	between := func() int64 {
		return int64(f.space.K)*behind + int64(f.space.Levels[st.Order]-s.field.level)
	}
	s.own = between() == 0 // what of that was there before the step, unless same finds otherwise
	for s.steps = between(); s.steps < 1; s.steps = between() {
		behind += mod
	}
	return ""
}

// together reports whether dst depends on src in a step of both.
func (f *flow) together(src, dst *scop.Stmt) bool {
	return slices.Contains(f.space.Together, [2]int{src.Order, dst.Order})
}

// same has a be what the step of st has computed itself, at the place of st: s.field is written there by statements before st in the source. They run wherever st
// does, so that nothing older is read anywhere.
func (f *flow) same(st *scop.Stmt, a *scop.Access, s *source) (why string) {
	first := s.field.stmts[0]
	runs := func(st *scop.Stmt) poly.Set {
		return f.space.Maps[st.Order].IntersectParams(f.space.Scop.Context).Range()
	}
	switch {
	case s.apart != [3]int64{} || first.Order > st.Order:
		return fmt.Sprintf("%s reads %s, of its own step, at another place", st.Name, a.Text)
	case !runs(st).IsSubset(runs(first)):
		return fmt.Sprintf("%s reads %s of its own step where %s runs, and from before elsewhere", st.Name, a.Text, first.Name)
	}
	s.steps = 0
	return ""
}

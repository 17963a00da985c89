package rewrite

import (
	"fmt"
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/poly"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// This file proves of a read which instance wrote what it finds, and that this instance would find there and then what it found when it ran. It
// asks by element, as dependences do, and by value: what lies between the two is asked, too.

// A value is what a Store of a statement sets an element of an array to.
type value struct {
	stmt  *scop.Stmt
	array *scop.Array
	place int // of the Store in the body
	to    *scop.Access
	iters []int // by iterator of stmt but the first: which subscript of to it is, plus a sum of parameters
}

// valuesOf returns what w stores to a, or why what reads a cannot compute it.
func (x *inliner) valuesOf(w *scop.Stmt, a *scop.Array) (values []value, d *diag.Diagnostic) {
	for _, s := range x.Stmts {
		if s != w && stores(s, a) {
			return nil, final(accessOf(s, a, true).Pos, a, fmt.Sprintf("%s and %s write it", w.Name, s.Name), written(w, a))
		}
	}
	if !a.Local {
		return nil, refusal(accessOf(w, a, true).Pos, a, "it may be seen outside of the region",
			fmt.Sprintf("declare %s in the function, if nothing but the region uses it", a.Name), diag.Note{At: a.Pos, Msg: "declared here"})
	}
	for i, act := range w.Body {
		if store, ok := act.(scop.Store); ok && store.To.Array == a {
			v := value{stmt: w, array: a, place: i, to: store.To}
			if v.iters, d = subscripts(w, store.To); d != nil {
				return nil, d
			}
			values = append(values, v)
		}
	}
	return values, nil
}

// subscripts returns which subscript of a store of w each iterator is, plus a sum of parameters.
func subscripts(w *scop.Stmt, to *scop.Access) ([]int, *diag.Diagnostic) {
	if w.Conditional(to) {
		return nil, refusal(to.Pos, to.Array, w.Name+" stores it only where a condition holds", "store a value on both sides of the condition")
	}
	at := make([]int, len(w.Iters))
	for i := 1; i < len(w.Iters); i++ {
		if at[i] = slices.IndexFunc(to.Index, func(s scop.Index) bool { return s.Mod == 0 && only(s.Affine, i) }); at[i] < 0 {
			return nil, refusal(to.Pos, to.Array, fmt.Sprintf("no subscript is %s, a loop of %s, plus a number", w.Iters[i], w.Name),
				"write each subscript as one loop variable plus a number, each loop in one of them")
		}
	}
	return at, nil
}

// only reports whether iterator i is the only one in a, once.
func only(a scop.Affine, i int) bool {
	for k, c := range a.Iters {
		if k == i && c != 1 || k != i && c != 0 {
			return false
		}
	}
	return i < len(a.Iters)
}

// A shift is, by iterator of a writer, its value for an instance of a reader: an iterator of that plus a sum of parameters, or only the sum.
type shift []scop.Affine

// A source is the value that a read finds.
type source struct {
	value
	shift shift
}

// A reading is the reads of a value by a statement.
type reading struct {
	*inliner
	value
	reader *scop.Stmt
}

// source returns what a read of r finds: one of the values, or why r cannot compute it.
func (x *inliner) source(values []value, r *scop.Stmt, read *scop.Access) (*source, *diag.Diagnostic) {
	var why *diag.Diagnostic
	for i, v := range slices.Backward(values) {
		of := reading{x, v, r}
		sh, d := of.at(read)
		if d == nil {
			d = of.reached(read, sh)
		}
		if d != nil {
			if why == nil {
				why = d
			}
			continue
		}
		if d = of.last(read, sh, values[i+1:]); d == nil {
			d = of.unchanged(read, sh)
		}
		if d == nil {
			return &source{v, sh}, nil
		}
		why = d
	}
	return nil, why
}

// last returns nil if the instance of the writer at that shift stores no later value to the element that is read.
func (of reading) last(read *scop.Access, sh shift, later []value) *diag.Diagnostic {
	for _, v := range later {
		if !of.elements(of.reader, read).Intersect(of.instances(sh).ApplyRange(of.elements(v.stmt, v.to))).IsEmpty() {
			return refusal(v.to.Pos, of.array, v.stmt.Name+" stores it twice", "put the value into a variable, and store that once", diag.Note{At: of.to.Pos, Msg: "and here"})
		}
	}
	return nil
}

// at returns which instance of the writer stores what a read finds, if any does by this value.
func (of reading) at(read *scop.Access) (shift, *diag.Diagnostic) {
	sh := shift{{Iters: []int64{1}}}
	for i := 1; i < len(of.stmt.Iters); i++ {
		k := of.iters[i]
		x := read.Index[k]
		if x.Mod > 0 || !oneLoop(x.Affine) {
			return nil, final(read.Pos, of.array, fmt.Sprintf("subscript %d of %s is not one loop variable plus a number", k+1, read.Text))
		}
		to := of.to.Index[k].Affine
		sh = append(sh, plus(x.Affine, -1, scop.Affine{Const: to.Const, Params: to.Params}))
	}
	return sh, nil
}

// oneLoop reports whether a has at most one iterator, once.
func oneLoop(a scop.Affine) bool {
	n := 0
	for _, c := range a.Iters {
		if c != 0 && c != 1 {
			return false
		}
		n += int(c)
	}
	return n <= 1
}

// reached returns nil if a read of each instance of the reader, even one that may be left out, is of the element that the instance of the writer at that
// shift stores, which there is.
func (of reading) reached(read *scop.Access, sh shift) *diag.Diagnostic {
	a, w, r := of.array, of.stmt, of.reader
	source := of.instances(sh)
	if m := of.elements(r, read).Subtract(source.ApplyRange(of.elements(w, of.to))); m.IsEmpty() {
		return nil
	}
	if m := source.Subtract(source.IntersectRange(w.Domain)); !m.IsEmpty() {
		return refusal(read.Pos, a, fmt.Sprintf("%s reads %s where no instance of %s stores it%s", r.Name, read.Text, w.Name, of.example(m)),
			fmt.Sprintf("let the loops of %s run over all that %s reads, or the element be read where it is stored only", w.Name, r.Name), written(w, a))
	}
	return final(read.Pos, a, fmt.Sprintf("%s reads %s, which %s stores in another iteration of %s, or not at all", r.Name, read.Text, w.Name, of.Time), written(w, a))
}

// unchanged returns nil if nothing stores to the element between the writer at that shift and the read, and if the writer would store the same if it ran
// right before the reader.
func (of reading) unchanged(read *scop.Access, sh shift) *diag.Diagnostic {
	a, w, r := of.array, of.stmt, of.reader
	source := of.instances(sh)
	if s, _ := of.between(source, of.elements(r, read), a); s != nil {
		return final(read.Pos, a, fmt.Sprintf("%s stores it again before %s reads it", s.Name, r.Name), written(s, a))
	}
	for _, input := range w.Accesses {
		if input.Write || !of.needs(input) {
			continue
		}
		s, by := of.between(source, source.ApplyRange(of.elements(w, input)), input.Array)
		if s == nil {
			s, by = w, of.after(input)
		}
		if by != nil {
			return final(read.Pos, a, fmt.Sprintf("it is made of %s, which %s has stored anew when %s reads %s", input.Text, s.Name, r.Name, a.Name),
				diag.Note{At: input.Pos, Msg: "read here"}, diag.Note{At: by.Pos, Msg: "stored here"})
		}
	}
	return nil
}

// needs reports whether the value is made of what the writer reads by input.
func (of reading) needs(input *scop.Access) bool {
	return slices.ContainsFunc(needed(of.stmt.Body, of.place), func(act scop.Action) bool { return readsBy(act, input) })
}

// between returns a statement, and a store of it, to one of the elements of a related to instances of the reader, which runs behind the instance
// of the writer that is their source, and before them.
func (of reading) between(source, elements poly.Map, a *scop.Array) (*scop.Stmt, *scop.Access) {
	for _, s := range of.Stmts {
		for _, by := range s.Accesses {
			if !by.Write || by.Array != a {
				continue
			}
			storing := elements.ApplyRange(by.Map.Inverse())
			storing = storing.Intersect(schedule.Before(s, of.reader).Inverse())
			storing = storing.Intersect(source.ApplyRange(schedule.Before(of.stmt, s)))
			if !storing.IsEmpty() {
				return s, by
			}
		}
	}
	return nil, nil
}

// after returns a store of the writer itself to an element that the same instance has read before by input, to compute the value; nil: there is none.
func (of reading) after(input *scop.Access) *scop.Access {
	reads := of.elements(of.stmt, input)
	from := slices.IndexFunc(of.stmt.Body, func(act scop.Action) bool { return readsBy(act, input) })
	for _, act := range of.stmt.Body[from:] {
		if store, ok := act.(scop.Store); ok && store.To.Array == input.Array && !store.To.Map.Intersect(reads).IsEmpty() {
			return store.To
		}
	}
	return nil
}

func readsBy(act scop.Action, input *scop.Access) (found bool) {
	scop.Visit(scop.Assigned(act), func(e scop.Expr) {
		read, ok := e.(scop.Read)
		found = found || ok && read.From == input
	})
	return found
}

// instances relates instances of the reader to those of the writer at that shift.
func (of reading) instances(sh shift) poly.Map {
	var values []affine.Expr
	for _, x := range sh {
		values = append(values, of.Sum(x, iterators(of.reader)))
	}
	m := poly.NewFunction(of.ParamNames(), of.reader.Tuple(), of.stmt.Tuple(), values)
	return m.IntersectDomain(of.reader.Domain).IntersectParams(of.Context)
}

// elements relates all instances of s, even those that may be left out, to the elements that its access a touches.
func (x *inliner) elements(s *scop.Stmt, a *scop.Access) poly.Map {
	m := poly.NewFunction(x.ParamNames(), s.Tuple(), poly.Tuple{Name: a.Array.Name}, x.cells(s, a.Index))
	return m.IntersectDomain(s.Domain).IntersectParams(x.Context)
}

func (x *inliner) cells(s *scop.Stmt, index []scop.Index) (cells []affine.Expr) {
	for _, k := range index {
		var e affine.Expr = x.Sum(k.Affine, iterators(s))
		if k.Mod > 0 {
			e = affine.Modulo(x.Sum(k.Affine, iterators(s)), k.Mod)
		}
		cells = append(cells, e)
	}
	return cells
}

func iterators(s *scop.Stmt) (sums []affine.Sum) {
	for _, name := range s.Iters {
		sums = append(sums, affine.Var(name))
	}
	return sums
}

// example returns an instance of the reader that m relates to something, for a message.
func (of reading) example(m poly.Map) string {
	params, in, _, ok := m.Sample()
	if !ok || len(params) != len(of.Params) {
		return ""
	}
	text := ", as at " + of.reader.Instance(in)
	for i, q := range of.Params {
		sep := " and "
		if i == 0 {
			sep = " with "
		}
		text += fmt.Sprintf("%s%s=%d", sep, q.Name, params[i])
	}
	return text
}

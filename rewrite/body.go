package rewrite

import (
	"fmt"
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/poly"
	"github.com/hexcc/hexcc/scop"
)

// This file writes the bodies of statements that compute what they read. Values come first of all, in variables: one for each element, however often it
// is read, and whatever of another value is the same is computed once, too. A variable has the type of the array's elements, so that the
// value is rounded as it was when it was stored.

// A body is the body of a reader that is being written.
type body struct {
	*inliner
	reader  *scop.Stmt
	sources map[*scop.Access]*source // what is computed in place of reads
	lets    []scop.Let               // of values
	known   map[string]string        // names of lets by what they are set to
	names   map[string]bool          // all that are used
}

// inline returns r with values in place of the reads that have a source, and how many different ones there are.
func (x *inliner) inline(r *scop.Stmt, sources map[*scop.Access]*source) (out *scop.Stmt, places int) {
	b := &body{inliner: x, reader: r, sources: sources, known: map[string]string{}, names: x.original.Names()}
	for _, act := range r.Body {
		if let, ok := act.(scop.Let); ok {
			b.names[let.Name] = true
		}
	}
	copied := *r
	own := 0 // values that are computed already
	for ; own < len(r.Body); own++ {
		let, ok := r.Body[own].(scop.Let)
		if !ok || !b.isValue(let) {
			break
		}
		b.known[b.key(let.Type, let.Value)] = let.Name
	}
	elements := map[string]scop.Expr{}
	replaced := func(read scop.Read) scop.Expr {
		from, ok := b.sources[read.From]
		if !ok {
			return read
		}
		element := x.AccessText(r, read.From)
		if elements[element] == nil {
			elements[element] = b.value(from)
		}
		return elements[element]
	}
	rest := scop.WithValues(r.Body, func(e scop.Expr) scop.Expr { return scop.WithReads(e, replaced) })
	copied.Body = slices.Clone(rest[:own])
	for _, let := range b.lets {
		copied.Body = append(copied.Body, let)
	}
	copied.Body = append(copied.Body, rest[own:]...)
	copied.Accesses, copied.Sharing = accesses(copied.Body), nil
	return &copied, len(elements)
}

// isValue reports whether let, of the reader, is one that inlining made: it is declared, and set once, and reads nothing that is to be replaced.
func (b *body) isValue(let scop.Let) bool {
	set, free := 0, true
	for _, act := range b.reader.Body {
		if other, ok := act.(scop.Let); ok && other.Name == let.Name {
			set++
		}
	}
	scop.Visit(let.Value, func(e scop.Expr) {
		if read, ok := e.(scop.Read); ok && b.sources[read.From] != nil {
			free = false
		}
	})
	return set == 1 && free
}

// value adds what a writer computes, and returns what it stores.
func (b *body) value(from *source) scop.Expr {
	locals := map[string]scop.Var{}
	for _, act := range needed(from.stmt.Body, from.place) {
		switch a := act.(type) {
		case scop.Let:
			locals[a.Name] = b.let(a.Name, a.Type, b.moved(a.Value, from, locals))
		case scop.Store:
			return b.stored(from.array, b.moved(a.Value, from, locals))
		}
	}
	panic(fmt.Sprintf("rewrite: %s stores nothing to %s", from.stmt.Name, from.array.Name))
}

// stored returns e, of the type of the elements of a, by a variable. Those of types that are only stored are held in what C calculates with, which has
// all their values.
func (b *body) stored(a *scop.Array, e scop.Expr) scop.Expr {
	t := a.Elem
	c := t.Calculated()
	if c == t {
		return b.let(a.Name, t, e)
	}
	return scop.Cast{T: t, X: b.let(a.Name, c, scop.Cast{T: c, X: e, Implicit: true}), Implicit: true}
}

// let returns the variable that holds e, a new one named after want unless there is one.
func (b *body) let(want string, t scop.Type, e scop.Expr) scop.Var {
	key := b.key(t, e)
	name, ok := b.known[key]
	if !ok {
		name = b.fresh(want)
		b.known[key] = name
		b.lets = append(b.lets, scop.Let{Name: name, Type: t, Value: e, Declare: true})
	}
	return scop.Var{T: t, Name: name, Kind: scop.LocalVar}
}

// fresh returns a name that nothing has: that of a value of lap is lap_1 or the like, even where it is one of a value.
func (b *body) fresh(want string) string {
	if base := b.bases[want]; base != "" {
		want = base
	}
	for n := 1; ; n++ {
		if name := fmt.Sprintf("%s_%d", want, n); !b.names[name] {
			b.names[name], b.bases[name] = true, want
			return name
		}
	}
}

// key returns what equal values of lets share.
func (b *body) key(t scop.Type, e scop.Expr) string { return t.String() + " " + keyOf(b, e) }

func keyOf(b *body, e scop.Expr) string {
	switch e := e.(type) {
	case scop.Const:
		return fmt.Sprintf("%v %x %d %q", e.T, e.F, e.I, e.Text)
	case scop.Var:
		return fmt.Sprintf("%v %d %s", e.T, e.Kind, e.Name) // a local may be called as a scalar is
	case scop.Read:
		return b.AccessText(b.reader, e.From)
	case scop.Unary:
		return fmt.Sprintf("%s(%s)", e.Op, keyOf(b, e.X))
	case scop.Binary:
		return fmt.Sprintf("(%s)%s(%s)", keyOf(b, e.X), e.Op, keyOf(b, e.Y))
	case scop.Cast:
		return fmt.Sprintf("cast %v(%s)", e.T, keyOf(b, e.X))
	case scop.Call:
		text := fmt.Sprintf("%v %s(", e.T, e.Func)
		for _, x := range e.Args {
			text += keyOf(b, x) + ","
		}
		return text + ")"
	case scop.Cond:
		return fmt.Sprintf("(%s)?(%s):(%s)", keyOf(b, e.C), keyOf(b, e.X), keyOf(b, e.Y))
	}
	panic(fmt.Sprintf("rewrite: unknown expression %T", e))
}

// moved returns e, of a writer, as the reader computes it: at a shift, with other locals.
func (b *body) moved(e scop.Expr, from *source, locals map[string]scop.Var) scop.Expr {
	part := func(e scop.Expr) scop.Expr { return b.moved(e, from, locals) }
	switch e := e.(type) {
	case scop.Const:
		return e
	case scop.Read:
		return scop.Read{From: b.read(e.From, from.shift)}
	case scop.Var:
		switch e.Kind {
		case scop.LocalVar:
			return locals[e.Name]
		case scop.IterVar:
			return b.iterator(from.shift[slices.Index(from.stmt.Iters, e.Name)], e.T)
		}
		return e
	}
	return scop.WithOperands(e, part)
}

// iterator returns the value of an iterator of the writer in type t: it is a value that the loop of the writer has, so no sum on the way to it
// that wraps makes it another one.
func (b *body) iterator(x scop.Affine, t scop.Type) scop.Expr {
	var sum scop.Expr
	add := func(c int64, term scop.Expr) {
		if c < -1 || c > 1 {
			term = scop.Binary{Op: "*", X: scop.Const{T: t, I: max(c, -c)}, Y: term}
		}
		switch {
		case sum == nil && c > 0:
			sum = term
		case sum == nil:
			sum = scop.Unary{Op: "-", X: term}
		case c > 0:
			sum = scop.Binary{Op: "+", X: sum, Y: term}
		default:
			sum = scop.Binary{Op: "-", X: sum, Y: term}
		}
	}
	for i, c := range x.Iters {
		if c != 0 {
			add(c, scop.Var{T: t, Name: b.reader.Iters[i], Kind: scop.IterVar})
		}
	}
	for i, c := range x.Params {
		if c != 0 {
			q := b.Params[i]
			add(c, scop.Cast{T: t, X: scop.Var{T: q.Type, Name: q.Name, Kind: scop.ParamVar}, Implicit: true})
		}
	}
	switch {
	case sum == nil:
		return scop.Const{T: t, I: x.Const}
	case x.Const > 0:
		return scop.Binary{Op: "+", X: sum, Y: scop.Const{T: t, I: x.Const}}
	case x.Const < 0:
		return scop.Binary{Op: "-", X: sum, Y: scop.Const{T: t, I: -x.Const}}
	}
	return sum
}

// read returns access x of the writer, at a shift, as one of the reader.
func (b *body) read(x *scop.Access, sh shift) *scop.Access {
	y := &scop.Access{Array: x.Array, Index: moved(x.Index, sh), Pos: x.Pos}
	y.Map = b.elements(b.reader, y)
	if len(b.reader.When) > 0 {
		y.Map = y.Map.IntersectDomain(poly.NewSet(b.ParamNames(), b.reader.Tuple(), b.WhenFormula(b.reader)))
	}
	y.Text = b.AccessText(b.reader, y)
	return y
}

// moved returns subscripts by iterators of the writer as subscripts by those of the reader.
func moved(index []scop.Index, sh shift) (out []scop.Index) {
	for _, k := range index {
		sum := scop.Affine{Const: k.Const, Params: k.Params}
		for i, c := range k.Iters {
			sum = plus(sum, c, sh[i])
		}
		out = append(out, scop.Index{Affine: sum, Mod: k.Mod})
	}
	return out
}

// plus returns x + c*y.
func plus(x scop.Affine, c int64, y scop.Affine) scop.Affine {
	add := func(x, y []int64) []int64 {
		sum := make([]int64, max(len(x), len(y)))
		copy(sum, x)
		for i, v := range y {
			sum[i] = affine.Plus(sum[i], affine.Times(c, v))
		}
		return sum
	}
	return scop.Affine{Const: affine.Plus(x.Const, affine.Times(c, y.Const)), Iters: add(x.Iters, y.Iters), Params: add(x.Params, y.Params)}
}

// needed returns the actions that the Store at place needs, and that.
func needed(actions []scop.Action, place int) (kept []scop.Action) {
	for _, i := range neededPlaces(actions, place) {
		kept = append(kept, actions[i])
	}
	return kept
}

// accesses returns those of a body, in the order of evaluation.
func accesses(actions []scop.Action) (all []*scop.Access) {
	add := func(x *scop.Access) {
		if !slices.Contains(all, x) {
			all = append(all, x)
		}
	}
	for _, act := range actions {
		scop.Visit(scop.Assigned(act), func(e scop.Expr) {
			if read, ok := e.(scop.Read); ok {
				add(read.From)
			}
		})
		if store, ok := act.(scop.Store); ok {
			add(store.To)
		}
	}
	return all
}

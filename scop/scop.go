// Package scop says what the input program means: its parameters, arrays and
// statements, and for each statement its iteration domain, its accesses, its
// place in the source order and the expressions it computes.
package scop

import (
	"math"
	"math/bits"
	"slices"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/poly"
)

// A Program is one region between #pragma scop and #pragma endscop: a time
// loop that holds K() >= 1 perfect loop nests, run one after the other. Each
// nest is one Stmt, whatever its body holds.
type Program struct {
	File      string // as given by the user
	Source    []byte // the text of File, unpreprocessed; where Lines are set, as it was written anew
	Region    Region
	Function  string    // the function around the region
	Signature Signature // of Function

	// Lines, if there are any, are the lines of File that those of Source begin in: 0 for a line that was written.
	Lines []int
	// Instead, unless it is "", is C that does what the region does, and runs where Facts do not hold. Else that is the region itself.
	Instead string
	// Within: the user's region holds more than this, which the host runs: how these nests are tiled is not for the user to choose.
	Within bool

	Params  []Param
	Scalars []Scalar
	Arrays  []*Array
	Time    string // the time iterator, such as t
	Cxx     bool   // the source is C++, and what is written into it must be
	// Timeless: the region has no time loop; Time is an iterator that the source
	// does not have, with the one value 0.
	Timeless bool
	Stmts    []*Stmt  // in source order: Stmts[i].Order == i
	Context  poly.Set // what is known of the parameters: "[N] -> { : N >= 1 }"
	// Facts are the part of the Context that neither the text nor C guarantees:
	// the host code tests them before it starts the kernels.
	Facts []Fact
	Apart [][2]Object // pairs that are assumed not to overlap, and tested like Facts
	Walls []Wall      // conditions on data that are assumed to hold, and that ranks test
	// Claims are about the types of what the region uses: the host code states them.
	Claims []Claim
	// Outer names what is declared before the region and may have no other use: the
	// iterators and local scalars that it sets, the constants whose values it takes, and the functions that it calls.
	Outer []string
	Rows  []RowPointers // arrays whose rows are reached by pointers
	// Private are members of objects of C++ that may not be named around the region. What makes them reachable goes to this offset of Source.
	Private   []Private
	PrivateAt int
	// Clock, unless it is "", is a loop in C that leaves in variables of the program, such as the number of steps, what the
	// region leaves there: it is the time loop without all else.
	Clock string

	// Unfused, if it is set, is the program of the source, of which this is made by fusing so many products with sums: see Fused.
	// Both have the same arrays, and all but the bodies of statements is equal.
	Unfused *Program
	Fusions int
	// Uninlined, if it is set, is the program that this is made of by package rewrite, before products are fused: by computing temporaries again where they are
	// read, so that this one has fewer statements, and fewer arrays; or by making several statements of one; or by combinations of arrays, which have nests and arrays of their own. Both leave the same in all arrays that anything but the
	// region sees. It may itself be made of another one.
	Uninlined *Program
	// Combinations, if it is not 0, is how many nests rewrite.Fold has added to Uninlined to make this of it, each of which computes a combination of arrays.
	Combinations int
	// Unregrouped, if it is set, is the program of the source, of which this is made by rewrite.Reassociate, before all else: its sums have other orders, and are the same in exact arithmetic.
	Unregrouped *Program
}

// K returns the number of loop nests in the time loop.
func (p *Program) K() int { return len(p.Stmts) }

// Start returns where the region starts.
func (p *Program) Start() diag.Span {
	return diag.Span{Pos: diag.Pos{File: p.File, Line: p.Region.StartLine, Col: 1}, Len: 1}
}

// RowPointers is how the rows of an array are reached, by pointers such as A[i] of double **A. Host code computes how far
// they lie from each other, where all lie behind each other at one distance.
type RowPointers struct {
	Tables    []string // C expressions for the tables, all with the same distances: A, where A[i], or A[i][j], points to a row
	Elem      Type
	Counts    []Affine // how many pointers the region uses, by the level of tables, outside in
	First     []Affine // if set: the subscript of the first pointer, by level, and of the first element of a row, where they are negative, else 0
	Sized     []string // those of Tables, in C++ vectors of vectors, whose rows have to have one size
	Distances []string // C variables: how many elements, or rows of the next level, lie between two pointers; all 0 where not all lie so
}

// Line returns the line of File that line n of Source begins in, 0 for a line that was written, or is not there.
func (p *Program) Line(n int) int {
	switch {
	case len(p.Lines) == 0:
		return n
	case n > len(p.Lines):
		return 0
	}
	return p.Lines[n-1]
}

// UserLines returns the first and the last line of File that the region holds something of: those of its pragmas, or, where it was written anew, of
// the statements that were taken from File.
func (p *Program) UserLines() (first, last int) {
	for n := p.Region.StartLine; n <= p.Region.EndLine; n++ {
		if line := p.Line(n); line > 0 {
			if first == 0 || line < first {
				first = line
			}
			last = max(last, line)
		}
	}
	for n := p.Region.StartLine; first == 0 && n > 0; n-- {
		first = p.Line(n)
		last = first
	}
	return first, last
}

// UserLine returns the first of UserLines.
func (p *Program) UserLine() int {
	first, _ := p.UserLines()
	return first
}

// Names returns the names of p: of parameters, scalars, arrays, the objects that hold them, iterators and locals.
func (p *Program) Names() map[string]bool {
	names := map[string]bool{p.Time: true}
	for _, x := range p.Params {
		names[x.Name] = true
	}
	for _, x := range p.Scalars {
		names[x.Name] = true
	}
	for _, a := range p.Arrays {
		names[a.Name] = true
		for _, o := range a.Objects() {
			names[o.Name] = true
		}
	}
	for _, s := range p.Stmts {
		for _, x := range s.Iters {
			names[x] = true
		}
		for _, act := range s.Body {
			if let, ok := act.(Let); ok {
				names[let.Name] = true
			}
		}
	}
	return names
}

// A Region is the bytes Source[Start:End], whole lines from the line of
// #pragma scop to the line of #pragma endscop, both included.
type Region struct {
	Start, End         int
	StartLine, EndLine int
	Index              int // among the regions of the file, from 0
}

// A Fact is a condition on parameters that Context relies on.
type Fact struct {
	Row  Affine    // over parameters only: at least 0
	Text string    // as the user knows it, such as n <= 100
	Pos  diag.Span // where it comes from; zero: from the command line
	// Factors, if there are any, are over parameters, too, and stand in place of Row: their product is at most Most, or one of them is not
	// positive. Context says nothing of that.
	Factors []Affine
	Most    int64
	// Range: it bounds one parameter so that sums of it fit in 64 bits, and what the program does does not follow from it.
	Range bool
}

// Holds reports whether f holds for values of the parameters.
func (f Fact) Holds(params []int64) bool {
	if len(f.Factors) == 0 {
		return f.Row.At(nil, params) >= 0
	}
	most := f.Most
	for _, x := range f.Factors {
		v := x.At(nil, params)
		if v <= 0 {
			return true
		}
		most /= v
	}
	return most > 0
}

// A Param is an integer of unknown value that the region does not change. Its
// value is read from the variable of the same name.
type Param struct {
	Name string
	Type Type
	C    string    // the C expression for its value, if that is not Name: s->n
	Of   *Quotient // nil: the program gives it any value; else what it is of other parameters
}

// A Quotient is floor(Row/By), of parameters that are none themselves. Context says so of the parameter that it is the value of.
type Quotient struct {
	Row Affine // over parameters only, at least 0
	By  int64  // at least 2
}

// Relying returns p where the facts hold, too, which are to be tested with its others.
func (p *Program) Relying(facts []Fact) *Program {
	q := *p
	q.Facts = slices.Concat(p.Facts, facts)
	for _, f := range facts { // which are rows
		q.Context = q.Context.Intersect(poly.NewParamSet(p.ParamNames(), poly.NotNegative(p.Sum(f.Row, nil))))
	}
	return &q
}

// Allows reports whether what is known of the parameters lets them have these values, once quotients among them are settled.
func (p *Program) Allows(params []int64) bool {
	p.Settle(params)
	values := map[string]int64{}
	for i, q := range p.Params {
		values[q.Name] = params[i]
	}
	return p.Context.Contains(values)
}

// Settle gives the parameters that are quotients their values, by those of the others.
func (p *Program) Settle(params []int64) {
	for i, q := range p.Params {
		if q.Of != nil {
			v, by := q.Of.Row.At(nil, params), q.Of.By
			if params[i] = v / by; v%by < 0 {
				params[i]--
			}
		}
	}
}

// Source returns the C expression for the value of p.
func (p Param) Source() string { return source(p.Name, p.C) }

func source(name, c string) string {
	if c != "" {
		return c
	}
	return name
}

// A Scalar is a number that the region reads and does not change, such as a
// coefficient. It takes no part in subscripts or bounds.
type Scalar struct {
	Name  string
	Type  Type
	C     string // the C expression for its value, if that is not Name: s->alpha
	Fixed *Fixed // nil: a caller may give it any value
	Truth bool   // it is of C's _Bool: 0 or 1
	Half  bool   // it is of C's _Float16, whose values Type holds
	// Of, if it is set, is the element of an array that the scalar is: WithCoefficients.
	Of *Element
}

// Source returns the C expression for the value of s.
func (s Scalar) Source() string { return source(s.Name, s.C) }

// An Array is what the region reads and writes. Its elements lie in row-major order.
type Array struct {
	Name    string
	Elem    Type
	Extents []Affine // size of each dimension, over parameters only
	// Flat is a C expression for a pointer to the first element, such as "&A[0][0]", or, if there is an Origin, to that;
	// see Program.Base.
	Flat string
	// Origin, if it is set, is the subscripts of the element that C's pointer leads to: what the region uses begins
	// elsewhere, as where u[-1] is an element. It is over parameters; of an array with Planes it leaves out the first.
	Origin []Affine
	// First, if it is set, is the subscripts of the first element that is known to exist, as Last is of the last one.
	First []Affine
	// Last, if it is set, is the subscripts of the last element that is known to
	// exist, in row-major order; what follows is never used, and never copied.
	// It is over parameters; of an array with Planes it leaves out the first.
	Last []Affine
	// Planes, if there are any, are the C objects that hold the elements: Planes[k]
	// those with first subscript k. Then Flat is "".
	Planes []Plane
	// Turns, if there are any, say how far the pointers of Planes rotate: pointer k
	// ends with what pointer (k+n) mod len(Planes) began with, where n is the least
	// of Turns, or 0 if that is negative. The element of first subscript k stays in
	// the object that pointer k begins with.
	Turns []Affine
	// Shared: other arrays have the same C object, which holds structs: this one is
	// their members of type Elem. Nothing but such elements is used, and at most one of
	// the arrays that share an object is not Const.
	Shared bool
	Const  bool   // never written by the region
	Fixed  *Fixed // nil: its elements may have any values
	Local  bool   // nothing but the region sees its values, before or after
	// Scratch: the source has no such array. It is on a device only, and hexcc makes it there.
	Scratch bool
	Pos     diag.Span
}

// A Plane is a C object that holds the elements of an array with one value of
// the first subscript, in row-major order.
type Plane struct {
	Name    string // as an identifier
	Flat    string // C expression for a pointer to its first element, or to that at Origin
	Pointer string // the C pointer that leads to it, such as A or s->u
}

// Objects returns the C objects that hold the elements of a: Planes, or the one that Flat points to; none of Scratch.
func (a *Array) Objects() []Plane {
	if a.Scratch {
		return nil
	}
	if len(a.Planes) > 0 {
		return a.Planes
	}
	return []Plane{{Name: a.Name, Flat: a.Flat}}
}

// An Object is one of the C objects that hold an array: Array.Objects()[Index].
type Object struct {
	Array *Array
	Index int
}

// Name returns the name of o as an identifier.
func (o Object) Name() string { return o.Array.Objects()[o.Index].Name }

// Extents returns the sizes of the dimensions that o holds.
func (o Object) Extents() []Affine { return o.Array.ObjectExtents() }

// Small reports whether a has fewer than 2^31 elements whatever the parameters.
func (a *Array) Small() bool {
	total := uint64(1)
	for _, e := range a.Extents {
		if slices.ContainsFunc(e.Params, func(c int64) bool { return c != 0 }) {
			return false
		}
		hi, lo := bits.Mul64(total, uint64(max(e.Const, 0)))
		if hi != 0 || lo > math.MaxInt32 {
			return false
		}
		total = lo
	}
	return true
}

// ObjectExtents returns the extents of each object of a: without that of the planes.
func (a *Array) ObjectExtents() []Affine {
	if len(a.Planes) > 0 {
		return a.Extents[1:]
	}
	return a.Extents
}

// An Affine is the integer Const + Iters·iterators + Params·parameters. A short
// or nil slice stands for zeros.
type Affine struct {
	Const  int64
	Iters  []int64 // by Stmt.Iters
	Params []int64 // by Program.Params
}

// An Index is one subscript: Affine, or Affine modulo Mod if Mod > 0, which is
// never negative. Where C's % would be, the program was refused.
type Index struct {
	Affine
	Mod int64
}

// A Stmt is one loop nest: the instances Name[Iters] of its Body, which run in
// lexicographic order, but for loops that count down.
type Stmt struct {
	Name  string   // S0, S1, ...
	Order int      // its place among the nests
	Iters []string // Iters[0] is the time iterator, then the loops outside in
	Down  []bool   // by Iters: whether the loop runs from its last value to its first; nil: none does
	// Domain is the set of instances, [params] -> { Name[iters] : ... }.
	Domain poly.Set
	// Bounds is Domain as rows: every instance makes each of them >= 0.
	Bounds []Affine
	// When holds at all instances that read or write anything: the others may be left out (see residue.go).
	When     []Residue
	Settled  bool      // where When holds, so do the conditions of all stores: Actions leaves them out
	Accesses []*Access // in the order of evaluation of Body
	// Folded, by dimension of space in the order that the arrays give them: where it is set, the instances are the upper half of a
	// dimension whose ends are neighbours, and are placed at Folded[d] - s instead of s; else nothing is.
	Folded []*Affine
	// Whole are rows beside Bounds: where one of them is negative at an instance, its tile is not full. Of a folded program they say that an
	// instance uses elements of its own half only.
	Whole []Affine
	Body  []Action
	// Sharing, if it is set, says what instances next to each other have in common: sums were regrouped for that.
	Sharing *Sharing
	Pos     diag.Span
	Text    string // the source of the body, for reports
}

// A Sharing is how many operations an instance takes where code computes several next to each other along a loop, and what they have in common once.
type Sharing struct {
	Iter       int // the iterator of the loop
	Operations float64
}

// An Access is one place of the body that reads or writes an array element.
type Access struct {
	Array *Array
	Index []Index
	Write bool
	// Map is the access relation, [params] -> { Name[iters] -> Array[index] : domain }, of instances at which When holds.
	Map  poly.Map
	Pos  diag.Span
	Text string // its source, such as A[t%2][i-1]
}

// Conditional reports whether a, an access of s, is of a store that only some instances make: where they do not,
// the element keeps its value, which counts as reading it and storing it again.
func (s *Stmt) Conditional(a *Access) bool {
	for _, action := range s.Body {
		store, ok := action.(Store)
		if !ok {
			continue
		}
		choice, ok := store.Value.(Cond)
		if !ok {
			continue
		}
		if kept, ok := choice.Y.(Read); ok && kept.From.Array == store.To.Array && kept.From.Text == store.To.Text &&
			(a == store.To || a == kept.From) {
			return true
		}
	}
	return false
}

// Reads calls f for what the body reads, in order, and says whether it is after a store to the array.
func (s *Stmt) Reads(f func(a *Access, stored bool)) {
	written := map[*Array]bool{}
	visit := func(e Expr) {
		if read, ok := e.(Read); ok {
			f(read.From, written[read.From.Array])
		}
	}
	for _, action := range s.Body {
		switch a := action.(type) {
		case Let:
			Visit(a.Value, visit)
		case Store:
			Visit(a.Value, visit)
			written[a.To.Array] = true
		}
	}
}

// An Action is a step of a body: Let or Store.
type Action interface{ action() }

// The kinds of Action.
type (
	// Let sets local scalar Name, of type Type, to Value. A later Let of the
	// same name sets it again; only the first of a name declares it.
	Let struct {
		Name    string
		Type    Type
		Value   Expr
		Declare bool
	}
	// Store sets the element of To to Value, which has the element's type.
	Store struct {
		To    *Access
		Value Expr
	}
)

func (Let) action()   {}
func (Store) action() {}

package scop

import (
	"fmt"

	"github.com/hexcc/hexcc/diag"
)

// A Type is the type of a value of the region.
type Type uint8

// The types. Bool is the type of conditions; C's int 0 or 1 is Cast{Int, b}. Elements of arrays of C's _Bool are of type Bool,
// too: a byte that is 0 or 1.
const (
	Int    Type = iota // 32 bits
	Long               // 64 bits
	Uint               // 32 bits
	Ulong              // 64 bits
	Float              // IEEE 754 binary32
	Double             // IEEE 754 binary64
	Bool
	Char   // 8 bits, signed, as all integers that follow but those whose names begin with U
	Uchar  // 8 bits
	Short  // 16 bits
	Ushort // 16 bits
	Half   // IEEE 754 binary16, C's _Float16
	// LongDouble is C's long double, whatever it is to the compiler of the program. Only text for CPUs has it. Here its values
	// are held and calculated with as those of Double: what depends on what is the same, the digits are not.
	LongDouble
	// The complex types, which only text for CPUs has, too. Here their values are calculated with in pairs of doubles and held in pairs of
	// floats, and that a product with a real number has no other half does not count.
	ComplexFloat
	ComplexDouble
)

// types holds what is known of a Type.
var types = [...]struct {
	c    string
	size int
}{
	Int: {"int", 4}, Long: {"long", 8}, Uint: {"unsigned int", 4}, Ulong: {"unsigned long", 8},
	Float: {"float", 4}, Double: {"double", 8}, Bool: {"unsigned char", 1},
	Char: {"signed char", 1}, Uchar: {"unsigned char", 1}, Short: {"short", 2}, Ushort: {"unsigned short", 2},
	Half: {"_Float16", 2}, LongDouble: {"long double", 16},
	ComplexFloat: {"float _Complex", 8}, ComplexDouble: {"double _Complex", 16},
}

// String returns the name of t in C; of Bool, that of what holds one in memory, in all dialects.
func (t Type) String() string { return types[t].c }

// InMemory returns the name of the type of what holds one in memory, in the text of all dialects: C's name but of Half, of which
// CUDA and OpenCL know no more than the bits.
func (t Type) InMemory() string {
	if t == Half {
		return "hexcc_half"
	}
	return t.String()
}

// Size returns the bytes of a value of type t.
func (t Type) Size() int { return types[t].size }

// Words returns how many registers of 32 bits a value of type t takes.
func (t Type) Words() int { return max(1, t.Size()/4) }

// IsNarrow reports whether t is an integer type of fewer bits than Int. Elements of arrays have
// such types, and Casts that cut a value down to one: arithmetic has not, since C promotes to Int
// whatever it reads of them.
func (t Type) IsNarrow() bool { return t >= Bool && t <= Ushort }

// Calculated returns the type in which C calculates with values of type t: Int for integers of fewer bits, and Float
// for Half, whose values are rounded to it where they are assigned and nowhere else, as gcc does it on processors
// that do not calculate in it. So only Reads, Casts and choices between them have type Half.
func (t Type) Calculated() Type {
	switch {
	case t.IsNarrow():
		return Int
	case t == Half:
		return Float
	}
	return t
}

// Range returns the least and the largest value of an integer type of at most 32 bits.
func (t Type) Range() (lo, hi int64) {
	if t == Bool {
		return 0, 1
	}
	hi = 1<<(8*t.Size()) - 1
	if !t.IsUnsigned() {
		hi >>= 1
		lo = -hi - 1
	}
	return lo, hi
}

// IsUnsigned reports whether t is an integer type without values below zero; Bool is none.
func (t Type) IsUnsigned() bool { return t == Uint || t == Ulong || t == Uchar || t == Ushort }

// IsFloat reports whether t is a type of floating point, real or complex.
func (t Type) IsFloat() bool { return t == Float || t == Half || t.isDouble() || t.IsComplex() }

// IsComplex reports whether t is ComplexFloat or ComplexDouble.
func (t Type) IsComplex() bool { return t == ComplexFloat || t == ComplexDouble }

// Part returns the type of the parts of a complex type, t itself if it is none.
func (t Type) Part() Type {
	switch t {
	case ComplexFloat:
		return Float
	case ComplexDouble:
		return Double
	}
	return t
}

// isDouble reports whether values of t are held as those of Double.
func (t Type) isDouble() bool { return t == Double || t == LongDouble }

// An Expr is a typed expression. All conversions are explicit Casts, so both
// operands of a Binary have the same type and nobody below the front end needs
// to know C's promotion rules. Operations happen in the type of their operands:
// float arithmetic in float, without contraction. At is where the source has it, nil where it has
// nothing of the kind: see Place.
type Expr interface {
	Type() Type
	expr()
}

// The kinds of Expr.
type (
	// Const is a literal; Text is its spelling in the source, "" if it has none. Name is
	// that of a macro or an enumerator which stands there for it, "" if there is none.
	Const struct {
		T    Type
		F    float64 // value when T.IsFloat; of a complex type, that of its imaginary part, the real one being 0
		I    int64   // value otherwise (Ulong: its bits)
		Text string
		Name string
		At   *diag.Span
	}
	// Read is the element of an array.
	Read struct{ From *Access }
	// Var is a Scalar, a Param, an iterator or a local scalar, told apart by Kind.
	Var struct {
		T    Type
		Name string
		Kind VarKind
		At   *diag.Span
	}
	// Unary is Op X: "-", "+", "~" on numbers, "!" on Bool. It has the type of X.
	Unary struct {
		Op string
		X  Expr
		At *diag.Span
	}
	// Binary is X Op Y: + - * / % & | ^ << >> have the operands' type,
	// < <= > >= == != give Bool, && || take and give Bool and skip Y as C does.
	Binary struct {
		Op   string
		X, Y Expr
		At   *diag.Span
	}
	// Cast converts X to T as C does. Implicit casts are C's own, not written in the source.
	Cast struct {
		T        Type
		X        Expr
		Implicit bool
		At       *diag.Span
	}
	// Call is a function of math.h in the type of its result, such as sqrtf.
	Call struct {
		T    Type
		Func string // sqrtf, sqrt, fabs, fminf, ...
		Args []Expr
		At   *diag.Span
	}
	// Cond is C ? X : Y, with C of type Bool and only the chosen side evaluated.
	Cond struct {
		C, X, Y Expr
		At      *diag.Span
	}
)

// A VarKind says where the value of a Var comes from.
type VarKind uint8

// The kinds of Var.
const (
	ScalarVar VarKind = iota
	ParamVar
	IterVar
	LocalVar
)

func (e Const) Type() Type { return e.T }
func (e Read) Type() Type  { return e.From.Array.Elem }
func (e Var) Type() Type   { return e.T }
func (e Unary) Type() Type { return e.X.Type() }
func (e Cast) Type() Type  { return e.T }
func (e Call) Type() Type  { return e.T }
func (e Cond) Type() Type  { return e.X.Type() }

// Type returns Bool for comparisons and logic, else the type of the operands.
func (e Binary) Type() Type {
	switch e.Op {
	case "<", "<=", ">", ">=", "==", "!=", "&&", "||":
		return Bool
	}
	return e.X.Type()
}

// Visit calls f for e and all its parts, outermost first.
func Visit(e Expr, f func(Expr)) {
	f(e)
	switch e := e.(type) {
	case Unary:
		Visit(e.X, f)
	case Binary:
		Visit(e.X, f)
		Visit(e.Y, f)
	case Cast:
		Visit(e.X, f)
	case Call:
		for _, x := range e.Args {
			Visit(x, f)
		}
	case Cond:
		Visit(e.C, f)
		Visit(e.X, f)
		Visit(e.Y, f)
	}
}

// WithOperands returns e with f of each of its operands in place of that.
func WithOperands(e Expr, f func(Expr) Expr) Expr {
	switch e := e.(type) {
	case Const, Var, Read:
		return e
	case Unary:
		e.X = f(e.X)
		return e
	case Binary:
		e.X, e.Y = f(e.X), f(e.Y)
		return e
	case Cast:
		e.X = f(e.X)
		return e
	case Call:
		args := make([]Expr, len(e.Args))
		for i, x := range e.Args {
			args[i] = f(x)
		}
		e.Args = args
		return e
	case Cond:
		e.C, e.X, e.Y = f(e.C), f(e.X), f(e.Y)
		return e
	}
	panic(fmt.Sprintf("scop: unknown expression %T", e))
}

// WithReads returns e with f(r) in place of each Read r.
func WithReads(e Expr, f func(Read) Expr) Expr {
	if r, ok := e.(Read); ok {
		return f(r)
	}
	return WithOperands(e, func(x Expr) Expr { return WithReads(x, f) })
}

// Assigned returns what a sets its variable or element to.
func Assigned(a Action) Expr {
	switch a := a.(type) {
	case Let:
		return a.Value
	case Store:
		return a.Value
	}
	panic(fmt.Sprintf("scop: Assigned: unknown action %T", a))
}

// WithValues returns actions that set the same variables and elements, each to f of what it was set to.
func WithValues(actions []Action, f func(Expr) Expr) []Action {
	out := make([]Action, len(actions))
	for i, act := range actions {
		switch a := act.(type) {
		case Let:
			a.Value = f(a.Value)
			out[i] = a
		case Store:
			a.Value = f(a.Value)
			out[i] = a
		default:
			panic(fmt.Sprintf("scop: WithValues: unknown action %T", act))
		}
	}
	return out
}

// Uses reports whether p has arrays or expressions of type t.
func (p *Program) Uses(t Type) (found bool) {
	for _, a := range p.Arrays {
		found = found || a.Elem == t
	}
	for _, s := range p.Stmts {
		s.Visit(func(e Expr) { found = found || e.Type() == t })
	}
	return found
}

// Visit calls f for all expressions of s and their parts.
func (s *Stmt) Visit(f func(Expr)) {
	for _, a := range s.Body {
		Visit(Assigned(a), f)
	}
}

func (Const) expr()  {}
func (Read) expr()   {}
func (Var) expr()    {}
func (Unary) expr()  {}
func (Binary) expr() {}
func (Cast) expr()   {}
func (Call) expr()   {}
func (Cond) expr()   {}

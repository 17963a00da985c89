package scop

import (
	"fmt"
	"math"
	"slices"
)

// This file turns the body of a statement into closures. They compute exactly
// what C computes on x86-64 without contraction: float operations are rounded
// to float each, int and unsigned wrap at 32 bits, division truncates. Integers
// of every type are held in an int64 (Ulong: its bits); a cell of memory holds
// the bits of its value, zero above them.

// A Binding is what a compiled body reaches outside of itself.
type Binding struct {
	Memory *Memory // values of parameters and scalars
	// Load and Store give the code that reads or writes access number k of the statement.
	Load  func(k int) func() uint64
	Store func(k int) func(bits uint64)
	// Fault is told of what C leaves undefined and a processor would trap on.
	// Computing goes on with 0.
	Fault func(msg string)
	// Functions are taken in place of those of math.h.
	Functions Functions
}

// Code is the body of a statement, ready to run. It has state: one goroutine
// may use it at a time.
type Code struct {
	Iters   []int64 // the instance that Run computes; set by the caller
	actions []func()
	idle    func() bool
}

// Idle reports whether the instance Iters may be left out: it does nothing.
func (c *Code) Idle() bool { return c.idle() }

// Run computes the instance Iters.
func (c *Code) Run() {
	for _, act := range c.actions {
		act()
	}
}

// Compile returns the body of s, a statement of p, as Code that reads and writes through b.
func Compile(p *Program, s *Stmt, b Binding) *Code {
	c := compiler{
		prog: p, stmt: s, Binding: b,
		code:   &Code{Iters: make([]int64, len(s.Iters))},
		locals: map[string]*uint64{},
	}
	for _, a := range s.Body {
		c.code.actions = append(c.code.actions, c.action(a))
	}
	c.code.idle = func() bool { return len(s.When) > 0 && s.Idle(c.code.Iters, b.Memory.Params) }
	return c.code
}

// A compiler compiles one body.
type compiler struct {
	Binding
	prog   *Program
	stmt   *Stmt
	code   *Code
	locals map[string]*uint64
}

func (c *compiler) action(a Action) func() {
	switch a := a.(type) {
	case Let:
		value := c.bits(a.Value)
		if c.locals[a.Name] == nil {
			c.locals[a.Name] = new(uint64)
		}
		slot := c.locals[a.Name]
		return func() { *slot = value() }
	case Store:
		value, store := c.bits(a.Value), c.Store(c.access(a.To))
		return func() { store(value()) }
	}
	panic(fmt.Sprintf("scop: Compile: unknown action %T", a))
}

// access returns the number of a among the accesses of the statement.
func (c *compiler) access(a *Access) int {
	k := slices.Index(c.stmt.Accesses, a)
	if k < 0 {
		panic(fmt.Sprintf("scop: Compile: access %s is not listed in %s", a.Text, c.stmt.Name))
	}
	return k
}

// bits returns the code for e as the bits of its value.
func (c *compiler) bits(e Expr) func() uint64 {
	switch t := e.Type(); t {
	case Float:
		f := c.f32(e)
		return func() uint64 { return uint64(math.Float32bits(f())) }
	case Double, LongDouble:
		f := c.f64(e)
		return func() uint64 { return math.Float64bits(f()) }
	case Bool:
		f := c.cond(e)
		return func() uint64 { return uint64(fromBool(f())) }
	case Half:
		return c.half(e)
	case ComplexFloat, ComplexDouble:
		z := c.complex(e)
		return func() uint64 { return toPair(z()) }
	default:
		f := c.integer(e)
		return func() uint64 { return t.encode(f()) }
	}
}

// slot returns where the bits of v stand when the code runs.
func (c *compiler) slot(v Var) *uint64 {
	switch v.Kind {
	case LocalVar:
		if s := c.locals[v.Name]; s != nil {
			return s
		}
	case ScalarVar:
		if k := slices.IndexFunc(c.prog.Scalars, func(s Scalar) bool { return s.Name == v.Name }); k >= 0 {
			return &c.Memory.Scalars[k]
		}
	}
	panic(fmt.Sprintf("scop: Compile: %s has no variable %q", c.stmt.Name, v.Name))
}

// f32 returns the code for e, which has type Float.
func (c *compiler) f32(e Expr) func() float32 {
	switch e := e.(type) {
	case Const:
		v := float32(e.F)
		return func() float32 { return v }
	case Read:
		load := c.Load(c.access(e.From))
		return func() float32 { return math.Float32frombits(uint32(load())) }
	case Var:
		p := c.slot(e)
		return func() float32 { return math.Float32frombits(uint32(*p)) }
	case Unary:
		return negate(e.Op, c.f32(e.X))
	case Binary:
		return arith(e.Op, c.f32(e.X), c.f32(e.Y))
	case Cond:
		return choose(c.cond(e.C), c.f32(e.X), c.f32(e.Y))
	case Call:
		return c.call32(e)
	case Cast:
		switch t := e.X.Type(); t {
		case Float:
			return c.f32(e.X)
		case Half:
			f := c.half(e.X)
			return func() float32 { return float32(fromHalf(f())) }
		case ComplexFloat, ComplexDouble:
			z := c.complex(e.X)
			return func() float32 { return float32(real(z())) }
		case Double, LongDouble:
			f := c.f64(e.X)
			return func() float32 { return float32(f()) }
		case Ulong:
			f := c.integer(e.X)
			return func() float32 { return float32(uint64(f())) }
		default:
			f := c.integer(e.X)
			return func() float32 { return float32(f()) }
		}
	}
	panic(fmt.Sprintf("scop: Compile: %T is no float", e))
}

// f64 returns the code for e, which has type Double.
func (c *compiler) f64(e Expr) func() float64 {
	switch e := e.(type) {
	case Const:
		v := e.F
		return func() float64 { return v }
	case Read:
		load := c.Load(c.access(e.From))
		return func() float64 { return math.Float64frombits(load()) }
	case Var:
		p := c.slot(e)
		return func() float64 { return math.Float64frombits(*p) }
	case Unary:
		return negate(e.Op, c.f64(e.X))
	case Binary:
		return arith(e.Op, c.f64(e.X), c.f64(e.Y))
	case Cond:
		return choose(c.cond(e.C), c.f64(e.X), c.f64(e.Y))
	case Call:
		return c.call64(e)
	case Cast:
		switch t := e.X.Type(); t {
		case Float:
			f := c.f32(e.X)
			return func() float64 { return float64(f()) }
		case Double, LongDouble:
			return c.f64(e.X)
		case ComplexFloat, ComplexDouble:
			z := c.complex(e.X)
			return func() float64 { return real(z()) }
		case Ulong:
			f := c.integer(e.X)
			return func() float64 { return float64(uint64(f())) }
		default:
			f := c.integer(e.X)
			return func() float64 { return float64(f()) }
		}
	}
	panic(fmt.Sprintf("scop: Compile: %T is no double", e))
}

// integer returns the code for e, which has an integer type or Bool.
func (c *compiler) integer(e Expr) func() int64 {
	if e.Type() == Bool {
		f := c.cond(e)
		return func() int64 { return fromBool(f()) }
	}
	switch e := e.(type) {
	case Const:
		v := e.I
		return func() int64 { return v }
	case Read:
		load, t := c.Load(c.access(e.From)), e.Type()
		return func() int64 { return t.decode(load()) }
	case Var:
		return c.integerVar(e)
	case Unary:
		f, t := c.integer(e.X), e.Type()
		switch e.Op {
		case "-":
			return func() int64 { return t.wrap(-f()) }
		case "~":
			return func() int64 { return t.wrap(^f()) }
		case "+":
			return f
		}
	case Binary:
		return c.integerArith(e)
	case Cond:
		return choose(c.cond(e.C), c.integer(e.X), c.integer(e.Y))
	case Call:
		return c.callInteger(e)
	case Cast:
		return c.toInteger(e)
	}
	panic(fmt.Sprintf("scop: Compile: %#v is no integer", e))
}

func (c *compiler) integerVar(v Var) func() int64 {
	t := v.T
	switch v.Kind {
	case IterVar:
		if k := slices.Index(c.stmt.Iters, v.Name); k >= 0 {
			p := &c.code.Iters[k]
			return func() int64 { return t.wrap(*p) }
		}
	case ParamVar:
		if k := slices.IndexFunc(c.prog.Params, func(p Param) bool { return p.Name == v.Name }); k >= 0 {
			value := t.wrap(c.Memory.Params[k])
			return func() int64 { return value }
		}
	default:
		p := c.slot(v)
		return func() int64 { return t.decode(*p) }
	}
	panic(fmt.Sprintf("scop: Compile: %s has no variable %q", c.stmt.Name, v.Name))
}

func (c *compiler) toInteger(e Cast) func() int64 {
	t := e.T
	switch e.X.Type() {
	case ComplexFloat, ComplexDouble:
		z := c.complex(e.X)
		return func() int64 { return t.fromFloat(real(z())) }
	case Float:
		f := c.f32(e.X)
		return func() int64 { return t.fromFloat(float64(f())) }
	case Double, LongDouble:
		f := c.f64(e.X)
		return func() int64 { return t.fromFloat(f()) }
	}
	f := c.integer(e.X)
	return func() int64 { return t.wrap(f()) }
}

func (c *compiler) integerArith(e Binary) func() int64 {
	x, y, t := c.integer(e.X), c.integer(e.Y), e.Type()
	switch e.Op {
	case "+":
		return func() int64 { return t.wrap(x() + y()) }
	case "-":
		return func() int64 { return t.wrap(x() - y()) }
	case "*":
		return func() int64 { return t.wrap(x() * y()) }
	case "&":
		return func() int64 { return x() & y() }
	case "|":
		return func() int64 { return x() | y() }
	case "^":
		return func() int64 { return x() ^ y() }
	case "<<":
		return func() int64 { return t.wrap(x() << t.shift(y())) }
	case ">>":
		if t == Ulong {
			return func() int64 { return int64(uint64(x()) >> t.shift(y())) }
		}
		return func() int64 { return x() >> t.shift(y()) }
	case "/", "%":
		return c.divide(e.Op, t, x, y)
	}
	panic(fmt.Sprintf("scop: Compile: unknown operator %q on %v", e.Op, t))
}

// divide is x/y or x%y of integers, rounded towards zero.
func (c *compiler) divide(op string, t Type, x, y func() int64) func() int64 {
	part := func(a, b int64) int64 { return a / b }
	switch {
	case t == Ulong && op == "/":
		part = func(a, b int64) int64 { return int64(uint64(a) / uint64(b)) }
	case t == Ulong:
		part = func(a, b int64) int64 { return int64(uint64(a) % uint64(b)) }
	case op == "%":
		part = func(a, b int64) int64 { return a % b }
	}
	return func() int64 {
		a, b := x(), y()
		if b == 0 {
			c.Fault("integer division by zero")
			return 0
		}
		return t.wrap(part(a, b))
	}
}

// cond returns the code for e, which has type Bool, or any number compared with 0.
func (c *compiler) cond(e Expr) func() bool {
	switch e := e.(type) {
	case Const:
		v := e.I != 0
		return func() bool { return v }
	case Read:
		load := c.Load(c.access(e.From))
		return func() bool { return load() != 0 }
	case Var:
		p := c.slot(e)
		return func() bool { return *p != 0 }
	case Unary:
		if f := c.cond(e.X); e.Op == "!" {
			return func() bool { return !f() }
		}
	case Cond:
		return choose(c.cond(e.C), c.cond(e.X), c.cond(e.Y))
	case Cast:
		switch e.X.Type() {
		case Bool:
			return c.cond(e.X)
		case ComplexFloat, ComplexDouble:
			z := c.complex(e.X)
			return func() bool { return z() != 0 }
		case Float:
			f := c.f32(e.X)
			return func() bool { return f() != 0 }
		case Double, LongDouble:
			f := c.f64(e.X)
			return func() bool { return f() != 0 }
		}
		f := c.integer(e.X)
		return func() bool { return f() != 0 }
	case Binary:
		return c.condBinary(e)
	}
	panic(fmt.Sprintf("scop: Compile: %#v is no condition", e))
}

func (c *compiler) condBinary(e Binary) func() bool {
	switch e.Op {
	case "&&":
		x, y := c.cond(e.X), c.cond(e.Y)
		return func() bool { return x() && y() }
	case "||":
		x, y := c.cond(e.X), c.cond(e.Y)
		return func() bool { return x() || y() }
	}
	switch e.X.Type() {
	case ComplexFloat, ComplexDouble:
		return c.complexBinary(e)
	case Float:
		return compare(e.Op, c.f32(e.X), c.f32(e.Y))
	case Double, LongDouble:
		return compare(e.Op, c.f64(e.X), c.f64(e.Y))
	case Ulong:
		x, y := c.integer(e.X), c.integer(e.Y)
		return compare(e.Op, func() uint64 { return uint64(x()) }, func() uint64 { return uint64(y()) })
	}
	return compare(e.Op, c.integer(e.X), c.integer(e.Y))
}

// The pieces that need to be written once for several types.

func negate[T float32 | float64](op string, f func() T) func() T {
	switch op {
	case "-":
		return func() T { return -f() }
	case "+":
		return f
	}
	panic(fmt.Sprintf("scop: Compile: unknown operator %q", op))
}

func arith[T float32 | float64](op string, x, y func() T) func() T {
	switch op {
	case "+":
		return func() T { return x() + y() }
	case "-":
		return func() T { return x() - y() }
	case "*":
		return func() T { return x() * y() }
	case "/":
		return func() T { return x() / y() }
	}
	panic(fmt.Sprintf("scop: Compile: unknown operator %q", op))
}

func choose[T any](c func() bool, x, y func() T) func() T {
	return func() T {
		if c() {
			return x()
		}
		return y()
	}
}

func compare[T float32 | float64 | int64 | uint64](op string, x, y func() T) func() bool {
	switch op {
	case "<":
		return func() bool { return x() < y() }
	case "<=":
		return func() bool { return x() <= y() }
	case ">":
		return func() bool { return x() > y() }
	case ">=":
		return func() bool { return x() >= y() }
	case "==":
		return func() bool { return x() == y() }
	case "!=":
		return func() bool { return x() != y() }
	}
	panic(fmt.Sprintf("scop: Compile: unknown operator %q", op))
}

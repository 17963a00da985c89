package scop_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/hexcc/hexcc/internal/oracle"
	"github.com/hexcc/hexcc/scop"
)

// TestExpressions compiles random expressions with the C compiler and compares
// every value bit for bit.
func TestExpressions(t *testing.T) {
	p, body := expressionProgram(200)
	c := oracle.CompileC(t, p)
	for seed := range uint64(3) {
		mem, err := scop.NewMemory(p, []int64{40}, seed)
		if err != nil {
			t.Fatal(err)
		}
		roughen(mem, seed)
		want := c.Run(t, mem)
		if err := scop.Run(p, mem); err != nil {
			t.Fatal(err)
		}
		for i, s := range mem.Arrays {
			for k := range s.Cells {
				got, want := s.Cells[k], want.Arrays[i].Cells[k]
				if got != want && !(isNaN(s.Array.Elem, got) && isNaN(s.Array.Elem, want)) {
					t.Fatalf("%s is %s, in C %s: %s", s.Element(k), s.Array.Elem.Format(got), s.Array.Elem.Format(want), body[s.Array.Name])
				}
			}
		}
	}
}

func isNaN(t scop.Type, bits uint64) bool { return t.IsFloat() && math.IsNaN(t.Number(bits)) }

// roughen puts extreme values among the inputs.
func roughen(mem *scop.Memory, seed uint64) {
	rng := rand.New(rand.NewPCG(seed, 99))
	floats := []float64{0, math.Copysign(0, -1), 1, -1, 0.5, 2.5, -3.5, 1e9, -3e9, 1e19, 1e-40, 3e38, math.Inf(1), math.NaN()}
	ints := []uint64{0, 1, 1<<31 - 1, 1 << 31, 1<<32 - 1, 1<<63 - 1, 1 << 63, 1<<64 - 1, 1<<53 + 1}
	for _, s := range mem.Arrays {
		for k := range s.Cells {
			f, i := floats[rng.IntN(len(floats))], ints[rng.IntN(len(ints))]
			switch t := s.Array.Elem; {
			case rng.IntN(3) > 0:
			case t == scop.Float:
				s.Cells[k] = uint64(math.Float32bits(float32(f)))
			case t == scop.Double:
				s.Cells[k] = math.Float64bits(f)
			case t.Size() == 4:
				s.Cells[k] = uint64(uint32(i))
			default:
				s.Cells[k] = i
			}
		}
	}
}

var kinds = []scop.Type{scop.Int, scop.Long, scop.Uint, scop.Ulong, scop.Float, scop.Double}

// expressionProgram returns a program of n stores of random expressions, and the text of each by array.
func expressionProgram(n int) (*scop.Program, map[string]string) {
	p := &scop.Program{File: "input.c", Function: "f", Time: "t",
		Params: []scop.Param{{Name: "n", Type: scop.Int}}, Scalars: []scop.Scalar{{Name: "sf", Type: scop.Float}, {Name: "sl", Type: scop.Ulong}}}
	s := &scop.Stmt{Name: "S0", Iters: []string{"t", "i"}, Bounds: []scop.Affine{
		{Iters: []int64{1}}, {Iters: []int64{-1}}, {Iters: []int64{0, 1}}, {Const: -1, Iters: []int64{0, -1}, Params: []int64{1}}}}
	g := &generator{rng: rand.New(rand.NewPCG(7, 7)), p: p, s: s}
	array := func(name string, t scop.Type) *scop.Array {
		a := &scop.Array{Name: name, Elem: t, Extents: []scop.Affine{{Params: []int64{1}}}}
		p.Arrays = append(p.Arrays, a)
		return a
	}
	var args, text strings.Builder
	for _, t := range kinds {
		g.inputs = append(g.inputs, array("in_"+strings.ReplaceAll(t.String(), " ", "_"), t))
	}
	body := map[string]string{}
	s.Body = append(s.Body, scop.Let{Name: "loc", Type: scop.Float, Declare: true, Value: g.expr(scop.Float, 2)})
	fmt.Fprintf(&text, "    float loc = %s;\n", c(s.Body[0].(scop.Let).Value))
	g.local = true
	for k := range n {
		a := array(fmt.Sprintf("out%d", k), kinds[k%len(kinds)])
		e := g.expr(a.Elem, 4)
		s.Body = append(s.Body, scop.Store{To: g.access(a, true), Value: e})
		body[a.Name] = c(e)
		fmt.Fprintf(&text, "    %s[i] = %s;\n", a.Name, c(e))
	}
	p.Signature.Parameters = []scop.Formal{{Name: "n"}, {Name: "sf"}, {Name: "sl"}}
	for _, a := range p.Arrays {
		fmt.Fprintf(&args, ", %s *%s", a.Elem, a.Name)
		p.Signature.Parameters = append(p.Signature.Parameters, scop.Formal{Name: a.Name})
	}
	p.Stmts = []*scop.Stmt{s}
	p.Source = []byte("#include <math.h>\n#include <stdlib.h>\nvoid f(int n, float sf, unsigned long sl" + args.String() +
		") {\n  int t = 0;\n  for (int i = 0; i < n; i++) {\n" + text.String() + "  }\n}\n")
	return p, body
}

// A generator makes random expressions that C defines: shifts are in range and divisors positive.
type generator struct {
	rng    *rand.Rand
	p      *scop.Program
	s      *scop.Stmt
	inputs []*scop.Array
	local  bool
}

func (g *generator) access(a *scop.Array, write bool) *scop.Access {
	x := &scop.Access{Array: a, Write: write, Index: []scop.Index{{Affine: scop.Affine{Iters: []int64{0, 1}}}}}
	g.s.Accesses = append(g.s.Accesses, x)
	return x
}

func pick[T any](g *generator, list ...T) T { return list[g.rng.IntN(len(list))] }

func (g *generator) expr(t scop.Type, depth int) scop.Expr {
	if depth == 0 {
		return g.leaf(t)
	}
	if t == scop.Bool {
		if g.rng.IntN(4) == 0 {
			return scop.Cast{T: t, X: g.expr(pick(g, kinds...), depth-1)}
		}
		return g.condition(depth)
	}
	x := func() scop.Expr { return g.expr(t, depth-1) }
	switch g.rng.IntN(7) {
	case 0:
		return g.leaf(t)
	case 1:
		return g.cast(t, depth)
	case 2:
		return scop.Cond{C: g.condition(depth - 1), X: x(), Y: x()}
	case 3:
		if t.IsFloat() {
			return g.call(t, x)
		}
		return scop.Unary{Op: pick(g, "-", "~", "+"), X: x()}
	case 4:
		return scop.Unary{Op: "-", X: x()}
	}
	if t.IsFloat() {
		return scop.Binary{Op: pick(g, "+", "-", "*", "/"), X: x(), Y: x()}
	}
	return g.integer(t, x)
}

// cast converts an expression; a float of unknown value, since C leaves some
// conversions undefined and compilers fold those of constants as they like.
func (g *generator) cast(t scop.Type, depth int) scop.Expr {
	from := pick(g, append(kinds, scop.Bool)...)
	x := g.expr(from, depth-1)
	if from.IsFloat() {
		x = scop.Binary{Op: "+", X: g.read(from), Y: x}
	}
	return scop.Cast{T: t, X: x}
}

func (g *generator) condition(depth int) scop.Expr {
	if depth <= 0 || g.rng.IntN(4) > 0 {
		t := kinds[g.rng.IntN(len(kinds))]
		d := max(depth-1, 0)
		return scop.Binary{Op: pick(g, "<", "<=", ">", ">=", "==", "!="), X: g.expr(t, d), Y: g.expr(t, d)}
	}
	if g.rng.IntN(3) == 0 {
		return scop.Unary{Op: "!", X: g.condition(depth - 1)}
	}
	return scop.Binary{Op: pick(g, "&&", "||"), X: g.condition(depth - 1), Y: g.condition(depth - 1)}
}

func (g *generator) integer(t scop.Type, x func() scop.Expr) scop.Expr {
	constant := func(v int64) scop.Expr { return scop.Const{T: t, I: v} }
	switch op := pick(g, "+", "-", "*", "&", "|", "^", "<<", ">>", "/", "%"); op {
	case "<<", ">>":
		return scop.Binary{Op: op, X: x(), Y: scop.Binary{Op: "&", X: x(), Y: constant(int64(8*t.Size() - 1))}}
	case "/", "%":
		y := scop.Binary{Op: "+", X: scop.Binary{Op: "&", X: x(), Y: constant(1<<30 - 1)}, Y: constant(2)} // of MIN/1 compilers make MIN/-1
		return scop.Binary{Op: op, X: x(), Y: y}
	default:
		return scop.Binary{Op: op, X: x(), Y: x()}
	}
}

func (g *generator) call(t scop.Type, x func() scop.Expr) scop.Expr {
	name := pick(g, "sqrt", "fabs", "floor", "ceil", "trunc", "round", "rint", "fmin", "fmax", "fma", "fmod", "copysign")
	suffix := ""
	if t == scop.Float {
		suffix = "f"
	}
	n, ok := scop.Computable(name + suffix)
	if !ok {
		panic(name)
	}
	e := scop.Call{T: t, Func: name + suffix}
	for range n {
		e.Args = append(e.Args, x())
	}
	return e
}

func (g *generator) leaf(t scop.Type) scop.Expr {
	switch {
	case t == scop.Bool:
		return g.condition(0)
	case g.rng.IntN(4) == 0 && t.IsFloat():
		return scop.Const{T: t, F: float64(float32(pick(g, 0.25, 3, 1.1, 1e10)))}
	case g.rng.IntN(4) == 0 && !t.IsFloat():
		return scop.Const{T: t, I: pick[int64](g, 0, 1, 2, 31, 1000)}
	case t == scop.Int && g.rng.IntN(3) == 0:
		return pick(g, scop.Var{T: t, Name: "i", Kind: scop.IterVar}, scop.Var{T: t, Name: "n", Kind: scop.ParamVar})
	case t == scop.Ulong && g.rng.IntN(4) == 0:
		return scop.Var{T: t, Name: "sl", Kind: scop.ScalarVar}
	case t == scop.Float && g.rng.IntN(3) == 0:
		if g.local && g.rng.IntN(2) == 0 {
			return scop.Var{T: t, Name: "loc", Kind: scop.LocalVar}
		}
		return scop.Var{T: t, Name: "sf", Kind: scop.ScalarVar}
	}
	return g.read(t)
}

// read returns an element of the input of type t.
func (g *generator) read(t scop.Type) scop.Expr {
	for _, a := range g.inputs {
		if a.Elem == t {
			return scop.Read{From: g.access(a, false)}
		}
	}
	panic(t)
}

// c prints e in C.
func c(e scop.Expr) string {
	switch e := e.(type) {
	case scop.Const:
		switch e.T {
		case scop.Float:
			return fmt.Sprintf("%xf", e.F)
		case scop.Double:
			return fmt.Sprintf("%x", e.F)
		}
		return fmt.Sprintf("((%s)%d)", e.T, e.I)
	case scop.Read:
		return e.From.Array.Name + "[i]"
	case scop.Var:
		return e.Name
	case scop.Unary:
		return "(" + e.Op + c(e.X) + ")"
	case scop.Binary:
		return "(" + c(e.X) + " " + e.Op + " " + c(e.Y) + ")"
	case scop.Cast:
		if e.T == scop.Bool {
			return "(_Bool)" + c(e.X)
		}
		return "(" + e.T.String() + ")" + c(e.X)
	case scop.Call:
		args := make([]string, len(e.Args))
		for i, a := range e.Args {
			args[i] = c(a)
		}
		return e.Func + "(" + strings.Join(args, ", ") + ")"
	case scop.Cond:
		return "(" + c(e.C) + " ? " + c(e.X) + " : " + c(e.Y) + ")"
	}
	panic(e)
}

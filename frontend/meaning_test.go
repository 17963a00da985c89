package frontend_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/frontend"
	"github.com/hexcc/hexcc/internal/oracle"
	"github.com/hexcc/hexcc/scop"
)

// TestMeaning compares random bodies with what the C compiler makes of them, bit
// for bit: types, conversions, precedence and the order of statements.
func TestMeaning(t *testing.T) {
	for seed := range uint64(3) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			g := &bodies{rng: rand.New(rand.NewPCG(seed, 7))}
			text := g.program(80)
			res, err := frontend.Parse(frontend.Source{Name: "input.c", Text: []byte(text)}, frontend.Options{})
			require.NoError(t, err, text)
			p := res.Programs[0]
			mem, err := scop.NewMemory(p, paramValues(p), seed)
			require.NoError(t, err)
			got := mem.Clone()
			require.NoError(t, scop.Run(p, got))
			for _, level := range oracle.Levels {
				want := oracle.CompileC(t, p, level).Run(t, mem)
				for i, a := range got.Arrays {
					for k, v := range a.Cells {
						if w := want.Arrays[i].Cells[k]; v != w && !bothNaN(a.Array.Elem, v, w) {
							t.Fatalf("%s[%d] is %#x, and %#x in C at %s\n%s", a.Array.Name, k, v, w, level, g.lineOf(a.Array.Name))
						}
					}
				}
			}
		})
	}
}

func paramValues(p *scop.Program) []int64 {
	out := make([]int64, len(p.Params))
	for i, q := range p.Params {
		out[i] = map[string]int64{"T": 3, "n": 12, "odd": 7}[q.Name]
	}
	return out
}

func bothNaN(t scop.Type, x, y uint64) bool {
	switch t {
	case scop.Half:
		return math.IsNaN(t.Number(x)) && math.IsNaN(t.Number(y))
	case scop.Float:
		f := func(b uint64) bool { v := math.Float32frombits(uint32(b)); return v != v }
		return f(x) && f(y)
	case scop.Double:
		return math.IsNaN(math.Float64frombits(x)) && math.IsNaN(math.Float64frombits(y))
	}
	return false
}

// bodies makes random statements, each with an array of its own to write to.
type bodies struct {
	rng    *rand.Rand
	locals []string // of all types
	whole  []string // of integer types
	macros []string
	lines  map[string]string
}

// types are the element types, and the arrays that are read.
var types = []struct{ c, array string }{
	{"int", "I"}, {"unsigned int", "U"}, {"long", "L"}, {"unsigned long", "V"}, {"float", "F"}, {"double", "D"},
	{"signed char", "C"}, {"unsigned char", "B"}, {"short", "S"}, {"unsigned short", "W"}, {"char", "P"}, {"_Float16", "H"},
}

func (g *bodies) program(statements int) string {
	var params, body strings.Builder
	g.lines = map[string]string{}
	for _, t := range types {
		fmt.Fprintf(&params, ", %s %s[restrict n]", t.c, t.array)
	}
	defines := g.defines(30)
	for i := range statements {
		t := types[g.rng.IntN(len(types))].c
		name := fmt.Sprintf("o%d", i)
		fmt.Fprintf(&params, ", %s %s[restrict n]", t, name)
		line := fmt.Sprintf("      %s[i] %s %s;\n", name, g.pick("=", "=", "=", "+=", "-=", "*="), g.valueFor(t))
		g.lines[name] = line
		body.WriteString(line)
		if g.rng.IntN(4) == 0 {
			local := fmt.Sprintf("x%d", i)
			t := types[g.rng.IntN(len(types))].c
			fmt.Fprintf(&body, "      %s %s = %s;\n", t, local, g.valueFor(t))
			g.locals = append(g.locals, local)
			if !isFloating(t) {
				g.whole = append(g.whole, local)
			}
		}
	}
	return "#include <math.h>\n#include <stdint.h>\n#include <stdlib.h>\nenum { SEVEN = 7 };\n" + defines + "void f(int T, int n, int odd, float alpha, double beta, unsigned gamma, short narrow, _Float16 delta" + params.String() + ")\n{\n" +
		"#pragma scop\n  for (int t = 0; t < T; t++)\n    for (int i = 1; i < n - 1; i++) {\n" + body.String() + "    }\n#pragma endscop\n}\n"
}

// valueFor returns an expression to assign to type t. A float that does not fit
// an integer has no meaning in C, so integers get integers.
func (g *bodies) valueFor(t string) string {
	if isFloating(t) {
		return g.expr(4)
	}
	return g.wholeExpr(3)
}

func isFloating(t string) bool { return t == "float" || t == "double" || t == "_Float16" }

func (g *bodies) wholeExpr(depth int) string {
	if depth == 0 {
		if len(g.whole) > 0 && g.rng.IntN(3) == 0 {
			return g.pick(g.whole...)
		}
		return g.integer()
	}
	x, y := g.wholeExpr(depth-1), g.wholeExpr(depth-1)
	switch g.rng.IntN(6) {
	case 0:
		return fmt.Sprintf("(%s ? %s : %s)", g.expr(1), x, y)
	case 1:
		return g.wrap(g.expr(2)) + g.pick(" < ", " >= ", " != ", " && ") + g.wrap(g.expr(2))
	case 2:
		return fmt.Sprintf("(%s %s (((%s) & 7) + 1))", g.wrap(x), g.pick("/", "%", "<<", ">>"), y)
	}
	return x + g.pick(" + ", " - ", " * ") + g.wrap(y)
}

// defines returns macros that stand for constants, each made of those before.
func (g *bodies) defines(count int) (text string) {
	for i := range count {
		name := fmt.Sprintf("K%d", i)
		text += fmt.Sprintf("#define %s (%s)\n", name, g.constant(3))
		g.macros = append(g.macros, name)
	}
	return text
}

// constant returns an expression of numbers.
func (g *bodies) constant(depth int) string {
	if depth == 0 || g.rng.IntN(6) == 0 {
		if len(g.macros) > 0 && g.rng.IntN(3) == 0 {
			return g.pick(g.macros[:min(len(g.macros), 4)]...) // not of the last: macros of macros grow
		}
		return g.pick("0.1f", "0.1", "2", "1e-3f", "0x1.8p1", "3.f", "16777217.0f", "7u", "3L", "100000000000", "4294967295", "1ul", "'x'", "SEVEN", "0.0", "-0.0f", "1e-40f")
	}
	x, y := g.wrap(g.constant(depth-1)), g.wrap(g.constant(depth-1))
	switch g.rng.IntN(8) {
	case 0:
		return "-" + x
	case 1:
		return fmt.Sprintf("(%s)%s", g.pick("float", "double"), x)
	case 2:
		return x + " / (double)" + y // integers may be 0
	}
	return x + g.pick(" + ", " - ", " * ") + y
}

func (g *bodies) lineOf(array string) string { return g.lines[array] }

func (g *bodies) pick(xs ...string) string { return xs[g.rng.IntN(len(xs))] }

// expr returns an expression of any type. It has no undefined behaviour, given -fwrapv.
func (g *bodies) expr(depth int) string {
	if depth == 0 || g.rng.IntN(8) == 0 {
		return g.leaf()
	}
	x, y := g.expr(depth-1), g.expr(depth-1)
	switch g.rng.IntN(12) {
	case 0, 1, 2, 3:
		return x + g.pick(" + ", " - ", " * ", "+", "*") + g.wrap(y)
	case 4:
		return g.wrap(x) + g.pick(" < ", " <= ", " > ", ">=", " == ", " != ") + g.wrap(y)
	case 5:
		return "(" + x + g.pick(" && ", " || ") + y + ")"
	case 6:
		return fmt.Sprintf("(%s ? %s : %s)", g.expr(1), x, y)
	case 7:
		return g.pick("-", "!", "+", "- -") + g.wrap(x)
	case 8:
		n := g.integer()
		return fmt.Sprintf("(%s %s %s)", n, g.pick("&", "|", "^"), g.integer())
	case 9:
		return fmt.Sprintf("(%s %s ((%s & 7) + 1))", g.integer(), g.pick("/", "%", "<<", ">>"), g.integer())
	case 10:
		return fmt.Sprintf("(%s)%s", g.pick("float", "double", "_Float16"), g.wrap(x))
	default:
		return fmt.Sprintf(g.pick("fabs(%s)", "fabsf(%s)", "sqrtf(fabsf(%s))", "sqrt(fabs(%s))", "fmaxf(%s, 2)", "fmin(1, %s)", "floor(%s)", "ceilf(%s)", "fmaf(%s, 2, 1)"), x)
	}
}

func (g *bodies) wrap(x string) string { return "(" + x + ")" }

// integer returns an expression of an integer type.
func (g *bodies) integer() string {
	e := g.pick("I[i]", "U[i - 1]", "L[i + 1]", "V[i]", "C[i]", "B[i + 1]", "S[i - 1]", "W[i]", "P[i]", "narrow", "t", "i", "odd", "gamma", "'x'", "SEVEN", "12u", "0x10L", "5", "sizeof(float)")
	switch g.rng.IntN(4) {
	case 0:
		return fmt.Sprintf("(%s)%s", g.pick("int", "unsigned", "long", "unsigned long", "short", "unsigned char", "char", "uint16_t"), e)
	case 1:
		return "~" + e
	case 2:
		return fmt.Sprintf("abs(%s %% 100)", e)
	}
	return e
}

func (g *bodies) leaf() string {
	if len(g.locals) > 0 && g.rng.IntN(3) == 0 {
		return g.pick(g.locals...)
	}
	switch g.rng.IntN(6) {
	case 0, 1:
		return g.integer()
	case 2:
		return g.pick(g.macros...)
	}
	return g.pick("F[i]", "D[i]", "F[i - 1]", "D[i + 1]", "H[i]", "H[i + 1]", "alpha", "beta", "delta", "n", "0.1f", "0.1", "2", "1e-3f", "0x1.8p1", ".5F", "3.f", "1e3", "16777217.0f", "7u", "3L", "100000000000", "0xffffffff", "4294967295", "1ul", "010")
}

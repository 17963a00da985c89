package scop_test

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/frontend"
	"github.com/hexcc/hexcc/internal/oracle"
	"github.com/hexcc/hexcc/scop"
)

// fusedShapes are values in C, of doubles a to h, floats u to z and integers i and k, and what becomes of them.
var fusedShapes = []struct{ c, want string }{
	{"a[i] * b + c", "fma(a[i], b, c)"},
	{"c + a[i] * b", "fma(a[i], b, c)"},
	{"a[i] * b - c", "fma(a[i], b, -c)"},
	{"c - a[i] * b", "fma(-a[i], b, c)"},
	{"u * v + w", "(double)fmaf(u, v, w)"},
	// Which of two products, and in which order.
	{"a[i] * b + c * d", "fma(a[i], b, c * d)"},
	{"a[i] * b - c * d", "fma(a[i], b, -(c * d))"},
	{"a[i] * b + c * d + e * f", "fma(e, f, fma(a[i], b, c * d))"},
	{"a[i] * b + (c * d + e * f)", "fma(a[i], b, fma(c, d, e * f))"},
	{"(a[i] * b + c) + (d * e + f)", "fma(a[i], b, c) + fma(d, e, f)"},
	{"a[i] + b * c + d", "fma(b, c, a[i]) + d"},
	{"(a[i] * b + c) * d + e", "fma(fma(a[i], b, c), d, e)"},
	{"a[i] * b * c + d", "fma(a[i] * b, c, d)"},
	{"a[i] * (b + c * d) - e", "fma(a[i], fma(c, d, b), -e)"},
	// Unary operators around a product and elsewhere.
	{"-(a[i] * b) + c", "fma(-a[i], b, c)"},
	{"-a[i] * b + c", "fma(-a[i], b, c)"},
	{"c - -(a[i] * b)", "fma(a[i], b, c)"},
	{"c + +(a[i] * b)", "fma(a[i], b, c)"},
	{"-(-(a[i] * b)) - -c", "fma(a[i], b, c)"},
	{"-(a[i] * b + c)", "-fma(a[i], b, c)"},
	{"c - -a[i] * b", "fma(a[i], b, c)"},
	// What is no product of the expression itself, or of no number with digits.
	{"a[i] / b + c", "(a[i] / b) + c"},
	{"a[i] * b / c + d", "((a[i] * b) / c) + d"},
	{"a[i] * b", "a[i] * b"},
	{"a[i] + b", "a[i] + b"},
	{"(double)(a[i] * b) + c", "(double)(a[i] * b) + c"},
	{"(float)(a[i] * b) + u", "(double)((float)(a[i] * b) + u)"},
	{"u * v + c", "(double)(u * v) + c"},
	{"u * c + v", "fma((double)u, c, (double)v)"},
	{"i * k + 1", "(double)((i * k) + 1)"},
	{"i * k + c", "(double)(i * k) + c"},
	{"(i * k + 1) * c + b", "fma((double)((i * k) + 1), c, b)"},
	{"fma(a[i], b, c) + d", "fma(a[i], b, c) + d"},
	{"fma(a[i], b, c * d) * e + f", "fma(fma(a[i], b, c * d), e, f)"},
	// Parts of other expressions.
	{"sqrt(a[i] * b + c)", "sqrt(fma(a[i], b, c))"},
	{"a[i] * b + c > 0 ? c * d + e : f", "(fma(a[i], b, c) > (double)0) ? fma(c, d, e) : f"},
	{"a[i] * b > c * d - e ? b : c", "((a[i] * b) > fma(c, d, -e)) ? b : c"},
	{"(a[i] > 0 ? b * c : d) + e", "((a[i] > (double)0) ? (b * c) : d) + e"},
}

// region returns the program that stores a value in C.
func region(t testing.TB, value string) *scop.Program {
	t.Helper()
	text := fmt.Sprintf(`#include <math.h>
void f(int T, int n, int k, double a[n], double r[n], double b, double c, double d, double e, double f, float u, float v, float w)
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 0; i < n; i++)
      r[i] = %s;
#pragma endscop
}
`, value)
	res, err := frontend.Parse(frontend.Source{Name: "f.c", Text: []byte(text)}, frontend.Options{NoAlias: true})
	require.NoError(t, err, value)
	return res.Programs[0]
}

// TestFused shows what becomes of values.
func TestFused(t *testing.T) {
	for _, x := range fusedShapes {
		p := region(t, x.c)
		before := p.String()
		fused := scop.Fused(p)
		require.NoError(t, fused.Verify())
		require.Equal(t, before, p.String(), "the program itself stays")
		_, got, _ := strings.Cut(fused.String(), "  r[i] = ")
		require.Equal(t, x.want+";\n", got, x.c)
		mine := strings.Count(x.want, "fma") - strings.Count(x.c, "fma")
		if require.Equal(t, mine, fused.Fusions); mine == 0 {
			require.Same(t, p, fused)
		}
		require.Same(t, p, fused.AsWritten())
		require.Same(t, fused.AsWritten(), scop.Fused(p.AsWritten()).AsWritten())
	}
}

// TestFusedOnce checks that nothing is left to fuse, and that local scalars are rounded.
func TestFusedOnce(t *testing.T) {
	p, _ := expressionProgram(300)
	fused := scop.Fused(p)
	require.Positive(t, fused.Fusions)
	require.Same(t, fused, scop.Fused(fused))
	for k, a := range fused.Stmts[0].Body {
		scop.Visit(scop.Assigned(a), func(e scop.Expr) {
			if sum, ok := e.(scop.Binary); ok && (sum.Op == "+" || sum.Op == "-") && sum.Type().IsFloat() {
				for _, x := range []scop.Expr{sum.X, sum.Y} {
					product, ok := x.(scop.Binary)
					require.False(t, ok && product.Op == "*", "%s", c(scop.Assigned(p.Stmts[0].Body[k])))
				}
			}
		})
	}
}

// TestFusedInC compiles random expressions with products fused with the C compiler, which has fma from its library, and compares every
// value bit for bit.
func TestFusedInC(t *testing.T) {
	p, _ := expressionProgram(80)
	fused := scop.Fused(p)
	text := string(p.Source)
	for k, a := range p.Stmts[0].Body {
		text = strings.Replace(text, "= "+c(scop.Assigned(a))+";\n", "= "+c(scop.Assigned(fused.Stmts[0].Body[k]))+";\n", 1)
	}
	fused.Source = []byte(text)
	require.Equal(t, fused.Fusions, strings.Count(text, "fma(")+strings.Count(text, "fmaf(")-strings.Count(string(p.Source), "fma(")-strings.Count(string(p.Source), "fmaf("))
	var mems []*scop.Memory
	for seed := range uint64(3) {
		mem, err := scop.NewMemory(fused, []int64{40}, seed)
		require.NoError(t, err)
		roughen(mem, seed)
		mems = append(mems, mem)
	}
	oracle.SameAsC(t, fused, mems...)
}

// TestFusedRoundsOnce compares what is computed with the exact value, rounded once.
func TestFusedRoundsOnce(t *testing.T) {
	p := scop.Fused(region(t, "c - a[i] * b"))
	rng := rand.New(rand.NewPCG(3, 4))
	differ := 0
	for seed := range uint64(50) {
		mem, err := scop.NewMemory(p, []int64{1, 20}, seed)
		require.NoError(t, err)
		for k := range mem.Scalars {
			mem.Scalars[k] = math.Float64bits(rng.NormFloat64())
		}
		number := func(bits uint64) *big.Float {
			return new(big.Float).SetPrec(2000).SetFloat64(math.Float64frombits(bits))
		}
		arrays, values := map[string][]uint64{}, map[string]uint64{}
		for _, s := range mem.Arrays {
			arrays[s.Array.Name] = s.Cells
		}
		for k, s := range p.Scalars {
			values[s.Name] = mem.Scalars[k]
		}
		var want []uint64
		for _, x := range arrays["a"] {
			exact := new(big.Float).SetPrec(2000).Mul(number(x), number(values["b"]))
			exact.Sub(number(values["c"]), exact)
			f, _ := exact.Float64()
			want = append(want, math.Float64bits(f))
			if b := math.Float64frombits; f != b(values["c"])-float64(b(x)*b(values["b"])) {
				differ++
			}
		}
		require.NoError(t, scop.Run(p, mem))
		require.Equal(t, want, arrays["r"])
	}
	require.Positive(t, differ, "rounding twice is something else")
}

// TestCompareRounded compares memories whose difference is known.
func TestCompareRounded(t *testing.T) {
	double := &scop.Array{Name: "d", Elem: scop.Double, Extents: []scop.Affine{{Const: 3}}}
	float := &scop.Array{Name: "f", Elem: scop.Float, Extents: []scop.Affine{{Const: 3}}}
	half := &scop.Array{Name: "h", Elem: scop.Half, Extents: []scop.Affine{{Const: 3}}}
	whole := &scop.Array{Name: "k", Elem: scop.Int, Extents: []scop.Affine{{Const: 3}}}
	p := &scop.Program{Arrays: []*scop.Array{double, float, half, whole}}
	inf, nan := math.Inf(1), math.NaN()
	for _, x := range []struct {
		what    string
		a       *scop.Array
		x, y    float64 // element 1; the first is 4, the last 0
		units   float64
		refused bool
	}{
		{"equal", double, 1, 1, 0, false},
		{"one unit of the largest", double, 1, 1 + 0x1p-50, 1, false},
		{"just within", double, 1, 1 + 0x1p-40, 1024, false},
		{"just beyond", double, 1, 1 + 0x1p-40 + 0x1p-51, 1024.5, true},
		{"cancelled", double, 0x1p-52, -0x1p-52, 0x1p-53 * (1 << 52), false},
		{"another sign of 0", double, 0, math.Copysign(0, -1), 0, false},
		{"no numbers", double, nan, -nan, 0, false},
		{"a number and none", double, 1, nan, inf, true},
		{"infinite", double, inf, inf, 0, false},
		{"infinite and not", double, 1, inf, inf, true},
		{"infinite with another sign", double, -inf, inf, inf, true},
		{"larger than the largest before", double, 1 << 20, 1<<20 + 0x1p-32, 1, false},
		{"float within", float, 1, 1 + 0x1p-11, 1024, false},
		{"float beyond", float, 1, 1 + 0x1p-11 + 0x1p-20, 1026, true},
		{"half within", half, 1, 1 + 0x1p-4, 16, false},
		{"half beyond", half, 1, 1 + 0x1p-4 + 0x1p-8, 17, true},
		{"integers", whole, 1, 1, 0, false},
		{"other integers", whole, 1, 2, 0, true},
	} {
		before, err := scop.NewMemory(p, nil, 1)
		require.NoError(t, err)
		for _, s := range before.Arrays {
			for k, v := range []float64{4, 0, 0} {
				s.Cells[k] = bitsOf(s.Array.Elem, v)
			}
		}
		m, n := before.Clone(), before.Clone()
		m.Storage(x.a).Cells[1], n.Storage(x.a).Cells[1] = bitsOf(x.a.Elem, x.x), bitsOf(x.a.Elem, x.y)
		for range 2 {
			r := m.CompareRounded(n, before)
			require.EqualValues(t, 12, r.Elements)
			require.InDelta(t, x.units, r.Units, 0x1p-10, x.what)
			if require.Equal(t, !x.refused, r.OK(), x.what); x.refused {
				require.Equal(t, x.a.Name+"[1]", r.First)
			}
			m, n = n, m
		}
	}
}

func bitsOf(t scop.Type, v float64) uint64 {
	if t.IsFloat() {
		return t.OfFloat(v)
	}
	return uint64(v)
}

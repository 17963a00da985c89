package scan_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen/scan"
)

var (
	varI, varN = affine.Var("i"), affine.Var("n")
	zero       = affine.Num(0)
)

func atLeast(x, y affine.Expr) scan.Comparison {
	return scan.Comparison{Op: scan.AtLeast, Left: x, Right: y}
}

// TestC checks the text of loops.
func TestC(t *testing.T) {
	call := &scan.Call{Stmt: "S", Args: []affine.Expr{varI, varN.Minus(varI).Add(2)}}
	for _, c := range []struct {
		node scan.Node
		want string
	}{
		{nil, ""},
		{&scan.Call{Stmt: "S"}, "S();\n"},
		{&scan.For{Var: "i", Lo: zero, Hi: varN.Add(-1), Step: 1, Body: call}, "for (int i = 0; i < n; i += 1)\n  S(i, n - i + 2);\n"},
		{&scan.For{Var: "i", Lo: affine.MaxOf(zero, varN, varN.Times(3)), Hi: affine.MinOf(affine.Floor(varN, 2), affine.Num(9)), Step: 3, Body: scan.Block{call, call}},
			"for (int i = max(max(0, n), 3 * n); i <= min(floord(n, 2), 9); i += 3) {\n  S(i, n - i + 2);\n  S(i, n - i + 2);\n}\n"},
		{&scan.If{Cond: scan.Cond{{atLeast(varN, zero), {Op: scan.Equal, Left: affine.Modulo(varI.Plus(varN), 2), Right: zero}}, {{Op: scan.AtMost, Left: varI, Right: varN}}}, Then: call},
			"if ((n >= 0 && (i + n) % 2 == 0) || i <= n)\n  S(i, n - i + 2);\n"},
		{&scan.If{Cond: scan.Cond{{{Op: scan.Equal, Left: affine.Modulo(varN, 3), Right: affine.Num(1)}}}, Then: call, Else: scan.Block{&scan.If{Cond: scan.Cond{{}}, Then: call, Else: call}}},
			"if (mod(n, 3) == 1) {\n  S(i, n - i + 2);\n} else if (1) {\n  S(i, n - i + 2);\n} else {\n  S(i, n - i + 2);\n}\n"},
		{&scan.If{Cond: scan.Cond{}, Then: &scan.If{Cond: scan.Cond{{}}, Then: call, Else: call}},
			"if (0) {\n  if (1) {\n    S(i, n - i + 2);\n  } else {\n    S(i, n - i + 2);\n  }\n}\n"},
		{&scan.Mark{Name: "two\nlines", Body: call}, "// two lines\nS(i, n - i + 2);\n"},
		{&scan.For{Var: "i", Lo: zero, Hi: zero, Step: 1, Body: &scan.Mark{Name: "m", Body: call}}, "for (int i = 0; i <= 0; i += 1) {\n  // m\n  S(i, n - i + 2);\n}\n"},
	} {
		assert.Equal(t, c.want, scan.C(c.node))
	}
}

// TestExpr checks the text of expressions.
func TestExpr(t *testing.T) {
	floor := affine.Floor(varI.Plus(varN), 4)
	for _, c := range []struct {
		e    affine.Expr
		want string
	}{
		{zero, "0"},
		{affine.Num(-3), "-3"},
		{varI.Times(-1), "-i"},
		{varI.Times(-2).Add(5), "5 - 2 * i"},
		{varI.Times(-2).Plus(varN).Add(-5), "n - 2 * i - 5"},
		{affine.Total(varI.Add(1), -4, floor), "i - 4 * floord(i + n, 4) + 1"},
		{affine.Total(varI.Times(-1).Add(-1), 3, floor), "3 * floord(i + n, 4) - i - 1"},
		{affine.Modulo(varI.Add(3), 2), "mod(i + 1, 2)"},
	} {
		assert.Equal(t, c.want, scan.Expr(c.e))
	}
}

// TestCounts counts what isl prints, and what we do.
func TestCounts(t *testing.T) {
	text := `for (int c0 = max(0, n); c0 <= min(min(N - 1, 32), floord(n, 2)); c0 += 1) {
  // for (mark); if (x) % min(
  if (c0 % 2 == 0 && mod(n, 3) >= 1) {
    if_not(c0 / 2);
  } else if (n >= 0)
    max_of(c0 >= 2 ? 1 : 2, 0);
}`
	c := scan.CountText(text)
	assert.Equal(t, scan.Counts{Loops: 1, Ifs: 2, Mods: 2, Divs: 2, Mins: 2, Maxes: 1, Selects: 1, Calls: 2}, c)
	assert.Equal(t, 9, c.Operations())
	assert.Equal(t, "2 for, 4 if, 4 mod, 4 div, 4 min, 2 max, 2 ?, 4 calls", c.Plus(c).String())
	assert.Equal(t, scan.Counts{Ifs: 1, Calls: 1}, scan.Count(&scan.If{Cond: scan.Cond{{}}, Then: &scan.Call{Stmt: "S"}}))
}

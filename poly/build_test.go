package poly_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/poly"
)

// A formulaMaker makes random formulas over names.
type formulaMaker struct {
	*rand.Rand
	names []string
}

func (m *formulaMaker) sum() affine.Sum {
	x := affine.Num(m.Int64N(11) - 5)
	for range m.IntN(4) {
		x = x.Plus(affine.Var(m.names[m.IntN(len(m.names))]).Times(m.Int64N(7) - 3))
	}
	return x
}

func (m *formulaMaker) expr() affine.Expr {
	switch m.IntN(8) {
	case 0:
		return affine.Floor(m.sum(), 1+m.Int64N(4))
	case 1:
		return affine.Modulo(m.sum(), 1+m.Int64N(4))
	case 2:
		return affine.MinOf(m.sum(), m.sum())
	case 3:
		return affine.MaxOf(m.sum(), affine.Floor(m.sum(), 3))
	}
	return m.sum()
}

func (m *formulaMaker) formula(depth int) poly.Formula {
	if depth > 0 {
		f, g := m.formula(depth-1), m.formula(depth-1)
		switch m.IntN(6) {
		case 0:
			return poly.And(f, g)
		case 1:
			return poly.Or(f, g)
		case 2:
			return poly.Not(f)
		case 3:
			inner := &formulaMaker{m.Rand, append(m.names[:len(m.names):len(m.names)], "e")}
			return poly.Exists([]string{"e"}, poly.And(inner.formula(0), poly.AtMost(affine.Num(-9), affine.Var("e")), poly.Less(affine.Var("e"), affine.Num(9))))
		}
		return f
	}
	compare := []func(x, y affine.Expr) poly.Formula{poly.Less, poly.AtMost, poly.Equal, poly.Unequal,
		func(x, _ affine.Expr) poly.Formula { return poly.NotNegative(x) }}
	return compare[m.IntN(len(compare))](m.expr(), m.expr())
}

// TestBuiltIsParsed compares what is built with what the parser makes of its text: the points, and how they are written.
func TestBuiltIsParsed(t *testing.T) {
	m := &formulaMaker{rand.New(rand.NewPCG(5, 6)), []string{"n", "m", "i", "j", "k"}}
	params := []string{"n", "m"}
	s, one, two := poly.Tuple{Name: "S", Dims: []string{"i", "j", "k"}}, poly.Tuple{Name: "S", Dims: []string{"i", "j"}}, poly.Tuple{Dims: []string{"k"}}
	same := func(text string, got, want fmt.Stringer) { require.Equal(t, want.String(), got.String(), text) }
	for range 1500 {
		f, g := m.formula(m.IntN(3)), m.formula(m.IntN(2))
		where := fmt.Sprintf("(%v) and (%v)", f, g)
		text := fmt.Sprintf("[n, m] -> { S[i, j, k] : %s }", where)
		same(text, poly.NewSet(params, s, f, g), poly.MustSet(text))
		text = fmt.Sprintf("[n, m] -> { S[i, j] -> [k] : %s }", where)
		same(text, poly.NewMap(params, one, two, f, g), poly.MustMap(text))
		values := []affine.Expr{m.sum(), m.sum(), affine.Var(m.names[m.IntN(5)]), affine.Modulo(m.sum(), 2), affine.Floor(m.sum(), 3)}
		text = fmt.Sprintf("[n, m] -> { S[i, j, k] -> A[%s] : %s }", exprsText(values), where)
		same(text, poly.NewFunction(params, s, poly.Tuple{Name: "A"}, values, f, g), poly.MustMap(text))
		p := &formulaMaker{m.Rand, params}
		f = p.formula(1)
		text = fmt.Sprintf("[n, m] -> { : %v }", f)
		same(text, poly.NewParamSet(params, f), poly.MustSet(text))
	}
}

// exprsText returns expressions as entries of a tuple in isl's notation.
func exprsText(xs []affine.Expr) string {
	texts := make([]string, len(xs))
	for i, x := range xs {
		texts[i] = strings.TrimPrefix(poly.Equal(affine.Num(0), x).String(), "0 = ")
	}
	return strings.Join(texts, ", ")
}

// TestBuiltFromPlaces compares dimensions by place with dimensions by name.
func TestBuiltFromPlaces(t *testing.T) {
	for _, n := range []int{1, 3, 12} {
		x, y, want := poly.Dims(n), poly.Dims(n), poly.True()
		got := poly.True()
		for i := range n {
			x[i], y[i] = fmt.Sprint("x", i), fmt.Sprint("y", i)
			want = poly.And(want, poly.Less(affine.Var(x[i]), affine.Var(y[i]).Add(int64(i))))
			got = poly.And(got, poly.Less(poly.In(i), poly.Out(i).Add(int64(i))))
		}
		a := poly.NewMap(nil, poly.Tuple{Name: "S", Dims: poly.Dims(n)}, poly.Tuple{Name: "T", Dims: poly.Dims(n)}, got)
		b := poly.NewMap(nil, poly.Tuple{Name: "S", Dims: x}, poly.Tuple{Name: "T", Dims: y}, want)
		require.True(t, a.IsEqual(b), "%v\n%v", a, b)
		require.False(t, a.IsEmpty())
	}
	require.Equal(t, "{ S[3, -4] }", poly.NewPoint("S", 3, -4).String())
	require.Equal(t, "{ [] }", poly.NewPoint("").String())
}

// TestBuiltNames checks that names are any text: what the parser could not read, its keywords, and names that parameters and
// dimensions share, which then are meant by their places.
func TestBuiltNames(t *testing.T) {
	plain := poly.MustSet("[a, b] -> { [c] : a <= 2c < b }")
	for _, names := range [][3]string{{"n m", "é", "]"}, {"and", "exists", "mod"}, {"in#1", "out#1", "#1"}, {"1", "x'", "$"}} {
		a, b, c := affine.Var(names[0]), affine.Var(names[1]), affine.Var(names[2])
		got := poly.NewSet(names[:2], poly.Tuple{Dims: names[2:]}, poly.AtMost(a, c.Times(2)), poly.Less(c.Times(2), b))
		for x := int64(-4); x < 5; x++ {
			for y := int64(-4); y < 5; y++ {
				for z := int64(-4); z < 5; z++ {
					require.Equal(t, plain.Contains(map[string]int64{"a": x, "b": y}, z), got.Contains(map[string]int64{names[0]: x, names[1]: y}, z), "%v", got)
				}
			}
		}
	}
	shared := poly.NewSet([]string{"x"}, poly.Tuple{Dims: []string{"x"}}, poly.Less(poly.Out(0), affine.Num(4)))
	require.True(t, shared.Contains(map[string]int64{"x": 9}, 3))
	require.False(t, shared.Contains(map[string]int64{"x": 3}, 4))
	require.Panics(t, func() {
		poly.NewSet([]string{"x"}, poly.Tuple{Dims: []string{"x"}}, poly.Less(affine.Var("x"), affine.Num(4)))
	}, "x is two things")
	require.Panics(t, func() {
		poly.NewMap(nil, poly.Tuple{Dims: []string{"x"}}, poly.Tuple{Dims: []string{"x"}}, poly.NotNegative(affine.Var("x")))
	}, "x is two things")
	require.Panics(t, func() { poly.NewParamSet(nil, poly.NotNegative(affine.Var("x"))) }, "there is no x")
}

// TestBuiltSums checks that sets of sums that do not fit are errors, and that what poly makes of sums that do may be wider.
func TestBuiltSums(t *testing.T) {
	n := affine.Var("n")
	var limit *poly.LimitError
	err := poly.Limited(func() error {
		poly.NewParamSet([]string{"n"}, poly.NotNegative(n.Times(math.MaxInt64).Times(2)))
		return nil
	})
	require.ErrorAs(t, err, &limit)
	wide := poly.NewParamSet([]string{"n", "m"}, poly.Equal(n.Times(math.MaxInt64), affine.Var("m").Times(-math.MaxInt64+1)), poly.Less(affine.Num(0), n))
	require.True(t, wide.IsEqual(poly.MustSet("[n, m] -> { : 9223372036854775807n = -9223372036854775806m and n > 0 }")))
	require.False(t, wide.IsEmpty())
}

// TestFormulas checks what And, Or and Not make of True and False.
func TestFormulas(t *testing.T) {
	x := poly.NotNegative(affine.Var("x"))
	for _, c := range []struct {
		got  poly.Formula
		want string
	}{
		{poly.And(), "true"},
		{poly.Or(), "false"},
		{poly.And(poly.True(), x), "x >= 0"},
		{poly.And(x, poly.False()), "false"},
		{poly.Or(poly.False(), x), "x >= 0"},
		{poly.Or(x, poly.True()), "true"},
		{poly.Not(poly.True()), "false"},
		{poly.Not(poly.Not(x)), "x >= 0"},
		{poly.Not(poly.And(x, x)), "not (x >= 0 and x >= 0)"},
		{poly.Or(poly.And(x, x), x), "(x >= 0 and x >= 0) or x >= 0"},
		{poly.Exists([]string{"e"}, poly.True()), "true"},
		{poly.Exists([]string{"e", "x"}, x), "exists (e, x : x >= 0)"},
	} {
		require.Equal(t, c.want, c.got.String())
	}
	require.True(t, poly.NewSet(nil, poly.Tuple{Dims: []string{"x"}}, poly.False()).IsEmpty())
}

// TestFunctionsNameNoPlaces checks that dimensions which equal others by their place get the names of those, or none.
func TestFunctionsNameNoPlaces(t *testing.T) {
	in := poly.Tuple{Dims: []string{"", "j"}}
	m := poly.NewFunction(nil, in, poly.Tuple{Dims: poly.Dims(4)}, []affine.Expr{poly.In(0), poly.In(1), nil, poly.Out(2)}, poly.AtMost(poly.In(0), poly.Out(2)))
	require.NotContains(t, m.String(), "#")
	require.True(t, poly.MustMap(m.String()).IsEqual(m), "%v", m)
	require.True(t, m.IsEqual(poly.MustMap("{ [i, j] -> [i, j, k, k] : i <= k }")), "%v", m)
}

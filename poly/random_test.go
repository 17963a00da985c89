package poly

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// This file makes random formulas, as text for the parser and as functions that evaluate them point by point: the
// oracle of the other tests.

// An env has the values of the variables in scope.
type env map[string]int64

// A formula is a condition, as text and as its meaning.
type formula struct {
	text  string
	holds func(env) bool
}

// A quasi is a quasi-affine expression, as text and as its meaning.
type quasi struct {
	text  string
	value func(env) int64
}

// A gen makes random formulas.
type gen struct {
	*rand.Rand
	coef, con int  // largest coefficient and constant
	plain     bool // no divs, negations or quantifiers
	fresh     int
}

func newGen(seed uint64) *gen { return &gen{Rand: rand.New(rand.NewPCG(seed, 7)), coef: 3, con: 6} }

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// linear returns a random affine expression of vars.
func (g *gen) linear(vars []string) quasi {
	type part struct {
		k int64
		x string
	}
	var parts []part
	for _, x := range vars {
		if g.IntN(2) == 0 {
			parts = append(parts, part{int64(g.IntN(2*g.coef+1) - g.coef), x})
		}
	}
	c := int64(g.IntN(2*g.con+1) - g.con)
	text := fmt.Sprint(c)
	for _, p := range parts {
		text += fmt.Sprintf(" + %d*%s", p.k, p.x)
	}
	return quasi{strings.ReplaceAll(text, "+ -", "- "), func(e env) int64 {
		sum := c
		for _, p := range parts {
			sum += p.k * e[p.x]
		}
		return sum
	}}
}

// term returns a random quasi-affine expression of vars.
func (g *gen) term(vars []string) quasi {
	a := g.linear(vars)
	if g.plain || g.IntN(3) > 0 {
		return a
	}
	b, d := g.linear(vars), int64(2+g.IntN(4))
	if g.IntN(2) == 0 {
		return quasi{fmt.Sprintf("%s - floor((%s)/%d)", a.text, b.text, d),
			func(e env) int64 { return a.value(e) - floorDiv(b.value(e), d) }}
	}
	return quasi{fmt.Sprintf("%s + ((%s) mod %d)", a.text, b.text, d),
		func(e env) int64 { return a.value(e) + b.value(e) - d*floorDiv(b.value(e), d) }}
}

func (g *gen) atom(vars []string) formula {
	a := g.term(vars)
	if g.IntN(4) == 0 {
		return formula{a.text + " = 0", func(e env) bool { return a.value(e) == 0 }}
	}
	return formula{a.text + " >= 0", func(e env) bool { return a.value(e) >= 0 }}
}

// formula returns a random formula of vars; the variables of quantifiers stay between -size and size.
func (g *gen) formula(vars []string, depth int) formula {
	if depth == 0 {
		return g.atom(vars)
	}
	kinds := 7
	if g.plain {
		kinds = 4
	}
	a := g.formula(vars, depth-1)
	switch g.IntN(kinds) {
	case 0:
		b := g.formula(vars, depth-1)
		return formula{"(" + a.text + " or " + b.text + ")", func(e env) bool { return a.holds(e) || b.holds(e) }}
	case 1, 2, 3:
		b := g.formula(vars, depth-1)
		return formula{"(" + a.text + " and " + b.text + ")", func(e env) bool { return a.holds(e) && b.holds(e) }}
	case 4:
		return formula{"not (" + a.text + ")", func(e env) bool { return !a.holds(e) }}
	}
	return g.exists(vars, depth-1)
}

func (g *gen) exists(vars []string, depth int) formula {
	const size = 6
	g.fresh++
	x := fmt.Sprintf("e%d", g.fresh)
	f := g.formula(append(vars[:len(vars):len(vars)], x), depth)
	text := fmt.Sprintf("(exists %s: -%d <= %s <= %d and %s)", x, size, x, size, f.text)
	return formula{text, func(e env) bool {
		inner := env{}
		for k, v := range e {
			inner[k] = v
		}
		for v := int64(-size); v <= size; v++ {
			inner[x] = v
			if f.holds(inner) {
				return true
			}
		}
		return false
	}}
}

// A sample set has a formula about N, i and j and the set that poly makes of it.
type sampleSet struct {
	formula
	set Set
}

// window bounds the points that tests look at.
const window = 6

func (g *gen) text(f formula, box string) string { return "[N] -> { S[i, j] : " + box + f.text + " }" }

// sampleSet returns a random set, within the window if it is boxed.
func (g *gen) sampleSet(depth int, boxed bool) sampleSet {
	f := g.formula([]string{"N", "i", "j"}, depth)
	if !boxed {
		return sampleSet{f, MustSet(g.text(f, ""))}
	}
	box := fmt.Sprintf("-%d <= N, i, j <= %d and ", window, window)
	in := func(e env) bool {
		return max(e["N"], e["i"], e["j"]) <= window && min(e["N"], e["i"], e["j"]) >= -window && f.holds(e)
	}
	return sampleSet{formula{f.text, in}, MustSet(g.text(f, box))}
}

// points calls f with all points of the window.
func points(f func(n, i, j int64)) {
	for n := int64(-window); n <= window; n++ {
		for i := int64(-window); i <= window; i++ {
			for j := int64(-window); j <= window; j++ {
				f(n, i, j)
			}
		}
	}
}

func has(s Set, n int64, point ...int64) bool {
	return s.Contains(map[string]int64{"N": n}, point...)
}

func (s sampleSet) has(n, i, j int64) bool { return s.holds(env{"N": n, "i": i, "j": j}) }

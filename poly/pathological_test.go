package poly

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

// hang is far above what any operation takes before it answers or passes a bound, which is seconds, even on a busy machine.
const hang = 60 * time.Second

// repeated returns n texts that f makes, with sep between them.
func repeated(n int, sep string, f func(i int) string) string {
	list := make([]string, n)
	for i := range list {
		list[i] = f(i)
	}
	return strings.Join(list, sep)
}

// names returns x0, .., x(n-1).
func names(prefix string, n int) string {
	return repeated(n, ", ", func(i int) string { return fmt.Sprint(prefix, i) })
}

// scattered returns a union of n boxes, some of which meet.
func scattered(n int) string {
	g := rand.New(rand.NewPCG(1, 2))
	return "{ S[i, j] : " + repeated(n, " or ", func(int) string {
		x, y := g.IntN(100), g.IntN(100)
		return fmt.Sprintf("(%d <= i <= %d and %d <= j <= %d)", x, x+g.IntN(9), y, y+g.IntN(9))
	}) + " }"
}

// slanted returns a union of n random polygons between parameters.
func slanted(n int) string {
	g := rand.New(rand.NewPCG(3, 4))
	return "[N, M] -> { S[i, j] : " + repeated(n, " or ", func(int) string {
		return "(" + repeated(5, " and ", func(int) string {
			return fmt.Sprintf("%di + %dj + %dN + %dM + %d >= 0", g.IntN(9)-4, g.IntN(9)-4, g.IntN(3), g.IntN(3), g.IntN(50)-9)
		}) + " and -50 <= i, j <= 50)"
	}) + " }"
}

// dense returns a conjunction of random rows over n dimensions with coefficients up to size.
func dense(seed uint64, n, rows int, size string) string {
	g := rand.New(rand.NewPCG(seed, 5))
	return "{ S[" + names("x", n) + "] : " + repeated(rows, " and ", func(int) string {
		return repeated(n, " + ", func(i int) string {
			k := fmt.Sprint(g.IntN(19) - 9)
			if size != "" && g.IntN(2) == 0 {
				k += fmt.Sprintf("%0*d", len(size), g.IntN(1000000))
			}
			return fmt.Sprintf("%sx%d", k, i)
		}) + fmt.Sprintf(" + %d >= 0", g.IntN(200)-50)
	}) + " and " + repeated(n, " and ", func(i int) string { return fmt.Sprintf("-20 <= x%d <= 20", i) }) + " }"
}

// quantified returns a random formula with nested quantifiers, without bounds for what they quantify.
func quantified(seed uint64, depth int) string {
	g := newGen(seed)
	vars, open := []string{"i", "j"}, ""
	for d := range depth {
		x := fmt.Sprintf("e%d", d)
		vars = append(vars, x)
		not := ""
		if g.IntN(3) == 0 {
			not = "not "
		}
		open += fmt.Sprintf("%s(exists %s: %s and %s and ", not, x, g.atom(vars).text, g.atom(vars).text)
	}
	return "{ S[i, j] : " + open + g.atom(vars).text + strings.Repeat(")", depth) + " }"
}

// pathologicalSets returns sets that operations find hard.
func pathologicalSets() map[string]string {
	big := strings.Repeat("7", 30)
	return map[string]string{
		"200 divs": "{ S[i, j] : " + repeated(200, " and ", func(i int) string {
			return fmt.Sprintf("(%di + j) mod %d <= %d", i+1, i+3, i+1)
		}) + " and 0 <= i, j }",
		"24 nested divs": "{ S[i] : 0 <= " + strings.Repeat("floor((1 + ", 24) + "i" + strings.Repeat(")/2)", 24) + " <= i }",
		"30 conditions mod primes": "{ S[i] : " + repeated(30, " and ", func(i int) string {
			return fmt.Sprintf("i mod %d != %d", 2*i+3, i)
		}) + " }",
		"large coefficients":      "{ S[i, j] : " + big + "i >= 3" + big + "j + 1 and 5" + big + "j >= 2i + " + big + " and i + j <= 9" + big + " }",
		"large modulus":           "{ S[i, j] : (" + big + "i + 3j) mod 1" + big + " <= 5 and 0 <= i, j <= " + big + " }",
		"hard knapsack":           "{ S[a, b, c, d, e, f, g, h] : 25067a + 49300b + 49717c + 62124d + 87608e + 88025f + 113673g + 119169h = 33367335 and a, b, c, d, e, f, g, h >= 0 }",
		"knapsack":                "{ S[a, b, c, d] : 12223a + 12224b + 36674c + 61119d = 89643481 and a, b, c, d >= 0 }",
		"thin cone":               "{ S[i, j] : 1000000007i <= 1000000009j and 1000000009j <= 1000000007i + 12 and 1 <= i <= 1000000000000000 }",
		"12 dimensions":           dense(1, 12, 30, ""),
		"12 dimensions, few rows": dense(2, 12, 8, ""),
		"12 dimensions, large":    dense(3, 12, 14, strings.Repeat("0", 24)),
		"300 boxes":               scattered(300),
		"60 polygons":             slanted(60),
		"cross-polytope": "{ S[" + names("x", 9) + "] : " + repeated(512, " and ", func(i int) string {
			return "5 " + repeated(9, " ", func(j int) string { return fmt.Sprintf("+ %dx%d", 1-2*(i>>j&1), j) }) + " >= 0"
		}) + " }",
		"8 nested quantifiers":      quantified(1, 8),
		"10 nested quantifiers":     quantified(2, 10),
		"12 nested quantifiers":     quantified(5, 12),
		"exists with wide bounds":   "{ S[i, j] : exists a, b, c: 17a + 13b <= i <= 19a + 23b and 11b + 7c <= j <= 29b + 31c and 5a <= 37c + 3j <= 41a }",
		"parametric tiles of tiles": "[N] -> { S[i, j] : exists a, b, c, d: 12a <= i + j <= 12a + 11 and 7b <= a - j <= 7b + 6 and 5c <= a + b + i <= 5c + 4 and 3d <= c - 2b <= 3d + 2 and 0 <= d <= N }",
	}
}

// TestPathologicalSets checks that hard operations end, with an answer or a *LimitError: some of all combinations, more of
// them in CI, and all of them with -rounds=1000.
func TestPathologicalSets(t *testing.T) {
	ops := map[string]func(s Set){
		"IsEmpty":            func(s Set) { s.IsEmpty() },
		"Sample":             func(s Set) { s.Sample() },
		"Complement":         func(s Set) { s.Complement() },
		"Coalesce":           func(s Set) { s.Coalesce() },
		"LexMin":             func(s Set) { s.LexMin() },
		"PwLexMax":           func(s Set) { s.PwLexMax() },
		"Subtract":           func(s Set) { s.Subtract(MustSet("{ S[i, j] : (i + 2j) mod 7 = 3 and i > j }")) },
		"Gist":               func(s Set) { s.Gist(s.SimpleHull()) },
		"Card":               func(s Set) { s.Card() },
		"Project":            func(s Set) { s.ProjectOut("i", "x0", "a") },
		"RationalConvexHull": func(s Set) { s.RationalConvexHull() },
		"AffineHull":         func(s Set) { s.AffineHull() },
		"RemoveRedundant":    func(s Set) { s.RemoveRedundant() },
		"Closure":            func(s Set) { s.LexLess(s.SimpleHull()).TransitiveClosure() },
		"Scan":               func(s Set) { s.Scan() },
	}
	sets := pathologicalSets()
	stride := len(ops) // one operation for each set, another one for each
	switch {
	case *rounds >= 1000:
		stride = 1
	case os.Getenv("CI") == "true":
		stride = 4
	}
	for i, name := range slices.Sorted(maps.Keys(sets)) {
		text := sets[name]
		t.Run(name, func(t *testing.T) {
			var s Set
			parse := func() (err error) { s, err = ParseSet(text); return err }
			if !ends(t, "parse", parse) {
				return
			}
			for j, op := range slices.Sorted(maps.Keys(ops)) {
				if f := ops[op]; (i+j)%stride == 0 {
					t.Run(op, func(t *testing.T) { ends(t, op, func() error { f(s); return nil }) })
				}
			}
		})
	}
}

// ends checks that f answers, or passes a bound, long before hang. It reports whether it answered.
func ends(t *testing.T, op string, f func() error) bool {
	t.Helper()
	done := make(chan error, 1)
	start := time.Now()
	go func() {
		done <- Limited(f)
	}()
	select {
	case err := <-done:
		limit := (*LimitError)(nil)
		if err != nil && !errors.As(err, &limit) {
			t.Errorf("%s: %v", op, err)
		}
		if took := time.Since(start); took > time.Second {
			t.Logf("%s: %v, %v", op, took.Round(10*time.Millisecond), err)
		}
		return err == nil
	case <-time.After(hang):
		t.Errorf("%s: no end after %v", op, hang)
		return false
	}
}

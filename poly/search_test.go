package poly

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestSearch checks the search for integer points, and the Omega test alone, on random boxed systems: some rows, or
// some slabs, thin enough to slip between integer points.
func TestSearch(t *testing.T) {
	for seed := range 20 * *rounds {
		rng := rand.New(rand.NewPCG(seed, 3))
		var data []byte
		for range 2 + rng.IntN(2) {
			a, b, c, d := rng.IntN(25)-12, rng.IntN(25)-12, rng.IntN(5)-2, 2*rng.IntN(30)-30
			data = append(data, byte(a), byte(b), byte(c), byte(d))
			if width := 2 * rng.IntN(6); rng.IntN(4) > 0 {
				data = append(data, byte(-a), byte(-b), byte(-c), byte(width-d))
			}
		}
		checkSearch(t, data)
	}
}

// TestSampleUnbounded checks that samples of sets without bounds are points of them, and that sets without a sample
// have no points near the origin.
func TestSampleUnbounded(t *testing.T) {
	for seed := range 10 * *rounds {
		g := newGen(6000 + seed)
		g.coef, g.con = 3+g.IntN(20), 5+g.IntN(60)
		g.plain = g.IntN(2) == 0
		var rows []quasi
		var texts []string
		for range 2 + g.IntN(6) {
			q := g.term([]string{"N", "i", "j"})
			rows, texts = append(rows, q), append(texts, q.text+" >= 0")
		}
		holds := func(e env) bool {
			for _, q := range rows {
				if q.value(e) < 0 {
					return false
				}
			}
			return true
		}
		s := MustSet("[N] -> { S[i, j] : " + strings.Join(texts, " and ") + " }")
		params, point, ok := s.Sample()
		if ok {
			e := env{"N": 0, "i": point[0], "j": point[1]}
			if len(params) > 0 {
				e["N"] = params[0]
			}
			if !holds(e) {
				t.Fatalf("seed %d: no point of %v: %v", seed, s, e)
			}
			continue
		}
		points(func(n, i, j int64) {
			if holds(env{"N": n, "i": i, "j": j}) {
				t.Fatalf("seed %d: not empty: %v has (N=%d, %d, %d)", seed, s, n, i, j)
			}
		})
	}
}

// TestMerge checks by enumeration what merge says about two rows, and that it changes nothing else.
func TestMerge(t *testing.T) {
	for a := int64(-2); a <= 2; a++ {
		for c := int64(-3); c <= 3; c++ {
			for d := int64(-3); d <= 3; d++ {
				for kinds := range 8 {
					old := row{kinds&1 > 0, vec{NewInt(c), NewInt(a), NewInt(2)}}
					r := row{kinds&2 > 0, vec{NewInt(d), NewInt(2), NewInt(-2)}}
					checkMerge(t, old, r, kinds&4 > 0)
				}
			}
		}
	}
}

func checkMerge(t *testing.T, old, r row, fixed bool) {
	before := old.clone()
	got := merge(&old, r, fixed)
	context := fmt.Sprintf("%v and %v, fixed %t: %d", before, r, fixed, got)
	for x := int64(-5); x <= 5; x++ {
		for y := int64(-5); y <= 5; y++ {
			p := vec{one, NewInt(x), NewInt(y)}
			both := before.holds(p) && r.holds(p)
			var want bool
			switch got {
			case unrelated:
				want = both
			case covered:
				want = before.holds(p)
			case replaced:
				want = r.holds(p)
			case conflict:
				want = false
			case becameEqual:
				want = row{true, r.c}.holds(p)
				if !fixed && !old.eq {
					t.Fatal(context)
				}
			}
			if both != want {
				t.Fatal(context, p)
			}
		}
	}
	if fixed && (old.eq != before.eq || got == replaced) {
		t.Fatal(context)
	}
}

// TestDisjoint checks that the parts of differences and projections of one part do not overlap.
func TestDisjoint(t *testing.T) {
	for seed := range 2 * *rounds {
		g := newGen(7000 + seed)
		a, b := g.sampleSet(g.IntN(3), false), g.sampleSet(g.IntN(3), false)
		if len(a.set.parts) != 1 {
			continue
		}
		difference := a.set.Subtract(b.set)
		points(func(n, i, j int64) {
			count := 0
			for _, p := range difference.parts {
				if has(Set{[]Basic{p}}, n, i, j) {
					count++
				}
			}
			if count > 1 {
				t.Fatalf("seed %d: %d parts have (N=%d, %d, %d)\na   = %v\nb   = %v\ngot %v", seed, count, n, i, j, a.set, b.set, difference)
			}
		})
	}
}

package schedule

import (
	"math/big"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/frontend"
	testcases "github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/scop"
)

// inPlace runs f for the programs whose space loops carry dependences.
func inPlace(t *testing.T, f func(t *testing.T, name string, p *scop.Program)) {
	testcases.EachInPlace(t, func(t *testing.T, name, text string) {
		res, err := frontend.Parse(frontend.Source{Name: name + ".c", Text: []byte(text)}, frontend.Options{NoAlias: true})
		require.NoError(t, err)
		f(t, name, scop.WithCoefficients(res.Programs[0]))
	})
}

// skewed returns the dependences of p, its skewed space and cone.
func skewed(t testing.TB, p *scop.Program) ([]Dependence, *Canonical, Cone) {
	deps, err := Dependences(p)
	require.NoError(t, err)
	c, err := Layout{}.Skewed(p, deps)
	require.NoError(t, err)
	require.NoError(t, c.Verify())
	cone, err := BoundSkewed(c, deps)
	require.NoError(t, err)
	require.NoError(t, cone.Verify())
	return deps, c, cone
}

// wavefrontSizes returns sizes for tests: small, uneven, and large.
func wavefrontSizes(c *Canonical) (list []Sizes) {
	hs := LegalH(c.K)
	for _, x := range []struct{ h, w int64 }{{hs[0], 1}, {hs[1], 5}, {hs[min(5, len(hs)-1)], 32}} {
		s := Sizes{H: x.h}
		for p := range c.Space {
			s.W = append(s.W, x.w+int64(p))
		}
		list = append(list, s)
	}
	return list
}

// TestWavefrontsAreProved proves tilings by parallelograms of programs in place.
func TestWavefrontsAreProved(t *testing.T) {
	inPlace(t, func(t *testing.T, name string, p *scop.Program) {
		start := time.Now()
		deps, c, cone := skewed(t, p)
		t.Logf("%d dependences in %v\n%v%v", len(deps), time.Since(start).Round(10*time.Microsecond), c, cone)
		for _, sizes := range wavefrontSizes(c) {
			start = time.Now()
			s, err := Wavefront(c, cone, sizes)
			require.NoError(t, err)
			require.NoError(t, s.Verify())
			assert.Empty(t, wrong(s, deps), sizes)
			t.Logf("%v: %v\n%s", sizes, time.Since(start).Round(10*time.Microsecond), s.Waits.Text(s.Dims[:s.tileDims()]))
		}
	})
}

// wrong returns the first proof of s that does not hold, "" if all do.
func wrong(s *Schedule, deps []Dependence) string {
	for _, proof := range []Proof{ProvePartition(s), ProveLegality(s, deps), ProveWaits(s, *s.Waits)} {
		if !proof.Holds {
			return proof.String()
		}
	}
	return ""
}

// TestWavefrontsNeedAll spoils tilings by parallelograms: waits that are too few, or too short, tiles that lean too little, and points
// of one tau in any order are found out. What is left of each is proved again.
func TestWavefrontsNeedAll(t *testing.T) {
	inPlace(t, func(t *testing.T, name string, p *scop.Program) {
		deps, c, cone := skewed(t, p)
		sizes := wavefrontSizes(c)[1]
		tile := 2 + len(c.Space)
		spoil := map[string]func(s *Schedule) bool{
			"no chain along": func(s *Schedule) bool { s.Waits.Along = false; return true },
			"one chain less": func(s *Schedule) bool { s.Waits.Steps[0].Lo[0]++; return s.Waits.Steps[0].Lo[0] <= 0 },
			"one place less": func(s *Schedule) bool { s.Waits.Steps[0].Lag--; return tile > 3 },
			"points in any order": func(s *Schedule) bool {
				for i, d := range s.Dims {
					if d.Role == Wave {
						s.Dims[i].Role = Thread
					}
				}
				return true
			},
		}
		for what, do := range spoil {
			s, err := Wavefront(c, cone, sizes)
			require.NoError(t, err)
			if !do(s) {
				continue
			}
			s.Order = s.Waits.Order(s.Dims[:tile])
			assert.NotEmpty(t, wrong(s, deps), what)
		}
		for st, carried := range c.Carried {
			if carried {
				free := *c
				free.Carried = slices.Clone(c.Carried)
				free.Carried[st] = false
				s, err := Wavefront(&free, cone, sizes)
				require.NoError(t, err)
				assert.NotEmpty(t, wrong(s, deps), "statement %d in any order", st)
			}
		}
		for p := range c.Space {
			if lo := cone.Lo[p]; lo.Sign() > 0 { // tiles that do not lean
				less := cone
				less.Lo = slices.Clone(cone.Lo)
				less.Lo[p] = new(big.Rat)
				s, err := Wavefront(c, less, sizes)
				require.NoError(t, err)
				assert.NotEmpty(t, wrong(s, deps), "slope %d", p)
			}
			for q, k := range c.Skew(p) {
				if k == 0 {
					continue
				}
				less := *c
				less.Maps, less.Skews = nil, slices.Clone(c.Skews)
				less.Skews[p] = slices.Clone(c.Skews[p])
				less.Skews[p][q]--
				for _, st := range less.Scop.Stmts {
					less.Maps = append(less.Maps, less.relation(st).IntersectDomain(st.Domain))
				}
				s, err := Wavefront(&less, cone, sizes)
				require.NoError(t, err)
				require.NoError(t, s.Verify())
				assert.NotEmpty(t, wrong(s, deps), "skew %d of %d", q, p)
			}
		}
	})
}

// TestNotSkewed asks for programs that no skews put in order: they are refused as before.
func TestNotSkewed(t *testing.T) {
	for name, loops := range map[string]string{
		"twice as far":   "for (int i = 0; 2 * i < n; i++) a[i] = a[2 * i];",
		"mirrored":       "for (int i = 0; i < n; i++) a[i] = a[n - 1 - i];",
		"there and back": "for (int i = 1; i < n; i++) a[i] += a[i - 1]; for (int i = n - 2; i >= 0; i--) a[i] += a[i + 1];",
	} {
		text := "void f(int T, int n, double a[n]) {\n#pragma scop\nfor (int t = 0; t < T; t++) {" + loops + "}\n#pragma endscop\n}\n"
		res, err := frontend.Parse(frontend.Source{Name: "a.c", Text: []byte(text)}, frontend.Options{NoAlias: true})
		require.NoError(t, err, name)
		p := res.Programs[0]
		deps, err := Dependences(p)
		require.NoError(t, err)
		c, err := Layout{}.Skewed(p, deps)
		if err == nil {
			_, err = BoundSkewed(c, deps)
		}
		require.ErrorAs(t, err, new(diag.List), name)
	}
}

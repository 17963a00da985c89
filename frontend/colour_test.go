package frontend_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/frontend"
	"github.com/hexcc/hexcc/scop"
)

// TestResidues reads conditions on remainders, of sums that may be negative too, and runs every instance by itself: one that may be left
// out changes nothing; and where the conditions are said to be settled, every other one changes something.
func TestResidues(t *testing.T) {
	for _, x := range []struct {
		head, cond     string
		found, settled bool
	}{
		{"i = -5; i <= 5; i++", "(i + j) % 2 == 0", true, true},
		{"i = -5; i <= 5; i++", "(i + j) % 2", true, true},
		{"i = -5; i <= 5; i++", "!((i + j) % 2)", true, true},
		{"i = -5; i <= 5; i++", "(i + j) & 1", true, true},
		{"i = -5; i <= 5; i++", "((i + j) & 1) != 1", true, true},
		{"i = -5; i <= 5; i++", "(i + j) % 2 == 1", true, false}, // the remainder of a negative sum is -1
		{"i = 6; i <= 9; i++", "(i + j) % 2 == 1", true, true},
		{"i = -5; i <= 5; i++", "(i + j) % 2 != 1", false, false},
		{"i = 6; i <= 9; i++", "(i + j) % 2 != 1", true, true},
		{"i = -5; i <= 5; i++", "(i - j) % 3 == 0", true, true},
		{"i = -5; i <= 5; i++", "(i + 2 * j) % 3 == 2", true, false},
		{"i = 6; i <= 9; i++", "(i + j) % 3 == 2", true, true},
		{"i = -5; i <= 5; i++", "(i + j) % 4 == 7", true, false}, // never
		{"i = -5; i <= 5; i++", "(i & 1) == (j & 1)", true, true},
		{"i = -5; i <= 5; i++", "i % 2 == j % 2", true, false},
		{"i = -5; i <= 5; i++", "(i & 1) ^ (j & 1)", true, true},
		{"i = -5; i <= 5; i++", "(j - (1 + (i & 1))) % 2 == 0", true, true},
		{"i = -5; i <= 5; i++", "(j - (i & 1 ? 1 : 2)) % 2 == 0", true, true},
		{"i = -5; i <= 5; i++", "(j - (1 + !(i & 1))) % 2 == 0", true, true},
		{"i = -5; i <= 5; i++", "(i & 1) == 0 && (j & 3) == 2", true, true},
		{"i = -5; i <= 5; i++", "(i & 1) == 0 || (j & 3) == 2", false, false},
		{"i = -5; i <= 5; i++", "(i + j) % 2 == c", true, false},
		{"i = -5; i <= 5; i++", "(i * j) % 2 == 0", false, false},
		{"i = -5; i <= 5; i++", "(unsigned)(i + j) % 3 == 0", false, false}, // of 2^32 + i + j, where that is negative
		{"i = -5; i <= 5; i++", "(unsigned)(i + j) % 4 == 1", true, true},
		{"i = -5; i <= 5; i++", "(i + j) % 2 == 0 && A[i + 5][j + 5] > 3", true, false},
		{"i = -5; i <= 5; i++", "(i + j) % 2 == 0) if (A[i + 5][j + 5] > 3", true, false},
		{"i = 0; i < 2; i++", "(j + 5) % 2 == i", true, true},
		{"i = 0; i < 2; i++", "((j + 5) & 1) != i", true, true},
		{"i = 0; i < 2; i++", "(j + 5) % 2 != i) continue; else if (A[i + 5][j + 5] > 3", true, false},
		{"i = 0; i < 2; i++", "j % 2 == i", true, false},
		{"i = 0; i < 3; i++", "(j + 5) % 2 != i", false, false},
		{"i = -1; i < 2; i++", "(j + 5) % 2 != i", false, false},
	} {
		t.Run(fmt.Sprint(x.head, " ", x.cond), func(t *testing.T) {
			p := parseOne(t, fmt.Sprintf(`void f(int T, int c, int A[restrict 16][16]) {
#pragma scop
for (int t = 0; t < T; t++)
  for (int %s)
    for (int j = -5; j <= 5; j++)
      if (%s)
        A[i + 5][j + 5] ^= 1;
#pragma endscop
}`, x.head, x.cond))
			s := p.Stmts[0]
			require.Equal(t, x.found, len(s.When) > 0, "%+v", s.When)
			require.Equal(t, x.settled, s.Settled)
			for c := int64(-1); c < 3; c++ {
				params := map[string]int64{"T": 1, "c": c}
				var values []int64
				for _, q := range p.Params {
					values = append(values, params[q.Name])
				}
				before, err := scop.NewMemory(p, values, 1)
				require.NoError(t, err)
				after, err := scop.NewMemory(p, values, 1)
				require.NoError(t, err)
				require.NoError(t, scop.Run(p, after))
				for iters := range scop.NewNest(s, values).All {
					at := (iters[1]+5)*16 + iters[2] + 5
					changed := before.Arrays[0].Cells[at] != after.Arrays[0].Cells[at]
					if idle := s.Idle(iters, values); idle {
						require.False(t, changed, "%v", iters)
					} else if s.Settled {
						require.True(t, changed, "%v", iters)
					}
				}
			}
		})
	}
}

// TestColourLoops reads loops that begin at one of several values, and others of which it is not known that they do.
func TestColourLoops(t *testing.T) {
	for _, x := range []struct {
		first, step string
		code        string // "": it is taken
	}{
		{"1 + i % 2", "j += 2", ""},
		{"2 - (i & 1)", "j += 2", ""},
		{"i % 2 ? 1 : 2", "j += 2", ""},
		{"1 + (i % 2 == 0)", "j += 2", ""},
		{"1 + !(i & 1)", "j += 2", ""},
		{"1 + (i + t) % 3", "j += 3", ""},
		{"i % 2 + 1", "j += 4", ""},
		{"1 + i % 3", "j += 2", ""},            // three first values, two of one colour: a nest for each
		{"1 + (i - 3) % 2", "j += 2", "HX110"}, // which begins at 0 where i is 2
		{"1 + (i * i) % 2", "j += 2", "HX101"}, // no sum
		{"1 + (i % 2) * (n % 2)", "j += 2", "HX101"},
	} {
		t.Run(x.first, func(t *testing.T) {
			_, err := frontend.Parse(frontend.Source{Name: "s.c", Text: []byte(fmt.Sprintf(`void f(int T, int n, double A[restrict n][n]) {
#pragma scop
for (int t = 0; t < T; t++)
  for (int i = 1; i < n - 1; i++)
    for (int j = %s; j < n - 1; %s)
      A[i][j] *= 0.5;
#pragma endscop
}`, x.first, x.step))}, frontend.Options{})
			if x.code == "" {
				require.NoError(t, err)
			} else {
				require.ErrorContains(t, err, x.code)
			}
		})
	}
}

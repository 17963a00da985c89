package frontend_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/frontend"
	"github.com/hexcc/hexcc/scop"
)

// TestClasses reads subscripts with remainders of loop variables, and runs the statements: each element is what the subscript says, and of each remainder a
// class has a statement.
func TestClasses(t *testing.T) {
	bit := func(v bool) int {
		if v {
			return 1
		}
		return 0
	}
	for _, x := range []struct {
		head, col string
		at        func(i, k int) int
		stmts     int
	}{
		{"i = 0; i < 16; i++", "i % 2 ? k - 1 : k + 1", func(i, k int) int { return k + 1 - 2*(i%2) }, 2},
		{"i = -3; i < 16; i++", "k + 1 - 2 * (i & 1)", func(i, k int) int { return k + 1 - 2*(i&1) }, 2},
		{"i = 15; i > 0; i--", "k + ((i + 1) & 1) - (i & 1)", func(i, k int) int { return k + (i+1)&1 - i&1 }, 2},
		{"i = 0; i < 16; i++", "k - i % 3 + (i + 4) % 3", func(i, k int) int { return k - i%3 + (i+4)%3 }, 3},
		{"i = 0; i < 16; i++", "k + (i & 3) - i % 2", func(i, k int) int { return k + i&3 - i%2 }, 8}, // four that never run
		{"i = 0; i < 16; i++", "(i + k) % 2 ? k : k - 1", func(i, k int) int { return k - (i+k+1)%2 }, 2},
		{"i = 0; i < 16; i++", "k - (i % 2 ^ k % 2)", func(i, k int) int { return k - (i+k)%2 }, 4},
		{"i = 0; i < 16; i++", "k + !(i & 1)", func(i, k int) int { return k + 1 - i%2 }, 2},
		{"i = 0; i < 16; i++", "k + (i % 2 == 1) - (i % 2 != 1)", func(i, k int) int { return k + bit(i%2 == 1) - bit(i%2 != 1) }, 2},
		{"i = 0; i < 16; i++", "k + (int)((unsigned)i % 2)", func(i, k int) int { return k + i%2 }, 2},
		{"i = 0; i < 16; i++", "k - (i + t) % 2", func(i, k int) int { return k - i%2 }, 2},
		{"i = 0; i < 16; i++", "k - (k & 1)", func(i, k int) int { return k - k%2 }, 2},
		{"i = 0; i < 16; i++", "i % 2 ? (k > 8 ? 8 : k) : k", func(i, k int) int {
			if i%2 == 1 {
				return min(k, 8)
			}
			return k
		}, 3},
	} {
		t.Run(x.col, func(t *testing.T) {
			p := parseOne(t, fmt.Sprintf(`void f(int T, int A[restrict 24][24], int B[restrict 24][24]) {
#pragma scop
for (int t = 0; t < T; t++)
  for (int %s)
    for (int k = 2; k < 20; k++)
      A[i + 3][k] = B[i + 3][%s];
#pragma endscop
}`, x.head, x.col))
			require.Len(t, p.Stmts, x.stmts)
			for _, s := range p.Stmts {
				require.NotEmpty(t, s.When, "%s", s.Name)
			}
			memory, err := scop.NewMemory(p, []int64{1}, 1)
			require.NoError(t, err)
			before, err := scop.NewMemory(p, []int64{1}, 1)
			require.NoError(t, err)
			require.NoError(t, scop.Run(p, memory))
			from, to, by := 0, 16, 1
			if strings.Contains(x.head, "-3") {
				from = -3
			}
			if strings.Contains(x.head, "> 0") {
				from = 1
			}
			for i := from; i < to; i += by {
				for k := 2; k < 20; k++ {
					require.Equal(t, before.Arrays[1].Cells[(i+3)*24+x.at(i, k)], memory.Arrays[0].Cells[(i+3)*24+k], "i = %d, k = %d", i, k)
				}
			}
		})
	}
}

// TestClassBounds reads loops whose bounds depend on the class of an outer one.
func TestClassBounds(t *testing.T) {
	p := parseOne(t, `void f(int T, int n, int A[restrict n][24]) {
#pragma scop
for (int t = 0; t < T; t++)
  for (int i = 0; i < n; i++) {
    int odd = i & 1;
    for (int k = 3 - odd; k < 20 - 2 * odd; k++)
      A[i][k]++;
  }
#pragma endscop
}`)
	require.Len(t, p.Stmts, 2)
	params := []int64{1, 9}
	memory, err := scop.NewMemory(p, params, 1)
	require.NoError(t, err)
	before, err := scop.NewMemory(p, params, 1)
	require.NoError(t, err)
	require.NoError(t, scop.Run(p, memory))
	for i := range 9 {
		for k := range 24 {
			changed := before.Arrays[0].Cells[i*24+k] != memory.Arrays[0].Cells[i*24+k]
			require.Equal(t, 3-i%2 <= k && k < 20-2*(i%2), changed, "i = %d, k = %d", i, k)
		}
	}
}

// TestNoClasses reads remainders in subscripts that are refused, or taken as they are.
func TestNoClasses(t *testing.T) {
	for _, x := range []struct{ head, sub, code string }{
		{"i = 0; i < n; i++", "k + (i - 1) % 2", "HX110"}, // -1 for i = 0
		{"i = s; i < n; i++", "k - i % 2", ""},            // that s >= 0 is tested
		{"i = 0; i < n; i++", "k - (i - 1) / 2 % 2", "HX101"},
		{"i = 0; i < n; i++", "k + (i * i) % 2", "HX101"},
		{"i = 0; i < n; i++", "k - i % 23", "HX101"},
		{"i = 0; i < n; i++", "k - n % 2", "HX101"},
		{"i = 0; i < n; i++", "k - 2 * (i & 1)", "HX105"}, // for k = 1 and odd i
	} {
		t.Run(x.sub, func(t *testing.T) {
			_, err := frontend.Parse(frontend.Source{Name: "s.c", Text: []byte(fmt.Sprintf(`void f(int T, int n, int s, double A[restrict n][n], double B[restrict n][n]) {
#pragma scop
for (int t = 0; t < T; t++) {
  for (int %s)
    for (int k = 1; k < n - 1; k++)
      A[i][k] = B[i][%s];
}
#pragma endscop
}`, x.head, x.sub))}, frontend.Options{})
			if x.code == "" {
				require.NoError(t, err)
			} else {
				require.ErrorContains(t, err, x.code)
			}
		})
	}
}

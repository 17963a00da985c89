package poly

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// reach returns the pairs that one or more steps of m connect, by enumeration of the 5 by 5 grid.
func reach(m Map) (pairs [25][25]bool) {
	w := m.Wrap()
	for x := range pairs {
		for y := range pairs {
			pairs[x][y] = has(w, 0, int64(x/5), int64(x%5), int64(y/5), int64(y%5))
		}
	}
	for z := range pairs {
		for x := range pairs {
			for y := range pairs {
				pairs[x][y] = pairs[x][y] || pairs[x][z] && pairs[z][y]
			}
		}
	}
	return pairs
}

// TestTransitiveClosure checks closures of random translations, some to a range of points, on a grid against enumerated paths.
func TestTransitiveClosure(t *testing.T) {
	exactly := 0
	for seed := range 2 * *rounds {
		g := rand.New(rand.NewPCG(seed, 13))
		var steps []string
		for range 1 + g.IntN(2) {
			di, dj := g.IntN(4)-1, g.IntN(4)-1
			where := fmt.Sprintf("%d i + %d j <= %d", g.IntN(3)-1, g.IntN(3)-1, g.IntN(5))
			if g.IntN(4) == 0 {
				where += " and (i + j) mod 2 = 0"
			}
			if g.IntN(3) == 0 {
				steps = append(steps, fmt.Sprintf("S[i, j] -> S[i + %d, k] : 0 <= i, j, i + %d, k <= 4 and %d <= k - j <= %d and %s", di, di, dj, dj+g.IntN(3), where))
				continue
			}
			steps = append(steps, fmt.Sprintf("S[i, j] -> S[i + %d, j + %d] : 0 <= i, j, i + %d, j + %d <= 4 and %s", di, dj, di, dj, where))
		}
		m := MustMap("{ " + strings.Join(steps, "; ") + " }")
		got, exact := m.TransitiveClosure()
		if exact {
			exactly++
		}
		w, want := got.Wrap(), reach(m)
		for x := range want {
			for y := range want {
				in := has(w, 0, int64(x/5), int64(x%5), int64(y/5), int64(y%5))
				if want[x][y] && !in || exact && in != want[x][y] {
					t.Fatalf("seed %d: exact %t: %d -> %d should be %t\nm = %v\ngot %v", seed, exact, x, y, want[x][y], m, got)
				}
			}
		}
	}
	t.Logf("%d of %d are exact", exactly, 2**rounds)
	assert.Greater(t, exactly, int(*rounds))
}

func TestClosures(t *testing.T) {
	for _, c := range []struct {
		text, want string
		exact      bool
	}{
		{"[N] -> { S[i] -> S[i + 1] : 0 <= i < N }", "[N] -> { S[i] -> S[j] : 0 <= i < j <= N }", true},
		{"[N] -> { S[i] -> S[i + 2] : 0 <= i < N }", "[N] -> { S[i] -> S[j] : 0 <= i < j <= N + 1 and (j - i) mod 2 = 0 }", true},
		{"{ A[i] -> B[i]; B[i] -> C[i + 1] }", "{ A[i] -> B[i]; B[i] -> C[i + 1]; A[i] -> C[i + 1] }", true},
		{"[N, M] -> { [i, j] -> [i + 1, j] : 0 <= i < N and 0 <= j <= M; [i, j] -> [i, j + 1] : 0 <= i <= N and 0 <= j < M }",
			"[N, M] -> { [i, j] -> [k, l] : 0 <= i <= k <= N and 0 <= j <= l <= M and i + j < k + l }", true},
		{"{ [t, i] -> [t + 1, i - 1]; [t, i] -> [t + 1, i + 1] }", "{ [t, i] -> [u, j] : t < u and t - u <= i - j <= u - t and (u - t + i - j) mod 2 = 0 }", true},
		{"{ [i] -> [i + 1]; [i] -> [i - 1] }", "{ [i] -> [j] }", true},
		{"{ [i] -> [2i] : i > 0 }", "{ [i] -> [2i] : i > 0; [i] -> [4i] : i > 0; [i] -> [8i] : i > 0 }", false},
		{"{ [i] -> [i] : i > 3 }", "{ [i] -> [i] : i > 3 }", true},
		{"{ S[i] -> S[i + 1] : 0 <= i < 9 and i != 6 }", "{ S[i] -> S[j] : 0 <= i < j <= 6 or 7 <= i < j <= 9 }", true},
		{"[T, N] -> { S[t, i] -> S[t + 1, j] : 0 <= t < T and i - 1 <= j <= i + 1 and 0 < i, j < N }",
			"[T, N] -> { S[t, i] -> S[u, j] : 0 <= t < u <= T and t - u <= j - i <= u - t and 0 < i, j < N }", true},
		{"[T, N] -> { S[t, i] -> S[u, j] : 0 <= t < u < T and (t + u + 1) mod 2 = 0 and i - 1 <= j <= i + 1 and 0 < i, j < N }",
			"[T, N] -> { S[t, i] -> S[u, j] : 0 <= t < u < T and t - u <= j - i <= u - t and 0 < i, j < N }", true},
		{"[N] -> { [t] -> [t + 2] : t mod 2 = 0 and 0 <= t < N }", "[N] -> { [t] -> [u] : t mod 2 = 0 and u mod 2 = 0 and 0 <= t < u < N + 2 }", true},
		{"[N] -> { S[i] -> S[j] : i < j <= i + 3 and 0 <= i and j < N }", "[N] -> { S[i] -> S[j] : 0 <= i < j < N }", true},
		{"[N] -> { S[i] -> S[j] : i + 2 <= j <= i + 3 and 0 <= i and j < N }", "[N] -> { S[i] -> S[j] : 0 <= i and i + 2 <= j < N }", true},
		{"[N] -> { A[i] -> B[i] : 0 <= i <= N; B[i] -> A[i + 1] : 0 <= i < N }",
			`[N] -> { A[i] -> B[j] : 0 <= i <= j <= N; B[i] -> A[j] : 0 <= i < j <= N;
				A[i] -> A[j] : 0 <= i < j <= N; B[i] -> B[j] : 0 <= i < j <= N }`, true},
		{"{ S[i] -> S[i + 1] : 0 <= i < 20 and i != 6; S[i] -> S[i + 9] : 0 <= i <= 2 }",
			"{ S[i] -> S[j] : 0 <= i < j <= 6 or 7 <= i < j <= 20; S[i] -> S[j] : 0 <= i <= 2 and i + 9 <= j <= 20 }", true},
		{"[N] -> { S[i] -> S[j] : 0 <= i, j < N and i != j }", "[N] -> { S[i] -> S[j] : 0 <= i, j < N and N >= 2 }", true},
	} {
		got, exact := MustMap(c.text).TransitiveClosure()
		want := MustMap(c.want)
		assert.Equal(t, c.exact, exact, c.text)
		assert.True(t, want.IsSubset(got), "%s\ngot %v", c.text, got)
		if exact {
			assert.True(t, got.IsSubset(want), "%s\ngot %v", c.text, got)
		}
	}
}

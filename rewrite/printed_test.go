package rewrite_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/ctext"
)

// TestPrinted puts groups of random nests, and of nests with temporaries of all types, in registers, writes that as C in the user's file, compiles it, and compares with the interpreter running the original, bit
// for bit.
func TestPrinted(t *testing.T) {
	var texts []string
	for _, x := range typed {
		texts = append(texts, typedText(x.temporary, x.value, x.out, x.in))
	}
	rng := rand.New(rand.NewPCG(9, 10))
	for range 4 {
		texts = append(texts, chain(rng, 2))
	}
	var all []rewritten
	for i, text := range texts {
		p := program(t, apart(text, i))
		q := p
		if r := tried(p, []int{0, 1, 2}[:len(p.Stmts)]); r != nil {
			q = r.Program
		}
		all = append(all, rewritten{text, p, q})
	}
	requireSame(t, all, 5)
}

// strided has loops that start and end at several bounds, by multiples, and one that counts down.
const strided = `void f(int n, int k, double in[restrict n], double out[restrict n])
{
  double a[n];
#pragma scop
  for (int i = 0; i < n; i++)
    a[i] = in[i] * i;
  for (int j = n - 1; j >= 0; j--)
    if (3 * j >= k && 2 * j < n + k && j >= 2)
      out[j] = a[j - 1] - a[j];
#pragma endscop
}
`

func TestPrintedText(t *testing.T) {
	p := program(t, diffusion)
	text, err := ctext.Region(inlined(t, p, []int{0, 1}).Program)
	require.NoError(t, err)
	require.Contains(t, text, `    for (long j = 2; j <= n - 3; j++) {
      for (long i = 1; i <= m - 3; i++) {
        const double lap_1 = 4.0 * q[t % 2][j][i + 1] - (q[t % 2][j][i + 2] + q[t % 2][j][i]
            + q[t % 2][j + 1][i + 1] + q[t % 2][j - 1][i + 1]);
`, fmt.Sprint(text))
}

package rewrite_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/crun"
	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/oracle"
	"github.com/hexcc/hexcc/scop"
)

// TestPrinted writes rewritten regions as C in the user's file, compiles it, and compares with the interpreter running the original, bit for bit.
func TestPrinted(t *testing.T) {
	type printed struct {
		text  string
		group []int
	}
	unsharp := strings.NewReplacer("const float weight = 3, threshold = 0.5f;", "", "unsharp(int n, int m,", "unsharp(int n, int m, float weight, float threshold,",
		"unsharp(n, m,", "unsharp(n, m, 3, 0.5f,").Replace(cases.ReadIdiom(t, "unsharp").Text)
	all := []printed{
		{diffusion, []int{0, 1, 2, 3}},
		{diffusion, []int{0, 2}},
		{unsharp, []int{0, 1, 2}},
		{cases.ReadIdiom(t, "harris").Text, []int{0, 1, 2, 3}},
		{strided, []int{0, 1}},
	}
	for _, x := range typed {
		all = append(all, printed{typedText(x.temporary, x.value, x.out, x.in), []int{0, 1}})
	}
	rng := rand.New(rand.NewPCG(9, 10))
	for range 4 {
		all = append(all, printed{chain(rng, 2), []int{0, 1, 2}})
	}
	cc, err := crun.Compiler()
	require.NoError(t, err)
	compiled := 0
	for _, x := range all {
		p := program(t, x.text)
		q := p
		if r := tried(p, x.group); r != nil {
			q = r.Program
		}
		text, err := ctext.Rewritten(q)
		require.NoError(t, err, "%v", q)
		compiled++
		b, err := crun.Compile(cc, t.TempDir(), []*scop.Program{p}, []byte(text), cases.Level("-O2"), "-Wno-unused", "-Werror=implicit-function-declaration")
		require.NoError(t, err, text)
		var local []*scop.Array
		for _, a := range p.Arrays {
			if a.Local {
				local = append(local, a)
			}
		}
		for i := range 5 {
			mem, err := scop.NewMemory(p, oracle.RandomParams(p, rng, i), uint64(i))
			require.NoError(t, err)
			want := mem.Clone()
			require.NoError(t, scop.Run(p, want))
			got, says, err := b.Run([]crun.Input{{Memory: mem}})
			require.NoError(t, err, says)
			d := want.Compare(got[0], local...)
			require.Zero(t, d.Differ, "%s: first %s: want %s, got %s\n%s", mem.Sizes(), d.First, d.A, d.B, text)
		}
	}
	require.Greater(t, compiled, 10)
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

package hexcc

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/diag"
)

// smoothed is two nests of a volume, the second of which calls its loops otherwise.
const smoothed = `void f(int n, float a[restrict n][n][n], float c[restrict n][n][n])
{
  float b[n][n][n];
%s#pragma scop
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++)
      for (int k = 1; k < n - 1; k++)
        b[i][j][k] = a[i - 1][j][k] + a[i + 1][j][k] + a[i][j - 1][k] + a[i][j + 1][k];
  for (int x = 2; x < n - 2; x++)
    for (int y = 2; y < n - 2; y++)
      for (int k = 2; k < n - 2; k++)
        c[x][y][k] = b[x - 1][y][k] + b[x + 1][y][k] + b[x][y][k - 1] + b[x][y][k + 1];
#pragma endscop
}
`

// TestStreamWish asks for a dimension along which tiles stream, by option, by pragma and by sizes, by its name and by that of a loop of either nest.
func TestStreamWish(t *testing.T) {
	compile := func(pragma string, o Options) (*Result, error) {
		o.NoAlias = true
		return Compile(Source{Name: "f.c", Text: []byte(fmt.Sprintf(smoothed, pragma))}, o)
	}
	for name, dim := range map[string]int{"i": 0, "x": 0, "s0": 0, "j": 1, "y": 1, "k": 2, "s2": 2} {
		for _, res := range []func() (*Result, error){
			func() (*Result, error) { return compile("", Options{Stream: name}) },
			func() (*Result, error) { return compile("#pragma hexcc stream("+name+")\n", Options{}) },
		} {
			res, err := res()
			require.NoError(t, err)
			require.Equal(t, Overlapped, res.Strategy)
			require.Equal(t, dim, res.Schedule.Stream().Dim, name)
			require.Equal(t, dim, *res.Outlook.Overlapped.Sizes.Stream)
			require.Nil(t, res.Outlook.Overlapped.Other)
		}
	}
	res, err := compile("#pragma hexcc tile(w0=8,w1=8,w2=32) stream(y)\n", Options{})
	require.NoError(t, err)
	require.Equal(t, "h=1,w0=8,w1=8,w2=32,stream=1", res.Sizes.String())
	res, err = compile("", Options{Strategy: Overlapped, Stream: StepByStep})
	require.NoError(t, err)
	require.Nil(t, res.Schedule.Stream())
	res, err = compile("", Options{Strategy: Overlapped})
	require.NoError(t, err)
	other := res.Outlook.Overlapped.Other
	require.NotNil(t, other, "what the best of the other kind take")
	require.Equal(t, res.Schedule.Stream() == nil, other.Sizes.Stream != nil)
	require.Contains(t, res.Outlook.String(), "the best of them that run ")

	for _, x := range []struct {
		o    Options
		says string
	}{
		{Options{Stream: "q"}, "'q' is no dimension of space: there are s0, s1, s2, i, x, j, y, k"},
		{Options{Stream: "i", Strategy: Space}, "other tiles"},
		{Options{Stream: "i", Target: OpenMP}, "on GPUs only"},
	} {
		_, err := compile("", x.o)
		var list diag.List
		require.ErrorAs(t, err, &list)
		require.Equal(t, diag.Code("HX218"), list[0].Code)
		require.Contains(t, list[0].Msg, x.says)
		require.True(t, strings.HasPrefix(list[0].Msg, "stream("))
		require.NotEmpty(t, list[0].Help)
	}
}

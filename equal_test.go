package hexcc

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/internal/heavy"
)

// TestEqualRegions checks that tile sizes are chosen once for regions that are equal, however many there are and
// whatever stands between them, and for each of those that are not.
func TestEqualRegions(t *testing.T) {
	one := stopped(t, heavy.Lines(60, 1)+heavy.Regions(1))
	require.Equal(t, 8, one.memo.Made, "for two regions, of tiles in both orders and of what else there is")
	for _, test := range []struct {
		text          string
		regions, made int
	}{
		{heavy.Lines(200, 2), 2, 4},
		{heavy.Lines(500, 20), 20, 4},
		{heavy.Lines(200, 5) + heavy.Regions(3), 8, 16},
		{heavy.Regions(3), 3, 12},
		{heavy.Regions(3) + "#define f1 g1\n#define f2 g2\n#define f3 g3\n" + heavy.Regions(3), 6, 12},
	} {
		f := stopped(t, test.text)
		require.Len(t, f.Regions, test.regions)
		require.Equal(t, test.made, f.memo.Made)
	}
}

// stopped compiles a text up to the sizes.
func stopped(t *testing.T, text string) *file {
	t.Helper()
	f := newFile(Source{Name: "regions.c", Text: []byte(text)}, Options{Stop: "tile"})
	require.NoError(t, f.compile(), "%s", text)
	return f
}

// TestNearlyEqualRegions compiles regions that differ in one thing together and alone: each is what it is alone.
func TestNearlyEqualRegions(t *testing.T) {
	const region = `
void NAME(int T, int n, float c, float A[restrict 2][n][n], float B[restrict n][n])
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        A[(t+1)%2][i][j] = c*(A[t%2][i-1][j] + A[t%2][i+1][j] + A[t%2][i][j-1]*B[i][j]);
#pragma endscop
}
`
	var file strings.Builder
	regions := 0
	for _, change := range [][2]string{
		{"", ""},
		{"float A", "double A"},
		{"float c", "double c"},
		{"n - 1; j", "n - 2; j"},
		{"int n,", "long n,"},
		{"[restrict 2][n][n]", "[restrict 2][1024][1024]"},
		{"[i-1][j]", "[i-1][j+1]"},
		{" + A[t%2][i][j-1]", " - A[t%2][i][j-1]"},
		{"*B[i][j]", ""},
		{"*B[i][j]", "*B[i][0]"},
		{"#pragma scop", "#pragma hexcc tile(h=1,w0=3,w1=32)\n#pragma scop"},
		{"#pragma scop", "#pragma hexcc arch(sm_90)\n#pragma scop"},
		{"#pragma scop", "#pragma hexcc strategy(space)\n#pragma scop"},
		{"", ""},
	} {
		require.Contains(t, region, change[0])
		text := region
		if change[0] != "" {
			text = strings.ReplaceAll(region, change[0], change[1])
		}
		file.WriteString(strings.ReplaceAll(text, "NAME", "f"+string(rune('a'+regions))))
		regions++
	}
	src := Source{Name: "regions.c", Text: []byte(file.String())}
	all, err := Compile(src, Options{Stop: "tile"})
	require.NoError(t, err)
	require.Len(t, all.Regions, regions)
	for _, r := range all.Regions {
		alone, err := Compile(src, Options{Stop: "tile", Region: r.Scop.Function})
		require.NoError(t, err)
		require.Equal(t, alone.Sizes, r.Sizes, r.Scop.Function)
		require.Equal(t, alone.Strategy, r.Strategy)
		require.Equal(t, alone.Choice, r.Choice)
		require.Equal(t, alone.Outlook, r.Outlook)
	}
}

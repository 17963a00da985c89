package hexcc_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A habit is a way in which people write stencils: text in a file of the tests. A
// program of testdata is taken, and TestIdioms or TestGolden compares it with C; a
// line of a corpus of wrong programs is refused with code, which TestErrors checks.
type habit struct{ name, file, text, code string }

const (
	oldHabits = "testdata/idioms/old-habits.c"
	corpus    = "frontend/testdata/errors-corpus.txt"
)

var habits = []habit{
	{"planes by remainder", "testdata/idioms/modulo-and.c", "A[(t + 4) % 2]", ""},
	{"exchange of pointers", "testdata/idioms/swap-macro.c", "#define SWAP", ""},
	{"rotation of pointers", "testdata/idioms/rotate-three.c", "double *x[3]", ""},
	{"a nest that copies back", "testdata/idioms/copy-back.c", "#pragma scop", ""},
	{"casts of pointers to rows", "testdata/idioms/casts-and-pointers.c", "((real (*)[n][m])block)", ""},
	{"one subscript", "testdata/idioms/flat-volume.c", "i * nj + j) * nk + k", ""},
	{"a macro that makes the subscript", "testdata/idioms/flat-index-macro.c", "#define IDX(i, j)", ""},
	{"arrays of pointers", "testdata/idioms/pointer-table.c", "double *restrict u[2]", ""},
	{"component loops", oldHabits, "c < 3; c++", ""},
	{"a temporary that is set again", oldHabits, "d += v[1]", ""},
	{"compound assignments", oldHabits, "d /= ", ""},
	{"staggered offsets", oldHabits, "p[i * n + j] - p[i * n + j - 1]", ""},
	{"bounds of each nest", oldHabits, "for (int j = 1; j < n; j++)", ""},
	{"nests of different depth", oldHabits, "p[j] = p[n + j];", ""},
	{"boundary nests", oldHabits, "p[(n - 1) * n + j] = p[(n - 2) * n + j];", ""},
	{"coefficients along one dimension", oldHabits, "* w[j]", ""},
	{"clamps by ?:", oldHabits, "i + 1 < n - 1 ? i + 1 : n - 2", ""},
	{"saturation by if and else", oldHabits, "else if (d < -0.7)", ""},
	{"integers and doubles in float", oldHabits, "*= 0.9;", ""},
	{"functions of math.h", oldHabits, "fmaxf(fminf(d, 0.5f), fabsf(", ""},
	{"pragmas of others", oldHabits, "#pragma ivdep", ""},
	{"spellings of restrict", oldHabits, "real *__restrict p", ""},
	{"pointers to const", oldHabits, "const real *__restrict w", ""},
	{"a type of one's own", oldHabits, "typedef float real;", ""},
	{"clamps by index arrays", corpus, "A[t % 2][left[i]]", "HX101"},
	{"a do loop over time", corpus, "  do {", "HX102"},
	{"functions of CUDA", corpus, "rsqrtf(A[t % 2][i - 1])", "HX103"},
}

// TestHabits checks that each habit is in its file, with its code if it is refused.
func TestHabits(t *testing.T) {
	for _, h := range habits {
		text, err := os.ReadFile(h.file)
		require.NoError(t, err)
		_, after, found := strings.Cut(string(text), h.text)
		require.True(t, found, "%s: %s", h.name, h.text)
		if h.code != "" {
			line, _, _ := strings.Cut(after, "\n")
			require.Contains(t, line, "// ERROR "+h.code, h.name)
		}
	}
}

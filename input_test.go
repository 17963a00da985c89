package hexcc_test

import (
	"errors"
	"math/rand/v2"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/internal/oracle"
	"github.com/hexcc/hexcc/scop"
)

var (
	cBlock     = regexp.MustCompile("(?s)```c\n(.*?)```")
	statedCode = regexp.MustCompile(`HX\d\d\d`)
	hasTime    = regexp.MustCompile(`(?m)^for \((int )?t = `)
	hasLoop    = regexp.MustCompile(`(?m)^for \(`)
	twoDims    = regexp.MustCompile(`\b[AB]\[[^\]]*\]\[`)
	fourDims   = regexp.MustCompile(`\bA(\[[^\]]*\]){4}`)
)

// TestInputExamples compiles every example of docs/input.md, as it stands there,
// in the function and the loops that it leaves out. An example that names a code
// is refused with it; the others are taken, and mean what the C compiler makes of them.
func TestInputExamples(t *testing.T) {
	text, err := os.ReadFile("docs/input.md")
	require.NoError(t, err)
	examples := cBlock.FindAllStringSubmatch(string(text), -1)
	require.Greater(t, len(examples), 6)
	for _, m := range examples {
		program := framed(m[1])
		res, err := hexcc.Compile(source([]byte(program)), hexcc.Options{})
		code := statedCode.FindString(m[1])
		if code == "" {
			require.NoError(t, err, program)
			var mems []*scop.Memory
			for try := range 4 {
				mem, err := scop.NewMemory(res.Scop, oracle.RandomParams(res.Scop, rand.New(rand.NewPCG(uint64(try), 9)), try), uint64(try))
				require.NoError(t, err)
				mems = append(mems, mem)
			}
			oracle.SameAsC(t, res.Scop, mems...)
			continue
		}
		var list diag.List
		require.True(t, errors.As(err, &list), program)
		for _, d := range list {
			if d.Severity == diag.Error {
				require.Equal(t, code, string(d.Code), program)
			}
		}
	}
}

// framed returns a file with an example: what stands before a line of dots is
// outside of the function.
func framed(example string) string {
	outside, body, dots := strings.Cut(example, "...\n")
	if !dots {
		outside, body = "", example
	}
	arrays := "double A[restrict n], double B[restrict n]"
	switch {
	case fourDims.MatchString(body):
		arrays = "double A[restrict 2][3][n][n], const double D[restrict 3]"
	case twoDims.MatchString(body):
		arrays = "double A[restrict n][n], double B[restrict n][n]"
	}
	if !hasLoop.MatchString(body) {
		body = "for (i = 0; i < n; i++) {\n" + body + "}\n"
	}
	if !hasTime.MatchString(body) {
		body = "for (t = 0; t < T; t++) {\n" + body + "}\n"
	}
	return outside + "void f(int T, int n, int flag, double limit, double k, const double c[3][3], int last[restrict n], " + arrays +
		",\n  double *restrict prev, double *restrict cur, double *restrict next)\n{\n  int i, t;\n  double *tmp;\n  if (n < 1)\n    return;\n" +
		"#pragma scop\n" + body + "#pragma endscop\n}\n"
}

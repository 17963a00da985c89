package frontend_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/frontend"
)

// TestParallel: a region that every thread of a team would run is refused, one that a single thread runs is not.
func TestParallel(t *testing.T) {
	const region = `#pragma scop
    for (int t = 0; t < T; t++)
      for (int i = 1; i < n; i++)
        A[(t + 1) % 2][i] = A[t % 2][i - 1];
#pragma endscop
`
	for around, refused := range map[string]bool{
		"{ @ }":                       false,
		"#pragma omp parallel\n{ @ }": true,
		"#pragma omp parallel \\\n  num_threads(2)\n\n{ int k = 0; (void)k; @ }":                                   true,
		"#pragma omp parallel default(shared)\n{\n#pragma omp for\nfor (int i = 0; i < n; i++) A[0][i] = 0;\n @ }": true,
		"#pragma omp target teams\n{ { @ } }":                                                                      true,
		"#pragma omp parallel\n{\n#pragma omp single\n{ @ } }":                                                     false,
		"#pragma omp parallel\n#pragma omp master\n{ @ }":                                                          false,
		"#pragma omp parallel for\nfor (int k = 0; k < 3; k++) { @ }":                                              false,
		"#pragma omp parallel\n{\n#pragma omp for\nfor (int k = 0; k < 3; k++) { @ } }":                            false,
		"{\n#pragma omp parallel for\nfor (int i = 0; i < n; i++) A[0][i] = 0;\n @ }":                              false,
		"{\n#pragma GCC unroll 4\nfor (int k = 0; k < 3; k++) { @ } }":                                             false,
		"#pragma omp single\n{\n#pragma omp parallel\n{ @ } }":                                                     true,
	} {
		_, err := frontend.Parse(frontend.Source{Name: "s.c", Text: []byte("void f(int T, int n, double A[restrict 2][n])\n{\n" + strings.Replace(around, "@", "\n"+region, 1) + "\n}\n")}, frontend.Options{})
		if !refused {
			require.NoError(t, err, around)
			continue
		}
		require.ErrorContains(t, err, "HX017", around)
	}
}

// TestParallelByOperator: so is a region that may stand behind a pragma that _Pragma writes, also where a macro does so only for compilers
// that are asked for OpenMP.
func TestParallelByOperator(t *testing.T) {
	for text, refused := range map[string]bool{
		`#define TEAM _Pragma("omp parallel")`:                                                true,
		"#ifdef _OPENMP\n#define TEAM _Pragma(\"omp parallel\")\n#else\n#define TEAM\n#endif": true,
		`#define TEAM _Pragma("omp parallel for")`:                                            false,
		`#define TEAM`: false,
	} {
		_, err := frontend.Parse(frontend.Source{Name: "s.c", Text: []byte(text + `
void f(int T, int n, double A[restrict 2][n])
{
  TEAM
  for (int k = 0; k < 1; k++) {
#pragma scop
    for (int t = 0; t < T; t++)
      for (int i = 1; i < n; i++)
        A[(t + 1) % 2][i] = A[t % 2][i - 1];
#pragma endscop
  }
}
`)}, frontend.Options{})
		if !refused {
			require.NoError(t, err, text)
			continue
		}
		require.ErrorContains(t, err, "HX017", text)
	}
}

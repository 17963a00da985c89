package ptx_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/ptx"
)

// TestPrograms runs the PTX of programs that try what the cases do not, made by each LLVM that there is.
func TestPrograms(t *testing.T) {
	first := llvm(t, "sm_80")
	versions := map[string]ptx.Tools{first.Version: first}
	for _, name := range []string{"llc-14", "llc-16", "llc-19"} {
		if tools, err := ptx.Find(name, "sm_80"); err == nil {
			versions[tools.Version] = tools
		}
	}
	for _, p := range cases.Programs {
		for version, tools := range versions {
			t.Run(p.Name+"/"+version, func(t *testing.T) {
				t.Parallel()
				checkText(t, tools, mapped(t, p.Name, p.Text, pipeline.Staged), 4)
			})
		}
	}
}

// TestUnknownFunction checks that a function that PTX does not have is an error that names a way out.
func TestUnknownFunction(t *testing.T) {
	part := mapped(t, "exp", `
#include <math.h>
void f(int T, int n, float a[restrict 2][n])
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < n - 1; i++)
      a[(t + 1) % 2][i] = expf(a[t % 2][i - 1]) + expf(a[t % 2][i + 1]) + powf(a[t % 2][i], 2);
#pragma endscop
}
`, pipeline.Staged)
	list := ptx.Check(part.Program.Scop)
	require.Len(t, list, 2)
	require.EqualValues(t, "HX301", list[0].Code)
	require.Equal(t, "PTX has no instruction that computes expf as C does", list[0].Msg)
	require.Contains(t, list[0].Help, "--target=cuda")
	require.Equal(t, 2, diag.Code("HX301").Exit())
}

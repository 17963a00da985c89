package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/internal/tool"
	"github.com/hexcc/hexcc/ptx"
)

// TestVerifyPTX runs hexcc verify --device=ptx for a program that calls a function of libdevice, and for one that does not.
func TestVerifyPTX(t *testing.T) {
	if _, err := ptx.Find(os.Getenv("HEXCC_LLC"), "sm_80"); err != nil {
		tool.Missing(t, "%v", err)
	}
	verify := func(update string, flags ...string) string {
		file := filepath.Join(t.TempDir(), "s.c")
		require.NoError(t, os.WriteFile(file, []byte(strings.ReplaceAll(functionText, "UPDATE", update)), 0o666))
		var stdout, stderr strings.Builder
		if status := run(append([]string{"verify", "--device=ptx", "--tile=h=1,w0=4", file}, flags...), &stdout, &stderr); status != 0 {
			if strings.Contains(stderr.String(), "HX301") {
				tool.Missing(t, "%s", stderr.String())
			}
			t.Fatal(stdout.String(), stderr.String())
		}
		return stdout.String()
	}
	for _, launch := range []string{"--launch=phases", "--launch=ready"} {
		said := verify("0.3f * (a[t % 2][i - 1] + a[t % 2][i + 1])", launch)
		require.Regexp(t, `PTX made by LLVM \S+, run instruction by instruction at \d+ sizes: all \d+ elements are equal\n$`, said)
		said = verify("expf(-fabsf(a[t % 2][i - 1])) + sinf(a[t % 2][i + 1])", launch)
		require.Regexp(t, `all \d+ elements are equal\nboth with libdevice's expf, sinf: those of a C library differ in last bits\n$`, said)
	}
}

const functionText = `#include <math.h>
void f(int T, int n, float a[restrict 2][n])
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < n - 1; i++)
      a[(t + 1) % 2][i] = UPDATE;
#pragma endscop
}
`

package opencl_test

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/opencl"
)

// TestNames translates programs that call their parameters, scalars and arrays what the functions of the host call
// something else: every word of their text, keywords and what begins with cl or hexcc aside. No compiler minds.
func TestNames(t *testing.T) {
	if exec.Command("gcc", "-E", "-include", "CL/cl.h", "-x", "c", "/dev/null").Run() != nil {
		needDevice(t)
	}
	res := translate(t, "names", fmt.Sprintf(naming, "T", "n", "A", "c", "d"), hexcc.Options{NoAlias: true, Assume: []string{"n >= 3"}})
	_, host, found := strings.Cut(res.files.Run, "static const struct hexcc_need ")
	require.True(t, found)
	var words []string
	for _, w := range regexp.MustCompile(`[A-Za-z_]\w*`).FindAllString(host, -1) {
		if !regexp.MustCompile(`^(_|cl_|cl[A-Z]|CL|hexcc|HEXCC|T$|T__|double$|not$|n$|A$|c$|d$|int$|if$|else$|void$|char$|const$|float$|for$|long$|return$|static$|struct$|sizeof$|unsigned$|goto$|extern$)`).MatchString(w) {
			words = append(words, w)
		}
	}
	slices.Sort(words)
	words = slices.Compact(words)
	require.Greater(t, len(words), 30)
	for len(words) > 0 {
		batch := append(slices.Clone(words[:min(5, len(words))]), "v0", "v1", "v2", "v3")[:5]
		words = words[min(5, len(words)):]
		t.Run(strings.Join(batch, " "), func(t *testing.T) {
			t.Parallel()
			for range batch { // each in the place of each
				batch = append(batch[1:], batch[0])
				text := fmt.Sprintf(naming, batch[0], batch[1], batch[2], batch[3], batch[4])
				tr := translate(t, "names", text, hexcc.Options{NoAlias: true, Assume: []string{batch[1] + " >= 3"}})
				out, err := exec.Command("gcc", "-std=c99", "-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-pedantic", "-Werror", "-fsyntax-only",
					filepath.Join(tr.write(t), opencl.RunFile("names"))).CombinedOutput()
				require.NoError(t, err, "%s\n%s", text, out)
			}
		})
	}
}

// naming is a program with names for its parameters, an array and two scalars.
const naming = `
void f(int %[1]s, int %[2]s, float %[3]s[restrict 2][%[2]s], float %[4]s, float %[5]s)
{
#pragma scop
  for (int t0 = 0; t0 < %[1]s; t0++)
    for (int i0 = 1; i0 < %[2]s - 1; i0++)
      %[3]s[(t0 + 1) %% 2][i0] = %[4]s * (%[3]s[t0 %% 2][i0 - 1] + %[5]s * %[3]s[t0 %% 2][i0 + 1]);
#pragma endscop
}
`

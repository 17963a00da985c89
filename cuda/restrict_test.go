package cuda_test

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/internal/cases"
)

// parameter finds the pointers that a kernel is given.
var parameter = regexp.MustCompile(`[(,] *(const )?\w+(?: \w+)? \*(__restrict__ )?(\w+)`)

// TestRestrict reads the parameters of every kernel. A pointer is __restrict__, and to
// constants, if the array is only read. If it is written it is not: threads of a block give
// values to each other through it, and each has a pointer of its own.
func TestRestrict(t *testing.T) {
	seen := map[bool]int{}
	cases.Each(t, func(t *testing.T, base, text string) {
		for _, v := range []variant{staged, global} {
			tr := translate(t, base, text, v)
			written := map[string]bool{}
			for _, s := range tr.scop.Stmts {
				for _, a := range s.Accesses {
					written[a.Array.Name] = written[a.Array.Name] || a.Write
				}
			}
			heads := regexp.MustCompile(`(?m)^hexcc_\w+_phase\d\([^)]*\)$`).FindAllString(tr.files.Kernel, -1)
			require.Len(t, heads, 2)
			for _, head := range heads {
				pointers := parameter.FindAllStringSubmatch(head, -1)
				require.Len(t, pointers, len(tr.scop.Arrays), "%s", head)
				for _, p := range pointers {
					constant, restrict := p[1] != "", p[2] != ""
					require.Equal(t, !written[p[3]], constant, "%s of %s", p[3], head)
					require.Equal(t, constant, restrict, "%s of %s", p[3], head)
					seen[restrict]++
				}
			}
		}
	})
	require.NotZero(t, seen[true])
	require.NotZero(t, seen[false])
}

package ptx_test

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/ptx"
)

// TestNoAlias reads the pointers that kernels are given in LLVM IR: noalias, like readonly,
// is said of arrays that the kernel only reads. To those that it writes, each thread
// has a pointer of its own, and finds there what others wrote.
func TestNoAlias(t *testing.T) {
	define := regexp.MustCompile(`(?m)^define ptx_kernel void .*$`)
	pointer := regexp.MustCompile(`addrspace\(1\)\*( noalias)?( readonly)? %"?(\w+)"?`)
	seen := map[bool]int{}
	cases.Each(t, func(t *testing.T, base, text string) {
		part := mapped(t, base, text, pipeline.Staged)
		written := map[string]bool{}
		for _, s := range part.Program.Scop.Stmts {
			for _, a := range s.Accesses {
				written[a.Array.Name] = written[a.Array.Name] || a.Write
			}
		}
		kernels := define.FindAllString(ptx.Lower([]ptx.Part{part}).Text, -1)
		require.Len(t, kernels, 2*len(part.Program.Versions()))
		for _, k := range kernels {
			pointers := pointer.FindAllStringSubmatch(k, -1)
			require.Len(t, pointers, len(part.Program.Scop.Arrays), k)
			for _, p := range pointers {
				require.Equal(t, !written[p[3]], p[1] != "", "%s of %s", p[3], k)
				require.Equal(t, p[2] != "", p[1] != "", "%s of %s", p[3], k)
				seen[p[1] != ""]++
			}
		}
	})
	require.NotZero(t, seen[true])
	require.NotZero(t, seen[false])
}

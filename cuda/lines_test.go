package cuda_test

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/cuda"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/scop"
)

// TestLines reads #line directives as a preprocessor does: a line that runs a
// statement counts from the line of its first assignment in the source, and
// any other is the line of the kernel file that it is. Without the directives the
// text is what it is without the option.
func TestLines(t *testing.T) {
	directive := regexp.MustCompile(`^#line (\d+) "(.*)"$`)
	cases.Each(t, func(t *testing.T, base, text string) {
		v := staged
		plain := translate(t, base, text, v)
		v.lines = true
		x := translate(t, base, text, v)
		kept := strings.Builder{}
		file, line := cuda.KernelFile(x.names.Base), 1
		physical, begins := 0, false
		for text := range strings.Lines(x.files.Kernel) {
			physical++
			if m := directive.FindStringSubmatch(strings.TrimSuffix(text, "\n")); m != nil {
				line, _ = strconv.Atoi(m[1])
				file, begins = m[2], true
				continue
			}
			kept.WriteString(text)
			of := ""
			for _, s := range x.files.Spans {
				if s.First <= physical && physical <= s.Last {
					of = s.Stmt
				}
			}
			if of == "" {
				require.Equal(t, fmt.Sprint(cuda.KernelFile(x.names.Base), physical), fmt.Sprint(file, line), text)
			} else {
				stmt := x.scop.Stmts[slices.IndexFunc(x.scop.Stmts, func(s *scop.Stmt) bool { return s.Name == of })]
				first := stmt.Accesses[slices.IndexFunc(stmt.Accesses, func(a *scop.Access) bool { return a.Write })]
				require.Equal(t, first.Pos.File, file, text)
				if begins {
					require.Equal(t, first.Pos.Line, line, text)
				}
				require.GreaterOrEqual(t, line, first.Pos.Line, text)
			}
			begins = false
			line++
		}
		require.Equal(t, plain.files.Kernel, kept.String())
	})
}

// TestLinesCompile: compilers take the directives.
func TestLinesCompile(t *testing.T) {
	v := staged
	v.lines = true
	x := load(t, "jacobi-2d", v)
	x.buildOnCPU(t, x.write(t))
}

package hexcc_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	testcases "github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/scop"
)

// TestSpansOfC checks which lines of C are said to run a statement by what else the text says: each of them stores to what the statement writes, all lines that store to it
// are among them, and those behind a comment that names a statement are its.
func TestSpansOfC(t *testing.T) {
	named := regexp.MustCompile(`^\s*\{ // (S\d+)(, and \d+ that differ in bounds and distances)?$`)
	check := func(name string, res *hexcc.Result) {
		lines := strings.Split(res.C.Whole, "\n")
		owner := make([]string, len(lines))
		last, ran := 0, map[string]bool{}
		for _, s := range res.C.Spans {
			require.Less(t, last, s.First, name)
			require.LessOrEqual(t, s.First, s.Last, name)
			last = s.Last
			text := strings.Join(lines[s.First-1:s.Last], "\n")
			for _, run := range s.Names() {
				st := res.Scop.Stmts[slices.IndexFunc(res.Scop.Stmts, func(st *scop.Stmt) bool { return st.Name == run })]
				array := ""
				for _, a := range st.Accesses {
					if a.Write {
						array = a.Array.Name
					}
				}
				require.Regexp(t, `\b`+array+`(_\d+)*\[.*\] = |(HEXCC_STORE|hexcc_store)\d+\(&`+array+`(_\d+)*\[`, text, name)
				ran[run] = true
			}
			for i := s.First; i <= s.Last; i++ {
				owner[i-1] = s.Stmt
			}
		}
		at := ""
		for i, line := range lines {
			if m := named.FindStringSubmatch(line); m != nil {
				at = m[1]
			}
			if owner[i] != "" && at != "" {
				require.Equal(t, at, owner[i], "%s, line %d: %s", name, i+1, line)
			}
			if strings.Contains(line, "HEXCC_STORE8(&") && !strings.HasPrefix(line, "#") || strings.Contains(line, "hexcc_store8(&") {
				require.NotEmpty(t, owner[i], "%s, line %d: %s", name, i+1, line)
			}
		}
		require.Len(t, ran, len(res.Scop.Stmts), name)
	}
	for i, x := range cpuCases {
		check(x.name, onCPU(t, i, []hexcc.Target{hexcc.OpenMP, hexcc.C}[i%2]))
	}
	for _, x := range testcases.Some(t) {
		res, err := hexcc.Compile(source([]byte(x.Text)), hexcc.Options{NoAlias: true, Target: hexcc.OpenMP})
		require.NoError(t, err, x.Name)
		check(x.Name, res)
	}
}

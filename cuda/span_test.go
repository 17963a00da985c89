package cuda_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/kerneltext"
	"github.com/hexcc/hexcc/scop"
)

// TestSpans checks where statements run by what else the text says: the lines
// of a span store to what the statement writes, and between one comment that
// announces a step of a statement and the next no other statement runs.
func TestSpans(t *testing.T) {
	step := regexp.MustCompile(`// step \d+: (\w+)`)
	cases.Each(t, func(t *testing.T, base, text string) {
		x := translate(t, base, text, staged)
		lines := strings.Split(x.files.Kernel, "\n")
		owner := make([]string, len(lines))
		last := 0
		for _, s := range x.files.Spans {
			require.Less(t, last, s.First)
			require.LessOrEqual(t, s.First, s.Last)
			last = s.Last
			text := strings.Join(lines[s.First-1:s.Last], "\n")
			stmt := x.scop.Stmts[slices.IndexFunc(x.scop.Stmts, func(st *scop.Stmt) bool { return st.Name == s.Stmt })]
			require.Regexp(t, `(?s)\b(shared_)?`+written(stmt)+`(\[|_at\()[^=;]*=\s`, text)
			require.Regexp(t, `[;}]$`, text)
			for i := s.First; i <= s.Last; i++ {
				owner[i-1] = s.Stmt
			}
		}
		announced, ran := "", map[string]bool{}
		for i, line := range lines {
			if m := step.FindStringSubmatch(line); m != nil {
				announced = m[1]
			}
			if owner[i] != "" {
				require.Equal(t, announced, owner[i], "line %d: %s", i+1, line)
				ran[announced] = true
			}
		}
		require.Len(t, ran, len(x.scop.Stmts))
	})
}

// written returns the array that s stores to last.
func written(s *scop.Stmt) (name string) {
	for _, a := range s.Body {
		if store, ok := a.(scop.Store); ok {
			name = store.To.Array.Name
		}
	}
	return name
}

// TestSpansLeaveCopies: what is copied to and from shared memory belongs to no statement.
func TestSpansLeaveCopies(t *testing.T) {
	x := load(t, "jacobi-2d", staged)
	inside := func(n int) bool {
		return slices.ContainsFunc(x.files.Spans, func(s kerneltext.Span) bool { return s.First <= n && n <= s.Last })
	}
	copies := regexp.MustCompile(`\] = A_at\(.*;$|^\s*A_at\([^=]*\) = shared_A\[[^=]*;$`)
	n := 0
	for i, line := range strings.Split(x.files.Kernel, "\n") {
		if copies.MatchString(line) {
			require.False(t, inside(i+1), line)
			n++
		}
	}
	require.Positive(t, n)
}

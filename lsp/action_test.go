package lsp

import (
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/frontend"
)

// TestClauses: what is offered as a clause is one.
func TestClauses(t *testing.T) {
	require.ElementsMatch(t, frontend.ClauseNames, slices.Collect(maps.Keys(clauses)))
}

// TestEndOfStatement finds the end of loops as people write them.
func TestEndOfStatement(t *testing.T) {
	for text, want := range map[string]int{
		"for (;;)\n  a = b; c;\n": 1,
		"  // for (\n/* { */ for (int i = 0; i < f(2); i++)\n{\n a[1] = '}'; // }\n}\nx": 4,
		"if (a)\n b;\nelse {\n c;\n}\nd;":                                                4,
		"do {\n a;\n} while (a);\n":                                                      2,
		"while (a) for (;;) if (b) c = (d)[2]\n;\n":                                      1,
		"for (;;) {\n": -1,
		"for (;;":      -1,
		"}\n":          -1,
		"":             -1,
	} {
		require.Equal(t, want, endOfStatement(textOf(text), 0), text)
	}
}

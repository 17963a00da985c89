package lsp

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/frontend"
)

// TestClauses: each flag that has a clause is offered as one, and no other flag is.
func TestClauses(t *testing.T) {
	for _, name := range append([]string{"fallback", "assume"}, frontend.ClauseNames...) {
		d := found{diagnostic: diagnostic{Data: &data{"take --" + name + "=x, or another one"}}, line: 1}
		offered := fixes(textOf("  #pragma scop\nfor (;;)\n"), d)
		if !slices.Contains(frontend.ClauseNames, name) {
			require.Empty(t, offered, name)
			continue
		}
		require.Len(t, offered, 1, name)
		require.Equal(t, "  #pragma hexcc "+name+"(x)\n", offered[0].edit.NewText)
	}
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

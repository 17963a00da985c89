package frontend_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/frontend"
)

// TestHostile checks that programs made to exhaust a compiler end soon, with a
// diagnostic, in little memory.
func TestHostile(t *testing.T) {
	many := strings.Repeat
	nested := func(open, middle, end string, n int) string {
		return "int x = " + many(open, n) + middle + many(end, n) + ";\n"
	}
	doubling := "#define M0 x x\n"
	for i := 1; i < 60; i++ {
		doubling += strings.ReplaceAll(strings.ReplaceAll("#define MA MB MB\n", "A", string(rune('A'+i))), "MB", "M"+string(rune('A'+i-1)))
	}
	cases := map[string]string{
		"parentheses":         nested("(", "1", ")", 1_000_000),
		"brackets":            "int x" + many("[1]", 1_000_000) + ";\n",
		"braces":              "void f(void) {" + many("{", 1_000_000),
		"prefixes":            nested("- ", "1", "", 1_000_000),
		"sum":                 nested("1+", "1", "", 1_000_000),
		"conditions":          nested("1?1:", "1", "", 500_000),
		"casts":               nested("(int)", "1", "", 500_000),
		"pointers":            "int " + many("*", 500_000) + "p;\n",
		"else if":             "void f(int a) { if (a) ;" + many("else if (a) ;", 200_000) + "}\n",
		"conditional lines":   many("#if 1\n", 100_000),
		"#if in parentheses":  "#if " + many("(", 1_000_000) + "\n#endif\n",
		"macros that double":  doubling + "int M" + string(rune('A'+59)) + ";\n",
		"macro of itself":     "#define A A A\nint A;\n",
		"include of itself":   "#include \"s.c\"\n",
		"include of a device": "#include \"/dev/zero\"\n#include \"/dev/stdin\"\n",
		"include of a folder": "#include \"/\"\n",
		"no line end":         "int x; // \\",
		"zeros":               many("\x00", 1000),
		"large numbers":       "void f(int n, float A[n]) {\n#pragma scop\nfor (int t = 0; t < 99999999999999999999; t++) for (int i = 0; i < 9223372036854775807; i++) A[9223372036854775807 * i + 0x7fffffffffffffff] = 0;\n#pragma endscop\n}\n",
	}
	dir := t.TempDir()
	for name, text := range cases {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(dir, "s.c")
			require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
			start := time.Now()
			_, err := frontend.Parse(frontend.Source{Name: file, Text: []byte(text)}, frontend.Options{})
			assert.Less(t, time.Since(start), 10*time.Second)
			var list diag.List
			require.ErrorAs(t, err, &list)
			assert.Less(t, len(list), 1000)
			t.Log(time.Since(start), list[0])
		})
	}
}

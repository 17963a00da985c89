package frontend_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/frontend"
)

// TestSignature: the signature of the function around a region is that which C sees: through comments, strings, macros and
// declarations of all kinds; and so are the variables that its callers cannot set.
func TestSignature(t *testing.T) {
	for _, c := range []struct {
		before, head, between string
		parameters            string // name, type and zero of each
		hidden                []string
		at                    string // of the first
	}{
		{"", "void f(int n, float *A)", "", "n int 0, A float * 0", nil, "2:12"},
		{"// f(int k) {\nconst char *s = \"f(int k) {\"; /* f(void) { } */\nvoid f(int, float *);", "void f(int n, float *A)", "/* n = 2 */", "n int 0, A float * 0", nil, "4:12"},
		{"#define KERNEL(name) void name(int n, float *A)", "KERNEL(f)", "", "n int 0, A float * 0", nil, "2:1"},
		{"", "void f(A, n)\n  float *A;\n  int n;", "", "A float * 0, n int 0", nil, "3:10"},
		{"struct pair { double x, y; };\ntypedef struct { int i; } one;\nunion u { int i; };", "void f(struct pair p, int (*g)(int, int), one o, union u u, int n, float A[n], ...)", "",
			"p struct pair (struct pair){0}, g function(int, int) returning int * 0, o one (one){0}, u union u (union u){0}, n int 0, A float * 0", nil, "4:20"},
		{"int n;\nfloat A[100];", "void f(void)", "", "", nil, ""},
		{"int n;\nfloat A[100];", "void f()", "int n = 5;", "", []string{"n"}, ""},
		{"int n;\nfloat A[100];\nvoid g(int);", "void f(void)", "g(n);", "", []string{"n"}, ""},
		{"#define G(x) g(x)\nint n;\nfloat A[100];\nvoid g(int);", "void f(void)", "G(n);", "", []string{"n"}, ""},
		{"void g(int);", "void f(int n, float *A)", "g(n); A[0] = n;", "n int 0, A float * 0", nil, "2:12"},
		{"void g(int *);", "void f(int n, float *A)", "g(&n); A++;", "n int 0, A float * 0", []string{"n", "A"}, "2:12"},
	} {
		text := fmt.Sprintf("%s\n%s\n{\n%s\n#pragma scop\nfor (int t = 0; t < 9; t++) for (int i = 0; i < n; i++) A[i] += 1;\n#pragma endscop\nn = 5;\n}\n", c.before, c.head, c.between)
		res, err := frontend.Parse(frontend.Source{Name: "s.c", Text: []byte(text)}, frontend.Options{})
		require.NoError(t, err, text)
		s := res.Programs[0].Signature
		got, at := "", ""
		for i, p := range s.Parameters {
			if i > 0 {
				got += ", "
			} else {
				at = fmt.Sprintf("%d:%d", p.Pos.Line, p.Pos.Col)
			}
			got += p.Name + " " + p.Type + " " + p.Zero
		}
		for _, p := range s.Parameters {
			require.Equal(t, strings.HasSuffix(p.Type, "*") && p.Name != "g", p.Leads, p.Type) // g is a function
		}
		require.Equal(t, c.parameters, got, text)
		require.ElementsMatch(t, c.hidden, s.Hidden, text)
		require.Equal(t, c.at, at, text)
	}
}

package frontend_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/frontend"
)

// TestAbsoluteInclude checks that headers are found by absolute paths, with what they
// include beside them, and that messages and the list of headers have their own names.
func TestAbsoluteInclude(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
		return path
	}
	outer := write("outer.h", "#pragma once\n#include \"inner.h\"\n")
	inner := write("inner.h", "#define WIDTH 100\n")
	const region = "void f(int T, float A[restrict 2][WIDTH])\n{\n#pragma scop\n  for (int t = 0; t < T; t++)\n    for (int i = 1; i < WIDTH; i++)\n" +
		"      A[(t + 1) % 2][i] = A[t % 2][i - 1];\n#pragma endscop\n}\n"
	parse := func(includes string) (*frontend.Result, error) {
		return frontend.Parse(frontend.Source{Name: "s.c", Text: []byte(includes + region)}, frontend.Options{})
	}
	res, err := parse("#include \"" + outer + "\"\n # include <" + outer + "> // twice\n#include <" + inner + ">\n")
	require.NoError(t, err)
	assert.Equal(t, []string{outer, inner, outer}, res.Headers[:3])
	assert.Contains(t, string(res.Programs[0].Source), "#include \""+outer+"\"")

	write("inner.h", "#define WIDTH 100\nint = 1;\n")
	_, err = parse("#include \"" + outer + "\"\n")
	var list diag.List
	require.ErrorAs(t, err, &list)
	assert.Equal(t, diag.Pos{File: inner, Line: 2, Col: 5}, list[0].At.Pos)

	_, err = parse("#include \"" + filepath.Join(dir, "none.h") + "\"\n")
	require.ErrorAs(t, err, &list)
	assert.Equal(t, "header \""+filepath.Join(dir, "none.h")+"\" is not found", list[0].Msg)
	assert.Equal(t, diag.Pos{File: "s.c", Line: 1, Col: 10}, list[0].At.Pos)
}

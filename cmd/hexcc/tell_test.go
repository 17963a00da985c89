package main

import (
	"encoding/json"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestErrorsAsDocuments runs hexcc with all kinds of mistakes: whatever is wrong, standard error is one
// document in the format asked for, with the message that the text has, and the status is the same.
func TestErrorsAsDocuments(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Cleanup(func() { rename = os.Rename })
	good := strings.ReplaceAll(functionText, "UPDATE", "a[t % 2][i - 1]")
	for name, text := range map[string]string{
		"s.c": good, "bad.c": strings.ReplaceAll(functionText, "UPDATE", "a[t % 2][i * i]"), "none.c": "int x;\n", "mine.svg": "mine",
		"args": "--tile=3 s.c", "open.args": "'", "s.hs": "hexcc schedule 1\ntile q=1\n", "s.ptx": "nonsense",
		"idle.c": "void f(int T, int n, float A[2][n]) {\n#pragma scop\nfor (int t = 0; t < T; t++) for (int i = 5; i < 5; i++) A[(t + 1) % 2][i] = A[t % 2][i];\n#pragma endscop\n}\n",
	} {
		require.NoError(t, os.WriteFile(name, []byte(text), 0o666))
	}
	bug := func(string, string) error { panic("a bug for the test") }
	for _, c := range []struct {
		line, says string
		rename     func(string, string) error
	}{
		{line: "s.c --no-such-flag", says: "unknown flag"},
		{line: "--target=abacus s.c", says: "abacus"},
		{line: "nosuch.c", says: "nosuch.c"},
		{line: "inspect nosuch.c", says: "nosuch.c"},
		{line: "plot nosuch.c", says: "nosuch.c"},
		{line: "report nosuch.c", says: "nosuch.c"},
		{line: "verify nosuch.c", says: "nosuch.c"},
		{line: "--load-schedule=nosuch.hs s.c", says: "nosuch.hs"},
		{line: "--load-schedule=s.hs s.c", says: "q"},
		{line: "@nosuch", says: "nosuch"},
		{line: "@args", says: "by name"},
		{line: "@open.args", says: "unfinished quote"},
		{line: "/dev/zero", says: "is a device"},
		{line: "none.c", says: "#pragma scop"},
		{line: "bad.c", says: "not affine"},
		{line: "verify bad.c", says: "not affine"},
		{line: "inspect s.ptx", says: "s.ptx"},
		{line: "--arch=sm_35 s.c", says: "sm_35"},
		{line: "--tile=3 s.c", says: "by name"},
		{line: "--grid=q s.c", says: "--grid"},
		{line: "plot s.c -o s.c", says: "an input is never replaced"},
		{line: "plot s.c -o mine.svg", says: "did not make it"},
		{line: "plot s.c --picture=none", says: "none"},
		{line: "-o none/x s.c", says: "there is no folder"},
		{line: "-v -o none/x idle.c", says: "there is no folder"},
		{line: "-Werror idle.c", says: "never runs"},
		{line: "verify --sizes=k=3 s.c", says: "no parameter"},
		{line: "s.c", says: "disk is full", rename: func(string, string) error { return &os.LinkError{Err: io.ErrShortWrite} }},
		{line: "s.c", says: "a bug for the test", rename: bug},
	} {
		if rename = os.Rename; c.rename != nil {
			rename = c.rename
		}
		words := strings.Fields(c.line)
		var text strings.Builder
		want := run(words, io.Discard, &text)
		require.NotZero(t, want, c.line)
		if c.rename == nil || want == exitBug {
			require.Contains(t, text.String(), c.says, c.line)
		}
		for _, format := range []string{"-fdiagnostics-format=json", "--fdiagnostics-format=json", "-fdiagnostics-format=sarif"} {
			var stderr strings.Builder
			require.Equal(t, want, run(append(words[:len(words):len(words)], format), io.Discard, &stderr), "%s: %s", c.line, stderr.String())
			var doc any
			require.NoError(t, json.Unmarshal([]byte(stderr.String()), &doc), "%s: %s", c.line, stderr.String())
			if c.rename == nil || want == exitBug {
				require.Contains(t, stderr.String(), c.says, c.line)
			}
		}
	}
}

// TestNothingToTell: a run without diagnostics ends with an empty document.
func TestNothingToTell(t *testing.T) {
	t.Chdir(t.TempDir())
	const source = "void f(int T, int n, float A[2][n])\n{\n#pragma scop\nfor (int t = 0; t < T; t++) for (int i = 1; i < n - 1; i++) A[(t + 1) % 2][i] = A[t % 2][i - 1];\n#pragma endscop\n}\n"
	require.NoError(t, os.WriteFile("s.c", []byte(source), 0o666))
	for format, want := range map[string]string{"json": "[]\n", "sarif": `"results": []`, "text": ""} {
		var stderr strings.Builder
		require.Zero(t, run([]string{"--strategy=hybrid", "-fdiagnostics-format=" + format, "s.c"}, io.Discard, &stderr))
		require.Contains(t, stderr.String(), want)
		require.Equal(t, format == "text", stderr.String() == "")
	}
}

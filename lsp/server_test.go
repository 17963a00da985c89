package lsp_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/internal/tool"
	"github.com/hexcc/hexcc/lsp"
)

// command builds hexcc, and returns how to run it.
func command(t *testing.T) lsp.Runner {
	program := tool.Hexcc(t, "..")
	return func(ctx context.Context, dir string, args []string, stdin string) (string, string, error) {
		var out, errs bytes.Buffer
		cmd := exec.CommandContext(ctx, program, args...)
		cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = dir, strings.NewReader(stdin), &out, &errs
		err := cmd.Run()
		return out.String(), errs.String(), err
	}
}

const jacobi = `#include "size.h"
void jacobi(int T, int n, float A[restrict 2][n])
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < n - 1; i++)
      A[(t + 1) % 2][i] = WEIGHT * (A[t % 2][i - 1] + A[t % 2][i + 1]);
#pragma endscop
}
`

// TestEditor edits a file as people do: it opens, is broken and mended by what is offered, and closed.
func TestEditor(t *testing.T) {
	dir := t.TempDir()
	header := filepath.Join(dir, "size.h")
	require.NoError(t, os.WriteFile(header, []byte("#define WEIGHT 0.5f\n"), 0o666))
	uri := "file://" + filepath.Join(dir, "jacobi%20of.c")
	c := opened(t, &lsp.Server{Run: command(t), Flags: []string{"--strategy=hybrid"}}, map[string]any{"flags": []string{"--arch=sm_90"}})
	c.open(uri, 1, jacobi)
	require.Empty(t, c.diagnostics(uri, 1))

	told := c.ask("textDocument/hover", map[string]any{"textDocument": map[string]any{"uri": uri}, "position": at(6, 10)})
	text := told["contents"].(map[string]any)["value"].(string)
	for _, says := range []string{"**S0** for each (t, i)", "| flow | `A[t%2][i-1]` | `A[(t+1)%2][i]` of S0 | (1 + 2k, 1) |", "strategy `hybrid`", "along s0 up to 1 back and 1 ahead", "tile: `h=", "proved for all sizes: "} {
		require.Contains(t, text, says)
	}
	require.Nil(t, c.request("textDocument/hover", map[string]any{"textDocument": map[string]any{"uri": uri}, "position": at(0, 0)})["result"])

	// A region that does not end.
	open := strings.Replace(jacobi, "#pragma endscop\n", "", 1)
	c.change(uri, 2, open)
	got := c.diagnostics(uri, 2)
	require.Len(t, got, 1)
	require.Equal(t, "HX001", got[0].(map[string]any)["code"])
	titles, edits := c.actions(uri, 3, 4)
	require.Equal(t, []string{"Insert #pragma endscop behind the loop", "Explain HX001"}, titles)
	require.Equal(t, jacobi, applied(t, open, edits[titles[0]]))
	none, _ := c.actions(uri, 5, 0)
	require.Empty(t, none)

	// An error, its place behind characters of several bytes, and its note.
	c.change(uri, 3, strings.Replace(jacobi, "A[t % 2][i - 1]", "/* \u00e9\U0001f600 */ A[t % 2][i * i]", 1))
	got = c.diagnostics(uri, 3)
	require.Len(t, got, 1)
	one := got[0].(map[string]any)
	require.Equal(t, "HX101", one["code"])
	line := strings.Split(strings.Replace(jacobi, "A[t % 2][i - 1]", "/* xxx */ A[t % 2][i * i]", 1), "\n")[6] // two characters of three units of UTF-16
	from := one["range"].(map[string]any)["start"].(map[string]any)
	require.Equal(t, 6.0, from["line"])
	require.Equal(t, float64(strings.Index(line, "i * i")), from["character"])
	require.Contains(t, one["message"], "\nhelp: ")

	// What code means is told on request.
	c.request("workspace/executeCommand", map[string]any{"command": "hexcc.explain", "arguments": []string{"HX101"}})

	// A change of the header, when that is saved.
	c.change(uri, 4, jacobi)
	require.Empty(t, c.diagnostics(uri, 4))
	require.NoError(t, os.WriteFile(header, []byte("#define WEIGHT ("), 0o666))
	c.say("textDocument/didSave", map[string]any{"textDocument": map[string]any{"uri": "file://" + header}})
	require.NotEmpty(t, c.diagnostics(uri, 4))

	c.say("textDocument/didClose", map[string]any{"textDocument": map[string]any{"uri": uri}})
	for m := c.hear(); ; m = c.hear() {
		if p, _ := m["params"].(map[string]any); m["method"] == "textDocument/publishDiagnostics" && p["uri"] == uri {
			require.Empty(t, p["diagnostics"])
			break
		}
	}
	c.end()
}

// TestOffers applies what is offered, and runs hexcc on what comes out: the diagnostic is gone.
func TestOffers(t *testing.T) {
	const pointers = `void two(int T, int n, float *a, float *b)
{
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < n - 1; i++)
      b[i] = a[i - 1] + a[i + 1];
    for (int i = 1; i < n - 1; i++)
      a[i] = b[i];
  }
#pragma endscop
}
`
	const twice = "void f(int T, int n, float A[2][n])\n{\n#pragma scop\n#pragma scop\nfor (int t = 0; t < T; t++)\n  for (int i = 1; i < n; i++)\n    A[(t + 1) % 2][i] = A[t % 2][i - 1];\n#pragma endscop\n}\n"
	c := opened(t, &lsp.Server{Run: command(t)}, nil)
	for i, x := range []struct {
		text, code string
		line, col  int
		title      string
	}{
		{pointers, "HX104", 0, strings.Index(pointers, "b)"), "Declare float *restrict b"},
		{twice, "HX003", 3, 2, "Remove this line"},
	} {
		uri := fmt.Sprintf("file:///nowhere/%d.c", i)
		c.open(uri, 1, x.text)
		codes := func(list []any) (all []string) {
			for _, d := range list {
				code, _ := d.(map[string]any)["code"].(string)
				all = append(all, code)
			}
			return all
		}
		require.Contains(t, codes(c.diagnostics(uri, 1)), x.code)
		_, edits := c.actions(uri, x.line, x.col)
		require.Contains(t, edits, x.title)
		c.change(uri, 2, applied(t, x.text, edits[x.title]))
		require.NotContains(t, codes(c.diagnostics(uri, 2)), x.code, applied(t, x.text, edits[x.title]))
	}
	c.end()
}

// TestTyping sends many versions: runs for those that are gone end, and the last one is told of.
func TestTyping(t *testing.T) {
	var lock sync.Mutex
	running, most, ended := 0, 0, 0
	run := func(ctx context.Context, _ string, _ []string, stdin string) (string, string, error) {
		lock.Lock()
		running++
		most = max(most, running)
		lock.Unlock()
		defer func() { lock.Lock(); running--; lock.Unlock() }()
		if !strings.Contains(stdin, "last") {
			<-ctx.Done()
			lock.Lock()
			ended++
			lock.Unlock()
			return "", "", ctx.Err()
		}
		return "", `[{"severity":"warning","code":"HX005","file":"<stdin>","line":99,"column":7,"length":0,"message":"m","notes":[{"message":"why"}]}]`, nil
	}
	c := opened(t, &lsp.Server{Run: run, Pause: time.Millisecond}, nil)
	const uri = "file:///a.c"
	c.open(uri, 1, "#pragma scop")
	for v := 2; v < 20; v++ {
		time.Sleep(2 * time.Millisecond)
		c.change(uri, v, fmt.Sprint("#pragma scop ", v))
	}
	c.change(uri, 20, "last #pragma scop")
	got := c.diagnostics(uri, 20)
	require.Equal(t, "m\nnote: why", got[0].(map[string]any)["message"])
	require.Equal(t, 2.0, got[0].(map[string]any)["severity"])
	c.open("file:///b.c", 1, "int x;") // no region: nothing runs
	require.Empty(t, c.diagnostics("file:///b.c", 1))
	c.end()
	require.Positive(t, ended)
	require.Zero(t, running)
	require.LessOrEqual(t, most, 3)
}

// TestProtocol says what must not be said.
func TestProtocol(t *testing.T) {
	none := func(context.Context, string, []string, string) (string, string, error) {
		return "", "hexcc: no such flag", fmt.Errorf("exit status 1")
	}
	c := serve(t, &lsp.Server{Run: none})
	code := func(m map[string]any) any { return m["error"].(map[string]any)["code"] }
	require.Equal(t, -32002.0, code(c.request("textDocument/hover", map[string]any{})))
	c.ask("initialize", map[string]any{"capabilities": map[string]any{}})
	require.Equal(t, -32601.0, code(c.request("textDocument/rename", map[string]any{})))
	require.Equal(t, -32602.0, code(c.request("textDocument/hover", []any{})))
	c.say("$/setTrace", nil)
	fmt.Fprint(c.to, "Content-Length: 3\r\n\r\n{]}")
	require.Equal(t, -32700.0, code(c.hear()))
	require.Nil(t, c.request("textDocument/hover", map[string]any{"textDocument": map[string]any{"uri": "file:///x.c"}, "position": at(1, 2)})["result"])
	c.open("file:///x.c", 1, "#pragma scop")
	require.Equal(t, "hexcc: hexcc: no such flag", c.hear()["params"].(map[string]any)["message"])
	c.request("shutdown", nil)
	require.Equal(t, -32600.0, code(c.request("textDocument/hover", map[string]any{})))
	c.say("exit", nil)
	require.NoError(t, <-c.ended)

	c = serve(t, &lsp.Server{Run: none})
	fmt.Fprint(c.to, "Content-Length: -1\r\n\r\n")
	require.ErrorContains(t, <-c.ended, "no Content-Length that makes sense")
	c = serve(t, &lsp.Server{Run: none})
	c.say("exit", nil)
	require.ErrorContains(t, <-c.ended, "without shutdown")
}

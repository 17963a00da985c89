package lsp_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/textproto"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/lsp"
)

// A client is an editor that does as it is told.
type client struct {
	t     *testing.T
	to    io.WriteCloser
	from  chan map[string]any // what the server says
	ended chan error
	next  int
}

// serve starts a server with a client.
func serve(t *testing.T, s *lsp.Server) *client {
	in, to := io.Pipe()
	out, w := io.Pipe()
	c := &client{t: t, to: to, from: make(chan map[string]any, 100), ended: make(chan error, 1)}
	go func() {
		err := s.Serve(in, w)
		w.Close()
		c.ended <- err
	}()
	go func() {
		defer close(c.from)
		r := bufio.NewReader(out)
		for {
			header, err := textproto.NewReader(r).ReadMIMEHeader()
			if err != nil {
				return
			}
			size, _ := strconv.Atoi(header.Get("Content-Length"))
			body := make([]byte, size)
			if _, err := io.ReadFull(r, body); err != nil {
				return
			}
			var m map[string]any
			if json.Unmarshal(body, &m) != nil {
				m = map[string]any{"broken": string(body)}
			}
			c.from <- m
		}
	}()
	return c
}

// opened is a client that has said initialize.
func opened(t *testing.T, s *lsp.Server, options any) *client {
	c := serve(t, s)
	got := c.ask("initialize", map[string]any{"initializationOptions": options})
	require.Equal(t, "hexcc", got["serverInfo"].(map[string]any)["name"])
	c.say("initialized", map[string]any{})
	return c
}

func (c *client) send(m map[string]any) {
	m["jsonrpc"] = "2.0"
	body, err := json.Marshal(m)
	require.NoError(c.t, err)
	_, err = fmt.Fprintf(c.to, "Content-Length: %d\r\n\r\n%s", len(body), body)
	require.NoError(c.t, err)
}

// say sends a notification.
func (c *client) say(method string, params any) {
	c.send(map[string]any{"method": method, "params": params})
}

// request sends a request, and returns the response.
func (c *client) request(method string, params any) map[string]any {
	c.next++
	c.send(map[string]any{"id": c.next, "method": method, "params": params})
	for {
		if m := c.hear(); m["id"] == float64(c.next) {
			return m
		}
	}
}

// ask is request with a result that is an object.
func (c *client) ask(method string, params any) map[string]any {
	m := c.request(method, params)
	require.Nil(c.t, m["error"])
	result, _ := m["result"].(map[string]any)
	return result
}

// hear returns what the server says next.
func (c *client) hear() map[string]any {
	select {
	case m, more := <-c.from:
		require.True(c.t, more, "the server has ended")
		require.Equal(c.t, "2.0", m["jsonrpc"])
		return m
	case <-time.After(2 * time.Minute):
		require.Fail(c.t, "the server says nothing")
		return nil
	}
}

// diagnostics waits for the diagnostics of a version of a document.
func (c *client) diagnostics(uri string, version int) []any {
	for {
		m := c.hear()
		if m["method"] != "textDocument/publishDiagnostics" {
			continue
		}
		p := m["params"].(map[string]any)
		if p["uri"] == uri && p["version"] == float64(version) {
			return p["diagnostics"].([]any)
		}
	}
}

func (c *client) open(uri string, version int, text string) {
	c.say("textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": uri, "languageId": "c", "version": version, "text": text}})
}

func (c *client) change(uri string, version int, text string) {
	c.say("textDocument/didChange", map[string]any{"textDocument": map[string]any{"uri": uri, "version": version}, "contentChanges": []any{map[string]any{"text": text}}})
}

// end says shutdown and exit.
func (c *client) end() {
	c.request("shutdown", nil)
	c.say("exit", nil)
	require.NoError(c.t, <-c.ended)
}

// at is a position, and a range from it to itself.
func at(line, character int) map[string]any {
	return map[string]any{"line": line, "character": character}
}

// actions returns the titles of what can be done at a place, and the edits by title.
func (c *client) actions(uri string, line, character int) (titles []string, edits map[string]any) {
	m := c.request("textDocument/codeAction", map[string]any{
		"textDocument": map[string]any{"uri": uri}, "range": map[string]any{"start": at(line, character), "end": at(line, character)}, "context": map[string]any{"diagnostics": []any{}},
	})
	edits = map[string]any{}
	for _, a := range m["result"].([]any) {
		a := a.(map[string]any)
		title := a["title"].(string)
		titles = append(titles, title)
		if edit, ok := a["edit"].(map[string]any); ok {
			edits[title] = edit["changes"].(map[string]any)[uri].([]any)[0]
		}
	}
	return titles, edits
}

// applied returns a text after an edit of ASCII.
func applied(t *testing.T, text string, edit any) string {
	require.NotNil(t, edit)
	e := edit.(map[string]any)
	offset := func(p any) int {
		at := p.(map[string]any)
		lines := strings.SplitAfter(text, "\n")
		n := 0
		for _, l := range lines[:int(at["line"].(float64))] {
			n += len(l)
		}
		return n + int(at["character"].(float64))
	}
	r := e["range"].(map[string]any)
	return text[:offset(r["start"])] + e["newText"].(string) + text[offset(r["end"]):]
}

// Package lsp is a server of the Language Server Protocol (version 3.17): diagnostics of regions as one types, what was decided for the
// loops under the cursor, and edits that do what the help of a diagnostic says.
//
// It runs hexcc itself for each version of a text, in a process of its own that ends when the text changes again, and knows nothing
// but what that prints as data.
package lsp

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/textproto"
	"strconv"
	"sync"
)

// A message is a request, a notification (no ID) or a response (no Method) of JSON-RPC 2.0.
type message struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  json.RawMessage `json:"params,omitempty"`
	Result  any             `json:"result,omitempty"`
	Error   *failure        `json:"error,omitempty"`
}

// A failure is the error of a response.
type failure struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

// Codes of JSON-RPC and of the protocol.
const (
	parseError     = -32700
	invalidRequest = -32600
	unknownMethod  = -32601
	invalidParams  = -32602
	notInitialized = -32002
)

// mostBytes bounds a message: a client that announces more is not one.
const mostBytes = 64 << 20

// A connection reads and writes messages. Any number of threads may write.
type connection struct {
	in   *bufio.Reader
	out  io.Writer
	lock sync.Mutex
}

// read returns the next message; io.EOF where there is none.
func (c *connection) read() (*message, error) {
	header, err := textproto.NewReader(c.in).ReadMIMEHeader()
	if err != nil {
		return nil, err
	}
	size, err := strconv.Atoi(header.Get("Content-Length"))
	if err != nil || size < 0 || size > mostBytes {
		return nil, fmt.Errorf("a message of the language server protocol has no Content-Length that makes sense: %q", header.Get("Content-Length"))
	}
	body := make([]byte, size)
	if _, err := io.ReadFull(c.in, body); err != nil {
		return nil, err
	}
	m := new(message)
	if err := json.Unmarshal(body, m); err != nil {
		return &message{Error: &failure{parseError, err.Error()}}, nil
	}
	return m, nil
}

// write sends a message.
func (c *connection) write(m message) error {
	m.Version = "2.0"
	body, err := json.Marshal(m)
	if err != nil {
		return err
	}
	c.lock.Lock()
	defer c.lock.Unlock()
	_, err = fmt.Fprintf(c.out, "Content-Length: %d\r\n\r\n%s", len(body), body)
	return err
}

// null is a result that is nothing: a response has to have one.
var null = json.RawMessage("null")

// reply answers a request.
func (c *connection) reply(id json.RawMessage, result any) error {
	if result == nil {
		result = null
	}
	return c.write(message{ID: id, Result: result})
}

// refuse answers a request that cannot be kept.
func (c *connection) refuse(id json.RawMessage, code int, format string, args ...any) error {
	if id == nil {
		id = null
	}
	return c.write(message{ID: id, Error: &failure{code, fmt.Sprintf(format, args...)}})
}

// notify tells the client something.
func (c *connection) notify(method string, params any) error {
	body, err := json.Marshal(params)
	if err != nil {
		return err
	}
	return c.write(message{Method: method, Params: body})
}

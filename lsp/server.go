package lsp

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/hexcc/hexcc/report"
)

// A Runner runs hexcc with arguments in a folder, with a text as standard input, until it ends or ctx does, and returns what it prints.
type Runner func(ctx context.Context, dir string, args []string, stdin string) (stdout, stderr string, err error)

// A Server serves one client.
type Server struct {
	Run   Runner
	Flags []string      // of hexcc, for all files; those that the client sends come behind them
	Pause time.Duration // from a change to the run that it makes: a text changes with each key

	connection  *connection
	flags       []string
	initialized bool
	lock        sync.Mutex // of what follows
	documents   map[string]*document
	running     sync.WaitGroup
}

// A document is a file that is open in the editor.
type document struct {
	uri, path string
	version   int
	text      text
	cancel    context.CancelFunc // of the run for an earlier version
	found     []found            // what the last run said of this version
	regions   []report.Inspection
	elsewhere []string // URIs of headers that have diagnostics
}

// A found diagnostic is one of this document.
type found struct {
	diagnostic diagnostic
	line       int // from 0
	column     int // bytes, from 0
}

// errExit ends a server that was told to shut down before; errLeft one that was not.
var (
	errExit = errors.New("the client has ended")
	errLeft = errors.New("the client has ended without shutdown")
)

// Serve answers the client until it ends. The error is nil if it had said that it will.
func (s *Server) Serve(in io.Reader, out io.Writer) error {
	s.connection = &connection{in: bufio.NewReader(in), out: out}
	s.documents, s.flags = map[string]*document{}, s.Flags
	shut := false
	defer s.close()
	for {
		m, err := s.connection.read()
		if err != nil {
			switch {
			case !errors.Is(err, io.EOF):
				return err
			case !shut:
				return errLeft
			}
			return nil
		}
		if m.Error != nil && m.ID == nil {
			if err := s.connection.refuse(nil, m.Error.Code, "%s", m.Error.Message); err != nil {
				return err
			}
			continue
		}
		if shut && m.Method != "exit" && m.ID != nil {
			if err := s.connection.refuse(m.ID, invalidRequest, "after shutdown"); err != nil {
				return err
			}
			continue
		}
		shut = shut || m.Method == "shutdown"
		if err := s.handle(m); errors.Is(err, errExit) {
			if !shut {
				return errLeft
			}
			return nil
		} else if err != nil {
			return err
		}
	}
}

// close ends all runs.
func (s *Server) close() {
	s.lock.Lock()
	for _, d := range s.documents {
		d.stop()
	}
	s.lock.Unlock()
	s.running.Wait()
}

// handle does what a message asks for.
func (s *Server) handle(m *message) error {
	if m.Method == "" {
		return nil // a response: the server asks for nothing that it needs
	}
	if !s.initialized && m.Method != "initialize" && m.Method != "exit" {
		if m.ID == nil {
			return nil
		}
		return s.connection.refuse(m.ID, notInitialized, "initialize comes first")
	}
	switch m.Method {
	case "initialize":
		var p struct {
			Options struct {
				Flags []string `json:"flags"`
			} `json:"initializationOptions"`
		}
		json.Unmarshal(m.Params, &p) // other options are those of others
		s.flags, s.initialized = append(s.flags, p.Options.Flags...), true
		return s.connection.reply(m.ID, map[string]any{"capabilities": capabilities, "serverInfo": map[string]string{"name": "hexcc"}})
	case "shutdown":
		return s.connection.reply(m.ID, nil)
	case "exit":
		return errExit
	case "textDocument/didOpen":
		var p struct {
			Document documentItem `json:"textDocument"`
		}
		return s.noticed(m, &p, func() { s.set(p.Document.URI, p.Document.Version, p.Document.Text, 0) })
	case "textDocument/didChange":
		var p struct {
			Document identifier `json:"textDocument"`
			Changes  []change   `json:"contentChanges"`
		}
		return s.noticed(m, &p, func() {
			if len(p.Changes) > 0 {
				s.set(p.Document.URI, p.Document.Version, p.Changes[len(p.Changes)-1].Text, s.Pause)
			}
		})
	case "textDocument/didSave": // a header may be what was saved
		return s.noticed(m, &struct{}{}, s.again)
	case "textDocument/didClose":
		var p struct {
			Document identifier `json:"textDocument"`
		}
		return s.noticed(m, &p, func() { s.forget(p.Document.URI) })
	case "textDocument/hover":
		var p struct {
			Document identifier `json:"textDocument"`
			Position position   `json:"position"`
		}
		return s.asked(m, &p, func() any { return s.hover(p.Document.URI, p.Position) })
	case "textDocument/codeAction":
		var p struct {
			Document identifier `json:"textDocument"`
			Range    span       `json:"range"`
		}
		return s.asked(m, &p, func() any { return s.actions(p.Document.URI, p.Range) })
	case "workspace/executeCommand":
		var p struct {
			Command   string   `json:"command"`
			Arguments []string `json:"arguments"`
		}
		return s.asked(m, &p, func() any { s.explain(p.Command, p.Arguments); return nil })
	}
	if m.ID == nil { // that may be ignored
		return nil
	}
	return s.connection.refuse(m.ID, unknownMethod, "hexcc lsp has no method %s", m.Method)
}

// noticed reads the parameters of a notification, and does what follows from it.
func (s *Server) noticed(m *message, params any, do func()) error {
	if json.Unmarshal(m.Params, params) == nil {
		do()
	}
	return nil
}

// asked reads the parameters of a request, and answers it.
func (s *Server) asked(m *message, params any, answer func() any) error {
	if err := json.Unmarshal(m.Params, params); err != nil {
		return s.connection.refuse(m.ID, invalidParams, "%s: %v", m.Method, err)
	}
	return s.connection.reply(m.ID, answer())
}

// explain shows what an error code means.
func (s *Server) explain(name string, args []string) {
	if name != explainCommand || len(args) != 1 {
		return
	}
	out, errs, err := s.Run(context.Background(), ".", []string{"explain", args[0]}, "")
	kind := messageInfo
	if err != nil {
		out, kind = errs, messageError
	}
	s.connection.notify("window/showMessage", shownMessage{kind, out})
}

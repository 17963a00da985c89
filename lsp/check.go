package lsp

import (
	"cmp"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/hexcc/hexcc/report"
)

// set makes text that of a document, and runs hexcc on it after a while.
func (s *Server) set(uri string, version int, content string, pause time.Duration) {
	path, isFile := pathOf(uri)
	if !isFile {
		path = "" // not saved yet: headers beside it are not known
	}
	s.lock.Lock()
	defer s.lock.Unlock()
	d := s.documents[uri]
	if d == nil {
		d = &document{uri: uri, path: path}
		s.documents[uri] = d
	}
	d.version, d.text = version, textOf(content)
	s.start(d, pause)
}

// again runs hexcc on all documents anew.
func (s *Server) again() {
	s.lock.Lock()
	defer s.lock.Unlock()
	for _, d := range s.documents {
		s.start(d, 0)
	}
}

// forget closes a document, whose diagnostics go.
func (s *Server) forget(uri string) {
	s.lock.Lock()
	defer s.lock.Unlock()
	d := s.documents[uri]
	if d == nil {
		return
	}
	d.stop()
	delete(s.documents, uri)
	for _, u := range append(d.elsewhere, uri) {
		s.connection.notify("textDocument/publishDiagnostics", published{URI: u, Diagnostics: []diagnostic{}})
	}
}

// stop ends the run for a document, if there is one.
func (d *document) stop() {
	if d.cancel != nil {
		d.cancel()
		d.cancel = nil
	}
}

// start begins a run for a document, in place of the one before. The lock is held.
func (s *Server) start(d *document, pause time.Duration) {
	d.stop()
	d.found, d.regions = nil, nil // of the version before
	ctx, cancel := context.WithCancel(context.Background())
	d.cancel = cancel
	content, version := strings.Join(d.text.lines, ""), d.version
	s.running.Go(func() {
		defer cancel()
		select {
		case <-ctx.Done():
			return
		case <-time.After(pause):
		}
		said, regions, err := s.check(ctx, d.path, content)
		if ctx.Err() != nil {
			return
		}
		s.lock.Lock()
		defer s.lock.Unlock()
		if d.version != version || s.documents[d.uri] != d {
			return
		}
		if err != nil {
			s.connection.notify("window/showMessage", shownMessage{messageError, "hexcc: " + err.Error()})
			return
		}
		s.publish(d, said, regions)
	})
}

// A told is a diagnostic as hexcc -fdiagnostics-format=json prints it.
type told struct {
	Severity, Code, File, Message, Help string
	Line, Column, Length                int
	Notes                               []struct {
		File, Message        string
		Line, Column, Length int
	}
}

// check runs hexcc on a text. One without a region has nothing to say.
func (s *Server) check(ctx context.Context, path, content string) (said []told, regions []report.Inspection, err error) {
	if !strings.Contains(content, "scop") {
		return nil, nil, nil
	}
	dir := "."
	args := append([]string{"inspect", "--format=json", "-fdiagnostics-format=json"}, s.flags...)
	if path != "" && isFolder(filepath.Dir(path)) {
		dir = filepath.Dir(path)
		args = append(args, "-I", dir)
	}
	out, errs, err := s.Run(ctx, dir, append(args, "-"), content)
	if json.Unmarshal([]byte(errs), &said) != nil { // not even that: a wrong flag, or no hexcc
		if err == nil || strings.TrimSpace(errs) != "" {
			return nil, nil, &sayError{errs}
		}
		return nil, nil, err
	}
	said = slices.DeleteFunc(said, func(t told) bool { return t.Code == "HX004" }) // no region in this file
	var one report.Inspection
	if json.Unmarshal([]byte(out), &regions) != nil && json.Unmarshal([]byte(out), &one) == nil {
		regions = []report.Inspection{one}
	}
	return said, regions, nil
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// A sayError is what hexcc said that is no list of diagnostics.
type sayError struct{ text string }

func (e *sayError) Error() string { return strings.TrimSpace(e.text) }

// stdinName is what diagnostics call the text of the document.
const stdinName = "<stdin>"

// publish tells the client what was said. The lock is held.
func (s *Server) publish(d *document, said []told, regions []report.Inspection) {
	d.regions = regions
	byURI := map[string][]diagnostic{d.uri: {}}
	for _, uri := range d.elsewhere {
		byURI[uri] = []diagnostic{} // they may have none now
	}
	place := func(file string, line, column, length int) location {
		uri, t := d.uri, d.text
		if file != stdinName && file != "" {
			if !filepath.IsAbs(file) {
				file = filepath.Join(filepath.Dir(d.path), file)
			}
			uri, t = uriOf(file), text{}
		}
		line, column = max(line-1, 0), max(column-1, 0)
		if t.lines == nil { // a header, whose text is not at hand: columns are as good as bytes
			return location{uri, span{position{line, column}, position{line, column + max(length, 1)}}}
		}
		return location{uri, t.span(line, column, max(length, 1))}
	}
	for _, t := range said {
		at := place(t.File, t.Line, t.Column, t.Length)
		one := diagnostic{Range: at.Range, Code: t.Code, Source: "hexcc", Message: t.Message, Severity: severityError}
		switch t.Severity {
		case "warning":
			one.Severity = severityWarning
		case "remark":
			one.Severity = severityInformation
		}
		if t.Help != "" {
			one.Message += "\nhelp: " + t.Help
			one.Data = &data{t.Help}
		}
		for _, n := range t.Notes {
			if n.Line == 0 {
				one.Message += "\nnote: " + n.Message
				continue
			}
			one.Related = append(one.Related, related{place(cmp.Or(n.File, t.File), n.Line, n.Column, n.Length), n.Message})
		}
		byURI[at.URI] = append(byURI[at.URI], one)
		if at.URI == d.uri {
			d.found = append(d.found, found{one, max(t.Line-1, 0), max(t.Column-1, 0)})
		}
	}
	d.elsewhere = nil
	for uri, list := range byURI {
		p := published{URI: uri, Diagnostics: list}
		if uri == d.uri {
			p.Version = &d.version
		} else if len(list) > 0 {
			d.elsewhere = append(d.elsewhere, uri)
		}
		s.connection.notify("textDocument/publishDiagnostics", p)
	}
}

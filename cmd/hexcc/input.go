package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/frontend"
)

// This file reads what the command line names: files, pipes, and "-" for standard input.

// stdinName is what standard input is called in messages and in what is written, as by cc.
const stdinName = "<stdin>"

// An input is a file that a run has read, which it never writes over.
type input struct {
	name string
	info fs.FileInfo
}

// read returns what a file holds, or standard input where name is "-", and remembers it as
// an input. A name is read once: a pipe has nothing more to give.
func (s *session) read(name string) ([]byte, error) {
	if text, done := s.texts[name]; done {
		return text, nil
	}
	text, info, err := readInput(name)
	if err != nil {
		return nil, err
	}
	if s.texts == nil {
		s.texts = map[string][]byte{}
	}
	s.texts[name] = text
	s.inputs = append(s.inputs, input{shown(name), info})
	return text, nil
}

// source reads a file that diagnostics may show.
func (s *session) source(name string) (hexcc.Source, error) {
	text, err := s.read(name)
	return hexcc.Source{Name: shown(name), Text: text}, err
}

// readHeaders remembers the headers that a translation has read.
func (s *session) readHeaders(names []string) {
	for _, name := range names {
		if info, err := os.Stat(name); err == nil {
			s.inputs = append(s.inputs, input{name, info})
		}
	}
}

// shown returns what an input is called in messages and outputs.
func shown(name string) string {
	if name == "-" {
		return stdinName
	}
	return name
}

// readInput reads a file, a pipe, or standard input where name is "-".
func readInput(name string) (text []byte, info fs.FileInfo, err error) {
	file := os.Stdin
	if _, fd := follow(name); name != "-" && fd != 0 {
		if info, err = os.Stat(name); err != nil { // before it is opened: devices may do something then
			return nil, nil, unread(name, err)
		}
		if what := kind(info.Mode()); what != "" && what != "a pipe" {
			return nil, nil, fmt.Errorf("%s is %s: what is read is a file, a pipe, or - for standard input", name, what)
		}
		if file, err = os.Open(name); err != nil {
			return nil, nil, unread(name, err)
		}
		defer file.Close()
	}
	if info, err = file.Stat(); err != nil {
		return nil, nil, err
	}
	text, err = frontend.ReadAll(file)
	var much frontend.TooLarge
	if errors.As(err, &much) {
		return nil, nil, diag.List{{Code: "HX405", At: diag.Span{Pos: diag.Pos{File: shown(name)}}, Msg: much.Error(), Help: "leave out what no region needs, or split the file"}}
	}
	if err != nil {
		return nil, nil, unread(shown(name), err)
	}
	return text, info, nil
}

func unread(name string, err error) error { return fmt.Errorf("cannot read %s: %w", name, reason(err)) }

// kind says what a file is that is none: "" of a regular file.
func kind(m fs.FileMode) string {
	switch {
	case m.IsRegular():
		return ""
	case m.IsDir():
		return "a folder"
	case m&fs.ModeNamedPipe != 0:
		return "a pipe"
	case m&fs.ModeSocket != 0:
		return "a socket"
	case m&fs.ModeCharDevice != 0:
		return "a device"
	case m&fs.ModeDevice != 0:
		return "a disk"
	}
	return "no file"
}

package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/hexcc/hexcc/calc"
	"github.com/hexcc/hexcc/poly"
)

type calcCmd struct {
	File string `arg:"" optional:"" name:"FILE" help:"A program (default, or -: standard input; from a terminal, a dialogue)."`
}

// Run runs a program up to its first mistake, or a dialogue.
func (c *calcCmd) Run(s *session) error {
	calculator := &calc.Calculator{Out: s.stdout, ReadFile: func(name string) ([]byte, error) {
		text, _, err := readInput(name) // each time anew: it may have changed
		return text, err
	}}
	if c.File == "" {
		c.File = "-"
	}
	if c.File == "-" && isTerminal(os.Stdin) {
		var prompts io.Writer
		if isTerminal(s.stdout) {
			prompts, calculator.Name = s.stdout, true
		}
		return calculator.Converse("-", os.Stdin, prompts, func(err error) { fmt.Fprintln(s.stderr, err) })
	}
	text, err := s.read(c.File)
	if err != nil {
		return err
	}
	return s.mistake(calculator.Run(c.File, string(text), 0))
}

// mistake prints a mistake in a program and returns the status to end with.
func (s *session) mistake(err error) error {
	if err == nil {
		return nil
	}
	fmt.Fprintln(s.stderr, err)
	if limit := (*poly.LimitError)(nil); errors.As(err, &limit) {
		return exit(exitLimit)
	}
	return exit(exitUsage)
}

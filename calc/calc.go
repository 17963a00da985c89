package calc

import (
	"errors"
	"fmt"
	"io"

	"github.com/hexcc/hexcc/poly"
)

// A Calculator runs programs. It keeps the values of names from one to the next. The zero Calculator has none, and
// prints nowhere.
type Calculator struct {
	// Out is where values are printed; nil: nowhere.
	Out io.Writer
	// Name says whether values that are printed unasked get a name, as in $0 := { 3 }: in a dialogue.
	Name bool
	// ReadFile reads the files of source "file" and read "file"; nil: there are none.
	ReadFile func(name string) ([]byte, error)

	vars    map[string]Value
	unnamed int
	sourced int // depth of files that read files
}

// maxSourced bounds the depth of files that read files.
const maxSourced = 20

// Run runs all statements of text, which comes from a file and starts after so many lines of it. It stops at the first
// mistake and returns it: an *Error with its place. A value that would pass a bound of package poly is a mistake whose
// Err is a *poly.LimitError.
func (c *Calculator) Run(file, text string, linesBefore int) (err error) {
	src := source{file, text, linesBefore}
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *Error:
			err = r
		default:
			panic(r)
		}
	}()
	p := newParser(src)
	for !p.atEnd() {
		if err := c.run(src, p.statement()); err != nil {
			return err
		}
	}
	return nil
}

// run runs one statement.
func (c *Calculator) run(src source, st statement) error {
	if st.expr == nil {
		return c.source(src, st)
	}
	if c.vars == nil {
		c.vars = map[string]Value{}
	}
	var v Value
	var text string
	limit := poly.Limited(func() error {
		e := &evaluator{src, c.vars, c.ReadFile}
		v = e.eval(st.expr)
		if v != nil && st.name == "" {
			text = v.String()
		}
		return nil
	})
	if limit != nil {
		mistake := src.errorAt(st.at(), "%v", limit)
		mistake.Err = limit
		return mistake
	}
	switch {
	case v == nil:
	case st.name != "":
		c.vars[st.name] = v
	case c.Name && !st.print:
		name := fmt.Sprintf("$%d", c.unnamed)
		c.unnamed++
		c.vars[name] = v
		return c.print(name + " := " + text)
	default:
		return c.print(text)
	}
	return nil
}

func (c *Calculator) print(text string) error {
	if c.Out == nil {
		return nil
	}
	_, err := fmt.Fprintln(c.Out, text)
	return err
}

// source runs the statements of a file.
func (c *Calculator) source(src source, st statement) error {
	fail := func(err error) error {
		mistake := src.errorAt(st.at(), "source: %v", err)
		mistake.Err = err
		return mistake
	}
	if c.ReadFile == nil {
		return fail(errors.New("there are no files here"))
	}
	if c.sourced++; c.sourced > maxSourced {
		return fail(fmt.Errorf("files that read files, more than %d deep", maxSourced))
	}
	defer func() { c.sourced-- }()
	text, err := c.ReadFile(st.source)
	if err != nil {
		return fail(err)
	}
	named := c.Name
	c.Name = false
	defer func() { c.Name = named }()
	return c.Run(st.source, string(text), 0)
}

package calc

import (
	"errors"
	"strings"

	"github.com/hexcc/hexcc/astgen/scan"
	"github.com/hexcc/hexcc/poly"
	"github.com/hexcc/hexcc/schedule/tree"
)

// This file writes loops, and reads schedules.

// codegen returns the text of the loops of a schedule.
func (e *evaluator) codegen(n codegenNode) Value {
	schedule := e.value(n.schedule)
	var root tree.Node
	if s, ok := schedule.(Schedule); ok {
		if n.options != nil {
			e.fail(n.options, "options go with a map: a schedule has its own, in its bands")
		}
		root = s.Node
	} else {
		times, options := e.as(n.schedule, mapKind, "codegen").(Map).Map, poly.Map{}
		if n.options != nil {
			options = e.as(n.options, mapKind, "using").(Map).Map
		}
		root = tree.Relation(times, poly.MustSet("{ : }"), options)
	}
	loops, err := scan.Loops(root)
	if err != nil {
		e.failWith(n, err)
	}
	return Text(strings.TrimSuffix(scan.C(loops), "\n"))
}

// read returns what a file has: a set, relation, function or schedule. Its mistakes are reported where they are.
func (e *evaluator) read(n readNode) Value {
	if e.readFile == nil {
		e.fail(n, "read: there are no files here")
	}
	data, err := e.readFile(n.file)
	if err != nil {
		failure := e.errorAt(n.at(), "read: %v", err)
		failure.Err = err
		panic(failure)
	}
	src := source{file: n.file, text: string(data)}
	bare := blankComments(src.text)
	start := len(bare) - len(strings.TrimLeft(bare, " \t\r\n"))
	text := strings.TrimSpace(bare)
	if startsSets(bare) && !tree.StartsTree(src.text) {
		return readSets(src)
	}
	if literalSize(text) == len(text) && text != "" && !tree.StartsTree(src.text) {
		inner := &evaluator{source: src, vars: e.vars}
		return inner.literal(literalNode{place(start), text})
	}
	root, err := tree.Parse(src.text)
	var wrong *tree.Error
	if errors.As(err, &wrong) {
		panic(&Error{File: n.file, Line: wrong.Line, Col: wrong.Col, Msg: wrong.Msg, Text: wrong.Text, Err: wrong.Err})
	}
	return Schedule{root}
}

// domainOf returns the instances that a schedule starts with.
func domainOf(x Value) (Value, error) { return Set{x.(Schedule).Node.(*tree.Domain).Set}, nil }

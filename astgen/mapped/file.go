package mapped

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/poly"
	"github.com/hexcc/hexcc/schedule/tree"
	"github.com/hexcc/hexcc/scop"
)

// This file reads schedules that a user has written. A file is a schedule tree in YAML, as isl prints it, or, after the line hexcc schedule 1,
// lines of
//
//	map S0[t, i] -> [t, t + i]
//	map S0[t, i] -> [t, 0] : i = 0      # several for one statement, each for a part of its instances
//	option [x, y] -> unroll[1] : x = 0  # as isl has them: separate, atomic, unroll of a dimension, from 0
//
// in any order; # begins a comment.

// mapLine matches a line that says where instances run.
var mapLine = regexp.MustCompile(`(?m)^[ \t]*map\b`)

// Is reports whether the text of a schedule file is for this package: it is a tree, or has a line with map.
func Is(text []byte) bool { return mapLine.Match(text) || tree.StartsTree(string(text)) }

// Read reads the text of a schedule file for a program. It fails with a diag.List (HX011) that names each bad line, with its place.
func Read(file string, text []byte, p *scop.Program) (*tree.Domain, error) {
	r := &reader{file: file, prog: p}
	var root tree.Node
	if tree.StartsTree(string(text)) {
		root = r.tree(string(text))
	} else {
		root = r.lines(string(text))
	}
	if len(r.list) > 0 {
		return nil, diag.Sorted(r.list)
	}
	d := root.(*tree.Domain)
	return &tree.Domain{Set: d.Set, Child: &tree.Context{Set: p.Context, Child: d.Child}}, nil
}

type reader struct {
	file string
	prog *scop.Program
	list diag.List
}

// wrong notes what is wrong at a place of the file.
func (r *reader) wrong(line, col int, help, format string, args ...any) {
	at := diag.Pos{File: r.file, Line: line, Col: col}
	r.list = append(r.list, &diag.Diagnostic{Code: "HX011", At: diag.Span{Pos: at}, Msg: fmt.Sprintf(format, args...), Help: help})
}

// tree reads a tree.
func (r *reader) tree(text string) tree.Node {
	root, err := tree.Parse(text)
	if err != nil {
		var wrong *tree.Error
		if errors.As(err, &wrong) {
			r.wrong(wrong.Line, wrong.Col, "", "%s", wrong.Msg)
		} else {
			r.wrong(1, 1, "", "%v", err)
		}
		return nil
	}
	d, ok := root.(*tree.Domain)
	if !ok {
		r.wrong(1, 1, "", "a schedule tree begins with its domain")
		return nil
	}
	for _, name := range tree.Params(root) {
		if !r.isParam(name) {
			r.wrong(1, 1, r.names(), "'%s' is no parameter of the region", name)
			return nil
		}
	}
	return &tree.Domain{Set: d.Set, Child: d.Child}
}

// isParam reports whether the region has the parameter.
func (r *reader) isParam(name string) bool {
	for _, q := range r.prog.Params {
		if q.Name == name {
			return true
		}
	}
	return false
}

// names says which parameters there are.
func (r *reader) names() string {
	var list []string
	for _, q := range r.prog.Params {
		list = append(list, q.Name)
	}
	if list == nil {
		return "the region has no parameters"
	}
	return "parameters are " + strings.Join(list, ", ")
}

// lines reads the lines of a file.
func (r *reader) lines(text string) tree.Node {
	var times, options poly.Map
	dims, first := -1, true
	for i, line := range strings.Split(text, "\n") {
		code, _, _ := strings.Cut(line, "#")
		word, rest, _ := strings.Cut(strings.TrimSpace(code), " ")
		col := 1 + strings.Index(line, word)
		switch {
		case word == "":
			continue
		case first:
			if strings.Join(strings.Fields(code), " ") != "hexcc schedule 1" {
				r.wrong(i+1, col, "", "a schedule file begins with the line 'hexcc schedule 1'")
				return nil
			}
			first = false
		case word == "map" || word == "option":
			m, ok := r.relation(i+1, strings.Index(line, word)+len(word), code)
			if !ok {
				continue
			}
			out := m.Basics()
			switch {
			case len(out) == 0:
				r.wrong(i+1, col, "", "%s: it holds nowhere", strings.TrimSpace(rest))
			case word == "option":
				options = options.Union(m)
			default:
				if n := len(out[0].Space().Out.Dims); dims >= 0 && dims != n {
					r.wrong(i+1, col, "fill up with zeros", "%d dimensions of time, and %d in a line before", n, dims)
				} else {
					dims = n
				}
				if out[0].Space().Out.Name != "" {
					r.wrong(i+1, col, "", "times have no name: %s", out[0].Space().Out.Name)
				}
				times = times.Union(m)
			}
		default:
			r.wrong(i+1, col, "leave it out: what map says is all there is to a schedule", "'%s' does not go with map: a line here begins with map or option", word)
		}
	}
	if len(r.list) > 0 {
		return nil
	}
	return r.band(times, options, dims)
}

// relation reads what follows a word in a line, from a column on that counts from 0.
func (r *reader) relation(line, from int, code string) (poly.Map, bool) {
	var params []string
	for _, q := range r.prog.Params {
		params = append(params, q.Name)
	}
	before := fmt.Sprintf("[%s] -> { ", strings.Join(params, ", "))
	m, err := poly.ParseMap(before + code[from:] + " }")
	if err == nil {
		return m, true
	}
	var wrong *poly.ParseError
	if !errors.As(err, &wrong) {
		r.wrong(line, from+1, "", "%v", err)
		return m, false
	}
	r.wrong(line, min(from+wrong.Col-len(before), len(code)), "", "%s", wrong.Msg)
	return m, false
}

// band returns the tree of maps.
func (r *reader) band(times, options poly.Map, dims int) tree.Node {
	var domain poly.Set
	for _, st := range r.prog.Stmts {
		domain = domain.Union(st.Domain)
	}
	for _, m := range times.ByTuple() {
		in := m.Basics()[0].Space().In
		if domain.Intersect(poly.UniverseSet(nil, in)).IsEmpty() {
			r.wrong(1, 1, r.statements(), "%s is no statement of the region", in.Print(in.Dims))
			return nil
		}
	}
	return &tree.Domain{Set: domain, Child: &tree.Band{Times: times.IntersectDomain(domain), Dims: dims, ByOuter: options}}
}

// statements says which statements there are.
func (r *reader) statements() string {
	var list []string
	for _, st := range r.prog.Stmts {
		list = append(list, fmt.Sprintf("%s[%s]", st.Name, strings.Join(st.Iters, ", ")))
	}
	return "statements are " + strings.Join(list, ", ")
}

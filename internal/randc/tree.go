// Package randc makes random stencil programs in C, of all that the front end is
// meant to take, and smaller programs out of those that fail. Tests only.
package randc

import (
	"fmt"
	"slices"
	"strings"
)

// A Program is a C function with one region, and what stands before it. It is valid
// C without undefined behaviour, given -fwrapv, for sizes n, m >= 1.
type Program struct {
	Name string // of the function
	// May are the codes with which the front end may refuse the program.
	May      []string
	Features []string // of Wide
	File     string   // what its file is to be called, without .c; "": anything
	root     *node
}

func (p *Program) String() string { return p.root.String() }

// refusals are the codes with which the compiler may refuse any random program: for its
// dependences, or for what it would take.
var refusals = []string{"HX201", "HX202", "HX205", "HX401", "HX402"}

// MayRefuse reports whether the compiler may refuse p with a code.
func (p *Program) MayRefuse(code string) bool {
	return slices.Contains(refusals, code) || slices.Contains(p.May, code)
}

// A kind says what a node may be replaced by when a program is made smaller.
type kind uint8

const (
	fixed    kind = iota // nothing
	whole                // an expression of integer type: 1, or one of its whole kids
	floating             // any arithmetic expression: 1, or one of its kids
	list                 // its kids are printed one after the other; each may be left out
	optional             // one kid: it may be left out
	either               // one of its kids: the first is printed, the others are smaller
)

// A node is a piece of a program: text, with %s for each kid.
type node struct {
	kind kind
	text string
	kids []*node
}

func leaf(k kind, format string, args ...any) *node {
	return &node{k, strings.ReplaceAll(fmt.Sprintf(format, args...), "%", "%%"), nil}
}

func (n *node) String() string {
	texts := make([]any, len(n.kids))
	for i, k := range n.kids {
		texts[i] = k.String()
	}
	switch n.kind {
	case list, optional:
		return fmt.Sprint(texts...)
	case either:
		return texts[0].(string)
	}
	return fmt.Sprintf(n.text, texts...)
}

// Shrink returns a small program that is bad, as p is: no part of it can be left
// out. It asks bad at most tries times.
func (p *Program) Shrink(tries int, bad func(*Program) bool) *Program {
	small := *p
	for again := true; again; {
		again = false
		for _, root := range smaller(small.root) {
			if tries--; tries < 0 {
				return &small
			}
			q := *p
			if q.root = root; bad(&q) {
				small, again = q, true
				break
			}
		}
	}
	return &small
}

// smaller returns n with one part of it left out or simpler, large parts first.
func smaller(n *node) (out []*node) {
	switch n.kind {
	case whole, floating:
		if n.text != "1" {
			for _, k := range n.kids {
				if k.kind == whole || k.kind == floating && n.kind == floating {
					out = append(out, k)
				}
			}
			out = append(out, &node{n.kind, "1", nil})
		}
	case list:
		if len(n.kids) > 3 {
			half := len(n.kids) / 2
			out = append(out, &node{list, "", n.kids[:half]}, &node{list, "", n.kids[half:]})
		}
		for i := range n.kids {
			out = append(out, &node{list, "", slices.Delete(slices.Clone(n.kids), i, i+1)})
		}
	case optional:
		if len(n.kids) > 0 {
			out = append(out, &node{optional, "", nil})
		}
	case either:
		out = append(out, n.kids[1:]...)
	}
	for i, k := range n.kids {
		for _, s := range smaller(k) {
			kids := slices.Clone(n.kids)
			kids[i] = s
			out = append(out, &node{n.kind, n.text, kids})
		}
	}
	return out
}

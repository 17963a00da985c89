package openmp

import (
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/poly"
	"github.com/hexcc/hexcc/scop"
)

// This file takes what is printed of a region apart from the program, so that it can be kept, and puts it into that program again, wherever its region is by then.

// A Stored is what is printed of a region.
type Stored struct {
	About, Helpers        []string
	Text, Run, Test, Call string
	At                    string // in Test: where the region is
}

// Stored returns what is printed, and whether it can be put together again with p, which the front end made of the region: that differs from what is printed
// by nothing but what is in the text.
func (r Printed) Stored(p *scop.Program) (Stored, bool) {
	bare := func(p *scop.Program) scop.Program {
		q := *p
		q.Facts, q.Apart, q.Context, q.Stmts = nil, nil, poly.Set{}, nil
		return q
	}
	s := Stored{About: r.names.About, Text: r.text, Run: r.run, Test: r.test, Call: r.call.Written(), At: ctext.ViolatedAt(r.scop)}
	for _, name := range slices.Sorted(maps.Keys(r.helpers)) {
		if r.helpers[name] {
			s.Helpers = append(s.Helpers, name)
		}
	}
	if callsMath(r.scop) != callsMath(p) || ctext.HasHalves(r.scop) != ctext.HasHalves(p) {
		return s, false
	}
	return s, r.scop == p || reflect.DeepEqual(bare(r.scop), bare(p))
}

// NamesLines reports whether a text that is kept is about lines of the source, by names.
func (s Stored) NamesLines(names func(string) bool) bool {
	return names(s.Text) || names(s.Run) || slices.ContainsFunc(s.About, names)
}

// Printed returns what is printed of p, which is called names.
func (s Stored) Printed(p *scop.Program, names Names) Printed {
	names.About = s.About
	helpers := map[string]bool{}
	for _, h := range s.Helpers {
		helpers[h] = true
	}
	test := strings.Replace(s.Test, s.At, ctext.ViolatedAt(p), 1)
	return Printed{names, p, helpers, s.Text, s.Run, test, ctext.Call{Scop: p, Text: s.Call}}
}

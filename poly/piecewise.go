package poly

import (
	"slices"
	"strings"
)

// An Aff is a quasi-affine expression over the parameters and dimensions of a set space, such as 2i + floor(N/3).
// Its divs come before it, like those of a Basic.
type Aff struct {
	space Space
	divs  []div
	num   vec
}

// String returns a in isl's notation, without its space.
func (a Aff) String() string {
	return newPrinter(Basic{space: a.space, divs: a.divs}, false).sum(a.num)
}

// Space returns the space that a is an expression over.
func (a Aff) Space() Space { return a.space }

// Divs returns the divs of a, and Affine a itself, which refers to them by position.
func (a Aff) Divs() []Div    { return Basic{space: a.space, divs: a.divs}.Divs() }
func (a Aff) Affine() Affine { return a.space.affine(a.num) }

// Eval returns the value of a at a point. params has the values of all its parameters.
func (a Aff) Eval(params map[string]int64, point ...int64) int64 {
	return int64Of(a.num.eval(Basic{space: a.space, divs: a.divs}.extend(a.space.point(params, point))))
}

// A PwMultiAff is a piecewise quasi-affine function: a finite union of functions to tuples, where those to the same tuple
// have disjoint domains. It is a relation that is single valued for each tuple of the results.
type PwMultiAff struct {
	params []string
	pieces []AffPiece
	onSets bool // the arguments are parameters only
}

// An AffPiece is a function to a tuple: the values of its dimensions on a domain, which is one part of one tuple.
type AffPiece struct {
	Domain Basic
	Tuple  Tuple
	Values []Aff
}

// Pieces returns the pieces of f.
func (f PwMultiAff) Pieces() []AffPiece { return slices.Clone(f.pieces) }

// PwLexMin returns LexMin as a function of the parameters.
func (s Set) PwLexMin() PwMultiAff { return pwLexExtreme(s.parts, 1, Space.inCol, true) }

// PwLexMax returns LexMax as a function of the parameters.
func (s Set) PwLexMax() PwMultiAff { return pwLexExtreme(s.parts, -1, Space.inCol, true) }

// PwLexMin returns LexMin as a function of the parameters and the first point.
func (m Map) PwLexMin() PwMultiAff { return pwLexExtreme(m.parts, 1, Space.outCol, false) }

// PwLexMax returns LexMax as a function of the parameters and the first point.
func (m Map) PwLexMax() PwMultiAff { return pwLexExtreme(m.parts, -1, Space.outCol, false) }

// pwLexExtreme is lexExtreme as a function, of the parameters only if onSets is set. Both steps share one bound.
func pwLexExtreme(parts []Basic, up int64, first func(Space) int, onSets bool) PwMultiAff {
	defer begin("lexmin", &parts).end()
	f := Map{lexExtreme(parts, up, first)}.function()
	f.onSets = onSets
	return f
}

// Function returns m as a function, or false if it relates a point to several ones of the same tuple.
func (m Map) Function() (PwMultiAff, bool) {
	if !m.IsSingleValued() {
		return PwMultiAff{}, false
	}
	return m.function(), true
}

// IsSingleValued reports whether m relates no point to several ones of the same tuple.
func (m Map) IsSingleValued() bool { return m.LexMin().IsEqual(m) && m.LexMax().IsEqual(m) }

// function returns m, which is single valued.
func (m Map) function() PwMultiAff {
	defer begin("function", &m.parts).end()
	f := PwMultiAff{params: m.Params()}
	rest := m.parts
	for len(rest) > 0 {
		b := rest[0]
		f.pieces = append(f.pieces, solvePieces(b)...)
		rest = subtract(rest[1:], []Basic{b})
	}
	return f
}

// Map returns the relation of arguments to results. Arguments that are parameters only have a tuple without name.
func (f PwMultiAff) Map() Map {
	var parts []Basic
	for _, p := range f.pieces {
		space := mapSpace(f.params, p.Domain.space.Out, p.Tuple)
		s := newSystem(space.cols(), 0)
		args := seq(nil, 0, space.outCol())
		s.add(p.Domain, args)
		for i, a := range p.Values {
			v := s.value(a, args)
			v[space.outCol()+i] = minusOne
			s.addRow(true, v)
		}
		if b, ok := s.finish(space); ok {
			parts = append(parts, b)
		}
	}
	return Map{tidy("function", parts)}
}

// value returns a in columns of s, where its own ones are to.
func (s *system) value(a Aff, to []int) vec {
	images := make([]image, len(to))
	for i, col := range to {
		images[i].col = col
	}
	for _, d := range a.divs {
		images = append(images, s.addDiv(s.mapped(d.num, images), d.den))
	}
	return s.mapped(a.num, images)
}

// Eval returns the results of f at a point of the tuple called name: for each tuple of the results one, by its name.
// Where a set of parameters is the domain, name is "" and there is no point.
func (f PwMultiAff) Eval(params map[string]int64, name string, point ...int64) map[string][]int64 {
	results := map[string][]int64{}
	for _, p := range f.pieces {
		t := p.Domain.space.Out
		if t.Name != name || len(t.Dims) != len(point) || !p.Domain.contains(p.Domain.space.point(params, point)) {
			continue
		}
		values := make([]int64, len(p.Values))
		for i, a := range p.Values {
			values[i] = a.Eval(params, point...)
		}
		results[p.Tuple.Name] = values
	}
	return results
}

// String returns f in isl's notation: [N] -> { S[i] -> A[(floor((i)/2))] : 0 <= i < N }.
func (f PwMultiAff) String() string {
	var pieces []string
	for _, p := range f.pieces {
		pieces = append(pieces, p.string(f.onSets))
	}
	text := "{ " + strings.Join(pieces, "; ") + " }"
	if len(pieces) == 0 {
		text = "{ }"
	}
	if len(f.params) > 0 {
		text = "[" + strings.Join(f.params, ", ") + "] -> " + text
	}
	return text
}

func (p AffPiece) string(onSets bool) string {
	values := make([]string, len(p.Values))
	for i, a := range p.Values {
		values[i] = "(" + a.String() + ")"
	}
	text := p.Tuple.Print(values)
	names := newPrinter(Basic{space: p.Domain.space}, false)
	if !onSets {
		text = names.tuple(p.Domain.space.Out, p.Domain.space.outCol()) + " -> " + text
	}
	domain := newPrinter(p.Domain, false)
	domain.used = make([]bool, len(p.Domain.rows)) // no values in tuples
	domain.inline = make([]vec, p.Domain.space.cols())
	if where := domain.constraints(); len(where) > 0 {
		text += " : " + strings.Join(where, " and ")
	}
	return text
}

package poly

import (
	"fmt"
	"slices"
	"strings"
)

// This file makes random operands as text, for isl and for us.

// A scene is a random case: its operands share parameters and the size of coefficients.
type scene struct {
	*gen
	params []string
	box    string // of all dimensions, or "": "-5 <= %s <= 5"
	depth  int    // of formulas
	parts  int    // of unions, at most
}

func newScene(seed uint64) *scene {
	g := newGen(seed)
	s := &scene{gen: g, params: []string{"N", "M"}[:g.IntN(3)], depth: 2, parts: 2}
	switch g.IntN(10) {
	case 0:
		g.coef, g.con = 30, 100
	case 1:
		g.coef, g.con = 1, 9
	case 2:
		g.coef, g.con, g.plain = 1<<20, 1<<30, true
	}
	return s
}

// bounded returns s with all dimensions, but not parameters, between -5 and 5, and with small coefficients.
func (s *scene) bounded() *scene {
	s.box = "-5 <= %s <= 5"
	s.coef, s.con = min(s.coef, 3), min(s.con, 6)
	return s
}

// simple returns s with conjunctions of small coefficients without parameters beyond the first one.
func (s *scene) simple() *scene {
	s.depth, s.parts = 1, 1
	s.coef, s.con = min(s.coef, 3), min(s.con, 6)
	s.params = s.params[:min(1, len(s.params))]
	return s
}

// A sketch is a tuple: a vector of a name and a number of dimensions, a pair, or none, that of a set of parameters alone.
type sketch struct {
	name string
	dims int
	pair []sketch
	none bool
}

// vector returns a random tuple of 0 to 3 dimensions.
func (s *scene) vector() sketch {
	return sketch{name: []string{"", "A", "B", "C"}[s.IntN(4)], dims: []int{0, 1, 1, 2, 2, 2, 3}[s.IntN(7)]}
}

// tuple returns a random tuple, a pair now and then.
func (s *scene) tuple() sketch {
	if s.IntN(6) > 0 {
		return s.vector()
	}
	return s.pairOf(s.vector(), s.vector())
}

// point returns a random tuple, or none now and then.
func (s *scene) point() sketch {
	if s.IntN(8) > 0 {
		return s.tuple()
	}
	s.parts = 1 // isl reads no two sets of parameters
	return sketch{none: true}
}

func (s *scene) pairOf(x, y sketch) sketch {
	return sketch{name: []string{"", "", "P"}[s.IntN(3)], pair: []sketch{x, y}}
}

// write returns the text of k, whose dimensions take the next of fresh names.
func (k sketch) write(next func() string) string {
	if k.none {
		return ""
	}
	if k.pair != nil {
		first := k.pair[0].write(next)
		return fmt.Sprintf("%s[%s -> %s]", k.name, first, k.pair[1].write(next))
	}
	dims := make([]string, k.dims)
	for i := range dims {
		dims[i] = next()
	}
	return fmt.Sprintf("%s[%s]", k.name, strings.Join(dims, ", "))
}

// union returns a random set, or relation, of pieces of these tuples: "{ A[x0] -> B[x1] : .. }".
func (s *scene) union(tuples ...sketch) string {
	pieces := make([]string, 1+s.IntN(s.parts))
	for i := range pieces {
		pieces[i] = s.piece(tuples)
	}
	return s.braces(pieces)
}

func (s *scene) braces(pieces []string) string {
	text := "{ " + strings.Join(pieces, "; ") + " }"
	if len(s.params) > 0 {
		text = "[" + strings.Join(s.params, ", ") + "] -> " + text
	}
	return text
}

// piece returns one piece: a random formula of the dimensions and parameters.
func (s *scene) piece(tuples []sketch) string {
	var names []string
	next := func() string {
		names = append(names, fmt.Sprintf("x%d", len(names)))
		return names[len(names)-1]
	}
	texts := make([]string, len(tuples))
	for i, k := range tuples {
		texts[i] = k.write(next)
	}
	vars := slices.Concat(s.params, names)
	conditions := []string{s.formula(vars, s.IntN(s.depth+1)).text}
	for range s.IntN(3) {
		conditions = append(conditions, s.atom(vars).text)
	}
	if s.box != "" && len(names) > 0 {
		conditions = append(conditions, fmt.Sprintf(s.box, strings.Join(names, ", ")))
	}
	return strings.Join(texts, " -> ") + " : " + strings.Join(conditions, " and ")
}

// twoTuples returns a set or relation with pieces of two lists of tuples, or of one.
func (s *scene) twoTuples(x, y []sketch) string {
	pieces := []string{s.piece(x)}
	if s.IntN(2) == 0 {
		pieces = append(pieces, s.piece(y))
	}
	return s.braces(pieces)
}

// context returns a set of parameters.
func (s *scene) context() string {
	return s.braces([]string{": " + s.atom(s.params).text})
}

// wide returns a conjunction of several rows of large coefficients over five columns.
func (s *scene) wide() string {
	s.coef, s.con, s.plain = 3+s.IntN(30), 5+s.IntN(100), true
	rows := make([]string, 3+s.IntN(6))
	for i := range rows {
		rows[i] = s.atom([]string{"N", "i", "j", "k", "l"}).text
	}
	return "[N] -> { S[i, j, k, l] : " + strings.Join(rows, " and ") + " }"
}

// octagon returns a union of bounded conjunctions of differences, whose vertices are integers.
func (s *scene) octagon(tuples ...sketch) string {
	dims := 0
	write := func() string { dims++; return fmt.Sprintf("x%d", dims-1) }
	pieces := make([]string, 1+s.IntN(2))
	for i := range pieces {
		dims = 0
		var texts, rows []string
		for _, k := range tuples {
			texts = append(texts, k.write(write))
		}
		for d := range dims {
			low := s.IntN(9) - 4
			rows = append(rows, fmt.Sprintf("%d <= x%d <= %d", low, d, low+s.IntN(6)))
			if d > 0 && s.IntN(2) == 0 {
				rows = append(rows, fmt.Sprintf("x%d - x%d <= %d", d, s.IntN(d), s.IntN(5)-1))
			}
		}
		pieces[i] = strings.Join(texts, " -> ")
		if len(rows) > 0 {
			pieces[i] += " : " + strings.Join(rows, " and ")
		}
	}
	return "{ " + strings.Join(pieces, "; ") + " }"
}

// steps returns a relation of a tuple with itself, for transitive closures: translations, or anything within a box.
func (s *scene) steps() string {
	if s.IntN(2) == 0 {
		t := []sketch{{name: "S", dims: 1}, {name: "S"}, {pair: []sketch{{name: "S", dims: 1}, {}}}}[max(0, s.IntN(5)-2)]
		return s.bounded().union(t, t)
	}
	pieces := make([]string, 1+s.IntN(2))
	shape := []string{"S[%s, %s]", "[S[%s] -> [%s]]", "P[[%s] -> [S[] -> [%s]]]"}[s.IntN(3)]
	for i := range pieces {
		next := fmt.Sprintf(shape, fmt.Sprint("i + ", s.IntN(4)-1), fmt.Sprint("j + ", s.IntN(4)-1))
		pieces[i] = fmt.Sprintf(shape, "i", "j") + " -> " + next + fmt.Sprintf(" : 0 <= i <= 9 and %d <= j <= 9", s.IntN(3))
	}
	return "{ " + strings.Join(pieces, "; ") + " }"
}

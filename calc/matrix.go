package calc

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/poly"
)

// This file reads constraints that are written as matrices, as PolyLib and PIP do.
//
// PolyLib's are a line "rows columns" and the rows: 0 for an equation or 1 for what is at least 0, the coefficients of the unknowns,
// the constant. A number on a line of its own before them says how many there are, of which the set is the union. Unknowns are called i0, i1, ..
// A file may have several, and sets in isl's notation among them.
//
// PIP's are problems: what the parameters p0, p1, .. satisfy, the column of a big parameter or -1, and what the unknowns and parameters
// satisfy, the unknowns first; each as a matrix, or as a set in isl's notation. Words behind them are options. Unknowns and parameters are at
// least 0 but for Urs_unknowns and Urs_parms (unrestricted in sign).

// A matrixReader reads words of a file.
type matrixReader struct {
	source
	bare string // the text without comments
	at   int    // how much of it is read
}

// word returns the next word and its place; "" at the end.
func (r *matrixReader) word() (string, int) {
	start := r.blank()
	for r.at < len(r.bare) && !strings.ContainsRune(" \t\r\n", rune(r.bare[r.at])) {
		r.at++
	}
	return r.bare[start:r.at], start
}

// blank passes over blanks.
func (r *matrixReader) blank() int {
	r.at = len(r.bare) - len(strings.TrimLeft(r.bare[r.at:], " \t\r\n"))
	return r.at
}

// number returns the next word as a number.
func (r *matrixReader) number(what string) *big.Int {
	word, at := r.word()
	n, ok := new(big.Int).SetString(word, 10)
	if !ok {
		panic(r.errorAt(at, "expected %s, found '%s'", what, orEnd(word)))
	}
	return n
}

func orEnd(word string) string {
	if word == "" {
		return "end of file"
	}
	return word
}

// maxMatrix bounds rows and columns.
const maxMatrix = 1000

// count returns the next word as a number of something, at least min.
func (r *matrixReader) count(what string, min int64) int {
	at := r.blank()
	n := r.number(what)
	if !n.IsInt64() || n.Int64() < min || n.Int64() > maxMatrix {
		panic(r.errorAt(at, "%v is no %s: from %d to %d", n, what, min, maxMatrix))
	}
	return int(n.Int64())
}

// A matrix is constraints of columns less 2 unknowns.
type matrix struct {
	columns int
	rows    [][]*big.Int // the first column is 0 or 1
}

// matrix reads "rows columns" and rows.
func (r *matrixReader) matrix() matrix {
	rows := r.count("number of rows", 0)
	m := matrix{columns: r.count("number of columns", 2)}
	for range rows {
		var row []*big.Int
		for c := range m.columns {
			at := r.blank()
			n := r.number(fmt.Sprintf("a matrix of %d rows and %d columns", rows, m.columns))
			if c == 0 && (n.Sign() < 0 || n.Cmp(big.NewInt(1)) > 0) {
				panic(r.errorAt(at, "a row starts with 0, an equation, or 1, what is at least 0"))
			}
			row = append(row, n)
		}
		m.rows = append(m.rows, row)
	}
	return m
}

// conditions returns the constraints of m as isl writes them, for unknowns of these names.
func (m matrix) conditions(names []string) (all []string) {
	for _, row := range m.rows {
		var terms []string
		for i, name := range names {
			if c := row[1+i]; c.Sign() != 0 {
				terms = append(terms, fmt.Sprintf("(%v)*%s", c, name))
			}
		}
		terms = append(terms, fmt.Sprintf("(%v)", row[m.columns-1]))
		all = append(all, strings.Join(terms, " + ")+[]string{" = 0", " >= 0"}[row[0].Int64()])
	}
	return all
}

func numbered(letter string, n int) (names []string) {
	for i := range n {
		names = append(names, fmt.Sprint(letter, i))
	}
	return names
}

// startsSets reports whether text, without comments, is such a file: it starts with a number, or with a set and goes on.
func startsSets(text string) bool {
	text = strings.TrimSpace(text)
	if text != "" && strings.ContainsRune("0123456789", rune(text[0])) {
		return true
	}
	size := literalSize(text)
	return size > 0 && size < len(text) && literalKind(text[:size]) == setKind
}

// readSets returns the set that a file has, or a list of several. It panics with an *Error where something is wrong.
func readSets(src source) Value {
	r := &matrixReader{source: src, bare: blankComments(src.text)}
	var all List
	for r.blank() < len(r.bare) {
		if line, _, _ := strings.Cut(r.bare[r.at:], "\n"); len(all) == 1 && strings.TrimSpace(line) == "-1" {
			r.word()
			return Set{r.problem(all[0].(Set).Set)}
		}
		all = append(all, r.item())
	}
	if len(all) == 1 {
		return all[0]
	}
	return all
}

// item reads polyhedra, which are matrices, or what stands there in isl's notation.
func (r *matrixReader) item() Value {
	if size := r.literal(); size > 0 {
		inner := &evaluator{source: r.source}
		r.at += size
		return inner.literal(literalNode{place(r.at - size), r.bare[r.at-size : r.at]})
	}
	line, _, _ := strings.Cut(r.bare[r.at:], "\n")
	polyhedra := 1
	if len(strings.Fields(line)) == 1 {
		polyhedra = r.count("number of polyhedra", 1)
	}
	set, unknowns := r.constraints(nil)
	for range polyhedra - 1 {
		at := r.blank()
		next, names := r.constraints(nil)
		if len(names) != len(unknowns) {
			panic(r.errorAt(at, "a polyhedron of %d unknowns beside one of %d", len(names), len(unknowns)))
		}
		set = set.Union(next)
	}
	return Set{set}
}

// literal returns the length of what stands here in isl's notation, or 0.
func (r *matrixReader) literal() int {
	if start := r.blank(); start < len(r.bare) && (r.bare[start] == '[' || r.bare[start] == '{') {
		return literalSize(r.bare[start:])
	}
	return 0
}

// constraints reads a matrix, of unknowns i0, i1, .. and behind them params, or a set. It returns the names of the unknowns, too.
func (r *matrixReader) constraints(params []string) (poly.Set, []string) {
	start := r.blank()
	if r.literal() > 0 {
		set, ok := r.item().(Set)
		if !ok || len(set.Basics()) == 0 {
			panic(r.errorAt(start, "expected a set that has points"))
		}
		return set.Set, set.Basics()[0].Space().Out.Dims
	}
	m := r.matrix()
	if m.columns-2 < len(params) {
		panic(r.errorAt(start, "a matrix of %d columns has no place for the %d parameters of the context", m.columns, len(params)))
	}
	unknowns := numbered("i", m.columns-2-len(params))
	conditions := strings.Join(m.conditions(slices.Concat(unknowns, params)), " and ")
	return poly.MustSet(fmt.Sprintf("[%s] -> { [%s] : %s }", strings.Join(params, ", "), strings.Join(unknowns, ", "), conditions)), unknowns
}

// problem reads what stands behind a context and the -1. The points of the context are values of parameters.
func (r *matrixReader) problem(context poly.Set) poly.Set {
	var points []string
	if parts := context.Basics(); len(parts) > 0 {
		points = numbered("p", len(parts[0].Space().Out.Dims))
	}
	for _, name := range points {
		context = context.DimToParam(0, name)
	}
	set, unknowns := r.constraints(points)
	urs := map[string]bool{}
	for word, at := r.word(); word != ""; word, at = r.word() {
		if urs[word] = true; word != "Urs_parms" && word != "Urs_unknowns" {
			panic(r.errorAt(at, "unknown option '%s': there are Urs_parms and Urs_unknowns", word))
		}
	}
	if !urs["Urs_parms"] {
		for _, name := range context.Params() { // where isl's notation has named them, too
			set = set.IntersectParams(poly.MustSet(fmt.Sprintf("[%s] -> { : %s >= 0 }", name, name)))
		}
	}
	if !urs["Urs_unknowns"] {
		for _, name := range unknowns {
			set = set.Intersect(poly.MustSet(fmt.Sprintf("{ [%s] : %s >= 0 }", strings.Join(unknowns, ", "), name)))
		}
	}
	return set.IntersectParams(context.ParamDomain())
}

package poly

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// This file prints sets and relations in isl's notation, so that parsing the text gives the same points.

// String returns s in isl's notation.
func (s Set) String() string { return printUnion(s.parts, false) }

// String returns m in isl's notation.
func (m Map) String() string { return printUnion(m.parts, true) }

// String returns b as a union of one part.
func (b Basic) String() string {
	return printUnion([]Basic{b}, b.space.isMap())
}

func printUnion(parts []Basic, isMap bool) string {
	var text strings.Builder
	if params := paramsOf(parts); len(params) > 0 {
		fmt.Fprintf(&text, "[%s] -> ", strings.Join(params, ", "))
	}
	if !slices.ContainsFunc(parts, func(b Basic) bool { return isMap || !b.space.isParams() }) {
		return text.String() + printParams(parts)
	}
	text.WriteString("{ ")
	for i, b := range parts {
		if i > 0 {
			text.WriteString("; ")
		}
		text.WriteString(newPrinter(b, isMap).piece())
	}
	text.WriteString(" }")
	return text.String()
}

// printParams prints a set of parameters alone, as { : N >= 1 }, for which isl takes one condition only.
func printParams(parts []Basic) string {
	cases := make([]string, len(parts))
	for i, b := range parts {
		cases[i] = strings.Join(newPrinter(b, false).constraints(), " and ")
		if cases[i] == "" {
			return "{ : }"
		}
	}
	switch len(cases) {
	case 0:
		return "{ }"
	case 1:
		return "{ : " + cases[0] + " }"
	}
	return "{ : (" + strings.Join(cases, ") or (") + ") }"
}

// A printer prints one Basic.
type printer struct {
	b      Basic
	isMap  bool
	names  []string // of the constant and the dimensions
	inline []vec    // by column: the value to print in the tuple, or nil
	used   []bool   // by row: printed in the tuple
}

func newPrinter(b Basic, isMap bool) *printer {
	p := &printer{b: b, isMap: isMap, inline: make([]vec, b.space.cols()), used: make([]bool, len(b.rows))}
	p.nameColumns()
	for c := b.space.inCol(); c < b.space.cols(); c++ {
		p.tryInline(c)
	}
	return p
}

// nameColumns gives each dimension a name that no other one has.
func (p *printer) nameColumns() {
	s := p.b.space
	p.names = append([]string{""}, s.Params...)
	add := func(dims []string, prefix string) {
		for i, name := range dims {
			if name == "" {
				name = fmt.Sprintf("%s%d", prefix, i)
			}
			for slices.Contains(p.names, name) || slices.Contains(keywords, keyword(name)) {
				name += "'"
			}
			p.names = append(p.names, name)
		}
	}
	add(s.In.Dims, "i")
	add(s.Out.Dims, "o")
}

// tryInline decides to print dimension c as an expression in its tuple if an equality states it in terms of what comes
// before, and nothing else uses it: in all relations for the second tuple, otherwise where it has no name.
func (p *printer) tryInline(c int) {
	s := p.b.space
	named := s.In.Dims
	i := c - s.inCol()
	if c >= s.outCol() {
		named, i = s.Out.Dims, c-s.outCol()
	}
	second := c >= s.outCol() && p.isMap
	if named[i] != "" && !second {
		return
	}
	for at, r := range p.b.rows {
		if r.eq && !p.used[at] && r.c[c].isUnit() && p.stated(r.c, c) && p.onlyIn(c, at) {
			p.inline[c], p.used[at] = solveFor(r.c.clone(), c), true
			return
		}
	}
}

// stated reports whether v without column c uses only columns that are printed as names before c, in divs as well.
func (p *printer) stated(v vec, c int) bool {
	for i := 1; i < len(v); i++ {
		switch {
		case v[i].isZero() || i == c:
		case i >= p.b.space.cols():
			if !p.stated(p.b.divs[i-p.b.space.cols()].num, c) {
				return false
			}
		case i > c || p.inline[i] != nil:
			return false
		}
	}
	return true
}

// onlyIn reports whether no row but the one given, and no div, uses column c.
func (p *printer) onlyIn(c, row int) bool {
	for i, r := range p.b.rows {
		if i != row && !r.c[c].isZero() {
			return false
		}
	}
	return !slices.ContainsFunc(p.b.divs, func(d div) bool { return !d.num[c].isZero() })
}

func (p *printer) piece() string {
	s := p.b.space
	where := strings.TrimSuffix(" : "+strings.Join(p.constraints(), " and "), " : ")
	switch {
	case s.isParams(): // beside parts with tuples
		return strings.TrimSpace(cmp.Or(where, ":"))
	case p.isMap:
		return p.tuple(s.In, s.inCol()) + " -> " + p.tuple(s.Out, s.outCol()) + where
	}
	return p.tuple(s.Out, s.outCol()) + where
}

// tuple prints t, whose dimensions start at column first.
func (p *printer) tuple(t Tuple, first int) string {
	entries := make([]string, len(t.Dims))
	for i := range t.Dims {
		entries[i] = p.column(first + i)
		if p.inline[first+i] != nil {
			entries[i] = p.sum(p.inline[first+i])
		}
	}
	return t.Print(entries)
}

// Print returns t with the text of each dimension.
func (t Tuple) Print(entries []string) string {
	inside := strings.Join(entries, ", ")
	if first, second, ok := t.Pair(); ok {
		n := len(first.Dims)
		inside = first.Print(entries[:n]) + " -> " + second.Print(entries[n:])
	}
	return t.Name + "[" + inside + "]"
}

// column returns the name of a dimension, or the text of a div.
func (p *printer) column(c int) string {
	if c < len(p.names) {
		return p.names[c]
	}
	d := p.b.divs[c-len(p.names)]
	num := p.sum(d.num)
	if strings.ContainsAny(num, " *") {
		num = "(" + num + ")"
	}
	return fmt.Sprintf("floor(%s/%v)", num, d.den)
}

// sum prints an expression: 2i - j + 1.
func (p *printer) sum(v vec) string {
	var text strings.Builder
	term := func(k Int, name string) {
		switch {
		case text.Len() == 0 && k.Sign() < 0:
			text.WriteString("-")
		case text.Len() > 0 && k.Sign() < 0:
			text.WriteString(" - ")
		case text.Len() > 0:
			text.WriteString(" + ")
		}
		k = k.Abs()
		if name == "" || !k.isOne() {
			text.WriteString(k.String())
			if strings.HasPrefix(name, "floor") {
				text.WriteString("*")
			}
		}
		text.WriteString(name)
	}
	for c := 1; c < len(v); c++ {
		if !v[c].isZero() {
			term(v[c], p.column(c))
		}
	}
	if !v[0].isZero() || text.Len() == 0 {
		term(v[0], "")
	}
	return text.String()
}

// A bound is a printed constraint: subject op value.
type bound struct {
	eq, lower bool
	column    int // of the subject, to sort by
	subject   string
	value     string
}

// constraints prints the rows that tuples do not show, as few chains lower <= subject <= upper.
func (p *printer) constraints() []string {
	var bounds []bound
	for i, r := range p.b.rows {
		if !p.used[i] {
			bounds = append(bounds, p.bound(r))
		}
	}
	slices.SortStableFunc(bounds, func(a, b bound) int {
		return cmp.Or(cmp.Compare(a.column, b.column), strings.Compare(a.subject, b.subject))
	})
	var list []string
	for i := 0; i < len(bounds); {
		n := i + 1
		for n < len(bounds) && bounds[n].subject == bounds[i].subject {
			n++
		}
		list = append(list, chain(bounds[i:n])...)
		i = n
	}
	return list
}

// chain prints the bounds of one subject.
func chain(bounds []bound) []string {
	var lower, upper, list []string
	subject := bounds[0].subject
	for _, b := range bounds {
		switch {
		case b.eq:
			list = append(list, subject+" = "+b.value)
		case b.lower:
			lower = append(lower, b.value)
		default:
			upper = append(upper, b.value)
		}
	}
	if len(lower) == 1 && len(upper) == 1 {
		return append(list, lower[0]+" <= "+subject+" <= "+upper[0])
	}
	for _, l := range lower {
		list = append(list, subject+" >= "+l)
	}
	for _, u := range upper {
		list = append(list, subject+" <= "+u)
	}
	return list
}

// bound prints a row with one term, or a remainder, on the left.
func (p *printer) bound(r row) bound {
	if b, ok := p.remainder(r); ok {
		return b
	}
	c := p.subjectColumn(r.c)
	if c < 0 {
		return bound{eq: r.eq, lower: true, subject: r.c[0].String(), value: "0"}
	}
	rest := r.c.clone()
	k := rest[c]
	rest[c] = Int{}
	subject := newVec(len(rest))
	subject[c] = k.Abs()
	if k.Sign() > 0 {
		rest.scale(minusOne)
	}
	return bound{r.eq, k.Sign() > 0, min(c, len(p.names)), p.sum(subject), p.sum(rest)}
}

// subjectColumn returns the last dimension with a unit coefficient, or the last one, or else the last column, or -1.
func (p *printer) subjectColumn(v vec) int {
	best := -1
	for c := len(v) - 1; c > 0; c-- {
		switch {
		case v[c].isZero():
		case c < len(p.names) && v[c].isUnit():
			return c
		case best < 0 || best >= len(p.names) && c < len(p.names):
			best = c
		}
	}
	return best
}

// remainder prints a row that compares num - den*floor(num/den) with a constant as num mod den.
func (p *printer) remainder(r row) (bound, bool) {
	for i, d := range p.b.divs {
		c := p.b.space.cols() + i
		k := r.c[c]
		if k.isZero() || !d.den.divides(k) {
			continue
		}
		rest := r.c.clone()
		rest.addMul(k.quo(d.den), d.num)
		rest[c] = Int{}
		if !rest.isConst() || !k.Abs().Equal(d.den) {
			continue
		}
		positive := k.Sign() < 0 // the row is ±(num mod den) + rest
		value := rest[0]
		if positive {
			value = value.Neg()
		}
		return bound{r.eq, positive, p.lastColumn(d.num), fmt.Sprintf("(%s) mod %v", p.sum(d.num), d.den), value.String()}, true
	}
	return bound{}, false
}

// lastColumn returns the last dimension that v uses.
func (p *printer) lastColumn(v vec) int {
	for c := min(len(v), len(p.names)) - 1; c > 0; c-- {
		if !v[c].isZero() {
			return c
		}
	}
	return 0
}

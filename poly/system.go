package poly

import "slices"

// A system is a conjunction under construction, with columns for the constant and the dimensions of the result (known),
// and for locals: divs, and unknown existential variables, which eliminate removes. All rows have the full width.
// Rows belong to the system, which changes them.
type system struct {
	known  int
	locals []local
	rows   []row
	stale  bool // a definition changed, so that divs may no longer be in normal form
	meter  *meter
	slab   slab
	merge  merger
	memory *workspace // that s has borrowed; nil: none
}

// A local is an existential variable.
type local struct {
	kind localKind
	div  // its definition, when defined
}

type localKind uint8

const (
	defined localKind = iota // a div
	unknown                  // to be eliminated
	gone                     // substituted: its column is zero everywhere
)

func newSystem(known, unknowns int) *system {
	s := &system{known: known, locals: make([]local, unknowns)}
	for i := range s.locals {
		s.locals[i].kind = unknown
	}
	return s
}

func (s *system) width() int { return s.known + len(s.locals) }

func (s *system) clone() *system {
	c := s.withoutRows()
	c.rows = make([]row, 0, len(s.rows))
	c.slab.reserve(len(s.rows), s.width(), spareDivs)
	c.copyRows(s.rows)
	return c
}

// withoutRows returns a copy of s that has yet to get its rows.
func (s *system) withoutRows() *system {
	s.meter.spend(len(s.rows) * s.width() / 2)
	c := &system{known: s.known, locals: make([]local, len(s.locals), len(s.locals)+4), stale: s.stale, meter: s.meter}
	copy(c.locals, s.locals)
	for i := range c.locals {
		c.locals[i].num = c.locals[i].num.clone()
	}
	return c
}

// copyRows conjoins copies of rows.
func (s *system) copyRows(rows []row) {
	for _, r := range rows {
		v := s.newVec()
		copy(v, r.c)
		s.rows = append(s.rows, row{r.eq, v})
	}
}

// An image says what a column of another conjunction is in a system: column col, or the expression aff if not nil.
type image struct {
	col int
	aff vec
}

// add conjoins b, whose dimensions are the columns to.
func (s *system) add(b Basic, to []int) {
	images := make([]image, len(to), b.width())
	for i, col := range to {
		images[i].col = col
	}
	s.addImages(b, images)
}

// addImages conjoins b, whose constant and dimensions are images.
func (s *system) addImages(b Basic, images []image) {
	if b.meter.runs() {
		s.meter = b.meter
	}
	s.meter.spend((len(b.rows) + len(b.divs)) * b.width())
	s.rows = slices.Grow(s.rows, len(b.rows))
	for _, d := range b.divs {
		images = append(images, s.addDiv(s.mapped(d.num, images), d.den))
	}
	s.slab.reserve(len(b.rows), s.width(), spareDivs)
	for _, r := range b.rows {
		s.rows = append(s.rows, row{r.eq, s.mapped(r.c, images)})
	}
}

// addRow conjoins c >= 0, or c = 0. It takes c over.
func (s *system) addRow(eq bool, c vec) { s.rows = append(s.rows, row{eq, c.grown(s.width())}) }

// newVec returns a zero vec of the full width.
func (s *system) newVec() vec { return s.slab.vec(s.width(), spareDivs) }

// spareDivs is the number of divs that a row has room for.
const spareDivs = 1

// mapped returns v with every column replaced by its image. v may be shorter than images.
func (s *system) mapped(v vec, images []image) vec {
	w := s.newVec()
	for i, k := range v {
		if k.isZero() {
			continue
		}
		if aff := images[i].aff; aff != nil {
			w.addMul(k, aff)
		} else {
			w[images[i].col] = w[images[i].col].Add(k)
		}
	}
	return w
}

// addDiv returns floor(num/den), which it brings into the normal form
//
//	integer part ± floor(rest/den), rest's coefficients in (-den/2, den/2], the first one positive, constant in [0, den)
//
// and adds as a local unless there is one already.
func (s *system) addDiv(num vec, den Int) image {
	whole, rest := s.newVec(), s.newVec()
	copy(rest, num)
	if g := rest.divisor(den); !g.isOne() {
		for i := range rest {
			rest[i] = rest[i].FloorDiv(g) // exact but for the constant, where floor(floor(c/g) / d) = floor(c / gd)
		}
		den = den.quo(g)
	}
	reduceInto(whole, rest, den, one)
	lead := rest.lead()
	if lead < 0 {
		return image{aff: whole}
	}
	sign := one
	if rest[lead].Sign() < 0 { // floor(x/d) = -floor((-x + d-1)/d)
		rest.scale(minusOne)
		rest[0] = rest[0].Add(den).Sub(one)
		sign = minusOne
		reduceInto(whole, rest, den, minusOne)
	}
	col := s.divColumn(rest, den)
	if whole.isConst() && whole[0].isZero() && sign.isOne() {
		return image{col: col}
	}
	whole = whole.grown(s.width())
	whole[col] = whole[col].Add(sign)
	return image{aff: whole}
}

// reduceInto moves multiples of den from rest to whole, times sign.
func reduceInto(whole, rest vec, den, sign Int) {
	for i, x := range rest {
		q := x.FloorDiv(den)
		if i > 0 {
			q = x.nearest(den)
		}
		if !q.isZero() {
			rest[i] = x.Sub(q.Mul(den))
			whole[i] = whole[i].Add(sign.Mul(q))
		}
	}
}

// divColumn returns the column of the div num/den, which is in normal form.
func (s *system) divColumn(num vec, den Int) int {
	for i, l := range s.locals {
		if l.kind == defined && l.den.Equal(den) && l.num.equal(num) {
			return s.known + i
		}
	}
	s.locals = append(s.locals, local{kind: defined, div: div{num, den}})
	s.widen()
	return s.width() - 1
}

// widen appends a zero column to all that lacks it.
func (s *system) widen() {
	w := s.width()
	for i := range s.rows {
		s.rows[i].c = s.rows[i].c.grown(w)
	}
	for i := range s.locals {
		if s.locals[i].kind == defined {
			s.locals[i].num = s.locals[i].num.grown(w)
		}
	}
}

// substitute replaces column col by expr in all rows and definitions. expr may use col itself.
func (s *system) substitute(col int, expr vec) {
	for _, r := range s.rows {
		r.c.substitute(col, expr)
	}
	for _, l := range s.locals {
		if l.kind == defined && !l.num[col].isZero() {
			l.num.substitute(col, expr)
			s.stale = true
		}
	}
}

// depends reports whether the column c is the column on, or a div defined by way of it.
func (s *system) depends(c, on int) bool {
	if c == on {
		return true
	}
	if c < s.known || s.locals[c-s.known].kind != defined {
		return false
	}
	for i, k := range s.locals[c-s.known].num {
		if !k.isZero() && s.depends(i, on) {
			return true
		}
	}
	return false
}

// isUnknown reports whether column c is an unknown.
func (s *system) isUnknown(c int) bool { return c >= s.known && s.locals[c-s.known].kind == unknown }

// finish returns the conjunction over space as a Basic, which shares no memory with s, or false if it is plainly empty. There are no unknowns.
func (s *system) finish(space Space) (Basic, bool) {
	for {
		if !s.simplify() {
			return Basic{}, false
		}
		if !s.stale && s.allUsed() {
			break
		}
		s = s.compact()
	}
	partsMade.Add(1)
	b := Basic{space: space, rows: make([]row, len(s.rows)), meter: s.meter}
	block := make(vec, len(s.rows)*s.width()) // the rows without the memory around them
	for i, r := range s.rows {
		b.rows[i] = row{r.eq, block[:s.width():s.width()]}
		copy(b.rows[i].c, r.c)
		block = block[s.width():]
	}
	for _, l := range s.locals {
		b.divs = append(b.divs, div{l.num.clone(), l.den})
	}
	return b, true
}

// allUsed reports whether rows use all locals, themselves or by way of definitions.
func (s *system) allUsed() bool {
	used := make([]bool, len(s.locals))
	var visit func(v vec)
	visit = func(v vec) {
		for i, k := range v[s.known:] {
			if !k.isZero() && !used[i] {
				used[i] = true
				visit(s.locals[i].num)
			}
		}
	}
	for _, r := range s.rows {
		visit(r.c)
	}
	return !slices.Contains(used, false)
}

// compact returns s with only the divs that rows use, in normal form and in an order in which definitions come first.
func (s *system) compact() *system {
	c := &system{known: s.known, meter: s.meter}
	images := make([]image, s.width())
	ready := make([]bool, s.width())
	for i := range s.known {
		images[i].col, ready[i] = i, true
	}
	var visit func(v vec)
	visit = func(v vec) {
		for i, k := range v {
			if k.isZero() || ready[i] {
				continue
			}
			l := s.locals[i-s.known]
			if l.kind != defined {
				panic("poly: compact: an unknown is left")
			}
			visit(l.num)
			images[i], ready[i] = c.addDiv(c.mapped(l.num, images), l.den), true
		}
	}
	for _, r := range s.rows {
		visit(r.c)
	}
	c.rows = make([]row, len(s.rows), len(s.rows)+4)
	c.slab.reserve(len(s.rows), c.width(), spareDivs)
	for i, r := range s.rows {
		c.rows[i] = row{r.eq, c.mapped(r.c, images)}
	}
	return c
}

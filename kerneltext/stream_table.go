package kerneltext

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/gpu"
)

// This file prints tables of sums, of which the lanes of a warp compute one each when a chain begins: conditions on beats, and subscripts of elements. They differ in
// numbers alone, so that one piece of code computes them all, where code for each would be several times that of a turn. A sum is a column of numbers by
// which what is known is multiplied, the first of which is 1:
//
//	lane 0: time + 4*warp + 1            known = {1, time, warp}       table = {1, 2,   1, 1,   4, 4}
//	lane 1: time + 4*warp + 2

// A table is one of these: rows of sums, with one for each entry in each of them.
type table struct {
	name                   string
	rows, entries, columns int
	known                  string // what the numbers are multiplied with, as a list
}

// wide is what is added to a table for numbers that do not fit an int: what they are multiplied with, times this.
const wide = int64(1) << 31

// table prints rows of sums, which all have as many entries. If by is given, the coefficients of that variable come behind all others, and known has none of it.
func (s *scope) table(rows [][]affine.Sum, by string) table {
	p := s.streamer
	var names []string
	large := map[string]bool{}
	note := func(name string, c int64) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
		large[name] = large[name] || c < math.MinInt32 || c > math.MaxInt32
	}
	names = append(names, "") // the number of a sum
	for _, row := range rows {
		for _, x := range row {
			note("", x.Const)
			for _, t := range x.Terms {
				if t.Var != by {
					note(t.Var, t.Coef)
				}
			}
		}
	}
	slices.Sort(names)
	coef := func(x affine.Sum, name string) int64 {
		if name == "" {
			return x.Const
		}
		return x.Coef(name)
	}
	var columns []func(x affine.Sum) int64
	var known []string
	for _, name := range names {
		text := "1"
		if name != "" {
			text = s.Expr(affine.Var(name))
		}
		known = append(known, text)
		if !large[name] {
			columns = append(columns, func(x affine.Sum) int64 { return coef(x, name) })
			continue
		}
		known = append(known, fmt.Sprintf("%d * %s", wide, text))
		columns = append(columns, func(x affine.Sum) int64 { return affine.Remainder(coef(x, name), wide) },
			func(x affine.Sum) int64 { return (coef(x, name) - affine.Remainder(coef(x, name), wide)) / wide })
	}
	if by != "" {
		columns = append(columns, func(x affine.Sum) int64 { return x.Coef(by) })
	}
	var all []string
	for _, row := range rows {
		for _, column := range columns {
			for _, x := range row {
				all = append(all, fmt.Sprint(column(x)))
			}
		}
	}
	return table{p.defineTable(all), len(rows), len(rows[0]), len(known), strings.Join(known, ", ")}
}

// defineTable prints an array of numbers, unless there is one, and returns its name.
func (p *streamer) defineTable(all []string) string {
	key := "table " + strings.Join(all, ", ")
	if f := p.made[key]; f != nil {
		return f.name
	}
	name := p.fresh("table")
	p.made[key] = &function{name: name}
	var out ctext.Printer
	out.Blank()
	out.Line("%s int %s[%d] = {%s};", p.spelled.Dialect.Lanes.Table, name, len(all), strings.Join(all, ", "))
	p.text.Write(out.Buf.Bytes())
	return name
}

// beatRanges prints that pairs of indices become the first and the last beat in which rows hold, from beat Beat on, of that one of the entries which has this number;
// if there is none, the first is the greater one.
func (s *scope) beatRanges(pair string, entries [][]affine.Sum, number string) {
	p := s.streamer
	rows := transposed(entries)
	t := s.table(rows, p.Vars.Beat)
	known := p.spelled.own("known")
	even := !slices.ContainsFunc(slices.Concat(rows...), func(x affine.Sum) bool { return x.Coef(p.Vars.Beat)/2 != 0 })
	name := "hexcc_range"
	if !even { // a bound is a quotient
		name = "hexcc_range_by"
	}
	s.Braces("", func() {
		s.Line("const %v %s[] = {%s};", p.spelled.Index, known, t.known)
		s.Line("%s;", p.generic(name, nil, numbers(t.rows, t.columns, t.entries), pair, fmt.Sprintf("%s + %s", t.name, number), known,
			s.use(p.Vars.Beat), fmt.Sprintf("%s + %d", p.hi(s), p.Turn)))
	})
}

// transposed returns the rows of entries, to which as many as each of them lacks are added that hold.
func transposed(entries [][]affine.Sum) (rows [][]affine.Sum) {
	n := 1
	for _, all := range entries {
		n = max(n, len(all))
	}
	for r := range n {
		var row []affine.Sum
		for _, all := range entries {
			if r < len(all) {
				row = append(row, all[r])
			} else {
				row = append(row, affine.Num(0))
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// never is a row that does not hold.
func never() []affine.Sum { return []affine.Sum{affine.Num(-1)} }

// An ownElement is what a lane copies of a part of a cursor: At is column-th of a group.
type ownElement struct {
	*gpu.Group
	at affine.Sum
}

// ownElements returns those of the lanes that have one, in their order: lanes behind them have none.
func ownElements(c *gpu.Cursor, part int) (all []ownElement) {
	n := 0
	for i := range c.Groups {
		g := &c.Groups[i]
		for k := range g.Count {
			if n/gpu.WarpLanes == part {
				all = append(all, ownElement{g, g.At.Add(int64(k))})
			}
			n++
		}
	}
	return all
}

// copiedRows returns what has to hold for an alternative of the guard of an element of the stage: in a beat in which it is copied.
func (p *stage) copiedRows(x ownElement, alt int) (all []affine.Sum) {
	rows, ok := alternative(x.Guard, alt)
	if !ok {
		return never()
	}
	for _, e := range rows {
		all = append(all, sum(e).Subst(map[string]affine.Sum{p.Vars.At: x.at}))
	}
	warp := affine.Var(p.Vars.Warp)
	if x.Warps.First > p.First {
		all = append(all, warp.Add(-int64(x.Warps.First)))
	}
	if x.Warps.Last < p.First+p.Count-1 {
		all = append(all, warp.Times(-1).Add(int64(x.Warps.Last)))
	}
	return all
}

// A form is an element with a name for each of its sums, and what those are in each lane that has such an element.
type form struct {
	gpu.Element
	of    *gpu.Group // one of those that have such elements
	names []string
	sums  map[int][]affine.Sum // by lane
}

// forms returns how elements look but for what their sums are.
func (p *stage) forms(elements []ownElement) (all []*form) {
	found := map[string]*form{}
	for lane, x := range elements {
		var sums []affine.Sum
		var names []string
		element := gpu.Element{Array: x.Element.Array}
		for _, e := range x.Element.Index {
			e = affine.Subst(e, map[string]affine.Sum{p.Vars.At: x.at})
			element.Index = append(element.Index, named(e, func(x affine.Sum) affine.Sum {
				name := p.spelled.own(fmt.Sprintf("sum%d", len(sums)))
				sums, names = append(sums, x), append(names, name)
				return affine.Var(name)
			}))
		}
		key := fmt.Sprint(element.Array.Name, element.Index, p.scope().strideOf(x.Element, p.Vars.Beat))
		if found[key] == nil {
			found[key] = &form{element, x.Group, names, map[int][]affine.Sum{}}
			all = append(all, found[key])
		}
		found[key].sums[lane] = sums
	}
	return all
}

// named returns e with what name has for its sums.
func named(e affine.Expr, name func(affine.Sum) affine.Sum) affine.Expr {
	switch e := e.(type) {
	case affine.Sum:
		return name(e)
	case affine.Mod:
		return affine.Mod{X: named(e.X, name), D: e.D}
	case affine.FloorDiv:
		return affine.FloorDiv{X: named(e.X, name), D: e.D}
	}
	return e // the same for all elements of its form
}

// beginForm prints what begin does with the element that lanes have of a form.
func (p *stage) beginForm(s *scope, f *form, begin func(x gpu.Element, of *gpu.Group)) {
	var rows [][]affine.Sum
	var own []string // the names of those that differ
	same := map[string]affine.Sum{}
	lanes := slices.Sorted(maps.Keys(f.sums))
	for i, name := range f.names {
		row := make([]affine.Sum, gpu.WarpLanes)
		alike := true
		for _, lane := range lanes {
			row[lane] = f.sums[lane][i]
			alike = alike && row[lane].Equal(row[lanes[0]])
		}
		if alike {
			same[name] = row[lanes[0]]
			continue
		}
		rows, own = append(rows, row), append(own, name)
	}
	x := gpu.Element{Array: f.Array, Index: affine.SubstAll(f.Index, same)}
	if len(rows) > 0 {
		t := s.table(rows, "")
		known := p.spelled.own("known")
		s.Line("const %v %s[] = {%s};", p.spelled.Index, known, t.known)
		for i, name := range own {
			s.Line("const %v %s = %s;", p.spelled.Index, name, p.generic("hexcc_sum", nil, numbers(t.columns, t.entries),
				fmt.Sprintf("%s + %d + %s", t.name, i*t.columns*t.entries, s.use(p.lane())), known))
		}
	}
	begin(x, f.of)
	for _, name := range own {
		delete(s.Uses, name)
	}
}

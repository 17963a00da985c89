package ctext

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/scop"
)

// This file prints how far rows lie from each other that are reached by pointers.

// Distances prints C that declares the distances of rows and computes them: 0 where the rows do not lie behind each
// other at one distance, or where the pointers lie among them.
func Distances(out *Printer, p *scop.Program) {
	for _, r := range p.Rows {
		distances(out, p, r)
	}
}

func distances(out *Printer, p *scop.Program, r scop.RowPointers) {
	levels := len(r.Counts)
	for _, d := range r.Distances {
		out.Line("int %s = 0;", d)
	}
	// at returns the pointer to a row of table t, by the subscripts of the levels.
	at := func(t string, subs func(k int) string) string {
		for k := range levels {
			t = from(p, r, t, k) + "[" + subs(k) + "]"
		}
		return from(p, r, pointerTo(p, t), levels)
	}
	none := func(int) string { return "0" }
	index := func(k int) string { return fmt.Sprintf("hexcc_i%d", k) }
	count := func(k int) string { return fmt.Sprintf("hexcc_n%d", k) }
	out.Braces("", func() {
		var many []string
		for k, c := range r.Counts {
			out.Line("const long hexcc_n%d = %s;", k, longSum(p, c))
			many = append(many, count(k)+" > 1")
		}
		out.Braces(fmt.Sprintf("if (%s)", strings.Join(many, " && ")), func() {
			first := r.Tables[0]
			for k := levels - 1; k >= 0; k-- {
				next := func(l int) string { return map[bool]string{true: "1", false: "0"}[l == k] }
				between := ""
				for l := k + 1; l < levels; l++ {
					between += fmt.Sprintf(" / (hexcc_d%d > 0 ? hexcc_d%d : 1)", l, l)
				}
				out.Line("long hexcc_d%d = (%s - %s)%s;", k, at(first, next), at(first, none), between)
			}
			var fits []string
			for k := range levels {
				fits = append(fits, fmt.Sprintf("hexcc_d%d > 0 && hexcc_d%d <= 0x7fffffff", k, k))
			}
			out.Line("int hexcc_even = %s;", strings.Join(fits, " && "))
			place, size := "", "" // of a row, and all rows
			for k := range levels {
				if k == 0 {
					place, size = index(0), count(0)
				} else {
					place = fmt.Sprintf("(%s) * hexcc_d%d + %s", place, k-1, index(k))
				}
			}
			for k := range levels {
				if k > 0 {
					size = fmt.Sprintf("%s * hexcc_d%d", size, k-1)
				}
			}
			size += fmt.Sprintf(" * hexcc_d%d", levels-1)
			for _, t := range r.Tables {
				sized := slices.Contains(r.Sized, t)
				evenRows(out, p, r, t, sized, at(t, none), at(t, index), fmt.Sprintf("(%s) * hexcc_d%d", place, levels-1), size)
			}
			out.Braces("if (hexcc_even)", func() {
				for k, d := range r.Distances {
					out.Line("%s = (int)hexcc_d%d;", d, k)
				}
			})
		})
	})
}

// evenRows prints the test that the rows of a table lie at their places behind the first, and no pointers among them; sized: and that they are vectors of one
// size.
func evenRows(out *Printer, p *scop.Program, r scop.RowPointers, table string, sized bool, first, row, place, size string) {
	levels := len(r.Counts)
	var print func(k int, table string)
	print = func(k int, table string) {
		table = from(p, r, table, k)
		out.Line("hexcc_even = (const char *)(%s + hexcc_n%d) <= (const char *)%s || (const char *)(%s + %s) <= (const char *)%s;",
			pointerTo(p, table), k, first, first, size, pointerTo(p, table))
		out.Braces(fmt.Sprintf("for (long hexcc_i%d = 0; hexcc_even && hexcc_i%d < hexcc_n%d; hexcc_i%d++)", k, k, k, k), func() {
			if k+1 < levels {
				print(k+1, fmt.Sprintf("%s[hexcc_i%d]", table, k))
			} else {
				same := ""
				if sized {
					same = fmt.Sprintf(" && %s[hexcc_i%d].size() == %s[0].size()", table, k, table)
				}
				out.Line("hexcc_even = %s == %s + %s%s;", row, first, place, same)
			}
		})
	}
	out.Braces("if (hexcc_even)", func() { print(0, table) })
}

// from returns pointer, to the pointers of level k or to elements, moved to the first of them.
func from(p *scop.Program, r scop.RowPointers, pointer string, k int) string {
	if len(r.First) > 0 {
		if first := longSum(p, r.First[k]); first != "0L" {
			return fmt.Sprintf("(%s + (%s))", pointer, first)
		}
	}
	return pointer
}

// pointerTo returns a pointer to the first element of a table or row: what it is in C, while in C++ it may be a vector.
func pointerTo(p *scop.Program, table string) string {
	if p.Cxx {
		return "&" + table + "[0]"
	}
	return table
}

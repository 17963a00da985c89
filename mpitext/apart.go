package mpitext

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/scop"
)

// This file is about what a caller passes for arrays: several objects for one, nothing, or parts that overlap. Tiles, and messages between them, rely on two arrays where the program has two names; there is no original loop to run instead, as parts of ranks are not the arrays.

// overlap is what ranks compare what they are passed by.
const overlap = `
// Returns whether two pieces of memory have a byte in common.
static int hexcc_overlap(const void *x, unsigned long long of_x, const void *y, unsigned long long of_y)
{
  return of_x && of_y && (uintptr_t)x < (uintptr_t)y + of_y && (uintptr_t)y < (uintptr_t)x + of_x;
}
`

// alike says, in the comment of the names of arrays, which are of several parameters, and, where the program lets those take turns, in which of them is what.
func (m *Region) alike() (text string) {
	for _, a := range m.Scop.Arrays {
		if len(a.Objects()) < 2 {
			continue
		}
		var names, where []string
		for k, o := range a.Objects() {
			names, where = append(names, m.Outer[o.Name]), append(where, fmt.Sprintf("in %s where it is %d", m.Outer[o.Name], k))
		}
		all := strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
		text += fmt.Sprintf("\n// %s_%s is for %s, of which each is an array of its own, with parts alike.", m.Name, a.Name, all)
		if len(a.Turns) == 0 {
			continue
		}
		var turns []string
		for _, n := range a.Turns {
			turns = append(turns, m.Expr(m.Affine(n)))
		}
		times := turns[0]
		if len(turns) > 1 {
			times = "the least of " + strings.Join(turns, ", ")
		}
		text += fmt.Sprintf(" The region of the source exchanges these pointers\n// k times, where k is %s, or 0 if that is negative; here they stay, and so do elements. What %s leads to behind that region is, by k %% %d,\n// %s; the others follow in this order.", times, names[0], len(names), strings.Join(where, ", "))
	}
	return text
}

// Given prints the test that each rank has memory for its parts, and that no part of an array overlaps one of another array where the translation relies on that: else all ranks return 1. It stands
// behind Start, while arrays are what the caller passes; given returns the name of an object of one.
func (m *Region) Given(given func(scop.Object) string) {
	s := m.Scop
	if m.Objects() == 0 {
		return
	}
	m.Braces("", func() {
		var wrong []string
		passed := m.Passed()
		m.Line("hexcc_mpi_part hexcc_p;")
		m.Line("unsigned long long hexcc_bytes[%d];", len(s.Arrays))
		m.Line("int hexcc_wrongly = 0;")
		for i, a := range s.Arrays {
			m.Line("%s_part_of(%s, %s%d, &hexcc_p);", m.Name, m.RankAndSize(), passed, i)
			m.Line("hexcc_bytes[%d] = hexcc_p.bytes;", i)
			for k := range a.Objects() {
				o := scop.Object{Array: a, Index: k}
				wrong = append(wrong, noMemory(o.Name()))
				m.Line("if (hexcc_bytes[%d] && !%s)", i, given(o))
				m.Line("  hexcc_wrongly = %d;", len(wrong))
			}
		}
		for _, pair := range s.Apart {
			index := func(o scop.Object) int { return slices.Index(s.Arrays, o.Array) }
			x, y := pair[0], pair[1]
			wrong = append(wrong, overlapping(x.Name(), y.Name()))
			m.Line("if (hexcc_overlap(%s, hexcc_bytes[%d], %s, hexcc_bytes[%d]))", given(x), index(x), given(y), index(y))
			m.Line("  hexcc_wrongly = %d;", len(wrong))
		}
		m.Line("hexcc_wrongly = hexcc_any(hexcc_comm, hexcc_wrongly);")
		m.Line("static const char *const hexcc_wrongs[] = {%s};", strings.Join(wrong, ", "))
		m.Line("if (hexcc_wrongly)")
		m.Line("  return hexcc_wrong(hexcc_comm, \"%s\", \"%%s\", hexcc_wrongs[hexcc_wrongly - 1]);", m.Name)
	})
}

// RankAndSize returns the number of a rank in the communicator and how many there are, in a function that has hexcc_r.
func (m *Region) RankAndSize() string {
	if m.Plan.Grid == nil {
		return "hexcc_r.rank, hexcc_r.size"
	}
	return "hexcc_r.rank * hexcc_r.columns + hexcc_r.column, hexcc_r.size * hexcc_r.columns"
}

// given returns the test of the function around nests that each rank has memory for its parts, and that no two parts that it is passed overlap, where a nest writes one of them; "": it has no parts. Pointers
// that the text sets may begin as names of other arrays: nests compare them.
func (h *Host) given() string {
	conds, wrong := "", []string{}
	add := func(cond, text string, args ...any) {
		wrong = append(wrong, text)
		conds += fmt.Sprintf("%s ? %d : ", fmt.Sprintf(cond, args...), len(wrong))
	}
	for i, x := range h.arrays() {
		add("hexcc_bytes_%[1]s && !%[2]shexcc_of_%[1]s", noMemory(x.Name), x.Name, map[bool]string{true: "*"}[x.Set])
		for _, y := range h.arrays()[i+1:] {
			if !x.Set && !y.Set && (h.writes(x) || h.writes(y)) {
				add("hexcc_overlap(hexcc_of_%[1]s, hexcc_bytes_%[1]s, hexcc_of_%[2]s, hexcc_bytes_%[2]s)", overlapping(x.Name, y.Name), x.Name, y.Name)
			}
		}
	}
	if len(wrong) == 0 {
		return ""
	}
	return fmt.Sprintf("  const int hexcc_wrongly = hexcc_any(%[1]s_all.comm, %[2]s0);\n  static const char *const hexcc_wrongs[] = {%[3]s};\n  if (hexcc_wrongly) {\n    %[1]s_leave();\n    return hexcc_wrong(hexcc_comm, \"%[1]s\", \"%%s\", hexcc_wrongs[hexcc_wrongly - 1]);\n  }\n",
		h.Name, conds, strings.Join(wrong, ", "))
}

// writes reports whether a nest writes an array that v leads to.
func (h *Host) writes(v scop.HostVariable) bool {
	return slices.ContainsFunc(h.Nests, func(m *Region) bool {
		return slices.ContainsFunc(rooted(m, v), func(i int) bool { return m.Scop.Writes(m.Scop.Arrays[i]) })
	})
}

// noMemory and overlapping are the messages of both tests, as strings of C.
func noMemory(name string) string {
	return fmt.Sprintf("\"a rank is passed NULL for its part of '%s'\"", name)
}

func overlapping(x, y string) string {
	return fmt.Sprintf("\"'%s' and '%s' overlap on a rank, and the tiles rely on two arrays\"", x, y)
}

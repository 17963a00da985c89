package mpitext

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/scop"
)

// This file is about arrays that overlap. Tiles, and messages between them, rely on two arrays where the program has two names; there is no original loop to run instead, as parts of ranks are not the arrays.

// overlap is what ranks compare what they are passed by.
const overlap = `
// Returns whether two pieces of memory have a byte in common.
static int hexcc_overlap(const void *x, unsigned long long of_x, const void *y, unsigned long long of_y)
{
  return of_x && of_y && (uintptr_t)x < (uintptr_t)y + of_y && (uintptr_t)y < (uintptr_t)x + of_x;
}
`

// Apart prints the test that no part of an array overlaps one of another array where the translation relies on that: else all ranks return 1. It stands behind Start, while arrays are what the
// caller passes; given returns the name of an object of one.
func (m *Region) Apart(given func(scop.Object) string) {
	s := m.Scop
	if len(s.Apart) == 0 {
		return
	}
	m.Braces("", func() {
		index := func(a *scop.Array) int { return slices.Index(s.Arrays, a) }
		var names []string
		bytes := map[int]bool{}
		passed := m.Passed()
		m.Line("hexcc_mpi_part hexcc_p;")
		m.Line("unsigned long long hexcc_bytes[%d];", len(s.Arrays))
		m.Line("int hexcc_pair = 0;")
		for n, pair := range s.Apart {
			for _, o := range pair {
				if i := index(o.Array); !bytes[i] {
					bytes[i] = true
					m.Line("%s_part_of(%s, %s%d, &hexcc_p);", m.Name, m.RankAndSize(), passed, i)
					m.Line("hexcc_bytes[%d] = hexcc_p.bytes;", i)
				}
			}
			x, y := pair[0], pair[1]
			m.Line("if (hexcc_overlap(%s, hexcc_bytes[%d], %s, hexcc_bytes[%d]))", given(x), index(x.Array), given(y), index(y.Array))
			m.Line("  hexcc_pair = %d;", n+1)
			names = append(names, fmt.Sprintf("\"'%s' and '%s'\"", x.Name(), y.Name()))
		}
		m.Line("hexcc_pair = hexcc_any(hexcc_comm, hexcc_pair);")
		m.Line("static const char *const hexcc_pairs[] = {%s};", strings.Join(names, ", "))
		m.Line("if (hexcc_pair)")
		m.Line("  return hexcc_wrong(hexcc_comm, \"%s\", %s, hexcc_pairs[hexcc_pair - 1]);", m.Name, overlapping)
	})
}

// RankAndSize returns the number of a rank in the communicator and how many there are, in a function that has hexcc_r.
func (m *Region) RankAndSize() string {
	if m.Plan.Grid == nil {
		return "hexcc_r.rank, hexcc_r.size"
	}
	return "hexcc_r.rank * hexcc_r.columns + hexcc_r.column, hexcc_r.size * hexcc_r.columns"
}

// overlaps returns the test of the function around nests that no two parts that it is passed overlap, where a nest writes one of them; "": there are none such. Pointers that the text sets may
// begin as names of other arrays: nests compare them.
func (h *Host) overlaps() (text string) {
	var fixed []scop.HostVariable
	for _, v := range h.arrays() {
		if !v.Set {
			fixed = append(fixed, v)
		}
	}
	conds, names := "", []string{}
	for i, x := range fixed {
		for _, y := range fixed[i+1:] {
			if !h.writes(x) && !h.writes(y) {
				continue
			}
			names = append(names, fmt.Sprintf("\"'%s' and '%s'\"", x.Name, y.Name))
			conds += fmt.Sprintf("hexcc_overlap(hexcc_of_%[1]s, hexcc_bytes_%[1]s, hexcc_of_%[2]s, hexcc_bytes_%[2]s) ? %[3]d : ", x.Name, y.Name, len(names))
		}
	}
	if len(names) == 0 {
		return ""
	}
	return fmt.Sprintf("  const int hexcc_pair = hexcc_any(%[1]s_all.comm, %[2]s0);\n  static const char *const hexcc_pairs[] = {%[3]s};\n  if (hexcc_pair) {\n    %[1]s_leave();\n    return hexcc_wrong(hexcc_comm, \"%[1]s\", %[4]s, hexcc_pairs[hexcc_pair - 1]);\n  }\n",
		h.Name, conds, strings.Join(names, ", "), overlapping)
}

// writes reports whether a nest writes an array that v leads to.
func (h *Host) writes(v scop.HostVariable) bool {
	return slices.ContainsFunc(h.Nests, func(m *Region) bool {
		return slices.ContainsFunc(rooted(m, v), func(i int) bool { return m.Scop.Writes(m.Scop.Arrays[i]) })
	})
}

// overlapping is the message of both tests.
const overlapping = "\"%s overlap on a rank, and the tiles rely on two arrays\""

package mpitext

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/scop"
)

// This file prints the test of conditions on data that keep elements inside of arrays, before tiles run: each rank tests the points that it owns, of what it is passed.

// ownsText is what says which points these are.
const ownsText = `
// Returns whether a subscript along a dimension is of what a rank owns of an array.
static inline int hexcc_owns(const hexcc_mpi_part *p, int d, long long x)
{
  return (x >= p->own_first[d] && x < p->own_first[d] + p->own_count[d]) || (x >= p->also_first[d] && x < p->also_first[d] + p->also_count[d]);
}
`

// wallPart and wallData are the names of what a rank has of an array that walls test: its part, and the elements.
func (m *Region) wallPart(a *scop.Array) string {
	return fmt.Sprintf("hexcc_p%d", slices.Index(m.Scop.Arrays, a))
}
func (m *Region) wallData(a *scop.Array) string {
	return fmt.Sprintf("hexcc_data%d", slices.Index(m.Scop.Arrays, a))
}

// Walls prints the test that walls stand: else all ranks return 1. It stands behind Given, whose given it has, and, since walls matter where loops do not run either, in front of
// the return of those who have nothing to do.
func (m *Region) Walls(given func(scop.Object) string) {
	if len(m.Scop.Walls) == 0 {
		return
	}
	m.Braces("", func() {
		wrong := []string{`"no memory"`}
		m.Line("int hexcc_wrongly = 0;")
		var tested []*scop.Array
		for _, w := range m.Scop.Walls {
			for _, a := range w.Reads() {
				if !slices.Contains(tested, a) {
					tested = append(tested, a)
					m.openWall(a, given(scop.Object{Array: a}))
				}
			}
		}
		for _, w := range m.Scop.Walls {
			text := ctext.Quote(fmt.Sprintf("the loops rely on '%s' where they would reach beyond arrays", w.Text))
			if !slices.Contains(wrong, text) {
				wrong = append(wrong, text)
			}
			m.Braces(m.gpu("if (!hexcc_wrongly)"), func() { m.wall(w, slices.Index(wrong, text)+1) })
		}
		for _, a := range tested {
			if m.Device {
				m.Line("hexcc_to_device((void *)%s, %s_, 0);", given(scop.Object{Array: a}), m.wallData(a))
			}
		}
		m.Line("hexcc_wrongly = hexcc_any(hexcc_comm, hexcc_wrongly);")
		m.Line("static const char *const hexcc_wrongs[] = {%s};", strings.Join(wrong, ", "))
		m.Line("if (hexcc_wrongly)")
		m.Line("  return hexcc_wrong(hexcc_comm, \"%s\", \"%%s\", hexcc_wrongs[hexcc_wrongly - 1]);", m.Name)
	})
	m.Line("if (hexcc_lo > hexcc_hi)")
	m.Line("  return 0; // no iteration")
}

// openWall declares what a rank has of an array that walls test, of which it is passed from.
func (m *Region) openWall(a *scop.Array, from string) {
	m.Line("hexcc_mpi_part %s;", m.wallPart(a))
	m.Line("%s_part_of(%s, %s%d, &%s);", m.Name, m.RankAndSize(), m.Passed(), slices.Index(m.Scop.Arrays, a), m.wallPart(a))
	if m.Device {
		m.Line("char *const %s_ = hexcc_to_host((void *)%s, %s.bytes);", m.wallData(a), from, m.wallPart(a))
		from = m.wallData(a) + "_"
		m.Line("if (%s.bytes && !%s)", m.wallPart(a), from)
		m.Line("  hexcc_wrongly = 1;")
	}
	m.Line("const %v *const %s = (const %v *)%s;", a.Elem.InMemory(), m.wallData(a), a.Elem.InMemory(), from)
}

// wall prints the test of w, which sets hexcc_wrongly to a number where it does not stand at a point of the rank.
func (m *Region) wall(w scop.Wall, number int) {
	owned, err := m.Plan.Tester(w)
	if err != nil {
		panic("mpitext: wall: " + err.Error())
	}
	ctext.Loops(m.Printer, *m.Indexer, w.Nest, func(d int) string {
		var conds []string
		for _, o := range owned {
			if x := o.Access.Index[o.Dim]; innermost(x) == d {
				conds = append(conds, fmt.Sprintf("hexcc_owns(&%s, %d, %s)", m.wallPart(o.Access.Array), o.Dim, m.Expr(m.Scop.Sum(x.Affine, spaceOf(w)))))
			}
		}
		cond := strings.Join(conds, " && ")
		if d == len(w.Nest.Iters) {
			m.point(w, number, cond)
			return ""
		}
		return cond
	})
}

// point prints the test of a point, where cond holds.
func (m *Region) point(w scop.Wall, number int, cond string) {
	v := ctext.Valuer{Indexer: *m.Indexer, Iters: map[string]affine.Expr{}}
	for _, name := range w.Nest.Iters {
		v.Iters[name] = affine.Var(name)
	}
	v.Read = func(a *scop.Access) string {
		at := ""
		for d, x := range a.Index {
			from := fmt.Sprintf("(%s - %s.first[%d])", m.Expr(m.Scop.Sum(x.Affine, spaceOf(w))), m.wallPart(a.Array), d)
			if at != "" {
				from = fmt.Sprintf("(%s * %s.count[%d] + %s)", at, m.wallPart(a.Array), d, from)
			}
			at = from
		}
		return m.wallData(a.Array) + "[" + at + "]"
	}
	if cond != "" {
		cond += " && "
	}
	m.Line("if (%s(%s))", cond, v.Assigned(w.Broken(), false))
	m.Line("  hexcc_wrongly = %d;", number)
}

// spaceOf returns the iterators of the nest of w.
func spaceOf(w scop.Wall) (iters []affine.Sum) {
	for _, name := range w.Nest.Iters {
		iters = append(iters, affine.Var(name))
	}
	return iters
}

// innermost returns how many loops are open where x is known.
func innermost(x scop.Index) (d int) {
	for i, c := range x.Iters {
		if c != 0 {
			d = i + 1
		}
	}
	return d
}

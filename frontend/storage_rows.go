package frontend

import (
	"slices"

	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/scop"
)

// This file reads arrays whose rows are reached by pointers, such as double **A, and double ***u for three dimensions.
//
// Where the rows of A lie one behind the other at one distance, A is a block with rows of that length: A[i][j] is
// the element i * distance + j of the block. That is tested when the program runs; the distance is a parameter, which the host code
// computes, and 0 where the test fails: then rows are too short for what the region uses, which is tested, too.

// A rowDim is a level of pointers: the parameter that says how many elements, or rows, lie between two of them.
type rowDim struct {
	distance *cc.Declarator
	count    linear // how many pointers the region uses
	first    linear // the subscript of the first of them, 0 unless that is negative
}

// rowTypes returns the types of the tables that t, an array of pointers or a pointer to one, leads to, from outside in, and that of
// the elements; ok is false if there are arrays in between.
func rowTypes(t cc.Type) (levels int, elem cc.Type, ok bool) {
	for {
		s, is := shapeOfType(t)
		if !is || len(s.dims) != 1 || levels > maxRowLevels {
			return 0, nil, false
		}
		next, pointers := s.elem.(*cc.PointerType)
		if !pointers {
			return levels, s.elem, levels > 0
		}
		levels, t = levels+1, next
	}
}

// maxRowLevels bounds the levels of pointers.
const maxRowLevels = 3

// newRows returns a, variable x of type t, as an array of rows that are reached by pointers.
func (st *storage) newRows(a *array, x ident, t cc.Type) *array {
	levels, elem, ok := rowTypes(t)
	if !ok {
		st.errorf("HX106", x.where, "allowed: up to three levels of pointers to rows, and no arrays between them", "declare it with a pointer for each dimension, or put all rows in one array",
			"'%s' is an array of pointers", x.name)
		return nil
	}
	if members, ok := st.elements(a, x, elem, nil); !ok || !st.checkAttached(x) {
		return nil
	} else if members > 0 {
		st.errorf("HX106", x.where, "allowed: rows of numbers", "keep the members in arrays of their own", "'%s' leads to rows of structs", x.name)
		return nil
	}
	of := x.decl
	if c := st.cycles[of]; c != nil {
		of = c.pointers[0] // all have the same distances
	}
	a.Pos, a.Flat = st.f.span(tokenAt(x.decl.NameTok())), "&"+st.u.members.name(x.decl)+zeros(levels+1)
	a.guess, a.extents = true, append(a.extents, linear{})
	for k := range levels {
		d := st.u.members.row(of, k)
		st.distance(d)
		a.rows = append(a.rows, rowDim{distance: d})
		a.extents = append(a.extents, variable(d))
	}
	return a
}

// rowPointers returns how the rows of a are reached, for the host code that computes their distances.
func (st *storage) rowPointers(a *array, fr frame) scop.RowPointers {
	r := scop.RowPointers{Elem: a.Elem}
	for _, d := range a.objects() {
		r.Tables = append(r.Tables, st.u.members.name(d))
	}
	for _, d := range inOrder(st.source, st.params) {
		if rows := st.u.members.rowsOf(d); st.u.members.anyRow && slices.Contains(r.Tables, rows) {
			r.Sized = append(r.Sized, rows)
		}
	}
	for _, l := range a.rows {
		r.Counts, r.Distances = append(r.Counts, fr.affine(l.count)), append(r.Distances, st.params[l.distance].Source())
	}
	if a.origin != nil {
		for _, l := range a.rows {
			r.First = append(r.First, fr.affine(l.first))
		}
		r.First = append(r.First, fr.affine(a.origin[len(a.rows)].scale(-1)))
	}
	a.Flat = st.firstRow(a, st.u.members.name(a.decl), fr)
	return r
}

// firstRow returns in C a pointer to what the first pointer of a table leads to.
func (st *storage) firstRow(a *array, table string, fr frame) string {
	for _, l := range a.rows {
		if l.first.equal(constant(0)) {
			table += "[0]"
		} else {
			table += "[" + st.inLong(l.first, fr) + "]"
		}
	}
	return "&" + table + "[0]"
}

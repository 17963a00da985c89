package frontend

import (
	"fmt"
	"slices"

	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/diag"
)

// This file finds where arrays begin whose pointers lead to elements inside of them, as where a function sets
// u = block + n + 1, or its caller does, and a region reads u[-1]. Subscripts are then counted from the least one.

// findOrigins moves the subscripts of arrays that use what lies in front of where their pointers lead.
func (dm *dimensions) findOrigins() bool {
	for _, d := range inOrder(dm.source, dm.arrays) {
		if a := dm.arrays[d]; a.guess && dm.mayBeginEarlier(a) {
			dm.findOrigin(a)
		}
		if a := dm.arrays[d]; a.guess && len(a.rows) > 0 && dm.rowsMayBeginEarlier(a) {
			dm.findOriginOfRows(a)
		}
	}
	return true
}

// rowsMayBeginEarlier reports whether pointers to rows of a, or elements of its rows, may lie in front of where pointers lead, as those from -nd + 1 on of
// float **m = matrix(-nd + 1, ny + nd, -nd + 1, nx + nd).
func (dm *dimensions) rowsMayBeginEarlier(a *array) bool {
	return dm.f.cxx == nil && a.table == 0 && slices.ContainsFunc(a.objects(), isPointer)
}

// findOriginOfRows finds the least subscripts of a, of pointers to rows and in rows, and counts from those that are less than 0.
func (dm *dimensions) findOriginOfRows(a *array) {
	told := false
	for k := range a.extents[a.lead:] {
		if k == 0 && !slices.ContainsFunc(a.objects(), func(o *cc.Declarator) bool { return isPointer(o) && !dm.beginsBlock(o) }) {
			continue
		}
		r, ok := dm.lowest(a, a.lead+k)
		if !ok {
			continue
		}
		if a.origin == nil {
			a.origin = make([]linear, len(a.extents)-a.lead)
		}
		low := r.max.scale(-1)
		if dm.moveSubscripts(a, a.lead+k, low); k < len(a.rows) { // the pointer that leads there is the first one
			a.rows[k].first, a.origin[k] = low, linear{}
		}
		if !told {
			told = true
			dm.note(&diag.Diagnostic{Severity: diag.Remark, Code: "HX105", At: r.Pos,
				Msg: fmt.Sprintf("'%s' lies in front of where '%s' leads: it is taken to lead among rows, or elements, that begin there", r.Text, a.Name)})
		}
	}
}

// mayBeginEarlier reports whether elements of a may lie in front of where its pointers lead, and arithmetic on those is
// one by elements, structs or rows.
func (dm *dimensions) mayBeginEarlier(a *array) bool {
	if len(a.rows) > 0 || a.table > 0 || a.shape != a.decl.Type() && a.lead == 0 {
		return false
	}
	return slices.ContainsFunc(a.objects(), func(o *cc.Declarator) bool {
		vector := dm.f.cxx != nil && dm.f.cxx.vectors[o.Name()]
		return isPointer(o) && !vector && !dm.beginsBlock(o)
	})
}

// findOrigin finds the least first subscript of a, if that is less than 0, and counts from there.
func (dm *dimensions) findOrigin(a *array) {
	if r, ok := dm.lowest(a, a.lead); ok {
		low := r.max.scale(-1)
		if a.origin == nil {
			a.origin = make([]linear, len(a.extents)-a.lead)
		}
		dm.moveSubscripts(a, a.lead, low)
		dm.note(&diag.Diagnostic{Severity: diag.Remark, Code: "HX105", At: r.Pos,
			Msg: fmt.Sprintf("'%s' lies in front of where '%s' leads: it is taken to lead into a block that begins there", r.Text, a.Name)})
	}
	if a.inferred && a.origin != nil {
		dm.findFirst(a)
	}
}

// lowest returns the access to a that reaches as far down as all others along dimension dim, if that is in front of where the pointer leads
// for large sizes. That it does may be a fact to be tested.
func (dm *dimensions) lowest(a *array, dim int) (lowest reach, ok bool) {
	all := dm.reachesOf(a)
	if dim == a.lead && slices.ContainsFunc(all, func(r reach) bool { return slices.ContainsFunc(all, r.alternates) }) {
		return lowest, false // buffers are counted from 0
	}
	reaches := dm.mirrored(a, dim)
	below := false
	for _, r := range reaches {
		if !r.known || !attained(&r.access, r.nest) || typical(r.max) <= 0 {
			continue
		}
		if dm.dominates(r, reaches) {
			return r, true
		}
		below = true
	}
	if !below {
		return lowest, false
	}
	r, needs, ok := dm.farthest(reaches)
	if !ok || typical(r.max) <= 0 {
		return lowest, false
	}
	for _, constraint := range needs {
		dm.relyOnReach(&r.access, constraint)
	}
	return r, true
}

// mirrored returns how far the accesses to a reach down along a dimension: the largest values of the subscripts with the other sign.
func (dm *dimensions) mirrored(a *array, dim int) (reaches []reach) {
	for _, n := range dm.nests {
		for _, x := range n.accesses {
			if x.array != a {
				continue
			}
			y := mirror(x)
			if y.index[dim].mod > 0 {
				return nil // it is not negative
			}
			top, known := maximum(y.index[dim], n)
			reaches = withReach(reaches, reach{top, known, n, *y, dim})
		}
	}
	return reaches
}

// mirror returns x with the other sign for each subscript that is no remainder.
func mirror(x *access) *access {
	y := *x
	y.index = slices.Clone(x.index)
	for k, s := range y.index {
		if s.mod == 0 {
			y.index[k].linear = s.linear.scale(-1)
		}
	}
	return &y
}

// moveSubscripts counts the subscripts of dimension dim of a from low.
func (dm *dimensions) moveSubscripts(a *array, dim int, low linear) {
	for _, n := range dm.nests {
		for _, x := range n.accesses {
			if x.array == a {
				x.index[dim].linear = x.index[dim].linear.sub(low)
			}
		}
	}
	a.origin[dim-a.lead] = a.origin[dim-a.lead].sub(low)
}

// beginRowsEarlier counts the subscripts of rows from the least ones, as where ghost cells lie in front of what a pointer leads
// to, and reports whether that changes any.
func (dm *dimensions) beginRowsEarlier(xs []flatAccess, s *splitting) (moved bool) {
	origin := make([]linear, len(s.extents)+1)
	for k := 1; k < len(origin); k++ {
		low, ok := dm.least(xs, s.index, k)
		if !ok {
			continue
		}
		moved = true
		origin[k] = low.scale(-1)
		for i := range xs {
			s.index[i][k].linear = s.index[i][k].linear.sub(low)
		}
	}
	if moved {
		s.origin = origin
	}
	return moved
}

// least returns the least value of subscript k of all accesses, if that is one sum of parameters, and negative for large ones.
func (dm *dimensions) least(xs []flatAccess, index [][]subscript, k int) (least linear, ok bool) {
	for i, x := range xs {
		for d := range index[i][k].v.all() {
			if _, remainder := dm.vars.remainders[d]; remainder {
				return least, false
			}
		}
		top, known := maximum(subscript{linear: index[i][k].linear.scale(-1)}, x.nest)
		if low := top.scale(-1); known && typical(low) < 0 && (!ok || typical(low) < typical(least)) {
			least, ok = low, true
		}
	}
	return least, ok
}

// findFirst finds the first element of a that the region uses, in row-major order: an array that a pointer leads into may
// begin there, in the middle of a row.
func (dm *dimensions) findFirst(a *array) {
	var ends []end
	for _, n := range dm.nests {
		for _, x := range n.accesses {
			if x.array == a {
				e, ok := lastOf(mirror(x), n)
				if !ok {
					return
				}
				ends = append(ends, e)
			}
		}
	}
	if e, ok := dm.lastOfAll(ends); ok {
		for _, at := range e.at {
			a.first = append(a.first, at.scale(-1))
		}
	}
}

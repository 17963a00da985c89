package frontend

import (
	"fmt"
	"strings"

	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/scop"
)

// This file reads arrays of structs whose members have several types. The members
// of one type are a view of the array: an array of that type over the same bytes, of
// which the region uses only those elements that are such members.
//
// Views are copied to the device and back each as a whole, so at most one of them
// may be written: the others bring nothing back.

// viewOf returns the type of the member that p leads to, if the structs have members of
// several types.
func viewOf(p path) (elem scop.Type, ok bool) {
	if !isMixed(p) || len(p.fields) == 0 {
		return 0, false
	}
	return storedType(p.typ)
}

// isMixed reports whether p leads into an array of structs with members of several types.
func isMixed(p path) bool {
	s, ok := shapeOfType(p.shape)
	if tableOf(p.shape) > 0 {
		s, ok = shapeOfType(s.elem)
	}
	if _, isStruct := s.elem.(*cc.StructType); !ok || !isStruct {
		return false
	}
	_, _, uniform := recordOf(s.elem)
	return !uniform
}

// view returns the variable that stands for the members of type elem of array d.
func (ms *members) view(d *cc.Declarator, elem scop.Type) *cc.Declarator {
	key := fmt.Sprintf("%p %v", d, elem)
	if v := ms.decls[key]; v != nil {
		return v
	}
	v := *d
	ms.decls[key], ms.views[&v] = &v, elem
	return &v
}

// viewName returns the name of a view of the array x: cell_double.
func (sym *symbols) viewName(x ident, elem scop.Type) string {
	return sym.fresh(sym.nameOf(x.decl) + "_" + strings.ReplaceAll(strings.TrimSuffix(elem.String(), " int"), " ", "_"))
}

// checkViews reports arrays of structs of which members of more than one type are written.
func (nr *nestReader) checkViews() {
	written := map[*cc.Declarator]*array{}
	for _, d := range inOrder(nr.source, nr.arrays) {
		a := nr.arrays[d]
		if _, ok := nr.u.members.views[d]; !ok || !a.stored {
			continue
		}
		first := written[a.decl]
		if first == nil {
			written[a.decl] = a
			continue
		}
		name := nr.u.members.name(a.decl)
		for _, n := range nr.nests {
			for _, x := range n.accesses {
				if x.array == a && x.Write {
					nr.errorf("HX106", x.where, "the structs are copied to the device and back once for each type, so members of one type only may be written",
						fmt.Sprintf("keep the members of type '%v' in an array of their own", a.Elem),
						"members of '%s' of type '%v' are written, and of type '%v' too", name, first.Elem, a.Elem)
					return
				}
			}
		}
	}
}

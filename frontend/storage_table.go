package frontend

import (
	"fmt"

	"github.com/hexcc/hexcc/scop"
)

// This file reads arrays of a few pointers, such as double *u[2], that choose
// a buffer by their first subscript: u[t % 2][i * m + j]. Each pointer leads to a
// plane of one array.

// tablePlanes returns the planes of a.
func (st *storage) tablePlanes(a *array) (planes []scop.Plane) {
	s, _ := shapeOfType(elemOf(a.shape))
	for k := range a.table {
		name := st.fresh(fmt.Sprintf("%s_%d", a.Name, k))
		st.take(name)
		pointer := fmt.Sprintf("%s[%d]", st.u.members.name(a.decl), k)
		planes = append(planes, scop.Plane{Name: name, Flat: "&" + pointer + zeros(len(s.dims)), Pointer: pointer})
	}
	return planes
}

package frontend

import (
	"fmt"

	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/diag"
)

// checkElements refuses an element of an array that is a parameter, and so is read once, if the region may write it through another array.
func (al *aliasing) checkElements() {
	if al.o.NoAlias {
		return
	}
	for _, d := range inOrder(al.source, al.params) {
		if m, ok := al.u.members.of[d]; !ok || m.like == nil || al.u.members.isSize(d) {
			continue
		}
		t, _ := storedType(d.Type())
		for _, x := range inOrder(al.source, al.arrays) {
			if a := al.arrays[x]; a.stored && sameObject(a.Elem, t) && al.mayHold(x, d) {
				name := al.u.members.name(d)
				al.note(&diag.Diagnostic{Code: "HX106", At: al.f.span(tokenAt(al.u.members.rootOf(d).NameTok())),
					Msg:   fmt.Sprintf("'%s' may be one of the elements of '%s', which are written", name, a.Name),
					Notes: []diag.Note{{Msg: "its value is read once, before the region"}},
					Help:  fmt.Sprintf("declare '%s' restrict, or copy the value to a variable before the region, such as const %v n = %s, and use that", a.Name, t, name),
				})
				break
			}
		}
	}
}

// mayHold reports whether array x may hold d, an element of another array.
func (al *aliasing) mayHold(x, d *cc.Declarator) bool {
	root := al.u.members.rootOf(d)
	return (al.mayOverlap(x) || al.mayOverlap(root)) && !al.isRestrict(x) && !isRestrict(root) && !al.neverOverlap(x, root)
}

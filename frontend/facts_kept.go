package frontend

import (
	"maps"
	"slices"

	"modernc.org/cc/v4"
)

// This file refuses numbers that a region knows by their names and by pointers, one of which it sets: tiles would read another value than the program.

// checkKept reports numbers that the region reads, and whose address is kept where an element that it sets through a pointer may be the same, and numbers that it sets where
// that may be one that it reads through a pointer.
func (fs *facts) checkKept() {
	set := map[*cc.Declarator]bool{}
	if fs.r.clock != nil {
		maps.Copy(set, fs.r.clock.sets)
	}
	for _, s := range fs.r.stmts {
		for _, d := range setsAny(s) {
			set[d] = true
		}
	}
	escaping := func(ds []*cc.Declarator) []*cc.Declarator {
		return slices.DeleteFunc(ds, func(d *cc.Declarator) bool { return d == nil || !fs.escapes(d) })
	}
	if known := escaping(slices.Concat(inOrder(fs.source, fs.params), inOrder(fs.source, fs.scalars))); len(known) > 0 {
		changed := fs.alteredBy(fs.r.stmts...)
		for _, d := range known {
			if changed.throughPointer(d) || changed.structs || fs.u.members.is(d) && changed.fields[fs.lastName(d)] {
				fs.kept(d, "read", "change")
			}
		}
	}
	if known := escaping(inOrder(fs.source, set)); len(known) > 0 {
		read := throughPointers(fs.r.stmts)
		for _, d := range known {
			if t, number := storedTypeOf(d); number && !fs.inRegion(d) && sameObjects(read, t) {
				fs.kept(d, "set", "read")
			}
		}
	}
}

func (fs *facts) kept(d *cc.Declarator, does, may string) {
	fs.errorf("HX104", tokenAt(d.NameTok()), "what tiles know of it is what it is where they begin", "if nothing changes it, copy it to a variable of its own in front of #pragma scop, and read that in the region",
		"'%s' is %s in this region, which may %s it through a pointer: its address is kept", fs.lastName(d), does, may)
}

package frontend

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/diag"
)

// This file says of all arrays of a region that may overlap in one remark, with
// the declarations that settle every pair.

// Of long lists, a message names these many, and says how many more there are.
const namedArrays, spelledDeclarations = 6, 3

// overlapRemark returns the remark for pairs of arrays that may overlap; the second
// of each is a pointer, at least one of the two is written.
func (al *aliasing) overlapRemark(pairs [][2]object) *diag.Diagnostic {
	d := &diag.Diagnostic{Severity: diag.Remark, Code: "HX104", At: al.declared(pairs[0][1].decl), Help: "--assume=noalias says that you know, and the test stays"}
	if mends, all := al.restrictable(pairs); all {
		d.At, d.Help = al.declared(mends[0].decl), fmt.Sprintf("declare %s if they never do, and nothing is tested", al.declarations(mends))
	}
	names, written := al.namesOf(pairs)
	limit, is := namedArrays, "is"
	if len(pairs) == 1 {
		limit = 2
	}
	if len(written) > 1 {
		is = "are"
	}
	d.Msg = fmt.Sprintf("arrays %s may overlap, and %s %s written; that they do not is tested before the kernels run",
		enumerated(names, limit), enumerated(written, namedArrays), is)
	d.Fact = "arrays that are written overlap no others"
	return d
}

// namesOf returns the names of the arrays of pairs, in order of their declaration, and those that are written.
func (al *aliasing) namesOf(pairs [][2]object) (all, written []string) {
	for _, d := range inOrder(al.source, al.arrays) {
		for k, o := range al.arrays[d].objects() {
			x := object{al.arrays[d], o, k}
			if !slices.ContainsFunc(pairs, func(p [2]object) bool { return p[0] == x || p[1] == x }) {
				continue
			}
			all = append(all, al.nameOfObject(x))
			if x.stored {
				written = append(written, al.nameOfObject(x))
			}
		}
	}
	return all, written
}

// restrictable returns objects that to declare restrict settles pairs, in order of
// their declaration: those that settle most, one after the other, and of two
// that settle as many the later one. It reports whether they settle all pairs.
func (al *aliasing) restrictable(pairs [][2]object) (mends []object, all bool) {
	type declaration struct {
		object
		settles int
	}
	plain := slices.DeleteFunc(slices.Clone(pairs), func(p [2]object) bool { return len(p[0].rows)+len(p[1].rows) > 0 }) // nothing does
	rows := len(pairs) - len(plain)
	pairs = plain
	for len(pairs) > 0 {
		var found []declaration
		for _, p := range pairs {
			for _, x := range p {
				if !al.mendable(x) {
					continue
				}
				i := slices.IndexFunc(found, func(d declaration) bool { return al.restricted(d.object) == al.restricted(x) })
				if i < 0 {
					i, found = len(found), append(found, declaration{object: x})
				}
				found[i].settles++
			}
		}
		if found == nil {
			break
		}
		best := found[0]
		for _, d := range found[1:] {
			if d.settles > best.settles || d.settles == best.settles && al.u.members.compare(best.decl, d.decl) < 0 {
				best = d
			}
		}
		mends = append(mends, best.object)
		pairs = slices.DeleteFunc(slices.Clone(pairs), func(p [2]object) bool { return al.settles(best.object, p) })
	}
	slices.SortStableFunc(mends, func(x, y object) int { return al.u.members.compare(x.decl, y.decl) })
	return mends, len(pairs)+rows == 0
}

// mendable reports whether to declare something restrict says of x that it is reached through that alone.
func (al *aliasing) mendable(x object) bool {
	if al.owns(x.decl) || al.isSpan(x.decl) {
		return false // such an object cannot be declared so
	}
	m, ok := al.u.members.of[x.decl]
	if !ok || isPointer(x.decl) {
		return al.mayOverlap(x.decl)
	}
	return isPointer(m.root) && strings.Count(m.way, "->") == 1 && strings.HasPrefix(m.way, "->")
}

// settles reports whether to declare m restrict says that the arrays of p do not overlap.
func (al *aliasing) settles(m object, p [2]object) bool {
	return slices.ContainsFunc(p[:], func(x object) bool { return al.mendable(x) && al.restricted(x) == al.restricted(m) })
}

// declarations returns how to declare objects restrict.
func (al *aliasing) declarations(objects []object) string {
	var texts []string
	for _, o := range objects {
		texts = append(texts, al.restricted(o))
	}
	if len(texts) <= spelledDeclarations {
		return joined(texts)
	}
	for i, o := range objects {
		texts[i] = al.mendName(o)
	}
	return joined(texts) + " restrict"
}

// mendName returns the name of the pointer that is declared restrict for o.
func (al *aliasing) mendName(o object) string {
	if m, ok := al.u.members.of[o.decl]; ok && !isPointer(o.decl) {
		return "'" + m.root.Name() + "'"
	}
	return "'" + al.u.members.name(o.decl) + "'"
}

// enumerated returns names in quotes as a list for people, of at most limit names and how many more there are.
func enumerated(names []string, limit int) string {
	var quoted []string
	for i, n := range names {
		if i == limit && len(names) > limit+1 {
			quoted = append(quoted, fmt.Sprintf("%d more", len(names)-i))
			break
		}
		quoted = append(quoted, "'"+n+"'")
	}
	return joined(quoted)
}

// joined returns texts as in "x, y and z".
func joined(texts []string) string {
	last := len(texts) - 1
	if last == 0 {
		return texts[0]
	}
	return strings.Join(texts[:last], ", ") + " and " + texts[last]
}

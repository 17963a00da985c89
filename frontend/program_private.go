package frontend

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/scop"
)

// This file says how the generated file reaches members of objects of C++ that are private. An explicit instantiation of a template may name
// them (C++17, 17.7.2p12): that of scop.Opening hands a pointer to the member to a function that all may call.

// step matches one step of the way to a member.
var step = regexp.MustCompile(`^(->|\.)(\w+)|^\[\d+\]`)

// private returns the members that the region uses and that may not be named where it stands.
func (as *assembly) private() (all []scop.Private) {
	if as.f.cxx == nil {
		return nil
	}
	used := map[*cc.Declarator]bool{}
	for d := range as.params {
		used[d] = true
	}
	for d := range as.scalars {
		used[d] = true
	}
	for d, x := range as.consts {
		used[d] = used[d] || x.ok
	}
	for _, a := range as.arrays {
		for _, d := range a.objects() {
			used[d] = true
			if c := as.cycles[d]; c != nil && c.of != nil { // which the generated file exchanges
				for _, of := range c.of.pointers {
					used[of] = true
				}
			}
		}
	}
	maps.DeleteFunc(used, func(_ *cc.Declarator, is bool) bool { return !is })
	for _, d := range inOrder(as.source, used) {
		if p, ok := as.reached(d); ok && !slices.ContainsFunc(all, func(q scop.Private) bool { return q.Name == p.Name }) {
			all = append(all, p)
		}
	}
	return all
}

// reached returns how to reach d, if that is a member and private.
func (as *assembly) reached(d *cc.Declarator) (p scop.Private, ok bool) {
	mine := as.f.cxx.methodsOf[as.r.function.Declarator.Name()]
	if s, is := as.u.members.statics[d.Name()]; is && d.Linkage() != cc.None {
		t, number := storedType(d.Type())
		needs := scop.PrivateMember{Name: fmt.Sprintf("hexcc_%d_%s", as.r.StartLine, d.Name()), Member: s.text, Static: true, Value: number && !t.IsFloat() && d.IsConst()}
		return scop.Private{Name: s.text, Text: needs.Name + "()", Needs: []scop.PrivateMember{needs}}, s.private && s.class != mine
	}
	m, is := as.u.members.of[d]
	if !is || m.root == nil {
		return p, false
	}
	p.Name, p.Text = as.u.members.name(d), as.u.members.name(m.root)
	t := m.root.Type()
	for way := m.way; way != ""; {
		s := step.FindStringSubmatch(way)
		if s == nil {
			return p, false
		}
		way = way[len(s[0]):]
		if pointed := pointedTo(t); s[1] == "->" && pointed != nil {
			t = pointed
		}
		in, isStruct := t.(*cc.StructType)
		switch {
		case s[1] == "":
			p.Text += s[0]
			if t = elemOf(t); t == nil {
				return p, false
			}
			continue
		case !isStruct:
			return p, false
		}
		class := tagName(in)
		f := in.FieldByName(s[2])
		if f == nil {
			return p, false
		}
		t = f.Type()
		hidden := as.f.cxx.hidden[class]
		if class == mine || !slices.Contains(hidden.members, s[2]) {
			p.Text += s[0]
			continue
		}
		name := fmt.Sprintf("hexcc_%d_%s_%s", as.r.StartLine, class, s[2])
		if s[1] == "->" {
			p.Text = "*" + p.Text
		}
		p.Text = fmt.Sprintf("%s(%s)", name, p.Text)
		p.Needs = append(p.Needs, scop.PrivateMember{Name: name, Member: hidden.class + "::" + s[2]})
		ok = true
	}
	return p, ok
}

// tagName returns the name of a struct.
func tagName(t *cc.StructType) string {
	tag := t.Tag()
	return tag.SrcStr()
}

// privateAt returns where in the source the declaration begins that holds the region.
func (as *assembly) privateAt() int {
	for _, it := range as.f.cxx.outermost {
		if it[0] <= as.r.Start && as.r.Start < it[1] {
			return it[0]
		}
	}
	return strings.LastIndexByte(string(as.f.text[:as.r.Start]), '\n') + 1
}

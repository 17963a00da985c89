package frontend

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"modernc.org/cc/v4"
)

// This file has nests of a loop that the host runs step by step use planes by pointers, where variables hold the numbers of the planes:
//
//	u[next][i][j] = f(u[cur][i - 1][j], ..)    =>    double (*p)[m] = u[next], (*q)[m] = u[cur];    p[i][j] = f(q[i - 1][j], ..)
//
// A region could not know that next is not cur, and would take points to need each other. That pointers lead to other elements is tested before it, as of all arrays.

// A planeUse is an element of an array of planes: u[p] in u[p][i][j].
type planeUse struct {
	of, number *cc.Declarator
	at         index
}

// planePointers adds to edits that ss use planes by pointers, and returns declarations of these.
func (h *hostLoops) planePointers(ss []stmt, edits []edit) (all []edit, declared []string) {
	if h.f.cxx != nil || h.o.Ranks || h.o.Parts {
		return edits, nil
	}
	h.pointed = map[string]string{}
	uses := h.planeUses(ss)
	var arrays []*cc.Declarator
	for _, u := range uses {
		if !slices.Contains(arrays, u.of) {
			arrays = append(arrays, u.of)
		}
	}
	for _, d := range arrays {
		own := slices.DeleteFunc(slices.Clone(uses), func(u planeUse) bool { return u.of != d })
		row, ok := h.rowType(d)
		if !ok || !h.takesPointers(ss, d, own, edits) {
			continue
		}
		names := map[*cc.Declarator]string{}
		for _, u := range own {
			from, to, _ := h.f.bytes(u.at.at())
			if names[u.number] == "" {
				names[u.number] = h.name(d.Name() + "_" + u.number.Name() + "_")
				declared = append(declared, fmt.Sprintf(row, names[u.number], h.f.text[from:to]))
				h.pointed[string(h.f.text[from:to])] = names[u.number]
			}
			edits = append(edits, edit{from, to, names[u.number]})
		}
	}
	slices.SortFunc(edits, func(e, f edit) int { return e.from - f.from })
	return edits, declared
}

// rowType returns the declaration of a pointer to what a plane of d consists of, and its value, as a format of both; ok is false if d is of no numbers, or if lengths in it may not be what they were
// where it was declared.
func (h *hostLoops) rowType(d *cc.Declarator) (format string, ok bool) {
	dims := ""
	t := elemOf(elemOf(d.Type()))
	for {
		a, array := t.(*cc.ArrayType)
		if !array {
			break
		}
		if a.Len() >= 0 {
			dims += fmt.Sprintf("[%d]", a.Len())
		} else {
			size := convertExpr(a.SizeExpression())
			if !h.sameEverywhere(size) {
				return "", false
			}
			dims += "[" + strings.ReplaceAll(h.textOf(size), "%", "%%") + "]"
		}
		t = a.Elem()
	}
	if _, number := storedType(t); !number {
		return "", false
	}
	star := "*%s"
	if dims != "" {
		star = "(*%s)" + dims
	}
	return h.f.typeText(t) + " " + star + " = %s;", true
}

// sameEverywhere reports whether size has one value, and is written in one way, in all of the function: it is made of numbers that are never set again, and whose names nothing else has.
func (h *hostLoops) sameEverywhere(size expr) bool {
	if h.r.function == nil || readsElement(size) || hasEffect(size) {
		return false
	}
	body, same := h.bodyOf(h.r.function), true
	eachExpr(size, func(e expr) {
		x, named := e.(ident)
		if !named {
			return
		}
		same = same && x.decl != nil && isScalarVariable(x.decl) && !x.decl.AddressTaken() && x.decl.StorageDuration() == cc.Automatic && !assigns(body, x.decl) &&
			!contains(body, func(s stmt) bool {
				d, declares := s.(declStmt)
				return declares && slices.ContainsFunc(d.vars, func(v varDecl) bool { return v.decl != x.decl && v.decl.Name() == x.name })
			})
	})
	return same
}

// byPointers returns text, which is of the nests last written, with the pointers that they use planes by.
func (h *hostLoops) byPointers(text string) string {
	for plane, name := range h.pointed {
		text = regexp.MustCompile(`\b`+regexp.QuoteMeta(plane)).ReplaceAllLiteralString(text, name)
	}
	return text
}

// planeUses returns the elements of arrays of planes in ss whose numbers are in variables.
func (h *hostLoops) planeUses(ss []stmt) (uses []planeUse) {
	for _, s := range ss {
		eachExprIn(s, func(e expr) {
			x, _ := e.(index)
			u, array := x.base.(ident)
			p, number := x.sub.(ident)
			if !array || !number || u.decl == nil || p.decl == nil {
				return
			}
			if of := elemOf(u.decl.Type()); of != nil && of.Kind() == cc.Array {
				uses = append(uses, planeUse{u.decl, p.decl, x})
			}
		})
	}
	return uses
}

// takesPointers reports whether ss use all planes of array d by numbers in variables which they leave alone, as uses has them, several of them, and set elements of one.
func (h *hostLoops) takesPointers(ss []stmt, d *cc.Declarator, uses []planeUse, edits []edit) bool {
	var numbers []*cc.Declarator
	for _, u := range uses {
		from, to, ok := h.f.bytes(u.at.at())
		p := u.number
		if !ok || string(h.f.text[from:to]) != fmt.Sprintf("%s[%s]", d.Name(), p.Name()) || h.u.members.is(d) || h.u.members.is(p) || !isScalarVariable(p) ||
			slices.ContainsFunc(edits, func(e edit) bool { return from < e.to && e.from < to }) ||
			slices.ContainsFunc(ss, func(s stmt) bool {
				return iterates(s, p) || assigns(s, p) || declaredWithin(s, p) || declaredWithin(s, d)
			}) {
			return false
		}
		if !slices.Contains(numbers, p) {
			numbers = append(numbers, p)
		}
	}
	mentioned, set := 0, false
	for _, s := range ss {
		eachExprIn(s, func(e expr) {
			if isIdent(e, d) {
				mentioned++
			}
			if a, ok := e.(assign); ok {
				p, element := lvalue(a.x)
				set = set || element && p.root.decl == d
			}
		})
	}
	return len(numbers) > 1 && set && mentioned == len(uses)
}

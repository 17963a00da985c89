package frontend

import (
	"fmt"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/scop"
)

// This file lists what is taken for granted of the user's types: see scop.Claim. What the C front end of
// this package and the compiler of the user's file read differently, because of an attribute, of a
// flag, or of a macro that is defined another way, is found when that compiles.

// claims returns what is taken for granted of the types of the region.
func (as *assembly) claims() []scop.Claim {
	c := &claims{seen: map[string]bool{}}
	for _, d := range inOrder(as.source, as.params) {
		as.claimVariable(c, d, as.readIn(d, as.params[d].Source()))
	}
	for _, d := range inOrder(as.source, as.scalars) {
		as.claimVariable(c, d, as.readIn(d, as.scalars[d].Source()))
	}
	for _, d := range inOrder(as.source, as.consts) {
		if as.consts[d].ok && !as.inRegion(d) {
			as.claimVariable(c, d, as.u.members.name(d))
		}
	}
	for _, d := range as.setOutside() {
		if t, ok := storedType(d.Type()); ok {
			c.number(scop.Plain(as.u.members.identifier(d)), as.u.members.name(d), t, as.f.isScoped(d.Type()))
		}
	}
	for _, d := range inOrder(as.source, as.arrays) {
		as.claimArray(c, as.arrays[d])
	}
	if as.f.cxx != nil {
		for _, x := range as.f.cxx.claims {
			if x.to > 0 && !(x.from <= as.r.Start && as.r.Start < x.to) {
				continue
			}
			c.add(scop.Claim{Name: x.name, C: x.text, Size: x.size})
		}
	}
	for _, d := range as.typeNames() {
		if t, ok := storedType(d.Type()); ok {
			c.number(d.Name(), "*("+as.f.cxx.typeName(d.Name())+" *)0", t, as.f.isScoped(d.Type()))
		}
	}
	if as.calculatesHalves() {
		c.add(scop.Claim{Name: "halves_are_calculated_in_float", Halves: true})
	}
	as.claimMacros(c)
	return c.all
}

// claims are those that were made, each once.
type claims struct {
	all  []scop.Claim
	seen map[string]bool
}

func (c *claims) add(made scop.Claim) {
	if !c.seen[made.Name] {
		c.seen[made.Name] = true
		c.all = append(c.all, made)
	}
}

// number claims that text, which is called name, is a number of type t, or, if it is scoped, an enumeration that is stored as such.
func (c *claims) number(name, text string, t scop.Type, scoped bool) {
	what := strings.ReplaceAll(t.String(), " ", "_")
	if t == scop.Bool {
		what = "bool"
	}
	c.add(scop.Claim{Name: name + "_is_" + what, C: text, Type: t, Enum: scoped})
}

// claimVariable claims that d, which C reads as text, has its type, if that is one of numbers.
func (as *assembly) claimVariable(c *claims, d *cc.Declarator, text string) {
	if t, ok := storedType(d.Type()); ok {
		c.number(as.nameOf(d), text, t, as.f.isScoped(d.Type()))
	}
}

// readIn returns how C reads d, whose value is source: without the cast that makes a number of it.
func (as *assembly) readIn(d *cc.Declarator, source string) string {
	if as.f.isScoped(d.Type()) {
		return as.u.members.name(d)
	}
	return source
}

// claimArray adds what is known of the elements of a, and of constant extents.
func (as *assembly) claimArray(c *claims, a *array) {
	for _, o := range a.Objects() {
		elem, plain := strings.CutPrefix(o.Flat, "&")
		if !plain || a.shape != a.decl.Type() && a.lead == 0 {
			continue // what a cast makes of it: only its type has a name
		}
		base := strings.TrimRight(strings.TrimSuffix(elem, zeros(strings.Count(elem, "[0]"))), " ")
		if a.table > 0 {
			base = o.Pointer // whose last subscript is that of a table
		}
		if a.record == nil {
			c.number(o.Name, elem, a.Elem, as.f.isScoped(numberIn(a.shape)))
		} else {
			c.add(scop.Claim{Name: fmt.Sprintf("%s_has_%d_bytes", o.Name, a.record.Size()), C: elem, Size: a.record.Size()})
		}
		for _, m := range as.used[a] {
			name := strings.NewReplacer("[0]", "", ".", "_").Replace(m.path)
			c.add(scop.Claim{Name: fmt.Sprintf("%s_%s_is_at_%d", o.Name, name, m.offset), C: elem, Member: m.path, Offset: m.offset})
			c.number(o.Name+"_"+name, elem+"."+m.path, a.Elem, m.scoped)
		}
		claimSize(c, a, o, base)
	}
}

// claimSize claims the size of the largest part of object o with constant extents. base leads to o.
func claimSize(c *claims, a *array, o scop.Plane, base string) {
	t := a.shape
	if a.table > 0 {
		t = elemOf(t)
	}
	s, _ := shapeOfType(t)
	size := s.elem.Size()
	for k := len(s.dims) - 1; k >= 0; k-- {
		if dim := s.dims[k]; dim == nil || dim.Len() < 0 || k == 0 && s.pointer {
			break
		}
		size *= s.dims[k].Len()
		if k == 0 || s.dims[k-1] == nil || s.dims[k-1].Len() < 0 || k == 1 && s.pointer {
			c.add(scop.Claim{Name: fmt.Sprintf("%s_has_%d_bytes", o.Name, size), C: base + zeros(k), Size: size})
		}
	}
}

// typeNames returns the typedefs of the file that the region and the functions that it calls name,
// and that mean the same in front of the region.
func (as *assembly) typeNames() []*cc.Declarator {
	found := map[*cc.Declarator]bool{}
	note := func(t cc.Type) {
		if t != nil && t.Typedef() != nil && !strings.HasPrefix(t.Typedef().Name(), readAs) && partOf(t.Typedef().Name()) == "" {
			found[t.Typedef()] = true
		}
	}
	as.eachPart(func(s stmt) {
		eachStmt(s, func(s stmt) {
			if d, ok := s.(declStmt); ok {
				for _, v := range d.vars {
					note(v.decl.Type())
				}
			}
		})
		eachExprIn(s, func(e expr) {
			switch e := e.(type) {
			case cast:
				note(e.typ)
				note(elemOf(e.typ))
			case call:
				f, _ := e.fun.(ident)
				if fd := as.definition(f); fd != nil {
					note(fd.Declarator.Type().(*cc.FunctionType).Result())
					for _, d := range parameters(fd) {
						note(d.Type())
					}
				}
			}
		})
	})
	for d := range found {
		if !as.isOfFile(d) {
			delete(found, d)
		}
	}
	return inOrder(as.source, found)
}

// eachPart calls visit for the statements of the region, and for the bodies of the functions that they call, each once.
func (as *assembly) eachPart(visit func(stmt)) {
	seen := map[*cc.FunctionDefinition]bool{}
	var all func(s stmt)
	all = func(s stmt) {
		visit(s)
		eachExprIn(s, func(e expr) {
			if e, ok := e.(call); ok {
				f, _ := e.fun.(ident)
				if fd := as.definition(f); fd != nil && !seen[fd] {
					seen[fd] = true
					all(as.bodyOf(fd))
				}
			}
		})
	}
	for _, s := range as.stmts {
		all(s)
	}
}

// isOfFile reports whether d is declared outside of functions, and no variable
// of the function around the region has its name.
func (as *assembly) isOfFile(d *cc.Declarator) bool {
	scope := as.u.ast.Scope.Nodes[d.Name()]
	if !slices.ContainsFunc(scope, func(n cc.Node) bool { return n == cc.Node(d) }) {
		return false
	}
	hidden := slices.ContainsFunc(parameters(as.r.function), func(p *cc.Declarator) bool { return p.Name() == d.Name() })
	eachStmt(as.r.body, func(s stmt) {
		if decl, ok := s.(declStmt); ok {
			hidden = hidden || slices.ContainsFunc(decl.vars, func(v varDecl) bool { return v.decl.Name() == d.Name() })
		}
	})
	return !hidden
}

package frontend

import (
	"maps"
	"slices"

	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/scop"
)

// This file finds which numbers statements may change besides the elements that they set: by their names, by those of functions of the file that
// they call, through pointers, and in functions of which the file shows nothing.

// altered is what statements may change.
type altered struct {
	*source
	named    map[*cc.Declarator]bool // by name, where they stand
	set      map[*cc.Declarator]bool // by name in functions, or by an address that is passed
	fields   map[string]bool         // members of that name of any struct
	stored   map[scop.Type]bool      // elements of these types that pointers lead to
	pointers bool                    // whatever pointers lead to
	structs  bool                    // whole structs that pointers lead to
	unknown  bool                    // what functions outside of the file may know
}

// alteredBy returns what ss may change.
func (src *source) alteredBy(ss ...stmt) *altered {
	ch := &altered{source: src, named: map[*cc.Declarator]bool{}, set: map[*cc.Declarator]bool{}, fields: map[string]bool{}, stored: map[scop.Type]bool{}}
	for _, s := range ss {
		ch.add(s, nil)
	}
	return ch
}

// add adds what s changes; in are the functions that it stands in.
func (ch *altered) add(s stmt, in []*cc.FunctionDefinition) {
	for _, d := range setsAny(s) {
		if len(in) > 0 {
			ch.passed(d)
			continue
		}
		ch.named[d] = true
		if root := ch.u.members.rootOf(d); ch.u.members.is(d) && (isPointer(root) || root.AddressTaken()) {
			ch.fields[ch.lastName(d)] = true
		}
	}
	eachStmt(s, func(s stmt) {
		if o, ok := s.(otherStmt); ok && o.what == "assembly" {
			ch.pointers, ch.unknown = true, true
		}
	})
	eachExprIn(s, func(e expr) {
		switch e := e.(type) {
		case assign:
			ch.place(e.x)
		case unary:
			if d := variableOf(e.x); e.op == "&" && d != nil {
				ch.passed(d)
			} else if m, ok := e.x.(memberExpr); e.op == "&" && ok {
				ch.fields[m.field.Name()] = true
			}
		case ident:
			if _, calls := ch.u.callbacks[e.decl]; calls { // it may lead elsewhere, where the original loops run
				ch.unknown = true
			}
		case call:
			if t := functionPointer(e.fun); t != nil && ch.f.cxx == nil {
				for _, to := range ch.u.pointees(t) {
					if fd := ch.definition(ident{name: to.Name(), decl: to}); fd != nil && !slices.Contains(in, fd) {
						ch.add(ch.bodyOf(fd), append(slices.Clone(in), fd))
					}
				}
			}
			f, _ := e.fun.(ident)
			fd := ch.definition(f)
			switch {
			case fd == nil:
				_, computed := scop.Computable(f.name)
				ch.unknown = ch.unknown || !computed && !slices.Contains(quietFunctions, f.name)
				ch.pointers = ch.pointers || slices.Contains(memoryFunctions, f.name)
			case !slices.Contains(in, fd):
				ch.add(ch.bodyOf(fd), append(slices.Clone(in), fd))
			}
		}
	})
}

// passed adds variable d, which functions know.
func (ch *altered) passed(d *cc.Declarator) {
	ch.set[d] = true
	if ch.u.members.is(d) {
		ch.fields[ch.lastName(d)] = true
	}
}

// place adds what the assignment to e changes, if that is no variable.
func (ch *altered) place(e expr) {
	if _, scalar := e.(ident); scalar {
		return
	}
	if m, ok := e.(memberExpr); ok {
		ch.fields[m.field.Name()] = true
	}
	p, ok := lvalue(e)
	if !ok || p.typ == nil || p.root.decl == nil {
		ch.pointers, ch.structs = true, true
		return
	}
	if !throughPointer(p) {
		return
	}
	t, number := storedType(p.typ)
	ch.stored[t] = ch.stored[t] || number
	ch.structs = ch.structs || !number && p.typ.Kind() != cc.Ptr
}

// throughPointer reports whether p is an element that a pointer leads to, and not one of an array, which is known.
func throughPointer(p path) bool {
	d := p.root.decl
	return d.Type().Kind() != cc.Array || d.IsParam() || slices.ContainsFunc(p.types, func(t cc.Type) bool { return t.Kind() == cc.Ptr })
}

// throughPointers returns the types of the elements that ss use through pointers.
func throughPointers(ss []stmt) map[scop.Type]bool {
	used := map[scop.Type]bool{}
	for _, s := range ss {
		eachExprIn(s, func(e expr) {
			switch e := e.(type) {
			case index, unary:
				if u, ok := e.(unary); ok && u.op != "*" {
					return
				}
				p, ok := lvalue(e)
				if t, number := storedType(p.typ); ok && number && p.root.decl != nil && throughPointer(p) {
					used[t] = true
				}
			}
		})
	}
	return used
}

// throughPointer reports whether a pointer may lead to d, a number, where an element is set.
func (ch *altered) throughPointer(d *cc.Declarator) bool {
	t, _ := storedTypeOf(d)
	return ch.pointers || sameObjects(ch.stored, t)
}

// has reports whether number d may be among them.
func (ch *altered) has(d *cc.Declarator) bool { return ch.named[d] || ch.indirectly(d) }

// indirectly reports whether number d may be changed in another way than by its name, where that stands.
func (ch *altered) indirectly(d *cc.Declarator) bool {
	if ch.set[d] {
		return true
	}
	root := ch.u.members.rootOf(d)
	if ch.u.members.is(d) && (ch.fields[ch.lastName(d)] || ch.structs && (isPointer(root) || root.AddressTaken())) {
		return true
	}
	seen := root.AddressTaken() || isPointer(root) || root.StorageDuration() != cc.Automatic && !root.IsStatic()
	return ch.unknown && seen || ch.throughPointer(d) && ch.escapes(d)
}

// quietFunctions are those of the C library that change nothing that they are not passed the address of.
var quietFunctions = []string{"abort", "calloc", "clock", "clock_gettime", "exit", "fclose", "fflush", "fopen", "fprintf", "fputc", "fputs", "free", "fseek", "fwrite",
	"getenv", "gettimeofday", "malloc", "memcpy", "memmove", "memset", "omp_get_wtime", "perror", "printf", "putc", "putchar", "puts", "rand", "realloc", "sleep", "snprintf",
	"sprintf", "strcmp", "strlen", "time", "usleep"}

// memoryFunctions are those of them that write to memory of any type.
var memoryFunctions = []string{"memcpy", "memmove", "memset", "snprintf", "sprintf"}

// escapes reports whether the file keeps the address of d, or of a member of its name: it takes it in another place than in an argument of a call of
// a function that does not keep it.
func (src *source) escapes(d *cc.Declarator) bool {
	root, member := src.u.members.rootOf(d), src.u.members.is(d)
	if !root.AddressTaken() && !member {
		return false
	}
	if src.u.kept == nil {
		src.u.kept = src.keptAddresses()
	}
	kept := src.u.kept
	return kept.of(src, d) || src.r.function != nil && kept.passed[src.r.function] != nil && kept.passed[src.r.function].of(src, d)
}

// of reports whether d, or a member of its name, is among as.
func (as *addresses) of(src *source, d *cc.Declarator) bool {
	root := src.u.members.rootOf(d)
	return as.variables[d] || !isPointer(root) && as.variables[root] || src.u.members.is(d) && as.fields[src.lastName(d)]
}

// keptAddresses returns of which variables, and members, the file keeps the address, or passes it to a function, for what stands in that.
func (src *source) keptAddresses() *addresses {
	kept := newAddresses()
	visit := func(s stmt) {
		passed := map[where]bool{}
		eachExprIn(s, func(e expr) {
			if c, ok := e.(call); ok {
				for i, arg := range c.args {
					if x, ok := withoutCasts(arg).(unary); ok && x.op == "&" && !src.keeps(c, i, nil) {
						passed[x.where] = true
						f, _ := c.fun.(ident)
						if fd := src.definition(f); fd != nil {
							if kept.passed[fd] == nil {
								kept.passed[fd] = newAddresses()
							}
							kept.passed[fd].add(x.x)
						}
					}
				}
			}
		})
		eachExprIn(s, func(e expr) {
			u, ok := e.(unary)
			if !ok || u.op != "&" || passed[u.where] {
				return
			}
			kept.add(u.x)
		})
	}
	for tu := src.u.ast.TranslationUnit; tu != nil; tu = tu.TranslationUnit {
		if fd := tu.ExternalDeclaration.FunctionDefinition; fd != nil {
			visit(convertBlock(fd.CompoundStatement))
		}
		if n := tu.ExternalDeclaration.Declaration; n != nil {
			visit(convertDecl(n))
		}
	}
	return kept
}

// keeps reports whether the function of the file that c calls may keep argument i, a pointer: it does more with it than follow it, compare it, and pass it on to
// those that keep nothing. in are the functions that the call stands in. Those outside of the file are asked where they are called: see unknown.
func (src *source) keeps(c call, i int, in []*cc.FunctionDefinition) bool {
	if t := functionPointer(c.fun); t != nil && src.f.cxx == nil {
		return slices.ContainsFunc(src.u.pointees(t), func(to *cc.Declarator) bool { return src.keeps(calling(c, to), i, in) })
	}
	f, named := c.fun.(ident)
	fd := src.definition(f)
	if fd == nil || slices.Contains(in, fd) {
		return !named
	}
	ds := parameters(fd)
	if i >= len(ds) {
		return true
	}
	is := func(e expr) bool { return variableOf(withoutCasts(e)) == ds[i] }
	mentions, follows := 0, 0
	kept := false
	eachExprIn(convertBlock(fd.CompoundStatement), func(e expr) {
		switch e := e.(type) {
		case ident:
			if e.decl == ds[i] {
				mentions++
			}
		case unary:
			if e.op == "*" && is(e.x) {
				follows++
			}
		case index:
			if is(e.base) {
				follows++
			}
		case memberExpr:
			if is(e.x) {
				follows++
			}
		case call:
			for k, arg := range e.args {
				if is(arg) {
					follows++
					kept = kept || src.keeps(e, k, append(slices.Clone(in), fd))
				}
			}
		}
	})
	return kept || mentions > follows
}

// sameObjects reports whether an element of one of types may be a number of type t: C lets no others be the same.
func sameObjects(types map[scop.Type]bool, t scop.Type) bool {
	return slices.ContainsFunc(slices.Collect(maps.Keys(types)), func(s scop.Type) bool {
		return s == t || s.Size() == t.Size() && !s.IsFloat() && !t.IsFloat() || s.Size() == 1
	})
}

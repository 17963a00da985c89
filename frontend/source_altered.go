package frontend

import (
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
	pointers bool                    // what pointers lead to that are kept
	structs  bool                    // whole structs that pointers lead to
	unknown  bool                    // what functions outside of the file may know
}

// alteredBy returns what ss may change.
func (src *source) alteredBy(ss ...stmt) *altered {
	ch := &altered{source: src, named: map[*cc.Declarator]bool{}, set: map[*cc.Declarator]bool{}, fields: map[string]bool{}}
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
		case call:
			f, _ := e.fun.(ident)
			fd := ch.definition(f)
			switch {
			case fd == nil:
				_, computed := scop.Computable(f.name)
				ch.unknown = ch.unknown || !computed && !slices.Contains(quietFunctions, f.name)
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
	switch e := e.(type) {
	case ident:
	case memberExpr:
		ch.fields[e.field.Name()] = true
	case unary:
		ch.pointers = true
		p, ok := lvalue(e)
		ch.structs = ch.structs || !ok || p.typ == nil || p.typ.Kind() == cc.Struct || p.typ.Kind() == cc.Union
	default:
		ch.pointers = true
	}
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
	return ch.unknown && seen || ch.pointers && ch.escapes(d)
}

// quietFunctions are those of the C library that change nothing that they are not passed the address of.
var quietFunctions = []string{"abort", "calloc", "clock", "clock_gettime", "exit", "fclose", "fflush", "fopen", "fprintf", "fputc", "fputs", "free", "fseek", "fwrite",
	"getenv", "gettimeofday", "malloc", "memcpy", "memmove", "memset", "omp_get_wtime", "perror", "printf", "putc", "putchar", "puts", "rand", "realloc", "sleep", "snprintf",
	"sprintf", "strcmp", "strlen", "time", "usleep"}

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
	return kept.variables[d] || !isPointer(root) && kept.variables[root] || member && kept.fields[src.lastName(d)]
}

// keptAddresses returns of which variables, and members, the file keeps the address.
func (src *source) keptAddresses() *addresses {
	kept := &addresses{map[*cc.Declarator]bool{}, map[string]bool{}}
	visit := func(s stmt) {
		passed := map[where]bool{}
		eachExprIn(s, func(e expr) {
			if c, ok := e.(call); ok {
				for i, arg := range c.args {
					if x, ok := withoutCasts(arg).(unary); ok && x.op == "&" && !src.keeps(c, i, nil) {
						passed[x.where] = true
					}
				}
			}
		})
		eachExprIn(s, func(e expr) {
			u, ok := e.(unary)
			if !ok || u.op != "&" || passed[u.where] {
				return
			}
			switch x := u.x.(type) {
			case ident:
				kept.variables[x.decl] = true
			case memberExpr:
				kept.fields[x.field.Name()] = true
			}
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

package kerneltext

import (
	"fmt"
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/scop"
)

// This file prints what one thread does at one point: copies and statements.

func (k *printer) ops(ops []gpu.Op) {
	fetches := gpu.Threads{Body: ops}.Fetches()
	for _, op := range ops {
		if k.addressed >= gpu.AddressesAtOnce {
			k.anew()
		}
		switch op := op.(type) {
		case gpu.Copy:
			if op.Async {
				k.Line("hexcc_fetch(&%s, &%s);", k.ref(op.To), k.ref(op.From))
				continue
			}
			k.Line("%s = %s;", k.ref(op.To), k.value(op.From))
		case gpu.Load:
			declared := fmt.Sprintf("const %s ", op.From.Array.Elem.InMemory())
			if fetches {
				declared = ""
			}
			k.Line("%s%s = %s;", declared, op.Reg, k.ref(op.From))
		case gpu.Compute:
			if declares(op.Stmt) && (len(ops) > 1 || !k.scoped) {
				k.registers(op)
				k.Braces("", func() { k.compute(op, "") })
			} else {
				k.compute(op, "const ")
			}
		default:
			panic(fmt.Sprintf("kerneltext: ops: unknown op %T", op))
		}
	}
}

func declares(s *scop.Stmt) bool {
	return slices.ContainsFunc(s.Body, func(a scop.Action) bool { _, let := a.(scop.Let); return let })
}

// registers declares the registers that c sets, ahead of the block of its locals.
func (k *printer) registers(c gpu.Compute) {
	for i, r := range c.Refs {
		if r.Reg != "" && c.Stmt.Accesses[i].Write {
			k.Line("%s %s;", r.Array.Elem.InMemory(), r.Reg)
		}
	}
}

// compute prints the body of a statement; registers that it sets are declared
// with the qualifier, or before where that is "".
func (k *printer) compute(c gpu.Compute, qualifier string) {
	defer k.running(c.Stmt, k.Buf.Len())
	if where := k.remainders(c); where != "" {
		k.condition(where, func() { k.body(c, qualifier) })
		return
	}
	k.body(c, qualifier)
}

// remainders returns the condition under which an instance does anything; "": all do.
func (k *printer) remainders(c gpu.Compute) string {
	iters := make([]affine.Sum, len(c.Iters))
	for i, e := range c.Iters {
		iters[i] = e.(affine.Sum)
	}
	return k.Zero(k.spelled.Scop.Remainders(c.Stmt, iters))
}

// body prints the actions of a statement.
func (k *printer) body(c gpu.Compute, qualifier string) {
	d := k.spelled.Dialect
	v := ctext.Valuer{Indexer: k.Indexer, Rounded: d.Rounded, Halves: true, Function: d.Function, Iters: map[string]affine.Expr{}, Places: k.spelled.Places}
	for i, name := range c.Stmt.Iters {
		v.Iters[name] = c.Iters[i]
	}
	v.Read = func(a *scop.Access) string { return k.access(c, a) }
	actions := c.Stmt.Actions()
	for i, action := range actions {
		switch a := action.(type) {
		case scop.Let:
			k.Line("%s", ctext.Let(a, c.Stmt, a.Type.String(), k.Local[a.Name], v.Assigned(a.Value, true)))
		case scop.Store:
			to := k.at(c, a.To)
			sum := to.Reg != "" || readLater(actions[i+1:], a.To.Array)
			value := v.Assigned(a.Value, sum)
			if to.Reg != "" {
				t := ""
				if qualifier != "" {
					t = fmt.Sprintf("%s%s ", qualifier, a.To.Array.Elem.InMemory())
				}
				k.Line("%s%s = %s;", t, to.Reg, value)
				value = to.Reg
			}
			k.Line("%s = %s;", v.Target(k.ref(to), a.To), value)
		default:
			panic(fmt.Sprintf("kerneltext: compute: unknown action %T", action))
		}
	}
}

// readLater reports whether actions read array: a compiler may then use the
// value that was stored without loading it.
func readLater(actions []scop.Action, array *scop.Array) (found bool) {
	for _, a := range actions {
		scop.Visit(scop.Assigned(a), func(e scop.Expr) {
			r, ok := e.(scop.Read)
			found = found || ok && r.From.Array == array
		})
	}
	return found
}

// access returns the element that access a of c reads, or the register that holds it.
func (k *printer) access(c gpu.Compute, a *scop.Access) string {
	return k.value(k.at(c, a))
}

// value returns the element r, or the register that holds it.
func (k *printer) value(r gpu.Ref) string {
	if r.Reg != "" {
		return r.Reg
	}
	return k.ref(r)
}

// at returns the element that access a of c touches.
func (k *printer) at(c gpu.Compute, a *scop.Access) gpu.Ref {
	i := slices.Index(c.Stmt.Accesses, a)
	if i < 0 {
		panic(fmt.Sprintf("kerneltext: at: %s is not listed in %s", a.Text, c.Stmt.Name))
	}
	return c.Refs[i]
}

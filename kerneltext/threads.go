package kerneltext

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/gpu"
)

// This file prints how the points of a step or a copy are dealt to the threads of a block.

// axes are the names of the thread indices.
var axes = [3]string{"tx", "ty", "tz"}

// threads prints the points that threads share. A thread axis that has no loop
// takes part with its first index only.
func (k *printer) threads(n gpu.Threads) {
	if n.Role != k.role && n.Role != (gpu.Role{}) {
		k.Line("%s", comment(n.Role)[1:])
		k.role = n.Role
	}
	if n.Fetches() {
		k.fetched(n)
	}
	k.blockCyclic(n.Loops, n, k.idle(n), nil)
	for _, l := range n.Loops {
		if !k.isLane(l.Var) {
			delete(k.Alias, l.Var)
		}
	}
}

// fetched declares the registers that n sets, which nodes behind it read, ahead of the condition around it.
func (k *printer) fetched(n gpu.Threads) {
	line := ""
	for _, op := range n.Body {
		from := op.(gpu.Load)
		name := from.Reg + " = 0"
		switch {
		case line == "":
			line = from.From.Array.Elem.InMemory() + " " + name
		case len(line)+len(name) > 90:
			k.Line("%s;", line)
			line = from.From.Array.Elem.InMemory() + " " + name
		default:
			line += ", " + name
		}
	}
	k.Line("%s;", line)
}

// idle returns the conditions that the axes without a loop are at their first index.
func (k *printer) idle(n gpu.Threads) (conds []string) {
	for axis, name := range axes {
		looped := slices.ContainsFunc(n.Loops, func(l gpu.ThreadLoop) bool { return l.Axis == axis })
		if !looped && k.Threads[axis] > 1 {
			k.Uses[name] = true
			conds = append(conds, name+" == 0")
		}
	}
	return conds
}

// blockCyclic prints the loops, outermost first, then guard and body. A loop of which
// each thread runs one value at most is spelled as a condition and a constant;
// conds and decls are those not yet printed.
func (k *printer) blockCyclic(loops []gpu.ThreadLoop, n gpu.Threads, conds, decls []string) {
	if len(loops) > 0 {
		if cond, decl, ok := k.single(loops[0]); ok {
			if cond != "" {
				conds = append(conds, cond)
			}
			if decl != "" && n.Mentions(loops[0].Var) {
				decls = append(decls, decl)
			}
			k.blockCyclic(loops[1:], n, conds, decls)
			return
		}
	}
	if len(loops) == 0 {
		k.tested(n, conds, decls)
		return
	}
	if len(conds)+len(decls) > 0 {
		head := ""
		if len(conds) > 0 {
			head = "if (" + strings.Join(conds, " && ") + ")"
		}
		k.Braces(head, func() {
			k.declare(decls)
			k.inside(func() { k.blockCyclic(loops, n, nil, nil) })
		})
		return
	}
	l := loops[0]
	step, start := "++", k.Expr(l.Lo)
	if threads := k.along(l.Axis); threads > 1 {
		step, start = fmt.Sprintf(" += %d", threads), k.offset(l.Lo, l.Axis)
	}
	if l.Rolled || !constant(l) { // unrolled already, or a partial tile: small code, few registers
		k.Line("#pragma unroll 1")
	}
	head := fmt.Sprintf("for (%v %s = %s; %s <= %s; %s%s)", k.Index, l.Var, start, l.Var, k.Expr(l.Hi), l.Var, step)
	k.Braces(head, func() { k.inside(func() { k.blockCyclic(loops[1:], n, nil, nil) }) })
}

// tested prints the body of n where conds, which are not yet printed, and the guard
// hold: one condition, which may use the variables of decls.
func (k *printer) tested(n gpu.Threads, conds, decls []string) {
	if len(decls) == 0 {
		k.condition(k.joined(n, conds), func() { k.ops(n.Body) })
		return
	}
	if n.Guard == nil && len(conds) > 0 {
		k.condition(strings.Join(conds, " && "), func() {
			k.declare(decls)
			k.ops(n.Body)
		})
		return
	}
	k.Braces("", func() {
		k.declare(decls)
		k.inside(func() { k.condition(k.joined(n, conds), func() { k.ops(n.Body) }) })
	})
}

// joined returns where conds and the guard of n hold. What bounds the thread index from below comes first.
func (k *printer) joined(n gpu.Threads, conds []string) string {
	guard := k.Cond(n.Guard)
	switch {
	case guard == "":
	case len(conds) > 0 && len(n.Guard) > 1:
		conds = append(conds, "("+guard+")")
	case k.ofLanes(n.Guard):
		conds = slices.Concat([]string{guard}, conds)
	default:
		conds = append(conds, guard)
	}
	return strings.Join(conds, " && ")
}

// ofLanes reports whether c is about thread indices alone.
func (k *printer) ofLanes(c astgen.Cond) bool {
	only := true
	for _, rows := range c {
		for _, r := range rows {
			affine.Vars(r, func(name string) { only = only && k.isLane(name) })
		}
	}
	return only
}

// declare prints the declarations of variables of loops of which a thread runs one value.
func (k *printer) declare(decls []string) {
	if len(decls) > 0 {
		k.Line("const %v %s;", k.Index, strings.Join(decls, ", "))
	}
}

// inside prints body, which stands between braces of its own.
func (k *printer) inside(body func()) {
	outer := k.scoped
	k.scoped = true
	body()
	k.scoped = outer
}

// along returns the number of threads along an axis.
func (k *printer) along(axis int) int64 {
	if axis < 0 {
		return 1
	}
	return int64(max(1, k.Threads[axis]))
}

// single returns the condition under which a thread runs a value of l, "" if
// all do, and the declaration of l's variable, "" if that is the thread index
// itself, if no thread runs more than one.
func (k *printer) single(l gpu.ThreadLoop) (cond, decl string, ok bool) {
	lo, isNum := number(l.Lo)
	hi, isNumToo := number(l.Hi)
	n, threads := hi-lo+1, k.along(l.Axis)
	switch {
	case threads == 1 && !isNum && affine.Same(l.Lo, l.Hi):
		return "", fmt.Sprintf("%s = %s", l.Var, k.Expr(l.Lo)), true
	case !isNum || !isNumToo || n < 1 || n > threads:
		return "", "", false
	case n == 1 && threads == 1:
		return "", fmt.Sprintf("%s = %d", l.Var, lo), true
	case n == 1:
		name := axes[l.Axis]
		k.Uses[name] = true
		return name + " == 0", fmt.Sprintf("%s = %d", l.Var, lo), true
	case n < threads:
		name := axes[l.Axis]
		k.Uses[name] = true
		cond = fmt.Sprintf("%s < %d", name, n)
	}
	if lo == 0 {
		k.Alias[l.Var] = axes[l.Axis]
		return cond, "", true
	}
	return cond, l.Var + " = " + k.offset(l.Lo, l.Axis), true
}

// constant reports whether l runs the same values in every tile.
func constant(l gpu.ThreadLoop) bool {
	_, lo := number(l.Lo)
	_, hi := number(l.Hi)
	return lo && hi
}

// number returns the value of e if it is a constant.
func number(e affine.Expr) (int64, bool) {
	s, ok := e.(affine.Sum)
	return s.Const, ok && len(s.Terms) == 0
}

// condition prints body, in an if unless cond is "".
func (k *printer) condition(cond string, body func()) {
	if cond == "" {
		body()
		return
	}
	k.Braces("if ("+cond+")", func() { k.inside(body) })
}

// offset returns lo plus the thread index.
func (k *printer) offset(lo affine.Expr, axis int) string {
	index := axes[axis]
	k.Uses[index] = true
	switch c, ok := number(lo); {
	case ok && c == 0:
		return index
	case ok && c < 0:
		return fmt.Sprintf("%s - %s", index, strings.TrimPrefix(ctext.Integer(c), "-"))
	}
	return fmt.Sprintf("%s + %s", k.Expr(lo), index)
}

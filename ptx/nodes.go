package ptx

import (
	"fmt"
	"maps"
	"slices"

	"github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/metadata"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/gpu"
)

// This file lowers the statements of a kernel.

func (f *function) nodes(nodes []gpu.Node) {
	for _, n := range nodes {
		f.node(n)
	}
}

func (f *function) node(n gpu.Node) {
	switch n := n.(type) {
	case gpu.For:
		f.loop(n.Var, f.expr(n.Lo), f.expr(n.Hi), 1, false, func() { f.nodes(n.Body) })
	case gpu.Test:
		f.tests[n.Var] = f.given(n.Given, n.Cond, n.Tested)
	case gpu.If:
		var otherwise func()
		if len(n.Else) > 0 {
			otherwise = func() { f.nodes(n.Else) }
		}
		f.branch(f.given(n.Given, n.Cond, n.Tested), func() {
			if n.Role.Kind == gpu.FullTile {
				f.straight(n)
			} else {
				f.nodes(n.Then)
			}
		}, otherwise)
	case gpu.Barrier:
		f.barrier()
		f.anew()
	case gpu.Arrive:
		f.call("cp.async.wait_all;", "", types.Void)
	case gpu.Await:
		f.await(f.placeOf(n.Var, n.Lag))
		f.anew()
	case gpu.Signal:
		f.signal(f.placeOf(n.Var, 0))
	case gpu.Threads:
		f.dealt(n, n.Loops, f.idle(n))
	default:
		panic(fmt.Sprintf("ptx: unknown node %T", n))
	}
}

func (f *function) barrier() { f.block.NewCall(f.intrinsic("llvm.nvvm.barrier0", types.Void)) }

// given returns whether a condition and an earlier test, unless that is "", hold, and the strides have at most 32 bits.
func (f *function) given(test string, c astgen.Cond, strides []gpu.Stride) value.Value {
	cond := f.cond(c)
	if fits := f.fitting(strides); fits != nil {
		cond = f.block.NewAnd(fits, cond)
	}
	if test != "" {
		cond = f.block.NewAnd(f.tests[test], cond)
	}
	return cond
}

// scope runs body; registers that it sets, and what addresses are made of there, are unknown behind it.
func (f *function) scope(body func()) {
	regs, tile := maps.Clone(f.regs), f.tile.clone()
	body()
	f.regs, f.tile = regs, tile
}

// bound runs body with a variable bound.
func (f *function) bound(name string, v value.Value, body func()) {
	if _, twice := f.vars[name]; twice {
		panic(fmt.Sprintf("ptx: variable %s is bound twice in %s", name, f.name))
	}
	f.vars[name] = v
	body()
	delete(f.vars, name)
}

// loop runs body for lo, lo+step, .. up to hi. Unless unroll is set LLVM leaves
// its body once: a tile that is not full is to be small code, and what is unrolled is so already.
func (f *function) loop(name string, lo, hi value.Value, step int64, unroll bool, body func()) {
	before, head, inside, behind := f.block, f.newBlock("head"), f.newBlock("loop"), f.newBlock("end")
	before.NewBr(head)
	v := head.NewPhi(ir.NewIncoming(lo, before))
	head.NewCondBr(head.NewICmp(enum.IPredSLE, v, hi), inside, behind)
	f.block = inside
	f.scope(func() { f.bound(name, v, body) })
	next := f.add(v, f.num(step))
	v.Incs = append(v.Incs, ir.NewIncoming(next, f.block))
	back := f.block.NewBr(head)
	if !unroll {
		back.Metadata = append(back.Metadata, &metadata.Attachment{Name: "llvm.loop", Node: f.notUnrolled()})
	}
	f.block = behind
}

// notUnrolled returns the mark of a loop of its own that is not to be unrolled.
func (f *function) notUnrolled() metadata.MDNode {
	mark := f.tuple()
	mark.Distinct = true
	mark.Fields = []metadata.Field{mark, f.tuple(&metadata.String{Value: "llvm.loop.unroll.disable"})}
	return mark
}

// branch runs then where cond holds, and otherwise, which may be nil, where not.
func (f *function) branch(cond value.Value, then, otherwise func()) {
	from, yes, end := f.block, f.newBlock("then"), f.newBlock("fi")
	no := end
	if otherwise != nil {
		no = f.newBlock("else")
	}
	from.NewCondBr(cond, yes, no)
	f.block = yes
	f.scope(then)
	f.block.NewBr(end)
	if otherwise != nil {
		f.block = no
		f.scope(otherwise)
		f.block.NewBr(end)
	}
	f.block = end
}

// idle returns the conditions that the axes without a loop are at their first index.
func (f *function) idle(n gpu.Threads) (conds []value.Value) {
	for axis := range 3 {
		looped := slices.ContainsFunc(n.Loops, func(l gpu.ThreadLoop) bool { return l.Axis == axis })
		if !looped && f.along(axis) > 1 {
			conds = append(conds, f.isFirst(axis))
		}
	}
	return conds
}

func (f *function) isFirst(axis int) value.Value {
	return f.block.NewICmp(enum.IPredEQ, f.thread(axis), f.num(0))
}

// dealt lowers the loops, outermost first, then guard and body. conds are
// conditions not yet tested. A loop of which each thread runs one value at most
// is a condition.
func (f *function) dealt(n gpu.Threads, loops []gpu.ThreadLoop, conds []value.Value) {
	if len(loops) == 0 {
		if n.Guard != nil {
			conds = append(conds, f.cond(n.Guard))
		}
		if n.Fetches() && len(conds) > 0 {
			f.fetch(n, conds)
			return
		}
		f.under(conds, func() { f.ops(n.Body) })
		return
	}
	l, rest := loops[0], loops[1:]
	if cond, at, ok := f.single(l); ok {
		if cond != nil {
			conds = append(conds, cond)
		}
		f.lanes[l.Var] = at
		f.bound(l.Var, f.laneValue(at), func() { f.dealt(n, rest, conds) })
		delete(f.lanes, l.Var)
		return
	}
	f.under(conds, func() {
		lo := f.expr(l.Lo)
		if f.along(l.Axis) > 1 {
			lo = f.add(lo, f.thread(l.Axis))
		}
		_, fixed := number(l.Lo)
		_, fixedToo := number(l.Hi)
		f.loop(l.Var, lo, f.expr(l.Hi), f.along(l.Axis), fixed && fixedToo && !l.Rolled, func() { f.dealt(n, rest, nil) })
	})
}

// under runs body where all conditions hold.
func (f *function) under(conds []value.Value, body func()) {
	if len(conds) == 0 {
		body()
		return
	}
	all := conds[0]
	for _, c := range conds[1:] {
		all = f.block.NewAnd(all, c)
	}
	f.branch(all, body, nil)
}

// fetch loads the registers of n where all conditions hold. They are known behind it: to the same threads.
func (f *function) fetch(n gpu.Threads, conds []value.Value) {
	from := f.block
	var inside *ir.Block
	loaded := map[string]value.Value{}
	f.under(conds, func() {
		f.ops(n.Body)
		for _, op := range n.Body {
			reg := op.(gpu.Load).Reg
			loaded[reg] = f.regs[reg]
		}
		inside = f.block
	})
	for _, op := range n.Body {
		reg := op.(gpu.Load).Reg
		v := loaded[reg]
		f.set(reg, f.block.NewPhi(ir.NewIncoming(v, inside), ir.NewIncoming(constant.NewUndef(v.Type()), from)))
	}
}

// A lane is the index of the thread along an axis, plus a number; for axis -1 the number.
type lane struct {
	axis int
	plus int64
}

func (f *function) laneValue(l lane) value.Value {
	if l.axis < 0 {
		return f.num(l.plus)
	}
	v := f.thread(l.axis)
	if l.plus != 0 {
		v = f.add(v, f.num(l.plus))
	}
	return v
}

// single returns the condition under which a thread runs a value of l, nil if
// all do, and the value, if no thread runs more than one.
func (f *function) single(l gpu.ThreadLoop) (cond value.Value, at lane, ok bool) {
	lo, isNum := number(l.Lo)
	hi, isNumToo := number(l.Hi)
	n, threads := hi-lo+1, f.along(l.Axis)
	switch {
	case !isNum || !isNumToo || n < 1 || n > threads:
		return nil, lane{}, false
	case n == 1 && threads == 1:
		return nil, lane{-1, lo}, true
	case n == 1:
		return f.isFirst(l.Axis), lane{-1, lo}, true
	case n < threads:
		cond = f.block.NewICmp(enum.IPredSLT, f.thread(l.Axis), f.num(n))
	}
	return cond, lane{l.Axis, lo}, true
}

// number returns the value of e if it is a constant.
func number(e affine.Expr) (int64, bool) {
	s, ok := e.(affine.Sum)
	return s.Const, ok && len(s.Terms) == 0
}

package ptx

import (
	"fmt"

	"github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/metadata"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/scop"
)

// This file lowers what one thread does at one point.

func (f *function) ops(ops []gpu.Op) {
	for _, op := range ops {
		if f.tile != nil && f.tile.addressed >= gpu.AddressesAtOnce {
			f.anew()
		}
		switch op := op.(type) {
		case gpu.Copy:
			if op.Async {
				size := op.To.Array.Elem.Size()
				to := f.block.NewPtrToInt(f.place(op.To), types.I32)
				f.call(fmt.Sprintf("cp.async.ca.shared.global [$0], [$1], %d;", size), "r,l", types.Void, to, f.place(op.From))
				continue
			}
			f.store(op.To, f.value(op.From))
		case gpu.Load:
			f.set(op.Reg, f.load(op.From))
		case gpu.Compute:
			f.compute(op)
		default:
			panic(fmt.Sprintf("ptx: unknown op %T", op))
		}
	}
}

// set puts v into a register of the thread.
func (f *function) set(reg string, v value.Value) {
	if f.regs[reg] != nil {
		panic(fmt.Sprintf("ptx: register %s is set twice in %s", reg, f.name))
	}
	f.regs[reg] = v
}

// value returns the element r, from its register if it has one.
func (f *function) value(r gpu.Ref) value.Value {
	if r.Reg == "" {
		return f.load(r)
	}
	v := f.regs[r.Reg]
	if v == nil {
		panic(fmt.Sprintf("ptx: register %s is read in %s and not set", r.Reg, f.name))
	}
	return v
}

func (f *function) load(r gpu.Ref) value.Value {
	load := f.block.NewLoad(f.cell(r.Array), f.place(r))
	load.Align = ir.Align(r.Array.Elem.Size())
	if r.Buffer == nil && !f.written[r.Array] {
		load.Metadata = append(load.Metadata, &metadata.Attachment{Name: "invariant.load", Node: f.invariant()})
	}
	if r.Array.Elem == scop.Bool {
		return f.block.NewICmp(enum.IPredNE, load, constant.NewInt(types.I8, 0))
	}
	return load
}

func (f *function) store(r gpu.Ref, v value.Value) {
	if r.Array.Elem == scop.Bool {
		v = f.block.NewZExt(v, types.I8)
	}
	store := f.block.NewStore(v, f.place(r))
	store.Align = ir.Align(r.Array.Elem.Size())
}

// place returns a pointer to the element r.
func (f *function) place(r gpu.Ref) value.Value {
	if r.Buffer == nil {
		return f.globalPlace(r)
	}
	if p := f.sharedPlace(r); p != nil {
		return p
	}
	index := []value.Value{constant.NewInt(types.I32, 0)}
	for _, e := range r.Index {
		index = append(index, f.expr(e))
	}
	return f.gep(arrayType(f.cell(r.Array), r.Buffer.Shape), f.buffer(r.Buffer), index...)
}

func (f *function) gep(t types.Type, base value.Value, index ...value.Value) value.Value {
	p := f.block.NewGetElementPtr(t, base, index...)
	p.InBounds = true
	return p
}

// compute lowers the body of a statement at an instance.
func (f *function) compute(c gpu.Compute) {
	b := &body{function: f, Compute: c, iters: map[string]affine.Expr{}, locals: map[string]value.Value{}}
	for i, name := range c.Stmt.Iters {
		b.iters[name] = c.Iters[i]
	}
	iters := make([]affine.Sum, len(c.Iters))
	for i, e := range c.Iters {
		iters[i] = e.(affine.Sum)
	}
	var conds []value.Value
	for _, e := range f.prog.Scop.Remainders(c.Stmt, iters) {
		conds = append(conds, f.block.NewICmp(enum.IPredEQ, f.expr(e), f.num(0)))
	}
	f.under(conds, b.actions)
}

// actions lowers the actions of a statement.
func (b *body) actions() {
	f := b.function
	for _, action := range b.Stmt.Actions() {
		switch a := action.(type) {
		case scop.Let:
			b.locals[a.Name] = b.expr(a.Value)
		case scop.Store:
			to, v := b.at(a.To), b.expr(a.Value)
			if to.Reg != "" {
				f.set(to.Reg, v)
			}
			f.store(to, v)
		default:
			panic(fmt.Sprintf("ptx: unknown action %T", action))
		}
	}
}

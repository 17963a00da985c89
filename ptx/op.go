package ptx

import (
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/scop"
)

// This file lowers what one thread does at one point.

func (f *function) ops(ops []gpu.Op) {
	for _, op := range ops {
		switch op := op.(type) {
		case gpu.Copy:
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

// globalPlace returns a pointer to an element of an array in global memory: the
// first one and the number of the element, computed in 64 bits unless the array
// is known to have fewer than 2^31 elements.
func (f *function) globalPlace(r gpu.Ref) value.Value {
	wide := f.wide
	if small(r.Array) {
		wide = func(v value.Value) value.Value { return v }
	}
	var at value.Value = f.num(0)
	for i, e := range r.Index {
		x := wide(f.expr(e))
		if i == 0 {
			at = x
			continue
		}
		at = f.add(f.mul(at, wide(f.affine(r.Array.Extents[i]))), x)
	}
	array := slices.Index(f.prog.Scop.Arrays, r.Array)
	return f.gep(f.cell(r.Array), f.param(Arg{ArrayArg, array, r.Array.Elem}), at)
}

// affine returns a, which is over parameters only.
func (f *function) affine(a scop.Affine) value.Value {
	s := astgen.Num(a.Const)
	for i, c := range a.Params {
		s = s.Plus(astgen.Var(f.prog.Scop.Params[i].Name).Times(c))
	}
	return f.sum(s)
}

// small reports whether a has fewer than 2^31 elements whatever the parameters.
func small(a *scop.Array) bool {
	total := uint64(1)
	for _, e := range a.Extents {
		if slices.ContainsFunc(e.Params, func(c int64) bool { return c != 0 }) {
			return false
		}
		hi, lo := bits.Mul64(total, uint64(max(e.Const, 0)))
		if hi != 0 || lo > math.MaxInt32 {
			return false
		}
		total = lo
	}
	return true
}

// compute lowers the body of a statement at an instance.
func (f *function) compute(c gpu.Compute) {
	b := &body{function: f, Compute: c, iters: map[string]astgen.Expr{}, locals: map[string]value.Value{}}
	for i, name := range c.Stmt.Iters {
		b.iters[name] = c.Iters[i]
	}
	for _, action := range c.Stmt.Body {
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

package asm

import (
	"fmt"
	"slices"
)

// This file runs calls of functions. What is passed lies in slots of the caller
// and of the callee, one for each parameter and number of bytes from its beginning.

// passed is what such slots are called.
func passed(param string, at int64) string { return fmt.Sprintf("param %s+%d", param, at) }

// hasParam reports whether the kernel has a parameter of that name.
func (c *compiler) hasParam(name string) bool {
	return slices.ContainsFunc(c.kernel.Params, func(p Param) bool { return p.Name == name })
}

// moveParam runs ld.param or st.param of what a call passes or returns.
func (c *compiler) moveParam(registers, at Operand, typ typ, vector int, load bool) func(t *thread) {
	if at.Kind != Address || at.Elems[0].Kind != Symbol {
		c.fail("%v is no parameter", at)
		return nil
	}
	regs, slots := c.slots(registers, vector), make([]int, vector)
	for i := range slots {
		offset := at.Offset + int64(i*typ.bits/8)
		slots[i] = c.named(passed(at.Elems[0].Name, offset), 0)
		c.note(at.Elems[0].Name, offset)
	}
	if !load {
		regs, slots = slots, regs
	}
	mask := typ.mask()
	return func(t *thread) {
		for i, r := range regs {
			t.regs[r] = t.regs[slots[i]] & mask
		}
	}
}

// note keeps that something lies so far from the beginning of a parameter.
func (c *compiler) note(param string, at int64) {
	if c.code.passed == nil {
		c.code.passed = map[string][]int64{}
	}
	if !slices.Contains(c.code.passed[param], at) {
		c.code.passed[param] = append(c.code.passed[param], at)
	}
}

// call runs a call: the function begins with registers of its own.
func (c *compiler) call() func(t *thread) {
	results, name, args := c.inst.Args[0].Elems, c.inst.Args[1].Name, c.inst.Args[2].Elems
	i := slices.IndexFunc(c.module.Funcs, func(f *Kernel) bool { return f.Name == name })
	if i < 0 {
		c.fail("function %s does not exist", name)
		return nil
	}
	f := c.module.Funcs[i]
	if slices.Contains(c.chain, f) {
		c.fail("%s calls itself", name)
		return nil
	}
	code, err := c.module.compile(f, c.chain)
	if err != nil {
		c.fail("%w", err)
		return nil
	}
	if len(args) != len(f.Params) || len(results) != len(f.Results) {
		c.fail("%s takes %d arguments and returns %d", name, len(f.Params), len(f.Results))
		return nil
	}
	type pair struct{ ours, theirs int }
	var in, out []pair
	pairs := func(passing []Operand, params []Param) (all []pair) {
		for i, p := range params {
			for _, at := range code.passed[p.Name] {
				all = append(all, pair{c.named(passed(passing[i].Name, at), 0), code.slots[passed(p.Name, at)]})
			}
		}
		return all
	}
	in, out = pairs(args, f.Params), pairs(results, f.Results)
	return func(t *thread) {
		u := &thread{block: t.block, id: t.id, lane: t.lane, regs: slices.Clone(code.constants), local: make([]byte, code.local)}
		for slot, value := range code.special {
			u.regs[slot] = value(u)
		}
		for _, p := range in {
			u.regs[p.theirs] = t.regs[p.ours]
		}
		code.runCalled(u)
		for _, p := range out {
			t.regs[p.ours] = u.regs[p.theirs]
		}
	}
}

// runCalled runs a function to its end.
func (c *Code) runCalled(t *thread) {
	for range maxSteps {
		at := t.pc
		t.pc++
		if at >= len(c.steps) {
			panic(fault("a function without a ret: " + c.kernel.Name))
		}
		c.steps[at](t)
		switch t.state {
		case running:
		case done:
			return
		case waiting:
			panic(fault("a barrier in a function: " + c.kernel.Name))
		default:
			panic(fault("a function waits: " + c.kernel.Name))
		}
	}
	panic(fault("a loop without end in " + c.kernel.Name))
}

// localBytes returns n bytes of local memory.
func (t *thread) localBytes(address, n uint64) []byte {
	at := uint64(uint32(address))
	if at+n > uint64(len(t.local)) || at%n != 0 {
		panic(fault(fmt.Sprintf("%d bytes at local address %d, of %d", n, int32(at), len(t.local))))
	}
	return t.local[at : at+n]
}

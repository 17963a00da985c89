package asm

import (
	"fmt"
	"slices"
)

// This file turns a kernel into closures. Every operand becomes a slot of a
// thread's registers, numbers and addresses too, so that a closure only reads
// slots. A slot holds the bits of its value, zero above them.

// Compile returns kernel k of m, ready to run. The error says what cannot be run.
func (m *Module) Compile(k *Kernel) (*Code, error) { return m.compile(k, nil) }

// compile compiles k, a kernel or a function that the functions of the chain call.
func (m *Module) compile(k *Kernel, chain []*Kernel) (*Code, error) {
	c := &compiler{module: m, chain: append(slices.Clone(chain), k), kernel: k, code: &Code{
		kernel: k, slots: map[string]int{}, special: map[int]func(*thread) uint64{}, places: map[string]uint64{}, memory: &Memory{},
	}}
	if err := c.variables(m); err != nil {
		return nil, fmt.Errorf("%s: %w", k.Name, err)
	}
	for i, in := range k.Insts {
		step, err := c.step(in)
		if err != nil {
			return nil, fmt.Errorf("%s, line %d, %v: %w", k.Name, k.Insts[i].Line, in, err)
		}
		c.code.steps = append(c.code.steps, step)
	}
	return c.code, nil
}

type compiler struct {
	module *Module
	chain  []*Kernel // kernel, and what calls it, the outermost first
	kernel *Kernel
	code   *Code
	inst   Inst
	err    error
}

// fail keeps the first error of an instruction.
func (c *compiler) fail(format string, args ...any) {
	if c.err == nil {
		c.err = fmt.Errorf(format, args...)
	}
}

// variables places those of the module and of the kernel: shared ones that are
// used, in a block's shared memory, what the launch gives behind them; local ones in
// the thread's; others in a memory of the module.
func (c *compiler) variables(m *Module) error {
	used := map[string]bool{}
	for _, in := range c.kernel.Insts {
		for _, o := range in.Args {
			if len(o.Elems) > 0 {
				o = o.Elems[0]
			}
			used[o.Name] = true
		}
	}
	var dynamic []*Var
	for _, v := range slices.Concat(m.Vars, c.kernel.Vars) {
		switch {
		case !used[v.Name]:
		case v.Space == "shared" && v.Extern:
			dynamic = append(dynamic, v)
		case v.Space == "shared":
			c.code.shared = (c.code.shared + v.Align - 1) / v.Align * v.Align
			c.code.places[v.Name] = uint64(c.code.shared)
			c.code.shared += v.Bytes
		case v.Space == "local":
			c.code.local = (c.code.local + v.Align - 1) / v.Align * v.Align
			c.code.places[v.Name] = uint64(c.code.local)
			c.code.local += v.Bytes
		case v.Space == "global" || v.Space == "const":
			bytes := make([]byte, v.Bytes)
			copy(bytes, v.Init)
			c.code.places[v.Name] = c.code.memory.Alloc(bytes) | ofModule
		default:
			return fmt.Errorf("variable %s in %s memory is not run", v.Name, v.Space)
		}
	}
	c.code.dynamic = c.code.shared
	for _, v := range dynamic {
		c.code.dynamic = (c.code.dynamic + v.Align - 1) / v.Align * v.Align
	}
	for _, v := range dynamic {
		c.code.places[v.Name] = uint64(c.code.dynamic)
	}
	return nil
}

// slot returns a new slot that begins with the value.
func (c *compiler) slot(value uint64) int {
	c.code.constants = append(c.code.constants, value)
	return len(c.code.constants) - 1
}

// named returns the slot of that name.
func (c *compiler) named(name string, value uint64) int {
	s, ok := c.code.slots[name]
	if !ok {
		s = c.slot(value)
		c.code.slots[name] = s
	}
	return s
}

// in returns the slot of operand i, which is read.
func (c *compiler) in(i int) int {
	if i >= len(c.inst.Args) {
		c.fail("operand %d is missing", i+1)
		return 0
	}
	return c.operand(c.inst.Args[i])
}

func (c *compiler) operand(o Operand) int {
	switch o.Kind {
	case Reg:
		if o.Not {
			c.fail("an operand with !")
		}
		return c.named(o.Name, 0)
	case Int, F32, F64:
		return c.named(fmt.Sprintf("#%d", o.Bits), o.Bits)
	case Symbol:
		at, ok := c.code.places[o.Name]
		if !ok {
			c.fail("%s is not a variable", o.Name)
		}
		return c.named(o.String(), at+uint64(o.Offset))
	case Special:
		if o.Name == clockName {
			c.fail("only mov reads a clock")
		}
		s := c.named(o.Name, 0)
		c.code.special[s] = specials[o.Name]
		return s
	}
	c.fail("operand %v has no value", o)
	return 0
}

// number returns the slot of operand i as a value of type t: 1 for a float is 1.0,
// and -1 has the bits of the type.
func (c *compiler) number(i int, t typ) int {
	if i < len(c.inst.Args) {
		if o := c.inst.Args[i]; o.Kind == Int && t.bits < 64 {
			return c.named(fmt.Sprintf("#%d", o.Bits&t.mask()), o.Bits&t.mask())
		}
	}
	return c.in(i)
}

// out returns the slot of operand 0, a register that is set.
func (c *compiler) out() int {
	if len(c.inst.Args) == 0 || c.inst.Args[0].Kind != Reg {
		c.fail("the first operand is not a register")
		return 0
	}
	return c.named(c.inst.Args[0].Name, 0)
}

// step returns what runs in, under its guard.
func (c *compiler) step(in Inst) (func(t *thread), error) {
	c.inst, c.err = in, nil
	run := c.plain()
	if c.err != nil {
		return nil, c.err
	}
	if in.Guard.Kind == None {
		return run, nil
	}
	guard, want := c.named(in.Guard.Name, 0), uint64(1)
	if in.Guard.Not {
		want = 0
	}
	return func(t *thread) {
		if t.regs[guard] == want {
			run(t)
		}
	}, c.err
}

// plain returns what runs the instruction without its guard.
func (c *compiler) plain() func(t *thread) {
	switch c.inst.Op {
	case "bra":
		return c.branch()
	case "ret", "exit":
		return func(t *thread) { t.state = done }
	case "bar", "barrier":
		if c.inst.Has("warp") {
			return c.warpBarrier()
		}
		return c.barrier()
	case "shfl":
		return c.shuffle()
	case "cp":
		return c.copyAsync()
	case "ld":
		return c.load()
	case "st":
		return c.store()
	case "atom":
		return c.atomic()
	case "nanosleep":
		d := c.number(0, typ{kind: 'u', bits: 32})
		return func(t *thread) { t.sleep(t.regs[d] & (1<<32 - 1)) }
	case "trap":
		return func(*thread) { panic(fault("the kernel says that this is an error")) }
	case "mov":
		return c.move()
	case "cvt":
		return c.convert()
	case "cvta":
		if !(c.inst.Has("to") && c.inst.Has("global")) && !c.inst.Has("local") && !c.inst.Has("shared") {
			c.fail("only cvta.to.global and cvta of local and shared addresses are run")
		}
		return copySlot(c.out(), c.in(1))
	case "setp":
		return c.setPredicate()
	case "selp":
		return c.choose()
	case "call":
		return c.call()
	}
	return c.arithmetic()
}

func copySlot(d, a int) func(t *thread) { return func(t *thread) { t.regs[d] = t.regs[a] } }

func (c *compiler) branch() func(t *thread) {
	if len(c.inst.Args) != 1 || c.inst.Args[0].Kind != Symbol {
		c.fail("a branch to %v", c.inst.Args)
		return nil
	}
	target, ok := c.kernel.Labels[c.inst.Args[0].Name]
	if !ok {
		c.fail("label %s does not exist", c.inst.Args[0].Name)
	}
	return func(t *thread) { t.pc = target }
}

func (c *compiler) barrier() func(t *thread) {
	if !c.inst.Has("sync") || len(c.inst.Args) != 1 || c.inst.Args[0].Kind != Int || c.inst.Args[0].Bits != 0 {
		c.fail("only a barrier 0 of all threads is run")
	}
	return func(t *thread) { t.state = waiting }
}

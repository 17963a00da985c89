package asm

import (
	"encoding/binary"
	"slices"
)

// This file runs loads and stores.

// place returns how the bytes of an address are found: those of space at
// register base + offset; of global memory as the block sees it, or, of an access that is strong, as it is.
func (c *compiler) place(space string, o Operand, strong bool) func(t *thread, n uint64) []byte {
	if o.Kind != Address {
		c.fail("%v is not an address", o)
		return nil
	}
	base, offset := c.operand(o.Elems[0]), uint64(o.Offset)
	switch space {
	case "global", "const":
		own := c.code.memory
		return func(t *thread, n uint64) []byte {
			at := t.regs[base] + offset
			if at >= ofModule {
				return own.bytes(at-ofModule, n)
			}
			if strong {
				return t.launch.Memory.bytes(at, n)
			}
			return t.memory.bytes(at, n)
		}
	case "local":
		return func(t *thread, n uint64) []byte { return t.localBytes(t.regs[base]+offset, n) }
	case "shared":
		return func(t *thread, n uint64) []byte { return t.sharedBytes(t.regs[base]+offset, n) }
	}
	c.fail("%q memory is not run", space)
	return nil
}

// access returns the space, the elements and the type of a load or store.
func (c *compiler) access() (space string, vector int, t typ) {
	vector = 1
	for _, m := range c.inst.Mods[:max(0, len(c.inst.Mods)-1)] {
		switch m {
		case "global", "shared", "param", "const", "local":
			space = m
		case "v2":
			vector = 2
		case "v4":
			vector = 4
		case "acquire":
			if c.inst.Op != "ld" {
				c.fail("only a load acquires")
			}
		case "release":
			if c.inst.Op != "st" {
				c.fail("only a store releases")
			}
		case "nc", "volatile", "relaxed", "weak", "cta", "gpu", "ca", "cg", "cs", "lu", "cv", "wb", "wt":
		default:
			c.fail("%s is not run", m)
		}
	}
	if space == "" && c.strong() { // what threads of several blocks talk by is global
		space = "global"
	}
	return space, vector, c.typ()
}

func (c *compiler) load() func(t *thread) {
	space, vector, typ := c.access()
	if space == "param" {
		return c.loadParam(typ, vector)
	}
	if len(c.inst.Args) != 2 {
		c.fail("a load with %d operands", len(c.inst.Args))
		return nil
	}
	acquires := c.inst.Has("acquire")
	at := c.place(space, c.inst.Args[1], c.strong())
	to := c.slots(c.inst.Args[0], vector)
	n := uint64(typ.bits / 8)
	extend := typ.kind == 's'
	if c.inst.Has("nc") {
		if space != "global" {
			c.fail("a load of %s memory with .nc", space)
			return nil
		}
		base, offset, weak := c.operand(c.inst.Args[1].Elems[0]), uint64(c.inst.Args[1].Offset), at
		at = func(t *thread, n uint64) []byte {
			t.onlyRead(t.regs[base] + offset)
			return weak(t, n)
		}
	}
	if acquires {
		return func(t *thread) {
			t.regs[to[0]] = get(at(t, n), n, extend)
			if t.view != nil {
				t.view.look()
			}
		}
	}
	return func(t *thread) {
		bytes := at(t, n*uint64(len(to)))
		for i, d := range to {
			t.regs[d] = get(bytes[uint64(i)*n:], n, extend)
		}
	}
}

// slots returns the registers of a load or store of so many elements.
func (c *compiler) slots(o Operand, vector int) []int {
	if vector == 1 && o.Kind != Vector {
		return []int{c.operand(o)}
	}
	if o.Kind != Vector || len(o.Elems) != vector {
		c.fail("%v has not %d elements", o, vector)
	}
	var all []int
	for _, e := range o.Elems {
		all = append(all, c.operand(e))
	}
	return all
}

// get returns a number of n bytes; a signed one fills a register of 32 bits at least.
func get(bytes []byte, n uint64, signed bool) uint64 {
	switch n {
	case 4:
		return uint64(binary.LittleEndian.Uint32(bytes))
	case 8:
		return binary.LittleEndian.Uint64(bytes)
	case 1:
		if signed {
			return uint64(uint32(int8(bytes[0])))
		}
		return uint64(bytes[0])
	}
	if signed {
		return uint64(uint32(int16(binary.LittleEndian.Uint16(bytes))))
	}
	return uint64(binary.LittleEndian.Uint16(bytes))
}

func (c *compiler) loadParam(typ typ, vector int) func(t *thread) {
	if a := c.inst.Args; len(a) == 2 && a[1].Kind == Address && (len(c.chain) > 1 || !c.hasParam(a[1].Elems[0].Name)) {
		return c.moveParam(a[0], a[1], typ, vector, true)
	}
	i := slices.IndexFunc(c.kernel.Params, func(p Param) bool {
		a := c.inst.Args
		return len(a) == 2 && a[1].Kind == Address && wordOf(a[1].Elems[0].Name, a[1].Offset) == p.Name
	})
	if i < 0 || !reads(typ, c.kernel.Params[i].Type) {
		c.fail("this parameter does not exist with this type")
		return nil
	}
	d, mask := c.out(), typ.mask()
	return func(t *thread) { t.regs[d] = t.launch.Args[i] & mask }
}

// reads reports whether a load of type t may be of a parameter of that type: the same size, or the lower half of an integer.
func reads(t typ, param string) bool {
	bits := 8 * size(param)
	return bits == int64(t.bits) || param[0] != 'f' && t.kind != 'f' && bits == 64 && t.bits == 32
}

func (c *compiler) store() func(t *thread) {
	space, vector, typ := c.access()
	if len(c.inst.Args) != 2 {
		c.fail("a store with %d operands", len(c.inst.Args))
		return nil
	}
	if space == "param" {
		return c.moveParam(c.inst.Args[1], c.inst.Args[0], typ, vector, false)
	}
	strong, releases := c.strong(), c.inst.Has("release")
	at := c.place(space, c.inst.Args[0], strong)
	from := c.slots(c.inst.Args[1], vector)
	n := uint64(typ.bits / 8)
	write := func(t *thread) {
		bytes := at(t, n*uint64(len(from)))
		for i, a := range from {
			put(bytes[uint64(i)*n:], n, t.regs[a])
		}
	}
	switch {
	case space != "global":
		return write
	case strong:
		return func(t *thread) {
			if releases && t.view != nil {
				t.view.show()
			}
			write(t)
			t.yield()
		}
	}
	base, offset := c.operand(c.inst.Args[0].Elems[0]), uint64(c.inst.Args[0].Offset)
	return func(t *thread) {
		write(t)
		if address := t.regs[base] + offset; address < ofModule {
			t.wrote(address)
			if t.view != nil {
				t.view.wrote(address, n*uint64(len(from)))
			}
		}
	}
}

// strong reports whether the access is one by which threads of several blocks may talk to each other.
func (c *compiler) strong() bool {
	return slices.ContainsFunc([]string{"acquire", "release", "relaxed", "volatile"}, c.inst.Has)
}

// atomic runs atom of global memory: an addition.
func (c *compiler) atomic() func(t *thread) {
	typ := c.typ()
	known := slices.DeleteFunc(slices.Clone(c.inst.Mods), func(m string) bool { return m == "relaxed" || m == "gpu" })
	if len(known) != 3 || known[0] != "global" || known[1] != "add" || typ.kind == 'f' || len(c.inst.Args) != 3 {
		c.fail("only an atomic addition of integers in global memory is run")
		return nil
	}
	at, d, by, n, mask := c.place("global", c.inst.Args[1], true), c.out(), c.number(2, typ), uint64(typ.bits/8), typ.mask()
	return func(t *thread) {
		bytes := at(t, n)
		t.regs[d] = get(bytes, n, false)
		put(bytes, n, (t.regs[d]+t.regs[by])&mask)
		t.turns++
		t.latest = t.turns
		t.yield()
	}
}

func put(bytes []byte, n uint64, v uint64) {
	switch n {
	case 4:
		binary.LittleEndian.PutUint32(bytes, uint32(v))
	case 8:
		binary.LittleEndian.PutUint64(bytes, v)
	case 2:
		binary.LittleEndian.PutUint16(bytes, uint16(v))
	default:
		bytes[0] = byte(v)
	}
}

// move runs mov of a register, of an address, and of 64 bits in two registers.
func (c *compiler) move() func(t *thread) {
	if len(c.inst.Args) != 2 {
		c.fail("a mov with %d operands", len(c.inst.Args))
		return nil
	}
	to, from := c.inst.Args[0], c.inst.Args[1]
	if c.inst.Type() == "pred" {
		d := c.out()
		a := c.in(1)
		return func(t *thread) { t.regs[d] = min(t.regs[a], 1) }
	}
	if from.Kind == Special && from.Name == clockName {
		d := c.out()
		return func(t *thread) { t.regs[d] = t.clock }
	}
	typ := c.typ()
	half := typ.bits / 2
	switch {
	case to.Kind == Vector:
		d, a := c.slots(to, 2), c.in(1)
		return func(t *thread) {
			v := t.regs[a]
			t.regs[d[0]], t.regs[d[1]] = v&(1<<half-1), v>>half
		}
	case from.Kind == Vector:
		d, a := c.out(), c.slots(from, 2)
		return func(t *thread) { t.regs[d] = t.regs[a[0]]&(1<<half-1) | t.regs[a[1]]<<half }
	}
	return copySlot(c.out(), c.number(1, typ))
}

package asm

// This file runs the operations of which kernels are mostly made without a call
// for each: they mean what arith.go says.

// fast returns the operation on integers of 32 bits in slots a and b, nil if it is not here.
func (c *compiler) fast(t typ, d, a, b int) func(t *thread) {
	if t.bits != 32 {
		return nil
	}
	switch c.inst.Op {
	case "add":
		return func(t *thread) { t.regs[d] = uint64(uint32(t.regs[a]) + uint32(t.regs[b])) }
	case "sub":
		return func(t *thread) { t.regs[d] = uint64(uint32(t.regs[a]) - uint32(t.regs[b])) }
	case "and":
		return func(t *thread) { t.regs[d] = t.regs[a] & t.regs[b] }
	case "or":
		return func(t *thread) { t.regs[d] = t.regs[a] | t.regs[b] }
	}
	if t.kind != 's' {
		return nil
	}
	switch c.inst.Op {
	case "min":
		return func(t *thread) { t.regs[d] = uint64(uint32(min(int32(t.regs[a]), int32(t.regs[b])))) }
	case "max":
		return func(t *thread) { t.regs[d] = uint64(uint32(max(int32(t.regs[a]), int32(t.regs[b])))) }
	}
	return nil
}

// fastCompare returns a comparison of signed integers of 32 bits, nil if it is not here.
func (c *compiler) fastCompare(t typ, op string, d, a, b int) func(t *thread) {
	if t != (typ{'s', 32}) {
		return nil
	}
	switch op {
	case "lt":
		return func(t *thread) { t.regs[d] = bit(int32(t.regs[a]) < int32(t.regs[b])) }
	case "le":
		return func(t *thread) { t.regs[d] = bit(int32(t.regs[a]) <= int32(t.regs[b])) }
	case "gt":
		return func(t *thread) { t.regs[d] = bit(int32(t.regs[a]) > int32(t.regs[b])) }
	case "ge":
		return func(t *thread) { t.regs[d] = bit(int32(t.regs[a]) >= int32(t.regs[b])) }
	}
	return nil
}

func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

package gpu

import (
	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/machine"
)

// Occupancy returns how many blocks of k run at once on a multiprocessor of d, where a thread takes so many registers.
func (k *Kernel) Occupancy(d machine.Device, registers int) machine.Occupancy {
	return d.Occupancy(k.Threads[0]*k.Threads[1]*k.Threads[2], registers, k.SharedBytes())
}

// ResidentOn returns the blocks of k that run at once on a multiprocessor of d, where a
// compiler takes so many registers of a thread more than nvcc does.
func (k *Kernel) ResidentOn(d machine.Device, more int) int {
	return max(1, k.Occupancy(d, min(k.Registers+more, d.RegistersPerThread)).Blocks)
}

// SharedBytes returns the shared memory that a block of k uses.
func (k *Kernel) SharedBytes() int64 {
	var n int64
	for _, b := range k.Shared {
		n += b.Bytes()
	}
	if p := k.Pipeline(); p != nil {
		n += p.SharedBytes()
	}
	return n
}

// alignment is where a buffer may start: at a multiple of so many bytes.
const alignment = 16

// Bytes returns the size of b, with what it takes to align the next buffer.
func (b *Buffer) Bytes() int64 {
	n := int64(b.Array.Elem.Size())
	for _, x := range b.Shape {
		n *= x
	}
	return Aligned(n)
}

// Aligned returns how many bytes a buffer of so many takes, so that the next one can start behind it.
func Aligned(bytes int64) int64 { return (bytes + alignment - 1) / alignment * alignment }

// Holds reports whether t does under env, in which Given is 0 or not.
func (t Test) Holds(env map[string]int64) bool { return holds(t.Given, t.Cond, env) }

// Holds reports whether n runs Then under env, in which Given is 0 or not.
func (n If) Holds(env map[string]int64) bool { return holds(n.Given, n.Cond, env) }

func holds(given string, c astgen.Cond, env map[string]int64) bool {
	return (given == "" || env[given] != 0) && c.Holds(env)
}

// Set notes in env whether t holds.
func (t Test) Set(env map[string]int64) {
	env[t.Var] = 0
	if t.Holds(env) {
		env[t.Var] = 1
	}
}

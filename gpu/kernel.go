package gpu

import "github.com/hexcc/hexcc/machine"

// ResidentOn returns the blocks of k that run at once on a multiprocessor of d, where a
// compiler takes so many registers of a thread more than nvcc does.
func (k *Kernel) ResidentOn(d machine.Device, more int) int {
	threads := k.Threads[0] * k.Threads[1] * k.Threads[2]
	return max(1, d.Occupancy(threads, min(k.Registers+more, d.RegistersPerThread), k.SharedBytes()).Blocks)
}

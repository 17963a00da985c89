package model

import (
	"fmt"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/gpu/lower"
	"github.com/hexcc/hexcc/machine"
	"github.com/hexcc/hexcc/schedule"
)

// Asked is what a user asks of kernels, which the choice of tile sizes keeps. The zero Asked asks for nothing.
type Asked struct {
	Leave  lower.Leave     // arrays that stay in global memory, and why
	Stage  map[string]bool // names of arrays that lie in shared memory, gain or not
	Block  [3]int          // threads of a block along x, y and z; zeros: chosen by the tile sizes
	Points [3]int          // of a tile that a thread runs in a step along x, y and z, at most; 0: whatever Block leaves
	// Occupancy is which part of the warps that a multiprocessor holds are to run at once, at least; 0: any.
	Occupancy float64
	Prefetch  *int64 // how many planes ahead tiles that stream load; nil: one where there is room
	// Iterations are how many of the time loop tiles that overlap span at most; 0: any.
	Iterations int64
}

// With returns a with one array more that stays in global memory.
func (a Asked) With(array, why string) Asked {
	a.Leave = a.Leave.With(array, why)
	return a
}

// Options returns a as options of the mapping to blocks and threads.
func (a Asked) Options() lower.Options {
	return lower.Options{Leave: a.Leave, Stage: a.Stage, Threads: a.Block, Points: a.Points, Prefetch: a.Prefetch}
}

// Within returns d with no more registers of a thread than leave room for as many warps as are asked for.
func (a Asked) Within(d machine.Device) machine.Device {
	if threads := int(a.Occupancy * float64(d.ThreadsPerSM)); threads > 0 {
		d.RegistersPerThread = min(d.RegistersPerThread, max(LeastRegisters, d.Registers/threads/8*8))
	}
	return d
}

// LeastRegisters are what no kernel does with less.
const LeastRegisters = 16

// Keeps reports whether blocks that a multiprocessor of d holds at once have as many warps as is asked for.
func (a Asked) Keeps(d machine.Device, o machine.Occupancy) bool {
	return float64(o.Warps) >= a.Occupancy*float64(d.WarpsPerSM())
}

// Demote returns a, with as many arrays more that stay in global memory as it takes for the tiles of s to have the occupancy asked for: one
// by one that for which the fewest bytes more move for each byte of shared memory that becomes free. Arrays that are asked to lie in
// shared memory, and those that tiles which overlap write, are not taken. It returns what it can where that is not enough.
func Demote(s *schedule.Schedule, d machine.Device, a Asked) Asked {
	for {
		counter := lower.NewCounter(s.Canonical, d, a.Options())
		worst := worstOf(counter, s, d)
		if a.Keeps(d, worst) || worst.Limit != "shared memory" {
			return a
		}
		array := dearest(s, d, a)
		if array == "" {
			return a
		}
		a = a.With(array, fmt.Sprintf("the multiprocessor holds more blocks without it, as occupancy(%g) asks for", a.Occupancy))
	}
}

// worstOf returns the occupancy of the phase that has the least.
func worstOf(k *lower.Counter, s *schedule.Schedule, d machine.Device) (worst machine.Occupancy) {
	for phase := range s.Phases {
		n := k.Traffic(s, phase)
		if n.Points == 0 {
			n = k.Rough(s, phase)
		}
		if o := d.Occupancy(n.Threads, n.Registers, n.SharedBytes); phase == 0 || o.Warps < worst.Warps {
			worst = o
		}
	}
	return worst
}

// without says why an array stays in global memory where no tile does with it.
func (s *search) without() string {
	if s.asking.Occupancy > 0 {
		return fmt.Sprintf("no tile has the occupancy of %g that is asked for with it", s.asking.Occupancy)
	}
	return fmt.Sprintf("no tile fits the %d bytes of shared memory of a block with it", s.device.SharedBytes)
}

// TooFew is the error that fewer blocks run at once than is asked for, however few arrays lie in shared memory.
func (a Asked) TooFew(c *schedule.Canonical, d machine.Device, o machine.Occupancy) error {
	return diag.List{{Code: "HX407", At: c.Scop.Start(),
		Msg: fmt.Sprintf("of the %d warps that a multiprocessor of %s holds, %d run at once, which is %.2g and not %g: there is no more of its %s", d.WarpsPerSM(), d.Name, o.Warps,
			float64(o.Warps)/float64(d.WarpsPerSM()), a.Occupancy, o.Limit),
		Help: "ask for less occupancy, or for a block of another size (--block)"}}
}

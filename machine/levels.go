package machine

import "slices"

// This file says what a machine has as levels of memory, from outer to inner, as models do that compare what moves between them (Gysi, Grosser, Hoefler,
// MODESTO, ICS 2015, section 2.5): memory, which holds all; caches, if there are any; what holds a tile; and registers, which hold a point.

// A Level is memories of a kind, one of which serves a tile.
type Level struct {
	Name string
	// Bytes is what one of them holds; 0: all that there is.
	Bytes int64
	// GBs is what all of them together move to and from the level inside of them, in 1e9 bytes a second; 0: more than is asked for.
	GBs float64
}

// Levels are those of a machine.
type Levels struct {
	Name string
	// Levels are from outer to inner, at least memory and what holds a tile, the last one: inside of it are registers.
	Levels []Level
	// Gops is operations with doubles, in 1e9 a second, and Gops32 with single precision.
	Gops, Gops32 float64
	// Launch is seconds from the end of a launch to the start of the next one.
	Launch float64
	// Tiles is how many run at once; 1 where a level is shared by all that there are.
	Tiles int64
}

// Tile returns the level that holds a tile.
func (l Levels) Tile() Level { return l.Levels[len(l.Levels)-1] }

// launchSeconds is from the end of a kernel to the start of the next, of the order that microbenchmarks find on all devices, and startSeconds what threads
// of a CPU take to meet.
const (
	launchSeconds = 3e-6
	startSeconds  = 1e-6
)

// Levels returns those of d: memory, and the shared memory of a block. What its second level of caches holds is not counted on.
func (d Device) Levels() Levels {
	fp64 := d.FP64
	if fp64 == 0 {
		fp64 = d.FP32 / 64 // the least share of the architectures that state one
	}
	perClock := func(n int) float64 { return float64(n) * float64(d.SMs) * float64(d.MHz) / 1e3 }
	return Levels{
		Name:   d.Name,
		Levels: []Level{{Name: "memory", GBs: float64(d.GBs)}, {Name: "shared memory", Bytes: int64(d.SharedBytes), GBs: perClock(d.SharedPerClock)}},
		Gops:   perClock(fp64), Gops32: perClock(d.FP32), Launch: launchSeconds, Tiles: int64(d.SMs),
	}
}

// What is assumed of any core of a CPU: current ones of servers, of which the slower part is taken.
const (
	coreGHz   = 3
	memoryGBs = 12 // a core's share of the bandwidth of memory
	lastBytes = 8  // a clock, from the last level of caches
	nearBytes = 32 // a clock, from the second level
	lanes     = 4  // doubles of a vector
)

// Levels returns those of cpu: memory, the last level of caches, which cores share, and the second level of a core.
func (cpu CPU) Levels() Levels {
	cores := float64(cpu.Cores)
	l := Levels{
		Name: "cpu",
		Levels: []Level{
			{Name: "memory", GBs: memoryGBs * cores},
			{Name: "last cache", Bytes: cpu.Last * cpu.Cores, GBs: lastBytes * coreGHz * cores},
			{Name: "second cache", Bytes: cpu.Cache, GBs: nearBytes * coreGHz * cores},
		},
		Gops: coreGHz * lanes * cores, Gops32: 2 * coreGHz * lanes * cores, Launch: startSeconds, Tiles: cpu.Cores,
	}
	if cpu.Last <= cpu.Cache { // there is none
		l.Levels = slices.Delete(l.Levels, 1, 2)
	}
	return l
}

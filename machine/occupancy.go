package machine

import "math"

// An Occupancy says how many blocks a multiprocessor holds at once.
type Occupancy struct {
	Blocks int    `json:"blocks"`
	Warps  int    `json:"warps"` // of these blocks
	Limit  string `json:"limit"` // what there is no more of: "shared memory", "registers", "threads" or "blocks"
}

// Occupancy returns how many blocks of so many threads, registers a thread and
// bytes of shared memory a multiprocessor holds. It holds none if a block
// passes a limit of its own.
func (d Device) Occupancy(threads, registers int, shared int64) Occupancy {
	warps := (threads + d.Warp - 1) / d.Warp
	o := Occupancy{Blocks: math.MaxInt}
	for _, l := range []struct {
		blocks int
		what   string
	}{
		{d.bySharedMemory(shared), "shared memory"},
		{d.byRegisters(warps, registers), "registers"},
		{d.byThreads(threads, warps), "threads"},
		{d.BlocksPerSM, "blocks"},
	} {
		if l.blocks < o.Blocks {
			o.Blocks, o.Limit = l.blocks, l.what
		}
	}
	o.Warps = o.Blocks * warps
	return o
}

func (d Device) bySharedMemory(bytes int64) int {
	if bytes > int64(d.SharedBytes) {
		return 0
	}
	if taken := multiple(int(bytes)+d.SharedReserved, d.SharedUnit); taken > 0 {
		return d.SharedPerSM / taken
	}
	return math.MaxInt
}

// startPartitions is among how many partitions the check whether a block may
// start at all deals its warps, rounded up. (Sources: [3]; also on sm_60, which has 2.)
const startPartitions = 4

// byRegisters: each partition gives registers to whole warps.
func (d Device) byRegisters(warps, registers int) int {
	perWarp := multiple(max(1, registers)*d.Warp, d.RegisterUnit)
	if registers > d.RegistersPerThread || perWarp*multiple(warps, startPartitions) > d.RegistersPerBlock {
		return 0
	}
	return d.Registers / d.Partitions / perWarp * d.Partitions / warps
}

func (d Device) byThreads(threads, warps int) int {
	if threads > d.ThreadsPerBlock {
		return 0
	}
	return d.WarpsPerSM() / warps
}

// RegistersFor returns how many registers each thread of a block of so many threads may have for it to start.
func (d Device) RegistersFor(threads int) int {
	return d.RegistersPerBlock / multiple(threads, d.Warp*startPartitions) / 8 * 8
}

// multiple returns the least multiple of m that is at least n.
func multiple(n, m int) int { return (n + m - 1) / m * m }

package profile

import "github.com/hexcc/hexcc/machine"

// This file says what is known of a kernel, from what was measured or from what was counted.

// Counted is what is known of a kernel without a device: exact counts of a full tile, or of a full turn of rows that stream, or of a small
// run where there is no full tile; and what the model expects.
type Counted struct {
	Kernel string   `json:"kernel"` // its name in what is written
	Also   []string `json:"also"`   // names of the same kernel for larger indices
	// Of is what was counted: a full tile, a full turn of rows that stream, a whole tile by the model, a small run, or a statement; "": nothing does anything.
	Of      string `json:"of"`
	Updates int64  `json:"updates"` // statement instances of that
	// By update: bytes between global memory and chip, of those that statements access there themselves no more than each element once; all that these
	// access; passes over the banks of shared memory, and those beyond the least; operations of the statements, and
	// instructions, without addresses, of lanes, those that have nothing to do with them; barriers of blocks.
	Bytes        float64  `json:"bytes"`
	Direct       float64  `json:"direct"`
	SharedPasses float64  `json:"sharedWavefronts"`
	Conflicts    float64  `json:"bankConflicts"`
	Operations   float64  `json:"operations"`
	Instructions float64  `json:"instructions"`
	Barriers     float64  `json:"barriers"`
	Unit         Resource `json:"unit"` // that does the operations: fp32, fp64 or integer

	// Compiled: what follows is from NVIDIA's compiler, not estimated; spilled are then registers that it stores.
	Compiled    bool   `json:"compiled"`
	CodeBytes   int    `json:"codeBytes"`   // of the kernel; 0: not known
	Threads     int64  `json:"threads"`     // of a block
	BlockBytes  int64  `json:"blockBytes"`  // shared memory of a block
	Registers   int    `json:"registers"`   // of a thread, an estimate
	Spilled     int    `json:"spilled"`     // of them, by estimate, those that there is no room for
	BlocksPerSM int    `json:"blocksPerSM"` // that run at once, by the estimate
	Limit       string `json:"limit"`       // what there is no more of
	Warps       int    `json:"warpsPerSM"`

	// Of a run at the sizes given or assumed: launches, blocks and updates of all of them; 0: not known.
	Launches int64 `json:"launches"`
	Blocks   int64 `json:"blocks"` // of all of these; 0 also where the device decides
	// SecondsPerUpdate and Idle, a share of multiprocessors' time, are the model's, of the region; 0: it has none.
	SecondsPerUpdate float64 `json:"secondsPerUpdate"`
	Idle             float64 `json:"idle"`
	Gaps             float64 `json:"gaps"` // share of the time between launches, likewise
}

// Evidence returns what is known of m on a device of that kind, whose data sheets say what is not measured; ok is false where its kind is not known.
func (m *Measured) Evidence(d machine.Device, ok bool) *Evidence {
	e := &Evidence{Shares: map[Resource]float64{}, Stalls: m.Stalls}
	for r, q := range map[Resource]Quantity{DeviceMemory: DRAMShare, L2: L2Share, L1: L1Share, SharedMemory: SharedShare, Issue: IssueShare, Multiprocessor: ComputeShare} {
		if v, ok := m.Has(q); ok {
			e.Shares[r] = v
		}
	}
	for r, v := range m.Pipes {
		e.Shares[r] = v
	}
	bytes, moved := m.DRAMBytes()
	seconds, timed := m.Has(Time)
	if _, has := e.Shares[DeviceMemory]; !has && moved && timed && seconds > 0 && ok && d.GBs > 0 {
		e.Shares[DeviceMemory] = bytes / seconds / (float64(d.GBs) * 1e9)
	}
	e.Idle = known(m.Idle())
	loads, ok1 := m.Has(LocalLoads)
	stores, ok2 := m.Has(LocalStores)
	instructions, ok3 := m.Has(Instructions)
	if ok1 && ok2 && ok3 && instructions > 0 {
		e.Spills = known((loads+stores)/instructions, true)
	}
	conflicts, ok1 := m.Has(Conflicts)
	passes, ok2 := m.Has(SharedPasses)
	if ok1 && ok2 && passes > 0 {
		e.Conflicts = known(conflicts/passes, true)
	}
	e.Warps = known(m.Has(Occupied))
	if timed && m.Launches > 1 {
		e.Gaps = known(gap(seconds/float64(m.Launches)), true)
	}
	return e
}

// launchSeconds is what is assumed to pass from the end of a kernel to the start of the next; model.LaunchSeconds is the same.
const launchSeconds = 3e-6

// gap returns the share of the time between launches, each of which takes so long.
func gap(launch float64) float64 { return launchSeconds / (launchSeconds + launch) }

// An Intensity compares how many operations a kernel does for each byte of a memory with how many the device does in the time of that byte.
type Intensity struct {
	Resource Resource `json:"resource"`
	Kernel   float64  `json:"kernel"`  // operations by byte
	Balance  float64  `json:"balance"` // of the device; below it the memory bounds
}

// Intensities returns those of what is counted on d.
func (c *Counted) Intensities(d machine.Device) []Intensity {
	return c.intensities(d, c.Bytes, c.SharedPasses)
}

// intensities returns those of so many bytes of device memory and passes over shared memory by update; 0: they are not known.
func (c *Counted) intensities(d machine.Device, bytes, passes float64) (all []Intensity) {
	lanes := c.lanes(d)
	peak := float64(lanes) * float64(d.SMs) * d.Hertz()
	if peak == 0 || c.Operations == 0 {
		return nil
	}
	if bytes > 0 && d.GBs > 0 {
		all = append(all, Intensity{DeviceMemory, c.Operations / bytes, peak / (float64(d.GBs) * 1e9)})
	}
	if passes > 0 && d.SharedPerClock > 0 {
		pass := float64(d.SharedPerClock)
		all = append(all, Intensity{SharedMemory, c.Operations / (passes * pass), float64(lanes) / pass})
	}
	return all
}

// MeasuredIntensities returns those of the bytes and passes by update that a comparison has, with the operations that are counted of c.
func (c *Counted) MeasuredIntensities(d machine.Device, by []Comparison) []Intensity {
	var bytes, passes float64
	for _, x := range by {
		switch x.What {
		case bytesOfMemory:
			bytes = x.Measured
		case passesOverShared:
			passes = x.Measured
		}
	}
	return c.intensities(d, bytes, passes)
}

// DeviceOf returns what is known of the devices of a compute capability, such as 9.0.
func DeviceOf(cc string) (machine.Device, bool) {
	name := "sm_"
	for _, c := range cc {
		if c != '.' {
			name += string(c)
		}
	}
	return machine.LookupDevice(name)
}

// Seconds returns what an update takes at least at each resource that c counts, all multiprocessors of d together.
func (c *Counted) Seconds(d machine.Device) map[Resource]float64 {
	all := map[Resource]float64{}
	if c.Updates == 0 {
		return all
	}
	clocks := float64(d.SMs) * d.Hertz() // of all multiprocessors, in a second
	if d.GBs > 0 {
		all[DeviceMemory] = c.Bytes / (float64(d.GBs) * 1e9)
	}
	if c.SharedPasses > 0 {
		all[SharedMemory] = c.SharedPasses / clocks
	}
	if c.Direct > 0 {
		all[L1] = c.Direct / float64(d.SharedPerClock) / clocks // which is shared memory, too
	}
	if lanes := c.lanes(d); lanes > 0 {
		all[c.Unit] = c.Operations / float64(lanes) / clocks
	}
	if c.Instructions > 0 {
		all[Issue] = c.Instructions / float64(d.Warp*d.Partitions) / clocks
	}
	return all
}

// integerLanes is how many results of integers a multiprocessor has in a clock (CUDA C++ Programming Guide 12.9, "Throughput of Native Arithmetic Instructions",
// for sm_60 to sm_100 but sm_61 and sm_62, which have more).
const integerLanes = 64

// lanes returns how many results a multiprocessor of d has in a clock from the unit that does the operations of c; 0: that is not known.
func (c *Counted) lanes(d machine.Device) int {
	switch c.Unit {
	case FP64:
		return d.FP64
	case Integer:
		return integerLanes
	}
	return d.FP32
}

// Evidence returns what is known of c on d. Where the model has no time, that of the busiest resource stands for it.
func (c *Counted) Evidence(d machine.Device) *Evidence {
	e := &Evidence{Counted: true, Untimed: c.SecondsPerUpdate == 0, Shares: map[Resource]float64{}}
	seconds := c.Seconds(d)
	all := c.SecondsPerUpdate
	for _, s := range seconds {
		if c.SecondsPerUpdate == 0 {
			all = max(all, s)
		}
	}
	for r, s := range seconds {
		if all > 0 {
			e.Shares[r] = s / all
		}
	}
	e.Idle = known(c.Idle, c.SecondsPerUpdate > 0)
	e.Gaps = known(c.Gaps, c.SecondsPerUpdate > 0)
	if c.SharedPasses > 0 {
		e.Conflicts = known(c.Conflicts/c.SharedPasses, true)
	}
	e.Spilled, e.Compiled = c.Spilled, c.Compiled
	e.Warps = known(float64(c.Warps)/float64(d.WarpsPerSM()), c.Warps > 0)
	return e
}

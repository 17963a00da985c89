package profile

import "fmt"

// This file compares what was measured with what was expected.

// DifferFrom is from which ratio on, either way, two numbers differ.
const DifferFrom = 1.25

// A Comparison is a number that was measured, and what was expected of it.
type Comparison struct {
	What     string  `json:"what"`
	Unit     string  `json:"unit"`
	Measured float64 `json:"measured"`
	Expected float64 `json:"expected"`
	Ratio    float64 `json:"ratio"`   // measured by expected; 0: nothing was expected
	Differs  bool    `json:"differs"` // by more than DifferFrom
	Note     string  `json:"note"`    // what to know of the two
}

// What is compared that has an intensity.
const (
	bytesOfMemory    = "bytes of device memory"
	passesOverShared = "passes over shared memory"
)

func compare(what, unit string, measured, expected float64, note string) Comparison {
	c := Comparison{What: what, Unit: unit, Measured: measured, Expected: expected, Note: note}
	if expected > 0 {
		c.Ratio = measured / expected
	}
	c.Differs = c.Ratio > DifferFrom || c.Ratio < 1/DifferFrom && (measured > 0 || expected > 0)
	return c
}

// A Pair is what was measured of a kernel, and what was counted of it.
type Pair struct {
	*Measured
	Counted Counted
}

// Updates returns how many statement instances the launches of the pairs, all kernels of a region, have run, if a run of it has so many. Where the profile has
// only some of the launches of a run, that is their share of them, and note says so; why says why it is not known.
func Updates(pairs []Pair, kernels int, ofRun int64) (n float64, note, why string) {
	if len(pairs) != kernels {
		return 0, "", "the profile has not all kernels of the region"
	}
	first := pairs[0]
	for _, p := range pairs {
		switch {
		case p.Counted.Launches == 0:
			return 0, "", fmt.Sprintf("%s is not launched at these sizes", p.Kernel)
		case int64(p.Launches)*first.Counted.Launches != int64(first.Launches)*p.Counted.Launches:
			return 0, "", fmt.Sprintf("the profile has %d of %d launches of %s, and %d of %d of %s", first.Launches, first.Counted.Launches, first.Kernel, p.Launches, p.Counted.Launches, p.Kernel)
		}
		each := float64(p.Counted.Blocks) / float64(p.Counted.Launches)
		if p.Blocks > 0 && each > 0 && (p.Blocks > 1.1*each || p.Blocks < each/1.1) {
			return 0, "", fmt.Sprintf("launches of %s have %.4g blocks in the profile, and %.4g at these sizes", p.Kernel, p.Blocks, each)
		}
	}
	if int64(first.Launches)%first.Counted.Launches != 0 {
		note = fmt.Sprintf("as if all launches were alike: the profile has %d, and a run %d", first.Launches, first.Counted.Launches)
	}
	return float64(first.Launches) / float64(first.Counted.Launches) * float64(ofRun), note, ""
}

// Compare returns, by update, what was measured of all kernels of a region beside what was counted, and what the model expects if device is the one that it is for.
func Compare(pairs []Pair, updates float64, device bool) (all []Comparison) {
	total := func(of func(m *Measured) (float64, bool)) (n float64, ok bool) {
		for _, p := range pairs {
			v, ok := of(p.Measured)
			if !ok {
				return 0, false
			}
			n += v
		}
		return n / updates, true
	}
	expected := func(of func(c *Counted) float64) (n float64) {
		weights := 0.0
		for i := range pairs {
			c := &pairs[i].Counted
			w := float64(max(1, c.Updates) * max(1, c.Blocks))
			n += w * of(c)
			weights += w
		}
		return n / weights
	}
	quantity := func(q Quantity) func(m *Measured) (float64, bool) {
		return func(m *Measured) (float64, bool) { return m.Has(q) }
	}
	add := func(what, unit string, measured func(m *Measured) (float64, bool), scale float64, counted func(c *Counted) float64, note string) {
		if v, ok := total(measured); ok {
			if e := expected(counted); e > 0 {
				all = append(all, compare(what, unit, v*scale, e*scale, note))
			}
		}
	}
	if device {
		add("time", "ps", quantity(Time), 1e12, func(c *Counted) float64 { return c.SecondsPerUpdate }, "by the model, gaps between launches with it")
	}
	bytes := func(c *Counted) float64 { return c.Bytes }
	add(bytesOfMemory, "byte", (*Measured).DRAMBytes, 1, bytes, "counted of full tiles; L2 may hold what they load")
	add("bytes of L2", "byte", quantity(L2Bytes), 1, bytes, "counted of full tiles")
	add(passesOverShared, "wavefront", quantity(SharedPasses), 1, func(c *Counted) float64 { return c.SharedPasses }, "counted of full tiles")
	add("instructions of lanes", "instruction", func(m *Measured) (float64, bool) {
		v, ok := m.Has(Instructions)
		return 32 * v, ok // lanes of a warp
	}, 1, func(c *Counted) float64 { return c.Instructions }, "counted of full tiles, without addresses and moves")
	return all
}

// CompareKernel returns what was measured of a kernel beside what was estimated.
func CompareKernel(p Pair) (all []Comparison) {
	if v, ok := p.Has(Registers); ok && p.Counted.Registers > 0 {
		all = append(all, compare("registers of a thread", "register", v, float64(p.Counted.Registers), "an estimate"))
	}
	if shared, ok := p.Has(LimitShared); ok && p.Counted.BlocksPerSM > 0 {
		least := shared
		for _, q := range []Quantity{LimitRegisters, LimitWarps, LimitBlocks} {
			if v, ok := p.Has(q); ok {
				least = min(least, v)
			}
		}
		all = append(all, compare("blocks of a multiprocessor", "block", least, float64(p.Counted.BlocksPerSM), "by the estimate of registers"))
	}
	return all
}

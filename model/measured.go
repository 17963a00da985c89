package model

// This file has what running kernels on a GPU has shown of the model: how many times as long as it says those of each way take. Ways are compared by times that are
// corrected so. What is printed of a way is what the model says.

// About the medians of what was measured of one H200 on 26 November 2026, on large grids (docs/measured.md). The model knows nothing of how long instructions take to arrive: straight code of
// more than about 32 KB, which full tiles of hexagons and turns of streams are, comes at less than half an instruction a clock for each piece that warps run at different places.
const (
	slowerHexagons = 2.0 // tiles that start when those that they need have ended
	slowerPhases   = 3.5 // a launch for each phase
	slowerVolumes  = 6.0 // either, in three dimensions and more
	slowerStreams  = 3.0 // rows that stream
	slowerOverlaps = 1.2 // boxes that overlap
	slowerPlanes   = 2.3 // the same, plane by plane
	slowerSpace3   = 1.25
	slowerLoops3   = 1.4 // boxes of space and plain loops, in three dimensions
)

// hexagonsSlower returns how many times as long as the model says hexagons take in so many dimensions of space. In one dimension nothing was measured.
func hexagonsSlower(dims int, ready bool) float64 {
	switch {
	case dims < 2:
		return 1
	case dims > 2:
		return slowerVolumes
	case ready:
		return slowerHexagons
	}
	return slowerPhases
}

// Likely returns what a point takes of e, one of o, as far as measurements tell: what the model says on a CPU, whose weights compare with each other as they are, and of
// a nil e.
func (o *Outlook) Likely(e *Expected) float64 {
	if e == nil {
		return 0
	}
	x := e.PerPoint
	if !o.Seconds {
		return x
	}
	switch deep := o.dims > 2; e {
	case o.Hybrid:
		return x * hexagonsSlower(o.dims, e.Ready)
	case o.Streams:
		return x * slowerStreams
	case o.Overlapped:
		if e.Sizes.Stream != nil {
			return x * slowerPlanes
		}
		if o.dims < 2 {
			return x * overlapMargin
		}
		return x * slowerOverlaps
	case o.Space:
		if deep {
			return x * slowerSpace3
		}
	case o.Untiled:
		if deep {
			return x * slowerLoops3
		}
	}
	return x
}

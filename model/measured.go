package model

import (
	"math"

	"github.com/hexcc/hexcc/machine"
)

// This file has what running kernels on a GPU has shown of the model: how many times as long as it says those of each way take. Ways are compared by times that are
// corrected so. What is printed of a way is what the model says.

// About the medians of what was measured of one H200, on large grids: on 26 November 2026, and those of hexagons and streams that wait for each other a day later, when chains without
// tiles no longer held up others (docs/measured.md).
const (
	measured       = "sm_90"
	slowerHexagons = 2.0  // tiles that start when those that they need have ended
	slowerPhases   = 3.5  // a launch for each phase
	slowerVolumes  = 6.0  // the same in three dimensions and more
	slowerStreams  = 1.75 // rows that stream,
	doubtedStreams = 3.0  // and on other devices, of which replays of turns at sides differ more
	slowerOverlaps = 1.2  // boxes that overlap
	slowerPlanes   = 2.3  // the same, plane by plane
	slowerSpace3   = 1.25
	slowerLoops3   = 1.4 // boxes of space and plain loops, in three dimensions
)

// waitsPower is how much longer blocks that wait for each other take than the model says, the more of the time it expects places for blocks to be empty: a power of the share in which
// they are not. On 2048 x 2048 points, where they are so for three quarters of the time, laplacian-2d took 1.7 times as much longer than on 16384 x 16384; in three dimensions it took 1.2 times.
const waitsPower = 0.4

// hexagonsSlower returns how many times as long as the model says hexagons take in so many dimensions of space, where places for blocks are empty for a share of the time. In one
// dimension nothing was measured of large grids.
func hexagonsSlower(dims int, ready bool, idle float64) float64 {
	switch waits := math.Pow(1-idle, -waitsPower); {
	case ready && dims < 2:
		return waits
	case dims < 2:
		return 1
	case ready:
		return slowerHexagons * waits
	case dims > 2:
		return slowerVolumes
	}
	return slowerPhases
}

// streamsSlower returns how many times as long as the model says rows that stream take on a device.
func streamsSlower(d machine.Device) float64 {
	if d.Name == measured {
		return slowerStreams
	}
	return doubtedStreams
}

// Slower returns how many times as long as the model says, or a replay of machine code, e takes, which --strategy has the name of, as far as measurements tell: 1 on a CPU.
// Where e is nil, it returns that of such ways of which nothing else is known.
func (o *Outlook) Slower(way string, e *Expected) float64 {
	if !o.Seconds {
		return 1
	}
	if e == nil {
		e = new(Expected)
	}
	deep := o.dims > 2
	switch {
	case way == "hybrid":
		return hexagonsSlower(o.dims, e.Ready, e.Idle)
	case way == "streaming":
		return streamsSlower(o.device)
	case way == "overlapped" && e.Sizes.Stream != nil:
		return slowerPlanes
	case way == "overlapped" && o.dims < 2:
		return overlapMargin
	case way == "overlapped":
		return slowerOverlaps
	case way == "space" && deep:
		return slowerSpace3
	case way == "untiled" && deep:
		return slowerLoops3
	}
	return 1
}

// Likely returns what a point takes of e, one of o, as far as measurements tell: what the model says on a CPU, whose weights compare with each other as they are, and of
// a nil e.
func (o *Outlook) Likely(e *Expected) float64 {
	if e == nil {
		return 0
	}
	for _, way := range ways {
		if o.Of(way) == e {
			return e.PerPoint * o.Slower(way, e)
		}
	}
	return e.PerPoint
}

// ways are all that an outlook has, by the names of --strategy.
var ways = []string{"hybrid", "streaming", "wavefront", "overlapped", "space", "untiled"}

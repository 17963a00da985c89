package emulate

import (
	"math/bits"
	"slices"

	hardware "github.com/hexcc/hexcc/machine"
)

// This file runs a Threads node warp by warp, for a profile: the lanes of a warp
// go through the loops together, each with its own values, as far as each has
// some. So the requests of a warp are those of the lanes at the same turn of all loops.

// A warps is a threads that runs so.
type warps struct {
	*threads
	work     Work
	sites    []*site
	values   [][warpLanes]int64 // by loop and lane
	position [][warpLanes]int64 // of the lane's thread along the axis of the loop
	first    int64              // thread of the first lane
	lane     int                // the present one
	into     *Traffic
}

// A lanes is a set of lanes.
type lanes uint32

func (s lanes) count() int64 { return int64(bits.OnesCount32(uint32(s))) }

// each calls f with every lane of s.
func (s lanes) each(f func(lane int)) {
	for ; s != 0; s &= s - 1 {
		f(bits.TrailingZeros32(uint32(s)))
	}
}

// A site is a place in the code of an operation that touches memory: each lane of a
// warp runs it once at most before it is evaluated.
type site struct {
	*ref
	write bool
	who   lanes
	at    [warpLanes]int64 // byte addresses, in the array or buffer
}

// observer returns a function to call at each access through r by one operation.
func (r *ref) observer(write bool) func() {
	s, w := &site{ref: r, write: write}, r.warps
	w.sites = append(w.sites, s)
	size := int64(r.elem.Size())
	return func() {
		if at := r.offset(); at >= 0 {
			s.at[w.lane] = int64(at) * size
			s.who |= 1 << w.lane
		}
	}
}

// run executes the node: all its points, each by its thread.
func (w *warps) run() {
	w.startNode(w.threads)
	w.count = 0
	if w.values == nil {
		w.values = make([][warpLanes]int64, len(w.loops))
		w.position = make([][warpLanes]int64, len(w.loops))
	}
	w.into = w.traffic(w.work)
	points := w.now.Points
	n := int64(w.kernel.Threads[0] * w.kernel.Threads[1] * w.kernel.Threads[2])
	for w.first = 0; w.first < n; w.first += warpLanes {
		for d := range w.loops {
			if l := &w.loops[d]; l.axis >= 0 {
				for lane := range w.position[d] {
					w.position[d][lane] = (w.first + int64(lane)) / l.stride % l.size
				}
			}
		}
		all := lanes(1<<min(warpLanes, n-w.first) - 1)
		w.turn(0, all, all, false)
	}
	w.into.Points += w.now.Points - points
}

// turn runs what lies inside the present values of loops[:d], for the active lanes.
// If waiting is set, those of asked have yet to test whether they are active:
// conditions on the thread and the guard that stand together are one test.
func (w *warps) turn(d int, asked, active lanes, waiting bool) {
	if d == len(w.loops) {
		w.body(asked, active, waiting)
		return
	}
	l, v := &w.loops[d], &w.values[d]
	if waiting && !l.once {
		if w.branch(asked, active); active == 0 {
			return
		}
		asked, waiting = active, false
	}
	var hi [warpLanes]int64
	active.each(func(lane int) {
		w.become(d, lane)
		v[lane], hi[lane] = l.lo()+w.position[d][lane], l.hi()
	})
	for {
		taken := lanes(0)
		active.each(func(lane int) {
			if v[lane] <= hi[lane] {
				taken |= 1 << lane
			}
		})
		if l.once {
			w.turn(d+1, asked, taken, waiting || !l.all)
			return
		}
		w.branch(active, taken)
		if taken == 0 {
			return
		}
		w.turn(d+1, taken, taken, false)
		taken.each(func(lane int) { v[lane] += l.size })
		active = taken
	}
}

// become sets the variables of loops[:d] to those of a lane.
func (w *warps) become(d, lane int) {
	w.lane = lane
	for i := range d {
		*w.loops[i].v = w.values[i][lane]
	}
}

// branch counts a test that the active lanes make and those of taken pass.
func (w *warps) branch(active, taken lanes) {
	w.into.Tests++
	if taken != 0 && taken != active {
		w.into.Divergent++
	}
}

// body runs the operations at the present points of the active lanes, those of asked that pass the test that waits, if any.
func (w *warps) body(asked, active lanes, waiting bool) {
	taken := lanes(0)
	mask := uint64(1)<<w.bits - 1
	active.each(func(lane int) {
		w.become(len(w.loops), lane)
		point, before := uint64(0), w.count
		for i := range w.loops {
			point = point<<w.bits | uint64(w.values[i][lane])&mask
		}
		if w.at(w.first+int64(lane), point); w.count != before {
			taken |= 1 << lane
		}
	})
	if waiting || w.guard != nil {
		w.branch(asked, taken)
	}
	if taken == 0 {
		return
	}
	ops := int64(len(w.ops))
	w.into.Ops += ops
	w.into.Arithmetic += w.arithmetic
	w.into.Idle += ops * (warpLanes - taken.count())
	for _, s := range w.sites {
		if s.who != 0 {
			w.into.request(s)
			s.who = 0
		}
	}
}

// request counts the accesses of a warp at s.
func (t *Traffic) request(s *site) {
	at := make([]int64, 0, warpLanes)
	s.who.each(func(lane int) { at = append(at, s.at[lane]) })
	size := int64(s.elem.Size())
	switch {
	case s.global && s.write:
		t.GlobalStores.add(globalRequest(at, size))
	case s.global:
		t.GlobalLoads.add(globalRequest(at, size))
	case s.write:
		t.SharedStores.add(s.sharedRequest(size))
	default:
		t.SharedLoads.add(s.sharedRequest(size))
	}
}

// globalRequest counts a request for elements of size bytes at the given
// addresses in an array, which starts at a multiple of arrayBytes.
func globalRequest(at []int64, size int64) Global {
	bytes := distinct64(at, 1) * size
	return Global{
		Requests: 1,
		Elements: int64(len(at)),
		Bytes:    int64(len(at)) * size,
		Sectors:  distinct64(at, sectorBytes),
		Lines:    distinct64(at, lineBytes),
		Least:    (bytes + sectorBytes - 1) / sectorBytes,
	}
}

// distinct64 returns the number of different values of at divided by unit.
func distinct64(at []int64, unit int64) int64 {
	units := make([]int64, len(at))
	for i, x := range at {
		units[i] = x / unit
	}
	slices.Sort(units)
	return int64(len(slices.Compact(units)))
}

// sharedRequest counts the request of s for elements of size bytes.
func (s *site) sharedRequest(size int64) Shared {
	c := Shared{Requests: 1, Elements: s.who.count()}
	at := s.at
	for lane := range at {
		if s.who>>lane&1 == 0 {
			at[lane] = -1
		}
	}
	c.Wavefronts, c.Least = hardware.Wavefronts(&at, size)
	return c
}

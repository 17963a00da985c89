package lower

import (
	"encoding/binary"
	"slices"

	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/gpu/pointset"
	"github.com/hexcc/hexcc/scop"
)

// This file says about how many values straight code loads and holds, at little
// cost: exactly what promotion to registers leaves, but for values that live from step to step.

// A demand is what a thread asks of an array at the points that it runs in a step.
type demand struct {
	array  *scop.Array
	reads  int64 // different elements, in straight code
	writes int64
}

// An asked is what demands depends on, beside the program.
type asked struct {
	stmt     int
	straight bool
	points   string
}

// demands returns what a thread that runs a box of so many points in a step of
// st asks of arrays. Where it is no straight code, each access counts.
func (k *Counter) demands(st *scop.Stmt, points []int64, straight bool) []demand {
	key := asked{st.Order, straight, packed(points)}
	if have, ok := k.asked[key]; ok {
		return have
	}
	all := make([]demand, 0, len(k.reaches))
	at := map[*scop.Array]int{}
	shared := map[*scop.Array][]*scop.Access{} // reads of which points have some in common
	for _, acc := range st.Accesses {
		view := k.layouts.view(acc)
		i, ok := at[view]
		if !ok {
			i = len(all)
			at[view] = i
			all = append(all, demand{array: view})
		}
		switch _, known := k.layouts.of[view]; {
		case acc.Write:
			all[i].writes += product(points)
		case !straight || !known:
			all[i].reads += product(points)
		default:
			shared[view] = append(shared[view], acc)
		}
	}
	for i, d := range all {
		if reads := shared[d.array]; reads != nil {
			all[i].reads += k.layouts.of[d.array].elements(reads, points)
		}
	}
	k.asked[key] = all
	return all
}

// packed returns a text that only equal lists of the same length share.
func packed(ns []int64) string {
	var key []byte
	for _, n := range ns {
		key = binary.AppendVarint(key, n)
	}
	return string(key)
}

// elements returns how many different elements accesses touch from a box of so many points at 0.
func (l layout) elements(accesses []*scop.Access, points []int64) int64 {
	boxes := make([]pointset.Box, len(accesses))
	for i, acc := range accesses {
		lo := l.offsets[acc]
		hi := slices.Clone(lo)
		for d, p := range l.space {
			if p >= 0 {
				hi[d] += points[p] - 1
			}
		}
		boxes[i] = pointset.Box{Lo: lo, Hi: hi}
	}
	return pointset.Union(boxes, 0)
}

func product(ns []int64) int64 {
	all := int64(1)
	for _, n := range ns {
		all *= n
	}
	return all
}

// mine returns how many neighbouring points along each space dimension a thread runs in s together.
func (ph *block) mine(s astgen.Slice) []int64 {
	points := make([]int64, len(s.Lo))
	for p := range points {
		switch a := axis(p, len(points)); {
		case a == 1 && ph.rows > 1:
			points[p] = ph.rows
		case ph.along(a) == 1:
			points[p] = s.Hi[p] - s.Lo[p] + 1
		default:
			points[p] = 1
		}
	}
	return points
}

// held returns about how many 32-bit registers hold values of a tile at once: those
// that a row of points shares with the next, and what one step leaves for the next.
func (k *Counter) held(ph *plan, slices []astgen.Slice) (most int) {
	for _, s := range slices {
		row := ph.mine(s)
		n := int(product(row))
		if len(row) > 0 {
			row[0] = 1
		}
		for _, d := range k.demands(s.Stmt, row, true) {
			n += int(d.reads) * d.array.Elem.Words()
		}
		most = max(most, n)
	}
	return min(most, registersFor(ph.device, ph.threads))
}

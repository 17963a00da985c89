package gpu

import (
	"encoding/binary"
	"fmt"

	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/scop"
)

// This file says about how many values straight code loads and holds, at little
// cost: exactly what keep leaves, but for values that live from step to step.

// A demand is what a thread asks of an array at the points that it runs in a step.
type demand struct {
	array  *scop.Array
	reads  int64 // different elements, in straight code
	writes int64
}

// demands returns what a thread that runs a box of so many points in a step of
// st asks of arrays. Where it is no straight code, each access counts.
func (k *Counter) demands(st *scop.Stmt, points []int64, straight bool) []demand {
	key := fmt.Sprint(st.Order, points, straight)
	if have, ok := k.asked[key]; ok {
		return have
	}
	all := make([]demand, 0, len(k.reaches))
	at := map[*scop.Array]int{}
	seen := map[string]bool{}
	var element []byte
	for _, acc := range st.Accesses {
		i, ok := at[acc.Array]
		if !ok {
			i = len(all)
			at[acc.Array] = i
			all = append(all, demand{array: acc.Array})
		}
		l, known := k.layouts.of[acc.Array]
		switch {
		case acc.Write:
			all[i].writes += product(points)
		case !straight || !known:
			all[i].reads += product(points)
		default:
			eachPoint(points, func(x []int64) {
				element = binary.AppendVarint(element[:0], int64(i))
				for d, p := range l.space {
					off := l.offsets[acc][d]
					if p >= 0 {
						off += x[p]
					}
					element = binary.AppendVarint(element, off)
				}
				if !seen[string(element)] {
					seen[string(element)] = true
					all[i].reads++
				}
			})
		}
	}
	k.asked[key] = all
	return all
}

// eachPoint calls f with each point of a box at 0. f must not keep it.
func eachPoint(shape []int64, f func([]int64)) {
	x := make([]int64, len(shape))
	var walk func(d int)
	walk = func(d int) {
		if d == len(shape) {
			f(x)
			return
		}
		for x[d] = 0; x[d] < shape[d]; x[d]++ {
			walk(d + 1)
		}
	}
	walk(0)
}

func product(ns []int64) int64 {
	all := int64(1)
	for _, n := range ns {
		all *= n
	}
	return all
}

// mine returns how many neighbouring points along each space dimension a thread runs in s together.
func (ph *phase) mine(s astgen.Slice) []int64 {
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
func (k *Counter) held(ph *phase, slices []astgen.Slice) (most int) {
	for _, s := range slices {
		row := ph.mine(s)
		n := int(product(row))
		if len(row) > 0 {
			row[0] = 1
		}
		for _, d := range k.demands(s.Stmt, row, true) {
			n += int(d.reads) * words(d.array.Elem)
		}
		most = max(most, n)
	}
	return min(most, ph.device.registersFor(ph.threads))
}

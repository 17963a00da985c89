package main

import "strings"

// This file says which part of a tile warps spend how long in.

// A part is what stands below one comment of a kernel: a step, a copy.
type part struct {
	name           string
	clocks, issued float64 // of a warp on average, for a tile
	unit           float64 // the clocks that accesses to memory of all warps take
}

// parts returns those of b in the order of the text, and how long warps wait for others at barriers.
func (b body) parts(text string, byLine map[int]float64, trace [][]step, blocks int) (all []part) {
	issued, unit := map[int]float64{}, map[int]float64{}
	for _, steps := range trace {
		for _, s := range steps {
			issued[s.Line] += 1 / float64(len(trace))
			if pipeOf(s.Instruction) == memory && s.lanes > 0 {
				unit[s.Line] += float64(max(1, s.Bytes()/4) * int64(blocks))
			}
		}
	}
	now := part{name: "before"}
	add := func() {
		if now.clocks > 0 {
			all = append(all, now)
		}
	}
	lines := strings.Split(text, "\n")
	for i := b.first; i <= b.last; i++ {
		if name, ok := strings.CutPrefix(strings.TrimSpace(lines[i-1]), "// "); ok {
			add()
			now = part{name: name}
		}
		now.clocks += byLine[i]
		now.issued += issued[i]
		now.unit += unit[i]
	}
	add()
	return append(all, part{name: "waiting for other warps", clocks: byLine[barrierLine]})
}

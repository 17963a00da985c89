package model

import (
	"github.com/hexcc/hexcc/gpu/lower"
	"github.com/hexcc/hexcc/machine"
	"github.com/hexcc/hexcc/schedule"
)

// This file says which array stays in global memory where no tile fits shared memory.

// dearest returns the name of the array whose room in shared memory costs the
// most in tiles, beside those that are asked to lie there or not: without it, the fewest bytes more move between global memory
// and the chip for each byte of room in a tile of phase 0. An array without which that tile fits
// goes before those that leave too little room. "" if no array takes any.
func dearest(tiles *schedule.Schedule, d machine.Device, asked Asked) (name string) {
	all := lower.NewCounter(tiles.Canonical, d, asked.Options()).Rough(tiles, 0)
	var least float64 // bytes moved for a byte of room
	var fits bool
	for _, a := range tiles.Canonical.Scop.Arrays {
		if asked.Leave.Has(a) || asked.Stage[a.Name] || tiles.Overlaps() && !a.Const {
			continue
		}
		without := lower.NewCounter(tiles.Canonical, d, asked.With(a.Name, "a try").Options()).Rough(tiles, 0)
		freed := all.SharedBytes - without.SharedBytes
		if freed <= 0 {
			continue
		}
		price, enough := float64(without.Bytes-all.Bytes)/float64(freed), without.SharedBytes <= int64(d.SharedBytes)
		if name == "" || enough && !fits || enough == fits && price < least {
			name, least, fits = a.Name, price, enough
		}
	}
	return name
}

// smallest returns the tiles of the lattice that take the least shared memory.
func (s *search) smallest() (tiles *schedule.Schedule) {
	var least int64
	l := s.lattice()
	for _, h := range l.heights { // of each, the narrowest: what a tile takes does not fall where a width grows
		sizes := schedule.Sizes{H: h}
		for _, widths := range l.widthsOver(l.least(h)) {
			sizes.W = append(sizes.W, widths[0])
		}
		x := s.tiles(sizes)
		if n := s.counter.SharedBytes(x, 0); tiles == nil || n < least {
			tiles, least = x, n
		}
	}
	return tiles
}

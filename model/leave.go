package model

import (
	"github.com/hexcc/hexcc/gpu/lower"
	"github.com/hexcc/hexcc/schedule"
)

// This file says which array stays in global memory where no tile fits shared memory.

// dearest returns the name of the array whose room in shared memory costs the
// most, beside those of leave: without it, the fewest bytes more move between global memory
// and the chip for each byte of room in the smallest tile. An array without which that tile fits
// goes before those that leave too little room. "" if no array takes any.
func (s *search) dearest(leave lower.Leave) (name string) {
	tiles := s.smallest()
	all := s.counter.Rough(tiles, 0)
	var least float64 // bytes moved for a byte of room
	var fits bool
	for _, a := range s.space.Scop.Arrays {
		if leave.Has(a) {
			continue
		}
		without := lower.NewCounter(s.space, s.device, lower.Options{Leave: leave.With(a.Name, "a try")}).Rough(tiles, 0)
		freed := all.SharedBytes - without.SharedBytes
		if freed <= 0 {
			continue
		}
		price, enough := float64(without.Bytes-all.Bytes)/float64(freed), without.SharedBytes <= int64(s.device.SharedBytes)
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

package lower

import (
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
)

// This file lowers tiles that stream and that no bound of the domain, or of an array, cuts across the stream. Their loops run between numbers, and no copy asks
// whether an element exists; bounds along the stream are conditions on positions, the same for all threads, as in other tiles.

// noInstance are the rows of slices that have no instance.
func noInstance() []affine.Sum { return []affine.Sum{affine.Num(-1)} }

func isAbsent(rows []affine.Sum) bool {
	return len(rows) == 1 && rows[0].IsNum() && rows[0].Const < 0
}

// uncut returns ph for tiles that no bound cuts across the stream, in which there are instances of these slices only.
func (ph *plan) uncut(present []astgen.Slice) *tiles {
	p := *ph
	p.all = slices.Clone(ph.all)
	for i := range p.all {
		s := &p.all[i]
		is := slices.ContainsFunc(present, func(f astgen.Slice) bool { return f.A == s.A && f.Stmt == s.Stmt })
		if s.Whole = nil; !is {
			s.Rows = noInstance()
			continue
		}
		s.Rows = slices.DeleteFunc(slices.Clone(s.Rows), func(r affine.Sum) bool { return ph.names.AcrossStream(ph.streaming(), r) })
	}
	return &tiles{plan: &p, uncut: true}
}

// existing returns the rows that hold where the element of pl at the loop variables exists: less those across the stream in a tile that no bound cuts there, and none
// where none cuts it at all.
func (f *staged) existing(ph *tiles, pl *plane) []affine.Sum {
	rows := f.insideArray(ph, pl)
	if !ph.uncut || f.ring.dim < 0 {
		return rows
	}
	return slices.DeleteFunc(rows, func(r affine.Sum) bool {
		across := func(name string) bool { return name != f.vars[slices.Index(f.loop, f.ring.dim)] && r.Coef(name) != 0 }
		return ph.whole || slices.ContainsFunc(f.vars, across)
	})
}

package stream

// This file is about warps side by side along a strip. They run the same steps, each of lines of its own, and each a period behind the one before it. What a warp reads of lines
// before its first one, that one has computed, or, of the first warp, the strip before. Rings hold them in this order:
//
//	numbers of a ring for a last line, by warps in time q and across v, of which there are 3
//
//	  q = 0:                  0 v=0  1 v=1  2 v=2
//	  q = 1:  3 strip before  4 v=0  5 v=1  6 v=2
//	  q = 2:  7 strip before  8 v=0  9 v=1  10 v=2
//
// so that all warps read what is one number before theirs, and the last number of each q but the first is what the strip behind gets. The first warps in time hand on what they
// have got by copies in rings of their own. Rings for lines that only the warp itself goes on with have no numbers for strips before.

// gap returns how many numbers there are for the strip before, in rings for a line.
func (l *lowering) gap(line int64) int {
	if l.across > 1 && line >= l.lines-l.halo {
		return 1
	}
	return 0
}

// number returns which number of a ring for a line it is that warp v across reads, of those that are q-th in time.
func (l *lowering) number(line int64, q, v int) int {
	return q*(l.across+l.gap(line)) + v
}

// behind returns how many periods w is behind the first warp.
func (w warp) behind() int { return w.order + w.across }

// latest returns by how many periods the last warp is behind the first one.
func (l *lowering) latest() int { return l.shape.Warps - 1 + l.across - 1 }

// handsOn reports whether warps hand a line of a step before the first one on, which they have got from a copy: there would be no slot for one more period of those.
func (w *writer) handsOn(s *sheet, line int64) bool {
	return w.across > 1 && w.warps[0].order == 0 && s.row.last(w.lines, line) && s.at(line-w.lines) != nil
}

// late returns how many beats after other lines a warp may read a line before its first one, of a step of the warps before it in time or of its own, at most: it has been
// written as many beats before that as halos says, and its slot is written again Slots beats later, with a barrier between.
func (l *lowering) late(own bool, slots int) int64 {
	most := int64(slots - l.shape.ahead()*l.shape.Period)
	if !own {
		most -= int64(l.shape.Period)
	}
	return most
}

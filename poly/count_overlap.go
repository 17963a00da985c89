package poly

// This file counts unions by inclusion and exclusion: |A or B| = |A| + |B| - |A and B|. Parts that are made disjoint have
// constraints of each other, and so more vertices and floors; intersections are single conjunctions. Which of the two ways
// gives the shorter count depends on the parts.

const (
	maxShort    = 40 // the size of a count that needs no other way
	maxOverlaps = 40 // intersections that are counted
)

// sizeOf returns about how long the text of pieces is: terms of values, and constraints.
func sizeOf(pieces []countPiece) (size int) {
	for _, p := range pieces {
		size += len(p.value.terms)
		for _, b := range p.dom {
			size += len(b.rows)
		}
	}
	return size
}

// overlapping returns what counter c counts for parts, grouped by tuples, by inclusion and exclusion, or false if that
// would pass a bound. It may take a quarter of the steps that an operation may take, if the operation has them left.
func (c *counter) overlapping(groups [][]Basic, first func(Space) int) (pieces []countPiece, ok bool) {
	spent := 3 * maxSteps / 4
	var scope *Scope
	for _, parts := range groups {
		if m := parts[0].meter; m.runs() {
			spent = max(spent, m.spent)
		}
		if s := parts[0].meter.part(); s != nil {
			scope = s
		}
	}
	trial := &meter{op: "count", spent: spent, scope: scope}
	defer trial.end()
	overlaps := 0
	var add func(b Basic, others []Basic, sign int64) error
	add = func(b Basic, others []Basic, sign int64) error {
		if overlaps++; overlaps > maxOverlaps {
			return &LimitError{Op: "count", What: "intersections", Bound: maxOverlaps}
		}
		if err := c.count(b, first(b.space), sign); err != nil {
			return err
		}
		for i, o := range others {
			if both, ok := b.intersect(o); ok && !both.isEmpty() {
				if err := add(both, others[i+1:], -sign); err != nil {
					return err
				}
			}
		}
		return nil
	}
	err := Limited(func() error {
		for _, parts := range groups {
			parts = trial.on(parts)
			for i, b := range parts {
				if err := add(b, parts[i+1:], 1); err != nil {
					return err
				}
			}
		}
		pieces = c.pieces()
		return nil
	})
	return pieces, err == nil
}

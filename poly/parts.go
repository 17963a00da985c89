package poly

import "slices"

// This file has what sets and relations share: unions of Basics over the same parameters. Basics of the same tuples
// have the same dimension names.

// withParams returns b over params, which include its own.
func (b Basic) withParams(params []string) Basic {
	if slices.Equal(b.space.Params, params) {
		return b
	}
	space := b.space
	space.Params = params
	cols := paramCols(b.space.Params, params)
	cols = seq(cols, space.inCol(), len(space.In.Dims)+len(space.Out.Dims))
	return b.mustMove(space, cols)
}

// move returns b over space, where column i of b is column to[i], or false if that makes it plainly empty.
func (b Basic) move(space Space, to []int) (Basic, bool) {
	s := newSystem(space.cols(), 0)
	s.borrow(b)
	s.add(b, to)
	moved, ok := s.finish(space)
	s.giveBack()
	return moved, ok
}

// mustMove is move for columns that stay apart, which cannot make b empty unless it was.
func (b Basic) mustMove(space Space, to []int) Basic {
	if moved, ok := b.move(space, to); ok {
		return moved.with(b.known)
	}
	return emptyBasic(space)
}

// emptyBasic returns a Basic without points.
func emptyBasic(space Space) Basic {
	v := newVec(space.cols())
	v[0] = minusOne
	return Basic{space: space, rows: []row{{c: v}}}
}

// paramsOf returns the parameters that all parts share.
func paramsOf(parts []Basic) []string {
	if len(parts) == 0 {
		return nil
	}
	return parts[0].space.Params
}

// align returns the parts of both over the same parameters and with the same dimension names, those of a.
func align(a, b []Basic) (x, y []Basic) {
	if len(a) == 0 || len(b) == 0 {
		return a, b
	}
	params := mergeParams(paramsOf(a), paramsOf(b))
	return overParams(a, params), renamed(overParams(b, params), a)
}

// overParams returns parts over params.
func overParams(parts []Basic, params []string) []Basic {
	if slices.Equal(paramsOf(parts), params) {
		return parts
	}
	moved := make([]Basic, len(parts))
	for i, b := range parts {
		moved[i] = b.withParams(params)
	}
	return moved
}

// renamed returns parts with the dimension names that like has for the same tuples.
func renamed(parts, like []Basic) []Basic {
	parts = slices.Clone(parts)
	for i, b := range parts {
		for _, l := range like {
			if b.space.sameTuples(l.space) {
				parts[i].space = b.space.named(l.space)
				break
			}
		}
	}
	return parts
}

// tidy returns parts without repetitions. The parts share their parameters.
func tidy(op string, parts []Basic) []Basic {
	kept := make([]Basic, 0, len(parts))
	var hashes []uint64 // of those that are kept
	for _, b := range parts {
		h := b.hash()
		repeated := false
		for i, k := range hashes {
			if repeated = k == h && kept[i].same(b); repeated {
				break
			}
		}
		if !repeated {
			kept, hashes = append(kept, b), append(hashes, h)
		}
	}
	if len(kept) > maxParts {
		panic(&LimitError{Op: op, What: "parts", Bound: maxParts})
	}
	return renamed(kept, kept)
}

func unite(a, b []Basic) []Basic {
	a, b = align(a, b)
	return tidy("union", slices.Concat(a, b))
}

func intersect(a, b []Basic) []Basic {
	defer begin("intersect", &a, &b).end()
	a, b = align(a, b)
	var parts []Basic
	near := nearby(a, b, allColumns)
	for i, x := range a {
		for j, y := range b {
			if !x.space.sameTuples(y.space) || !near(i, j) {
				continue
			}
			if both, ok := x.intersect(y); ok {
				parts = both.appendTo(parts, len(a) == 1 && len(b) == 1)
			}
		}
	}
	return tidy("intersect", parts)
}

// appendTo appends b to parts, if only is set, or else if it has points.
func (b Basic) appendTo(parts []Basic, only bool) []Basic {
	switch {
	case only:
		return append(parts, b)
	case !b.isEmpty():
		return append(parts, b.with(inhabited))
	}
	return parts
}

// allEmpty reports whether no part has integer points.
func allEmpty(parts []Basic) bool {
	if len(parts) > 1 {
		defer begin("emptiness", &parts).end()
	}
	return !slices.ContainsFunc(parts, func(b Basic) bool { return !b.isEmpty() })
}

// project returns b over space, where column i of b is column to[i], or is eliminated where to[i] < 0.
func (b Basic) project(space Space, to []int) []Basic {
	unknowns := 0
	cols := slices.Clone(to)
	for i, c := range cols {
		if c < 0 {
			cols[i] = space.cols() + unknowns
			unknowns++
		}
	}
	s := newSystem(space.cols(), unknowns)
	s.add(b, cols)
	parts := s.project(space)
	if len(parts) == 1 {
		parts[0] = parts[0].with(b.known & inhabited)
	}
	return parts
}

// project eliminates all unknowns of s and returns the result as parts over space.
func (s *system) project(space Space) []Basic {
	var parts []Basic
	for _, c := range s.eliminate() {
		if b, ok := c.finish(space); ok {
			parts = append(parts, b)
		}
	}
	return parts
}

// fixParam returns parts with the parameter replaced by v.
func fixParam(parts []Basic, name string, v int64) []Basic {
	var fixed []Basic
	for _, b := range parts {
		at := slices.Index(b.space.Params, name)
		if at < 0 {
			return parts
		}
		space := b.space
		space.Params = slices.Delete(slices.Clone(space.Params), at, at+1)
		s := newSystem(space.cols(), 0)
		images := make([]image, b.space.cols(), b.width())
		for i := range images {
			switch {
			case i <= at:
				images[i].col = i
			case i == at+1:
				images[i].aff = vec{NewInt(v)}
			default:
				images[i].col = i - 1
			}
		}
		s.addImages(b, images)
		if f, ok := s.finish(space); ok {
			fixed = append(fixed, f)
		}
	}
	return tidy("fix", fixed)
}

package poly

import "slices"

// Gist returns a set with the fewest constraints it can find that has the points of s inside context; outside
// it may have any. A context without tuple, like [N] -> { : N >= 1 }, is about the parameters alone.
func (s Set) Gist(context Set) Set {
	record(s, context)
	return Set{gist(s.parts, context.parts)}
}

// Gist returns a relation with the fewest constraints it can find that has the pairs of m inside context; outside
// it may have any.
func (m Map) Gist(context Map) Map {
	record(m, context)
	return Map{gist(m.parts, context.parts)}
}

// GistParams is Gist for a context that is about the parameters alone, like [N] -> { : N >= 1 }.
func (m Map) GistParams(context Set) Map {
	record(m, context)
	return Map{gist(m.parts, context.parts)}
}

// gist drops constraints of parts that context implies, given those that stay, and parts that do not meet context.
func gist(parts, context []Basic) []Basic {
	defer begin("gist", &parts, &context).end()
	parts, context = align(parts, context)
	var kept []Basic
	for _, b := range parts {
		var known []*system
		meets := false
		for _, c := range context {
			if s, ok := b.inContext(c); ok {
				known = append(known, s)
				meets = meets || !s.empty()
			}
		}
		if meets {
			kept = append(kept, b.gist(known, nil))
		}
	}
	return tidy("gist", kept)
}

// inContext returns the points of c, of b's tuples, with b's rows as the last ones, or false if b and c cannot meet.
func (b Basic) inContext(c Basic) (*system, bool) {
	s := newSystem(b.space.cols(), 0)
	switch {
	case c.space.sameTuples(b.space):
		s.add(c, c.space.identityCols())
	case c.space.isParams():
		s.add(c, seq(nil, 0, c.space.cols()))
	default:
		return nil, false
	}
	s.add(b, b.space.identityCols())
	return s, true
}

// gist returns b without the rows that are implied, given those that stay, in each of the contexts, whose last rows
// are those of b. Of some rows it may be known that they are needed.
func (b Basic) gist(contexts []*system, known []bool) Basic {
	kept := slices.Clone(b.rows)
	for i := len(kept) - 1; i >= 0; i-- {
		if i < len(known) && known[i] {
			continue
		}
		at := func(s *system) int { return len(s.rows) - len(kept) + i }
		if slices.ContainsFunc(contexts, func(s *system) bool { return !s.impliedByOthers(at(s)) }) {
			continue
		}
		for _, s := range contexts {
			s.rows = slices.Delete(s.rows, at(s), at(s)+1)
		}
		kept = slices.Delete(kept, i, i+1)
	}
	s := newSystem(b.space.cols(), 0)
	s.add(Basic{space: b.space, divs: b.divs, rows: kept}, b.space.identityCols())
	g, _ := s.finish(b.space)
	return g
}

// impliedByOthers reports whether row i holds at all integer points where the other rows hold.
func (s *system) impliedByOthers(i int) bool {
	r := s.rows[i]
	for _, side := range r.outside() {
		c := s.clone()
		c.rows[i] = side
		if !c.empty() {
			return false
		}
	}
	return true
}

// outside returns the rows that together hold where r does not.
func (r row) outside() []row {
	below := row{c: r.c.complement()}
	if !r.eq {
		return []row{below}
	}
	above := r.c.clone()
	above[0] = above[0].Sub(one)
	return []row{below, {c: above}}
}

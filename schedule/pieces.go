package schedule

import (
	"fmt"
	"slices"

	"github.com/hexcc/hexcc/poly"
	"github.com/hexcc/hexcc/scop"
)

// This file takes nests apart where parts of them depend on different nests of the same iteration, each at a distance
// of its own. As a whole such a nest is a level of its own (level.go); its parts share one with what they depend on:
//
//	for i { b[i][0] = b[i][1] }  for j { b[0][j] = b[1][j] }     the second at j = 0 behind the first, else behind what sets b[1][j]
//
// Without that, ghost cells with their corners would make the whole stencil take a step more in each iteration, and a copy of
// the whole grid behind them another one.

// maxPieces bounds the statements of a program that nests were taken apart in.
const maxPieces = 32

// Pieces returns p, with nests taken apart if an iteration then has fewer levels. Where it has even fewer but for very small sizes, at
// which the two sides of a grid are the same or next to each other, these are left out of the context: facts are what was added to
// those of p, to be tested before.
func Pieces(p *scop.Program) (q *scop.Program, facts []scop.Fact) {
	q = p
	if !severalWriters(p) {
		return q, nil
	}
	_ = poly.Limited(func() error { // what is too hard stays whole
		best, levels, rounds := apart(p)
		if levels == 0 {
			return nil
		}
		q = best
		if levels == 1 {
			return nil
		}
		larger := small(p, rounds)
		if len(larger) == 0 {
			return nil
		}
		if sized := p.Relying(larger); sized.Context.IsEmpty() {
			return nil
		} else if best, fewer, _ := apart(sized); fewer < levels {
			q, facts = best, larger
		}
		return nil
	})
	return q, facts
}

// apart returns p with its nests taken apart such that an iteration has the fewest levels that are found, in as few
// statements as that takes; how many levels; 0 if p has no levels; and the dependences of an iteration by round, of p and of what
// it was taken apart into, nil if one of those has no levels.
func apart(p *scop.Program) (best *scop.Program, levels int, rounds [][][]sameIteration) {
	best = p
	q := p
	for range maxRounds {
		deps, err := dependencesOfIteration(q)
		if err != nil {
			return best, levels, nil
		}
		c, same := aligned(q), byTarget(q, deps)
		if c.level(same, true); c.checkSpaceLoops(deps) != nil {
			return best, levels, nil
		}
		if levels == 0 || c.K < levels {
			best, levels = q, c.K
		}
		rounds = append(rounds, same)
		pieces, ok := c.pieces(same)
		if !ok || c.K == 1 {
			break
		}
		split := q.Split(pieces)
		if len(split.Stmts) > maxPieces { // only what runs last
			for i := range pieces {
				if c.Levels[i] < c.K-1 {
					pieces[i] = nil
				}
			}
			split = q.Split(pieces)
		}
		if q = split; len(q.Stmts) > maxPieces {
			break
		}
	}
	return best, levels, rounds
}

// mostSmall is the greatest size that is small.
const mostSmall = 4

// small returns of which sizes p would have to be larger for some dependences between nests of an iteration not to be there: those
// that are there only where a parameter is at most mostSmall.
func small(p *scop.Program, rounds [][][]sameIteration) (facts []scop.Fact) {
	larger := make([][mostSmall + 1]poly.Set, len(p.Params)) // by parameter, and by what it is larger than
	row := func(param int, most int64) scop.Affine {
		r := scop.Affine{Const: -most - 1, Params: make([]int64, len(p.Params))}
		r.Params[param] = 1
		return r
	}
	for i := range p.Params {
		for most := int64(1); most <= mostSmall; most++ {
			set := poly.NewParamSet(p.ParamNames(), poly.NotNegative(p.Sum(row(i, most), nil))).Intersect(p.Context)
			if set.IsEmpty() {
				break // it is no size, but a number such as that of a plane
			}
			larger[i][most] = set
		}
	}
	for _, round := range rounds {
		for _, d := range slices.Concat(round...) {
			for i, sets := range larger {
				// What is not there for some sizes is not there for larger ones.
				most := int64(mostSmall)
				for most > 0 && sets[most].IsEmpty() {
					most--
				}
				if most == 0 || !d.part.IntersectParams(sets[most]).IsEmpty() {
					continue
				}
				for most > 1 && d.part.IntersectParams(sets[most-1]).IsEmpty() {
					most--
				}
				facts = withFact(facts, scop.Fact{Row: row(i, most), Text: fmt.Sprintf("%s >= %d", p.Params[i].Source(), most+1), Pos: p.Start()})
			}
		}
	}
	return facts
}

// withFact returns facts with f, of those on one parameter the strongest.
func withFact(facts []scop.Fact, f scop.Fact) []scop.Fact {
	i := slices.IndexFunc(facts, func(g scop.Fact) bool { return slices.Equal(f.Row.Params, g.Row.Params) })
	switch {
	case i < 0:
		return append(facts, f)
	case f.Row.Const < facts[i].Row.Const:
		facts[i] = f
	}
	return facts
}

// maxRounds bounds how often nests are taken apart: a part may depend on parts of another.
const maxRounds = 4

// severalWriters reports whether nests of p write one array, and another access uses it.
func severalWriters(p *scop.Program) bool {
	writers := map[*scop.Array]int{}
	for _, st := range p.Stmts {
		seen := map[*scop.Array]bool{}
		for _, a := range st.Accesses {
			if a.Write && !seen[a.Array] {
				seen[a.Array] = true
				writers[a.Array]++
			}
		}
	}
	for _, n := range writers {
		if n > 1 {
			return len(p.Stmts) > 2
		}
	}
	return false
}

// pieces returns the parts of statements, for scop.Program.Split, that are a level behind what they depend on only because parts
// of them depend on it at different distances; ok is false if there are none.
func (c *Canonical) pieces(same [][]sameIteration) (all [][][]scop.Affine, ok bool) {
	all = make([][][]scop.Affine, len(c.Scop.Stmts))
	for dst, list := range same {
		last := -1
		for _, d := range list {
			last = max(last, c.Levels[d.Src.Order])
		}
		if last < 0 || c.Levels[dst] == last {
			continue
		}
		st := c.Scop.Stmts[dst]
		cuts := make([][]scop.Affine, len(st.Iters))
		for _, d := range list {
			if c.Levels[d.Src.Order] == last {
				c.cut(st, d.part.Range(), cuts)
			}
		}
		if parts := c.parts(st, cuts); len(parts) > 1 {
			all[dst], ok = parts, true
		}
	}
	return all, ok
}

// cut adds, by iterator, the rows that are >= 0 in set and not everywhere in the domain of st, if they are over one iterator of space.
func (c *Canonical) cut(st *scop.Stmt, set poly.Set, cuts [][]scop.Affine) {
	for _, b := range set.Basics() {
		for _, con := range b.Constraints() {
			rows := []poly.Affine{con.Affine}
			if con.Eq {
				rows = append(rows, negated(con.Affine))
			}
			for _, r := range rows {
				row, iter, ok := c.rowOf(st, r, b.Space().Params)
				if !ok || slices.ContainsFunc(cuts[iter], func(have scop.Affine) bool { return c.sameCut(st, have, row) }) {
					continue
				}
				if c.divides(st, row) {
					cuts[iter] = append(cuts[iter], outwards(row, iter))
				}
			}
		}
	}
}

// rowOf returns r, over instances of st, as a row of the program, and the iterator of space that it is over.
func (c *Canonical) rowOf(st *scop.Stmt, r poly.Affine, params []string) (row scop.Affine, iter int, ok bool) {
	row = scop.Affine{Const: r.Const, Iters: make([]int64, len(st.Iters)), Params: make([]int64, len(c.Scop.Params))}
	for i, k := range r.Out {
		if k == 0 {
			continue
		}
		if i == 0 || iter > 0 {
			return row, 0, false
		}
		row.Iters[i], iter = k, i
	}
	names := c.Scop.ParamNames()
	for i, k := range r.Params {
		if k != 0 {
			row.Params[slices.Index(names, params[i])] = k
		}
	}
	return row, iter, iter > 0 && !slices.ContainsFunc(r.Divs, func(k int64) bool { return k != 0 })
}

// outwards returns row or its opposite: that which is >= 0 on the side of the border, if loops start at numbers and end at parameters.
func outwards(row scop.Affine, iter int) scop.Affine {
	upper := slices.ContainsFunc(row.Params, func(k int64) bool { return k != 0 })
	if upper == (row.Iters[iter] > 0) {
		return row
	}
	return opposite(row)
}

// sameCut reports whether two rows part the instances of st alike.
func (c *Canonical) sameCut(st *scop.Stmt, x, y scop.Affine) bool {
	v := variables(st.Iters)
	a, b := c.Scop.Sum(x, v).Tighten(), c.Scop.Sum(y, v).Tighten()
	return a.Equal(b) || a.Equal(b.Negated().Tighten())
}

// divides reports whether some instances of st have row >= 0 and others have not.
func (c *Canonical) divides(st *scop.Stmt, row scop.Affine) bool {
	return !c.empty(st, row) && !c.empty(st, opposite(row))
}

// empty reports whether no instance of st, for parameters in the context, has all rows >= 0.
func (c *Canonical) empty(st *scop.Stmt, rows ...scop.Affine) bool {
	return c.Scop.Part(st, rows...).IntersectParams(c.Scop.Context).IsEmpty()
}

// parts returns the pieces of st between cuts: along each iterator where the first of its cuts holds, where the second does and
// the first does not, and so on.
func (c *Canonical) parts(st *scop.Stmt, cuts [][]scop.Affine) [][]scop.Affine {
	parts := [][]scop.Affine{nil}
	for _, along := range cuts {
		if len(along) == 0 {
			continue
		}
		var ways [][]scop.Affine
		var before []scop.Affine
		for _, row := range along {
			ways = append(ways, append(slices.Clone(before), row))
			before = append(before, opposite(row))
		}
		ways = append(ways, before)
		var next [][]scop.Affine
		for _, p := range parts {
			for _, w := range ways {
				next = append(next, slices.Concat(p, w))
			}
		}
		parts = next
	}
	return slices.DeleteFunc(parts, func(rows []scop.Affine) bool { return c.empty(st, rows...) })
}

// opposite returns the row that is >= 0 where row is not.
func opposite(row scop.Affine) scop.Affine {
	out := scop.Affine{Const: -row.Const - 1}
	for _, k := range row.Iters {
		out.Iters = append(out.Iters, -k)
	}
	for _, k := range row.Params {
		out.Params = append(out.Params, -k)
	}
	return out
}

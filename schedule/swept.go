package schedule

import (
	"fmt"
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/poly"
	"github.com/hexcc/hexcc/scop"
)

// This file places programs whose space loops carry dependences along one loop of a nest at a time: solvers of lines, whose sweeps go there
// and back. A level is then the statements whose instances depend on each other in one column only, and later along it:
//
//	for i { for k { p[i][k] = f(p[i][k-1]) }              s0 = k,          s1 = i
//	        for k down { x[i][k] = g(p[i][k], x[i][k+1]) } }      s0 = 2·n - k,    s1 = i
//
// Its first dimension is in order: tiles are one point wide there, and a block runs them one after the other (space.go). Columns, which the
// other dimensions tell apart, need nothing of each other. Which loop is the first dimension may differ by level, as in methods of alternating directions.

// Swept places the statements of p in a canonical space whose levels may have an order along the first dimension. The
// error, a diag.List, is that of Canonicalize where a nest carries dependences along several loops, or all that p has.
func Swept(p *scop.Program, deps []Dependence) (*Canonical, error) {
	_, refused := Canonicalize(p, deps)
	if refused == nil {
		return nil, fmt.Errorf("schedule: no space loop of the region in line %d carries a dependence", p.Region.StartLine)
	}
	var found *Canonical
	err := poly.Limited(func() error {
		if found = swept(p, deps); found == nil {
			return refused
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, st := range p.Stmts {
		found.Maps = append(found.Maps, found.relation(st).IntersectDomain(st.Domain))
	}
	return found, nil
}

// swept is Swept without Maps, of dependences of which those of one iteration of the time loop are enough; nil: there is no such space.
func swept(p *scop.Program, deps []Dependence) *Canonical {
	if dimensions(p) < 2 || slices.ContainsFunc(p.Stmts, func(st *scop.Stmt) bool { return st.Folded != nil }) {
		return nil
	}
	c := aligned(p)
	s := &sweeper{c: &c, arrays: slices.Clone(c.Places), same: oneIteration(p, deps), along: make([]int, len(p.Stmts))}
	for _, d := range carriedBySpace(deps) {
		if !s.carries(d) {
			return nil
		}
	}
	if s.levels(); s.broken() {
		return nil
	}
	c.level(s.same, false)
	return &c
}

// SweptAt reports whether the points of a level are in order along the first dimension.
func (c *Canonical) SweptAt(level int) bool { return c.Sweeps != nil && c.Sweeps[level] }

// A sweeper finds the levels of a program.
type sweeper struct {
	c      *Canonical
	arrays [][]Place         // by statement: where arrays put it
	same   [][]sameIteration // by target
	along  []int             // by statement: the iterator along which its instances depend on each other in one iteration of time, 0: none
}

// carries notes along which loop the instances that d relates lie apart; ok is false if there are several.
func (s *sweeper) carries(d Dependence) (ok bool) {
	for i := 1; i < len(d.Src.Iters); i++ {
		x, y := poly.In(i), poly.Out(i)
		apart := poly.NewMap(nil, d.Src.Tuple(), d.Dst.Tuple(), poly.Or(poly.Less(x, y), poly.Less(y, x)))
		if d.Map.Intersect(apart).IsEmpty() {
			continue
		}
		if at := &s.along[d.Src.Order]; *at != 0 && *at != i {
			return false
		} else {
			*at = i
		}
	}
	return true
}

// levels gives each statement the first level at which it can be placed: not before those of what it depends on.
func (s *sweeper) levels() {
	c := s.c
	c.Levels = make([]int, len(c.Scop.Stmts))
	for i := range c.Levels {
		c.Levels[i] = -1
	}
	for dst, list := range s.same {
		level := 0
		for _, d := range list {
			level = max(level, c.Levels[d.Src.Order])
		}
		for ; !s.place(level, dst); level++ {
		}
		c.Levels[dst], c.K = level, max(c.K, level+1)
	}
	c.Sweeps = make([]bool, c.K)
	for i, level := range c.Levels {
		c.Sweeps[level] = c.Sweeps[level] || s.along[i] > 0
	}
}

// place places statement dst and those of a level, such that they can run at it together; ok is false if they cannot.
func (s *sweeper) place(level, dst int) (ok bool) {
	g := &columns{sweeper: s, places: map[int][]Place{}}
	for i, at := range s.c.Levels {
		if at == level || i == dst {
			g.members = append(g.members, i)
			g.sweeps = g.sweeps || s.along[i] > 0
		}
	}
	if !g.place() {
		return false
	}
	for i, at := range g.places {
		s.c.Places[i] = at
	}
	return true
}

// broken reports whether a statement of a level depends on another one in a way that places do not keep: what was found first may
// not hold of statements that came later.
func (s *sweeper) broken() bool {
	for dst, list := range s.same {
		for _, d := range list {
			src := d.Src.Order
			if s.c.Levels[src] < s.c.Levels[dst] {
				continue
			}
			g := columns{sweeper: s, sweeps: s.c.Sweeps[s.c.Levels[dst]], places: map[int][]Place{src: s.c.Places[src], dst: s.c.Places[dst]}}
			if s.c.Levels[src] > s.c.Levels[dst] || !g.kept(d) {
				return true
			}
		}
	}
	return false
}

// columns are statements of one level under construction.
type columns struct {
	*sweeper
	members []int // in source order
	sweeps  bool  // the first dimension is in order
	places  map[int][]Place
}

// place places all members: first one that carries dependences, then those that depend on what is placed or the other way round, then others.
func (g *columns) place() (ok bool) {
	first := max(0, slices.IndexFunc(g.members, func(i int) bool { return g.along[i] > 0 }))
	g.places[g.members[first]] = g.alone(g.members[first])
	for len(g.places) < len(g.members) {
		next, links := g.next()
		if len(links) == 0 {
			g.places[next] = g.alone(next)
			continue
		}
		at, ok := g.linked(next, links)
		if !ok {
			return false
		}
		g.places[next] = at
	}
	return true
}

// next returns a member to place, and the dependences between it and those that are placed: one without any is last.
func (g *columns) next() (next int, links []sameIteration) {
	next = -1
	for _, i := range g.members {
		if g.places[i] != nil {
			continue
		}
		if links = g.links(i); len(links) > 0 {
			return i, links
		}
		if next < 0 {
			next = i
		}
	}
	return next, nil
}

// links returns the dependences between a statement and those that are placed.
func (g *columns) links(i int) (links []sameIteration) {
	for dst, list := range g.same {
		for _, d := range list {
			src := d.Src.Order
			if dst == i && g.places[src] != nil || src == i && g.places[dst] != nil {
				links = append(links, d)
			}
		}
	}
	return links
}

// alone returns the places of a statement that needs none that is placed: those that arrays give it, the loop along which it carries dependences first.
func (g *columns) alone(i int) []Place {
	at := slices.Clone(g.arrays[i])
	p := slices.IndexFunc(at, func(x Place) bool { return x.Iter == g.along[i] })
	if g.along[i] == 0 || p < 0 {
		return at
	}
	first := Place{Iter: g.along[i], Down: g.c.Scop.Stmts[i].CountsDown(g.along[i])}
	return append([]Place{first}, slices.Delete(at, p, p+1)...)
}

// linked returns places of statement i, one of the two of each of links, with which it is in one column with what it depends on,
// and behind it; ok is false if none of those that are tried are such.
func (g *columns) linked(i int, links []sameIteration) (at []Place, ok bool) {
	for _, iters := range g.orders(i) {
		if at, ok = g.inOrder(i, iters, links); ok {
			return at, true
		}
	}
	return nil, false
}

// orders returns the ways to give the loops of a statement to dimensions: by dimension an iterator, or -1. The order of its arrays is tried first.
func (g *columns) orders(i int) (all [][]int) {
	iters := make([]int, len(g.c.Space))
	for p, at := range g.alone(i) {
		iters[p] = at.Iter
	}
	var permute func(done, rest []int)
	permute = func(done, rest []int) {
		if len(rest) == 0 {
			if g.along[i] == 0 || done[0] == g.along[i] {
				all = append(all, slices.Clone(done))
			}
			return
		}
		for k, x := range rest {
			if slices.Index(rest, x) == k {
				permute(append(done, x), slices.Delete(slices.Clone(rest), k, k+1))
			}
		}
	}
	permute(nil, iters)
	return all
}

// inOrder places a statement whose loops are given to dimensions.
func (g *columns) inOrder(i int, iters []int, links []sameIteration) (at []Place, ok bool) {
	at = make([]Place, len(iters))
	g.places[i] = at
	defer delete(g.places, i)
	for p := len(iters) - 1; p >= 0; p-- {
		found := false
		for _, x := range g.candidates(i, p, iters[p], links) {
			at[p] = x
			if found = !slices.ContainsFunc(links, func(d sameIteration) bool { return !g.keeps(d, p) }); found {
				break
			}
		}
		if !found {
			return nil, false
		}
	}
	return at, true
}

// kept reports whether places keep d in all dimensions.
func (g *columns) kept(d sameIteration) bool {
	for p := range g.c.Space {
		if !g.keeps(d, p) {
			return false
		}
	}
	return true
}

// keeps reports whether the places of both statements of d keep it in a dimension: the target is no less than the source where points
// are in order, and at the same place elsewhere.
func (g *columns) keeps(d sameIteration, p int) bool {
	x := g.at(d.Src, p, poly.Ins(len(d.Src.Iters)))
	y := g.at(d.Dst, p, poly.Outs(len(d.Dst.Iters)))
	wrong := poly.Less(y, x)
	if p > 0 || !g.sweeps {
		wrong = poly.Or(wrong, poly.Less(x, y))
	}
	return d.part.Intersect(poly.NewMap(g.c.Scop.ParamNames(), d.Src.Tuple(), d.Dst.Tuple(), wrong)).IsEmpty()
}

// at returns a coordinate of an instance.
func (g *columns) at(st *scop.Stmt, p int, iters []affine.Sum) affine.Sum {
	at := g.places[st.Order][p]
	x := g.c.Scop.Sum(at.Shift, nil)
	if at.Iter >= 0 {
		x = x.Plus(iters[at.Iter].Times(at.Sign()))
	}
	return x
}

// candidates returns where statement i may lie in dimension p, of which an iterator is its loop, -1: none: where it touches the elements that
// what is placed touches; and in the order of a sweep, from the other end or from where the others end, too.
func (g *columns) candidates(i, p, iter int, links []sameIteration) (all []Place) {
	st := g.c.Scop.Stmts[i]
	ways := []bool{false, true}
	switch {
	case iter < 0:
		ways = ways[:1]
	case g.sweeps && p == 0 && g.along[i] > 0:
		ways = []bool{st.CountsDown(iter)}
	}
	add := func(x Place) {
		if !slices.ContainsFunc(all, func(y Place) bool { return samePlace(x, y) }) {
			all = append(all, x)
		}
	}
	for _, down := range ways {
		for _, d := range links {
			mine, other, st := d.DstAccess, d.SrcAccess, d.Src
			if d.Src.Order == i {
				mine, other, st = d.SrcAccess, d.DstAccess, d.Dst
			}
			if shift, ok := meeting(Place{Iter: iter, Down: down}, mine, g.places[st.Order][p], other); ok {
				add(Place{iter, down, shift})
			}
		}
		add(Place{Iter: iter, Down: down})
	}
	if g.sweeps && p == 0 {
		for _, down := range ways {
			for _, shift := range g.behind(i, Place{Iter: iter, Down: down}) {
				add(Place{iter, down, shift})
			}
		}
	}
	return all
}

func samePlace(x, y Place) bool {
	return x.Iter == y.Iter && x.Down == y.Down && isZero(difference(x.Shift, y.Shift))
}

func isZero(a scop.Affine) bool { return a.Const == 0 && isNumber(a) }

// meeting returns the shift of at with which instances that touch one element by mine and by other, which is placed, have the same place.
func meeting(at Place, mine *scop.Access, placed Place, other *scop.Access) (shift scop.Affine, ok bool) {
	for k, x := range mine.Index {
		y := other.Index[k]
		i, down := spaceIterator(x)
		j, otherDown := spaceIterator(y)
		if i != at.Iter || j != placed.Iter || x.Mod > 0 || y.Mod > 0 || i < 0 && j < 0 {
			continue
		}
		// Element e = ±i + x = ±j + y lies at sign·e + rest of the placed one, for i and j that do occur.
		sign := int64(1)
		switch {
		case j >= 0:
			sign = placed.Sign() * signOf(otherDown)
		case i >= 0:
			sign = at.Sign() * signOf(down)
		}
		if i >= 0 && at.Sign()*signOf(down) != sign {
			continue
		}
		return difference(placed.Shift, times(difference(shiftOf(y), shiftOf(x)), sign)), true
	}
	return scop.Affine{}, false
}

func signOf(down bool) int64 {
	if down {
		return -1
	}
	return 1
}

// times returns k·a, which has no iterators.
func times(a scop.Affine, k int64) scop.Affine {
	out := scop.Affine{Const: k * a.Const}
	for _, x := range a.Params {
		out.Params = append(out.Params, k*x)
	}
	return out
}

// behind returns shifts of at in the first dimension with which statement i starts where another one that is placed ends, or one further.
func (g *columns) behind(i int, at Place) (shifts []scop.Affine) {
	starts := g.ends(i, at, false)
	for _, j := range g.members {
		if g.places[j] == nil || j == i {
			continue
		}
		for _, end := range g.ends(j, g.places[j][0], true) {
			for _, start := range starts {
				for more := range int64(2) {
					shift := difference(end, start)
					shift.Const += more
					shifts = append(shifts, shift)
				}
			}
		}
	}
	return shifts
}

// ends returns sums of parameters that no instance of a statement lies before at a place, or behind if last is set.
func (g *columns) ends(i int, at Place, last bool) (all []scop.Affine) {
	if at.Iter < 0 {
		return []scop.Affine{at.Shift}
	}
	for _, row := range g.c.Scop.Stmts[i].Bounds {
		k := coef(row.Iters, at.Iter)
		if k*k != 1 || slices.ContainsFunc(slices.Delete(slices.Concat(row.Iters), at.Iter, at.Iter+1), func(c int64) bool { return c != 0 }) {
			continue
		}
		if upper := k < 0; upper != (last != at.Down) { // a bound of the iterator on that side
			continue
		}
		// k·iter + rest >= 0: the iterator ends at -rest/k, and the place at Shift + Sign·that.
		rest := times(scop.Affine{Const: row.Const, Params: row.Params}, k*at.Sign())
		all = append(all, difference(at.Shift, rest))
	}
	return all
}

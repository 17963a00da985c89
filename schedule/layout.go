package schedule

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/poly"
	"github.com/hexcc/hexcc/scop"
)

// A Layout says what a user wants of the canonical space. The zero Layout leaves
// all to Canonicalize.
type Layout struct {
	// Order lists the space dimensions, s0 first, by the loops that the first of
	// the deepest nests has for them. nil is the order of the array dimensions, but for
	// the first: the outermost along which a dependence has a distance is hexagonal. That of stride one comes last.
	Order []string
	// Places, by statement and space dimension, are taken as they are; then Order
	// must be nil. nil: found from the arrays, and moved to make the cone small.
	Places [][]Place
	// StrideOneFirst puts the dimension of stride one first, before the others in their order; then Order may name it first, too. Without, it may not be first.
	StrideOneFirst bool
	// Levels, by statement, of K levels are taken as they are; nil: found from the dependences.
	Levels []int
	K      int
	// Rows puts each nest where its arrays' rows are: s0 is the first subscript of those with most dimensions (rows.go). Order and Places then are nil.
	Rows   bool
	Sweeps []bool // by level, as Canonical has them; taken as they are, with Levels
}

// Canonicalize places the statements of p in its canonical space as l says. It
// fails with a diag.List where a space loop carries a dependence (HX201) or l
// is not possible (HX206).
func (l Layout) Canonicalize(p *scop.Program, deps []Dependence) (*Canonical, error) {
	c := aligned(p)
	if l.Rows {
		c = alignedByRows(p)
	}
	strideOne := c.Places[deepest(p).Order][len(c.Space)-1].Iter
	if err := c.reorder(l.Order); err != nil {
		return nil, err
	}
	if l.StrideOneFirst && l.Order == nil {
		c.leadWithStrideOne()
	}
	if l.Places != nil {
		c.Places = l.Places
	}
	if first := c.Places[deepest(p).Order][0].Iter; first == strideOne && len(c.Space) > 1 && !l.StrideOneFirst && !l.Rows && l.Sweeps == nil {
		return nil, strideOneFirst(deepest(p).Iters[first])
	}
	err := poly.Limited(func() error {
		if l.Order == nil && l.Places == nil && !l.StrideOneFirst && !l.Rows {
			c.leadWithMotion(deps)
		}
		c.Levels, c.K = l.Levels, l.K
		c.level(oneIteration(c.Scop, deps), l.Places == nil && !l.Rows)
		if c.Sweeps = l.Sweeps; l.Sweeps != nil {
			return nil // the proofs say whether they keep what space loops carry
		}
		if err := c.checkSpaceLoops(deps); err != nil {
			return err
		}
		if l.Places == nil && !l.Rows {
			c = c.turned(deps)
			c.Moves = append(c.Moves, c.moves(deps)...)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, m := range c.Moves {
		if !m.Shares {
			c = c.moved(m)
		}
	}
	for _, st := range p.Stmts {
		c.Maps = append(c.Maps, c.relation(st).IntersectDomain(st.Domain))
	}
	return &c, nil
}

// aligned returns the canonical space of p with its statements where the arrays put them, all at one level.
func aligned(p *scop.Program) Canonical {
	c := Canonical{Scop: p, Places: align(p)}
	for i := range dimensions(p) {
		c.Space = append(c.Space, spaceName(i))
	}
	return c
}

func spaceName(i int) string { return fmt.Sprint("s", i) }

// turned returns c with those classical dimensions turned round in which
// distances are unbounded from below only: there tiles could not lean enough.
func (c Canonical) turned(deps []Dependence) Canonical {
	for dim := 1; dim < len(c.Space); dim++ {
		if !c.bounded(deps, dim, negated) && c.bounded(deps, dim, func(ds poly.Affine) poly.Affine { return ds }) {
			c = c.turnedRound(dim)
		}
	}
	return c
}

// bounded reports whether dtau bounds the given side of all distances in a dimension.
func (c *Canonical) bounded(deps []Dependence, dim int, side func(poly.Affine) poly.Affine) bool {
	return !slices.ContainsFunc(deps, func(d Dependence) bool {
		_, ok := d.Map.Intersect(c.tauRelation(d, poly.AtMost, 1)).MaxRatio(side(c.distance(d, dim)), c.distance(d, -1))
		return !ok
	})
}

// deepest returns the first of the nests with the most loops.
func deepest(p *scop.Program) *scop.Stmt {
	return slices.MaxFunc(p.Stmts, func(a, b *scop.Stmt) int { return len(a.Iters) - len(b.Iters) })
}

// loops returns the loops of the deepest nest in the order of the space dimensions.
func (c *Canonical) loops() (names []string) {
	st := deepest(c.Scop)
	for _, at := range c.Places[st.Order] {
		if at.Iter >= 0 {
			names = append(names, st.Iters[at.Iter])
		}
	}
	return names
}

// reorder puts the space dimensions in the order of loops, if there are any.
func (c *Canonical) reorder(loops []string) error {
	if len(loops) == 0 {
		return nil
	}
	have := c.loops()
	from := make([]int, len(loops))
	for p, name := range loops {
		from[p] = slices.Index(have, name)
	}
	if !isPermutation(from, len(c.Space)) {
		return diag.List{{
			Code: "HX206",
			Msg:  fmt.Sprintf("the order %s of space dimensions does not name each space loop once", strings.Join(loops, ",")),
			Help: "the space loops are " + strings.Join(have, ", "),
		}}
	}
	c.permute(from)
	return nil
}

// permute makes dimension from[p] dimension p.
func (c *Canonical) permute(from []int) {
	for i, old := range c.Places {
		c.Places[i] = make([]Place, len(old))
		for p := range from {
			c.Places[i][p] = old[from[p]]
		}
	}
}

// leadWithMotion puts a dimension first along which values travel: a hexagon gains nothing along another one, such as the
// levels of independent planes. The last, of stride one, stays.
func (c *Canonical) leadWithMotion(deps []Dependence) {
	for p := range len(c.Space) - 1 {
		if c.still(deps, p) {
			continue
		}
		from := []int{p}
		for q := range c.Space {
			if q != p {
				from = append(from, q)
			}
		}
		c.permute(from)
		return
	}
}

// leadWithStrideOne puts the last dimension first.
func (c *Canonical) leadWithStrideOne() {
	last := len(c.Space) - 1
	from := []int{last}
	for p := range last {
		from = append(from, p)
	}
	c.permute(from)
}

// still reports whether no dependence has a distance in a dimension.
func (c *Canonical) still(deps []Dependence, dim int) bool {
	return !slices.ContainsFunc(deps, func(d Dependence) bool {
		far, ok := c.constant(d, d.Map, dim)
		return !ok || far != 0
	})
}

// isPermutation reports whether xs are 0, .., n-1 in some order.
func isPermutation(xs []int, n int) bool {
	sorted := slices.Sorted(slices.Values(xs))
	for i, x := range sorted {
		if x != i {
			return false
		}
	}
	return len(xs) == n
}

// strideOneFirst refuses to make the given loop hexagonal.
func strideOneFirst(loop string) error {
	return diag.List{{
		Code: "HX206",
		Msg:  fmt.Sprintf("the %s loop runs through neighbouring elements and cannot be the first space dimension", loop),
		Help: "the first dimension is cut into hexagons, whose rows differ in length: let another loop be it, so that threads read neighbouring elements together",
	}}
}

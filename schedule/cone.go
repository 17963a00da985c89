package schedule

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/internal/parallel"
	"github.com/hexcc/hexcc/poly"
	"github.com/hexcc/hexcc/scop"
)

// This file bounds the dependence distances, section 3.3.2 of the paper: the
// slopes of the cone are the optima of linear programs over the dependences.

// BoundCone returns the smallest cone around the distances of deps, whose
// slopes are clamped at 0: with negative ones hexagons do not tile. It fails with a
// diag.List (HX202) where a distance in space is not bounded by a multiple of
// the distance in time; only in a classical dimension may it be unbounded from
// above, as classical tiles run in order and lean by the slope below alone.
func BoundCone(c *Canonical, deps []Dependence) (cone Cone, err error) {
	for range c.Space {
		cone.Lo = append(cone.Lo, new(big.Rat))
		cone.Hi = append(cone.Hi, new(big.Rat))
	}
	var free []escape
	err = poly.Limited(func() error {
		for i, sides := range parallel.Map(deps, c.sides) {
			free = append(free, cone.widen(deps[i], sides)...)
		}
		return nil
	})
	switch {
	case err != nil:
		return Cone{}, err
	case len(free) > 0:
		var list diag.List
		for _, x := range free {
			downwards := slices.ContainsFunc(free, func(y escape) bool { return y.dim == x.dim && y.down })
			list = append(list, c.unbounded(x.Dependence, x.dim, !downwards))
		}
		return Cone{}, diag.Sorted(list)
	}
	return cone, nil
}

// An escape is a dependence that no cone holds, in a dimension: downwards, or upwards only.
type escape struct {
	Dependence
	dim  int
	down bool
}

// A side is how far a dependence reaches per tau along a dimension, one way; nil: it does not. Bounded is false where there is no bound.
type side struct {
	far     *big.Rat
	bounded bool
}

// sides returns how far d reaches down and up along each dimension of space.
func (c *Canonical) sides(d Dependence) (all [][2]side) {
	dtau := c.distance(d, -1)
	m := d.Map.Intersect(c.tauRelation(d, poly.AtMost, c.shortest(d))).Ratios()
	for p := range c.Space {
		ds := c.distance(d, p)
		up, okUp := m.Max(ds, dtau)
		down, okDown := m.Max(negated(ds), dtau)
		all = append(all, [2]side{{down, okDown}, {up, okUp}})
	}
	return all
}

// widen makes c hold the distances of d, whose sides these are, or returns where it cannot.
func (c Cone) widen(d Dependence, sides [][2]side) (free []escape) {
	for p, s := range sides {
		down, up := s[0], s[1]
		if !down.bounded || !up.bounded && p == 0 {
			free = append(free, escape{d, p, !down.bounded})
			continue
		}
		larger(c.Lo[p], down.far)
		if !up.bounded {
			c.Hi[p] = nil
		} else if c.Hi[p] != nil {
			larger(c.Hi[p], up.far)
		}
	}
	return free
}

// larger sets x to the larger of x and y; a nil y is the supremum of nothing.
func larger(x, y *big.Rat) {
	if y != nil && y.Cmp(x) > 0 {
		x.Set(y)
	}
}

// distance returns target minus source in space dimension p, or in tau where p
// is -1, over the columns of d.Map.
func (c *Canonical) distance(d Dependence, p int) poly.Affine {
	a := poly.Affine{In: make([]int64, len(d.Src.Iters)), Out: make([]int64, len(d.Dst.Iters))}
	if p < 0 {
		a.Const = int64(c.Levels[d.Dst.Order] - c.Levels[d.Src.Order])
		a.In[0], a.Out[0] = -int64(c.K), int64(c.K)
		return a
	}
	src, dst := c.Places[d.Src.Order][p], c.Places[d.Dst.Order][p]
	if src.Iter >= 0 {
		a.In[src.Iter] = -src.Sign()
	}
	if dst.Iter >= 0 {
		a.Out[dst.Iter] = dst.Sign()
	}
	shift := difference(dst.Shift, src.Shift)
	a.Const, a.Params = shift.Const, c.byName(d.Map, shift.Params)
	for q, k := range c.Skew(p) {
		if k != 0 {
			a = plus(a, c.distance(d, q), k)
		}
	}
	return a
}

// plus returns a + k·b, which have as many variables.
func plus(a, b poly.Affine, k int64) poly.Affine {
	add := func(xs, ys []int64) {
		for i, y := range ys {
			xs[i] += k * y
		}
	}
	a.Const += k * b.Const
	add(a.Params, b.Params)
	add(a.In, b.In)
	add(a.Out, b.Out)
	return a
}

// byName returns the coefficients of the program's parameters in the order in which m has them.
func (c *Canonical) byName(m poly.Map, coefs []int64) (ordered []int64) {
	for _, name := range m.Params() {
		var k int64
		for i, param := range c.Scop.Params {
			if param.Name == name {
				k = coef(coefs, i)
			}
		}
		ordered = append(ordered, k)
	}
	return ordered
}

func negated(a poly.Affine) poly.Affine {
	minus := func(xs []int64) []int64 {
		ys := make([]int64, len(xs))
		for i, x := range xs {
			ys[i] = -x
		}
		return ys
	}
	return poly.Affine{Const: -a.Const, Params: minus(a.Params), In: minus(a.In), Out: minus(a.Out), Divs: minus(a.Divs)}
}

// shortest returns a lower bound of dtau on d, at least 1 and at most 8; it is
// exact within these. The rationals do not see that t%2 keeps distances even or odd.
func (c *Canonical) shortest(d Dependence) int64 {
	k, _ := c.nearest(d)
	return k
}

// nearest returns what shortest does, and the instances of d with that dtau.
func (c *Canonical) nearest(d Dependence) (k int64, at poly.Map) {
	for k = 1; ; k++ {
		if at = d.Map.Intersect(c.tauRelation(d, poly.Equal, k)); k == 8 || !at.IsEmpty() {
			return k, at
		}
	}
}

// tauRelation relates the instances of d's statements where k compares so with dtau.
func (c *Canonical) tauRelation(d Dependence, how func(x, y affine.Expr) poly.Formula, k int64) poly.Map {
	dtau := c.tau(d.Dst, poly.Out(0)).Minus(c.tau(d.Src, poly.In(0)))
	return poly.NewMap(nil, d.Src.Tuple(), d.Dst.Tuple(), how(affine.Num(k), dtau))
}

// unbounded says that the distance of d in dimension p grows. Where it does so upwards only, for
// all dependences, the dimension can be a classical one.
func (c *Canonical) unbounded(d Dependence, p int, upwards bool) *diag.Diagnostic {
	is, growsWith := "", "the loops or parameters"
	f, ok := c.parametric(d, p)
	if ok {
		is, growsWith = fmt.Sprintf(" is %s: it", f.Text(c.Scop.ParamNames())), "a parameter"
	}
	help := "--fallback=space tiles space alone, which does not ask for bounded distances"
	if s, ok := c.offset(f); ok {
		help = fmt.Sprintf("write a number in place of '%s'; or %s", s, help)
	}
	if upwards && len(c.Space) > 2 {
		help += fmt.Sprintf("; or put another loop first with --order, since %s is bounded from below", c.axisName(d, p))
	}
	return &diag.Diagnostic{
		Code: "HX202",
		At:   d.SrcAccess.Pos,
		Msg: fmt.Sprintf("the distance from %s to %s in dimension %s%s grows with %s, not with time: no slope bounds this %v dependence",
			d.SrcAccess.Text, d.DstAccess.Text, c.axisName(d, p), is, growsWith, d.Kind),
		Notes: []diag.Note{{At: d.DstAccess.Pos, Msg: fmt.Sprintf("the other access: %s is %s here", d.DstAccess.Text, done(d.DstAccess))}},
		Help:  help,
	}
}

// offset returns the parameter that a distance is, or is a multiple of, if no extent of an array depends on it.
func (c *Canonical) offset(x affine.Sum) (name string, ok bool) {
	if len(x.Terms) != 1 {
		return "", false
	}
	name = x.Terms[0].Var
	k := slices.IndexFunc(c.Scop.Params, func(p scop.Param) bool { return p.Name == name })
	for _, a := range c.Scop.Arrays {
		if slices.ContainsFunc(a.Extents, func(e scop.Affine) bool { return coef(e.Params, k) != 0 }) {
			return "", false
		}
	}
	return name, true
}

// parametric returns the distance of d in dimension p where it is one
// expression over the parameters.
func (c *Canonical) parametric(d Dependence, p int) (x affine.Sum, ok bool) {
	deltas := d.Map.ApplyDomain(c.Maps[d.Src.Order]).ApplyRange(c.Maps[d.Dst.Order]).Deltas()
	parts := deltas.Basics()
	if len(parts) != 1 {
		return affine.Sum{}, false
	}
	for _, row := range parts[0].Constraints() {
		if k := row.Out[1+p]; row.Eq && k*k == 1 && alone(row.Out, 1+p) && alone(row.Divs, -1) {
			for i, c := range row.Params {
				x = x.Plus(affine.Var(deltas.Params()[i]).Times(c))
			}
			return x.Add(row.Const).Times(-k), true
		}
	}
	return affine.Sum{}, false
}

// alone reports whether all of xs but the one at i are 0.
func alone(xs []int64, i int) bool {
	for j, x := range xs {
		if j != i && x != 0 {
			return false
		}
	}
	return true
}

// axisName returns the loop that dimension p is in d's statements, or the dimension's own name.
func (c *Canonical) axisName(d Dependence, p int) string {
	for _, st := range []int{d.Src.Order, d.Dst.Order} {
		if i := c.Places[st][p].Iter; i >= 0 {
			return c.Scop.Stmts[st].Iters[i]
		}
	}
	return c.Space[p]
}

// String returns the cone as in
//
//	-1*dt <= ds0 <= 1/2*dt
//	-1*dt <= ds1
func (c Cone) String() string {
	var b strings.Builder
	for i := range c.Lo {
		fmt.Fprintf(&b, "-%s*dt <= ds%d", c.Lo[i].RatString(), i)
		if c.Hi[i] != nil {
			fmt.Fprintf(&b, " <= %s*dt", c.Hi[i].RatString())
		}
		b.WriteByte('\n')
	}
	if c.Ordered {
		b.WriteString("0 <= ds where dt = 0\n")
	}
	return b.String()
}

// Balanced returns a cone around c that reaches as far to both sides in dimension 0, where that is bounded: hexagons of it do not drift from one time tile to the next.
func (c Cone) Balanced() Cone {
	if len(c.Lo) == 0 || c.Hi[0] == nil || c.Lo[0].Cmp(c.Hi[0]) == 0 {
		return c
	}
	most := c.Lo[0]
	if most.Cmp(c.Hi[0]) < 0 {
		most = c.Hi[0]
	}
	c.Lo, c.Hi = slices.Clone(c.Lo), slices.Clone(c.Hi)
	c.Lo[0], c.Hi[0] = most, most
	return c
}

// Verify checks that no slope is negative, and that those of the hexagon are bounded.
func (c Cone) Verify() error {
	if len(c.Lo) != len(c.Hi) {
		return fmt.Errorf("cone has %d lower and %d upper slopes", len(c.Lo), len(c.Hi))
	}
	for i := range c.Lo {
		if c.Hi[i] == nil && i == 0 && !c.Ordered {
			return fmt.Errorf("cone is unbounded in the hexagonal dimension")
		}
		if c.Lo[i].Sign() < 0 || c.Hi[i] != nil && c.Hi[i].Sign() < 0 {
			return fmt.Errorf("cone has a negative slope in dimension %d: -%v, %v", i, c.Lo[i], c.Hi[i])
		}
	}
	return nil
}

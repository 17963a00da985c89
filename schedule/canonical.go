package schedule

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/poly"
	"github.com/hexcc/hexcc/scop"
)

// This file is section 3.2 of the paper: it sends statement i to
// [k·t + l, s0, .., sn], where every dependence must have a positive first
// distance. The paper has l = i and as many steps as statements, k; here l is the level of
// the statement (level.go): statements share a step if none depends on another one, or only at its own place.

// Canonicalize places the statements of p in its canonical space. It fails
// with a diag.List (HX201) where a space loop carries a dependence.
func Canonicalize(p *scop.Program, deps []Dependence) (*Canonical, error) {
	return Layout{}.Canonicalize(p, deps)
}

// dimensions returns the number of space dimensions: as many as the deepest
// nest has loops, and at least 1.
func dimensions(p *scop.Program) int {
	n := 1
	for _, st := range p.Stmts {
		n = max(n, len(st.Iters)-1)
	}
	return n
}

// tau returns K·t + the level of st, for the instance of st at time t.
func (c *Canonical) tau(st *scop.Stmt, t affine.Sum) affine.Sum {
	return t.Times(int64(c.K)).Add(int64(c.Levels[st.Order]))
}

// place returns space dimension p of the instance st[iters].
func (c *Canonical) place(st *scop.Stmt, p int, iters []affine.Sum) affine.Sum {
	at := c.Places[st.Order][p]
	x := c.Scop.Sum(at.Shift, nil)
	if at.Iter >= 0 {
		x = x.Plus(iters[at.Iter].Times(at.Sign()))
	}
	for q, k := range c.Skew(p) {
		if k != 0 {
			x = x.Plus(c.place(st, q, iters).Times(k))
		}
	}
	return x
}

// vector returns [tau, s0, .., sn] of the instance st[iters].
func (c *Canonical) vector(st *scop.Stmt, iters []affine.Sum) []affine.Sum {
	v := []affine.Sum{c.tau(st, iters[0])}
	for p := range c.Space {
		v = append(v, c.place(st, p, iters))
	}
	return v
}

// inTile returns the dimensions that order the points of a tile.
func (c *Canonical) inTile() []Dim {
	dims := []Dim{{"t", Seq}}
	if c.ranked() {
		dims = append(dims, Dim{"nest", Seq})
	}
	if c.Ways != nil {
		dims = append(dims, Dim{"turn", Seq})
	}
	for _, name := range c.Space {
		dims = append(dims, Dim{name, c.pointRole()})
	}
	return dims
}

// pointRole returns the role of the dimensions of the points of a step.
func (c *Canonical) pointRole() Role {
	if c.Ordered {
		return Wave
	}
	return Thread
}

// relation returns st[iters] -> [tau, s0, ..] for all iterators, in the domain of st or not.
func (c *Canonical) relation(st *scop.Stmt) poly.Map {
	return poly.NewFunction(c.Scop.ParamNames(), st.Tuple(), poly.Tuple{}, exprs(c.vector(st, variables(st.Iters))))
}

// vectorText returns [tau, s0, ..] as in [2*t + 1, 0, j], iterators first and then parameters.
func (c *Canonical) vectorText(st *scop.Stmt) string {
	order := slices.Concat(st.Iters, c.Scop.ParamNames())
	v := c.vector(st, variables(st.Iters))
	texts := make([]string, len(v))
	for i, x := range v {
		texts[i] = x.Text(order)
	}
	return "[" + strings.Join(texts, ", ") + "]"
}

// String returns the statements' places, one line each, as
//
//	S1[t, j] -> [2*t + 1, 0, j]
//
// and what moving them gained, as
//
//	# s1: S1 moved by 1: slopes 0..0 instead of -1..1
//	# s1: S1 moved by 1 to share a step
func (c *Canonical) String() string {
	var b strings.Builder
	for _, st := range c.Scop.Stmts {
		fmt.Fprintf(&b, "%s[%s] -> %s\n", st.Name, strings.Join(st.Iters, ", "), c.vectorText(st))
	}
	for _, m := range c.Moves {
		fmt.Fprintf(&b, "# %s\n", m.text(c))
	}
	for p := range c.Space {
		if text := c.skewText(p); text != "" {
			fmt.Fprintf(&b, "# %s\n", text)
		}
	}
	return b.String()
}

// Verify checks that each space loop of a statement is one space dimension.
func (c *Canonical) Verify() error {
	for _, st := range c.Scop.Stmts {
		places := c.Places[st.Order]
		if len(places) != len(c.Space) {
			return fmt.Errorf("%s has %d places in %d dimensions", st.Name, len(places), len(c.Space))
		}
		used := make([]int, len(st.Iters))
		for _, at := range places {
			if at.Iter >= 0 {
				used[at.Iter]++
			}
		}
		for i, n := range used[1:] {
			if n != 1 {
				return fmt.Errorf("loop %s of %s is %d space dimensions", st.Iters[i+1], st.Name, n)
			}
		}
	}
	return nil
}

// carriedLimit is how many carried dependences are reported.
const carriedLimit = 6

// checkSpaceLoops reports the dependences with a time distance below 1. These
// are the ones between instances of one nest in one iteration of the time loop.
func (c *Canonical) checkSpaceLoops(deps []Dependence) error {
	var list diag.List
	for _, d := range deps {
		if d.Src != d.Dst {
			continue
		}
		if carried := d.Map.Intersect(sameTime(d.Src, d.Dst)); !carried.IsEmpty() {
			list = append(list, c.carried(d, carried, c.inColours(d.Src, deps)))
		}
	}
	if len(list) == 0 {
		return nil
	}
	list = diag.Sorted(list)
	return list[:min(carriedLimit, len(list))]
}

// inColours reports whether the points of st of which the sum of coordinates is even do not depend on each other in one iteration of
// the time loop, nor do the others.
func (c *Canonical) inColours(st *scop.Stmt, deps []Dependence) bool {
	var apart affine.Sum
	for i := 1; i < len(st.Iters); i++ {
		apart = apart.Plus(poly.Out(i)).Minus(poly.In(i))
	}
	even := poly.NewMap(nil, st.Tuple(), st.Tuple(), poly.Equal(affine.Modulo(apart, 2), affine.Num(0)))
	return !slices.ContainsFunc(deps, func(d Dependence) bool {
		return d.Src == st && d.Dst == st && !d.Map.Intersect(sameTime(d.Src, d.Dst)).Intersect(even).IsEmpty()
	})
}

// parity returns the remainder of the sum of iters modulo 2, as it stands in C.
func parity(iters []string) string {
	if len(iters) == 1 {
		return iters[0] + " % 2"
	}
	return "(" + strings.Join(iters, " + ") + ") % 2"
}

// sameTime relates the instances of two statements in one iteration of the time loop.
func sameTime(src, dst *scop.Stmt) poly.Map {
	return poly.NewMap(nil, src.Tuple(), dst.Tuple(), poly.Equal(poly.In(0), poly.Out(0)))
}

// carried says that the instances of m, which d relates in one nest and time, are in order. colours: in two colours, they would not be.
func (c *Canonical) carried(d Dependence, m poly.Map, colours bool) *diag.Diagnostic {
	_, in, out, ok := m.Sample()
	if !ok {
		panic(fmt.Sprintf("schedule: no sample of %v", m))
	}
	loop, distance := 0, make([]string, len(in))
	for i := range in {
		distance[i] = fmt.Sprint(out[i] - in[i])
		if loop == 0 && i > 0 && out[i] != in[i] {
			loop = i
		}
	}
	at := "at distance"
	if !hasDistance(d, m, in, out) {
		at = "at distances such as"
	}
	const before = "read the values of the previous time step, from a second array or a time dimension such as [t%2]"
	help := "only the time loop may carry dependences: " + before
	if colours {
		help = fmt.Sprintf("in a solver, update every second point first, and then the others: for (c = 0; c < 2; c++) around the loops, and if (%s == c) around the statements; or %s",
			parity(d.Src.Iters[1:]), before)
	}
	if c.Scop.Timeless && loop == 1 && len(c.Scop.Stmts) > 1 {
		help = "if this is the time loop, keep what stands beside it out of the region"
	}
	iterator, names := d.Src.Iters[loop], strings.Join(d.Src.Iters, ", ")
	notes := []diag.Note{{At: d.DstAccess.Pos, Msg: fmt.Sprintf("%s is %s here in a later iteration of the %s loop",
		d.DstAccess.Text, done(d.DstAccess), iterator)}}
	for _, end := range []struct {
		st *scop.Stmt
		a  *scop.Access
	}{{d.Src, d.SrcAccess}, {d.Dst, d.DstAccess}} {
		if end.st.Conditional(end.a) {
			notes = append(notes, diag.Note{At: end.a.Pos, Msg: "the condition in front of this store compares neither sums of loop variables and parameters nor one remainder of such a sum, " +
				"so it is tested as a value in each iteration, and the store counts as if it always happened"})
			help = fmt.Sprintf("if the condition chooses every second point, compare one remainder with a number, such as if (%s == 0)", parity(d.Src.Iters[1:]))
			break
		}
	}
	return &diag.Diagnostic{
		Code: "HX201",
		At:   d.SrcAccess.Pos,
		Msg: fmt.Sprintf("the %s loop carries %s dependence: %s and then %s touch the same element %s (%s) = (%s)",
			iterator, article(d.Kind), d.SrcAccess.Text, d.DstAccess.Text, at, names, strings.Join(distance, ", ")),
		Notes: notes,
		Help:  help,
	}
}

// hasDistance reports whether all pairs of m, a part of d, are as far apart as in and out.
func hasDistance(d Dependence, m poly.Map, in, out []int64) bool {
	apart := make([]poly.Formula, len(in))
	for i := range in {
		apart[i] = poly.Equal(poly.Out(i).Minus(poly.In(i)), affine.Num(out[i]-in[i]))
	}
	return m.IsSubset(poly.NewMap(nil, d.Src.Tuple(), d.Dst.Tuple(), apart...))
}

func article(k Kind) string {
	if k == Flow {
		return "a " + k.String()
	}
	return "an " + k.String()
}

func done(a *scop.Access) string {
	if a.Write {
		return "written"
	}
	return "read"
}

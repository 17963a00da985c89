package cpu

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/scop"
)

// This file tells how much there is to do between two barriers. Threads that meet at one, or start and end for it, take microseconds: what takes less
// is done sooner by one of them alone.
//
// The work of a phase is what its time tile has, shared out evenly among the phases: steps of a time tile times points of a step times what a point takes,
// of each statement. Points are counted as those of a box around them, so that the estimate is too high, if anything, and threads run rather than not.
//
// Along a line tiles are long, and a grid may have hardly more than one: there only those points count that one tile of a phase does not have.

// EnoughWork is how many nanoseconds of one thread's work a phase has at least where threads run it. Two threads on two cores that others used at times
// were measured to start, share out and meet in 5 to 15 microseconds, and as many to be no slower than one from 10 to 20 on.
const EnoughWork = 20_000

// nanosecondsOfOperation is what a load, a store or an operation takes: three or four start in a cycle. In vectors they take less.
const nanosecondsOfOperation = 0.1

// operationsOfFunction is what exp, sin and the like take more than scop.Stmt.Operations counts of them.
const operationsOfFunction = 60

// A Grain is the work of a phase, in nanoseconds of one thread, as a sum of Loads; none: it is enough, whatever the parameters.
type Grain []Load

// A Load is Nanoseconds for each point of a box with the extents Factors, over parameters. None of them is a number.
type Load struct {
	Nanoseconds float64
	Factors     []affine.Expr
}

// Known returns the nanoseconds of g if they do not depend on parameters.
func (g Grain) Known() (ns int64, ok bool) {
	if len(g) != 1 || len(g[0].Factors) > 0 {
		return 0, false
	}
	return int64(g[0].Nanoseconds), true
}

// Text returns g as a sum of products of numbers with a point and factors, as spelled.
func (g Grain) Text(spelled func(affine.Expr) string) string {
	terms := make([]string, len(g))
	for i, l := range g {
		terms[i] = strconv.FormatFloat(l.Nanoseconds, 'f', -1, 64)
		if !strings.Contains(terms[i], ".") {
			terms[i] += ".0"
		}
		for _, f := range l.Factors {
			terms[i] += " * " + spelled(f)
		}
	}
	return strings.Join(terms, " + ")
}

// String says where threads run a phase.
func (g Grain) String() string {
	if ns, ok := g.Known(); ok {
		return fmt.Sprintf("one thread: a phase takes it about %d nanoseconds, threads are for %d", ns, EnoughWork)
	}
	return fmt.Sprintf("threads where %s >= %d nanoseconds, else one thread", g.Text(factorText), EnoughWork)
}

// factorText spells a factor.
func factorText(e affine.Expr) string {
	if x, ok := e.(affine.Sum); ok && (len(x.Terms) > 1 || x.Const != 0) {
		return fmt.Sprintf("(%v)", x)
	}
	return fmt.Sprint(e)
}

// Grained returns p with threads only where phases have enough to do.
func (p *Program) Grained() *Program {
	q := *p
	q.Grain = p.grain()
	return &q
}

// grain returns the work of a phase of p.
func (p *Program) grain() (g Grain) {
	c, own := p.Schedule.Canonical, p.ofOneTile()
	for _, st := range c.Scop.Stmts {
		b, ok := boxOf(c.Scop, st)
		if !ok {
			return nil
		}
		l := Load{Nanoseconds: nanoseconds(st) / float64(len(p.Phases))}
		for k, e := range b[1:] {
			if k+1 == c.Places[st.Order][0].Iter || k == 0 && c.Places[st.Order][0].Iter < 0 {
				e = e.plus(-1, extent{affine.Num(own), 1})
			}
			l.times(e)
		}
		steps := max(1, p.Schedule.Height/int64(c.K))
		switch all := b[0]; {
		case all.den == 1 && !all.IsNum():
			if steps > 1 {
				l.Factors = append(l.Factors, affine.MinOf(all.Sum, affine.Num(steps)))
			}
		case all.IsNum():
			l.Nanoseconds *= float64(min(steps, max(1, all.Const/all.den)))
		default:
			l.Nanoseconds *= float64(steps)
		}
		if l.Nanoseconds == 0 {
			l.Factors = nil
		}
		g = g.plus(l)
	}
	if g = g.settled(); own > 0 {
		for i := range g {
			if x, ok := g[i].along(); ok {
				g[i].Factors[0] = affine.MaxOf(x, affine.Num(0))
			}
		}
	}
	return g
}

// settled returns g as it is printed; none where it is enough if all factors are 1.
func (g Grain) settled() Grain {
	least := 0.0
	g = g.greatest()
	for i := range g {
		least += g[i].Nanoseconds
		g[i].Nanoseconds = rounded(g[i].Nanoseconds)
	}
	if least >= EnoughWork {
		return nil
	}
	return g
}

// ofOneTile returns how many points of a step a tile has that others have no part in: on a line as many as it is wide, on average; else none.
func (p *Program) ofOneTile() int64 {
	if len(p.Schedule.Canonical.Space) > 1 {
		return 0
	}
	d, points, steps := p.Schedule.Phases[0].Space[0], int64(0), int64(0)
	for a := range d.Lo {
		if d.Lo[a] <= d.Hi[a] {
			points, steps = points+d.Hi[a]-d.Lo[a]+1, steps+1
		}
	}
	return points / max(1, steps)
}

// nanoseconds returns about what a point of st takes. Points that do nothing count as none.
func nanoseconds(st *scop.Stmt) float64 {
	touched := map[string]bool{}
	for _, a := range st.Accesses {
		touched[fmt.Sprint(a.Write, a.Array.Name, a.Index)] = true
	}
	ns := nanosecondsOfOperation * (float64(len(touched)) + st.OperationsInRow() + operationsOfFunction*float64(st.Functions()))
	for _, x := range st.When {
		ns /= float64(x.Mod)
	}
	return ns
}

// along returns the extent of l along a line, if it is no number: the first of the factors, before steps.
func (l Load) along() (x affine.Sum, ok bool) {
	if len(l.Factors) > 0 {
		x, ok = l.Factors[0].(affine.Sum)
	}
	return x, ok
}

// times makes l that for as many boxes next to each other as e is long.
func (l *Load) times(e extent) {
	if l.Nanoseconds /= float64(e.den); e.IsNum() {
		l.Nanoseconds *= float64(max(0, e.Const))
	} else {
		l.Factors = append(l.Factors, e.Sum)
	}
}

// plus returns g and l. Boxes whose extents differ by numbers count as the larger one.
func (g Grain) plus(l Load) Grain {
	for i := range g {
		if slices.EqualFunc(g[i].Factors, l.Factors, alike) {
			g[i].Nanoseconds += l.Nanoseconds
			for k, f := range l.Factors {
				if larger(f, g[i].Factors[k]) {
					g[i].Factors[k] = f
				}
			}
			return g
		}
	}
	return append(g, l)
}

// alike reports whether x and y differ by a number, or are the same.
func alike(x, y affine.Expr) bool {
	a, isSum := x.(affine.Sum)
	b, too := y.(affine.Sum)
	return isSum && too && a.Parallel(b) || affine.Same(x, y)
}

// larger reports whether x is more than y, with which it is alike.
func larger(x, y affine.Expr) bool {
	a, isSum := x.(affine.Sum)
	b, too := y.(affine.Sum)
	return isSum && too && a.Const > b.Const
}

// thick is how many points along a dimension all but the smallest grids have.
const thick = 10

// greatest returns g without loads of fewer dimensions than another one that are a small part of it where the grid is thick: borders are such.
func (g Grain) greatest() Grain {
	all := slices.Clone(g)
	return slices.DeleteFunc(g, func(l Load) bool {
		return slices.ContainsFunc(all, func(m Load) bool {
			return len(l.Factors) < len(m.Factors) && l.Nanoseconds <= thick*m.Nanoseconds && within(l.Factors, m.Factors)
		})
	})
}

// within reports whether each of some is alike another one of all.
func within(some, all []affine.Expr) bool {
	left := slices.Clone(all)
	for _, x := range some {
		i := slices.IndexFunc(left, func(y affine.Expr) bool { return alike(x, y) })
		if i < 0 {
			return false
		}
		left = slices.Delete(left, i, i+1)
	}
	return true
}

// rounded returns x with two digits, or as a whole number from 100 on.
func rounded(x float64) float64 {
	digits := 2
	if x >= 100 {
		digits = len(strconv.FormatInt(int64(x), 10))
	}
	x, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', digits, 64), 64)
	if err != nil {
		panic(fmt.Sprintf("cpu: rounded: %v", err))
	}
	return x
}

// An extent is a sum over parameters, divided by den.
type extent struct {
	affine.Sum
	den int64
}

// plus returns e + k*f.
func (e extent) plus(k int64, f extent) extent {
	if e.den == f.den {
		return extent{e.Sum.Plus(f.Sum.Times(k)), e.den}
	}
	return extent{e.Sum.Times(f.den).Plus(f.Sum.Times(affine.Times(k, e.den))), affine.Times(e.den, f.den)}
}

// over returns e / d.
func (e extent) over(d int64) extent { return extent{e.Sum, affine.Times(e.den, d)} }

// boxOf returns how long a box around the instances of st is in each of its loops, rounded up or not; ok is false where its bounds do not say.
func boxOf(p *scop.Program, st *scop.Stmt) (box []extent, ok bool) {
	var los, his []extent
	for k := range st.Iters {
		lower, upper := bounds(p, st, k, los, his)
		if len(lower) == 0 || len(upper) == 0 {
			return nil, false
		}
		best, lo, hi := narrowest(lower, upper)
		box, los, his = append(box, best), append(los, lo), append(his, hi)
	}
	return box, true
}

// narrowest returns the least distance between one of lower and one of upper, ends included, that is a number, or else the first, and its ends.
func narrowest(lower, upper []extent) (best, lo, hi extent) {
	for i, x := range lower {
		for j, y := range upper {
			e := extent{affine.Num(1), 1}.plus(1, y).plus(-1, x)
			if i+j == 0 || e.IsNum() && (!best.IsNum() || affine.Times(e.Const, best.den) < affine.Times(best.Const, e.den)) {
				best, lo, hi = e, x, y
			}
		}
	}
	return best, lo, hi
}

// bounds returns what the rows of st that end with loop k say of it, where loops outside are between los and his.
func bounds(p *scop.Program, st *scop.Stmt, k int, los, his []extent) (lower, upper []extent) {
	for _, row := range st.Bounds {
		c := row.Iters[k]
		if c == 0 || slices.ContainsFunc(row.Iters[k+1:], func(c int64) bool { return c != 0 }) {
			continue
		}
		rest := extent{p.Sum(scop.Affine{Const: row.Const, Params: row.Params}, nil), 1} // at most
		for i, by := range row.Iters[:k] {
			switch {
			case by > 0:
				rest = rest.plus(by, his[i])
			case by < 0:
				rest = rest.plus(by, los[i])
			}
		}
		if c > 0 {
			lower = append(lower, extent{rest.Sum.Times(-1), rest.den}.over(c))
		} else {
			upper = append(upper, rest.over(-c))
		}
	}
	return lower, upper
}

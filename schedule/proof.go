package schedule

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/internal/parallel"
	"github.com/hexcc/hexcc/poly"
	"github.com/hexcc/hexcc/scop"
)

// This file asks of a schedule what it must guarantee, for all values of the
// parameters at once. It reads the schedule's relation and the roles of its
// dimensions, and knows nothing of how the schedule was made.

// A Prover asks the questions of a proof. It counts the emptiness tests and keeps the first violation.
type Prover struct{ Proof }

// A prover is one about a schedule.
type prover struct {
	s *Schedule
	*Prover
}

// prove asks questions about s until one does not hold.
func prove(s *Schedule, name, claim string, questions func(prover)) Proof {
	return Prove(name, claim, func(p *Prover) { questions(prover{s, p}) })
}

// Prove returns the proof of that name and claim, for which questions asks what has to be asked. A test that
// passes a bound of poly leaves it undecided.
func Prove(name, claim string, questions func(*Prover)) Proof {
	start := time.Now()
	p := Prover{Proof{Name: name, Claim: claim}}
	err := poly.Limited(func() error {
		questions(&p)
		return nil
	})
	var limit *poly.LimitError
	switch {
	case errors.As(err, &limit):
		p.Undecided = limit.Error()
	case err != nil:
		panic(err) // questions return none
	default:
		p.Holds = p.Violation == "" && p.Undecided == ""
	}
	p.Took = time.Since(start)
	return p.Proof
}

// Ask makes the tests of one question, whose answer is a violation or "",
// unless an earlier one has found one, or could not be asked.
func (p *Prover) Ask(text string, violation func() string) {
	if p.Violation != "" || p.Undecided != "" {
		return
	}
	q, start, tests := len(p.Questions), time.Now(), p.Tests
	p.Questions = append(p.Questions, Question{Text: text})
	defer func() { // also where a test passes a bound of poly
		p.Questions[q].Tests, p.Questions[q].Took = p.Tests-tests, time.Since(start)
	}()
	p.Violation = violation()
	p.Questions[q].Holds = p.Violation == ""
}

// Each asks groups of questions at once, where no question needs to know the answers of another group. The proof is that of one
// after the other: it holds the questions of the groups in order, up to the first that does not hold or could not be asked.
func Each[X any](p *Prover, list []X, ask func(*Prover, X)) {
	if p.Violation != "" || p.Undecided != "" {
		return
	}
	for _, of := range parallel.Map(list, func(x X) Proof {
		return Prove(p.Name, p.Claim, func(q *Prover) {
			q.Unit = p.Unit
			ask(q, x)
		})
	}) {
		p.Questions = append(p.Questions, of.Questions...)
		p.Tests += of.Tests
		if p.Violation, p.Undecided, p.Places = of.Violation, of.Undecided, of.Places; !of.Holds {
			return
		}
	}
}

// empty makes one emptiness test.
func (p prover) empty(m poly.Map) bool {
	p.Tests++
	return m.IsEmpty()
}

// GiveUp ends the proof at a question that cannot be asked, unless an earlier one has found a violation.
func (p *Prover) GiveUp(text, why string) {
	if p.Violation == "" && p.Undecided == "" {
		p.Questions = append(p.Questions, Question{Text: text})
		p.Undecided = why
	}
}

// ProvePartition proves that every statement instance has exactly one image, or one owner where tiles overlap:
// the parts of the schedule cover each domain and nothing else, no two parts
// share an instance, and each part is a function.
func ProvePartition(s *Schedule) Proof {
	return prove(s, "partition", "each iteration is in one tile", func(p prover) {
		Each(p.Prover, s.Canonical.Scop.Stmts, func(q *Prover, st *scop.Stmt) { prover{s, q}.partition(st) })
	})
}

func (p prover) partition(st *scop.Stmt) {
	m := p.s.owner(st)
	owned, images := m.Domain(), p.s.Part(st).Domain()
	none := func(bad poly.Set, what string) string {
		p.Tests++
		if bad.IsEmpty() {
			return ""
		}
		return p.instance(st, bad) + what
	}
	p.Ask("every instance of "+st.Name+" is in a tile", func() string {
		return none(st.Domain.Subtract(owned), " is in no tile")
	})
	p.Ask("tiles hold no instance of "+st.Name+" outside of its domain", func() string {
		return none(images.Subtract(st.Domain), " is in a tile but not in the domain")
	})
	p.Ask("no instance of "+st.Name+" has two places in the schedule", func() string {
		twice := p.twice(m)
		if twice.IsEmpty() {
			return ""
		}
		return p.instance(st, m.ApplyRange(twice).Domain()) + " is in two places of the schedule"
	})
}

// twice returns pairs of different images of one instance in m. Since the
// relation of images is symmetric, the first dimension where two differ may be taken to grow.
func (p prover) twice(m poly.Map) poly.Map {
	same := m.Inverse().ApplyRange(m) // images of one instance
	for i := range p.s.Dims {
		if apart := same.Intersect(p.s.compare(i, poly.Less)); !p.empty(apart) {
			return apart
		}
		same = same.Intersect(p.s.compare(i, poly.Equal))
	}
	return poly.Map{}
}

// compare relates vectors of the schedule by their dimension i.
func (s *Schedule) compare(i int, how func(x, y affine.Expr) poly.Formula) poly.Map {
	v := poly.Tuple{Dims: poly.Dims(len(s.Dims))}
	return poly.NewMap(nil, v, v, how(poly.In(i), poly.Out(i)))
}

// ProveLegality proves that the target of every dependence runs after its
// source: later in the same tile, or in a tile that the order of tiles has behind that of the source.
// Where tiles overlap that is asked of each image of the target: see illegal.
//
// It first tries to prove the same of all pairs of points, whether statements have instances there or not, that lie in the
// schedule's cone, and that the cone holds the dependences; where one of these fails,
// it asks about the instances of the two statements in the cone, and then about the dependence itself.
func ProveLegality(s *Schedule, deps []Dependence) Proof {
	return prove(s, "legality", "what depends on an iteration runs after it", func(p prover) {
		if s.Overlaps() {
			for _, group := range byStatements(deps) {
				p.Ask(orderText(group), func() string { return p.illegal(group) })
			}
			for _, st := range s.Canonical.Scop.Stmts {
				p.Ask("no tile reads what the owner of the same instance of "+st.Name+" stores meanwhile", func() string { return p.raced(st) })
			}
			for _, a := range s.Temporaries {
				p.Ask("each iteration of the time loop has written what it reads of "+a.Name+", which is in no memory between tiles", func() string { return p.older(a) })
			}
			for _, st := range s.Canonical.Scop.Stmts {
				if way := s.Canonical.Way(st); way != Any {
					p.Ask(fmt.Sprintf("points of %s, which run %v along columns, depend on none of other columns in their step", st.Name, way), func() string { return p.acrossColumns(st, deps) })
				}
			}
			for _, v := range s.Versions {
				p.Ask("what is written of "+v.Array.Name+", which has two versions, belongs to the tile that owns the iteration", func() string { return p.homeless(v) })
			}
			return
		}
		wrong := s.notLater().Union(s.ofTiles(s.Order.Free))
		points := sync.OnceValues(func() (holds bool, tests int) {
			q := prover{s, new(Prover)}
			return q.pointsLegal(), q.Tests
		})
		groups := byStatements(deps)
		first := slices.IndexFunc(groups, s.asksPoints) // that which the tests of points are counted with
		Each(p.Prover, parallel.Numbers(len(groups)), func(q *Prover, i int) {
			p := prover{s, q}
			p.Ask(orderText(groups[i]), func() string {
				return p.legal(groups[i], wrong, func() bool {
					holds, tests := points()
					if i == first {
						p.Tests += tests
					}
					return holds
				})
			})
		})
		for _, st := range s.Canonical.Scop.Stmts {
			if s.Canonical.Ordered && !s.Canonical.Carried[st.Order] {
				p.Ask("no two points of "+st.Name+" of one tau depend on each other", func() string { return p.anyOrder(st, deps) })
			}
		}
	})
}

// older returns that an iteration reads of a what another one has written, or nobody, "" if none does.
func (p prover) older(a *scop.Array) string {
	p.Tests++
	if !a.Local || readsOlder(p.s.Canonical.Scop, a, withinIteration) {
		return fmt.Sprintf("an element of %s is read that no instance of the same iteration has written", a.Name)
	}
	return ""
}

// anyOrder returns how points of a statement of one tau depend on each other, "" if none does.
func (p prover) anyOrder(st *scop.Stmt, deps []Dependence) string {
	for _, d := range DistinctMaps(deps) {
		if d.Src != st || d.Dst != st {
			continue
		}
		if bad := d.Map.Intersect(sameTime(st, st)); !p.empty(bad) {
			return p.reversal(d, bad)
		}
	}
	return ""
}

// byStatements groups dependences by source and target.
func byStatements(deps []Dependence) (groups [][]Dependence) {
next:
	for _, d := range deps {
		for i, g := range groups {
			if g[0].Src == d.Src && g[0].Dst == d.Dst {
				groups[i] = append(g, d)
				continue next
			}
		}
		groups = append(groups, []Dependence{d})
	}
	return groups
}

// orderText says what legality means for dependences of one pair of statements.
func orderText(group []Dependence) string {
	var counts [len(kindNames)]int
	for _, d := range group {
		counts[d.Kind]++
	}
	var kinds []string
	for k, n := range counts {
		if n > 0 {
			kinds = append(kinds, fmt.Sprintf("%d %s", n, kindNames[k]))
		}
	}
	noun := "dependences"
	if len(group) == 1 {
		noun = "dependence"
	}
	return fmt.Sprintf("%s of %s on %s: the later runs later (%s)", noun, group[0].Dst.Name, group[0].Src.Name, strings.Join(kinds, ", "))
}

// legal returns how the schedule reverses a dependence of one pair of
// statements, "" if it does not; wrong relates vectors to those that do not run
// after them, and points reports whether those of points in the cone do.
func (p prover) legal(group []Dependence, wrong poly.Map, points func() bool) string {
	src, dst := group[0].Src, group[0].Dst
	cone := p.s.inCone(src, dst)
	legalCone := p.s.asksPoints(group) && points()
	reversed := sync.OnceValue(func() poly.Map {
		return p.s.Part(src).ApplyRange(wrong).ApplyRange(p.s.Part(dst).Inverse())
	})
	if !legalCone {
		legalCone = p.empty(cone.Intersect(reversed()))
	}
	for _, d := range DistinctMaps(group) {
		if legalCone && p.inside(d, cone) {
			continue
		}
		if bad := d.Map.Intersect(reversed()); !p.empty(bad) {
			return p.reversal(d, bad)
		}
	}
	return ""
}

// asksPoints reports whether it says something of dependences of one pair of statements how the points of the plane run.
func (s *Schedule) asksPoints(group []Dependence) bool {
	src, dst := group[0].Src, group[0].Dst
	return !s.inTurn(src, dst) && !s.apart(src, dst)
}

// pointsLegal reports whether of all points of the plane those later in the cone of s run later, too.
func (p prover) pointsLegal() bool {
	s := p.s
	if len(s.points.Basics()) == 0 {
		return false
	}
	n, order := s.tileDims(), s.pointOrder()
	wrong := sameTile(n, order, notAfter(order, poly.True())).Union(s.Order.Free.FlatProduct(anywhere(len(order))))
	point := poly.Tuple{Dims: poly.Dims(1 + len(s.Canonical.Space))}
	cone := poly.NewMap(nil, point, point, s.coneOf(poly.Ins(len(point.Dims)), poly.Outs(len(point.Dims))))
	return p.empty(cone.Intersect(s.points.ApplyRange(wrong).ApplyRange(s.points.Inverse())))
}

// inside reports whether cone holds all pairs of d.
func (p prover) inside(d Dependence, cone poly.Map) bool {
	p.Tests++
	return d.Map.IsSubset(cone)
}

// DistinctMaps returns dependences without those whose relation an earlier one has, in the same words.
func DistinctMaps(deps []Dependence) (firsts []Dependence) {
	seen := map[string]bool{}
	for _, d := range deps {
		if text := d.Map.String(); !seen[text] {
			seen[text] = true
			firsts = append(firsts, d)
		}
	}
	return firsts
}

// inCone relates all instances of src to those of dst in the cone of s, and to
// all later ones if s was made for none; and to the one at the same place and tau, if dst has a higher rank.
func (s *Schedule) inCone(src, dst *scop.Stmt) poly.Map {
	c := s.Canonical
	from, to := c.vector(src, poly.Ins(len(src.Iters))), c.vector(dst, poly.Outs(len(dst.Iters)))
	cone := s.coneOf(from, to)
	if s.inTurn(src, dst) {
		var same []poly.Formula
		for i := range from {
			same = append(same, poly.Equal(from[i], to[i]))
		}
		cone = poly.Or(cone, poly.And(same...))
	}
	return poly.NewMap(c.Scop.ParamNames(), src.Tuple(), dst.Tuple(), cone)
}

// inTurn reports whether instances of dst depend on those of src at the same place and tau.
func (s *Schedule) inTurn(src, dst *scop.Stmt) bool {
	c := s.Canonical
	return c.Ranks[src.Order] < c.Ranks[dst.Order] && c.Levels[src.Order] == c.Levels[dst.Order]
}

// apart reports whether all instances of src of one tau run before those of dst, or behind them, though points of one tau are in order.
func (s *Schedule) apart(src, dst *scop.Stmt) bool {
	c := s.Canonical
	return c.Ordered && c.Ranks[src.Order] != c.Ranks[dst.Order]
}

// coneOf holds where the point to = [tau, s0, ..] lies in the cone of s from another, or only later if s was made for none.
func (s *Schedule) coneOf(from, to []affine.Sum) poly.Formula {
	dtau := to[0].Minus(from[0])
	rows := []poly.Formula{poly.NotNegative(dtau.Add(-1))}
	for i := range s.Cone.Lo {
		ds, lo := to[1+i].Minus(from[1+i]), mustSlope(s.Cone.Lo[i])
		rows = append(rows, poly.NotNegative(dtau.Times(lo.num).Plus(ds.Times(lo.den))))
		if s.Cone.Hi[i] != nil {
			hi := mustSlope(s.Cone.Hi[i])
			rows = append(rows, poly.NotNegative(dtau.Times(hi.num).Minus(ds.Times(hi.den))))
		}
	}
	if !s.Cone.Ordered {
		return poly.And(rows...)
	}
	same, sum := []poly.Formula{poly.Equal(to[0], from[0])}, affine.Sum{}
	for i := range s.Cone.Lo {
		ds := to[1+i].Minus(from[1+i])
		same, sum = append(same, poly.NotNegative(ds)), sum.Plus(ds)
	}
	return poly.Or(poly.And(rows...), poly.And(append(same, poly.NotNegative(sum.Add(-1)))...))
}

// String returns what the proof found, in one line.
func (p Proof) String() string {
	switch {
	case p.Holds:
		return fmt.Sprintf("%s: holds for all sizes (%s)", p.Name, p.Effort())
	case p.Undecided != "":
		return fmt.Sprintf("%s: undecided: %s", p.Name, p.Undecided)
	}
	return fmt.Sprintf("%s: fails: %s", p.Name, p.Violation)
}

// Text returns what the proof found, and below it a line for each thing that
// was asked, with the number of tests, as in
//
//	partition: holds for all sizes (8 emptiness tests)
//	  yes  every instance of S0 is in a tile (1 emptiness test)
//
// times adds what each took, which differs from run to run.
func (p Proof) Text(times bool) string {
	var b strings.Builder
	b.WriteString(p.String())
	b.WriteString(tookText(times, p.Took))
	for _, q := range p.Questions {
		fmt.Fprintf(&b, "\n  %-4s %s (%s)%s", q.Answer(p), q.Text, q.Effort(p), tookText(times, q.Took))
	}
	return b.String()
}

// Answer returns yes, no, or ? where the proof p, of which q is a part, gave up at it.
func (q Question) Answer(p Proof) string {
	switch {
	case q.Holds:
		return "yes"
	case p.Undecided != "":
		return "?"
	}
	return "no"
}

// Effort returns what it took to decide p, as in "9 emptiness tests".
func (p Proof) Effort() string { return p.count(p.Tests) }

// Effort returns what q took, a part of p.
func (q Question) Effort(p Proof) string { return p.count(q.Tests) }

func (p Proof) count(n int) string {
	unit := cmp.Or(p.Unit, "emptiness test")
	if n == 1 {
		return "1 " + unit
	}
	return fmt.Sprintf("%d %ss", n, unit)
}

func tookText(times bool, took time.Duration) string {
	if !times {
		return ""
	}
	return fmt.Sprintf(", %.2f ms", float64(took.Microseconds())/1000)
}

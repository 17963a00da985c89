package astgen

import (
	"math"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/scop"
)

// This file says for which parameters sums of 64 bits suffice.

// mostOf returns the greatest power of two such that nothing that the loops of body compute needs more than 63 bits while no
// parameter is farther from 0.
func mostOf(s *scop.Program, body Node) int64 {
	for bits := 60; bits > 0; bits-- {
		m := magnitudes{vars: map[string]float64{}}
		for _, q := range s.Params {
			m.vars[q.Name] = math.Ldexp(1, bits)
		}
		m.cond(Busy(s))
		m.node(body)
		if m.worst < 1<<62 { // what printers add is less than the other half
			return 1 << bits
		}
	}
	return 1
}

// A magnitudes knows how far from 0 variables are, and what is computed of them.
type magnitudes struct {
	vars  map[string]float64
	worst float64
}

// of returns how far from 0 e is, and sees what it takes to compute it.
func (m *magnitudes) of(e affine.Expr) (most float64) {
	switch e := e.(type) {
	case affine.Sum:
		most = math.Abs(float64(e.Const))
		for _, t := range e.Terms {
			most += math.Abs(float64(t.Coef)) * m.vars[t.Var]
		}
	case affine.FloorDiv:
		most = m.of(e.X)/float64(e.D) + 1
	case affine.Mod:
		most = max(m.of(e.X), float64(e.D))
	case affine.Table:
		for _, v := range e.Values {
			most = max(most, math.Abs(float64(v)))
		}
	case affine.Min:
		for _, a := range e.Args {
			most = max(most, m.of(a))
		}
	case affine.Max:
		for _, a := range e.Args {
			most = max(most, m.of(a))
		}
	}
	m.worst = max(m.worst, most)
	return most
}

func (m *magnitudes) cond(c Cond) {
	for _, rows := range c {
		for _, r := range rows {
			m.of(r)
		}
	}
}

// loop notes a variable between lo and hi, which one more is added to after its last turn.
func (m *magnitudes) loop(name string, lo, hi affine.Expr) {
	m.vars[name] = max(m.of(lo), m.of(hi)) + 1
}

func (m *magnitudes) node(n Node) {
	switch n := n.(type) {
	case Block:
		for _, x := range n {
			m.node(x)
		}
	case For:
		m.loop(n.Var, n.Lo, n.Hi)
		m.node(n.Body)
	case Launch:
		for _, r := range n.Work {
			m.cond(Cond{r.Rows})
			if r.Lo != nil {
				m.of(r.Lo)
				m.of(r.Hi)
			}
		}
		m.node(n.Body)
	case If:
		m.cond(n.Cond)
		m.node(n.Then)
		m.node(n.Else)
	case Tile:
		m.steps(n.Steps)
	case Streamed:
		m.loop(n.Var, n.Lo, n.Hi)
		m.steps(n.Steps)
	case Waves:
		m.loop(n.Var, n.Lo, n.Hi)
		m.steps(n.Steps)
	case Rolled:
		m.loop(n.Var, n.Lo, n.Hi)
		m.steps(n.Steps)
	}
}

func (m *magnitudes) steps(steps []Step) {
	for _, s := range steps {
		for _, l := range s.Loops {
			m.loop(l.Var, l.Lo, l.Hi)
		}
		m.cond(s.Guard)
		for _, e := range s.Iters {
			m.of(e)
		}
	}
}

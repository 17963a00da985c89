package cpu

import (
	"github.com/hexcc/hexcc/affine"
)

// This file says which points of a step run, where only some do anything (scop.Stmt.When): those of one colour of a
// checkerboard are every second place along a row; of lines of one colour, all places of every second row.

// A Turn is the points of a step that run: in rows where all of Rows are 0, at the places p along a row at which
// p + First is a multiple of By, if By > 0, and all of Points are 0. Rows and First are over variables outside of the row.
type Turn struct {
	Rows   []affine.Expr
	By     int64
	First  affine.Sum
	Points []affine.Expr
}

// Whole reports whether all places along a row run that runs at all.
func (t Turn) Whole() bool { return t.By == 0 && len(t.Points) == 0 }

// turns finds out which points of s run.
func (m *maker) turns(s *Step) {
	place := s.Loops[len(s.Loops)-1].Var
	iters := make([]affine.Sum, len(s.Iters))
	for i, e := range s.Iters {
		iters[i] = e.(affine.Sum)
	}
	for k, e := range m.loops.Schedule.Canonical.Scop.Remainders(s.Stmt, iters) {
		rest, by := e, s.Stmt.When[k].Mod
		if r, ok := e.(affine.Mod); ok {
			rest, by = r.X, r.D
		}
		sum, ok := rest.(affine.Sum)
		switch c := sum.Coef(place); {
		case ok && c == 0:
			s.Turn.Rows = append(s.Turn.Rows, e)
		case ok && s.Turn.By == 0 && inverse(c, by) != 0:
			s.Turn.By, s.Turn.First = by, sum.Without(place).Times(inverse(c, by))
		default:
			s.Turn.Points = append(s.Turn.Points, e)
		}
	}
}

// inverse returns x such that c*x leaves 1 modulo m, 0 if there is none.
func inverse(c, m int64) int64 {
	for x := int64(1); x < m && m <= maxBy; x++ {
		if affine.Remainder(c, m)*x%m == 1 {
			return x
		}
	}
	return 0
}

// maxBy bounds the modulus for which a row runs in steps.
const maxBy = 64

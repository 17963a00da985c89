package frontend

import (
	"maps"

	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/scop"
)

// This file says where an expression stands, for its value depends on that: inside which loops, with which locals, and
// with what in the pointers that the time loop exchanges. A claim about a value holds at a place, too: see obligation.

// A loop is a for loop whose iterator takes the values that satisfy constraints.
type loop struct {
	where       // of the head
	decl        *cc.Declarator
	name        string
	typ         scop.Type
	constraints []linear
	down        bool // it counts down
	by          int64
}

func inLoops(loops []loop, d *cc.Declarator) bool {
	for _, l := range loops {
		if l.decl == d {
			return true
		}
	}
	return false
}

// A place is where an expression stands. The zero place is that of a declaration outside of the region.
type place struct {
	loops       []loop                    // around it, outside in
	constraints []linear                  // what holds at it besides, as a part of a nest runs where its conditions hold
	locals      map[*cc.Declarator]*local // of the nest
	pointers    pointers                  // what pointers hold here
	function    string                    // of the file, that is being put here; "" for none
}

// pointers is what the pointers that the time loop moves hold at a place of it: see storage_rotate.go.
type pointers struct {
	holds  map[*cc.Declarator]*cc.Declarator // by pointer, the one that held it when the step began
	chosen map[*cc.Declarator]*choice        // what they are set to, where that is a choice
}

// of returns what pointer d holds, as the pointer that held it when the step began.
func (ps pointers) of(d *cc.Declarator) *cc.Declarator {
	if h, ok := ps.holds[d]; ok {
		return h
	}
	return d
}

// after returns what pointers hold after moves.
func (ps pointers) after(moves []move) pointers {
	next := pointers{map[*cc.Declarator]*cc.Declarator{}, map[*cc.Declarator]*choice{}}
	maps.Copy(next.holds, ps.holds)
	maps.Copy(next.chosen, ps.chosen)
	for _, m := range moves {
		if next.chosen[m.to] = m.choice; m.from != nil {
			next.holds[m.to], next.chosen[m.to] = next.of(m.from), next.chosen[m.from]
		}
	}
	return next
}

// inside returns the place inside of one more loop.
func (p place) inside(l loop) place {
	p.loops, p.constraints = append(p.loops[:len(p.loops):len(p.loops)], l), nil
	return p
}

// outermost returns the place in the outermost loop around p, but in none of the others.
func (p place) outermost() place {
	if len(p.loops) > 1 {
		p.loops, p.constraints = p.loops[:1], nil
	}
	return p
}

// A subscript is linear, or linear modulo mod if mod > 0.
type subscript struct {
	linear
	mod  int64
	left *linear // what C's % is applied to, which must not be negative; nil for none
}

// A local is a scalar that each instance of a nest sets before it reads it.
type local struct {
	name     string
	typ      scop.Type // in which C calculates with it
	stored   scop.Type // of the variable: that, or a narrower one
	set      bool      // on every way to this place
	assigned bool      // on some way
	born     int       // inside how many branches it begins
	alias    scop.Expr // its value, where it needs no variable
	value    *linear   // its value at this place, if that is known to be affine
	owed     []obligation
}

// read returns the value of l.
func (l *local) read() scop.Expr {
	if l.alias != nil {
		return l.alias
	}
	return scop.Var{T: l.typ, Name: l.name, Kind: scop.LocalVar}
}

// An obligation is a claim about an expression: its value is at least 0
// wherever constraints hold.
type obligation struct {
	where
	code        diag.Code
	msg         string // what is wrong if it is negative
	value       linear
	loops       []loop
	constraints []linear
	small       []linear // that not all of these hold is claimed in place of that, where they can for small sizes only; nil: it is not
	tested      string   // where it does not follow for all sizes, that it holds is tested at run time: what is said of the expression
}

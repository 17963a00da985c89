package frontend

import (
	"fmt"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/scop"
)

// This file is what becomes of the body of the time loop: nests, which are loops around statements that all of their
// iterations run, with the accesses of these. They are made of pieces, which are nests of the syntax tree.

// A nest is a loop nest of the time loop on its way to a scop.Stmt.
type nest struct {
	stmt        *scop.Stmt
	loops       []loop // loops[0] is the time loop
	constraints []linear
	accesses    []*access
	locals      map[*cc.Declarator]*local
	names       map[string]bool // of iterators and locals
	path        []int           // the loops of the source that it comes from: see piece
	turns       []turn          // of loops that were written out around it
	early       []*access       // reads that were moved behind other nests
	unused      []*access       // reads whose value nobody uses: they are dropped
	stretch     int             // of a body with copies of a statement, the number of the nest that it was taken apart into; else 0
	olds        []oldValue      // the reads of what stores overwrite
	pointers    pointers        // what pointers hold here
}

// An access is a scop.Access on its way.
type access struct {
	*scop.Access
	array *array
	index []subscript
	where
	subs []expr     // as written
	flat polynomial // the only subscript, where it holds products of variables
	fits []fit      // what of them must be a number of its type
}

// around is what stands around statements in the time loop.
type around struct {
	at    place     // in the time loop
	heads []forStmt // of the loops in that, outside in
	path  []int     // identifies them: what is inside of the same loops has equal beginnings
	// remainders are those that numbers stand for, where the class of what they divide is tested: see nests_class.go.
	remainders []binary
}

// inside returns what is around the body of f, a loop inside of a.
func (a around) inside(f forStmt, id int) around {
	a.heads, a.path = append(a.heads[:len(a.heads):len(a.heads)], f), append(a.path[:len(a.path):len(a.path)], id)
	return a
}

// A piece is a perfect nest on its way: statements with what is around them.
type piece struct {
	around
	body  []stmt
	early int // so many statements at the beginning of body were copied from before it
	turns []turn
}

// under returns p with its body in an if.
func (p piece) under(test expr, w where) piece {
	body := slices.Clone(p.body[:p.early])
	p.body = append(body, ifStmt{w, test, block{w, p.body[p.early:]}, nil})
	return p
}

// A turn is the iteration of a loop that was written out that a nest is a copy of.
type turn struct {
	decl  *cc.Declarator
	depth int // of the loop: so many loops are around it, the time loop included
	value int64
}

func one(n *nest) []*nest {
	if n == nil {
		return nil
	}
	return []*nest{n}
}

// farApart is a distance between elements from which on they are taken for those at two ends of an array of a known extent.
const farApart = 9

// fallsApart reports whether two accesses of n to one array, not both reads, lie at
// places between which the distance depends on the parameters or the loops, or is large.
func (n *nest) fallsApart() bool {
	for _, x := range n.accesses {
		for _, y := range n.accesses {
			if x.array != y.array || !x.Write || x.flat != nil || y.flat != nil {
				continue
			}
			for k := range min(len(x.index), len(y.index)) {
				if x.index[k].mod > 0 || y.index[k].mod > 0 {
					continue
				}
				if d := x.index[k].sub(y.index[k].linear); !d.isConstant() || max(d.c, -d.c) >= farApart {
					return true
				}
			}
		}
	}
	return false
}

// variesInSpace reports whether x changes along a space loop of n.
func (n *nest) variesInSpace(x linear) bool {
	return slices.ContainsFunc(n.loops[1:], func(l loop) bool { return x.v.of(l.decl) != 0 })
}

// shared returns how many loops below the time loop m and n have in common.
func shared(m, n *nest) (k int) {
	for k < len(m.path) && k < len(n.path) && m.path[k] == n.path[k] {
		k++
	}
	return k
}

// innermost returns the number of the innermost loop whose variable is in r, -1 if there is none.
func innermost(r linear, loops []loop) int {
	at := -1
	for i, l := range loops {
		if r.v.of(l.decl) != 0 {
			at = i
		}
	}
	return at
}

// place returns the place of the body of n.
func (n *nest) place() place {
	return place{loops: n.loops, constraints: n.constraints, locals: n.locals, pointers: n.pointers}
}

// An oldValue is the access that reads what of overwrites.
type oldValue struct{ of, read *scop.Access }

// A part is a part of a nest: its instances that satisfy constraints, and what they run.
type part struct {
	constraints []linear
	body        []stmt
	early       int      // so many statements at the beginning were copied from before the nest
	remainders  []binary // that numbers stand for, as in an around
}

// A state is what is known of a local at some place.
type state struct{ set, assigned bool }

// text returns n by the names of fr: its loops with their constraints, and its accesses.
func (n *nest) text(fr frame) string {
	fr = fr.with(n.loops)
	var b strings.Builder
	fmt.Fprintf(&b, "line %d: %s : %s\n", n.stmt.Pos.Line, list(fr.iterNames), strings.Join(mapAll(n.constraints, fr.relation), " and "))
	for _, a := range n.accesses {
		verb := "reads"
		if a.Write {
			verb = "writes"
		}
		fmt.Fprintf(&b, "  %-6s %s", verb, a.array.Name)
		for k, s := range a.index {
			if a.flat != nil && k == a.array.lead {
				fmt.Fprintf(&b, "[%s: products]", exprText(a.subs[k]))
				continue
			}
			fmt.Fprintf(&b, "[%v]", fr.value(s))
		}
		b.WriteString("\n")
	}
	return b.String()
}

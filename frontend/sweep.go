package frontend

import (
	"fmt"
	"strings"

	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/diag"
)

// This file finds loops that sweep through an array, each iteration reading what
// an earlier one wrote, in nests that are refused for their form: the form can be
// changed, the sweep cannot, so the sweep is what the user should hear of.

// sweeps reports, for a loop inside of n that is not perfectly nested, a
// dependence that the loop or one inside of it carries, and whether there is one.
func (b *builder) sweeps(n *nest, f forStmt) bool {
	loops := n.loops[:len(n.loops):len(n.loops)]
	signs := make([]int64, len(loops)) // +1 counts up, -1 down, 0: not looked at
	for {
		d := iteratorOf(f)
		by, ok := stepOf(f.step, d)
		if d == nil || !ok || by != 1 && by != -1 {
			return false
		}
		loops, signs = append(loops, loop{where: f.head, decl: d, name: d.Name()}), append(signs, by)
		body := flatten([]stmt{f.body})
		if len(body) == 1 {
			if inner, nested := body[0].(forStmt); nested {
				f = inner
				continue
			}
		}
		return b.sweepIn(body, loops, signs)
	}
}

// sweepIn looks for an element that body writes and, in a later iteration of the
// loops inside, reads.
func (b *builder) sweepIn(body []stmt, loops []loop, signs []int64) bool {
	for _, s := range body {
		e, ok := s.(exprStmt)
		if !ok {
			continue
		}
		to, ok := e.x.(assign)
		if !ok {
			continue
		}
		write, ok := to.x.(index)
		if !ok {
			continue
		}
		found := false
		for _, other := range body {
			for _, x := range exprsOf(other) {
				eachExpr(x, func(x expr) {
					if read, ok := x.(index); ok && !found && x.at() != write.at() {
						found = b.sweep(write, read, loops, signs)
					}
				})
			}
		}
		if found {
			return true
		}
	}
	return false
}

// sweep reports the dependence of read on write, if it is carried by one of the
// loops that signs tell of, at a constant distance.
func (b *builder) sweep(write, read index, loops []loop, signs []int64) bool {
	array, to := elementOf(write)
	same, from := elementOf(read)
	if array == nil || array != same || len(to) != len(from) {
		return false
	}
	distance := make([]int64, len(loops))
	for i := range to {
		w, why := b.linear(to[i], loops)
		r, whyNot := b.linear(from[i], loops)
		if why != nil || whyNot != nil || !w.sub(r).isConstant() {
			return false
		}
		gap := w.sub(r).c
		switch moving := iteratorsIn(w, loops); {
		case len(moving) == 0 && gap == 0:
		case len(moving) == 1 && w.v[loops[moving[0]].decl]*w.v[loops[moving[0]].decl] == 1:
			distance[moving[0]] = gap * w.v[loops[moving[0]].decl]
		default:
			return false
		}
	}
	for k, d := range distance {
		if d == 0 {
			continue
		}
		if d*signs[k] > 0 {
			b.reportSweep(write, read, loops, distance, k)
			return true
		}
		return false
	}
	return false
}

func (b *builder) reportSweep(write, read index, loops []loop, distance []int64, k int) {
	var names, values []string
	for i, l := range loops {
		names, values = append(names, l.decl.Name()), append(values, fmt.Sprint(distance[i]))
	}
	name := loops[k].decl.Name()
	b.errs = append(b.errs, &diag.Diagnostic{Code: "HX201", At: b.f.span(write.where),
		Msg: fmt.Sprintf("the %s loop carries a flow dependence: %s and then %s touch the same element at distance (%s) = (%s)",
			name, b.textOf(write), b.textOf(read), strings.Join(names, ", "), strings.Join(values, ", ")),
		Notes: []diag.Note{{At: b.f.span(read.where), Msg: fmt.Sprintf("%s is read here in a later iteration of the %s loop", b.textOf(read), name)}},
		Help:  "only the time loop may carry dependences: read the values of the previous time step, from a second array or a time dimension such as [t%2]",
	})
}

// elementOf returns the array and the subscripts of e; the array is nil if it is no variable.
func elementOf(e index) (array *cc.Declarator, subs []expr) {
	var base expr = e
	for {
		x, ok := base.(index)
		if !ok {
			break
		}
		base, subs = x.base, append([]expr{x.sub}, subs...)
	}
	if x, ok := base.(ident); ok {
		array = x.decl
	}
	return array, subs
}

// iteratorsIn returns which of loops count in a.
func iteratorsIn(a linear, loops []loop) (list []int) {
	for i, l := range loops {
		if a.v[l.decl] != 0 {
			list = append(list, i)
		}
	}
	return list
}

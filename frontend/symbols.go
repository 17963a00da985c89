package frontend

import (
	"fmt"
	"strings"
	"sync/atomic"

	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/scop"
)

// This file keeps the variables that a region depends on: parameters, of which bounds, subscripts and extents are made,
// and scalars, of which values are. Which of both a variable is depends on the whole region: see survey.go.

// symbols are the variables of the program: its parameters, scalars and constants, and the names of all.
type symbols struct {
	*survey
	params    map[*cc.Declarator]scop.Param
	quotients map[*cc.Declarator]quotient // the parameters that are quotients of others
	order     []*cc.Declarator            // the parameters, in the order in which they were noted
	framed    atomic.Pointer[frame]       // their columns; nil: nothing has asked for them since the last was noted
	scalars   map[*cc.Declarator]scop.Scalar
	values    map[*cc.Declarator]variableValue
	names     map[string]bool           // of variables declared outside the region
	nameIn    map[*cc.Declarator]string // the names that variables declared outside the region have in the program
	own       map[string]bool           // the names of iterators and locals of all nests
}

func newSymbols(sv *survey) *symbols {
	return &symbols{
		survey: sv, params: map[*cc.Declarator]scop.Param{}, quotients: map[*cc.Declarator]quotient{}, scalars: map[*cc.Declarator]scop.Scalar{},
		values: map[*cc.Declarator]variableValue{},
		names:  map[string]bool{}, nameIn: map[*cc.Declarator]string{}, own: map[string]bool{},
	}
}

// param notes that the region depends on parameter e.
func (sym *symbols) param(e ident, t scop.Type) {
	if _, known := sym.params[e.decl]; !known {
		sym.addParam(e.decl, scop.Param{Name: sym.nameOf(e.decl), Type: t, C: sym.expressionOf(e.decl)})
	}
}

// addParam notes parameter d, which is new.
func (sym *symbols) addParam(d *cc.Declarator, p scop.Param) {
	sym.params[d], sym.order = p, append(sym.order, d)
	sym.framed.Store(nil)
}

// distance notes that the region depends on d, the distance of rows, which the host code computes.
func (sym *symbols) distance(d *cc.Declarator) {
	if _, known := sym.params[d]; !known {
		name := sym.nameOf(d)
		sym.addParam(d, scop.Param{Name: name, Type: scop.Int, C: "hexcc_" + name})
	}
}

// A quotient is sum/by, rounded down.
type quotient struct {
	sum linear
	by  int64
}

// paramOf notes that the region depends on parameter d, which is q of others.
func (sym *symbols) paramOf(d *cc.Declarator, t scop.Type, q quotient) {
	if _, known := sym.params[d]; !known {
		sym.addParam(d, scop.Param{Name: sym.nameOf(d), Type: t, C: sym.expressionOf(d)})
		sym.quotients[d] = q
	}
}

// bounds returns what is known of d, a parameter that is q.
func (q quotient) bounds(d *cc.Declarator) []linear {
	return []linear{q.sum.sub(variable(d).scale(q.by)), variable(d).scale(q.by).addc(q.by - 1).sub(q.sum)}
}

// scalar notes that the region reads d, which is of type t.
func (sym *symbols) scalar(d *cc.Declarator, t scop.Type) {
	sym.scalars[d] = scop.Scalar{Name: sym.nameOf(d), Type: t, C: sym.expressionOf(d), Fixed: sym.fixed(d, t), Truth: d.Type().Kind() == cc.Bool, Half: d.Type().Kind() == halfKind}
}

// A variableValue is what is known of a variable that has one value whenever the region runs.
type variableValue struct {
	scop.Const
	ok bool
}

// noteValue notes that d is c whenever the region runs, or, if ok is false, that it has no such value.
func (sym *symbols) noteValue(d *cc.Declarator, c scop.Const, ok bool) {
	sym.values[d] = variableValue{c, ok}
}

// valueOf returns what was noted of d; known is false if nothing was.
func (sym *symbols) valueOf(d *cc.Declarator) (c scop.Const, ok, known bool) {
	v, known := sym.values[d]
	return v.Const, v.ok, known
}

// try returns what takes back all parameters and notes of what is read from here on. What was tried last is taken back first.
func (sym *symbols) try() (back func()) {
	start, known := sym.mark(), len(sym.order)
	return func() {
		sym.back(start)
		if len(sym.order) <= known {
			return
		}
		for _, d := range sym.order[known:] {
			delete(sym.params, d)
			delete(sym.quotients, d)
		}
		sym.order = sym.order[:known]
		sym.framed.Store(nil)
	}
}

// frame returns the columns of the parameters, in order of declaration. Many subscripts ask for it between two new parameters.
func (sym *symbols) frame() frame {
	fr := sym.framed.Load()
	if fr == nil {
		made := sym.paramColumns()
		fr = &made
		sym.framed.Store(fr)
	}
	return *fr
}

// paramColumns makes what frame returns.
func (sym *symbols) paramColumns() frame {
	fr := frame{params: inOrder(sym.source, sym.params), empty: sym.u.empty}
	for _, d := range fr.params {
		fr.paramNames = append(fr.paramNames, sym.params[d].Name)
	}
	texts := make([]string, len(fr.params))
	for i, d := range fr.params {
		q, ok := sym.quotients[d]
		if !ok {
			continue
		}
		sum := fr.text(q.sum)
		if strings.Contains(sum, " ") {
			sum = "(" + sum + ")"
		}
		texts[i] = fmt.Sprintf("%s / %d", sum, q.by)
	}
	fr.paramTexts = texts
	return fr
}

// ranges returns what the types say of parameters and of the variables of loops, where they have 32 bits.
func (sym *symbols) ranges(loops []loop) (constraints []linear) {
	within := func(x linear, t scop.Type) {
		if t.Size() == 4 {
			constraints = append(constraints, constant(largest(t)).sub(x))
		}
		if t == scop.Int {
			constraints = append(constraints, x.addc(1<<31))
		}
	}
	for _, d := range inOrder(sym.source, sym.params) {
		within(variable(d), sym.params[d].Type)
	}
	for _, l := range loops {
		if l.by == 1 || l.by == -1 {
			within(variable(l.decl), l.typ)
		}
	}
	return constraints
}

// carried reports that x is read before the instance sets it.
func (sym *symbols) carried(x ident) {
	sym.errorf("HX107", x.where, "a value that one iteration leaves for the next one puts them in an order, so that they cannot run at the same time",
		"declare a local scalar in the innermost loop and set it first",
		"'%s' carries a value from one iteration to the next", x.name)
}

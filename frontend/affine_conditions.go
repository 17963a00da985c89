package frontend

import (
	"slices"
)

// This file reads conditions that are affine: they split the instances of a nest. A condition becomes conjunctions of
// constraints, of which one holds wherever it is true; i != 0 becomes i >= 1, or -i >= 1.

// cases returns conjunctions of constraints, no two of which hold together, one of
// which holds exactly where the value of e is true, or false if want is false. If
// there are none, nothing is noted of e: it is a value, and its variables scalars.
func (ar *affineReader) cases(e expr, want bool, at place) ([][]linear, bool) {
	back := ar.try()
	all, ok := ar.someCases(e, want, at)
	if !ok {
		back()
	}
	return all, ok
}

func (ar *affineReader) someCases(e expr, want bool, at place) ([][]linear, bool) {
	switch v, known := constantTruth(e); {
	case known && v == want:
		return [][]linear{{}}, true
	case known:
		return nil, true
	}
	switch x := e.(type) {
	case unary:
		if x.op == "!" {
			return ar.cases(x.x, !want, at)
		}
	case binary:
		if v, ok := x.x.(ident); ok && ar.testsCallback(x) && !ar.affine[v.decl] {
			return nil, false
		}
		switch x.op {
		case "&&":
			return ar.bothCases(x, want, true, at)
		case "||":
			return ar.bothCases(x, want, false, at)
		case "<", "<=", ">", ">=", "==", "!=":
			return ar.comparison(x, want, at)
		}
	case cast:
		return nil, false
	}
	x, why := ar.linear(e, at)
	if why != nil {
		return nil, false
	}
	if !want {
		return [][]linear{{x, x.scale(-1)}}, true
	}
	return [][]linear{{x.addc(-1)}, {x.scale(-1).addc(-1)}}, true
}

// bothCases is cases for x && y, where and is true, or x || y. Of both, one
// value of x decides alone; else y does, so that what is owed for it is owed there.
func (ar *affineReader) bothCases(e binary, want, and bool, at place) ([][]linear, bool) {
	decides, ok1 := ar.cases(e.x, !and, at)
	other, ok2 := ar.cases(e.x, and, at)
	var then [][]linear
	var ok3 bool
	owed := ar.owing(func() { then, ok3 = ar.cases(e.y, want, at) })
	if !ok1 || !ok2 || !ok3 {
		return nil, false
	}
	var all [][]linear
	if want != and {
		all = append(all, decides...)
	}
	for _, c := range other {
		if len(owed) > 0 {
			there := at
			there.constraints = slices.Concat(at.constraints, c)
			if then, ok3 = ar.cases(e.y, want, there); !ok3 {
				return nil, false
			}
		}
		for _, d := range then {
			all = append(all, slices.Concat(c, d))
		}
	}
	return all, len(all) <= maxExtremes
}

func (ar *affineReader) comparison(e binary, want bool, at place) ([][]linear, bool) {
	x, why := ar.linear(e.x, at)
	y, whyNot := ar.linear(e.y, at)
	if why != nil || whyNot != nil {
		return nil, false
	}
	t := usual(intType(e.x), intType(e.y))
	ar.obligeOperand(e.x, x, t, at)
	ar.obligeOperand(e.y, y, t, at)
	op := e.op
	if !want {
		op = map[string]string{"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}[op]
	}
	d := x.sub(y)
	less, greater := d.scale(-1).addc(-1), d.addc(-1)
	switch op {
	case "<":
		return [][]linear{{less}}, true
	case "<=":
		return [][]linear{{d.scale(-1)}}, true
	case ">":
		return [][]linear{{greater}}, true
	case ">=":
		return [][]linear{{d}}, true
	case "==":
		return [][]linear{{d, d.scale(-1)}}, true
	}
	return [][]linear{{less}, {greater}}, true
}

// decide returns the value of condition e, if it is the same for every instance
// of the nest: a comparison of numbers, once inner loops are written out.
func (ar *affineReader) decide(e expr, at place) (value, known bool) {
	owed := len(ar.obligations)
	defer ar.try()()
	alternatives, ok := ar.cases(e, true, at)
	if !ok || len(ar.obligations) > owed { // or unsigned arithmetic may wrap around
		return false, false
	}
	value = false
	for _, conjunction := range alternatives {
		holds := true
		for _, r := range conjunction {
			if !r.isConstant() {
				return false, false
			}
			holds = holds && r.c >= 0
		}
		value = value || holds
	}
	return value, true
}

package calc

import (
	"errors"
	"fmt"
	"slices"

	"github.com/hexcc/hexcc/poly"
)

// An evaluator evaluates the trees of one source.
type evaluator struct {
	source
	vars     map[string]Value
	readFile func(name string) ([]byte, error) // nil: there are no files
}

func (e *evaluator) fail(n node, format string, args ...any) {
	panic(e.errorAt(n.at(), format, args...))
}

// failWith reports an error that is not made here.
func (e *evaluator) failWith(n node, err error) {
	failure := e.errorAt(n.at(), "%v", err)
	failure.Err = err
	panic(failure)
}

// eval returns the value of n, which is nil for an assertion.
func (e *evaluator) eval(n node) Value {
	switch n := n.(type) {
	case valueNode:
		return n.value
	case literalNode:
		return e.literal(n)
	case nameNode:
		v, known := e.vars[n.name]
		if !known && slices.Contains(absent, n.name) {
			e.fail(n, noOperation, n.name)
		}
		if !known {
			e.fail(n, "%s has no value", n.name)
		}
		return v
	case listNode:
		list := List{}
		for _, item := range n.items {
			list = append(list, e.value(item))
		}
		return list
	case indexNode:
		return e.index(n)
	case unaryNode:
		return e.unary(n)
	case binaryNode:
		return e.binary(n)
	case applyNode:
		return e.apply(n)
	case powerNode:
		return e.power(n)
	case flowNode:
		return e.flow(n)
	case codegenNode:
		return e.codegen(n)
	case readNode:
		return e.read(n)
	}
	panic(fmt.Sprintf("calc: eval: unknown node %T", n))
}

// value is eval for an operand.
func (e *evaluator) value(n node) Value {
	v := e.eval(n)
	if v == nil {
		e.fail(n, "an assertion has no value")
	}
	return v
}

// literal parses a set, relation or function.
func (e *evaluator) literal(n literalNode) Value {
	v, err := parseLiteral(n.text)
	if mistake := (*poly.ParseError)(nil); errors.As(err, &mistake) {
		panic(e.errorAt(e.offset(n.at(), mistake.Line, mistake.Col), "%s", mistake.Msg))
	}
	if err != nil {
		e.failWith(n, err)
	}
	return v
}

func parseLiteral(text string) (Value, error) {
	switch literalKind(text) {
	case setKind:
		s, err := poly.ParseSet(text)
		return Set{s}, err
	case mapKind:
		m, err := poly.ParseMap(text)
		return Map{m}, err
	}
	return function(poly.ParseCount(text))
}

// as returns the value of n as one of kind k.
func (e *evaluator) as(n node, k kind, op string) Value {
	v := e.value(n)
	c, ok := convert(v, k)
	if !ok {
		e.fail(n, "%s needs a %s, not a %s", op, kindNames[k], kindNames[v.kind()])
	}
	return c
}

func (e *evaluator) unary(n unaryNode) Value {
	v := e.value(n.operand)
	switch n.op {
	case "typeof":
		return Text(kindNames[v.kind()])
	case "assert":
		holds, ok := v.(Bool)
		if !ok {
			e.fail(n.operand, "assert needs a boolean, not a %s", kindNames[v.kind()])
		}
		if !holds {
			e.fail(n, "assertion failed")
		}
		return nil
	}
	for _, fits := range []func(v Value, k kind) (Value, bool){exactly, convert} {
		for _, u := range unaries {
			if u.name != n.op {
				continue
			}
			if x, ok := fits(v, u.operand); ok {
				result, err := u.apply(x)
				if err != nil {
					e.failWith(n, err)
				}
				return result
			}
		}
	}
	e.fail(n, "there is no %s of a %s", n.op, kindNames[v.kind()])
	return nil
}

// exactly is convert for values that need no conversion.
func exactly(v Value, k kind) (Value, bool) { return v, v.kind() == k }

func (e *evaluator) binary(n binaryNode) Value {
	v, w := e.value(n.left), e.value(n.right)
	for _, fits := range []func(v Value, k kind) (Value, bool){exactly, convert} {
		for _, b := range binaries {
			if b.name != n.op {
				continue
			}
			x, leftFits := fits(v, b.left)
			y, rightFits := fits(w, b.right)
			if leftFits && rightFits {
				result, err := b.apply(x, y)
				if err != nil {
					e.failWith(n, err)
				}
				return result
			}
		}
	}
	e.fail(n, "there is no %s of a %s and a %s", n.op, kindNames[v.kind()], kindNames[w.kind()])
	return nil
}

// apply evaluates m(s), m(n), f(s) and f(m).
func (e *evaluator) apply(n applyNode) Value {
	f, x := e.value(n.f), e.value(n.x)
	var result Value
	var err error
	if m, ok := convert(f, mapKind); ok {
		if s, ok := x.(Set); ok {
			result = Set{m.(Map).Apply(s.Set)}
		} else if other, ok := convert(x, mapKind); ok {
			result = Map{other.(Map).ApplyRange(m.(Map).Map)}
		}
	} else if c, ok := convert(f, functionKind); ok {
		if s, ok := x.(Set); ok {
			result, err = function(c.(Function).IntersectDomain(s.Set).Sum())
		} else if m, ok := convert(x, mapKind); ok {
			result, err = compose(m, c)
		}
	} else {
		e.fail(n, "a %s cannot be applied", kindNames[f.kind()])
	}
	if err != nil {
		e.failWith(n, err)
	}
	if result == nil {
		e.fail(n, "a %s cannot be applied to a %s", kindNames[f.kind()], kindNames[x.kind()])
	}
	return result
}

func (e *evaluator) power(n powerNode) Value {
	m := e.as(n.base, mapKind, "^").(Map).Map
	if n.plus {
		closure, exact := m.TransitiveClosure()
		return List{Map{closure}, Bool(exact)}
	}
	p, err := power(m, n.exp)
	if err != nil {
		e.failWith(n, err)
	}
	return Map{p}
}

func (e *evaluator) index(n indexNode) Value {
	list, ok := e.value(n.list).(List)
	if !ok {
		e.fail(n, "only a list can be indexed")
	}
	if n.index < 0 || n.index >= len(list) {
		e.fail(n, "the list has %d elements, the first one at 0", len(list))
	}
	return list[n.index]
}

func (e *evaluator) flow(n flowNode) Value {
	writes := e.as(n.writes, mapKind, "any or last").(Map).Map
	reads := e.as(n.reads, mapKind, "before").(Map).Map
	order := e.as(n.order, mapKind, "under").(Map).Map
	if !n.last {
		return Map{anyBefore(writes, reads, order)}
	}
	last, unwritten := lastBefore(writes, reads, order)
	return List{Map{last}, Map{unwritten}}
}

package calc

import (
	"fmt"
	"math/big"
	"strings"

	"github.com/hexcc/hexcc/poly"
	"github.com/hexcc/hexcc/schedule/tree"
)

// A Value is what an expression evaluates to: a Set, Map, Function, Schedule, Number, Bool, Text or List.
type Value interface {
	kind() kind
	String() string
}

// The kinds of Value.
type (
	Set      struct{ poly.Set }
	Map      struct{ poly.Map }
	Function struct{ poly.Count } // a piecewise quasi-polynomial
	Schedule struct{ tree.Node }
	Number   struct{ *big.Int }
	Bool     bool
	Text     string
	List     []Value
)

// A kind says which type a Value has.
type kind uint8

const (
	anyKind kind = iota // of operands: all kinds
	setKind
	mapKind
	functionKind
	scheduleKind
	numberKind
	boolKind
	textKind
	listKind
)

// kindNames are what typeof says, as iscc does.
var kindNames = [...]string{
	setKind:      "set",
	mapKind:      "map",
	functionKind: "piecewise quasipolynomial",
	scheduleKind: "schedule",
	numberKind:   "value",
	boolKind:     "boolean",
	textKind:     "string",
	listKind:     "list",
}

func (Set) kind() kind      { return setKind }
func (Map) kind() kind      { return mapKind }
func (Function) kind() kind { return functionKind }
func (Schedule) kind() kind { return scheduleKind }
func (Number) kind() kind   { return numberKind }
func (Bool) kind() kind     { return boolKind }
func (Text) kind() kind     { return textKind }
func (List) kind() kind     { return listKind }

// String returns s as a tree in YAML, or as a relation, a context and options.
func (s Schedule) String() string { return strings.TrimSuffix(s.Node.String(), "\n") }

func (b Bool) String() string {
	if b {
		return "True"
	}
	return "False"
}

func (t Text) String() string { return string(t) }

func (l List) String() string {
	items := make([]string, len(l))
	for i, v := range l {
		items[i] = v.String()
		if t, ok := v.(Text); ok {
			items[i] = fmt.Sprintf("%q", string(t))
		}
	}
	return "(" + strings.Join(items, ", ") + ")"
}

// convert returns v as a value of kind k, or false: an empty set is also an empty relation or function, and a list of a
// value and a boolean, which says whether the value is exact, is also the value.
func convert(v Value, k kind) (Value, bool) {
	if v.kind() == k || k == anyKind {
		return v, true
	}
	switch v := v.(type) {
	case Set:
		if v.Set.IsEmpty() && k == mapKind {
			return Map{}, true
		}
		if v.Set.IsEmpty() && k == functionKind {
			return Function{}, true
		}
	case List:
		if len(v) == 2 && v[1].kind() == boolKind {
			return convert(v[0], k)
		}
	}
	return nil, false
}

package poly

import "github.com/hexcc/hexcc/affine"

// This file has the trees that the parser makes, and build.go.

// A node is a formula or an expression.
type node struct {
	kind   nodeKind
	pos    int
	name   string // of a name, function or comparison
	num    Int
	args   []*node
	vars   []*node    // of exists: names, or comparisons that define a name
	affine affine.Sum // of affineNode
}

type nodeKind uint8

const (
	nameNode nodeKind = iota
	numberNode
	sumNode     // args added
	negNode     // -args[0]
	productNode // args multiplied; at most one is not constant
	quotNode    // args[0] / args[1], the latter constant; in floor and ceil
	callNode    // name(args): floor, ceil, mod, min, max, and ? of a formula and two expressions
	affineNode  // a sum of named integers, which no text makes
	lastExpr    = affineNode

	compareNode = iota // args[0] name args[1]
	andNode
	orNode
	notNode
	existsNode
	boolNode // num is 1 or 0
)

func (n *node) isExpr() bool { return n.kind <= lastExpr }

// A tupleNode is a tuple; pair has the two tuples inside a nested one.
type tupleNode struct {
	pos     int
	name    string
	entries []entryNode
	pair    []*tupleNode
}

// An entryNode is a dimension: its name, "" for none, and what it is or is between; nil where that is not said.
type entryNode struct {
	pos              int
	name             string
	value, low, high *node
}

// A pieceNode is one disjunct with its tuples: none, one or two.
type pieceNode struct {
	pos    int
	tuples []*tupleNode
	where  *node // nil: no condition
}

// A unionNode is a whole text.
type unionNode struct {
	params []string
	pieces []pieceNode
}

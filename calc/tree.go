package calc

// This file has the trees that the parser makes.

// A node is an expression: one of the types below.
type node interface{ at() int }

// place is the byte where a node is reported.
type place int

func (p place) at() int { return int(p) }

// The kinds of node.
type (
	// literalNode is a set, relation or function.
	literalNode struct {
		place
		text string
	}
	valueNode struct {
		place
		value Value
	}
	nameNode struct {
		place
		name string
	}
	// unaryNode is an operation before its operand, such as card.
	unaryNode struct {
		place
		op      string
		operand node
	}
	// binaryNode is an operation between its operands; place is that of the operator.
	binaryNode struct {
		place
		op          string
		left, right node
	}
	// applyNode is f(x).
	applyNode struct {
		place
		f, x node
	}
	// powerNode is m^exp, or the transitive closure m^+ with plus.
	powerNode struct {
		place
		base node
		exp  int
		plus bool
	}
	// indexNode is list[index].
	indexNode struct {
		place
		list  node
		index int
	}
	listNode struct {
		place
		items []node
	}
	// codegenNode is codegen schedule using options, where options may be nil.
	codegenNode struct {
		place
		schedule, options node
	}
	// readNode is read "file".
	readNode struct {
		place
		file string
	}
	// flowNode is any writes before reads under order, or last .. .
	flowNode struct {
		place
		last                 bool
		writes, reads, order node
	}
)

// A statement is what ends with a semicolon. One of its fields is set, but for name.
type statement struct {
	place
	source string // the file of source "file"
	expr   node
	name   string // of an assignment
	print  bool   // print expr
}

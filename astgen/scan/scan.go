package scan

import "github.com/hexcc/hexcc/schedule/tree"

// Loops returns loops that run the instances of t in its order. The error says what could not be decided within the bounds of
// package poly (*poly.LimitError), or what t lacks.
func Loops(t tree.Node) (Node, error) {
	return nil, nil
}

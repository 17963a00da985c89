// Package poly computes with sets and relations of integer points that affine constraints describe, for all values
// of their parameters at once, and exactly: an operation has the right answer, or panics with a *LimitError where it would pass a stated
// bound.
//
// A Set or a Map is a union of conjunctions, each called a Basic. A Basic has constraints over the constant, parameters, the
// dimensions of its tuples, and divs: variables d = floor(num/den) with an explicit definition. There are no other
// existential variables: a projection eliminates them (eliminate.go), if need be with new divs or by cases. So the complement of a
// Basic, and with it Subtract and IsSubset, is a matter of negating one row after the other.
//
// Everything else rests on two questions about a conjunction. Does it have an integer point? (solver.go, search.go, cone.go.)
// How large does an expression become on its rational points? (tableau.go.)
//
// Operations return sets, not errors: they are written inside of each other, and what is wrong ends all of them. Do is the border for callers who want errors: it
// turns panics about bounds and misuse into errors, ends when a context does, and bounds the work of several operations together. Parsers return errors.
// The package needs nothing but affine, beside it, and the standard library; but for counters of work it has no state, and sets and relations may be used by many goroutines.
//
// All bounds are in limit.go; WorkDone counts what operations do. README.md says what each operation costs, and more about
// counting (Set.Card), closures (Map.TransitiveClosure) and hulls.
//
// The notation is isl's; parse.go has the grammar. What prints can be parsed, here and by isl.
//
// Terms: a tuple S[i, j] is a named vector; tuples are the same if their names and lengths are. A row is a constraint,
// an inequality c >= 0 or an equality c = 0. A row is plainly empty if no values at all satisfy it; a Basic never has such a row.
package poly

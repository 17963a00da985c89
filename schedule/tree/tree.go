// Package tree has schedules as trees: a domain of statement instances, and
// below it bands, which give instances times, and sequences of filters, which
// say what runs before what. Any schedule can be written so, also one that no
// tiling scheme of hexcc makes; the form is that of isl's schedule trees
// (Verdoolaege, Guelton, Grosser, Cohen: Schedule Trees, IMPACT 2014).
//
// A tree is read by Parse, printed by its String, and made loops by package
// astgen/scan.
package tree

import (
	"fmt"
	"strings"

	"github.com/hexcc/hexcc/poly"
)

// A Node is a node of a schedule tree: one of the types below. A nil Node is a leaf: what arrives there runs in any order.
type Node interface {
	String() string // as Parse and isl read it
	node()
}

// The kinds of Node.
type (
	// Domain is the root: the instances that run.
	Domain struct {
		Set   poly.Set
		Child Node
	}
	// Context says what holds of parameters and of the times of the bands around: the dimensions of Set, which may be a set of
	// parameters alone. What it says is not tested.
	Context struct {
		Set   poly.Set
		Child Node
	}
	// Guard is like Context, but tested: below it nothing runs where it does not hold.
	Guard struct {
		Set   poly.Set
		Child Node
	}
	// Band gives each instance a time: instances run in lexicographic order of their times.
	Band struct {
		// Times relates instances to their times, tuples without name that all have Dims dimensions. An instance with several
		// times runs at each of them; one that has none does not run.
		Times poly.Map
		Dims  int
		// Permutable, Coincident: what is claimed of the dimensions; nothing here depends on it.
		Permutable bool
		Coincident []bool
		// Options are the wishes for loops, as in isl: { separate[x]; atomic[x]; unroll[x] } for dimensions x of the band, where x is
		// from 0; the set isolate[outer -> times], of which outer are the times of the bands around; and, for the isolated part,
		// [isolate[] -> unroll[x]].
		Options poly.Set
		// ByOuter are the options of a schedule that is a relation: [times] -> separate[x] and so on, and separation_class, for the
		// dimension x at those times. Only the band of Relation has some.
		ByOuter poly.Map
		Child   Node
	}
	// Filter keeps the instances that are in Set.
	Filter struct {
		Set   poly.Set
		Child Node
	}
	// Sequence runs its children one after the other.
	Sequence struct{ Children []*Filter }
	// Set runs its children in any order.
	Set struct{ Children []*Filter }
	// Mark gives what is below it a name.
	Mark struct {
		Name  string
		Child Node
	}
	// Extension adds instances: those that Map relates the times of the bands around to, at times when instances arrive here.
	Extension struct {
		Map   poly.Map
		Child Node
	}
	// Expansion replaces instances by those that Map relates them to. Contraction is a function from these to those.
	Expansion struct {
		Map         poly.Map
		Contraction poly.Map
		Child       Node
	}
)

func (*Domain) node()    {}
func (*Context) node()   {}
func (*Guard) node()     {}
func (*Band) node()      {}
func (*Filter) node()    {}
func (*Sequence) node()  {}
func (*Set) node()       {}
func (*Mark) node()      {}
func (*Extension) node() {}
func (*Expansion) node() {}

// Relation returns the tree of a schedule that is a relation from instances to times, where the context holds: a domain and one band.
// Times of fewer dimensions than others are followed by zeros.
func Relation(times poly.Map, context poly.Set, options poly.Map) Node {
	dims := 0
	for _, b := range times.Basics() {
		dims = max(dims, len(b.Space().Out.Dims))
	}
	times = padded(Unnamed(times), dims)
	options = padded(Unnamed(options.Inverse()), dims).Inverse()
	return &Domain{Set: times.Domain(), Child: &Context{Set: context, Child: &Band{Times: times, Dims: dims, ByOuter: options}}}
}

// padded returns m with zeros behind second tuples that have fewer dimensions.
func padded(m poly.Map, dims int) poly.Map {
	short := map[int]bool{}
	for _, b := range m.Basics() {
		if n := len(b.Space().Out.Dims); n < dims {
			short[n] = true
		}
	}
	if len(short) == 0 {
		return m
	}
	tuple := func(n int, more string) string {
		names := make([]string, dims)
		for i := range names {
			names[i] = fmt.Sprintf("t%d", i)
			if i >= n && more != "" {
				names[i] = more
			}
		}
		if more == "" {
			names = names[:n]
		}
		return "[" + strings.Join(names, ", ") + "]"
	}
	zeros := poly.MustMap("{ " + tuple(dims, "") + " -> " + tuple(dims, "") + " }")
	for n := range short {
		zeros = zeros.Union(poly.MustMap("{ " + tuple(n, "") + " -> " + tuple(n, "0") + " }"))
	}
	return m.ApplyRange(zeros)
}

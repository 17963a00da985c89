package tree

import (
	"math/rand/v2"
	"slices"

	"github.com/hexcc/hexcc/poly"
)

// Params returns the parameters of all sets and relations of n.
func Params(n Node) (names []string) {
	Walk(n, func(n Node) {
		var own []string
		switch n := n.(type) {
		case *Domain:
			own = n.Set.Params()
		case *Context:
			own = n.Set.Params()
		case *Guard:
			own = n.Set.Params()
		case *Filter:
			own = n.Set.Params()
		case *Band:
			own = slices.Concat(n.Times.Params(), n.Options.Params(), n.ByOuter.Params())
		case *Extension:
			own = n.Map.Params()
		case *Expansion:
			own = n.Map.Params()
		}
		for _, p := range own {
			if !slices.Contains(names, p) {
				names = append(names, p)
			}
		}
	})
	return names
}

// Walk calls f with n and the nodes below it.
func Walk(n Node, f func(Node)) {
	if n == nil {
		return
	}
	f(n)
	for _, c := range children(n) {
		Walk(c, f)
	}
}

// children returns the nodes right below n.
func children(n Node) (list []Node) {
	add := func(c Node) []Node {
		if c == nil {
			return nil
		}
		return []Node{c}
	}
	filters := func(l []*Filter) {
		for _, c := range l {
			list = append(list, c)
		}
	}
	switch n := n.(type) {
	case *Domain:
		return add(n.Child)
	case *Context:
		return add(n.Child)
	case *Guard:
		return add(n.Child)
	case *Band:
		return add(n.Child)
	case *Filter:
		return add(n.Child)
	case *Sequence:
		filters(n.Children)
	case *Set:
		filters(n.Children)
	case *Mark:
		return add(n.Child)
	case *Extension:
		return add(n.Child)
	case *Expansion:
		return add(n.Child)
	}
	return list
}

// Values returns up to count values for the parameters of n for which its contexts hold: small ones if there are such, and, if there
// are, ones for which instances arrive in the domain. It asks package poly, whose bounds it may pass (*poly.LimitError).
func Values(n Node, count int, rng *rand.Rand) (list []map[string]int64) {
	names := Params(n)
	facts := poly.MustSet("{ : }")
	Walk(n, func(n Node) {
		if c, ok := n.(*Context); ok {
			facts = facts.Intersect(c.Set.ParamDomain())
		}
	})
	used := facts
	if d, ok := n.(*Domain); ok {
		used = facts.Intersect(d.Set.ParamDomain())
	}
	if used.IsEmpty() {
		used = facts
	}
	if used.IsEmpty() {
		return nil
	}
	for range 3 * count {
		if len(list) == count {
			break
		}
		from := used
		if len(list) == count-1 {
			from = facts // perhaps nothing runs
		}
		values := chosen(from, names, rng)
		same := func(v map[string]int64) bool {
			return !slices.ContainsFunc(names, func(p string) bool { return v[p] != values[p] })
		}
		if !slices.ContainsFunc(list, same) {
			list = append(list, values)
		}
	}
	return list
}

// chosen returns a point of s, a set of parameters that is not empty.
func chosen(s poly.Set, names []string, rng *rand.Rand) map[string]int64 {
	values := map[string]int64{}
	for _, name := range names {
		if !slices.Contains(s.Params(), name) {
			values[name] = rng.Int64N(7)
			continue
		}
		tries := rng.Perm(9)
		for _, far := range []int{10, 12, 16, 20, 32, 50, 64, 100, 128, 200} {
			tries = append(tries, far, -far/10)
		}
		found := false
		for _, v := range tries {
			if t := s.FixParam(name, int64(v)); !t.IsEmpty() {
				s, values[name], found = t, int64(v), true
				break
			}
		}
		if !found {
			params, _, _ := s.Sample()
			values[name] = params[slices.Index(s.Params(), name)]
			s = s.FixParam(name, values[name])
		}
	}
	return values
}

package kerneltext

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/gpu"
)

// This file addresses elements of a full tile from one of them, its base address in
// the array: A_tile[3L*row + 32] is 3 rows and 32 columns ahead of it.

// A stride is declared as a variable of 32 bits, so that its product with a
// number is one instruction, which adds the product to an address of 64 bits.
type stride struct {
	gpu.Stride
	name string
}

// strideNames are the names of strides by the number of later dimensions.
var strideNames = [...]string{"", "row", "plane", "cube"}

// strideName returns the name of s, which is no number.
func (k *printer) strideName(s gpu.Stride) string {
	text := k.product(s)
	for _, have := range k.strides {
		if k.product(have.Stride) == text {
			return have.name
		}
	}
	panic(fmt.Sprintf("kerneltext: no variable for the stride %s", text))
}

// product returns s, a number of 32 bits.
func (k *printer) product(s gpu.Stride) string {
	if l, ok := k.spelled.Local[s.Array]; ok {
		return k.factorsOf(s, "unsigned", l.Dim)
	}
	return k.factors(s, "unsigned")
}

// factors returns s, of whole arrays, with the factors of the type.
func (k *printer) factors(s gpu.Stride, t string) string {
	return k.factorsOf(s, t, -1)
}

// factorsOf returns s with the factors of the type, where kernels have an extent of their own in a dimension, -1: in none.
func (k *printer) factorsOf(s gpu.Stride, t string, local int) string {
	number := int64(1)
	var all []string
	for d := s.Dim + 1; d < len(s.Array.Extents); d++ {
		switch e := s.Array.Extents[d]; {
		case d == local:
			all = append(all, fmt.Sprintf("(%s)%s", t, k.Factor(k.spelled.extent(k.Indexer, s.Array, d))))
		case gpu.Constant(e):
			number *= e.Const
		default:
			all = append(all, fmt.Sprintf("(%s)%s", t, k.Factor(k.Affine(e))))
		}
	}
	if number != 1 {
		all = append(all, fmt.Sprint(number))
	}
	return strings.Join(all, " * ")
}

// small returns the condition that the strides have at most 32 bits, "" if there are none: those of whole arrays, which are no less than those of parts.
func (k *printer) small(strides []gpu.Stride) string {
	var all []string
	for _, s := range strides {
		all = append(all, fmt.Sprintf("(%s) >> 32 == 0", k.factors(s, "unsigned long")))
	}
	return strings.Join(all, " && ")
}

// localStrides returns the strides of n.Strides, and of those that are the same in whole arrays, but not in the parts that kernels have, all that are used.
func (k *printer) localStrides(n gpu.If) []gpu.Stride {
	list := slices.Clone(n.Strides)
	if len(k.spelled.Local) == 0 {
		return list
	}
	var refs func(nodes []gpu.Node)
	refs = func(nodes []gpu.Node) {
		for _, n := range nodes {
			switch n := n.(type) {
			case gpu.For:
				refs(n.Body)
			case gpu.If:
				refs(n.Then)
				refs(n.Else)
			case gpu.Threads:
				for _, op := range n.Body {
					for _, r := range refsOf(op) {
						if r.Base == nil {
							continue
						}
						_, steps := k.steps(r)
						for _, s := range steps {
							if !slices.ContainsFunc(list, func(have gpu.Stride) bool { return k.product(have) == k.product(s.Stride) }) {
								list = append(list, s.Stride)
							}
						}
					}
				}
			}
		}
	}
	refs(n.Then)
	return list
}

// steps is r.Steps, where planes of a part lie apart a distance that is no number.
func (k *printer) steps(r gpu.Ref) (elements int64, steps []gpu.Step) {
	l, ok := k.spelled.Local[r.Array]
	if !ok {
		return r.Steps()
	}
	for d, n := range r.Offset {
		s := gpu.Stride{Array: r.Array, Dim: d}
		switch number, others := s.Factors(); {
		case n == 0:
		case len(others) == 0 && d >= l.Dim:
			elements += n * number
		default:
			steps = append(steps, gpu.Step{Stride: s, Count: n})
		}
	}
	return elements, steps
}

// refsOf returns the elements that op touches.
func refsOf(op gpu.Op) []gpu.Ref {
	switch op := op.(type) {
	case gpu.Copy:
		return []gpu.Ref{op.To, op.From}
	case gpu.Load:
		return []gpu.Ref{op.From}
	case gpu.Compute:
		return op.Refs
	}
	panic(fmt.Sprintf("kerneltext: refsOf: unknown op %T", op))
}

// bases declares the strides and base addresses of n, until the function it returns is called.
func (k *printer) bases(n gpu.If) (end func()) {
	if len(n.Bases) == 0 {
		return func() {}
	}
	var decls []string
	for _, s := range k.localStrides(n) {
		later := min(len(s.Array.Extents)-1-s.Dim, len(strideNames)-1)
		v := stride{s, k.Fresh(strideNames[later])}
		decls = append(decls, fmt.Sprintf("%s = %s", v.name, k.product(s)))
		k.strides = append(k.strides, v)
	}
	if len(decls) > 0 {
		k.Line("unsigned %s;", strings.Join(decls, ", "))
	}
	for _, c := range n.Bases {
		qualifier := ""
		if !k.written[c.Array] {
			qualifier = "const "
		}
		k.Line("%s%s%s *const %s = &%s;", k.spelled.Dialect.Global, qualifier, c.Array.Elem.InMemory(), c.Name, k.ref(gpu.Ref{Array: c.Array, Index: c.Index}))
	}
	k.anew()
	return func() {
		for _, s := range k.strides {
			delete(k.Taken, s.name)
		}
		k.strides = nil
	}
}

// anew has the compiler take strides for new values, where the dialect can say
// so: else registers would hold the address of each row from its load to its store.
func (k *printer) anew() {
	k.addressed = 0
	if k.spelled.Dialect.Anew == nil || len(k.strides) == 0 {
		return
	}
	var names []string
	for _, s := range k.strides {
		names = append(names, s.name)
	}
	k.Line("%s;", k.spelled.Dialect.Anew(names))
}

// based returns r, which has a base address.
func (k *printer) based(r gpu.Ref) string {
	k.addressed++
	var terms []string
	last, steps := k.steps(r)
	for _, s := range steps {
		terms = append(terms, fmt.Sprintf("%dL*%s", s.Count, k.strideName(s.Stride)))
	}
	if last != 0 || len(terms) == 0 {
		terms = append(terms, fmt.Sprint(last))
	}
	return fmt.Sprintf("%s[%s]", r.Base.Name, strings.Join(terms, " + "))
}

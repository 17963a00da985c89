package randc

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// This file makes programs with periodic and constant-modulo subscripts in every dimension,
// such as A[t % 2][i][(j + 1) % 24], A[(t + 1) % 2][j & 7] and w[(i + j) % 5].

// Periodic returns such a program of a seed. It is valid C without undefined behaviour for
// n, m >= 1.
func Periodic(seed uint64, name string) *Program {
	p := &periodic{generator: generator{rng: rand.New(rand.NewPCG(seed, 13)), name: name}}
	return p.program()
}

// periodic makes one program.
type periodic struct {
	generator
	elem string
	size []int // the extent of each dimension, 0: a parameter
	low  []int // by dimension: the least value of the iterator, and how far the largest is below the extent
	high []int
}

// wheels are the extents of tables that are read with a modulus.
var wheels = []string{"5", "8", "3"}

func (p *periodic) program() *Program {
	dims := 1 + p.rng.IntN(3)
	p.elem = p.pick("double", "double", "float", "unsigned")
	for range dims {
		size := []int{0, 0, 8, 13, 16, 24, 37, 64}[p.rng.IntN(8)]
		if dims == 3 {
			size = min(size, 16)
		}
		p.size = append(p.size, size)
		extent := fmt.Sprint(size)
		if size == 0 {
			extent = p.pick("n", "m")
		}
		p.extents = append(p.extents, extent)
	}
	for _, code := range []string{
		"HX101", // a period that is no number
		"HX105", // the extent may be smaller than the loop asks
		"HX110", // of a negative number
		"HX116", // parts that depend on each other
	} {
		p.allow(code)
	}
	names := []string{"A", "B"}[:1+p.rng.IntN(2)]
	var nests []*node
	for i := range 1 + p.rng.IntN(2) {
		nests = append(nests, p.nest(names[i%len(names)], names))
	}
	head := leaf(fixed, "  for (int t = 0; t < T; t++) {\n")
	region := &node{fixed, "#pragma scop\n%s%s  }\n#pragma endscop\n", []*node{head, {list, "", nests}}}
	var params []string
	for _, x := range names {
		params = append(params, fmt.Sprintf("%s %s[restrict 2][%s]", p.elem, x, strings.Join(p.extents, "][")))
	}
	for i, e := range wheels {
		params = append(params, fmt.Sprintf("const %s w%d[restrict %s]", p.elem, i, e))
	}
	text := fmt.Sprintf("void %s(int T, int n, int m, int k, %s alpha, %s)\n{\n%%s}\n", p.name, p.elem, strings.Join(params, ", "))
	return &Program{Name: p.name, May: p.may, root: &node{fixed, text, []*node{region}}}
}

// nest returns a loop nest that stores to the array target.
func (p *periodic) nest(target string, arrays []string) *node {
	p.loops, p.low, p.high = nil, nil, nil
	text := ""
	for d, extent := range p.extents {
		i := string(rune('i' + d))
		low, high := p.rng.IntN(3), p.rng.IntN(3)
		p.loops, p.low, p.high = append(p.loops, i), append(p.low, low), append(p.high, high)
		to := extent
		if high > 0 {
			to = fmt.Sprintf("%s - %d", extent, high)
		}
		text += fmt.Sprintf("    for (int %s = %d; %s < %s; %s++)\n", i, low, i, to, i)
	}
	next := p.pick("(t + 1) % 2", "(t+1)&1", "1 - t % 2")
	var all []*node
	for range 1 + p.rng.IntN(2) {
		sum := p.term(arrays)
		for range 1 + p.rng.IntN(4) {
			sum = &node{floating, "%s " + p.pick("+", "-", "*") + " %s", []*node{sum, p.term(arrays)}}
		}
		if p.elem == "double" && p.one(6) {
			sum = &node{floating, "fabs(%s)", []*node{sum}}
		}
		all = append(all, &node{fixed, "      " + escape(p.stored(target, next)) + " = %s;\n", []*node{sum}})
	}
	return &node{fixed, text + "    {\n%s    }\n", []*node{{list, "", all}}}
}

// stored returns the element that a point stores.
func (p *periodic) stored(array, plane string) string {
	text := array + "[" + plane + "]"
	for d, i := range p.loops {
		switch size := p.size[d]; {
		case size > 0 && p.one(8):
			text += fmt.Sprintf("[%s %% %d]", i, size)
		case size > 0 && p.one(16):
			text += fmt.Sprintf("[(%s + %d) %% %d]", i, 1+p.rng.IntN(size), size)
		case size > 0 && p.one(30): // points that meet
			text += fmt.Sprintf("[%s %% %d]", i, 1+size/2)
		default:
			text += "[" + i + "]"
		}
	}
	return text
}

// term returns an operand: an element, most of them.
func (p *periodic) term(arrays []string) *node {
	choice := []string{"alpha", "2", "k", "(t % 3)", "((i + 1) % 3)"}
	switch p.rng.IntN(6) {
	case 0:
		return leaf(floating, "%s", p.pick(choice...))
	case 1, 2:
		which := p.rng.IntN(len(wheels))
		return leaf(floating, "w%d[%s]", which, p.around(wheels[which]))
	}
	text := p.pick(arrays...) + "[" + p.pick("t % 2", "t & 1", "(t + 2) % 2") + "]"
	for d := range p.loops {
		text += "[" + p.near(d) + "]"
	}
	return leaf(floating, "%s", text)
}

// around returns a subscript of a table with so many elements.
func (p *periodic) around(size string) string {
	i := p.pick(append([]string{"t", "t + i", "k * 0 + 7"}, p.loops...)...)
	if len(p.loops) > 1 && p.one(4) {
		i = p.loops[0] + " + " + p.loops[1]
	}
	i = p.pick(i, i, i+" + 1", i+" + 12", "2 * ("+i+")", "3 * t + "+i)
	if size == "8" && p.one(2) {
		return fmt.Sprintf("(%s) & 7", i)
	}
	return fmt.Sprintf("(%s) %% %s", i, size)
}

// near returns a subscript of dimension d near to the point.
func (p *periodic) near(d int) string {
	i, size := p.loops[d], p.size[d]
	if size > 0 && !p.one(3) {
		off := p.rng.IntN(5) - 2
		x := fmt.Sprintf("%s %+d", i, off)
		if off < 0 {
			x = p.pick(fmt.Sprintf("%s + %d", i, size+off), fmt.Sprintf("%s - %d + %d", i, -off, size))
			if p.low[d] >= -off && p.one(3) {
				x = fmt.Sprintf("%s - %d", i, -off)
			}
		}
		period := size
		if p.one(6) {
			period = 2 + p.rng.IntN(size-1) // a part of the dimension
		}
		if period&(period-1) == 0 && p.one(2) {
			return fmt.Sprintf("(%s) & %d", x, period-1)
		}
		return fmt.Sprintf("(%s) %% %d", x, period)
	}
	off := p.rng.IntN(p.low[d]+p.high[d]+1) - p.low[d]
	if off == 0 {
		return i
	}
	return fmt.Sprintf("%s %+d", i, off)
}

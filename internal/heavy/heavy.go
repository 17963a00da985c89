// Package heavy makes the programs that are the most work to translate: many
// dimensions, wide stencils, many arrays, statements and regions, long texts.
// Tests bound the work that each takes, and bench prints the time. It knows
// nothing of what becomes of them.
package heavy

import (
	"fmt"
	"strings"
)

// A Program is a C file to translate.
type Program struct {
	Name string // without blanks
	Text string
}

// Programs returns all of them.
func Programs() []Program {
	var all []Program
	add := func(name, text string) { all = append(all, Program{name, text}) }

	for _, dims := range []int{4, 5, 6} {
		add(fmt.Sprintf("star-%dd", dims), point(Star(dims, 1)))
	}
	for _, r := range []int{6, 8} {
		add(fmt.Sprintf("star-1d-r%d", r), point(Star(1, r)))
		add(fmt.Sprintf("star-2d-r%d", r), point(Star(2, r)))
		add(fmt.Sprintf("star-3d-r%d", r), point(Star(3, r)))
	}
	add("box-2d-r4", point(Box(2, 4)))
	add("box-2d-r8", point(Box(2, 8)))
	add("box-3d-r2", point(Box(3, 2)))
	add("box-3d-r4", point(Box(3, 4)))
	add("box-4d", point(Box(4, 1)))
	add("box-4d-r2", point(Box(4, 2)))

	for _, l := range []lattice{d2q9, d3q15, d3q19, d3q27} {
		add(l.name, l.arrays())
		add(l.name+"-index", l.oneArray())
		add(l.name+"-structures", l.structures())
		add(l.name+"-in-place", l.inPlace())
	}

	add("periodic-1d", periodic(1))
	add("periodic-2d", periodic(2))
	add("periodic-3d", periodic(3))
	add("periodic-2d-offset", periodicOffset)
	add("periodic-2d-box", torus(2, 64, Box(2, 1)))
	add("periodic-2d-r4", torus(2, 100, Star(2, 4)))
	add("periodic-3d-box", torus(3, 64, Box(3, 1)))
	add("periodic-3d-r2", torus(3, 48, Star(3, 2)))
	add("periodic-4d", torus(4, 32, Star(4, 1)))

	add("fdtd-3d-pml", fdtdPML())
	add("arrays-20", arrays(20))
	add("statements-50", statements(50))
	add("nests-30", nests(30))
	add("nests-100", nests(100))

	add("minus-30000", expression(strings.Repeat("- ", 30000)+"A[t%2][i]"))
	add("parentheses-900", expression(strings.Repeat("(", 900)+"A[t%2][i]"+strings.Repeat(")", 900)))
	add("terms-900", expression("A[t%2][i]"+strings.Repeat(" + A[t%2][i-1]", 900)))
	add("product-depth-400", expression(strings.Repeat("0.5f*(1.0f+", 400)+"A[t%2][i]"+strings.Repeat(")", 400)))
	add("casts-3000", expression(strings.Repeat("(float)", 3000)+"A[t%2][i]"))
	add("choices-1000", expression(choices(1000)))
	add("else-if-200", elseIf(200))
	add("affine-else-if-20", affineElseIf(20))
	add("temporaries-1000", temporaries(1000))
	add("unrolled-taps-512", taps(512))
	add("table-100000", table(100000))
	add("macros-3000", macros(3000))

	add("lines-1-region", Lines(3000, 1))
	add("lines-50-regions", Lines(3000, 50))
	add("lines-300-regions", Lines(3000, 300))
	add("lines-functions", functions(1000))
	add("lines-comments", comments(3000))
	add("lines-body", longBody(3000))
	add("lines-statements", longStatements(2900))
	return all
}

// Get returns the program of that name.
func Get(name string) Program {
	for _, p := range Programs() {
		if p.Name == name {
			return p
		}
	}
	panic("heavy: no program " + name)
}

var loops = []string{"i", "j", "k", "l", "m", "o"}

// Star returns the offsets of a star: its centre, and up to radius along each dimension.
func Star(dims, radius int) [][]int {
	all := [][]int{make([]int, dims)}
	for d := range dims {
		for r := 1; r <= radius; r++ {
			for _, x := range []int{-r, r} {
				at := make([]int, dims)
				at[d] = x
				all = append(all, at)
			}
		}
	}
	return all
}

// Box returns the offsets of a box: all with no coordinate above radius.
func Box(dims, radius int) [][]int {
	all := [][]int{nil}
	for range dims {
		var longer [][]int
		for _, at := range all {
			for x := -radius; x <= radius; x++ {
				longer = append(longer, append(append([]int(nil), at...), x))
			}
		}
		all = longer
	}
	return all
}

// point returns a program that computes each point from those at offsets, of the other of two buffers.
func point(offsets [][]int) string {
	dims, radius := len(offsets[0]), 0
	var terms []string
	for i, at := range offsets {
		subscripts := ""
		for d, x := range at {
			subscripts += fmt.Sprintf("[%s]", plus(loops[d], x))
			radius = max(radius, x)
		}
		terms = append(terms, fmt.Sprintf("0.0%02df*A[t%%2]%s", i%90+1, subscripts))
	}
	centre := ""
	for _, i := range loops[:dims] {
		centre += "[" + i + "]"
	}
	body := fmt.Sprintf("A[(t+1)%%2]%s = %s;", centre, strings.Join(terms, "\n      + "))
	return function("float A[restrict 2]"+strings.Repeat("[n]", dims), nest(dims, radius, body))
}

// plus returns the sum of a variable and a number.
func plus(name string, x int) string {
	switch {
	case x > 0:
		return fmt.Sprintf("%s+%d", name, x)
	case x < 0:
		return fmt.Sprintf("%s-%d", name, -x)
	}
	return name
}

// nest returns loops over the points of a grid of n to each side, margin from its faces.
func nest(dims, margin int, body string) string {
	text := ""
	for d, i := range loops[:dims] {
		text += fmt.Sprintf("%*sfor (int %s = %d; %s < n - %d; %s++)\n", 4+d, "", i, margin, i, margin, i)
	}
	return text + "      " + body + "\n"
}

// function returns a function whose region is a time loop around body.
func function(arrays, body string) string {
	return fmt.Sprintf("void f(int T, int n, %s)\n{\n%s}\n", arrays, region("", body))
}

// region returns a region: a time loop around body, after declarations.
func region(before, body string) string {
	return before + "#pragma scop\n  for (int t = 0; t < T; t++) {\n" + body + "  }\n#pragma endscop\n"
}

package heavy

import (
	"fmt"
	"strings"
)

// A lattice is one of lattice Boltzmann methods: populations that move by their velocity.
type lattice struct {
	name       string
	velocities [][]int
}

var (
	d2q9  = lattice{"d2q9", Box(2, 1)}
	d3q15 = lattice{"d3q15", norms(0, 1, 3)}
	d3q19 = lattice{"d3q19", norms(0, 1, 2)}
	d3q27 = lattice{"d3q27", Box(3, 1)}
)

// norms returns the vectors of the unit box in 3-D with one of those squared norms.
func norms(allowed ...int) (all [][]int) {
	for _, v := range Box(3, 1) {
		for _, n := range allowed {
			if v[0]*v[0]+v[1]*v[1]+v[2]*v[2] == n {
				all = append(all, v)
			}
		}
	}
	return all
}

// arrays returns the method with an array for each population.
func (l lattice) arrays() string {
	var arrays []string
	for q := range l.velocities {
		arrays = append(arrays, fmt.Sprintf("float f%d[restrict 2]%s", q, strings.Repeat("[n]", l.dims())))
	}
	return l.program(strings.Join(arrays, ", "), func(q int, time, at string) string { return fmt.Sprintf("f%d[%s]%s", q, time, at) })
}

// oneArray returns the method with the populations in a dimension of one array.
func (l lattice) oneArray() string {
	array := fmt.Sprintf("float f[restrict 2][%d]%s", len(l.velocities), strings.Repeat("[n]", l.dims()))
	return l.program(array, func(q int, time, at string) string { return fmt.Sprintf("f[%s][%d]%s", time, q, at) })
}

// structures returns the method with the populations of a point side by side.
func (l lattice) structures() string {
	array := fmt.Sprintf("float f[restrict 2]%s[%d]", strings.Repeat("[n]", l.dims()), len(l.velocities))
	return l.program(array, func(q int, time, at string) string { return fmt.Sprintf("f[%s]%s[%d]", time, at, q) })
}

// inPlace returns the method in two nests, of collision in place and of propagation.
func (l lattice) inPlace() string {
	var arrays []string
	for q := range l.velocities {
		arrays = append(arrays, fmt.Sprintf("float f%[1]d[restrict]%[2]s, float g%[1]d[restrict]%[2]s", q, strings.Repeat("[n]", l.dims())))
	}
	centre := ""
	for _, i := range loops[:l.dims()] {
		centre += "[" + i + "]"
	}
	density, collide, propagate := "0.0f", "", ""
	for q, v := range l.velocities {
		at := ""
		for d, x := range v {
			at += fmt.Sprintf("[%s]", plus(loops[d], -x))
		}
		density += fmt.Sprintf(" + f%d%s", q, centre)
		collide += fmt.Sprintf("        g%[1]d%[2]s = f%[1]d%[2]s + 0.6f*(0.1f*r - f%[1]d%[2]s);\n", q, centre)
		propagate += fmt.Sprintf("        f%[1]d%[2]s = g%[1]d%[3]s;\n", q, centre, at)
	}
	return function(strings.ReplaceAll(strings.Join(arrays, ", "), "[restrict][n]", "[restrict n]"),
		nest(l.dims(), 1, "{\n        float r = "+density+";\n"+collide+"      }")+nest(l.dims(), 1, "{\n"+propagate+"      }"))
}

func (l lattice) dims() int { return len(l.velocities[0]) }

// program returns a step that pulls populations, finds density and momentum, and relaxes.
func (l lattice) program(arrays string, element func(q int, time, at string) string) string {
	var b strings.Builder
	b.WriteString("{\n")
	centre := ""
	for _, i := range loops[:l.dims()] {
		centre += "[" + i + "]"
	}
	sums := make([]string, l.dims()+1)
	for q, v := range l.velocities {
		at := ""
		for d, x := range v {
			at += fmt.Sprintf("[%s]", plus(loops[d], -x))
			if x != 0 {
				sums[d+1] += fmt.Sprintf(" %c p%d", "- +"[x+1], q)
			}
		}
		sums[0] += fmt.Sprintf(" + p%d", q)
		fmt.Fprintf(&b, "        float p%d = %s;\n", q, element(q, "t%2", at))
	}
	for d, sum := range sums {
		fmt.Fprintf(&b, "        float u%d = 0.0f%s;\n", d, sum)
	}
	for q, v := range l.velocities {
		dot := "0.0f"
		for d, x := range v {
			if x != 0 {
				dot += fmt.Sprintf(" %c u%d", "- +"[x+1], d+1)
			}
		}
		fmt.Fprintf(&b, "        %s = p%d + 0.6f*(0.1f*(u0 + 3.0f*(%s) + 4.5f*(%s)*(%s)) - p%d);\n", element(q, "(t+1)%2", centre), q, dot, dot, dot, q)
	}
	b.WriteString("      }")
	return function(arrays, nest(l.dims(), 1, b.String()))
}

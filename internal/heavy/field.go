package heavy

import (
	"fmt"
	"strings"
)

// periodic returns a star on a torus of 64 points to each side, by the remainders of subscripts.
func periodic(dims int) string {
	at := func(d int, x string) string {
		text := ""
		for e, i := range loops[:dims] {
			if e == d {
				i = x
			}
			text += "[" + i + "]"
		}
		return text
	}
	terms := []string{"A[t%2]" + at(-1, "")}
	for d, i := range loops[:dims] {
		terms = append(terms, "A[t%2]"+at(d, "("+i+"+63)%64"), "A[t%2]"+at(d, "("+i+"+1)%64"))
	}
	text := ""
	for d, i := range loops[:dims] {
		text += fmt.Sprintf("%*sfor (int %s = 0; %s < 64; %s++)\n", 4+d, "", i, i, i)
	}
	text += fmt.Sprintf("      A[(t+1)%%2]%s = 0.2f*(%s);\n", at(-1, ""), strings.Join(terms, " + "))
	return function("float A[restrict 2]"+strings.Repeat("[64]", dims), text)
}

// torus returns a stencil on a torus of n points to each side, with the length of a side added to negative offsets.
func torus(dims, n int, offsets [][]int) string {
	var terms []string
	for _, at := range offsets {
		term := "A[t%2]"
		for d, x := range at {
			switch {
			case x < 0:
				term += fmt.Sprintf("[(%s+N-%d)%%N]", loops[d], -x)
			case x > 0:
				term += fmt.Sprintf("[(%s+%d)%%N]", loops[d], x)
			default:
				term += "[" + loops[d] + "]"
			}
		}
		terms = append(terms, term)
	}
	text, centre := "", ""
	for d, i := range loops[:dims] {
		text += fmt.Sprintf("%*sfor (int %s = 0; %s < N; %s++)\n", 4+d, "", i, i, i)
		centre += "[" + i + "]"
	}
	text += fmt.Sprintf("      A[(t+1)%%2]%s = 0.1f*(%s);\n", centre, strings.Join(terms, "\n        + "))
	return fmt.Sprintf("#define N %d\n", n) + function("float A[restrict 2]"+strings.Repeat("[N]", dims), text)
}

// periodicOffset is a torus whose extent is a macro, with neighbours that are two points away.
const periodicOffset = `#define N 100
void f(int T, float A[restrict 2][N][N])
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++)
        A[(t+1)%2][i][j] = 0.25f*(A[t%2][(i+N-1)%N][j] + A[t%2][(i+1)%N][j] + A[t%2][(i+N-2)%N][(j+2)%N] + A[t%2][i][(j+N-1)%N]);
#pragma endscop
}
`

// fdtdPML returns Maxwell's equations in three dimensions with a perfectly matched layer: twelve fields.
func fdtdPML() string {
	axes := "xyz"
	var arrays []string
	for _, field := range []string{"E", "H"} {
		for a := range 3 {
			arrays = append(arrays, fmt.Sprintf("float %s%c[restrict n][n][n]", field, axes[a]))
			for _, by := range []int{(a + 1) % 3, (a + 2) % 3} {
				arrays = append(arrays, fmt.Sprintf("float psi%s%c%c[restrict n][n][n]", field, axes[a], axes[by]))
			}
		}
	}
	for _, c := range []string{"b", "c", "k"} {
		for a := range 3 {
			arrays = append(arrays, fmt.Sprintf("const float %s%c[restrict n]", c, axes[a]))
		}
	}
	at := func(d int, x int) string {
		text := ""
		for e, i := range loops[:3] {
			if e == d {
				i = plus(i, x)
			}
			text += "[" + i + "]"
		}
		return text
	}
	var body strings.Builder
	half := func(field, other string, step int) {
		body.WriteString(nest(3, 1, "{"))
		for a := range 3 {
			for n, by := range []int{(a + 1) % 3, (a + 2) % 3} {
				from := fmt.Sprintf("%s%c", other, axes[3-a-by])
				difference := fmt.Sprintf("(%s%s - %s%s)", from, at(-1, 0), from, at(by, step))
				psi := fmt.Sprintf("psi%s%c%c[i][j][k]", field, axes[a], axes[by])
				fmt.Fprintf(&body, "        %s = b%c[%s]*%s + c%c[%s]*%s;\n", psi, axes[by], loops[by], psi, axes[by], loops[by], difference)
				fmt.Fprintf(&body, "        %s%c[i][j][k] %c= 0.5f*(k%c[%s]*%s + %s);\n", field, axes[a], "+-"[n], axes[by], loops[by], difference, psi)
			}
		}
		body.WriteString("      }\n")
	}
	half("E", "H", -1)
	half("H", "E", 1)
	return function(strings.Join(arrays, ", "), body.String())
}

// arrays returns a system of so many arrays, each computed from itself and the next one.
func arrays(count int) string {
	var params, stores []string
	for a := range count {
		params = append(params, fmt.Sprintf("float A%d[restrict 2][n][n]", a))
		b := (a + 1) % count
		stores = append(stores, fmt.Sprintf("        A%[1]d[(t+1)%%2][i][j] = 0.25f*(A%[1]d[t%%2][i-1][j] + A%[1]d[t%%2][i+1][j] + A%[2]d[t%%2][i][j-1] + A%[2]d[t%%2][i][j+1]);\n", a, b))
	}
	return function(strings.Join(params, ", "), nest(2, 1, "{\n"+strings.Join(stores, "")+"      }"))
}

// statements returns a body of so many stores to the elements of one array.
func statements(count int) string {
	var b strings.Builder
	for s := range count {
		fmt.Fprintf(&b, "        A[(t+1)%%2][%d][i][j] = 0.3f*(A[t%%2][%d][i-1][j] + A[t%%2][%d][i][j+1]);\n", s, s, (s+1)%count)
	}
	return function(fmt.Sprintf("float A[restrict 2][%d][n][n]", count), nest(2, 1, "{\n"+b.String()+"      }"))
}

// nests returns a time loop around so many nests, each of which reads what the one before wrote.
func nests(count int) string {
	var params []string
	body := ""
	for s := range count {
		params = append(params, fmt.Sprintf("float A%d[restrict n]", s))
		body += nest(1, 1, fmt.Sprintf("A%d[i] = 0.3f*(A%[2]d[i-1] + A%[2]d[i] + A%[2]d[i+1]);", (s+1)%count, s))
	}
	return function(strings.Join(params, ", "), body)
}

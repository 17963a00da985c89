package heavy

import (
	"fmt"
	"strings"
)

// expression returns a stencil on a line whose value is x.
func expression(x string) string {
	return function("float A[restrict 2][n]", nest(1, 1, "A[(t+1)%2][i] = "+x+";"))
}

// choices returns nested conditional expressions on data.
func choices(count int) string {
	x := ""
	for c := range count {
		x += fmt.Sprintf("A[t%%2][i-1] > %d.5f ? %d.0f : ", c, c)
	}
	return x + "A[t%2][i+1]"
}

// elseIf returns a chain of conditions on data around stores.
func elseIf(count int) string {
	body := ""
	for c := range count {
		body += fmt.Sprintf("if (A[t%%2][i] > %d.5f) A[(t+1)%%2][i] = A[t%%2][i-1] + %d.0f;\n      else ", count-c, c)
	}
	return function("float A[restrict 2][n]", nest(1, 1, body+"A[(t+1)%2][i] = A[t%2][i+1];"))
}

// affineElseIf returns a chain of conditions on the loop variable around stores.
func affineElseIf(count int) string {
	body := ""
	for c := range count {
		body += fmt.Sprintf("if (i == %d) A[(t+1)%%2][i] = A[t%%2][i-1] + %d.0f;\n      else ", 3*c+2, c)
	}
	return function("float A[restrict 2][n]", nest(1, 1, body+"A[(t+1)%2][i] = A[t%2][i+1];"))
}

// temporaries returns a body of so many local scalars, each computed from the two before.
func temporaries(count int) string {
	var b strings.Builder
	b.WriteString("{\n        float x0 = A[t%2][i-1], x1 = A[t%2][i+1];\n")
	for c := 2; c < count; c++ {
		fmt.Fprintf(&b, "        float x%d = 0.5f*(x%d + x%d);\n", c, c-1, c-2)
	}
	fmt.Fprintf(&b, "        A[(t+1)%%2][i] = x%d;\n      }", count-1)
	return function("float A[restrict 2][n]", nest(1, 1, b.String()))
}

// taps returns a body with a small loop over so many coefficients, which the front end writes out.
func taps(count int) string {
	body := fmt.Sprintf("    for (int i = %[1]d; i < n - %[1]d; i++) {\n      float s = 0;\n      for (int r = 0; r < %[1]d; r++)\n        s += c[r]*A[t%%2][i+r-%[2]d];\n      A[(t+1)%%2][i] = s;\n    }\n", count, count/2)
	return function(fmt.Sprintf("float A[restrict 2][n], const float c[restrict %d]", count), body)
}

// table returns a file with a static table of so many numbers, which the region reads.
func table(count int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "static const float c[%d] = {", count)
	for i := range count {
		if i%20 == 0 {
			b.WriteString("\n  ")
		}
		fmt.Fprintf(&b, "%d.5f, ", i%97)
	}
	b.WriteString("\n};\n")
	return b.String() + function("float A[restrict 2][n]", fmt.Sprintf("    for (int i = 1; i < %d; i++)\n      A[(t+1)%%2][i] = c[i]*(A[t%%2][i-1] + A[t%%2][i+1]);\n", count-1))
}

// macros returns a file of so many macros, each of which expands to the one before.
func macros(count int) string {
	var b strings.Builder
	b.WriteString("#define M0 0.5f\n")
	for i := 1; i < count; i++ {
		fmt.Fprintf(&b, "#define M%d M%d\n", i, i-1)
	}
	return b.String() + expression(fmt.Sprintf("M%d*(A[t%%2][i-1] + A[t%%2][i+1])", count-1))
}

// Lines returns a file of so many lines and regions, with ordinary functions between them.
func Lines(lines, regions int) string {
	var b strings.Builder
	b.WriteString("#include <math.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n")
	n := strings.Count(b.String(), "\n")
	at := 0
	write := func(text string) {
		b.WriteString(text)
		n += strings.Count(text, "\n")
	}
	for r := range regions {
		step := fmt.Sprintf(steps, r)
		for until := lines * (r + 1) / regions; n+strings.Count(step, "\n")+strings.Count(ordinary, "\n") <= until; at++ {
			write(fmt.Sprintf(ordinary, at, at%7+1))
		}
		write(step)
	}
	b.WriteString(strings.Repeat("\n", max(0, lines-n)))
	return b.String()
}

// Regions returns a small file of so many regions on lines of points, each of another reach.
func Regions(count int) string {
	var b strings.Builder
	for r := 1; r <= count; r++ {
		fmt.Fprintf(&b, "void f%[1]d(int T, int n, float A[restrict 2][n])\n{\n%[2]s}\n", r,
			region("", nest(1, r, fmt.Sprintf("A[(t+1)%%2][i] = 0.5f*(A[t%%2][i-%d] + A[t%%2][i+%d]);", r, r))))
	}
	return b.String()
}

// functions returns a file whose region calls one of a chain of so many functions, which each call the one before.
func functions(count int) string {
	var b strings.Builder
	b.WriteString("static float g0(float x) { return 0.5f*x; }\n")
	for i := 1; i < count; i++ {
		fmt.Fprintf(&b, "static float g%d(float x)\n{ return g%d(x); }\n", i, i-1)
	}
	return b.String() + expression(fmt.Sprintf("g%d(A[t%%2][i-1]) + g%d(A[t%%2][i+1])", min(count-1, 20), min(count-1, 19)))
}

// comments returns a file that is mostly comments, in front of the region and in it.
func comments(lines int) string {
	long := strings.Repeat("// what is said here says nothing of what follows, but takes a line\n", lines/2)
	return long + function("float A[restrict 2][n]", long+nest(1, 1, "A[(t+1)%2][i] = A[t%2][i-1];"))
}

// longBody returns a region of one nest whose expression takes so many lines.
func longBody(lines int) string {
	return expression("A[t%2][i]" + strings.Repeat("\n        + 0.001f*A[t%2][i-1]*A[t%2][i+1]", lines))
}

// longStatements returns a region of one nest whose body is that many assignments to a scalar.
func longStatements(count int) string {
	body := "{\n        float s = 0;\n" + strings.Repeat("        s += 0.001f*A[t%2][i-1]*A[t%2][i+1];\n", count) + "        A[(t+1)%2][i] = s;\n      }"
	return function("float A[restrict 2][n]", nest(1, 1, body))
}

const ordinary = `
struct record%[1]d { int id; double weight[%[2]d]; char name[32]; };
static double total%[1]d(const struct record%[1]d *r, int count)
{
  double sum = 0;
  for (int k = 0; k < count; k++) {
    for (int j = 0; j < %[2]d; j++)
      sum += r[k].weight[j] * (j + %[1]d);
    if (r[k].id %% 3 == 0)
      sum = sqrt(fabs(sum)) + strlen(r[k].name);
  }
  return sum;
}
`

const steps = `
void step%[1]d(int T, int n, float A[restrict 2][n][n])
{
#pragma scop
  for (int t = 0; t < T; t++) for (int i = 1; i < n - 1; i++) for (int j = 1; j < n - 1; j++)
    A[(t + 1) %% 2][i][j] = 0.25f * (A[t %% 2][i - 1][j] + A[t %% 2][i + 1][j] + A[t %% 2][i][j - 1] + A[t %% 2][i][j + 1]);
#pragma endscop
}
`

package e2e_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTimeSeries translates random programs whose time loops carry numbers that no array decides, as a time and the length of a step, beside counters that their heads
// declare or do not, whose step is set by functions that find it by its name, by its address, or in a struct, and that print now and then, and compares what they print with what they print as they are.
func TestTimeSeries(t *testing.T) {
	count := attempts(6, 30, 300)
	taken := printAlike(t, count, 61, timeSeries, [][]string{{"0", "9"}, {"1", "2"}, {"5", "7"}, {"12", "40"}})
	require.Greater(t, taken, count/2, "of %d", count)
}

// timeSeries returns a program with a random time loop that carries numbers.
func timeSeries(r *rand.Rand) string {
	pick := func(xs ...string) string { return xs[r.IntN(len(xs))] }
	advance := pick("now += dt", "now = now + dt", "now += 0.5", "now += dt * 0.5")
	by, until := pick("s++", "++s", "s += 1"), "s < T"
	first := "0"
	if r.IntN(4) == 0 {
		by, first, until = pick("s--", "s -= 1"), "T", "s > 0"
	}
	if r.IntN(3) == 0 {
		until = "now < 0.4 * T"
	}
	second := pick("", "q += 2", "q--")
	declared, outside := fmt.Sprintf("int s = %s", first), "int q = 3;"
	if second != "" && r.IntN(2) == 0 {
		declared, outside = declared+", q = 3", ""
	}
	if r.IntN(3) == 0 {
		outside, declared = "int s, q = 3;", fmt.Sprintf("s = %s", first)
	}
	steps := []string{by}
	var inBody []string
	for _, x := range []string{advance, second} {
		switch {
		case x == "":
		case r.IntN(2) == 0:
			steps = append(steps, x)
		default:
			inBody = append(inBody, x+";")
		}
	}
	r.Shuffle(len(steps), func(i, j int) { steps[i], steps[j] = steps[j], steps[i] })
	if r.IntN(2) == 0 {
		inBody = append(inBody, pick("dt *= 1.03125;", "if (s > 3) dt = 0.25;", "if (now > 1) dt = 0.375, width *= 0.5f;", "total += 0.5 * now;"))
	}
	value := pick("now", "s", "(now + s)", "dt * now", "(width * s)", "(q + now)", "total")
	body := append([]string{
		"for (int i = 1; i < n - 1; i++) b[i] = 0.3 * (a[i - 1] + a[i] + a[i + 1]) + 1e-3 * " + value + ";",
		"for (int i = 1; i < n - 1; i++) a[i] = b[i];",
	}, inBody...)
	if r.IntN(2) == 0 {
		body = append(body, pick(`if (s == 2) printf("%d %a\n", s, a[1]);`, `if (s % 3 == 0) printf("%d %d %a %a\n", s, q, now, a[n / 2]);`, `printf("%a %a\n", now, a[1]);`))
	}
	if r.IntN(4) == 0 {
		r.Shuffle(len(body), func(i, j int) { body[i], body[j] = body[j], body[i] })
	}
	name, declare := "dt", "double dt = 0.125;"
	if r.IntN(2) == 0 {
		way := r.IntN(len(stepSetters))
		x := stepSetters[way]
		name, declare = x.name, x.declare
		at := r.IntN(len(body) + 1)
		body = slices.Insert(body, at, x.call)
	}
	head := fmt.Sprintf("for (%s; %s; %s) {", declared, until, strings.Join(steps, ", "))
	return stepName.ReplaceAllString(fmt.Sprintf(`#include <stdio.h>
#include <stdlib.h>
static double step;
struct clock { double step, other; };
static void largest(int n, const double *a, double *step)
{
  double m = 0;
  for (int i = 1; i < n - 1; i++)
    if (a[i] > m)
      m = a[i];
  *step = 0.25 / (1 + m);
}
static void middle(int n, const double *a, double *step) { step[0] = a[n / 2] > 0.5 ? 0.125 : 0.0625; }
static void global(int n, const double *a) { step = a[n / 2] > 0.5 ? 0.125 : 0.0625; }
static void within(int n, const double *a, struct clock *c) { c->step = a[n / 2] > 0.5 ? 0.125 : 0.0625; }
static double run(int T, int n, double *restrict a, double *restrict b, double now)
{
  %s
  double total = 0;
  float width = 0.75f;
  %s
#pragma scop
  %s
    %s
  }
#pragma endscop
  printf("%%a %%a %%a %%a\n", now, dt, total, width);
  return now;
}
int main(int argc, char **argv)
{
  int T = atoi(argv[1]), n = atoi(argv[2]);
  double *a = malloc(90 * 8), *b = malloc(90 * 8);
  for (int i = 0; i < 90; i++)
    a[i] = b[i] = (i * 7 %% 17) * 0.125;
  double now = run(T, n, a, b, 0.0625);
  now = run(T, n, a, b, now * 0.25);
  for (int i = 0; i < 90; i++)
    printf("%%a %%a %%a\n", now, a[i], b[i]);
  return 0;
}
`, declare, outside, head, strings.Join(body, "\n    ")), name)
}

var stepName = regexp.MustCompile(`\bdt\b`)

// stepSetters are ways in which a loop has a function set the length of its step: what it is called, its declaration, and the call.
var stepSetters = []struct{ name, declare, call string }{
	{"dt", "double dt = 0.125;", "largest(n, a, &dt);"},
	{"dt", "double dt = 0.125;", "middle(n, a, &dt);"},
	{"dt", "double dt = 0.125, *at = &dt;", "middle(n, a, at);"},
	{"step", "step = 0.125;", "global(n, a);"},
	{"c.step", "struct clock c = {0.125, 0};", "within(n, a, &c);"},
	{"c->step", "struct clock all = {0.125, 0}, *c = &all;", "within(n, a, &all);"},
}

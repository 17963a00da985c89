package frontend_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/frontend"
)

// seriesLoops are time loops with scalars that pass from step to step: taken says whether they are found before the loop.
var seriesLoops = []struct {
	name, declared, loop string
	taken                bool
}{
	{"the time", "", "for (int t = 0; t < T; t++) { NEST(v, u, + now); NEST(u, v, ); now += dt; }", true},
	{"before and behind", "", "for (int t = 0; t < T; t++) { NEST(v, u, + now); now += dt; NEST(u, v, - now); }", true},
	{"a time at which it ends", "", "while (now < 3) { NEST(v, u, ); NEST(u, v, ); now += dt; }", true},
	{"a table of its own function", "static double at(double t) { return t < 1 ? t * t : 1; }", "for (int t = 2; t <= T; t++) { double a = at(now); NEST(v, u, * a); NEST(u, v, ); now += dt; }", true},
	{"a condition of the time", "", "for (int t = 0; t < T; t++) { if (now < 1) NEST(v, u, ); NEST(u, v, ); now += dt; }", true},
	{"a break in front", "", "for (;;) { if (now > 3) break; NEST(v, u, ); NEST(u, v, ); now += dt; }", true},
	{"a break behind", "", "for (;;) { NEST(v, u, ); NEST(u, v, ); now += dt; if (now > 3) break; }", true},
	{"a break between", "", "for (;;) { NEST(v, u, ); now += dt; if (now > 3) break; NEST(u, v, ); }", false},
	{"continue", "", "for (int t = 0; t < T; t++) { now += dt; if (now < 1) continue; NEST(v, u, ); NEST(u, v, ); }", false},
	{"an element", "", "for (int t = 0; t < T; t++) { NEST(v, u, + now); NEST(u, v, ); now += u[3]; }", false},
	{"an element, by a scalar", "", "for (int t = 0; t < T; t++) { double a = u[3]; NEST(v, u, + now); NEST(u, v, ); now += a; }", false},
	{"a nest that sets it", "", "for (int t = 0; t < T; t++) { NEST(v, u, + now); NEST(u, v, ); for (int i = 1; i < n - 1; i++) now += u[i]; }", false},
	{"a function that sees it", "static double now_; static double at(double x) { return x + now_; }", "for (int t = 0; t < T; t++) { NEST(v, at(u, )u, ); NEST(u, v, + at(1)); now_ += dt; }", false},
	{"a function that may see it", "double seen; void look(void);", "for (int t = 0; t < T; t++) { NEST(v, u, + seen); NEST(u, v, ); look(); seen += dt; }", false},
	{"a volatile one", "static volatile double sensor;", "for (int t = 0; t < T; t++) { NEST(v, u, + sensor); NEST(u, v, ); sensor += dt; }", false},
	{"a function that counts", "static int calls; static double at(double x) { calls++; return x; }", "for (int t = 0; t < T; t++) { NEST(v, u, + now); NEST(u, v, ); now += at(dt); }", false},
	{"a macro", "#define W (2 * now)", "for (int t = 0; t < T; t++) { NEST(v, u, ); for (int i = 1; i < n - 1; i++) u[i] = v[i] + W; now += dt; }", false},
	{"an unknown function", "double clock_(void);", "for (int t = 0; t < T; t++) { NEST(v, u, + now); NEST(u, v, ); now = clock_(); }", false},
}

// TestSeries takes time loops whose scalars no array decides, and no others in that way.
func TestSeries(t *testing.T) {
	for _, x := range seriesLoops {
		t.Run(x.name, func(t *testing.T) {
			t.Parallel()
			loop := x.loop
			for strings.Contains(loop, "NEST(") {
				before, rest, _ := strings.Cut(loop, "NEST(")
				args, behind, _ := strings.Cut(rest, ");")
				a := strings.SplitN(args, ", ", 3)
				loop = fmt.Sprintf("%sfor (int i = 1; i < n - 1; i++) %s[i] = (%s[i - 1] + %s[i + 1]) * 0.5 %s;%s", before, a[0], a[1], a[1], strings.TrimSuffix(a[2], ","), behind)
			}
			text := fmt.Sprintf("#include <math.h>\n%s\nvoid f(int T, int n, double u[restrict n], double v[restrict n], double now, double dt)\n{\n#pragma scop\n%s\n#pragma endscop\n}\n", x.declared, loop)
			res, err := frontend.Parse(frontend.Source{Name: "s.c", Text: []byte(text)}, frontend.Options{})
			found := func(l diag.List) (found bool) {
				for _, d := range l {
					found = found || strings.Contains(d.Msg, "at each step is computed before this loop")
				}
				return found
			}
			if x.taken {
				require.NoError(t, err)
				require.True(t, found(res.Warnings), res.Warnings)
				first, last := res.Programs[0].UserLines()
				require.Equal(t, []int{6, 6}, []int{first, last})
				return
			}
			if err == nil {
				require.False(t, found(res.Warnings), res.Warnings)
			}
		})
	}
}

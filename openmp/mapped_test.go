package openmp_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/oracle"
	"github.com/hexcc/hexcc/internal/tool"
	"github.com/hexcc/hexcc/scop"
)

// inSourceOrder returns the schedule of the source as lines of a schedule file.
func inSourceOrder(p *scop.Program) string {
	return schedules(p, func(st *scop.Stmt) (times []string) {
		times = []string{st.Iters[0], fmt.Sprint(st.Order)}
		for i, x := range st.Iters[1:] {
			if st.Down != nil && st.Down[i+1] {
				x = "-" + x
			}
			times = append(times, x)
		}
		return times
	})
}

// skewed returns the schedule of tiles that are skewed by so much for each iteration of the time loop, in the way of Pluto: bands of tiles, the
// first one diagonal, then their points.
func skewed(p *scop.Program, by int) string {
	return schedules(p, func(st *scop.Stmt) (times []string) {
		step := fmt.Sprintf("%d%s + %d", len(p.Stmts), st.Iters[0], st.Order)
		var tiles, points []string
		for _, x := range st.Iters[1:] {
			at := fmt.Sprintf("%d(%s) + %s", by, step, x)
			tiles, points = append(tiles, fmt.Sprintf("floor((%s)/7)", at)), append(points, at)
		}
		time := fmt.Sprintf("floor((%s)/3)", step)
		if len(tiles) > 0 {
			tiles[0] = time + " + " + tiles[0]
		}
		return append(append(append(tiles, time), step), points...)
	})
}

// schedules returns a schedule file with the times of each statement, filled up with zeros.
func schedules(p *scop.Program, of func(*scop.Stmt) []string) string {
	most := 0
	for _, st := range p.Stmts {
		most = max(most, len(of(st)))
	}
	text := "hexcc schedule 1\n"
	for _, st := range p.Stmts {
		times := of(st)
		for len(times) < most {
			times = append(times, "0")
		}
		text += fmt.Sprintf("map %s[%s] -> [%s]\n", st.Name, strings.Join(st.Iters, ", "), strings.Join(times, ", "))
	}
	return text
}

// own returns options with a schedule.
func own(target hexcc.Target, text string) hexcc.Options {
	return hexcc.Options{Target: target, NoAlias: true, Load: hexcc.Source{Name: "own.txt", Text: []byte(text)}}
}

// TestOwnSchedules runs cases by the schedule of their source, and by tiles that are skewed by the least that is legal.
func TestOwnSchedules(t *testing.T) {
	cases.EachNth(t, 5, 1, func(t *testing.T, base, text string) {
		t.Parallel()
		p := program(t, text)
		ways := []way{{"in source order", own(hexcc.C, inSourceOrder(p)), true, false}}
		for by := 0; alike(p); by++ {
			require.Less(t, by, 6, "no skew is legal")
			o := own(hexcc.OpenMP, skewed(p, by))
			_, err := hexcc.Compile(hexcc.Source{Name: base + ".c", Text: []byte(text)}, o)
			if err == nil {
				ways = append(ways, way{fmt.Sprintf("skewed by %d", by), o, true, true})
				break
			}
			if len(p.Stmts) > 1 && strings.Contains(err.Error(), "[HX402]") {
				t.Logf("skewed by %d: %v", by, err) // tiles of several fields in three dimensions are too many sets
				break
			}
			require.ErrorContains(t, err, "[HX207]")
			require.ErrorContains(t, err, "fails the proof of legality")
		}
		if tiles, ok := scanned(t, base, text); ok {
			ways = append(ways, way{"hexagons, scanned", own(hexcc.OpenMP, tiles), true, true})
		}
		trials := oracle.Trials(t, p, sizes)
		for i, w := range ways {
			res := compile(t, base, text, w.o, w.auto)
			compiler := cases.Turn(compilers(t), i+len(base))[0]
			ours := built(t, compiler, base, w, res)
			for _, x := range trials {
				x.Check(t, w.name+" "+compiler, ours.Run(t, x.Before))
			}
		}
	})
}

// scanned returns the hexagonal tiles of a case as a schedule of one's own, for loops that another generator makes; false where its statements are not those of the source.
func scanned(t *testing.T, base, text string) (string, bool) {
	res := compile(t, base, text, hexcc.Options{Target: hexcc.C, NoAlias: true, Strategy: hexcc.Hybrid}, false)
	if len(res.Scop.Stmts) > 1 || len(program(t, text).Stmts) > 1 { // several take long to prove
		return "", false
	}
	lines := "hexcc schedule 1\n"
	for _, part := range res.Schedule.Map.Basics() {
		m := part.Map().String()
		lines += "map " + strings.TrimSpace(m[strings.Index(m, "{")+1:strings.LastIndex(m, "}")]) + "\n"
	}
	return lines, true
}

// alike reports whether all statements have the same number of loops, so that tiles of one are those of the others.
func alike(p *scop.Program) bool {
	for _, st := range p.Stmts {
		if len(st.Iters) != len(p.Stmts[0].Iters) {
			return false
		}
	}
	return true
}

// program returns the region of text, as a schedule of one's own knows it.
func program(t *testing.T, text string) *scop.Program {
	res, err := hexcc.Compile(hexcc.Source{Name: "s.c", Text: []byte(text)}, hexcc.Options{NoAlias: true, Stop: "scop", Load: hexcc.Source{Name: "own.txt", Text: []byte("map")}})
	require.NoError(t, err)
	return res.Scop
}

// TestOwnIdioms does so with programs as people write them, in the order of their source.
func TestOwnIdioms(t *testing.T) {
	cases.EachNthIdiom(t, 15, 5, func(t *testing.T, x cases.Idiom) {
		p := program(t, x.Text)
		plain := build(t, "gcc", t.TempDir(), "plain", x.Text, "-Wno-unknown-pragmas")
		translated := compile(t, x.Name, x.Text, own(hexcc.OpenMP, inSourceOrder(p)), true).C.Text
		ours := build(t, "gcc", t.TempDir(), x.Name, translated, "-fopenmp", "-DHEXCC_GRAIN=0")
		for _, args := range x.Runs {
			tool.SameOutput(t, plain, ours, args...)
		}
	})
}

// TestOwnScheduleErrors checks what is said of schedules that are wrong.
func TestOwnScheduleErrors(t *testing.T) {
	const text = `void f(int T, int n, float a[2][n])
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < n - 1; i++)
      a[(t + 1) % 2][i] = a[t % 2][i - 1] + a[t % 2][i + 1];
#pragma endscop
}
`
	for _, c := range []struct{ schedule, want string }{
		{"map S0[t, i] -> [t, i]", "own.txt:1:1: a schedule file begins with the line 'hexcc schedule 1' [HX011]"},
		{"hexcc schedule 1\nmap S0[t, i] -> [t, i\n", "own.txt:2:21: expected ], found } [HX011]"},
		{"hexcc schedule 1\nmap S0[t, i] -> [t, i]\ntile h=1", "own.txt:3:1: 'tile' does not go with map: a line here begins with map or option [HX011]"},
		{"hexcc schedule 1\nmap S0[t, i] -> [t, i] : t = 0\nmap S0[t, i] -> [t] : t > 0", "own.txt:3:1: 1 dimensions of time, and 2 in a line before [HX011]"},
		{"hexcc schedule 1\nmap S1[t, i] -> [t, i]", "own.txt:1:1: S1[t, i] is no statement of the region [HX011]"},
		{"hexcc schedule 1\nmap S0[t, i] -> [t, i] : t > 0", "own.txt:1:1: the schedule in own.txt fails the proof of partition: [T, n] -> { S0[0, 1] : T = 1 and n = 3 } has no time [HX207]"},
		{"hexcc schedule 1\nmap S0[t, i] -> [t, i]\nmap S0[t, i] -> [t, n]", "own.txt:1:1: the schedule in own.txt fails the proof of partition: an instance has several times [HX207]"},
		{"hexcc schedule 1\nmap S0[t, i] -> [0, i, t]", "must run later, but it does not, or at the same time [HX207]"},
		{"domain: \"[n] -> { S0[t, i] : 0 < i < n }\"\n", "fails the proof of partition: "},
		{"domain: [", "own.txt:1:"},
	} {
		_, err := hexcc.Compile(hexcc.Source{Name: "s.c", Text: []byte(text)}, own(hexcc.C, c.schedule))
		require.ErrorContains(t, err, c.want, c.schedule)
	}
	_, err := hexcc.Compile(hexcc.Source{Name: "s.c", Text: []byte(text)}, own(hexcc.CUDA, "hexcc schedule 1\nmap S0[t, i] -> [t, i]"))
	require.ErrorContains(t, err, "a schedule of one's own is for the threads of a CPU: kernels, and what ranks do, are made of tiles [HX011]")
}

package e2e_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/tool"
)

// TestTimeLoops translates random programs whose time loops count in many ways, and compares what they print with what they
// print as they are: elements, and all that counts.
func TestTimeLoops(t *testing.T) {
	count := attempts(8, 60, 60)
	var runs [][]string
	for _, steps := range []string{"0", "1", "2", "5", "12"} {
		for _, n := range []string{"2", "7", "40"} {
			runs = append(runs, []string{steps, n})
		}
	}
	taken := printAlike(t, count, 16, timeLoop, runs)
	require.Greater(t, taken, count*2/3, "of %d", count)
}

// attempts returns how many random programs to try: a few, more in CI, and all where tests are to try what CI leaves out.
func attempts(few, inCI, all int) int {
	switch {
	case cases.Every():
		return all
	case cases.Whole():
		return inCI
	}
	return few
}

// printAlike translates count random programs, of seeds whose second word is stream, and requires that they print what they print as they are, in all runs. It
// returns how many were taken.
func printAlike(t *testing.T, count int, stream uint64, program func(*rand.Rand) string, runs [][]string) (taken int) {
	t.Helper()
	for seed := range count {
		text := program(rand.New(rand.NewPCG(uint64(seed), stream)))
		res, err := hexcc.Compile(source([]byte(text)), hexcc.Options{Target: hexcc.OpenMP})
		if err != nil {
			t.Logf("%d: %v", seed, err)
			continue
		}
		taken++
		dir := t.TempDir()
		build := func(name, text string) string {
			path := filepath.Join(dir, name+".c")
			require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
			return tool.Build(t, "gcc", filepath.Join(dir, name), "-w", "-O1", "-ffp-contract=off", path)
		}
		plain, ours := build("plain", text), build("ours", res.C.Text)
		for _, run := range runs {
			want, _, _ := tool.Output(t, plain, run...)
			got, _, status := tool.Output(t, ours, run...)
			require.Zero(t, status, "seed %d, %v:\n%s", seed, run, text)
			require.Equal(t, want, got, "seed %d, %v:\n%s", seed, run, text)
		}
	}
	return taken
}

// timeLoop returns a program with a random time loop.
func timeLoop(r *rand.Rand) string {
	pick := func(xs ...string) string { return xs[r.IntN(len(xs))] }
	nests := []string{
		"for (int i = 1; i < n - 1; i++) b[i] = 0.25 * (a[i - 1] + a[i + 1]) + 0.5 * a[i] + 0.01 * VALUE;",
		"for (int i = 1; i < n - 1; i++) a[i] = b[i] - 0.02 * VALUE;",
		"for (int i = 1; i < n - 1; i++) u[1 - cur][i] = 0.5 * (u[cur][i - 1] + u[cur][i + 1]) + 0.01 * VALUE;",
		"for (int i = 1; i < n - 1; i++) w[next][i] = 0.5 * (w[now][i - 1] + w[now][i + 1]) - 0.1 * w[prev][i];",
	}
	updates := map[string]string{
		"cur":   pick("cur = 1 - cur;", "cur ^= 1;", "cur = !cur;", "cur = (cur + 1) % 2;"),
		"now":   pick("int tmp = prev; prev = now; now = next; next = tmp;", "prev = (prev + 1) % 3; now = (now + 1) % 3; next = (next + 1) % 3;"),
		"other": pick("other++;", "other += 3;", "other--;", "other = other - 2;"),
		"sign":  "sign = -sign;",
	}
	first, last := pick("0", "1", "first", "-2"), pick("T", "T + 1", "T - 1")
	by := pick("1", "1", "2", "3")
	step := pick("t++;", "++t;", "t = t + 1;")
	if by != "1" {
		step = fmt.Sprintf("t += %s;", by)
	}
	body := []string{nests[0], nests[1], nests[2+r.IntN(2)]}
	for _, name := range []string{"other", "cur", "now", "sign"} {
		at := r.IntN(len(body) + 1)
		body = append(body[:at], append([]string{updates[name]}, body[at:]...)...)
	}
	insert := func(s string) {
		at := r.IntN(len(body) + 1)
		body = append(body[:at], append([]string{s}, body[at:]...)...)
	}
	early := ""
	if by == "1" && r.IntN(3) == 0 {
		early = pick("if (t == 4) break;", "if (t >= limit) break;", "if (!(other < 900)) break;")
		if strings.Contains(early, "other") && !strings.Contains(updates["other"], "+") {
			early = ""
		}
	}
	begin, head, tail := fmt.Sprintf("t = %s;", first), "", ""
	switch r.IntN(8) {
	case 0:
		head, begin = fmt.Sprintf("for (t = %s; t < %s; t += %s) {", first, last, by), ""
	case 1:
		head, begin, early = fmt.Sprintf("for (t = %s; t > %s; t -= %s) {", last, first, by), "", ""
	case 2:
		head = fmt.Sprintf("while (t %s %s) {", pick("<", "<="), last)
		insert(step)
	case 3:
		head, begin, early = pick("while (t--) {", "while (t-- > 0) {", "while (--t >= 0) {"), "t = T;", ""
	case 4:
		head, tail = "do {", fmt.Sprintf("while (++t < %s);", last)
	case 5:
		head = fmt.Sprintf("for (;;) { if (t >= %s) break;", last)
		insert(step)
	case 6:
		head = fmt.Sprintf("while (t++ < %s) {", last)
	case 7:
		head = fmt.Sprintf("for (; t < %s; t += %s) {", last, by)
	}
	if early != "" {
		insert(early)
	}
	value := pick("t", "other", "sign", "(t + other)", "(other - t)")
	inside := begin
	if r.IntN(2) == 0 {
		begin, inside = "", begin
	} else {
		inside = ""
	}
	loop := strings.ReplaceAll(strings.Join(append(append([]string{head}, body...), "}"+tail), "\n    "), "VALUE", value)
	return fmt.Sprintf(`#include <stdio.h>
#include <stdlib.h>
static double u[2][90], w[3][90];
static void run(int T, int n, int first, int limit, int cur, double *restrict a, double *restrict b)
{
  int t, prev = 0, now = 1, next = 2, sign = 1;
  %s other = 5;
  %s
#pragma scop
  %s
  %s
#pragma endscop
  printf("%%d %%d %%d %%d %%d %%d %%d\n", t, cur, prev, now, next, sign, (int)other);
}
int main(int argc, char **argv)
{
  int T = atoi(argv[1]), n = atoi(argv[2]);
  double *a = malloc(90 * 8), *b = malloc(90 * 8);
  for (int i = 0; i < 90; i++) {
    a[i] = u[0][i] = w[0][i] = (i * 7 %% 17) * 0.125;
    b[i] = u[1][i] = w[1][i] = w[2][i] = (i * 5 %% 13) * 0.25;
  }
  run(T, n, n %% 3, 4 + n %% 2, n %% 2, a, b);
  for (int i = 0; i < 90; i++)
    printf("%%a %%a %%a %%a %%a %%a %%a\n", a[i], b[i], u[0][i], u[1][i], w[0][i], w[1][i], w[2][i]);
  return 0;
}
`, pick("int", "long", "unsigned"), begin, inside, loop)
}

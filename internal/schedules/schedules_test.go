package schedules_test

import (
	"errors"
	"flag"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/astgen/scan"
	"github.com/hexcc/hexcc/internal/schedules"
	"github.com/hexcc/hexcc/poly"
	"github.com/hexcc/hexcc/schedule/tree"
)

// randomSchedules is the number of random schedules: go test ./internal/schedules -schedules=5000 looks further.
var (
	randomSchedules = flag.Int("schedules", 150, "number of random schedules whose loops are run")
	firstSchedule   = flag.Uint64("first", 1, "the seed of the first one")
)

// TestRandom runs the loops of random schedules. Few may be beyond the bounds of package poly.
func TestRandom(t *testing.T) {
	given, checked := 0, 0
	for i := range *randomSchedules {
		text := schedules.Random(*firstSchedule + uint64(i))
		root, err := tree.Parse(text)
		require.NoError(t, err, text)
		loops, err := scan.Loops(root)
		if err != nil {
			require.ErrorAs(t, err, new(*poly.LimitError), text)
			continue
		}
		given++
		n, err := schedules.Check(root, schedules.Loops(loops), 3)
		if assert.NoError(t, err, "%d: %s\n%s", *firstSchedule+uint64(i), text, scan.C(loops)) && n > 0 {
			checked++
		}
	}
	assert.Greater(t, given, *randomSchedules*9/10)
	assert.Greater(t, checked, *randomSchedules*9/10)
}

// TestKinds checks that random schedules are of all kinds.
func TestKinds(t *testing.T) {
	count := map[string]int{}
	for seed := range uint64(300) {
		text := schedules.Random(seed)
		for _, part := range []string{"filter", "sequence", " set:", "mark", "extension", "guard", "isolate", "separate", "atomic", "unroll", "mod", "floor", "exists", "[N, M]"} {
			if strings.Contains(text, part) {
				count[part]++
			}
		}
		if !strings.HasPrefix(text, "domain") {
			count["relation"]++
		}
		assert.Equal(t, text, schedules.Random(seed))
	}
	assert.Len(t, count, 15)
	for part, n := range count {
		assert.GreaterOrEqual(t, n, 15, part)
	}
}

// texts has loops in C with what they run at n = 5.
var texts = []struct{ text, want string }{
	{"for (int c0 = 0; c0 < n; c0 += 2)\n  S(c0);\nT();", "S[0] S[2] S[4] T[]"},
	{"for (int c0 = 3; c0 <= n; c0 += 1) {\n  if (c0 >= n) {\n    A(c0);\n  } else if (c0 == 4)\n    B(c0 - 1, -c0);\n  else\n    C();\n}", "C[] B[3 -4] A[5]"},
	{"{\n  // \"mark\"\n  int c0 = (n + 1) / 2;\n  S(c0 == 3 ? 1 : 2, c0 != 3 || n % 2 == 1, !1);\n}", "error"},
	{"S(min(n, 3), max(n, 3), floord(-n, 2), -n / 2, -n % 2, mod(-n, 2), n - 1 - 1, 2 * n + 3 * 2, n < 5 && n / 0);", "S[3 5 -3 -2 -1 1 3 16 0]"},
	{"S(n > 4 || n / 0, n >= 6, n <= 5, n == 5, n != 5, n > 5 ? 1 : n < 5 ? 2 : 3);", "S[1 0 1 1 0 3]"},
	{"(1, 2);\n;", "[1 2]"},
	{"S(m);", "error"},
	{"S(n", "error"},
	{"for (int c0 = 0; c0 < n; c0 -= 1) S();", "error"},
	{"f(1)", "error"},
}

// TestTexts runs loops in C.
func TestTexts(t *testing.T) {
	for _, c := range texts {
		var got []string
		text, err := schedules.Read(c.text)
		if err == nil {
			err = func() (err error) {
				defer func() {
					if e, ok := recover().(error); ok {
						err = e
					}
				}()
				text.Run(map[string]int64{"n": 5}, func(stmt string, args []int64) { got = append(got, fmt.Sprint(stmt, args)) })
				return nil
			}()
		}
		if c.want == "error" {
			assert.Error(t, err, c.text)
		} else if assert.NoError(t, err, c.text) {
			assert.Equal(t, c.want, strings.Join(got, " "), c.text)
		}
	}
}

// TestMutants checks that Check finds what is wrong with loops: of each mutant of the loops of some schedules, those that change a
// bound, a step, a condition or an argument by 1, or drop a statement.
func TestMutants(t *testing.T) {
	made, found := 0, 0
	for seed := range uint64(25) {
		root, err := tree.Parse(schedules.Random(seed))
		require.NoError(t, err)
		loops, err := scan.Loops(root)
		if err != nil {
			continue
		}
		text := scan.C(loops)
		for _, m := range mutants(text) {
			program, err := schedules.Read(m)
			if err != nil {
				continue
			}
			made++
			n, err := schedules.Check(root, program.Run, 3)
			if err != nil && !errors.As(err, new(*tree.TooManyError)) {
				found++
			} else if n == 0 {
				made--
			}
		}
	}
	assert.Greater(t, made, 150)
	assert.Greater(t, found, made*8/10, "of %d", made) // others are the same loops, at these values
}

// mutants returns texts that differ from text in one place.
func mutants(text string) (list []string) {
	for _, m := range []struct{ from, to string }{{" <= ", " < "}, {" < ", " <= "}, {" = 0;", " = 1;"}, {" += 1", " += 2"}, {" >= ", " > "}, {" == ", " >= "}, {"(c0", "(1 + c0"}, {"max(", "min("}, {"min(", "max("}} {
		if at := strings.Index(text, m.from); at >= 0 {
			list = append(list, text[:at]+m.to+text[at+len(m.from):])
		}
		if at := strings.LastIndex(text, m.from); at >= 0 {
			list = append(list, text[:at]+m.to+text[at+len(m.from):])
		}
	}
	return list
}

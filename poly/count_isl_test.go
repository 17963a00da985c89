package poly

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestISLCounts checks that isl reads printed counts and finds the same numbers of points, by counting them. (Counts in
// closed form are not isl's but those of barvinok, which has no Python module.)
func TestISLCounts(t *testing.T) {
	python := pythonWithISL(t)
	var lines, sets []string
	for seed := range 2 * *rounds {
		g := newGen(4000 + seed)
		g.coef = 2
		f := g.formula([]string{"N", "i", "j"}, g.IntN(3))
		low, high := g.linear([]string{"N"}), g.linear([]string{"N"})
		text := g.text(f, fmt.Sprintf("%s <= i, j <= %s and ", low.text, high.text))
		count, err := MustSet(text).Card()
		require.NoError(t, err, text)
		if len(count.String()) > 400 {
			continue // isl takes minutes to read polynomials of many floors
		}
		sets = append(sets, text)
		lines = append(lines, fmt.Sprintf("%s|%v|%d|%d\n", text, count, -window, window))
	}
	cmd := exec.Command(python, "testdata/isl_count.py")
	cmd.Stdin = strings.NewReader(strings.Join(lines, ""))
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	require.NoError(t, err)
	answers := strings.Split(strings.TrimSpace(string(out)), "\n")
	require.Len(t, answers, len(lines))
	for i, answer := range answers {
		require.Equal(t, "ok", answer, "%s\n%s", sets[i], lines[i])
	}
	t.Logf("%d counts", len(lines))
}

// pythonWithISL returns a python that has islpy. Without one the test is skipped, except in CI.
func pythonWithISL(t *testing.T) string {
	python := "python3"
	for _, name := range []string{"HEXCC_PYTHON", "PYTHON"} {
		if p := os.Getenv(name); p != "" {
			python = p
			break
		}
	}
	if err := exec.Command(python, "-c", "import islpy").Run(); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatalf("%s has no islpy: %v", python, err)
		}
		t.Skipf("%s has no islpy", python)
	}
	return python
}

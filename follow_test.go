package hexcc_test

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/schedule"
)

// TestFollow: what docs/follow.md quotes of a product stands in what the product prints, line by line and in that order.
func TestFollow(t *testing.T) {
	text, err := os.ReadFile("docs/follow.md")
	require.NoError(t, err)
	page := string(text)
	program := regexp.MustCompile("(?s)```c\n(.*?)```").FindStringSubmatch(page)
	require.NotNil(t, program)
	require.Contains(t, page, "`--tile=h=1,w0=2,w1=32`")
	res, err := hexcc.Compile(hexcc.Source{Name: "heat.c", Text: []byte(program[1])}, hexcc.Options{Tile: &schedule.Sizes{H: 1, W: []int64{2, 32}}})
	require.NoError(t, err)
	var deps strings.Builder
	for _, d := range res.Deps {
		fmt.Fprintln(&deps, strings.Replace(d.String(), ": [T, n, m] -> ", "\n", 1))
	}
	printed := map[string]string{
		"program": res.Scop.String(), "dependences": deps.String(), "space": res.Space.String(), "cone": res.Cone.String(),
		"schedule": res.Schedule.String(), "loops": res.Loops.String(), "kernels": res.GPU.String(), "cuda": res.Files.Kernel,
	}
	quotes := regexp.MustCompile(`(?m)^<!-- (\w+) -->\n\n((?:    .*\n)+)`).FindAllStringSubmatch(page, -1)
	require.Len(t, quotes, strings.Count(page, "<!-- "))
	for _, q := range quotes {
		require.NotEmpty(t, printed[q[1]], q[1])
		lines := strings.Split(printed[q[1]], "\n")
		for _, want := range strings.Split(strings.TrimSpace(q[2]), "\n") {
			at := 0
			for at < len(lines) && strings.TrimSpace(lines[at]) != strings.TrimSpace(want) {
				at++
			}
			require.Less(t, at, len(lines), "%s has no line %q, or only before the others", q[1], strings.TrimSpace(want))
			lines = lines[at+1:]
		}
	}
}

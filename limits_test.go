package hexcc_test

import (
	"os"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestLimitsDocument checks that docs/limits.md has the value of every bound that it names, and names those of these files.
func TestLimitsDocument(t *testing.T) {
	values := map[string]string{}
	constant := regexp.MustCompile(`(?m)^(?:const)?\s+(max[A-Z]\w*)\s*=\s*([0-9_]+(?: << [0-9]+)?)`)
	for _, name := range []string{"frontend/syntax_depth.go", "schedule/deps.go", "schedule/shifter.go", "gpu/pointset/cells.go", "model/search.go", "model/cache.go", "poly/limit.go"} {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		for _, m := range constant.FindAllSubmatch(text, -1) {
			values[string(m[1])] = string(m[2])
		}
	}
	doc, err := os.ReadFile("docs/limits.md")
	require.NoError(t, err)
	rows := regexp.MustCompile("(?m)^\\| `(max\\w+)` \\| ([^|]*) \\|").FindAllSubmatch(doc, -1)
	require.Len(t, rows, 13)
	for _, row := range rows {
		require.Equal(t, values[string(row[1])], string(row[2]), "%s", row[1])
	}
}

package tree_test

import (
	"encoding/json"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/internal/schedules"
	"github.com/hexcc/hexcc/internal/tool"
	"github.com/hexcc/hexcc/schedule/tree"
)

// TestISLReads checks that isl reads what prints as it reads what was parsed: the same nodes, times and options.
func TestISLReads(t *testing.T) {
	python := tool.Python(t)
	var questions strings.Builder
	var texts []string
	for seed := uint64(0); len(texts) < 150; seed++ {
		text := schedules.Random(seed)
		if !strings.HasPrefix(text, "domain") {
			continue
		}
		n, err := tree.Parse(text)
		require.NoError(t, err)
		line, err := json.Marshal([]string{text, n.String()})
		require.NoError(t, err)
		questions.Write(append(line, '\n'))
		texts = append(texts, text+n.String())
	}
	cmd := exec.Command(python, "testdata/isl.py")
	cmd.Stdin = strings.NewReader(questions.String())
	out, err := cmd.Output()
	require.NoError(t, err)
	answers := strings.Split(strings.TrimSpace(string(out)), "\n")
	require.Len(t, answers, len(texts))
	for i, a := range answers {
		assert.Equal(t, `""`, a, texts[i])
	}
}

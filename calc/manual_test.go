package calc_test

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/calc"
)

const manual = "../docs/calc.md"

// TestManual runs the examples of the manual, the blocks marked calc: lines after > are typed, others are printed. With
// UPDATE_MANUAL set it writes what is printed into the manual.
func TestManual(t *testing.T) {
	text, err := os.ReadFile(manual)
	require.NoError(t, err)
	blocks := strings.Split(string(text), "```")
	examples := 0
	for i, block := range blocks {
		body, isExample := strings.CutPrefix(block, "calc\n")
		if !isExample {
			continue
		}
		examples++
		got := replay(t, body)
		if os.Getenv("UPDATE_MANUAL") == "" {
			require.Equal(t, body, got)
		}
		blocks[i] = "calc\n" + got
	}
	require.NotZero(t, examples)
	if os.Getenv("UPDATE_MANUAL") != "" {
		require.NoError(t, os.WriteFile(manual, []byte(strings.Join(blocks, "```")), 0o644))
	}
}

// replay runs the lines of an example that are typed and returns them with what they print.
func replay(t *testing.T, example string) string {
	var out bytes.Buffer
	c := &calc.Calculator{Out: &out}
	for _, line := range strings.Split(example, "\n") {
		if typed, ok := strings.CutPrefix(line, "> "); ok {
			out.WriteString(line + "\n")
			require.NoError(t, c.Run(manual, typed, 0))
		}
	}
	return out.String()
}

// TestOperationsDocumented checks that the manual names every operation.
func TestOperationsDocumented(t *testing.T) {
	text, err := os.ReadFile(manual)
	require.NoError(t, err)
	for _, name := range calc.Operations() {
		require.Contains(t, string(text), name)
	}
}

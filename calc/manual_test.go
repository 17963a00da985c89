package calc_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/calc"
)

const manual = "../docs/calc.md"

// TestManual runs the examples of the manual, the blocks marked calc: lines after > are typed, others are printed. With
// UPDATE_MANUAL set it writes what is printed into the manual.
func TestManual(t *testing.T) {
	for _, path := range []string{manual, "../docs/loops.md"} {
		t.Run(filepath.Base(path), func(t *testing.T) { checkManual(t, path) })
	}
}

func checkManual(t *testing.T, manual string) {
	text, err := os.ReadFile(manual)
	require.NoError(t, err)
	blocks := strings.Split(string(text), "```")
	examples, files := 0, map[string]string{}
	for _, block := range blocks { // files for read: their names are in a comment
		for _, language := range []string{"yaml", "isl"} {
			if body, is := strings.CutPrefix(block, language+"\n# "); is {
				name, _, _ := strings.Cut(body, "\n")
				files[name] = "# " + body
			}
		}
	}
	for i, block := range blocks {
		body, isExample := strings.CutPrefix(block, "calc\n")
		if !isExample {
			continue
		}
		examples++
		got := replay(t, manual, body, files)
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
func replay(t *testing.T, manual, example string, files map[string]string) string {
	var out bytes.Buffer
	c := &calc.Calculator{Out: &out, ReadFile: func(name string) ([]byte, error) {
		require.Contains(t, files, name)
		return []byte(files[name]), nil
	}}
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

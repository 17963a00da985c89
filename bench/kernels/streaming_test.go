package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/golden"
)

// TestStreamingReport has the counts of every case whose rows stream, and why others do not; unless HEXCC_TESTS=all, of every second one. streaming fails where what ran is not what was counted.
func TestStreamingReport(t *testing.T) {
	paths, err := filepath.Glob("../../testdata/*.txtar")
	require.NoError(t, err)
	all := cases.Every() || *golden.Update
	if !all {
		paths = everySecond(paths)
	}
	texts := make([]string, len(paths))
	t.Run("cases", func(t *testing.T) {
		for i, path := range paths {
			t.Run(caseName(path), func(t *testing.T) {
				t.Parallel()
				r := reporter{arch: "sm_80", streams: true}
				text, err := r.streaming(path)
				require.NoError(t, err)
				texts[i] = text
			})
		}
	})
	least := 8
	if all {
		least = 15
	}
	require.GreaterOrEqual(t, strings.Count(strings.Join(texts, ""), "\n  run "), least)
	compareAll(t, "testdata/streaming.txt", texts, all)
}

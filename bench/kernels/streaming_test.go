package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestStreamingReport has the counts of every case whose rows stream, and why others do not. streaming fails where what ran is not what was counted.
func TestStreamingReport(t *testing.T) {
	paths, err := filepath.Glob("../../testdata/*.txtar")
	require.NoError(t, err)
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
	all := strings.Join(texts, "")
	require.GreaterOrEqual(t, strings.Count(all, "\n  run "), 15)
	compare(t, "testdata/streaming.txt", all)
}

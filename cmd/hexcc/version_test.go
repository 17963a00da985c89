package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
)

// TestVersionLine: the commit that make says goes before what Go says.
func TestVersionLine(t *testing.T) {
	defer func(was string) { commit = was }(commit)
	for said, want := range map[string]string{
		"1a2b3c4d5e6f":          " (commit 1a2b3c4d5e6f)",
		"1a2b3c4d5e6f-modified": " (commit 1a2b3c4d5e6f, with changes)",
		"1a2b3c4d5e6f708090a0":  " (commit 1a2b3c4d5e6f)",
	} {
		commit = said
		require.Equal(t, "hexcc "+hexcc.Version+want, versionLine())
	}
}

package poly

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestParseMulti checks lists of relations, and where they are wrong.
func TestParseMulti(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string // relations, or the message
	}{
		{"[]", nil},
		{" [ ] ", nil},
		{"L[]", nil},
		{"[n] -> []", nil},
		{"[{ S[i] -> [i] }]", []string{"{ S[i] -> [i] }"}},
		{"[n] -> L[{ S[i] -> [(i)]; T[] -> [n] }, { S[i] -> [0] : i < n }]", []string{"[n] -> { S[i] -> [i]; T[] -> [n] }", "[n] -> { S[i] -> [0] : i < n }"}},
		{"[n = 3, m] -> [{ S[i] -> [m + n] }]", []string{"[n, m] -> { S[i] -> [m + 3] : n = 3 }"}},
		{"[{ }, { }]", []string{"{ }", "{ }"}},
		{"[{ S[i] }]", []string{"1:4: expected a relation: tuple -> tuple"}},
		{"[{ S[i] -> [i] }", []string{"1:17: expected ], found the end"}},
		{"[{ S[i] -> [i] }] x", []string{"1:19: expected the end, found x"}},
		{"{ S[i] -> [i] }", []string{"1:1: expected [, found {"}},
		{"[n] [{ S[i] -> [i] }]", []string{"1:5: expected ->, found ["}},
		{"[{ S[i] -> [j + 1] }]", []string{"1:13: j is not defined"}},
	} {
		list, err := ParseMulti(c.text)
		if err != nil {
			require.Len(t, c.want, 1, "%s: %v", c.text, err)
			message, _, _ := strings.Cut(err.Error(), "\n")
			assert.Equal(t, c.want[0], message, c.text)
			continue
		}
		require.Len(t, list, len(c.want), c.text)
		for i, m := range list {
			assert.True(t, m.IsEqual(MustMap(c.want[i])), "%s: %v", c.text, m)
		}
	}
}

// TestParamRanges checks what parameters are said to be between.
func TestParamRanges(t *testing.T) {
	for text, want := range map[string]string{
		"[n = 0:23] -> { [i] : i >= n }":            "[n] -> { [i] : i >= n and 0 <= n <= 23 }",
		"[n = 2:] -> { : }":                         "[n] -> { : n >= 2 }",
		"[n = :5, m = n:n + 1] -> { [m] }":          "[n, m] -> { [i] : i = m and n <= 5 and n <= m <= n + 1 }",
		"[n = :] -> { [n] }":                        "[n] -> { [n] }",
		"[n = 3, m = 4:] -> { [n + m] }":            "[n, m] -> { [3 + m] : n = 3 and m >= 4 }",
		"[n = 0:9] -> { [i] : i = 1; [i] : i = n }": "[n] -> { [i] : 0 <= n <= 9 and (i = 1 or i = n) }",
	} {
		got, err := ParseSet(text)
		if assert.NoError(t, err, text) {
			assert.True(t, got.IsEqual(MustSet(want)), "%s: %v", text, got)
		}
	}
	_, err := ParseSet("[n = 0:23, m = k:2] -> { [i] }")
	assert.Contains(t, fmt.Sprint(err), "1:16: k is not defined")
}

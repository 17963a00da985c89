package frontend

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestPrefixRun checks that operators in front of each other count, whatever stands between them, and no others.
func TestPrefixRun(t *testing.T) {
	for _, test := range []struct {
		name, text string
		deep       bool
	}{
		{"minus", strings.Repeat("- ", maxPrefix+1) + "x", true},
		{"as many as are allowed", strings.Repeat("- ", maxPrefix) + "x", false},
		{"mixed", strings.Repeat("-~!+ ", maxPrefix/4) + "-x", true},
		{"casts between", strings.Repeat("-(float)", maxPrefix+1) + "x", true},
		{"casts to two words between", strings.Repeat("-(const unsigned)", maxPrefix+1) + "x", true},
		{"a sum", strings.Repeat("x + ", 5*maxPrefix) + "x", false},
		{"a sum of brackets", strings.Repeat("(x) - ", 5*maxPrefix) + "x", false},
		{"a sum of negated numbers", strings.Repeat("-1.5e-3f + ", 3*maxPrefix) + "x", false},
		{"statements", strings.Repeat("x = -1; ", 2*maxPrefix), false},
	} {
		text := []byte("float x = " + test.text + ";")
		require.Equal(t, test.deep, len(tooDeep(&file{}, text)) > 0, test.name)
	}
}

package heavy

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestPrograms checks that names differ, and that programs are as large as they say.
func TestPrograms(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range Programs() {
		require.False(t, seen[p.Name], p.Name)
		require.NotContains(t, p.Name, " ")
		require.Contains(t, p.Text, "#pragma scop", p.Name)
		seen[p.Name] = true
	}
	require.Len(t, Star(6, 1), 13)
	require.Len(t, Box(3, 4), 729)
	require.Len(t, d3q19.velocities, 19)
}

package packaging_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/internal/tool"
)

// TestFirstSteps runs the script that times what people do first, without the clone.
func TestFirstSteps(t *testing.T) {
	tool.CXX(t)
	t.Setenv("HEXCC", tool.Hexcc(t, ".."))
	t.Setenv("SIZES", "n=67:steps=5")
	t.Setenv("HEXCC_CACHE", t.TempDir())
	require.Contains(t, tool.Run(t, "./first-steps"), "the program prints what it printed, and runs tiles\n")
}

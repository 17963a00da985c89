package openmp

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/ctext"
)

// TestUnmarked: marks are taken out, and lines between them are those that run a statement; such that follow each other are one.
func TestUnmarked(t *testing.T) {
	text, spans := unmarked("a\n\x000 S0\nb\nc\n\x00\n\x000 S0\nd\n\x00\n\x000 S1\n\x00\ne\n\x001 S0\nf\n\x00\n\x000 S0\ng\n\x00\nh")
	require.Equal(t, "a\nb\nc\nd\ne\nf\ng\nh", text)
	require.Equal(t, []ctext.Span{{First: 2, Last: 4, Stmt: "S0"}, {First: 6, Last: 6, Region: 1, Stmt: "S0"}, {First: 7, Last: 7, Stmt: "S0"}}, spans)
	require.Panics(t, func() { unmarked("\x000 S0\n\x000 S1\n") })
}

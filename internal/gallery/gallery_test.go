package gallery_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/internal/gallery"
)

func TestRead(t *testing.T) {
	all, err := gallery.Read("../../examples/gallery")
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(all), 40)
	for _, p := range all {
		require.Regexp(t, `^\w`, p.About, p.Name)
		require.NotContains(t, p.About, "*/", p.Name)
		require.NotRegexp(t, `(?i)usage`, p.About, p.Name)
		flags, args := p.Sized(8, 3)
		require.Equal(t, p.Fixed, len(flags) == 2, p.Name)
		require.Equal(t, p.Fixed, len(args) == 0, p.Name)
	}
}

func TestDefault(t *testing.T) {
	all, err := gallery.Read("../../examples/gallery")
	require.NoError(t, err)
	for _, p := range all {
		if !p.Fixed {
			assert.Len(t, p.Default(), 2, p.Name)
		}
	}
}

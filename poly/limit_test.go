package poly

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestLimited(t *testing.T) {
	limit := &LimitError{Op: "subtract", What: "parts", Bound: 7}
	assert.Equal(t, limit, Limited(func() error { panic(limit) }))
	assert.EqualError(t, limit, "poly: subtract: more than 7 parts")
	mistake := errors.New("mistake")
	assert.Equal(t, mistake, Limited(func() error { return mistake }))
	assert.NoError(t, Limited(func() error { return nil }))
	assert.PanicsWithValue(t, "bug", func() { Limited(func() error { panic("bug") }) })
	assert.PanicsWithError(t, "mistake", func() { Limited(func() error { panic(mistake) }) })
}

// TestLimitOfCoefficients checks that what does not fit the exported types is a limit, not a wrong number.
func TestLimitOfCoefficients(t *testing.T) {
	b := MustSet("{ [i, j] : 36893488147419103233i >= 7j }").Basics()[0]
	var limit *LimitError
	require.ErrorAs(t, Limited(func() error { b.Constraints(); return nil }), &limit)
}

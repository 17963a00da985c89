// Package whole runs the whole compiler, as the command does, for tests of targets.
// For tests only.
package whole

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/internal/pipeline"
)

// Compile translates C text.
func Compile(t testing.TB, base, text string, o hexcc.Options) *hexcc.Result {
	t.Helper()
	o.Base = base
	res, err := hexcc.Compile(hexcc.Source{Name: base + ".c", Text: []byte(text)}, o)
	require.NoError(t, err)
	return res
}

// Narrow is Compile with tiles that small grids have many of, where they have a height.
func Narrow(t testing.TB, base, text string, o hexcc.Options) *hexcc.Result {
	t.Helper()
	if o.Strategy != hexcc.Space {
		probe := o
		probe.Stop = "cone"
		res := Compile(t, base, text, probe)
		sizes := pipeline.Narrow.Of(res.Space, res.Cone)
		o.Tile = &sizes
	}
	return Compile(t, base, text, o)
}

// Package whole runs the whole compiler, as the command does, for tests of targets.
// For tests only.
package whole

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/internal/tool"
)

// Compile translates C text.
func Compile(t testing.TB, base, text string, o hexcc.Options) *hexcc.Result {
	t.Helper()
	o.Base = base
	res, err := hexcc.Compile(hexcc.Source{Name: base + ".c", Text: []byte(text)}, o)
	require.NoError(t, err)
	return res
}

// Write writes files into a new folder, and returns it.
func Write(t testing.TB, files ...ctext.File) string {
	t.Helper()
	texts := map[string]string{}
	for _, f := range files {
		texts[f.Name] = f.Text
	}
	return tool.Write(t, texts)
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

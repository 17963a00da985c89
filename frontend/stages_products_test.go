package frontend

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/internal/golden"
)

// TestStageProducts compares what stages make of a region, as text, with the sections of testdata/stages.
func TestStageProducts(t *testing.T) {
	golden.Run(t, "testdata/stages/*.txtar", nil, func(t *testing.T, c *golden.Case) {
		f := newFile(Source{Name: "input.c", Text: c.Input("input.c")})
		u, errs := translate(f, Options{})
		require.Empty(t, errs)
		regions, errs := findRegions(f, u)
		require.Empty(t, errs)
		nr := variant{}.nests(f, u, regions[0], Options{})
		require.Empty(t, nr.errs)
		fs := &facts{nestReader: nr}
		fs.stateFacts()
		nests, storage := nr.String(), nr.storage.String()
		c.Check("survey", nr.survey.String())
		c.Check("storage", storage)
		c.Check("nests", nests)
		c.Check("facts", fs.String())
		dm := newDimensions(fs)
		require.True(t, dm.delinearize() && dm.guessExtents(), "%v", dm.errs)
		c.Check("dimensions", dm.storage.String()+dm.nestReader.String())
		require.Equal(t, nests, nr.String(), "the stage works on a copy")
		require.Equal(t, storage, nr.storage.String(), "the stage works on a copy")
	})
}

package lower_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/gpu/lower"
	"github.com/hexcc/hexcc/scop"
)

// TestVersions: of every case, the first version has indices of 32 bits, and the second, of 64 bits and where extents are ints, has
// no full tiles; where an extent may be no int, it has them, too.
func TestVersions(t *testing.T) {
	for _, x := range stencils(t) {
		_, p := x.mapped(t, x.small(1), lower.Options{})
		require.True(t, p.Told, x.Name)
		require.Equal(t, int64(1)<<47, p.Most, x.Name)
		versions := p.Versions()
		require.Len(t, versions, 2)
		require.Equal(t, scop.Int, versions[0].Index)
		require.Equal(t, p.Narrow, versions[0].Where)
		require.Equal(t, scop.Long, versions[1].Index)
		require.Empty(t, versions[1].Where)
		for i, k := range versions[1].Kernels {
			require.NotZero(t, fullTiles(p.Kernels[i].Body), x.Name)
			require.Zero(t, fullTiles(k.Body), x.Name)
		}
		general := *p
		general.Kernels = versions[1].Kernels
		require.NoError(t, general.Verify())

		long := *p
		source := *p.Scop
		source.Params = append([]scop.Param(nil), p.Scop.Params...)
		for i := range source.Params {
			source.Params[i].Type = scop.Long
		}
		long.Scop = &source
		require.Equal(t, p.Kernels, long.Versions()[1].Kernels)

		p.Told = false
		require.Equal(t, []gpu.Version{{Index: scop.Long, Kernels: p.Kernels}}, p.Versions())
	}
}

// fullTiles counts the full tiles in nodes.
func fullTiles(nodes []gpu.Node) (n int) {
	for _, x := range nodes {
		switch x := x.(type) {
		case gpu.For:
			n += fullTiles(x.Body)
		case gpu.If:
			if x.Role.Kind == gpu.FullTile {
				n++
			}
			n += fullTiles(x.Then) + fullTiles(x.Else)
		}
	}
	return n
}

// TestWithWideIndices: there is one version, of the same kernels, for all parameters.
func TestWithWideIndices(t *testing.T) {
	_, p := stencils(t)[0].mapped(t, stencils(t)[0].small(1), lower.Options{})
	versions := p.WithWideIndices("a test").Versions()
	require.Len(t, versions, 1)
	require.Equal(t, scop.Long, versions[0].Index)
	require.Equal(t, p.Kernels, versions[0].Kernels)
	require.Empty(t, versions[0].Where)
	require.Greater(t, len(p.Versions()), 1)
}

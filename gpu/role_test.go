package gpu_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/scop"
)

// TestRoles: what kernels say in their comments.
func TestRoles(t *testing.T) {
	a, s := &scop.Array{Name: "A"}, &scop.Stmt{Name: "S0"}
	for want, role := range map[string]gpu.Role{
		"":                                   {},
		"full tile":                          {Kind: gpu.FullTile},
		"after a full tile":                  {Kind: gpu.AfterFull},
		"before a tile that is not full":     {Kind: gpu.LastFull},
		"full tile: what the launch decides": {Kind: gpu.FullForLaunch},
		"full tile: what the block decides":  {Kind: gpu.FullForBlock},
		"full tile: what S1 decides":         {Kind: gpu.FullForLoop, Loop: "S1"},
		"before the first tile":              {Kind: gpu.BeforeFirstTile},
		"before the next tile":               {Kind: gpu.BeforeNextTile},
		"copy in A":                          {Kind: gpu.CopyIn, Array: a},
		"move A":                             {Kind: gpu.Move, Array: a},
		"step 3: S0":                         {Kind: gpu.TimeStep, Step: 3, Stmt: s},
		"store A":                            {Kind: gpu.Store, Array: a},
		"store A of steps before":            {Kind: gpu.StoreEarlier, Array: a},
		"store A, which no full tile writes again": {Kind: gpu.StoreLast, Array: a},
		"copy out A": {Kind: gpu.CopyOut, Array: a},
	} {
		require.Equal(t, want, role.String())
	}
	for k := gpu.NoRole + 1; k <= gpu.CopyOut; k++ {
		require.NotEmpty(t, k.String(), "kind %d", k)
	}
}

package e2e_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// TestColumns runs tiles that hold whole columns, as each target prints them, in one launch and in several, and compares the results with the interpreter's, bit for bit.
func TestColumns(t *testing.T) {
	all, missing := targets()
	t.Log(missing)
	for _, x := range []struct {
		name, fuse string
		tile       schedule.Sizes
	}{
		{"vertical-diffusion", "", schedule.Sizes{H: 1, W: []int64{12, 3, 7}}},
		{"vertical-diffusion", "[rhs,S1,S2],[S3,S4,out]", schedule.Sizes{H: 1, W: []int64{13, 4, 5}}},
		{"vertical-advection", "", schedule.Sizes{H: 1, W: []int64{20, 3, 4}}},
		{"hydrostatic", "", schedule.Sizes{H: 2, W: []int64{11, 5, 6}}},
	} {
		for i, to := range all {
			cpu := to.to == hexcc.OpenMP || to.to == hexcc.C
			if cpu && x.tile.H > 1 || (i+len(x.name))%2 > 0 && !cases.Every() { // on CPUs no array has versions
				continue
			}
			t.Run(fmt.Sprintf("%s%s, %s", x.name, x.fuse, to.name), func(t *testing.T) {
				res, err := hexcc.Compile(source([]byte(cases.ReadIdiom(t, x.name).Text)),
					hexcc.Options{Target: to.to, Arch: "sm_80", Strategy: hexcc.Overlapped, Fuse: x.fuse, Tile: &x.tile, Base: "f"})
				require.NoError(t, err)
				require.NotNil(t, res.Space.Ways)
				run, err := to.build(t.TempDir(), "f", res, true)
				require.NoError(t, err)
				p := res.Scop
				if to.name != "cuda" && !cpu {
					p = res.GPU.Scop // with the second versions of arrays, which host files have for themselves
				}
				var none []*scop.Array // which nobody sees, those that launches hand on too
				for _, a := range p.Arrays {
					if a.Local {
						none = append(none, a)
					}
				}
				at := make([]int64, len(p.Params))
				for i := range at {
					at[i] = []int64{9, 14, 3}[i]
				}
				mem, err := scop.NewMemory(p, at, 3)
				require.NoError(t, err)
				want := mem.Clone()
				require.NoError(t, scop.Run(p, want))
				require.NoError(t, run([]*scop.Memory{mem}))
				d := want.Compare(mem, none...)
				require.Zero(t, d.Differ, "%v: %v", at, d)
			})
		}
	}
}

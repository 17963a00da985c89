package model

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/machine"
	"github.com/hexcc/hexcc/schedule"
)

// The kernels of Gysi, Grosser, Hoefler, "MODESTO", ICS 2015: hd as its figure 2 has it, on points (i, j, k); uv and div as far as its section 4 describes them:
// uv updates the wind by the horizontal gradient of pressure, div computes the divergence of the wind.
const (
	modestoHD = `void hd(int n, int m, int l, double in[restrict n][m][l], double wgt[restrict n][m][l], double out[restrict n][m][l],
  double lap[restrict n][m][l], double fli[restrict n][m][l], double flj[restrict n][m][l])
{
#pragma scop
  for (int i = 1; i < n - 1; i++) for (int j = 1; j < m - 1; j++) for (int k = 0; k < l; k++)
    lap[i][j][k] = in[i-1][j][k] + in[i+1][j][k] + in[i][j-1][k] + in[i][j+1][k] - 4.0 * in[i][j][k];
  for (int i = 1; i < n - 2; i++) for (int j = 2; j < m - 2; j++) for (int k = 0; k < l; k++)
    fli[i][j][k] = lap[i+1][j][k] - lap[i][j][k];
  for (int i = 2; i < n - 2; i++) for (int j = 1; j < m - 2; j++) for (int k = 0; k < l; k++)
    flj[i][j][k] = lap[i][j+1][k] - lap[i][j][k];
  for (int i = 2; i < n - 2; i++) for (int j = 2; j < m - 2; j++) for (int k = 0; k < l; k++)
    out[i][j][k] = wgt[i][j][k] * (fli[i-1][j][k] - fli[i][j][k] + flj[i][j-1][k] - flj[i][j][k]);
#pragma endscop
}
`
	uvParams = `double u[restrict n][m][l], double v[restrict n][m][l], double pp[restrict n][m][l], double wgt[restrict n][m][l], double hhl[restrict n][m][l],
  double rho[restrict n][m][l], double utens[restrict n][m][l], double vtens[restrict n][m][l], double unew[restrict n][m][l], double vnew[restrict n][m][l]`
	uvNests = `  for (int i = 1; i < n; i++) for (int j = 1; j < m; j++) for (int k = 1; k < l; k++)
    cor[i][j][k] = wgt[i][j][k] * pp[i][j][k] + (1.0 - wgt[i][j][k]) * pp[i][j][k-1];
  for (int i = 1; i < n - 1; i++) for (int j = 1; j < m - 1; j++) for (int k = 1; k < l - 1; k++)
    gu[i][j][k] = pp[i+1][j][k] - pp[i][j][k] + (cor[i+1][j][k+1] + cor[i][j][k+1] - cor[i+1][j][k] - cor[i][j][k]) * (hhl[i+1][j][k] - hhl[i][j][k]);
  for (int i = 1; i < n - 1; i++) for (int j = 1; j < m - 1; j++) for (int k = 1; k < l - 1; k++)
    gv[i][j][k] = pp[i][j+1][k] - pp[i][j][k] + (cor[i][j+1][k+1] + cor[i][j][k+1] - cor[i][j+1][k] - cor[i][j][k]) * (hhl[i][j+1][k] - hhl[i][j][k]);
  for (int i = 1; i < n - 1; i++) for (int j = 1; j < m - 1; j++) for (int k = 1; k < l - 1; k++)
    unew[i][j][k] = u[i][j][k] + 0.1 * (utens[i][j][k] - gu[i][j][k] * (rho[i+1][j][k] + rho[i][j][k]));
  for (int i = 1; i < n - 1; i++) for (int j = 1; j < m - 1; j++) for (int k = 1; k < l - 1; k++)
    vnew[i][j][k] = v[i][j][k] + 0.1 * (vtens[i][j][k] - gv[i][j][k] * (rho[i][j+1][k] + rho[i][j][k]));
`
	divParams = `double sqrtg[restrict n][m][l], double w[restrict n][m][l], double fx[restrict n][m][l], double div[restrict n][m][l]`
	divNests  = `  for (int i = 1; i < n - 1; i++) for (int j = 1; j < m - 1; j++) for (int k = 1; k < l - 1; k++)
    us[i][j][k] = 0.5 * (unew[i][j][k] * (sqrtg[i+1][j][k] + sqrtg[i][j][k]));
  for (int i = 1; i < n - 1; i++) for (int j = 1; j < m - 1; j++) for (int k = 1; k < l - 1; k++)
    vs[i][j][k] = 0.5 * (vnew[i][j][k] * (sqrtg[i][j+1][k] + sqrtg[i][j][k]));
  for (int i = 2; i < n - 1; i++) for (int j = 2; j < m - 1; j++) for (int k = 1; k < l - 2; k++)
    div[i][j][k] = fx[i][j][k] * (us[i][j][k] - us[i-1][j][k] + vs[i][j][k] - vs[i][j-1][k]) + w[i][j][k+1] - w[i][j][k];
`
	modestoUVDiv = "void uvdiv(int n, int m, int l, " + uvParams + ", " + divParams + ", double cor[restrict n][m][l], double gu[restrict n][m][l], double gv[restrict n][m][l],\n" +
		"  double us[restrict n][m][l], double vs[restrict n][m][l])\n{\n#pragma scop\n" + uvNests + divNests + "#pragma endscop\n}\n"
)

var (
	domain = []int64{256, 256, 64} // of sections 3.1 and 4
	// Tables 1 and 3. What tiles share lies in the last level of caches, which table 3 does not name: 6 MB.
	i5 = machine.Levels{Name: "i5-3330", Gops: 48, Gops32: 96, Tiles: 1, Levels: []machine.Level{
		{Name: "memory", GBs: 26}, {Name: "last cache", Bytes: 6 << 20}, {Name: "second cache", Bytes: 512 << 10, GBs: 768}}}
	// Tables 2 and 4, the first two levels of which are memory, and the third takes no time. What tiles exchange at the fourth, they compute again here.
	k20c = machine.Levels{Name: "K20c", Gops: 585, Gops32: 1170, Tiles: 1, Levels: []machine.Level{{Name: "memory", GBs: 208}, {Name: "blocks"}, {Name: "registers", Bytes: 1 << 20}}}
)

// costerOf returns what counts the groups of a program, all arrays of names being temporaries.
func costerOf(t *testing.T, text string, levels machine.Levels, grid []int64, exact bool, temporaries ...string) (*coster, pipeline.Stencil, *schedule.Graph) {
	t.Helper()
	x := pipeline.Read(t, "modesto", text)
	for _, a := range x.Scop.Arrays {
		a.Local = slices.Contains(temporaries, a.Name)
	}
	g, err := schedule.NewGraph(x.Space, x.Deps)
	require.NoError(t, err)
	al, err := newAlgebra(x.Space, x.Deps, g, exact)
	require.NoError(t, err)
	return &coster{al, levels, grid, map[set]*counted{}}, x, g
}

// setsOf returns the groups as sets.
func setsOf(groups schedule.Groups) (all []set) {
	for _, g := range groups {
		x := set(0)
		for _, i := range g {
			x |= 1 << i
		}
		all = append(all, x)
	}
	return all
}

// TestModesto compares horizontal diffusion with the figures of MODESTO, and with what its model gives by hand: 3.91 ms fused, as memory moves a ring of in around
// the domain, and wgt and out once, at 26 GB/s.
func TestModesto(t *testing.T) {
	const ms = 1e-3
	k, _, g := costerOf(t, modestoHD, i5, domain, true, "lap", "fli", "flj")
	orders, ok := g.Orders()
	require.True(t, ok)
	require.EqualValues(t, 2, orders)
	all := k.counted(k.al.all).tile
	amounts := func(w []int64) (n []float64) {
		for _, p := range slices.Concat(all.Computed, all.Loads[:1]) {
			n = append(n, p.Amount.At(w))
		}
		return n
	}
	require.Equal(t, "in", all.Loads[0].Name)
	require.Equal(t, []float64{5, 2, 2, 1, 13}, amounts([]int64{1, 1, 1}))
	require.Equal(t, []float64{1152, 1056, 1056, 1024, 1284}, amounts([]int64{32, 32, 1}))
	require.Equal(t, "w0 w1 w2 + 2 w1 w2 + 2 w0 w2", all.Computed[0].Amount.Polynomial.String())
	require.Equal(t, "w0 w1 w2 + 4 w1 w2 + 4 w0 w2 + 4 w2", all.Loads[0].Amount.Polynomial.String())
	w := []int64{8, 8, 64} // table 1
	for _, x := range []struct {
		groups       schedule.Groups
		elements     float64 // of a column, from and to memory
		cpuMs, gpuMs float64
	}{
		{schedule.Groups{{0, 1, 2, 3}}, 67588 + 2*65536, 3.91, 0.489},
		{schedule.Groups{{0}, {1, 2, 3}}, 67588 + 2*66560 + 2*65536, 6.53, 0.817},
		{schedule.Groups{{0}, {1}, {2}, {3}}, 67588 + 66560 + 2*66048 + 4*65792 + 2*65536, 13.01, 1.626},
	} {
		f := k.fusion(setsOf(x.groups), w)
		require.Empty(t, f.Why())
		require.InDelta(t, x.elements*64*8, f.Bytes(), 1e-6)
		require.InDelta(t, x.elements*64*8/26e9, f.Seconds, 1e-9)
		require.InDelta(t, x.cpuMs*ms, f.Seconds, 0.005*ms)
		require.Equal(t, "memory", f.Bound())
		onGPU := *k
		onGPU.levels = k20c
		require.InDelta(t, x.gpuMs*ms, onGPU.fusion(setsOf(x.groups), []int64{64, 4, 1}).Seconds, 0.0005*ms)
	}
	out, err := k.choose([][]int64{w})
	require.NoError(t, err)
	require.Equal(t, schedule.Groups{{0, 1, 2, 3}}, out.Best[0].Groups)
	require.Len(t, out.Best, keptFusion)
	require.InDelta(t, 13.01*ms, out.Each.Seconds, 0.005*ms)

	// By hand: 8 x 8 tiles of what MODESTO's second level takes: 96, 72, 72 and 64 points of 64 in a column.
	k.levels.Levels = slices.Clone(k.levels.Levels)
	k.levels.Levels[0].GBs = 1e6 // memory takes no time: what is inside of tiles does
	f := k.fusion([]set{k.al.all}, w)
	columns := float64(32 * 32 * 64)
	lap, flux, out5 := max(5/48e9, 6*8/768e9), max(1/48e9, 3*8/768e9), max(4/48e9, 6*8/768e9)
	require.InDelta(t, columns*(96*lap+2*72*flux+64*out5), f.Seconds, 1e-9)
	require.InDelta(t, (96+2*72+64)/256., f.Parts[0].Again, 1e-9)
	require.Equal(t, "operations", f.Parts[0].Bound)
}

// TestUVDiv chooses launches for the program whose stencils MODESTO splits in two groups, as all of them need more than the second level holds.
func TestUVDiv(t *testing.T) {
	k, _, _ := costerOf(t, modestoUVDiv, i5, domain, true, "cor", "gu", "gv", "us", "vs")
	w := []int64{8, 8, 64}
	one := k.fusion([]set{k.al.all}, w)
	require.Contains(t, one.Why(), "bytes of second cache")
	out, err := k.choose([][]int64{w})
	require.NoError(t, err)
	best := out.Best[0]
	require.Len(t, best.Groups, 2, "%v", best.Groups)
	require.Less(t, best.Seconds, out.Each.Seconds/1.5)
	for _, p := range best.Parts {
		require.LessOrEqual(t, p.Holds, float64(512<<10))
	}
	k.levels.Levels = slices.Clone(k.levels.Levels)
	k.levels.Levels[2].Bytes = 1 << 20 // with as much, one launch is best
	k.groups = map[set]*counted{}
	out, err = k.choose([][]int64{w})
	require.NoError(t, err)
	require.Len(t, out.Best[0].Groups, 1)
}

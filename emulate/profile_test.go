package emulate_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/emulate"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/gpu/lower"
	"github.com/hexcc/hexcc/scop"
)

// A request is a copy from element of an array of 4096 to element of a buffer
// as large, over the loops, by a block of so many threads.
type request struct {
	elem            scop.Type
	threads         [3]int
	loops           []gpu.ThreadLoop
	guard           astgen.Cond
	element, buffer affine.Expr
}

// linear is konst + cx*x + cy*y.
func linear(konst, cx, cy int64) affine.Sum {
	return affine.Num(konst).Plus(affine.Var("x").Times(cx)).Plus(affine.Var("y").Times(cy))
}

// along is a loop over 0..n-1.
func along(v string, n int64, axis int) gpu.ThreadLoop {
	return gpu.ThreadLoop{Var: v, Lo: affine.Num(0), Hi: affine.Num(n - 1), Axis: axis}
}

// profile returns what a block does that copies in, or out.
func (q request) profile(t *testing.T, out bool) emulate.Profile {
	if !slices.ContainsFunc(q.loops, func(l gpu.ThreadLoop) bool { return l.Var == "y" }) {
		q.loops = append([]gpu.ThreadLoop{along("y", 1, -1)}, q.loops...)
	}
	a := &scop.Array{Name: "A", Elem: q.elem, Extents: []scop.Affine{{Const: 4096}}}
	buffer := &gpu.Buffer{Name: "shared_A", Array: a, Shape: []int64{4096}, Origin: []affine.Expr{affine.Num(0)}, Mod: []int64{0}, Wrap: []bool{false}}
	shared, global := gpu.Ref{Buffer: buffer, Array: a, Index: []affine.Expr{q.buffer}}, gpu.Ref{Array: a, Index: []affine.Expr{q.element}}
	node := gpu.Threads{Role: gpu.Role{Kind: gpu.CopyIn, Array: a}, Loops: q.loops, Guard: q.guard, Body: []gpu.Op{gpu.Copy{To: shared, From: global}}}
	if out {
		node.Role.Kind, node.Body = gpu.CopyOut, []gpu.Op{gpu.Copy{To: global, From: shared}}
	}
	k := &gpu.Kernel{Name: "k", Grid: []gpu.Axis{{Var: "X", Lo: affine.Num(0), Hi: affine.Num(0)}}, Threads: q.threads, Shared: []*gpu.Buffer{buffer}, Body: []gpu.Node{node, gpu.Barrier{}}}
	p := &gpu.Program{Scop: &scop.Program{Arrays: []*scop.Array{a}}, T: "T", TLo: affine.Num(0), THi: affine.Num(0), Kernels: []*gpu.Kernel{k}}
	mem, err := scop.NewMemory(p.Scop, nil, 1)
	require.NoError(t, err)
	r, err := emulate.Run(p, mem, emulate.Options{Profile: true})
	require.NoError(t, err)
	require.Equal(t, *r.Profile, *r.Launches[0].Profile)
	require.EqualValues(t, 1, r.Profile[emulate.Partial][emulate.Other].Barriers)
	require.Zero(t, r.Counts[emulate.OutOfBounds])
	return *r.Profile
}

// TestRequests has requests of warps with known answers: for each, how many
// sectors, lines and wavefronts they take, of how many at least.
func TestRequests(t *testing.T) {
	warp := [3]int{32, 1, 1}
	lanes := []gpu.ThreadLoop{along("x", 32, 0)}
	for name, c := range map[string]struct {
		request
		global emulate.Global
		shared emulate.Shared
	}{
		"side by side": {request{scop.Float, warp, lanes, nil, linear(0, 1, 0), linear(0, 1, 0)},
			emulate.Global{1, 32, 128, 4, 1, 4}, emulate.Shared{1, 32, 1, 1}},
		"off by one": {request{scop.Float, warp, lanes, nil, linear(1, 1, 0), linear(1, 1, 0)},
			emulate.Global{1, 32, 128, 5, 2, 4}, emulate.Shared{1, 32, 1, 1}},
		"backwards": {request{scop.Float, warp, lanes, nil, linear(31, -1, 0), linear(31, -1, 0)},
			emulate.Global{1, 32, 128, 4, 1, 4}, emulate.Shared{1, 32, 1, 1}},
		"columns of 32": {request{scop.Float, warp, lanes, nil, linear(5, 32, 0), linear(5, 32, 0)},
			emulate.Global{1, 32, 128, 32, 32, 4}, emulate.Shared{1, 32, 32, 1}},
		"columns of 33": {request{scop.Float, warp, lanes, nil, linear(0, 33, 0), linear(0, 33, 0)},
			emulate.Global{1, 32, 128, 32, 32, 4}, emulate.Shared{1, 32, 1, 1}},
		"every other": {request{scop.Float, warp, lanes, nil, linear(0, 2, 0), linear(0, 2, 0)},
			emulate.Global{1, 32, 128, 8, 2, 4}, emulate.Shared{1, 32, 2, 1}},
		"one for all": {request{scop.Float, warp, lanes, nil, linear(7, 0, 0), linear(7, 0, 0)},
			emulate.Global{1, 32, 128, 1, 1, 1}, emulate.Shared{1, 32, 1, 1}},
		"double": {request{scop.Double, warp, lanes, nil, linear(0, 1, 0), linear(0, 1, 0)},
			emulate.Global{1, 32, 256, 8, 2, 8}, emulate.Shared{1, 32, 2, 2}},
		"double, off by one": {request{scop.Double, warp, lanes, nil, linear(1, 1, 0), linear(1, 1, 0)},
			emulate.Global{1, 32, 256, 9, 3, 8}, emulate.Shared{1, 32, 2, 2}},
		"double, every other": {request{scop.Double, warp, lanes, nil, linear(0, 2, 0), linear(0, 2, 0)},
			emulate.Global{1, 32, 256, 16, 4, 8}, emulate.Shared{1, 32, 4, 2}},
		"double, half a warp": {request{scop.Double, warp, []gpu.ThreadLoop{along("x", 16, 0)}, nil, linear(0, 1, 0), linear(0, 1, 0)},
			emulate.Global{1, 16, 128, 4, 1, 4}, emulate.Shared{1, 16, 1, 1}},
		"two rows in a warp": {request{scop.Float, [3]int{16, 2, 1}, []gpu.ThreadLoop{along("y", 2, 1), along("x", 16, 0)}, nil, linear(0, 1, 100), linear(0, 1, 32)},
			emulate.Global{1, 32, 128, 5, 2, 4}, emulate.Shared{1, 32, 2, 1}},
		"two warps": {request{scop.Float, [3]int{64, 1, 1}, []gpu.ThreadLoop{along("x", 64, 0)}, nil, linear(0, 1, 0), linear(0, 1, 0)},
			emulate.Global{2, 64, 256, 8, 2, 8}, emulate.Shared{2, 64, 2, 2}},
		"two turns": {request{scop.Float, warp, []gpu.ThreadLoop{along("x", 64, 0)}, nil, linear(0, 1, 0), linear(0, 1, 0)},
			emulate.Global{2, 64, 256, 8, 2, 8}, emulate.Shared{2, 64, 2, 2}},
		"rows one by one": {request{scop.Float, warp, []gpu.ThreadLoop{along("y", 3, -1), along("x", 32, 0)}, nil, linear(0, 1, 40), linear(0, 1, 40)},
			emulate.Global{3, 96, 384, 12, 5, 12}, emulate.Shared{3, 96, 3, 3}},
	} {
		t.Run(name, func(t *testing.T) {
			in := c.profile(t, false)
			got := in[emulate.Partial][emulate.CopyIn]
			require.Equal(t, c.global, got.GlobalLoads)
			require.Equal(t, c.shared, got.SharedStores)
			require.Equal(t, c.global.Requests, got.Ops)
			require.Zero(t, got.GlobalStores)
			require.Zero(t, got.SharedLoads)

			out := c.profile(t, true)
			other := out[emulate.Partial][emulate.Store]
			require.Equal(t, c.global, other.GlobalStores)
			require.Equal(t, c.shared, other.SharedLoads)
			require.Equal(t, got.Divergent, other.Divergent)
		})
	}
}

// TestDivergence has guards and loops that lanes of a warp take and leave together or not.
func TestDivergence(t *testing.T) {
	triangle := gpu.ThreadLoop{Var: "y", Lo: affine.Num(0), Hi: affine.Var("x"), Axis: -1}
	for name, c := range map[string]struct {
		threads         [3]int
		loops           []gpu.ThreadLoop
		guard           astgen.Cond
		divergent, idle int64
	}{
		"all lanes":        {[3]int{32, 1, 1}, []gpu.ThreadLoop{along("x", 32, 0)}, nil, 0, 0},
		"five lanes":       {[3]int{32, 1, 1}, []gpu.ThreadLoop{along("x", 5, 0)}, nil, 1, 27},
		"a guard":          {[3]int{32, 1, 1}, []gpu.ThreadLoop{along("x", 32, 0)}, astgen.Cond{{affine.Num(4).Minus(affine.Var("x"))}}, 1, 27},
		"a guard for none": {[3]int{32, 1, 1}, []gpu.ThreadLoop{along("x", 32, 0)}, astgen.Cond{{affine.Num(-1)}}, 0, 0},
		"a whole warp less": {[3]int{64, 1, 1}, []gpu.ThreadLoop{along("x", 32, 0)},
			nil, 0, 0},
		"a second turn of eight":  {[3]int{32, 1, 1}, []gpu.ThreadLoop{along("x", 40, 0)}, nil, 1, 24},
		"a block of 40":           {[3]int{40, 1, 1}, []gpu.ThreadLoop{along("x", 40, 0)}, nil, 0, 24},
		"lane x makes x+1 turns":  {[3]int{32, 1, 1}, []gpu.ThreadLoop{along("x", 32, 0), triangle}, nil, 31, 31 * 32 / 2},
		"a row of two in a warp":  {[3]int{16, 2, 1}, []gpu.ThreadLoop{along("y", 1, 1), along("x", 16, 0)}, nil, 1, 16},
		"one thread of two warps": {[3]int{64, 1, 1}, []gpu.ThreadLoop{along("x", 1, 0)}, nil, 1, 31},
	} {
		t.Run(name, func(t *testing.T) {
			p := request{scop.Float, c.threads, c.loops, c.guard, linear(0, 1, 64), linear(0, 1, 64)}.profile(t, false)
			got := p[emulate.Partial][emulate.CopyIn]
			require.Equal(t, c.divergent, got.Divergent)
			require.Equal(t, c.idle, got.Idle)
			require.Equal(t, got.Ops*32-got.Idle, got.GlobalLoads.Elements)
		})
	}
}

// TestProfileKeeps: a run with a profile reports what one without does, and the
// profile counts the same accesses, for several uses of shared memory.
func TestProfileKeeps(t *testing.T) {
	tellingCases(t, func(t *testing.T, name string, p plan) {
		for _, st := range []lower.Strategy{lower.Global, lower.Aligned, lower.Moved, lower.Static} {
			r := p.requestWith(t, p.small(), lower.Options{Strategy: st})
			params := make([]int64, len(r.Program.Scop.Params))
			for i := range params {
				params[i] = 17 + int64(i)
			}
			mem, err := scop.NewMemory(r.Program.Scop, params, 1)
			require.NoError(t, err)
			again := mem.Clone()
			want, err := emulate.Run(r.Program, mem, emulate.Options{})
			require.NoError(t, err)
			got, err := emulate.Run(r.Program, again, emulate.Options{Profile: true})
			require.NoError(t, err)
			require.True(t, want.OK(), "%v", want.Findings)
			require.Zero(t, again.Compare(mem).Differ)

			all := got.Profile.Total()
			require.Equal(t, want.Total.Points, all.Points)
			require.Equal(t, want.Total.GlobalLoads, all.GlobalLoads.Elements)
			require.Equal(t, want.Total.GlobalStores, all.GlobalStores.Elements)
			require.Equal(t, want.Total.SharedLoads, all.SharedLoads.Elements)
			require.Equal(t, want.Total.SharedStores, all.SharedStores.Elements)
			require.Equal(t, want.Total.Barriers, all.Barriers)
			for _, x := range []emulate.Global{all.GlobalLoads, all.GlobalStores} {
				require.LessOrEqual(t, x.Least, x.Sectors)
				require.LessOrEqual(t, x.Lines, x.Sectors)
			}
			require.LessOrEqual(t, all.Shared().Least, all.Shared().Wavefronts)

			got.Profile = nil
			for i := range got.Launches {
				got.Launches[i].Profile = nil
			}
			require.Equal(t, want, got)
		}
	})
}

// TestKindsOfTile has four tiles in a block, launched twice: one partial, one full that
// follows no full tile, and two that do. All counts are by hand.
func TestKindsOfTile(t *testing.T) {
	a := &scop.Array{Name: "A", Elem: scop.Float, Extents: []scop.Affine{{Const: 4096}}}
	buffer := &gpu.Buffer{Name: "shared_A", Array: a, Shape: []int64{4096}, Origin: []affine.Expr{affine.Num(0)}, Mod: []int64{0}, Wrap: []bool{false}}
	load := func(n, from int64) gpu.Node {
		index := []affine.Expr{affine.Var("x").Add(from)}
		return gpu.Threads{Role: gpu.Role{Kind: gpu.CopyIn, Array: a}, Loops: []gpu.ThreadLoop{along("x", n, 0)},
			Body: []gpu.Op{gpu.Copy{To: gpu.Ref{Buffer: buffer, Array: a, Index: index}, From: gpu.Ref{Array: a, Index: index}}}}
	}
	from := func(n int64) astgen.Cond { return astgen.Cond{{affine.Var("S").Add(-n)}} }
	full := []gpu.Node{gpu.If{Cond: from(2), Then: []gpu.Node{load(32, 1)}, Else: []gpu.Node{load(64, 0)}, Role: gpu.Role{Kind: gpu.AfterFull}}, gpu.Barrier{}}
	tiles := gpu.For{Var: "S", Lo: affine.Num(0), Hi: affine.Num(3), Body: []gpu.Node{
		gpu.If{Cond: from(1), Then: full, Else: []gpu.Node{load(5, 0)}, Role: gpu.Role{Kind: gpu.FullTile}}, gpu.Barrier{}}}
	k := &gpu.Kernel{Name: "k", Grid: []gpu.Axis{{Var: "X", Lo: affine.Num(0), Hi: affine.Num(0)}}, Threads: [3]int{32, 1, 1}, Shared: []*gpu.Buffer{buffer}, Body: []gpu.Node{tiles}}
	p := &gpu.Program{Scop: &scop.Program{Arrays: []*scop.Array{a}}, T: "T", TLo: affine.Num(0), THi: affine.Num(1), Kernels: []*gpu.Kernel{k}}
	mem, err := scop.NewMemory(p.Scop, nil, 1)
	require.NoError(t, err)
	r, err := emulate.Run(p, mem, emulate.Options{Profile: true})
	require.NoError(t, err)
	require.True(t, r.OK(), r.Findings)
	require.Len(t, r.Launches, 2)

	var want emulate.Profile
	want[emulate.Partial][emulate.CopyIn] = emulate.Traffic{Ops: 1, Idle: 27, Tests: 1, Divergent: 1,
		GlobalLoads: emulate.Global{1, 5, 20, 1, 1, 1}, SharedStores: emulate.Shared{1, 5, 1, 1}}
	want[emulate.Partial][emulate.Other] = emulate.Traffic{Tests: 5 + 4, Barriers: 4} // the loop, which kind of tile
	want[emulate.Full][emulate.CopyInFirst] = emulate.Traffic{Ops: 2, Tests: 3,
		GlobalLoads: emulate.Global{2, 64, 256, 8, 2, 8}, SharedStores: emulate.Shared{2, 64, 2, 2}}
	want[emulate.Full][emulate.CopyInAfter] = emulate.Traffic{Ops: 2,
		GlobalLoads: emulate.Global{2, 64, 256, 10, 4, 8}, SharedStores: emulate.Shared{2, 64, 2, 2}}
	want[emulate.Full][emulate.Other] = emulate.Traffic{Tests: 3, Barriers: 3}
	for _, l := range r.Launches {
		require.Equal(t, want, *l.Profile)
	}
	require.EqualValues(t, 2*8+2*10+2, r.Profile.Total().GlobalLoads.Sectors)
	require.InDelta(t, 256.0/(10*32), want[emulate.Full][emulate.CopyInAfter].GlobalLoads.Efficiency(), 1e-12)
	tile := r.Launches[0].Profile.Tile(emulate.Full)
	require.EqualValues(t, 4+4+3+3, tile.Instructions(), "loads, stores, tests of loops, tests of tiles")
	table := r.ProfileTable()
	require.Contains(t, table, "k, launched 2 times\n")
	require.Regexp(t, `(?m)^  full +0 .* 0 +0% +6$`, table)
	require.Regexp(t, `(?m)^  partial +0 .* 2 +84% +8$`, table)
}

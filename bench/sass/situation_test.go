package main

import (
	"math/bits"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/gpu/stream"
	"github.com/hexcc/hexcc/internal/programs"
	"github.com/hexcc/hexcc/internal/sass"
)

// TestSituations: what holds in a turn is the same for all turns that are as far beyond each border, and nothing holds in a full one, in two and in three dimensions.
func TestSituations(t *testing.T) {
	for _, c := range []struct {
		name, shape string
		sizes       map[string]int64
	}{
		{"jacobi-2d", "columns=4,steps=2,warps=2,period=1", map[string]int64{"T": 25, "n": 700}},
		{"laplacian-3d", "columns=2,steps=2,warps=2,period=1,lines=2", map[string]int64{"T": 9, "n": 140}},
		{"laplacian-3d", "columns=2,steps=2,warps=2,period=1,lines=3,across=2", map[string]int64{"T": 9, "n": 140}},
	} {
		t.Run(c.name+c.shape, func(t *testing.T) {
			text, err := os.ReadFile("../../testdata/" + c.name + ".txtar")
			require.NoError(t, err)
			shape, err := stream.ParseShape(c.shape)
			require.NoError(t, err)
			res, err := hexcc.Compile(hexcc.Source{Name: c.name + ".c", Text: programs.Text(".txtar", text)},
				hexcc.Options{Arch: "sm_90", NoAlias: true, Kernel: hexcc.Streaming, Pipeline: shape, Base: base})
			require.NoError(t, err)
			p := res.GPU.Pipeline()
			run := chainRun{program: res.GPU, pipeline: p, env: c.sizes}
			costs := turnCosts{pipeline: p, seen: map[string]keyed{}}
			turns, full, at := 0, 0, 0
			for _, link := range run.tickets(affine.Eval(res.GPU.TLo, run.env), affine.Eval(res.GPU.THi, run.env)) {
				run.at(link)
				s, _ := res.GPU.Kernels[link.Phase].Stream()
				lo, hi := run.enter(s)
				for beat := lo; beat <= hi; beat += int64(p.Turn) {
					if at++; at%23 != 0 { // some of each kind will do
						continue
					}
					got := costs.situation(run.env, beat)
					require.Equal(t, situationOf(p, run.env, beat).key(), got.key, "%v", run.env)
					turns++
					run.env[p.Vars.Beat], run.env[p.Vars.Last] = beat, beat+int64(p.Turn)-1
					if p.Full.Holds(run.env) {
						full++
						require.Empty(t, got.key)
					}
				}
			}
			require.Greater(t, full, 10)
			require.Greater(t, len(costs.seen), 20)
			require.Less(t, len(costs.seen), turns/2)
		})
	}
}

// TestBorderTurns walks through turns in three dimensions that are straight code: a warp loads and stores in those beats in which its guards hold, and no other one does.
func TestBorderTurns(t *testing.T) {
	compiler := compilerFor(t, "sm_90")
	text, err := os.ReadFile("../../testdata/laplacian-3d.txtar")
	require.NoError(t, err)
	shape, err := stream.ParseShape("columns=2,steps=2,warps=2,period=1,lines=2")
	require.NoError(t, err)
	res, err := hexcc.Compile(hexcc.Source{Name: "laplacian-3d.c", Text: programs.Text(".txtar", text)},
		hexcc.Options{Arch: "sm_90", NoAlias: true, Kernel: hexcc.Streaming, Pipeline: shape, Base: base})
	require.NoError(t, err)
	const name = "hexcc_kernels_0_chains"
	made, err := compiler.Kernel(res.Files.Named(base), base, name)
	require.NoError(t, err)
	code, err := sass.Parse(made.Listing, name)
	require.NoError(t, err)
	p := res.GPU.Pipeline()
	g, err := readGuards(res.Files.Kernel, p)
	require.NoError(t, err)
	count := func(s situation, class sass.Class) (n []int) {
		warps, err := g.trace(code, sass.Turns{Steady: make([][]sass.Instruction, len(p.Stages))}, p, s)
		require.NoError(t, err)
		for _, steps := range warps {
			all := 0
			for _, x := range steps {
				if x.Class() == class {
					all++
				}
			}
			n = append(n, all)
		}
		return n
	}
	none := situation{}
	require.Equal(t, []int{0, 0}, count(none, sass.GlobalLoads))
	require.Equal(t, []int{p.Turn, p.Turn}, count(none, sass.Barriers))
	patch := slices.IndexFunc(p.Stages[0].Beats[0], func(op gpu.WarpOp) bool { _, ok := op.(gpu.Patch); return ok })
	for _, beats := range []uint64{1, 2, 7} {
		n := bits.OnesCount64(beats)
		loads := situation{holds: map[situationKey]uint64{{0, patch, patchGuard}: beats, {0, patch, loadGuard}: beats}}
		require.Equal(t, []int{n * p.Columns, 0}, count(loads, sass.GlobalLoads), beats)
		stores := situation{holds: map[situationKey]uint64{{0, patch, patchGuard}: beats, {0, patch, storeGuard}: beats}}
		before, after := count(none, sass.GlobalStores), count(stores, sass.GlobalStores)
		require.Equal(t, []int{n * p.Columns, 0}, []int{after[0] - before[0], after[1] - before[1]}, beats)
	}
}

// TestLineGuards finds in the text the tests of lines beside the domain that the pipeline has: of each line that may be set to one, and of each that is copied, and one of those of a
// stage together.
func TestLineGuards(t *testing.T) {
	text, err := os.ReadFile("../../testdata/laplacian-3d.txtar")
	require.NoError(t, err)
	shape, err := stream.ParseShape("columns=2,steps=2,warps=2,period=1,lines=3,across=2")
	require.NoError(t, err)
	res, err := hexcc.Compile(hexcc.Source{Name: "laplacian-3d.c", Text: programs.Text(".txtar", text)},
		hexcc.Options{Arch: "sm_90", NoAlias: true, Kernel: hexcc.Streaming, Pipeline: shape, Base: base})
	require.NoError(t, err)
	p := res.GPU.Pipeline()
	g, err := readGuards(res.Files.Kernel, p)
	require.NoError(t, err)
	found, want := map[guardKind][]int{}, map[guardKind][]int{}
	for _, x := range g.guards {
		if x.kind.ofLines() {
			found[x.kind] = append(found[x.kind], x.op)
		}
	}
	for _, st := range p.Stages {
		for n, op := range st.Beats[0] {
			switch op := op.(type) {
			case gpu.FetchLine:
				want[farGuard] = append(want[farGuard], n)
			case gpu.Patch:
				if op.Beside.Lines != nil {
					want[lineGuard] = append(want[lineGuard], n)
				}
			}
		}
		want[farsGuard] = append(want[farsGuard], firstFar(st.Beats[0]))
	}
	require.Len(t, want[farGuard], 3) // of the rows of three steps: nobody in the tile reads those of the last one
	require.Len(t, want[lineGuard], 9)
	require.Equal(t, want, found)
}

package emulate_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/emulate"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/machine"
	"github.com/hexcc/hexcc/scop"
)

// A bench is a program B[i] = A[i], 0 <= i < 8, with pieces to build kernels from.
type bench struct {
	prog   *scop.Program
	a, b   *scop.Array
	shared *gpu.Buffer // of A, elements 4*X .. 4*X+3
}

func newBench() bench {
	eight := []scop.Affine{{Const: 8}}
	a, b := &scop.Array{Name: "A", Extents: eight}, &scop.Array{Name: "B", Extents: eight}
	at := []scop.Index{{Affine: scop.Affine{Iters: []int64{0, 1}}}}
	from, to := &scop.Access{Array: a, Index: at}, &scop.Access{Array: b, Index: at, Write: true}
	s := &scop.Stmt{Name: "S0", Iters: []string{"t", "i"}, Accesses: []*scop.Access{from, to},
		Bounds: []scop.Affine{{Iters: []int64{1}}, {Iters: []int64{-1}}, {Iters: []int64{0, 1}}, {Const: 7, Iters: []int64{0, -1}}},
		Body:   []scop.Action{scop.Store{To: to, Value: scop.Read{From: from}}}}
	return bench{
		prog: &scop.Program{Arrays: []*scop.Array{a, b}, Stmts: []*scop.Stmt{s}}, a: a, b: b,
		shared: &gpu.Buffer{Name: "shared_A", Array: a, Shape: []int64{4}, Origin: []affine.Expr{sum(0, 4, "X")}, Mod: []int64{0}, Wrap: []bool{false}},
	}
}

// sum is konst + coef*var.
func sum(konst, coef int64, v string) affine.Sum {
	return affine.Sum{Const: konst, Terms: []affine.Term{{Coef: coef, Var: v}}}
}

// cell is 4*X + c + off.
func cell(off int64) affine.Sum {
	return affine.Sum{Const: off, Terms: []affine.Term{{Coef: 4, Var: "X"}, {Coef: 1, Var: "c"}}}
}

// all runs ops for the points c = 0..3, one for each thread.
func all(role gpu.Role, ops ...gpu.Op) gpu.Threads {
	return gpu.Threads{Role: role, Body: ops, Loops: []gpu.ThreadLoop{{Var: "c", Lo: affine.Num(0), Hi: affine.Num(3)}}}
}

// role is that of a copy of A.
func (x bench) role(kind gpu.RoleKind) gpu.Role { return gpu.Role{Kind: kind, Array: x.a} }

// step is the role of points of S0.
func (x bench) step(a int64) gpu.Role {
	return gpu.Role{Kind: gpu.TimeStep, Step: a, Stmt: x.prog.Stmts[0]}
}

func (x bench) global(a *scop.Array, off int64) gpu.Ref {
	return gpu.Ref{Array: a, Index: []affine.Expr{cell(off)}}
}

func (x bench) local(off int64) gpu.Ref {
	return gpu.Ref{Buffer: x.shared, Index: []affine.Expr{sum(off, 1, "c")}}
}

// copyIn copies into the buffer, at elements off later in both.
func (x bench) copyIn(off int64) gpu.Copy {
	return gpu.Copy{To: x.local(off), From: x.global(x.a, off)}
}

// compute runs instance off later than the point, from the reference given.
func (x bench) compute(off int64, from gpu.Ref) gpu.Compute {
	return gpu.Compute{Stmt: x.prog.Stmts[0], Iters: []affine.Expr{affine.Num(0), cell(off)}, Refs: []gpu.Ref{from, x.global(x.b, off)}}
}

// run runs a kernel of two blocks X = 0, 1 of four threads, and returns what was found.
func (x bench) run(t *testing.T, body ...gpu.Node) *emulate.Report {
	k := &gpu.Kernel{Name: "k", Grid: []gpu.Axis{{Var: "X", Lo: affine.Num(0), Hi: affine.Num(1)}}, Threads: [3]int{4, 1, 1}, Shared: []*gpu.Buffer{x.shared}, Body: body}
	p := &gpu.Program{Scop: x.prog, T: "T", TLo: affine.Num(0), THi: affine.Num(0), Kernels: []*gpu.Kernel{k}}
	mem, err := scop.NewMemory(x.prog, nil, 1)
	require.NoError(t, err)
	want := mem.Clone()
	require.NoError(t, scop.Run(x.prog, want))
	r, err := emulate.Run(p, mem, emulate.Options{Seed: 3})
	require.NoError(t, err)
	if r.OK() {
		require.Zero(t, mem.Compare(want).Differ)
	}
	return r
}

func TestClean(t *testing.T) {
	x := newBench()
	r := x.run(t, all(x.role(gpu.CopyIn), x.copyIn(0)), gpu.Barrier{}, all(x.step(0), x.compute(0, x.local(0))))
	require.True(t, r.OK(), "%v", r.Findings)
	require.Equal(t, emulate.Counters{Points: 8, GlobalLoads: 8, GlobalStores: 8, SharedLoads: 8, SharedStores: 8, Barriers: 2, Blocks: 2}, r.Total)
	require.Equal(t, []int64{4}, r.Buffers[0].Reach)
}

// TestFindings has a wrong kernel for each kind of finding.
func TestFindings(t *testing.T) {
	x := newBench()
	copied := []gpu.Node{all(x.role(gpu.CopyIn), x.copyIn(0)), gpu.Barrier{}}
	mirrored := gpu.Ref{Buffer: x.shared, Index: []affine.Expr{sum(3, -1, "c")}}
	otherBlock := gpu.Ref{Array: x.b, Index: []affine.Expr{sum(0, 1, "c")}}
	over := gpu.Copy{To: otherBlock, From: x.local(0)}
	step := all(x.step(0), x.compute(0, x.local(0)))
	for _, c := range []struct {
		kind emulate.Kind
		body []gpu.Node
		want string // of the first finding of the kind; empty: any
	}{
		{emulate.SharedRace, []gpu.Node{all(x.role(gpu.CopyIn), x.copyIn(0)), all(x.step(0), x.compute(0, mirrored))}, ""},
		{emulate.BlockRace, append(copied, step, gpu.Barrier{}, all(x.role(gpu.CopyOut), over)), ""},
		{emulate.OutOfBounds, append(copied, all(x.step(0), x.compute(0, x.local(1)))), ""},
		{emulate.Uninitialised, []gpu.Node{step},
			"uninitialised read: shared_A[0] (A[0]) read by S0[t=0, i=0] in \"step 0: S0\" (kernel k, T=0, X=0, thread (0,0,0)): nothing was written there in this block"},
		{emulate.Misplaced, append(copied, all(x.step(0), x.compute(0, mirrored))), ""},
		{emulate.Missing, copied, "instance never run: S0[t=0, i=0]"},
		{emulate.Duplicate, append(copied, step, step), ""},
		{emulate.NotInstance, append(copied, step, all(x.step(1), x.compute(8, x.local(0)))),
			"run outside of the domain: S0[t=0, i=15] in \"step 1: S0\" (kernel k, T=0, X=1, thread (3,0,0))"},
		{emulate.GlobalRace, append(copied, all(x.step(0), x.compute(0, x.local(0)),
			gpu.Copy{To: gpu.Ref{Array: x.b, Index: []affine.Expr{affine.Sum{Const: 3, Terms: []affine.Term{{Coef: 4, Var: "X"}, {Coef: -1, Var: "c"}}}}}, From: x.local(0)})), ""},
	} {
		t.Run(c.kind.String(), func(t *testing.T) {
			r := x.run(t, c.body...)
			require.Positive(t, r.Counts[c.kind], "%v", r.Findings)
			var texts []string
			for _, f := range r.Findings {
				if f.Kind == c.kind {
					texts = append(texts, f.String())
				}
			}
			require.NotEmpty(t, texts)
			t.Log(texts[0])
			if c.want != "" {
				require.Contains(t, texts, c.want)
			}
		})
	}
}

// TestIdleAxis has threads along an axis that no loop uses: each runs every point.
func TestIdleAxis(t *testing.T) {
	x := newBench()
	k := &gpu.Kernel{Name: "k", Grid: []gpu.Axis{{Var: "X", Lo: affine.Num(0), Hi: affine.Num(1)}}, Threads: [3]int{4, 2, 1},
		Body: []gpu.Node{all(x.step(0), x.compute(0, x.global(x.a, 0)))}}
	p := &gpu.Program{Scop: x.prog, T: "T", TLo: affine.Num(0), THi: affine.Num(0), Kernels: []*gpu.Kernel{k},
		Device: machine.Device{Name: "tiny", ThreadsPerBlock: 4}}
	mem, err := scop.NewMemory(x.prog, nil, 1)
	require.NoError(t, err)
	r, err := emulate.Run(p, mem, emulate.Options{})
	require.NoError(t, err)
	require.EqualValues(t, 8, r.Duplicated)
	require.EqualValues(t, 8, r.Counts[emulate.GlobalRace])
	require.EqualValues(t, 1, r.Counts[emulate.BadLaunch])
}

// TestUnboundVariable uses a variable of a thread where all must agree: a bug, not a finding.
func TestUnboundVariable(t *testing.T) {
	x := newBench()
	branch := gpu.If{Cond: astgen.Cond{{affine.Var("c")}}, Then: []gpu.Node{gpu.Barrier{}}}
	require.Panics(t, func() { x.run(t, branch) })
}

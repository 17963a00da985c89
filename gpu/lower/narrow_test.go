package lower_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/gpu/lower"
)

// extremes walks through kernels with each variable at the ends of its loop, and
// keeps the greatest magnitude of a partial sum.
type extremes struct {
	env  map[string]int64
	most int64
	at   string
}

func (x *extremes) see(es ...affine.Expr) {
	for _, e := range es {
		switch e := e.(type) {
		case affine.Sum:
			x.sum(e)
		case affine.FloorDiv:
			x.see(e.X)
		case affine.Mod:
			x.see(e.X)
		case affine.Min:
			x.see(e.Args...)
		case affine.Max:
			x.see(e.Args...)
		}
	}
}

func (x *extremes) sum(s affine.Sum) {
	so := int64(0)
	for _, plus := range []bool{true, false} {
		for _, t := range s.Terms {
			if (t.Coef > 0) == plus {
				so += t.Coef * x.env[t.Var]
				x.note(s, t.Coef*x.env[t.Var])
				x.note(s, so)
			}
		}
	}
	x.note(s, so+s.Const)
}

func (x *extremes) note(s affine.Sum, v int64) {
	if v = max(v, -v); v > x.most {
		x.most, x.at = v, s.String()
	}
}

// loop runs body at both ends of a loop, if it has turns.
func (x *extremes) loop(name string, lo, hi affine.Expr, body func()) {
	x.see(lo, hi)
	from, to := affine.Eval(lo, x.env), affine.Eval(hi, x.env)
	for _, v := range []int64{from, to} {
		if from <= to {
			x.env[name] = v
			body()
		}
	}
	delete(x.env, name)
}

func (x *extremes) nodes(ns []gpu.Node) {
	for _, n := range ns {
		switch n := n.(type) {
		case gpu.For:
			x.loop(n.Var, n.Lo, n.Hi, func() { x.nodes(n.Body) })
		case gpu.If:
			if n.Cond.Holds(x.env) {
				x.nodes(n.Then)
			} else {
				x.nodes(n.Else)
			}
		case gpu.Threads:
			x.points(n, n.Loops)
		}
	}
}

func (x *extremes) points(n gpu.Threads, loops []gpu.ThreadLoop) {
	if len(loops) > 0 {
		x.loop(loops[0].Var, loops[0].Lo, loops[0].Hi, func() { x.points(n, loops[1:]) })
		return
	}
	for _, op := range n.Body {
		switch op := op.(type) {
		case gpu.Copy:
			x.see(op.To.Index...)
			x.see(op.From.Index...)
		case gpu.Compute:
			x.see(op.Iters...)
			for _, r := range op.Refs {
				x.see(r.Index...)
			}
		}
	}
}

func (x *extremes) program(p *gpu.Program, params []int64) {
	x.env, x.most = map[string]int64{}, 0
	for i, q := range p.Scop.Params {
		x.env[q.Name] = params[i]
	}
	x.loop(p.T, p.TLo, p.THi, func() {
		for _, k := range p.Kernels {
			x.blocks(k, len(k.Grid)-1)
		}
	})
}

// blocks goes through the loops over blocks along the axes from i down to x.
func (x *extremes) blocks(k *gpu.Kernel, i int) {
	if i < 0 {
		x.nodes(k.Body)
		return
	}
	x.loop(k.Grid[i].Var, k.Grid[i].Lo, k.Grid[i].Hi, func() { x.blocks(k, i-1) })
}

// TestNarrow: of every case, with the largest parameters for which indices of 32
// bits are said to suffice they do, and with some a little larger they do not.
func TestNarrow(t *testing.T) {
	for _, x := range stencils(t) {
		_, p := x.mapped(t, x.small(1), lower.Options{})
		require.Empty(t, p.Remarks, x.Name)
		holds := func(params []int64) bool {
			env := map[string]int64{}
			for i, q := range p.Scop.Params {
				env[q.Name] = params[i]
			}
			for _, r := range p.Narrow {
				if affine.Eval(r, env) < 0 {
					return false
				}
			}
			return true
		}
		params := make([]int64, len(p.Scop.Params))
		for i := range params {
			params[i] = 1000
		}
		require.True(t, holds(params), x.Name)
		for i := range params { // as large as it can be, one after the other
			lo, hi := int64(1000), int64(math.MaxInt32)
			for lo < hi {
				if params[i] = (lo + hi + 1) / 2; holds(params) {
					lo = params[i]
				} else {
					hi = params[i] - 1
				}
			}
			params[i] = lo
			require.Greater(t, lo, int64(1)<<28, x.Name)
		}
		var e extremes
		e.program(p, params)
		require.LessOrEqual(t, e.most, int64(math.MaxInt32), "%s: %v: %s", x.Name, params, e.at)
		for i := range params {
			params[i] = math.MaxInt32
		}
		e.program(p, params)
		require.Greater(t, e.most, int64(math.MaxInt32), x.Name)
	}
}

package astgen_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// A run interprets loops and keeps what ran.
type run struct {
	t      *testing.T
	env    map[string]int64
	count  map[string]int // instances, as text
	full   int
	points int
	// Where program is set, the condition of full tiles is checked.
	program    *astgen.Program
	params     []int64
	phase      int
	busy, idle int // tiles with and without instances
}

func (r *run) node(n astgen.Node) {
	switch n := n.(type) {
	case nil:
	case astgen.Block:
		for _, m := range n {
			r.node(m)
		}
	case astgen.For:
		lo, hi := affine.Eval(n.Lo, r.env), affine.Eval(n.Hi, r.env)
		for v := lo; v <= hi; v++ {
			r.env[n.Var] = v
			r.node(n.Body)
		}
		delete(r.env, n.Var)
	case astgen.Launch:
		r.phase = n.Phase
		r.node(n.Body)
	case astgen.If:
		r.checkFull(n)
		if n.Cond.Holds(r.env) {
			r.node(n.Then)
		} else {
			r.node(n.Else)
		}
	case astgen.Rolled:
		before := r.points
		lo, hi := affine.Eval(n.Lo, r.env), affine.Eval(n.Hi, r.env)
		for v := lo; v <= hi; v++ {
			r.env[n.Var] = v
			r.steps(n.Steps)
		}
		delete(r.env, n.Var)
		r.visited(r.points > before)
	case astgen.Tile:
		if n.Full {
			r.full++
		}
		before := r.points
		r.steps(n.Steps)
		r.visited(r.points > before)
	}
}

func (r *run) steps(steps []astgen.Step) {
	for _, s := range steps {
		if s.Guard.Holds(r.env) {
			r.loops(s, 0)
		}
	}
}

// visited counts a tile, with instances or without.
func (r *run) visited(busy bool) {
	if busy {
		r.busy++
	} else {
		r.idle++
	}
}

func (r *run) loops(s astgen.Step, depth int) {
	if depth == len(s.Loops) {
		r.points++
		name := s.Stmt.Name
		for _, e := range s.Iters {
			name += fmt.Sprint(" ", affine.Eval(e, r.env))
		}
		r.count[name]++
		return
	}
	l := s.Loops[depth]
	lo, hi := affine.Eval(l.Lo, r.env), affine.Eval(l.Hi, r.env)
	for v := lo; v <= hi; v++ {
		require.True(r.t, l.BoxLo <= v && v <= l.BoxHi)
		r.env[l.Var] = v
		r.loops(s, depth+1)
	}
	delete(r.env, l.Var)
}

// instances enumerates the domain of each statement in a box around 0.
func instances(p *scop.Program, params []int64, low, high int64) map[string]int {
	all := map[string]int{}
	for _, s := range p.Stmts {
		point := make([]int64, len(s.Iters))
		var walk func(d int)
		walk = func(d int) {
			if d == len(point) {
				for _, b := range s.Bounds {
					if b.At(point, params) < 0 {
						return
					}
				}
				name := s.Name
				for _, x := range point {
					name += fmt.Sprint(" ", x)
				}
				all[name]++
				return
			}
			for v := low; v <= high; v++ {
				point[d] = v
				walk(d + 1)
			}
		}
		walk(0)
	}
	return all
}

func execute(t *testing.T, p *astgen.Program, params map[string]int64) *run {
	r := &run{t: t, env: map[string]int64{}, count: map[string]int{}}
	for k, v := range params {
		r.env[k] = v
	}
	r.node(p.Body)
	return r
}

func TestEveryInstanceOnce(t *testing.T) {
	one, two := pipeline.Jacobi(1), pipeline.Jacobi(2)
	cases := []*schedule.Schedule{
		pipeline.Hexagonal(one, pipeline.Straight(one, 1), 0, 0),
		pipeline.Hexagonal(one, pipeline.Straight(one, 1), 1, 3),
		pipeline.Hexagonal(two, pipeline.Straight(two, 2), 2, 3, 5),
	}
	for i, s := range cases {
		p := pipeline.Loops(t, s)
		for _, steps := range []int64{0, 1, 2, 7, 13} {
			for _, n := range []int64{0, 1, 2, 3, 5, 11, 23} {
				r := execute(t, p, map[string]int64{"TS": steps, "N": n})
				require.Equal(t, instances(s.Canonical.Scop, []int64{steps, n}, -1, 24), r.count, "case %d: TS=%d, N=%d\n%v", i, steps, n, p)
			}
		}
		r := execute(t, p, map[string]int64{"TS": 23, "N": 60})
		require.Positive(t, r.full)
	}
	t.Log(pipeline.Loops(t, cases[2]))
}

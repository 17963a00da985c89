package emulate

import (
	"maps"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/gpu"
)

// This file finds full tiles by their indices, without running anything, so
// that a profile can be taken of few tiles of a large grid.

// Typical is a part of a program that shows what its full tiles do.
type Typical struct {
	// Program runs full tiles of one block of each kernel, at one T, and nothing
	// else: the other instances are missing.
	Program *gpu.Program
	Params  []int64
	Full    int64 // tiles
	After   int64 // those that follow a full tile, where that makes a difference
}

// mostWidths is where Typical stops looking, in tiles along each dimension.
const mostWidths = 12

// Typical returns full tiles at the smallest grid tried where each kernel has
// a block with a full tile, one after a full tile where that makes a difference;
// ok is false if there is none. adjust is given the values of the parameters to
// try, and returns those to take.
func (r *Request) Typical(adjust func([]int64) []int64) (t Typical, ok bool) {
	p := r.Program.Scop
	roles := r.roles()
	for widths := int64(2); widths <= mostWidths; widths++ {
		params := make([]int64, len(p.Params))
		for i, x := range roles {
			points := widths*x.unit + 3
			if x.time {
				points = (widths + 2) / 2 * x.height
			}
			params[i] = least(p, i) - 1 + points
		}
		if params = adjust(params); !admissible(p, params) {
			if params, ok = mend(p, params, nil, false); !ok {
				continue
			}
		}
		if t, ok = typical(r.Program, params); ok {
			return t, true
		}
	}
	return Typical{}, false
}

// typical is Request.Typical at the given values of the parameters.
func typical(p *gpu.Program, params []int64) (Typical, bool) {
	env := map[string]int64{}
	for i, v := range p.Scop.Params {
		env[v.Name] = params[i]
	}
	for t, hi := affine.Eval(p.TLo, env), affine.Eval(p.THi, env); t <= hi; t++ {
		env[p.T] = t
		some := Typical{Params: params}
		part := *p
		part.TLo, part.THi, part.Kernels, part.Chains = affine.Num(t), affine.Num(t), nil, nil
		for _, k := range p.Kernels {
			if block, n, ok := typicalBlock(k, env); ok {
				one := *k
				one.Grid, one.Body = nil, onlyFull(k.Body, false)
				for i, x := range k.Grid {
					one.Grid = append(one.Grid, gpu.Axis{Var: x.Var, Lo: affine.Num(block[i]), Hi: affine.Num(block[i])})
				}
				part.Kernels = append(part.Kernels, &one)
				some.Full, some.After = some.Full+n.full, some.After+n.after
			}
		}
		if some.Program = &part; len(part.Kernels) == len(p.Kernels) {
			return some, true
		}
	}
	return Typical{}, false
}

// tiles counts those of a block.
type tiles struct {
	full, after int64
	follow      bool // it makes a difference what tile a full one follows
}

// typicalBlock returns the first block of k that shows what full tiles do, and how many it has.
func typicalBlock(k *gpu.Kernel, env map[string]int64) (block [gpu.MaxAxes]int64, n tiles, ok bool) {
	env = maps.Clone(env)
	each(k, env, func(at [gpu.MaxAxes]int64) bool {
		block, n = at, tiles{}
		n.count(k.Body, env)
		ok = n.full > 0 && (n.after > 0 || !n.follow)
		return !ok
	})
	return block, n, ok
}

// each sets env to each of the blocks of k, of which it calls visit with the values, until that returns false.
func each(k *gpu.Kernel, env map[string]int64, visit func(at [gpu.MaxAxes]int64) bool) {
	n, first := k.Blocks(env)
	for b := range n[0] * n[1] * n[2] {
		at := first
		for i, x := range k.Grid {
			at[i] += b % n[i]
			b /= n[i]
			env[x.Var] = at[i]
		}
		if !visit(at) {
			return
		}
	}
}

// count adds the tiles of nodes.
func (n *tiles) count(nodes []gpu.Node, env map[string]int64) {
	for _, node := range nodes {
		switch node := node.(type) {
		case gpu.For:
			for v, hi := affine.Eval(node.Lo, env), affine.Eval(node.Hi, env); v <= hi; v++ {
				env[node.Var] = v
				n.count(node.Body, env)
			}
		case gpu.Test:
			node.Set(env)
		case gpu.If:
			holds := node.Holds(env)
			if node.Role.Kind == gpu.FullTile && holds {
				n.full++
				after, follow := follows(node.Then, env)
				n.follow = n.follow || follow
				if after {
					n.after++
				}
			} else if holds {
				n.count(node.Then, env)
			} else {
				n.count(node.Else, env)
			}
		}
	}
}

// follows reports whether a full tile follows one, and whether that makes a difference.
func follows(tile []gpu.Node, env map[string]int64) (after, follow bool) {
	for _, node := range tile {
		if x, ok := node.(gpu.If); ok && x.Role.Kind == gpu.AfterFull {
			return x.Holds(env), true
		}
	}
	return false, false
}

// onlyFull returns list with nothing in place of partial tiles; inside says
// whether list is inside of a loop over tiles. What a block does before its first tile stays.
func onlyFull(list []gpu.Node, inside bool) (out []gpu.Node) {
	for _, n := range list {
		switch x := n.(type) {
		case gpu.For:
			x.Body = onlyFull(x.Body, true)
			n = x
		case gpu.If:
			if x.Role.Kind == gpu.FullTile {
				x.Else = nil
			} else {
				x.Then, x.Else = onlyFull(x.Then, true), onlyFull(x.Else, true)
			}
			n = x
		case gpu.Threads: // of a partial tile
			if inside {
				continue
			}
		case gpu.Await, gpu.Signal: // there is one block
			continue
		}
		out = append(out, n)
	}
	return out
}

package report

import (
	"fmt"
	"maps"
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/scop"
)

// CountKernel counts what one full tile of k does, by running through its
// loops, or what a full turn does of rows that stream. The zeros stand where k has no full tile of constant size.
func CountKernel(k *gpu.Kernel) Counts {
	return countKernel(k).Counts
}

func countKernel(k *gpu.Kernel) counter {
	if p := k.Pipeline(); p != nil {
		return countTurn(k, p.Count())
	}
	none := counter{Counts: Counts{SharedBytes: k.SharedBytes()}}
	c := none
	c.runs = map[*scop.Stmt]int64{}
	body, ok := fullTile(k.Body)
	if ok {
		c.nodes(body, map[string]int64{})
	}
	if !ok || c.unknown {
		return none
	}
	return c
}

// fullTile finds the body of the full tile.
func fullTile(ns []gpu.Node) ([]gpu.Node, bool) {
	for _, n := range ns {
		switch n := n.(type) {
		case gpu.If:
			if n.Role.Kind == gpu.FullTile {
				return n.Then, true
			}
			for _, branch := range [][]gpu.Node{n.Then, n.Else} {
				if body, ok := fullTile(branch); ok {
					return body, true
				}
			}
		case gpu.For:
			if body, ok := fullTile(n.Body); ok {
				return body, true
			}
		}
	}
	return nil, false
}

type counter struct {
	Counts
	arrays  []Traffic            // in the order in which they are first used
	runs    map[*scop.Stmt]int64 // instances of each statement
	unknown bool                 // a bound depends on more than the loops of the tile
}

func (c *counter) nodes(ns []gpu.Node, env map[string]int64) {
	for _, n := range ns {
		switch n := n.(type) {
		case gpu.For:
			lo, hi := c.eval(n.Lo, env), c.eval(n.Hi, env)
			inner := maps.Clone(env)
			for v := lo; v <= hi && !c.unknown; v++ {
				inner[n.Var] = v
				c.nodes(n.Body, inner)
			}
		case gpu.If:
			if n.Role.Kind == gpu.LastFull { // most full tiles stand between full tiles
				continue
			}
			if n.Role.Kind == gpu.AfterFull || c.holds(n.Cond, env) {
				c.nodes(n.Then, env)
			} else {
				c.nodes(n.Else, env)
			}
		case gpu.Barrier:
			c.Barriers++
		case gpu.Await, gpu.Signal, gpu.Arrive:
		case gpu.Threads:
			c.ops(n.Role, n.Body, c.points(n.Loops, n.Guard, maps.Clone(env)))
		default:
			panic(fmt.Sprintf("report: unknown node %T", n))
		}
	}
}

// points counts the points of loops that satisfy guard. It changes env.
func (c *counter) points(loops []gpu.ThreadLoop, guard astgen.Cond, env map[string]int64) int64 {
	if len(loops) == 0 {
		if c.holds(guard, env) {
			return 1
		}
		return 0
	}
	lo, hi := c.eval(loops[0].Lo, env), c.eval(loops[0].Hi, env)
	if c.unknown {
		return 0
	}
	if guard == nil && !used(loops[0].Var, loops[1:]) {
		return max(0, hi-lo+1) * c.points(loops[1:], nil, env)
	}
	n := int64(0)
	for v := lo; v <= hi && !c.unknown; v++ {
		env[loops[0].Var] = v
		n += c.points(loops[1:], guard, env)
	}
	return n
}

// used reports whether a bound of loops mentions name.
func used(name string, loops []gpu.ThreadLoop) (found bool) {
	for _, l := range loops {
		for _, e := range []affine.Expr{l.Lo, l.Hi} {
			affine.Vars(e, func(v string) { found = found || v == name })
		}
	}
	return found
}

// ops adds what each of n points does.
func (c *counter) ops(role gpu.Role, ops []gpu.Op, n int64) {
	for _, op := range ops {
		switch op := op.(type) {
		case gpu.Copy:
			c.copy(op, n)
		case gpu.Load:
			if !role.Kind.Copies() { // else it is a part of the copy from its register
				c.access(op.From, false, n)
			}
		case gpu.Compute:
			c.Points += n
			c.runs[op.Stmt] += n
			for i, r := range op.Refs {
				if write := op.Stmt.Accesses[i].Write; write || r.Reg == "" {
					c.access(r, write, n)
				}
			}
		default:
			panic(fmt.Sprintf("report: unknown operation %T", op))
		}
	}
}

// copy adds n copies. One from a register to global memory only writes there, a move within shared memory does both there.
func (c *counter) copy(op gpu.Copy, n int64) {
	bytes := n * int64(op.To.Array.Elem.Size())
	if op.From.Reg == "" || op.From.Buffer == nil {
		c.SharedTraffic += bytes
	}
	switch {
	case op.From.Buffer == nil:
		c.Loads += n
		c.Bytes += bytes
		c.of(op.To.Array).Loads += n
	case op.To.Buffer == nil:
		c.Stores += n
		c.Bytes += bytes
		c.of(op.To.Array).Stores += n
	default:
		c.SharedTraffic += bytes
	}
}

// access adds n accesses of instances to memory.
func (c *counter) access(r gpu.Ref, write bool, n int64) {
	size, of := int64(r.Array.Elem.Size()), c.of(r.Array)
	switch {
	case r.Buffer != nil && write:
		c.SharedTraffic += n * size
		of.SharedWrites += n
	case r.Buffer != nil:
		c.SharedTraffic += n * size
		of.SharedReads += n
	case write:
		c.Writes += n
		c.Bytes += n * size
		of.Writes += n
	default:
		c.Reads += n
		c.Bytes += n * size
		of.Reads += n
	}
}

// of returns the traffic of an array.
func (c *counter) of(array *scop.Array) *Traffic {
	i := slices.IndexFunc(c.arrays, func(t Traffic) bool { return t.Array == array.Name })
	if i < 0 {
		i = len(c.arrays)
		c.arrays = append(c.arrays, Traffic{Array: array.Name})
	}
	return &c.arrays[i]
}

// eval is affine.Eval, or 0 and unknown set where env lacks a variable.
func (c *counter) eval(e affine.Expr, env map[string]int64) int64 {
	affine.Vars(e, func(name string) {
		if _, ok := env[name]; !ok {
			c.unknown = true
		}
	})
	if c.unknown {
		return 0
	}
	return affine.Eval(e, env)
}

func (c *counter) holds(cond astgen.Cond, env map[string]int64) bool {
	for _, all := range cond {
		for _, e := range all {
			c.eval(e, env)
		}
	}
	return !c.unknown && cond.Holds(env)
}

package lower

import (
	"maps"
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/gpu"
)

// This file tests what tells full tiles from others as seldom as the set of full
// tiles allows. It is a conjunction, or several with rows in common. A row with
// no tile index in it holds for all tiles of a launch or for none; one without the index of a
// loop over tiles is the same in all turns of that loop, so it stands outside of it.

// A placement says where the rows of a test stand: by the number of loops around
// them, the block's indices counted as one, but for the innermost.
type placement struct {
	grid  []string   // the block's indices, x first
	loops []string   // over tiles, outside in
	tests []gpu.Test // by the number of loops around; Var is "" where there is none
}

// place returns full, inside of all loops, with the rows that all its
// alternatives have taken out of it to where they belong.
func (p *placement) place(full gpu.If, taken astgen.Used) gpu.If {
	p.tests = make([]gpu.Test, 1+len(p.loops))
	if len(p.loops) == 0 || len(full.Cond) == 0 {
		return full
	}
	by := make([][]affine.Expr, len(p.tests)+1)
	for _, r := range full.Cond[0] {
		if at := p.depth(r); inAll(full.Cond, r) {
			by[at] = append(by[at], r)
		} else {
			by[len(by)-1] = append(by[len(by)-1], r)
		}
	}
	given, used := "", maps.Clone(taken)
	var out []affine.Expr
	for at, rows := range by[:len(by)-1] {
		if len(rows) == 0 {
			continue
		}
		name := "full"
		if at > 0 {
			name = "full_" + p.variable(at)
		}
		t := gpu.Test{Var: used.Fresh(name), Given: given, Cond: astgen.Cond{rows}, Role: p.decides(at)}
		if given == "" {
			t.Tested, full.Tested = full.Tested, nil
		}
		p.tests[at], given = t, t.Var
		out = append(out, rows...)
	}
	full.Given, full.Cond = given, without(full.Cond, out)
	return full
}

// depth returns how many loops are around the outermost place where r can stand.
func (p placement) depth(r affine.Expr) (n int) {
	affine.Vars(r, func(name string) {
		if i := slices.Index(p.loops, name); i >= 0 {
			n = max(n, 2+i)
		} else if slices.Contains(p.grid, name) {
			n = max(n, 1)
		}
	})
	return n
}

// variable returns that of the innermost of so many loops, at least one: the last of the block's indices where it is the only one.
func (p placement) variable(depth int) string {
	if depth == 1 {
		return p.grid[len(p.grid)-1]
	}
	return p.loops[depth-2]
}

// decides says what decides a test that stands inside of so many loops.
func (p placement) decides(depth int) gpu.Role {
	switch depth {
	case 0:
		return gpu.Role{Kind: gpu.FullForLaunch}
	case 1:
		return gpu.Role{Kind: gpu.FullForBlock}
	}
	return gpu.Role{Kind: gpu.FullForLoop, Loop: p.variable(depth)}
}

// around returns nodes, inside of so many loops, with the tests put where they belong.
func (p placement) around(nodes []gpu.Node, depth int) []gpu.Node {
	out := make([]gpu.Node, len(nodes))
	for i, n := range nodes {
		if f, ok := n.(gpu.For); ok {
			f.Body = p.around(f.Body, depth+1)
			n = f
		}
		out[i] = n
	}
	out = p.before(depth, out...)
	if depth == 1 {
		out = p.before(0, out...)
	}
	return out
}

// before returns nodes, inside of so many loops, behind the test that belongs there.
func (p placement) before(depth int, nodes ...gpu.Node) []gpu.Node {
	if depth < len(p.tests) && p.tests[depth].Var != "" {
		return append([]gpu.Node{p.tests[depth]}, nodes...)
	}
	return nodes
}

func inAll(c astgen.Cond, r affine.Expr) bool {
	return !slices.ContainsFunc(c, func(rows []affine.Expr) bool { return !hasRow(rows, r) })
}

func hasRow(rows []affine.Expr, r affine.Expr) bool {
	return slices.ContainsFunc(rows, func(x affine.Expr) bool { return affine.Same(x, r) })
}

// without returns c less the rows of out.
func without(c astgen.Cond, out []affine.Expr) astgen.Cond {
	less := make(astgen.Cond, len(c))
	for i, rows := range c {
		less[i] = slices.DeleteFunc(slices.Clone(rows), func(r affine.Expr) bool { return hasRow(out, r) })
	}
	return less
}

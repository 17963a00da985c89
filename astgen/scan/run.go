package scan

import (
	"slices"

	"github.com/hexcc/hexcc/affine"
)

// Run runs the loops: env has the values of the parameters, and call is called with each instance in order.
func Run(n Node, env map[string]int64, call func(stmt string, args []int64)) {
	switch n := n.(type) {
	case nil:
	case Block:
		for _, c := range n {
			Run(c, env, call)
		}
	case *For:
		lo, hi := affine.Eval(n.Lo, env), affine.Eval(n.Hi, env)
		outer, had := env[n.Var]
		for v := lo; v <= hi; v += n.Step {
			env[n.Var] = v
			Run(n.Body, env, call)
		}
		if delete(env, n.Var); had {
			env[n.Var] = outer
		}
	case *If:
		if n.Cond.Holds(env) {
			Run(n.Then, env, call)
		} else {
			Run(n.Else, env, call)
		}
	case *Call:
		args := make([]int64, len(n.Args))
		for i, a := range n.Args {
			args[i] = affine.Eval(a, env)
		}
		call(n.Stmt, args)
	case *Mark:
		Run(n.Body, env, call)
	}
}

// Holds reports whether c holds under env.
func (c Cond) Holds(env map[string]int64) bool {
	for _, all := range c {
		holds := true
		for _, r := range all {
			if x, y := affine.Eval(r.Left, env), affine.Eval(r.Right, env); r.Op == AtLeast && x < y || r.Op == AtMost && x > y || r.Op == Equal && x != y {
				holds = false
				break
			}
		}
		if holds {
			return true
		}
	}
	return false
}

// Variables returns the names of the variables of the loops in n, each once.
func Variables(n Node) (names []string) {
	switch n := n.(type) {
	case Block:
		for _, c := range n {
			names = appendNew(names, Variables(c)...)
		}
	case *For:
		names = appendNew([]string{n.Var}, Variables(n.Body)...)
	case *If:
		names = appendNew(Variables(n.Then), Variables(n.Else)...)
	case *Mark:
		names = Variables(n.Body)
	}
	return names
}

// appendNew appends those of more that names lacks.
func appendNew(names []string, more ...string) []string {
	for _, x := range more {
		if !slices.Contains(names, x) {
			names = append(names, x)
		}
	}
	return names
}

package scan

import (
	"slices"

	"github.com/hexcc/hexcc/affine"
)

// Run runs the loops: env has the values of the parameters, and call is called with each instance in order.
func Run(n Node, env map[string]int64, call func(stmt string, args []int64)) {
	RunOrdered(n, env, nil, call)
}

// RunOrdered is Run, but order, unless it is nil, may change the order of the values that the variable of a loop takes.
func RunOrdered(n Node, env map[string]int64, order func(n *For, values []int64), call func(stmt string, args []int64)) {
	switch n := n.(type) {
	case nil:
	case Block:
		for _, c := range n {
			RunOrdered(c, env, order, call)
		}
	case *For:
		lo, hi := affine.Eval(n.Lo, env), affine.Eval(n.Hi, env)
		outer, had := env[n.Var]
		run := func(v int64) {
			env[n.Var] = v
			RunOrdered(n.Body, env, order, call)
		}
		if order == nil { // there may be too many values for a list
			for v := lo; v <= hi; v += n.Step {
				run(v)
			}
		} else {
			var values []int64
			for v := lo; v <= hi; v += n.Step {
				values = append(values, v)
			}
			order(n, values)
			for _, v := range values {
				run(v)
			}
		}
		if delete(env, n.Var); had {
			env[n.Var] = outer
		}
	case *If:
		if n.Cond.Holds(env) {
			RunOrdered(n.Then, env, order, call)
		} else {
			RunOrdered(n.Else, env, order, call)
		}
	case *Call:
		args := make([]int64, len(n.Args))
		for i, a := range n.Args {
			args[i] = affine.Eval(a, env)
		}
		call(n.Stmt, args)
	case *Mark:
		RunOrdered(n.Body, env, order, call)
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

package emulate

import (
	"fmt"
	"math/rand/v2"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen/mapped"
	"github.com/hexcc/hexcc/astgen/scan"
	"github.com/hexcc/hexcc/scop"
)

// This file runs the loops of a schedule that the user has written, iterations that may run at the same time in a random order.

// RunOwn executes p on mem and returns what it saw, like Run. The error is a diagnostic, about an instance that fails, too.
func RunOwn(p *mapped.Program, mem *scop.Memory, o Options) (*Report, error) {
	if o.Keep == 0 {
		o.Keep = 10
	}
	if err := tooBig(p.Scop, mem); err != nil {
		return nil, err
	}
	m := &own{
		watcher:  watcher{opts: o, report: &Report{OnCPU: true}},
		executor: scop.NewExecutor(p.Scop, mem, nil),
		rng:      rand.New(rand.NewPCG(o.Seed, 0x9e3779b97f4a7c15)),
		stmts:    map[string]*scop.Stmt{},
		domains:  map[*scop.Stmt]*domain{},
		env:      map[string]int64{},
	}
	for _, s := range p.Scop.Stmts {
		m.stmts[s.Name] = s
		m.domains[s] = newDomain(s, mem.Params)
		m.report.Expected += m.domains[s].expected
	}
	for i, v := range p.Scop.Params {
		m.env[v.Name] = mem.Params[i]
	}
	m.node(p.Loops)
	if m.err != nil {
		return nil, m.err
	}
	if !m.stopped() {
		m.missing(p.Scop, m.domains)
	}
	return m.report, nil
}

// own is the state of a run.
type own struct {
	watcher
	executor *scop.Executor
	rng      *rand.Rand
	stmts    map[string]*scop.Stmt
	domains  map[*scop.Stmt]*domain
	env      map[string]int64
	err      error
}

func (m *own) node(n scan.Node) {
	if m.err != nil || m.stopped() {
		return
	}
	switch n := n.(type) {
	case nil:
	case scan.Block:
		for _, c := range n {
			m.node(c)
		}
	case *scan.For:
		m.loop(n)
	case *scan.If:
		if n.Cond.Holds(m.env) {
			m.node(n.Then)
		} else {
			m.node(n.Else)
		}
	case *scan.Call:
		m.instance(n)
	case *scan.Mark:
		m.node(n.Body)
	default:
		panic(fmt.Sprintf("emulate: unexpected %T", n))
	}
}

// loop runs the iterations of n.
func (m *own) loop(n *scan.For) {
	var values []int64
	for v, hi := affine.Eval(n.Lo, m.env), affine.Eval(n.Hi, m.env); v <= hi; v += n.Step {
		values = append(values, v)
	}
	if n.Parallel {
		m.rng.Shuffle(len(values), func(i, j int) { values[i], values[j] = values[j], values[i] })
	}
	outer, had := m.env[n.Var]
	for _, v := range values {
		m.env[n.Var] = v
		m.node(n.Body)
	}
	if delete(m.env, n.Var); had {
		m.env[n.Var] = outer
	}
}

// instance runs an instance.
func (m *own) instance(n *scan.Call) {
	s := m.stmts[n.Stmt]
	iters := make([]int64, len(n.Args))
	for i, a := range n.Args {
		iters[i] = affine.Eval(a, m.env)
	}
	m.report.Total.Points++
	if kind, ok := m.note(m.domains[s], iters, 0); !ok {
		m.found(Finding{Kind: kind, Msg: s.Instance(iters)})
		if kind == NotInstance {
			return
		}
	}
	m.err = m.executor.Run(s, iters)
}

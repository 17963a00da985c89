package emulate

import (
	"math/rand/v2"

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
	}
	for _, s := range p.Scop.Stmts {
		m.stmts[s.Name] = s
		m.domains[s] = newDomain(s, mem.Params)
		m.report.Expected += m.domains[s].expected
	}
	env := map[string]int64{}
	for i, v := range p.Scop.Params {
		env[v.Name] = mem.Params[i]
	}
	scan.RunOrdered(p.Loops, env, func(n *scan.For, values []int64) {
		if n.Parallel {
			m.rng.Shuffle(len(values), func(i, j int) { values[i], values[j] = values[j], values[i] })
		}
	}, m.instance)
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
	err      error
}

// instance runs an instance, unless there is an end to it.
func (m *own) instance(stmt string, iters []int64) {
	if m.err != nil || m.stopped() {
		return
	}
	s := m.stmts[stmt]
	m.report.Total.Points++
	if kind, ok := m.note(m.domains[s], iters, 0); !ok {
		m.found(Finding{Kind: kind, Msg: s.Instance(iters)})
		if kind == NotInstance {
			return
		}
	}
	m.err = m.executor.Run(s, iters)
}

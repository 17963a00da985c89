package scop

// An Executor runs instances of the statements of a program on a memory, one by one, in any order.
type Executor struct {
	runner
	codes map[*Stmt]*Code
}

// NewExecutor returns an executor for p.
func NewExecutor(p *Program, mem *Memory, f Functions) *Executor {
	x := &Executor{runner{mem: mem, functions: f}, map[*Stmt]*Code{}}
	for _, s := range p.Stmts {
		x.codes[s] = x.compile(p, s)
	}
	return x
}

// Run runs the instance s[iters]. The error is that of Run.
func (x *Executor) Run(s *Stmt, iters []int64) error {
	c := x.codes[s]
	copy(c.Iters, iters)
	if !x.step(c) {
		return x.fault
	}
	return nil
}

package hexcc

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/rewrite"
	"github.com/hexcc/hexcc/scop"
)

// This file regroups sums, so that neighbouring points have parts in common, where Options.Reassociate asks for it.

// AnyLoop asks for sums regrouped along whatever loop takes the fewest operations.
const AnyLoop = "auto"

const codeSums diag.Code = "HX223"

// reassociate returns p with its sums regrouped, and a remark where that changes nothing. A loop that no statement has is an error.
func (u *unit) reassociate(p *scop.Program) (*scop.Program, *diag.Diagnostic, error) {
	along, chosen := u.opts.Reassociate, u.atOnce
	if along != AnyLoop {
		var loops []string
		for _, s := range p.Stmts {
			for _, name := range s.Iters[1:] {
				if !slices.Contains(loops, name) {
					loops = append(loops, name)
				}
			}
		}
		if !slices.Contains(loops, along) {
			return p, nil, diag.List{{Code: codeSums, At: p.Start(), Msg: fmt.Sprintf("sums cannot be regrouped along '%s': there are the loops %s", along, strings.Join(loops, ", ")),
				Help: "name one of these loops, or auto"}}
		}
		chosen = func(s *scop.Stmt) []string {
			return slices.DeleteFunc(slices.Clone(s.Iters[1:]), func(loop string) bool { return loop != along })
		}
	}
	r := rewrite.Reassociate(p, u.opts.FMA, chosen)
	if r == nil {
		return p, &diag.Diagnostic{Severity: diag.Remark, Code: codeSums, At: p.Start(),
			Msg: "sums stay as they are: no other order is known that takes fewer operations"}, nil
	}
	u.Regrouped = r
	return r.Program, nil, nil
}

// atOnce says along which loops of s code computes several points at once. Rows that stream through registers hold columns in a lane, tiles in shared memory a thread's points along the hexagonal
// dimension in straight code. On CPUs the innermost loop runs in vectors, whose points share nothing, and compilers keep what rows have in common.
func (u *unit) atOnce(s *scop.Stmt) []string {
	loops := s.Iters[1:]
	n := len(loops)
	switch o := u.opts; {
	case n == 0:
		return nil
	case o.Target.isCPU():
		return loops[:n-1]
	case o.Kernel == Streaming, o.Kernel != Tiles && n == 2 && o.Target.isCUDA() && !o.Target.isMPI() && (o.Strategy == Auto || o.Strategy == "" || o.Strategy == Hybrid):
		return loops[n-1:]
	case len(o.Order) > 0 && slices.Contains(loops, o.Order[0]):
		return o.Order[:1]
	}
	return loops[:1]
}

// proveSums proves that sums that are regrouped are what they were, but for rounding.
func (u *unit) proveSums() error {
	if u.Regrouped == nil {
		return nil
	}
	_, err := u.proved(u.Regrouped.Prove(), u.Regrouped)
	return err
}

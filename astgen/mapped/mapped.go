// Package mapped makes loops of a schedule that the user has written: any relation from instances to times, or any schedule tree. It proves
// that each instance runs once, and what depends on it later, and that loops whose iterations run at the same time may.
package mapped

import (
	"errors"
	"fmt"
	"sync"

	"github.com/hexcc/hexcc/astgen/scan"
	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/poly"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/schedule/tree"
	"github.com/hexcc/hexcc/scop"
)

// A Schedule is one that the user has written, for a program.
type Schedule struct {
	File string // where it was read from
	Scop *scop.Program
	Tree *tree.Domain

	order func() *scan.Order
}

// New returns the schedule of a program that root is, as read from a file.
func New(file string, p *scop.Program, root *tree.Domain) *Schedule {
	return &Schedule{file, p, root, sync.OnceValue(func() *scan.Order { return scan.NewOrder(root) })}
}

// String returns the tree as YAML.
func (s *Schedule) String() string { return s.Tree.String() }

// Verify checks that there is a tree.
func (s *Schedule) Verify() error {
	if s.Tree == nil || s.Tree.Child == nil {
		return errors.New("a schedule without bands")
	}
	return nil
}

// Partition proves that each instance of the program runs once, and nothing else.
func (s *Schedule) Partition() schedule.Proof {
	return schedule.Prove("partition", "each iteration runs once", func(p *schedule.Prover) {
		var domain poly.Set
		for _, st := range s.Scop.Stmts {
			domain = domain.Union(st.Domain)
		}
		domain = domain.IntersectParams(s.Scop.Context)
		runs, once := s.order().Runs()
		ask := func(text, says string, bad func() poly.Set) {
			p.Ask(text, func() string {
				p.Tests++
				if bad := bad(); !bad.IsEmpty() {
					return fmt.Sprintf(says, bad.SamplePoint())
				}
				return ""
			})
		}
		ask("all instances have a time", "%v has no time", func() poly.Set { return domain.Subtract(runs) })
		ask("nothing else has", "%v is no instance of the region", func() poly.Set { return runs.Subtract(domain) })
		p.Ask("none has two", func() string {
			p.Tests++
			if !once {
				return "an instance has several times"
			}
			return ""
		})
	})
}

// Legality proves that what depends on an instance runs after it.
func (s *Schedule) Legality(deps []schedule.Dependence) schedule.Proof {
	return schedule.Prove("legality", "what depends on an iteration runs after it", func(p *schedule.Prover) {
		for _, d := range schedule.DistinctMaps(deps) {
			p.Ask(d.String(), func() string {
				p.Tests++
				bad := s.order().Violations(d.Map)
				if bad.IsEmpty() {
					return ""
				}
				text, places := schedule.Reversal(d, bad)
				p.Places = places
				return text + ", but it does not, or at the same time"
			})
		}
	})
}

// A Program is the loops of a schedule.
type Program struct {
	*Schedule
	Loops    scan.Node
	Parallel int // how many loops are parallel
}

// String returns the loops as C, with calls for instances.
func (p *Program) String() string { return scan.C(p.Loops) }

// Verify checks that something runs.
func (p *Program) Verify() error {
	if scan.Count(p.Loops).Calls == 0 {
		return errors.New("loops that run nothing")
	}
	return nil
}

// Make returns the loops of s. That they run it is proved by Emission.
func Make(s *Schedule, deps []schedule.Dependence) (*Program, error) {
	loops, err := scan.Write(s.Tree)
	if err != nil {
		return nil, s.cannot(err)
	}
	var all []poly.Map
	for _, d := range schedule.DistinctMaps(deps) {
		all = append(all, d.Map)
	}
	p := &Program{Schedule: s, Loops: loops}
	err = poly.Limited(func() error {
		parallel, err := s.order().Parallel(loops, all)
		for l, is := range parallel {
			if l.Parallel = is; is {
				p.Parallel++
			}
		}
		return err
	})
	if err != nil {
		return nil, s.cannot(err)
	}
	return p, nil
}

// cannot is the error that a schedule cannot be written as loops.
func (s *Schedule) cannot(err error) error {
	code, help := diag.Code("HX207"), "write the schedule in another way"
	if limit := new(poly.LimitError); errors.As(err, &limit) {
		code, help = "HX402", "fewer dimensions with floors, or parameters fixed to numbers with -D, are simpler"
	}
	return diag.List{{Code: code, Msg: fmt.Sprintf("the schedule in %s cannot be written as loops: %v", s.File, err), Help: help}}
}

// Emission proves that the loops run the schedule.
func (p *Program) Emission() schedule.Proof {
	return schedule.Prove("emission", "the loops that are printed are the schedule", func(q *schedule.Prover) {
		q.Ask("read back, they run each instance once, in order", func() string {
			q.Tests++
			err := scan.Prove(p.Tree, p.Loops)
			if limit := new(poly.LimitError); errors.As(err, &limit) {
				panic(limit)
			} else if err != nil {
				return err.Error()
			}
			return ""
		})
	})
}

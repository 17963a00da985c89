package hexcc

import (
	"fmt"
	"slices"

	"github.com/hexcc/hexcc/astgen/mapped"
	"github.com/hexcc/hexcc/cpu"
	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/openmp"
	"github.com/hexcc/hexcc/schedule"
)

// This file has the passes of a schedule that the user has written: a relation, or a tree. There are no tiles but those it makes.

// mapped reports whether the schedule file is one of those.
func (o *Options) mapped() bool { return o.Load.Name != "" && mapped.Is(o.Load.Text) }

// readMap reads the schedule, and proves that it runs each instance once, and what depends on it later.
func readMap(u *unit) (Product, error) {
	file := u.opts.Load
	if !u.opts.Target.isCPU() || u.opts.Target.isMPI() {
		return nil, diag.List{{
			Code: "HX011", At: diag.Span{Pos: diag.Pos{File: file.Name, Line: 1, Col: 1}}, Msg: "a schedule of one's own is for the threads of a CPU: kernels, and what ranks do, are made of tiles",
			Help: "take --target=openmp or --target=c, or a file with lines of tile and place",
		}}
	}
	if u.Scop.Within {
		return nil, diag.List{{
			Code: "HX207", At: u.Scop.Start(), Msg: fmt.Sprintf("the region is several for hexcc, which writes loops around them: the schedule in %s cannot be that of each", file.Name),
			Help: "leave --load-schedule out, or put pragmas around the loops inside",
		}}
	}
	root, err := mapped.Read(file.Name, file.Text, u.Scop)
	if err != nil {
		return nil, err
	}
	s := mapped.New(file.Name, u.Scop, root)
	u.Proofs = schedule.Proofs{s.Partition(), s.Legality(u.Deps)}
	for _, p := range u.Proofs {
		if p.Holds || p.Undecided != "" {
			if err := decided(p, s); err != nil {
				return nil, err
			}
			continue
		}
		d := &diag.Diagnostic{
			Code: "HX207", At: diag.Span{Pos: diag.Pos{File: file.Name, Line: 1, Col: 1}},
			Msg: fmt.Sprintf("the schedule in %s fails the proof of %s: %s", file.Name, p.Name, p.Violation), Help: "give these instances other times",
		}
		if len(p.Places) > 0 {
			d.At, d.Notes = p.Places[0].At, slices.Clone(p.Places[1:])
		}
		return nil, diag.List{d}
	}
	u.mapped = s
	return s, nil
}

// loopsOfMap makes the loops, and proves that they are the schedule.
func loopsOfMap(u *unit) (_ Product, err error) {
	if u.Mapped, err = mapped.Make(u.mapped, u.Deps); err != nil {
		return nil, err
	}
	if _, err = u.proved(u.Mapped.Emission(), u.Mapped); err != nil {
		return nil, err
	}
	return u.Mapped, nil
}

// mappedInC prints a region with such a schedule.
func (f *file) mappedInC(u *unit, names openmp.Names) openmp.Printed {
	loops := "no loop in parallel"
	if n := u.Mapped.Parallel; n > 0 {
		loops = fmt.Sprintf("%d loops whose iterations may run at the same time", n)
	}
	names.About = []string{fmt.Sprintf("the schedule in %s, %s", diag.Printable(u.Mapped.File), loops)}
	for _, p := range u.Proofs {
		names.About = append(names.About, fmt.Sprintf("%s proved for all parameter values (%s): %s", p.Name, p.Effort(), p.Claim))
	}
	return openmp.PrintMapped(u.Mapped, cpu.Grains(u.Mapped), names)
}

package hexcc

import (
	"github.com/hexcc/hexcc/openmp"
	"github.com/hexcc/hexcc/ranks"
)

// This file has the passes of the target that runs on several machines.

func (t Target) isMPI() bool { return t == MPI }

// share finds who has which tiles and rows, and what is sent.
func share(u *unit) (Product, error) {
	names := u.CPU.Names
	plan, err := ranks.Make(u.Schedule, names.T, "hexcc_border")
	if err != nil {
		return nil, err
	}
	u.Ranks = plan
	return plan, nil
}

func (f *file) printMPI() (Product, error) {
	var parts []openmp.Part
	for _, u := range f.units {
		parts = append(parts, openmp.Part{Program: u.CPU, Ranks: u.Ranks, Names: openmp.Names{
			Base: f.base(), Region: u.Scop.Region.Index, About: u.about(), Refuse: f.opts.Refuse,
		}})
	}
	f.C = openmp.PrintMPI(parts)
	return f.C, f.checked()
}

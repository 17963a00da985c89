package hexcc

import (
	"errors"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/openmp"
	"github.com/hexcc/hexcc/ranks"
)

// This file has the passes of the target that runs on several machines.

func (t Target) isMPI() bool { return t == MPI }

// share finds who has which tiles and rows, and what is sent.
func share(u *unit) (Product, error) {
	loops := ranks.Loops{}
	if u.opts.Target.isGPU() {
		loops = ranks.OfGPU(u.GPU, u.Schedule)
	} else {
		loops = ranks.OfCPU(u.CPU)
	}
	plan, err := ranks.Make(loops, "hexcc_border")
	if no := (*ranks.NotShared)(nil); errors.As(err, &no) {
		return nil, diag.List{{Code: "HX311", At: no.At, Msg: "ranks cannot share out the region: " + no.Why, Help: no.Help}}
	}
	if err != nil {
		return nil, err
	}
	u.Ranks = plan
	proof := plan.Prove()
	if proof.Violation != "" { // what crosses borders is no boxes, or goes too far: nothing is written
		return nil, diag.List{{Code: "HX311", At: u.Scop.Start(), Msg: "ranks cannot share out the region: " + proof.Violation,
			Help: "larger tiles may do, by --tile; --target=openmp runs the region on one machine"}}
	}
	if _, err := u.proved(proof, plan); err != nil {
		return nil, err
	}
	if read := plan.ProveRead(); read.Holds {
		if _, err := u.proved(read, plan); err != nil {
			return nil, err
		}
	}
	return plan, nil
}

func (f *file) printMPI() (Product, error) {
	var parts []openmp.Part
	for _, u := range f.units {
		parts = append(parts, openmp.Part{Program: u.CPU, Ranks: u.Ranks, Names: openmp.Names{
			Base: f.base(), Region: u.Scop.Region.Index, About: u.about(), Refuse: f.opts.Refuse, MPI: true,
		}})
	}
	f.C = openmp.PrintMPI(parts)
	return f.C, f.checked()
}

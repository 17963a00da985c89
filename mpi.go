package hexcc

import (
	"errors"
	"fmt"

	"github.com/hexcc/hexcc/cuda"
	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/openmp"
	"github.com/hexcc/hexcc/ranks"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// This file has the passes of the target that runs on several machines.

func (t Target) isMPI() bool { return t == MPI || t == MPICUDA }

// alone returns the target that has the same tiles on one machine.
func (t Target) alone() Target {
	if t == MPICUDA {
		return CUDA
	}
	return OpenMP
}

// share finds who has which tiles and rows, and what is sent.
func share(u *unit) (Product, error) {
	loops := ranks.Loops{}
	if u.opts.Target.isGPU() {
		loops = ranks.OfGPU(u.GPU, u.Schedule)
	} else {
		loops = ranks.OfCPU(u.CPU)
	}
	if u.opts.Target.isGPU() && u.Schedule.Sizes.H == schedule.NoHeight {
		return nil, diag.List{{Code: "HX311", At: u.Scop.Start(), Msg: "ranks cannot share out the region: kernels of several ranks run tiles of time, and here time is not tiled",
			Help: "--target=mpi runs such steps on CPUs"}}
	}
	plan, proof, err := ranked(loops)
	if err == nil {
		err = untested(plan)
	}
	if no := (*ranks.NotShared)(nil); errors.As(err, &no) {
		return nil, diag.List{{Code: "HX311", At: no.At, Msg: "ranks cannot share out the region: " + no.Why, Help: no.Help}}
	}
	if err != nil {
		return nil, err
	}
	if err := u.tooLong(plan); err != nil {
		return nil, err
	}
	u.Ranks = plan
	if proof.Violation != "" { // what crosses borders is no boxes, or goes too far: nothing is written
		help := "larger tiles may do, by --tile; "
		if plan.OneByOne() {
			help = "boxes of more rows may do, by --strategy=space --tile with a larger w0; "
		}
		return nil, diag.List{{Code: "HX311", At: u.Scop.Start(), Msg: "ranks cannot share out the region: " + proof.Violation,
			Help: help + "--target=" + string(u.opts.Target.alone()) + " runs the region on one machine"}}
	}
	if _, err := u.proved(proof, plan); err != nil {
		return nil, err
	}
	if plan.Pipeline == nil { // of slabs it is not known what is read
		if read := plan.ProveRead(); read.Holds {
			if _, err := u.proved(read, plan); err != nil {
				return nil, err
			}
		}
	}
	if u.opts.Target != MPI || u.opts.RankGrid == RowsOfRanks || u.tiled && u.opts.RankGrid != GridOfRanks {
		return plan, nil
	}
	return u.grid(plan)
}

// A RankGrid says whether ranks form a grid, and share out two dimensions of tiles.
type RankGrid string

const (
	AnyRankGrid RankGrid = "auto" // where that can be: how many columns there are is chosen when the program runs
	RowsOfRanks RankGrid = "off"  // they share out one dimension
	GridOfRanks RankGrid = "on"   // where it cannot be, that is an error
)

// ranked returns the plan of loops, and its proof: with boxes for each store where those that several share do not do.
func ranked(loops ranks.Loops) (plan *ranks.Plan, proof schedule.Proof, err error) {
	if plan, err = ranks.Make(loops, "hexcc_border"); err != nil {
		return nil, proof, err
	}
	if proof = plan.Prove(); proof.Violation == "" {
		return plan, proof, nil
	}
	if plan, err = plan.Finer(); err != nil {
		return nil, proof, err
	}
	return plan, plan.Prove(), nil
}

// untested returns why no rank could test by itself that a point of a wall is one; nil where that is not so.
func untested(plan *ranks.Plan) error {
	for _, w := range plan.Scop().Walls {
		if _, err := plan.Tester(w); err != nil {
			return err
		}
	}
	return nil
}

// grid lets ranks share out a second dimension of tiles, where that can be; else the plan says why not.
func (u *unit) grid(plan *ranks.Plan) (Product, error) {
	err := error(&ranks.NotShared{At: u.Scop.Start(), Why: "it is one of several nests in a loop that ranks run"})
	if !u.tiled {
		if err = plan.MakeGrid("hexcc_border1"); err == nil {
			if err = untested(plan); err != nil {
				plan.Grid = nil
			}
		}
	}
	if no := (*ranks.NotShared)(nil); errors.As(err, &no) {
		if u.opts.RankGrid == GridOfRanks {
			return nil, diag.List{{Code: "HX311", At: no.At, Msg: "ranks cannot form a grid: " + no.Why, Help: "without --rank-grid=on they share out one dimension of tiles"}}
		}
		plan.NoGrid = no.Why
		return plan, nil
	}
	if err != nil {
		return nil, err
	}
	if _, err := u.proved(plan.ProveGrid(), plan); err != nil {
		return nil, err
	}
	return plan, nil
}

func (f *file) printMPI() (Product, error) {
	loops := map[*scop.Host]*ranks.Loop{}
	for _, h := range f.hosts {
		x, err := f.together(h)
		if err != nil {
			return nil, err
		}
		loops[h] = x
	}
	var parts []openmp.Part
	for _, u := range f.units {
		u.Together = loops[u.host]
		parts = append(parts, openmp.Part{Program: u.CPU, Ranks: u.Ranks, Host: u.host, Together: u.Together, Names: openmp.Names{
			Base: f.base(), Region: u.Scop.Region.Index, About: u.about(), Refuse: f.opts.Refuse, MPI: true, Defines: f.opts.Defines, Macros: f.namesInC(u).Macros,
		}})
	}
	f.C = openmp.PrintMPI(parts)
	return f.C, f.checked()
}

// tooLong refuses kernels that would address planes of an array by distances of 32 bits that do not suffice: no condition on parameters tells.
func (u *unit) tooLong(plan *ranks.Plan) error {
	for _, a := range plan.Arrays {
		if !u.opts.Target.isGPU() || a.Ring || a.Dim <= 0 || !gpu.Constant(a.Array.Extents[a.Dim]) {
			continue
		}
		if number, others := (gpu.Stride{Array: a.Array}).Factors(); len(others) == 0 && number >= 1<<32 {
			return diag.List{{Code: "HX311", At: a.Array.Pos,
				Msg:  fmt.Sprintf("ranks cannot share out the region: kernels address planes of array %s by distances of 32 bits, and each has 2^32 elements or more", a.Array.Name),
				Help: "have an array for each plane, A[n][m] and B[n][m] in place of A[2][n][m]"}}
		}
	}
	return nil
}

// printMPICUDA prints kernels, and what starts them on several ranks.
func (f *file) printMPICUDA() (Product, error) {
	var parts []cuda.MPIPart
	for _, u := range f.units {
		parts = append(parts, cuda.MPIPart{Part: f.part(u), Ranks: u.Ranks})
	}
	f.MPICUDA = cuda.PrintMPI(parts)
	for i, u := range f.units {
		if err := u.roomFor(f.MPICUDA.Shared[i]); err != nil {
			return nil, err
		}
	}
	return f.MPICUDA, f.checked()
}

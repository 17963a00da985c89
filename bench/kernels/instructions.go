package main

import (
	"fmt"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/internal/sass"
)

// This file counts the machine instructions of full turns of kernels whose rows stream, as ptxas made them.

// A machineCount is how many instructions of each class the lanes of a block run in a full turn. An instruction of a warp is one of each of its lanes, whether
// or not a predicate lets all of them do something: it is issued in any case.
type machineCount struct {
	by             [sass.Classes]int64
	loaded, stored int64 // bytes from shared memory and to it, copies from global memory with them, if all lanes do something
	kept           int64 // bytes to global memory, likewise
	operations     int64 // sums and products: one that is fused is two
}

const machineHead = "    all   fp32   fp64 special integer shuffles | shared: loads stores | global: loads copies stores | spills barriers control other"

// machineCode compiles res and counts the instructions of the full turns of its pipeline.
func (r *reporter) machineCode(res *hexcc.Result, base string) (n machineCount, err error) {
	const name = "hexcc_kernels_0_chains"
	made, err := r.sass.Kernel(res.Files.Named(base), base, name)
	if err != nil {
		return n, err
	}
	code, err := sass.Parse(made.Listing, name)
	if err != nil {
		return n, err
	}
	p := res.GPU.Pipeline()
	turns, err := sass.FindTurns(code, res.Files.Kernel, p)
	if err != nil {
		return n, err
	}
	for i, st := range p.Stages {
		for _, in := range turns.Full[i] {
			n.add(in, int64(st.Count*gpu.WarpLanes))
		}
	}
	return n, nil
}

// add counts an instruction that so many lanes run.
func (n *machineCount) add(in sass.Instruction, lanes int64) {
	class := in.Class()
	n.by[class] += lanes
	switch class {
	case sass.SharedLoads:
		n.loaded += in.Bytes() * lanes
	case sass.SharedStores, sass.GlobalCopies:
		n.stored += in.Bytes() * lanes
	case sass.GlobalStores:
		n.kept += in.Bytes() * lanes
	case sass.FP32, sass.FP64:
		n.operations += lanes
		if in.Is("FFMA", "DFMA") {
			n.operations += lanes
		}
	}
}

// line returns the columns of machineHead, by update.
func (n machineCount) line(updates int64) string {
	per := func(classes ...sass.Class) float64 {
		var all int64
		for _, c := range classes {
			all += n.by[c]
		}
		return float64(all) / float64(updates)
	}
	var all float64
	for c := range sass.Classes {
		all += per(c)
	}
	return fmt.Sprintf(" %6.2f %6.2f %6.2f %7.2f %7.2f %8.2f | %13.2f %6.2f | %13.2f %6.2f %6.2f | %6.2f %8.2f %7.2f %5.2f", all, per(sass.FP32), per(sass.FP64), per(sass.Special),
		per(sass.Integer), per(sass.Shuffles), per(sass.SharedLoads), per(sass.SharedStores), per(sass.GlobalLoads), per(sass.GlobalCopies), per(sass.GlobalStores),
		per(sass.Spills), per(sass.Barriers), per(sass.Control), per(sass.Atomics, sass.Other))
}

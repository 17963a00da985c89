package ranks

import (
	"github.com/hexcc/hexcc/cpu"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/schedule"
)

// This file says what ranks share out of programs for CPUs and for GPUs: of both the tiles of the phases.

// OfCPU returns the loops of a program for a CPU.
func OfCPU(p *cpu.Program) Loops {
	l := Loops{Schedule: p.Schedule, T: p.Names.T, TLo: p.TLo, THi: p.THi, Busy: p.Busy}
	for _, ph := range p.Phases {
		l.Phases = append(l.Phases, Phase{ph.Tile, ph.Lo, ph.Hi})
	}
	return l
}

// OfGPU returns the loops of kernels of a schedule. S0 is the last axis of a grid.
func OfGPU(p *gpu.Program, s *schedule.Schedule) Loops {
	l := Loops{Schedule: s, T: p.T, TLo: p.TLo, THi: p.THi, Busy: p.Busy}
	for _, k := range p.Kernels {
		x := k.Grid[len(k.Grid)-1]
		l.Phases = append(l.Phases, Phase{x.Var, x.Lo, x.Hi})
	}
	return l
}

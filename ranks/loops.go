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
		x := Phase{Tile: ph.Tile, Lo: ph.Lo, Hi: ph.Hi}
		if f, ok := cpu.Inner(ph); ok && len(p.Names.Tiles) > 1 && f.Var == p.Names.Tiles[1] {
			x.Second, x.SecondLo, x.SecondHi = f.Var, f.Lo, f.Hi
		}
		l.Phases = append(l.Phases, x)
	}
	return l
}

// OfGPU returns the loops of kernels of a schedule. S0 is the last axis of a grid.
func OfGPU(p *gpu.Program, s *schedule.Schedule) Loops {
	l := Loops{Schedule: s, T: p.T, TLo: p.TLo, THi: p.THi, Busy: p.Busy}
	for _, k := range p.Kernels {
		x := k.Grid[len(k.Grid)-1]
		l.Phases = append(l.Phases, Phase{Tile: x.Var, Lo: x.Lo, Hi: x.Hi})
	}
	return l
}

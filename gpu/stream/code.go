package stream

import "github.com/hexcc/hexcc/gpu"

// This file decides how many beats of a turn there is code for. Straight code of a whole turn is the fastest as long as instructions arrive. On an H200 a multiprocessor gets less than half an
// instruction a clock, for all of its schedulers together, where warps run at different places of more than 32 KB, as those of stages do. In two dimensions full turns of 14 and 22 KB are 1.3 and 1.1
// times as fast straight as in a loop over one beat, with a move for each row; in three, those of laplacian-3d in two steps a warp, 39 KB, are 1.5 times as fast in such a loop.
//
// Steady turns, of chains at sides, run beside full ones: where these are straight, they are a loop if both are more than the next cache holds, over as many beats as it takes for rows to be in their
// registers again, or over one, where the moves of rows from beat to beat are few beside the rest. Turns that test in each beat are rare, and longer: they are a loop over one beat; but in three
// dimensions, where they are those of strips at the top and the bottom, too, for which all strips behind wait, they are straight where full turns are.

const (
	nearCache    = 32 << 10  // bytes of instructions that a multiprocessor of an H200 was seen to hold near at hand
	codeCache    = 128 << 10 // and those of its cache, from Volta to Hopper
	instruction  = 16        // bytes
	beatCode     = 33        // instructions in a beat, beside what is computed and moved: where it is, waits, the barrier
	callCode     = 12        // of a quotient or a function, beside what scop.Stmt.Operations counts for it,
	callCode2    = 20        // and in double precision
	steadyCode   = 1.4       // a steady turn for a full one
	movesAllowed = 1.0 / 12  // of the instructions of a beat
)

// loops notes in p how many beats of a turn there is code for: as many as asked for, if that is not 0.
func loops(p *gpu.Pipeline, asked int) {
	one := loopable(p, 1)
	p.Straight, p.Steady, p.Guarded, p.Final = p.Turn, p.Turn, p.Turn, one
	if asked > 0 {
		asked = loopable(p, asked)
		p.Straight, p.Steady, p.Guarded = asked, asked, asked
		return
	}
	perBeat := instructions(p) / float64(p.Turn*p.Warps)
	straight := perBeat * float64(instruction*p.Turn*len(p.Stages))
	if straight > nearCache {
		p.Straight, p.Steady, p.Guarded = one, one, one
		return
	}
	if p.Lines > 0 {
		return
	}
	p.Guarded = one
	if (1+steadyCode)*straight <= codeCache {
		return
	}
	back, most := 1, 0 // beats until rows of all stages are back, and registers of a lane that move in one beat
	for i := range p.Stages {
		st := &p.Stages[i]
		next, ok := p.Next(st)
		if !ok {
			return
		}
		for p.Turn%back != 0 || len(gpu.Cycles(next, back)) > 0 {
			back++
		}
		moved := 0
		for _, cycle := range gpu.Cycles(next, 1) {
			for _, row := range cycle {
				moved += p.Columns * st.Rows[row].Array.Elem.Words()
			}
		}
		most = max(most, moved)
	}
	if p.Steady = back; float64(most) <= movesAllowed*perBeat {
		p.Steady = 1
	}
}

// loopable returns how many beats of a turn there is code for if so many are asked for: the next divisor of the turn after which rows of all stages may move on to where they are
// looked for.
func loopable(p *gpu.Pipeline, beats int) int {
	for i := range p.Stages {
		if _, ok := p.Next(&p.Stages[i]); !ok {
			return p.Turn
		}
	}
	for beats = min(beats, p.Turn); p.Turn%beats != 0; beats++ {
	}
	return beats
}

// instructions returns about how many all warps run in a full turn.
func instructions(p *gpu.Pipeline) float64 {
	n := p.Count()
	all := float64(n.Operations)/gpu.WarpLanes + float64(n.Moves) + float64(beatCode*p.Turn*p.Warps)
	for st, runs := range n.Runs {
		call := callCode
		for _, a := range st.Accesses {
			if a.Array.Elem.Words() > 1 {
				call = callCode2
			}
		}
		all += float64(runs) / gpu.WarpLanes * float64(st.Calls()*int64(call))
	}
	return all
}

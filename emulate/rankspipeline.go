package emulate

import (
	"github.com/hexcc/hexcc/cpu"
	"github.com/hexcc/hexcc/ranks"
	"github.com/hexcc/hexcc/scop"
)

// This file runs a cpu.Program as ranks of a pipeline do: of a time tile the tiles of one rank after those of the rank below, as many at once as it has threads. What they send in a turn is taken as soon as its tile has run, and
// arrives as late as it may: before the first or the last tile of the rank that needs it.

// emulatedThreads is how many threads a rank has.
const emulatedThreads = 2

// A pipe is ranks of a pipeline that run a program.
type pipe struct {
	*crowd
	params      []int64
	first, last int64               // turns
	up, down    [][]map[cell]uint64 // by rank that receives: what comes up of this time tile, and down of the one before, in order of turns
	next        []map[bool]int      // of these, by rank and whether they come up: how many have arrived
}

// runPipeline is runRanks for a plan with a pipeline.
func runPipeline(prog *cpu.Program, plan *ranks.Plan, count int, mem *scop.Memory, o Options) (report *Report, ok bool, err error) {
	return runRanks(plan, count, mem, func(c *crowd) (*Report, error) {
		n := len(c.shares)
		p := &pipe{crowd: c, params: mem.Params, up: make([][]map[cell]uint64, n), down: make([][]map[cell]uint64, n), next: make([]map[bool]int, n)}
		o.pipe = p
		prog := cpu.Unchained(prog)
		if plan.Turns() {
			prog = cpu.Between(prog, limitFrom, limitTo)
		}
		report, err := RunCPU(prog, mem, o)
		for r := range c.shares {
			p.arrive(r, false, len(p.down[r]))
		}
		return report, err
	})
}

// begin delivers what ranks send before the first phase.
func (p *pipe) begin(t int64) {
	p.first, p.last = p.plan.TurnsAt(p.params)
	p.exchange(0, t, p.params)
}

// arrive puts those of the messages that come to rank r, up or down, where they belong that are among the first ones, so many of them.
func (p *pipe) arrive(r int, up bool, many int) {
	list := p.down[r]
	if up {
		list = p.up[r]
	}
	for ; p.next[r][up] < min(many, len(list)); p.next[r][up]++ {
		put(p.mems, list[p.next[r][up]])
	}
}

// timeTile runs a time tile, whose tiles are those from lo to hi: run runs some tiles S0 on mem, each in a turn.
func (p *pipe) timeTile(t, lo, hi int64, mem *scop.Memory, run func(tiles []int64, turn func(tile int64) int64)) {
	down := make([][]map[cell]uint64, len(p.shares))
	for r := range p.shares {
		p.up[r], p.next[r] = nil, map[bool]int{}
	}
	for r, s := range p.shares {
		tiles := s.Last - s.First + 1
		apart := (tiles + emulatedThreads - 1) / emulatedThreads
		for d := range tiles + (p.last-p.first)*apart {
			behind := d - tiles + 1
			below, above := p.first+d/apart, p.first+behind/apart
			p.arrive(r, true, int(below-p.first)+1)
			if behind >= 0 {
				p.arrive(r, false, int(above-p.first+p.plan.Pipeline.Lag)+1)
			}
			var some []int64
			for k := max(0, below-p.last); k <= min(tiles-1, d)/apart; k++ {
				if tile := s.First + d%apart + k*apart; lo <= tile && tile <= min(hi, s.Last) {
					some = append(some, tile)
				}
			}
			if len(some) > 0 {
				p.with(r, mem, func() { run(some, func(tile int64) int64 { return p.first + (d-(tile-s.First))/apart }) })
			}
			if r > 0 && d%apart == 0 && below <= p.last {
				down[r-1] = append(down[r-1], take(p.mems, sent{r, r - 1, p.plan.TurnBoxes(false, p.params, t, below, s.First)}))
			}
			if r < len(p.shares)-1 && behind >= 0 && behind%apart == 0 {
				p.up[r+1] = append(p.up[r+1], take(p.mems, sent{r, r + 1, p.plan.TurnBoxes(true, p.params, t, above, s.Last+1)}))
			}
		}
		p.arrive(r, false, len(p.down[r]))
	}
	p.down = down
	for r := range p.shares {
		p.next[r][false] = 0
	}
}

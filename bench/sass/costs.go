package main

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/internal/sass"
	"github.com/hexcc/hexcc/machine"
)

// This file says what turns that are not full cost: those of a kind are replayed once, by blocks that all run such turns.

// A turnCost is what a kind of turns costs.
type turnCost struct {
	name         string
	instructions float64 // of a warp in a beat
	alone        float64 // clocks, where a full turn takes 1, on a multiprocessor whose blocks all run such turns,
	beside       float64 // and beside blocks that run full ones
	turns        int
}

// turnCosts are what turns of a pipeline cost.
type turnCosts struct {
	guardedText
	code     []sass.Instruction
	straight sass.Turns
	pipeline *gpu.Pipeline
	full     [][]step // what the warps of a block run in a full turn,
	clocks   float64  // and the clocks that it takes
	residents
	device machine.Device
	always float64             // what all turns take that are not full; 0: what they are found to
	found  map[string]turnCost // by what holds
	chain  [3]int64            // the time, the column and the line of the latest chain,
	steady situation           // and what holds in its turns in the middle
	key    string
	seen   map[string]keyed // by how far turns are beyond borders
	err    error
}

// of returns what a turn costs that begins with a beat of a chain from lo to hi, where a full one costs 1. Of the first and the last turns of chains, whose rows are
// not all inside, those of one chain in the middle are replayed: at sides, and in the first and the last time tiles, they cost as much more as other turns do.
func (c *turnCosts) of(env map[string]int64, beat, lo, hi int64) float64 {
	if c.always > 0 || c.err != nil {
		return max(1, c.always)
	}
	v := c.pipeline.Vars
	rows := !c.inRows(env)
	if here := [3]int64{env[v.Time], env[v.Column], env[v.Line]}; here != c.chain {
		k := c.situation(env, lo+(hi-lo)/2/int64(c.pipeline.Turn)*int64(c.pipeline.Turn))
		c.chain, c.steady, c.key = here, k.situation, k.key
	}
	cost := 1.0
	if c.key != "" || !rows {
		cost = c.kind(c.key, "", func() situation { return c.steady })
	}
	if rows {
		key := fmt.Sprint("first ", beat-lo)
		if hi-beat < beat-lo {
			key = fmt.Sprint("last ", hi-beat)
		}
		if _, known := c.found[key]; known || c.key == "" {
			cost *= c.kind(key, "first and last rows: ", func() situation { return situationOf(c.pipeline, env, beat) })
		}
	}
	env[v.Beat] = beat
	return cost
}

// A keyed is a situation with its key.
type keyed struct {
	situation
	key string
}

// situation is situationOf, remembered by how far the turn is beyond each border: those that it is inside of make no difference.
func (c *turnCosts) situation(env map[string]int64, beat int64) keyed {
	v := c.pipeline.Vars
	env[v.Beat], env[v.Last] = beat, beat+int64(c.pipeline.Turn)-1
	var beyond []byte
	for _, all := range c.pipeline.Full {
		for _, e := range all {
			beyond = binary.AppendVarint(beyond, min(0, affine.Eval(e, env)))
		}
	}
	k, ok := c.seen[string(beyond)]
	if !ok {
		s := situationOf(c.pipeline, env, beat)
		s.rows = c.inRows(env)
		k = keyed{s, s.key()}
		c.seen[string(beyond)] = k
	}
	return k
}

// kind returns what turns of a kind cost.
func (c *turnCosts) kind(key, name string, of func() situation) float64 {
	cost, ok := c.found[key]
	if !ok {
		cost = c.cost(of())
		cost.name = name + cost.name
	}
	cost.turns++
	c.found[key] = cost
	return cost.beside
}

// inRows reports whether all rows of the turn are inside of the domain: then its kind is that of all such turns of the chain.
func (c *turnCosts) inRows(env map[string]int64) bool {
	v := c.pipeline.Vars
	for _, all := range c.pipeline.Full {
		for _, e := range all {
			if x := e.(affine.Sum); (x.Coef(v.Beat) != 0 || x.Coef(v.Last) != 0) && affine.Eval(x, env) < 0 {
				return false
			}
		}
	}
	return true
}

// cost replays turns.
func (c *turnCosts) cost(s situation) (t turnCost) {
	trace, err := c.trace(c.code, c.straight, c.pipeline, s)
	if err != nil {
		c.err = err
		return t
	}
	bytes := func(trace [][]step) (lanes int64) {
		for _, steps := range trace {
			for _, s := range steps {
				if s.Is("LDG", "STG", "LDGSTS", "LD", "ST") {
					lanes += int64(s.lanes)
				}
			}
		}
		return lanes
	}
	n := 0
	for _, steps := range trace {
		n += len(steps)
	}
	t.name, t.instructions = s.String(), float64(n)/float64(len(trace)*c.pipeline.Turn)
	t.alone = replay(trace, residents{c.blocks, c.bytes * bytes(trace) / max(1, bytes(c.full)), c.shared, 0}, c.device) / c.clocks
	t.beside = replayBeside(trace, c.full, c.residents, c.device) / c.clocks
	return t
}

// all returns the kinds of turns, the commonest first. Those of one name are put together.
func (c *turnCosts) all() (out []turnCost) {
	found := slices.Collect(maps.Values(c.found))
	slices.SortFunc(found, func(x, y turnCost) int { return cmp.Or(y.turns-x.turns, cmp.Compare(x.alone, y.alone)) })
	for _, x := range found {
		i := slices.IndexFunc(out, func(y turnCost) bool { return y.name == x.name })
		if i < 0 {
			out = append(out, x)
			continue
		}
		y := &out[i]
		a, b := float64(y.turns), float64(x.turns)
		mean := func(p *float64, q float64) { *p = (*p*a + q*b) / (a + b) }
		mean(&y.instructions, x.instructions)
		mean(&y.alone, x.alone)
		mean(&y.beside, x.beside)
		y.turns += x.turns
	}
	slices.SortFunc(out, func(x, y turnCost) int { return y.turns - x.turns })
	return out
}

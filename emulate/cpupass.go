package emulate

import (
	"slices"

	"github.com/hexcc/hexcc/cpu"
)

// This file runs steps of a tile in one pass over rows as they are printed: vector by vector of a row, each turn of the pass behind the one before,
// with what that one stored handed on. Whether rows start cache lines, without which there is no pass, is a matter of chance.

// A pass runs turns of a tile together.
type pass struct {
	m            *processor
	of           *cpu.Pass
	count, over  *int64 // the variable of the tile, and that of the loop over rows
	lo, hi       func() int64
	turns        []*row  // one row of each turn,
	beside       []*row  // and as many as run side by side
	first        int64   // turn
	lows, highs  []int64 // the rows of each turn,
	starts, ends []int64 // and their places
	began        uint64  // the clock before the first turn
}

// passCode returns what runs a pass at the present turn of t, if there is one, whose last turn it is passed; it reports whether there was.
func (m *processor) passCode(t cpu.Tile, count *int64) func(last int64) bool {
	if t.Pass == nil {
		return func(int64) bool { return false }
	}
	s := t.Steps[0]
	p := &pass{m: m, of: t.Pass, count: count, lo: m.expr(s.Loops[0].Lo), hi: m.expr(s.Loops[0].Hi)}
	m.bind(s.Loops[0].Var, func(v *int64) {
		p.over = v
		for range t.Pass.Steps {
			p.turns = append(p.turns, m.newRow(s, s.Groups[0]))
			p.beside = append(p.beside, m.newRow(s, cpu.Group{Size: int(t.Pass.Beside), Vectors: t.Pass.Vectors}))
		}
	})
	return p.run
}

// run runs the pass whose first turn is the present one, unless turns run one by one there.
func (p *pass) run(last int64) bool {
	if p.first = *p.count; p.first+p.of.Steps-1 > last || p.m.rng.IntN(3) == 0 {
		return false
	}
	defer func() { *p.count = p.first }()
	if !p.whole() {
		return false
	}
	p.began = *p.m.clock
	*p.m.clock += uint64(p.of.Steps)
	from, to := p.lows[0], p.highs[0]
	for k := range p.of.Steps {
		from, to = min(from, p.lows[k]+k*p.of.Rows), max(to, p.highs[k]+k*p.of.Rows)
	}
	for x := from; x <= to && !p.m.stopped(); {
		if p.has(x) {
			p.together(x)
			x += p.of.Beside
			continue
		}
		for k := range p.of.Steps {
			if p.turn(k, x); p.lows[k] <= *p.over && *p.over <= p.highs[k] {
				p.turns[k].aligned()
			}
		}
		x++
	}
	return true
}

// has reports whether all turns have all rows of x that run side by side.
func (p *pass) has(x int64) bool {
	for k := range p.of.Steps {
		if first := x - k*p.of.Rows; first < p.lows[k] || p.highs[k] < first+p.of.Beside-1 {
			return false
		}
	}
	return true
}

// whole notes the rows of all turns, and reports whether they have whole vectors, each turn those before the ones of the turn before.
func (p *pass) whole() bool {
	p.lows, p.highs, p.starts, p.ends = nil, nil, nil, nil
	lanes := p.turns[0].vector.Lanes
	for k := range p.of.Steps {
		*p.count = p.first + k
		r := p.turns[k]
		p.lows, p.highs = append(p.lows, p.lo()), append(p.highs, p.hi())
		p.starts, p.ends = append(p.starts, r.lo()), append(p.ends, r.hi())
		if p.starts[k] != p.starts[0]-k*p.of.Places || p.ends[k] != p.ends[0]-k*p.of.Places {
			return false
		}
		*r.end = p.ends[k]
		if slices.ContainsFunc(r.limits, func(limit func() int64) bool { return p.ends[k]-lanes+1 > limit() }) {
			return false
		}
	}
	return p.starts[0] <= p.ends[0] && (p.ends[0]-p.starts[0]+1)%lanes == 0
}

// turn moves to turn k, at its row of x.
func (p *pass) turn(k, x int64) {
	*p.count, *p.over = p.first+k, x-k*p.of.Rows
	p.m.now = p.began + 1 + uint64(k)
}

// together runs the rows of all turns, vector by vector.
func (p *pass) together(x int64) {
	lanes := p.of.Vectors.Lanes
	p.m.report.Together++
	lines := p.m.rng.IntN(2) == 0 // else each vector that is not handed on is loaded by itself
	for k, r := range p.beside {
		p.turn(int64(k), x)
		r.sources, r.apart = p.of.Sources[k], !lines
		r.start()
		r.set(p.starts[k])
		r.begin()
	}
	for at := p.starts[0]; at <= p.ends[0]; at += lanes {
		var stored [][]uint64 // by the turn before, by row
		for k, r := range p.beside {
			p.turn(int64(k), x)
			place := at - int64(k)*p.of.Places
			r.set(place)
			r.next(stored)
			r.vectorAt(place)
			r.set(place)
			stored = r.stored()
		}
		for _, r := range p.beside {
			r.handOn()
		}
	}
}

package model

import (
	"github.com/hexcc/hexcc/schedule"
)

// This file asks how busy the blocks of a GPU, or the cores of a CPU, are with the tiles of a schedule, tile by tile. All tiles
// cost the same. It knows what waits for what, and of the grid how many tiles there are.

// A Load is how many tiles of a schedule a grid has: time tiles, places of tiles in a phase of one, which may run at once, and
// tiles one after the other at each place.
type Load struct{ Times, Places, Along int64 }

// LoadOf returns how many tiles of s a grid has, whose chains differ along one dimension: those of the time tile in the middle stand for all.
func LoadOf(s *schedule.Schedule, g Grid) Load {
	ph, steps := s.Phases[0], g.Steps*int64(s.Canonical.K)
	l := Load{Times: floorDiv(steps-1, s.Height) + 1, Along: 1}
	for i, p := range ph.Nest() {
		have, _ := positions(ph.Space[p], l.Times/2, g.Space[p])
		switch i {
		case 0:
			l.Places = have
		case 1:
			l.Along = have
		}
	}
	return l
}

// A Workforce is what runs tiles.
type Workforce struct {
	Workers int     // resident blocks, or cores
	Barrier float64 // what lies between two phases, in the time of a tile
	Cut     float64 // what tiles at the borders of the grid take when ready, in the time of others; 0: as long
}

// InPhases returns the share of the workers' time in which they run tiles, if all of a phase end before the next starts.
func (w Workforce) InPhases(c schedule.Chains, l Load) float64 {
	rounds := (l.Places + int64(w.Workers) - 1) / int64(w.Workers)
	return share(l.Places*l.Along, w.Workers, float64(rounds*l.Along)+w.Barrier)
}

// share returns which part of the time of workers the tiles take.
func share(tiles int64, workers int, took float64) float64 {
	return float64(tiles) / (float64(workers) * took)
}

// WhenReady returns the share of the workers' time in which they run tiles, if these start as soon as what they wait for has ended. Workers
// take chains in order, and run one at a time. Chains differ along one dimension.
func (w Workforce) WhenReady(c schedule.Chains, l Load) float64 {
	end := w.SpansWhenReady(c, l, func(Span) {})
	return share(l.Times*int64(len(c.Steps))*l.Places*l.Along, w.Workers, end)
}

// A Span is a time in which a worker runs tiles of a chain without a break, in that of a tile.
type Span struct {
	Worker   int
	From, To float64
}

// SpansInPhases yields when workers run tiles, if all of a phase end before the next starts, and returns when the last one ends.
func (w Workforce) SpansInPhases(c schedule.Chains, l Load, yield func(Span)) (now float64) {
	for range l.Times * int64(len(c.Steps)) {
		start := now
		for at := range l.Places {
			from := start + float64(at/int64(w.Workers)*l.Along)
			yield(Span{int(at % int64(w.Workers)), from, from + float64(l.Along)})
			now = max(now, from+float64(l.Along))
		}
		now += w.Barrier
	}
	return now
}

// SpansWhenReady is SpansInPhases for tiles that start as soon as what they wait for has ended.
func (w Workforce) SpansWhenReady(c schedule.Chains, l Load, yield func(Span)) (end float64) {
	free := make([]turn, w.Workers) // the first is the earliest: a heap
	for i := range free {
		free[i].worker = i
	}
	before := make([][]float64, l.Places)
	for i := range before {
		before[i] = make([]float64, l.Along)
	}
	here := make([][]float64, l.Places)
	for i := range here {
		here[i] = make([]float64, l.Along)
	}
	for range l.Times {
		for _, step := range c.Steps {
			for at := range l.Places {
				now := free[0].at
				span := Span{free[0].worker, now, now}
				var awaited [][]float64 // when tiles end at the places for which those at this one wait
				if first, last := max(0, at-step.Hi[0]), min(l.Places-1, at-step.Lo[0]); first <= last {
					awaited = before[first : last+1]
				}
				for k := range l.Along {
					until := min(k+step.Lag, l.Along-1)
					for _, ended := range awaited {
						now = max(now, ended[until])
					}
					if now > span.To {
						if span.From < span.To {
							yield(span)
						}
						span.From = now
					}
					now += w.tile(l, at, k)
					here[at][k], span.To = now, now
				}
				yield(span)
				free[0].at, end = now, max(end, now)
				sink(free)
			}
			before, here = here, before
		}
	}
	return end
}

// tile returns what a tile takes.
func (w Workforce) tile(l Load, at, k int64) float64 {
	if w.Cut > 0 && (at == 0 || at == l.Places-1 || k == 0 || k == l.Along-1) {
		return w.Cut
	}
	return 1
}

// A turn is when a worker is free.
type turn struct {
	at     float64
	worker int
}

// sink restores the heap xs, whose first element has grown.
func sink(xs []turn) {
	for i := 0; ; {
		least := i
		for _, child := range []int{2*i + 1, 2*i + 2} {
			if child < len(xs) && xs[child].at < xs[least].at {
				least = child
			}
		}
		if least == i {
			return
		}
		xs[i], xs[least] = xs[least], xs[i]
		i = least
	}
}

package report

import "github.com/hexcc/hexcc/schedule"

// This file finds when tiles can start, if nothing but the order of tiles holds them up. A beat is what the tiles of a
// chain at one place take; all take the same, and there is someone to run each chain.

// A beatGrid is a small grid of tiles, all of which there are: time tiles, chains of a phase, places along a chain.
type beatGrid struct{ times, chains, along int64 }

// gridOf returns a grid that is large enough to show what waits do.
func gridOf(r schedule.Ready) beatGrid {
	g := beatGrid{times: max(2, 6/int64(len(r.Chains.Steps))), chains: 4, along: 1}
	if len(r.Tile) == 2+r.Chains.Blocks {
		return g
	}
	g.along = leastAlong
	for _, w := range r.Chains.Steps {
		g.along = max(g.along, min(2*w.Lag+4, mostAlong))
	}
	return g
}

const (
	leastAlong = 8
	mostAlong  = 100
)

// links yields the links of g in an order in which all that one waits for come before it.
func (g beatGrid) links(phases int, yield func(schedule.Link)) {
	for t := range g.times {
		for phase := range phases {
			for s := range g.chains {
				for k := range g.along {
					yield(schedule.Link{Time: t, Phase: phase, At: [3]int64{s}, Place: k})
				}
			}
		}
	}
}

// whenReady returns the beat at which each link of g can start, if chains wait as c says: breadth first, each one beat after the last
// of those that it waits for. Where chains differ along several dimensions it is a slice of them.
func (g beatGrid) whenReady(c schedule.Chains) map[schedule.Link]int64 {
	starts := map[schedule.Link]int64{}
	g.links(len(c.Steps), func(x schedule.Link) {
		after := int64(0)
		g.sources(c, x, func(y schedule.Link) { after = max(after, starts[y]+1) })
		if x.Place > 0 {
			before := x
			before.Place--
			after = max(after, starts[before]+1)
		}
		starts[x] = after
	})
	return starts
}

// sources yields the last link of each chain that x waits for.
func (g beatGrid) sources(c schedule.Chains, x schedule.Link, yield func(schedule.Link)) {
	w := c.Steps[x.Phase]
	k := min(x.Place+w.Lag, g.along-1)
	for s := x.At[0] - w.Hi[0]; s <= x.At[0]-w.Lo[0]; s++ {
		if x.Time >= w.Time && 0 <= s && s < g.chains && k >= 0 {
			yield(schedule.Link{Time: x.Time - w.Time, Phase: w.From, At: [3]int64{s}, Place: k})
		}
	}
}

// inPhases returns the same if all of a phase end before the next starts.
func (g beatGrid) inPhases(c schedule.Chains) map[schedule.Link]int64 {
	starts, phases := map[schedule.Link]int64{}, int64(len(c.Steps))
	g.links(len(c.Steps), func(x schedule.Link) {
		starts[x] = (x.Time*phases+int64(x.Phase))*g.along + x.Place
	})
	return starts
}

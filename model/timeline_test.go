package model

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/schedule"
)

// hexagons wait for two chains of the phase before.
func hexagons(lag int64) schedule.Chains {
	return schedule.Chains{Blocks: 1, Steps: []schedule.Wait{
		{From: 1, Time: 1, Lo: []int64{0}, Hi: []int64{1}, Lag: lag},
		{From: 0, Lo: []int64{-1}, Hi: []int64{0}, Lag: lag},
	}}
}

// TestWhenReady compares what is simulated with what tiles that start when they can take, found clock tick by clock tick.
func TestWhenReady(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		c := hexagons(rng.Int64N(3))
		l := Load{1 + rng.Int64N(4), 1 + rng.Int64N(6), 1 + rng.Int64N(6)}
		workers := 1 + rng.IntN(8)
		took := ticks(c, l, workers)
		require.InDelta(t, share(l.Times*2*l.Places*l.Along, workers, float64(took)), Workforce{Workers: workers}.WhenReady(c, l), 1e-9, "%v %v %d", c, l, workers)
	}
}

// ticks runs chains by workers, each a tile at every tick if it need not wait, and returns how many ticks that takes.
func ticks(c schedule.Chains, l Load, workers int) (now int64) {
	type chain struct{ step, at, done int64 }
	var all []chain
	for s := range l.Times * int64(len(c.Steps)) {
		for at := range l.Places {
			all = append(all, chain{s, at, 0})
		}
	}
	running, next := []int{}, 0
	for next < len(all) || len(running) > 0 {
		for len(running) < workers && next < len(all) {
			running, next = append(running, next), next+1
		}
		var able []int
		for _, k := range running {
			x := all[k]
			w, can := c.Steps[x.step%int64(len(c.Steps))], true
			for d := w.Lo[0]; d <= w.Hi[0]; d++ {
				if from := x.at - d; x.step > 0 && 0 <= from && from < l.Places {
					can = can && all[(x.step-1)*l.Places+from].done >= min(x.done+w.Lag+1, l.Along)
				}
			}
			if can {
				able = append(able, k)
			}
		}
		for _, k := range able {
			all[k].done++
		}
		running = slices.DeleteFunc(running, func(k int) bool { return all[k].done == l.Along })
		now++
	}
	return now
}

// TestTimeline has grids whose phases are too few for a GPU: tiles that start when they can keep it busy.
func TestTimeline(t *testing.T) {
	for _, x := range []struct {
		l               Load
		workers         int
		phases, atLeast float64
	}{
		{Load{70, 304, 128}, 1980, 0.15, 0.8}, // 16384^2
		{Load{70, 304, 128}, 528, 0.58, 0.95},
		{Load{70, 76, 32}, 528, 0.14, 0.6},     // 4096^2
		{Load{100, 32, 1024}, 528, 0.06, 0.85}, // 512^3
	} {
		w := Workforce{Workers: x.workers}
		require.InDelta(t, x.phases, w.InPhases(hexagons(1), x.l), 0.01, "%v", x)
		require.Greater(t, w.WhenReady(hexagons(1), x.l), x.atLeast, "%v", x)
	}
}

// TestSpans: no worker runs two tiles at once, spans hold all tiles, and their share of the time is that of the whole.
func TestSpans(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	for range 100 {
		c := hexagons(rng.Int64N(3))
		l := Load{1 + rng.Int64N(4), 1 + rng.Int64N(9), 1 + rng.Int64N(6)}
		w := Workforce{Workers: 1 + rng.IntN(8), Barrier: float64(rng.IntN(2))}
		for _, x := range []struct {
			spans func(schedule.Chains, Load, func(Span)) float64
			share float64
		}{{w.SpansInPhases, w.InPhases(c, l)}, {w.SpansWhenReady, w.WhenReady(c, l)}} {
			tiles, free, last := 0.0, make([]float64, w.Workers), 0.0
			end := x.spans(c, l, func(s Span) {
				require.Less(t, s.From, s.To)
				require.LessOrEqual(t, free[s.Worker], s.From)
				free[s.Worker], last = s.To, max(last, s.To)
				tiles += s.To - s.From
			})
			require.EqualValues(t, l.Times*2*l.Places*l.Along, tiles)
			require.LessOrEqual(t, last, end)
			require.InDelta(t, x.share, tiles/float64(w.Workers)/end, 1e-9)
		}
	}
}

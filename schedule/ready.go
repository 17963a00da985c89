package schedule

import (
	"errors"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/poly"
)

// This file asks of any schedule what its tiles would wait for if each started when those that it needs have ended,
// whether its code does so or launches phases in turn.

// Ready is the order of tiles that start when their data is ready.
type Ready struct {
	Chains Chains
	Why    string   // there are no such chains; then nothing else is set
	Kept   bool     // the code keeps this order; else it keeps that of launches
	Tile   []Dim    // indices of a tile: T, the phase, those that tell chains apart, those along a chain
	Waits  poly.Map // each tile to those that wait for it, without others in between
	Before poly.Map // each tile to all those that start only when it has ended
}

// WhenReady returns the order of s when ready: that of its waits, or of those found for the cone that it was made for, which is
// the cone of the dependences if none is known. A chain is then what a block runs.
func WhenReady(s *Schedule, cone Cone) Ready {
	r := Ready{Tile: s.Dims[:s.tileDims()]}
	if s.Fronts != nil {
		return Ready{Why: "a launch runs a front of tiles, and each front starts when the one before it has ended"}
	}
	if len(s.Cone.Lo) > 0 {
		cone = s.Cone
	}
	if r.Kept = s.Waits != nil; r.Kept {
		r.Chains = *s.Waits
	} else if r.Chains, r.Why = TryChains(s, cone, s.blocks()); r.Why != "" {
		return Ready{Why: r.Why}
	}
	err := poly.Limited(func() error {
		r.Waits, r.Before = r.Chains.Direct(r.Tile), r.Chains.before(r.Tile)
		return nil
	})
	if limit := (*poly.LimitError)(nil); errors.As(err, &limit) {
		return Ready{Why: "the order could not be computed: " + limit.Error()}
	}
	return r
}

// blocks returns how many dimensions tell the tiles of a phase apart that blocks run at once.
func (s *Schedule) blocks() (n int) {
	for _, d := range s.Phases[0].Space {
		if d.Role == Block {
			n++
		}
	}
	return max(1, n)
}

// Prove proves for all sizes that the waits of r keep the dependences of s: that each of them runs along the order, and that the waits
// imply that order among the chains that there are.
func (r Ready) Prove(s *Schedule, deps []Dependence) []Proof {
	if r.Why != "" {
		return nil
	}
	waiting := *s
	waiting.Wait(r.Chains)
	return []Proof{ProveLegality(&waiting, deps), ProveWaits(&waiting, r.Chains)}
}

// Direct relates each tile of these indices to those that wait for it: at each place along a chain, to those up to its lag further back of
// the chains of the next phase, and where chains of a phase wait for each other, to those of the next one that are no less far.
func (c Chains) Direct(tile []Dim) (m poly.Map) {
	in, out := tuple(tile, ""), tuple(tile, "'")
	for to, w := range c.Steps {
		rows := []poly.Formula{
			poly.Equal(poly.Out(0).Minus(poly.In(0)), affine.Num(w.Time)),
			poly.Equal(poly.In(1), affine.Num(int64(w.From))), poly.Equal(poly.Out(1), affine.Num(int64(to))),
		}
		for i := range c.Blocks {
			d := poly.Out(2 + i).Minus(poly.In(2 + i))
			rows = append(rows, poly.AtMost(affine.Num(w.Lo[i]), d), poly.AtMost(d, affine.Num(w.Hi[i])))
		}
		if seq := 2 + c.Blocks; seq < len(tile) {
			rows = append(rows, poly.AtMost(poly.In(seq), poly.Out(seq).Add(w.Lag)))
		}
		m = m.Union(poly.NewMap(nil, in, out, rows...))
		if c.Along {
			phase := affine.Num(int64(to))
			next := []poly.Formula{poly.Equal(poly.In(0), poly.Out(0)), poly.Equal(poly.In(1), phase), poly.Equal(poly.Out(1), phase)}
			for i := range c.Blocks {
				here := poly.In(2 + i)
				if c.open(i) {
					here = here.Add(1)
				}
				next = append(next, poly.Equal(poly.Out(2+i), here))
			}
			if seq := 2 + c.Blocks; seq < len(tile) {
				next = append(next, poly.AtMost(poly.In(seq), poly.Out(seq)))
			}
			m = m.Union(poly.NewMap(nil, in, out, next...))
		}
	}
	return m
}

// before is Order(tile).Before, with names for indices.
func (c Chains) before(tile []Dim) (m poly.Map) {
	in, out := tuple(tile, ""), tuple(tile, "'")
	for from := range c.Steps {
		for to := range c.Steps {
			at := []poly.Formula{poly.Equal(poly.In(1), affine.Num(int64(from))), poly.Equal(poly.Out(1), affine.Num(int64(to)))}
			before, _ := c.between(from, to, tile)
			m = m.Union(poly.NewMap(nil, in, out, append(at, before)...))
		}
	}
	return m.Coalesce()
}

// tuple returns that of tile, whose names end so.
func tuple(tile []Dim, end string) (v poly.Tuple) {
	for _, d := range tile {
		v.Dims = append(v.Dims, d.Name+end)
	}
	return v
}

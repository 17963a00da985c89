package ranks

import (
	"fmt"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/poly"
	"github.com/hexcc/hexcc/schedule"
)

// This file lets ranks share out tiles that are parallelograms and wait for each other (schedule/wavefront.go), as those of Gauss-Seidel in place: a point needs others of the same step, so that there are no
// phases after which all of them could send. Ranks are a pipeline instead, as in the LU solver of the NAS benchmarks. Of a border B the rank below has the tiles S0 < B. Tiles of one S0 run one after the other along S1:
//
//	(T, S0, S1)   needs (T, S0 - 1, S1) and, of the time tile before, (T - 1, S0 .. S0 + 1, S1 + Lag), and what these need
//
// A rank runs the tiles (S0, S1) of time tile T by steps number (S0 - first) + S1*apart, those of a step at once: with apart = 1 by diagonals, and with as much as it has tiles turn by turn. Each value that crosses the border goes when the tile that computes it has run:
//
//	up      as soon as the tiles (T, B - 1, S1) and all below have run; received before tile (T, B, S1) runs
//	down    as soon as the tile (T, B, S1) has run; received before tile (T + 1, B - 1, S1 - Lag) runs
//
// So a rank begins a time tile when the one below has run the first turn along S1 of it, and goes on to the next time tile when its own is done: nobody waits for all.
//
// What is sent is slabs (leaning.go), elements that the sender's tiles have written in this turn of this time tile. That they hold each value that the other rank reads is proved (pipelineproof.go); that they lose none there follows from
// the order in which the two ranks use elements, of which these are proved, too:
//
//	a tile below uses an element, then one above, and one of them writes it: that is in a later time tile, or in the same one no earlier along S1
//	a tile above does, then one below: that is in a later time tile; if in the next one, in a tile beside the border, no earlier along S1 than Lag before
//
// A rank ends a time tile before it begins the next one, and puts in place what is sent in a turn before it runs the tiles beside the border that may need it. Let w' be the write, in time tile T, whose value a
// message up has of an element: the last one below before the message was packed, in this turn or a later one. What is read above before w' is overwritten is read in an earlier time tile, so before the message. What is written above after w' is
// written in a later time tile, or no earlier along S1 than w', so behind the message. What the rank below had got down before w' was put in place before w' ran. And no later write can have taken the place of a value that is read above:
// that would be in this time tile below, before what is read in it or a later one above, against the first of the two. Down it is the same with the second.

// A Pipeline is what a plan has in place of messages after phases where tiles of one time tile need each other.
type Pipeline struct {
	Up, Down []Slab // in each turn along S1, at a border; of arrays in their order
	Lag      int64  // so many turns ahead of its own tile beside the border a rank has got of the time tile before what the rank above has sent
}

// Pipelined reports whether tiles of one time tile need each other, in the order in which a pipeline of ranks can run them: by chains that wait for the one before and, of the time tile before, for those beside them.
func Pipelined(s *schedule.Schedule) bool {
	w := s.Waits
	return w != nil && w.Along && w.Blocks == 1 && len(w.Steps) == 1 && len(s.Phases) == 1 && s.Fronts == nil && s.Canonical.Sweeps == nil && s.Canonical.Ways == nil
}

// Turns reports whether the pipeline has turns along S1: where there is one dimension of tiles, each time tile is one turn.
func (p *Plan) Turns() bool { return p.Phases[0].Second != "" }

// A piper makes pipelines, or asks questions about them.
type piper struct {
	*leaning
	pipe *Pipeline
}

func newPiper(p *Plan) *piper {
	b := newBorder(p)
	g := &piper{&leaning{border: b, name: p.Phases[0].Tile, tile: affine.Var(p.Border), first: p.FirstRow(), width: p.Width()}, p.Pipeline}
	for _, a := range p.Arrays {
		g.sides = append(g.sides, Side{Dim: a.Dim, Lo: a.Lo, Hi: a.Hi})
	}
	g.earlier = g.earlierInTimeTile
	g.slabs = func(_ int, up bool) []Slab { return g.pipe.way(up) }
	return g
}

// way returns the slabs that go up, or down.
func (p *Pipeline) way(up bool) []Slab {
	if up {
		return p.Up
	}
	return p.Down
}

// make finds what is sent.
func (g *piper) make() error {
	if err := g.allowed(); err != nil {
		return err
	}
	for i, a := range g.Arrays {
		if a.Dim < 0 || !g.scop.Writes(a.Array) {
			continue
		}
		all := g.flowsOf(a.Array)
		up, err := g.find(i, all, 0, true)
		if err != nil {
			return g.helped(err)
		}
		down, err := g.find(i, all, 0, false)
		if err != nil {
			return g.helped(err)
		}
		g.pipe.Up, g.pipe.Down = append(g.pipe.Up, up...), append(g.pipe.Down, down...)
	}
	return nil
}

// allowed returns why tiles cannot be run by a pipeline, as far as the schedule and the arrays say.
func (g *piper) allowed() error {
	if lo := g.Schedule.Waits.Steps[0].Lo[0]; lo < -1 {
		return g.no(g.scop.Start(), fmt.Sprintf("tiles need others of the time tile before that are up to %d further along %s, and ranks exchange with those beside them alone", -lo, g.name), "a larger w0 or a smaller h does, by --tile")
	}
	for k, st := range g.Scop().Stmts {
		if g.scop.Stmts[k] != st {
			return g.helped(&NotShared{At: st.Pos, Why: fmt.Sprintf("one subscript in %s stands for several", st.Name)})
		}
	}
	for _, a := range g.Arrays {
		if a.Ring && !a.Reversed() {
			return &NotShared{a.Array.Pos, fmt.Sprintf("array %s is a ring, whose ends are neighbours, and ranks are a pipeline", a.Array.Name), elsewise} // points around a ring need none of the same step
		}
	}
	return nil
}

// helped adds what helps where instances, or what they write, are no boxes.
func (g *piper) helped(err error) error {
	if no, ok := err.(*NotShared); ok && no.Help == "" {
		return g.no(no.At, no.Why+", and ranks that are a pipeline send boxes", "let each loop around it run between sums of sizes, and write A[i][j], with one loop and a number for each subscript")
	}
	return err
}

// no says why ranks are no pipeline, and what helps: where points need none of the same step, it is only that such tiles were asked for.
func (g *piper) no(at diag.Span, why, help string) error {
	if !g.Schedule.Canonical.Ordered {
		help = elsewise
	}
	return &NotShared{at, why, help}
}

// elsewise helps where tiles that wait for each other were asked for, and points need none of the same step.
const elsewise = "without --strategy=wavefront ranks share out other tiles"

// earlierInTimeTile holds where the statement that writes a value has instances in the time tile more than Depth iterations later.
func (g *piper) earlierInTimeTile(s Slab, f flow, w int) poly.Formula {
	if s.Depth < 0 {
		return poly.False()
	}
	c, t := g.Schedule.Canonical, poly.In(0).Add(s.Depth+1)
	tau := t.Times(int64(c.K)).Add(int64(c.Levels[s.Stmt.Order]) + g.Schedule.Phases[w].TimeShift)
	return poly.And(poly.AtMost(t, s.Hi[0]), poly.Less(tau, affine.Var(writerT).Times(g.Schedule.Height).Add(g.Schedule.Height)))
}

package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/ranks"
)

// This file tells what ranks own and send beside that where they are a pipeline.

type (
	// A RankPipeline is that. It is nil where tiles of a phase need none of each other.
	RankPipeline struct {
		Turns string         `json:"turns"` // the tile index along which a time tile has its turns; "": it is one turn
		Lag   int64          `json:"lag"`   // before its last tile in a turn runs, a rank has what comes down of the time tile before up to so many turns ahead
		Slabs []RankTurnSlab `json:"slabs"`
	}
	// A RankTurnSlab is what a rank sends in each turn of a time tile.
	RankTurnSlab struct {
		To        string `json:"to"` // the rank above, or below
		Statement string `json:"statement"`
		Text      string `json:"text"`  // what is written
		Rows      int64  `json:"rows"`  // at each step, at most
		Steps     int64  `json:"steps"` // the last ones of the time tile; -1: all
	}
)

// rankPipelineOf returns what is told of the pipeline of a plan.
func rankPipelineOf(p *ranks.Plan) *RankPipeline {
	if p.Pipeline == nil {
		return nil
	}
	out := &RankPipeline{Turns: p.Phases[0].Second, Lag: p.Pipeline.Lag, Slabs: []RankTurnSlab{}}
	for _, s := range slices.Concat(p.Pipeline.Up, p.Pipeline.Down) {
		x := RankTurnSlab{"below", s.Stmt.Name, s.Access.Text, s.Near + 1, -1}
		if s.Up {
			x.To, x.Rows = "above", s.Ahead
		}
		if s.Depth >= 0 && s.Depth+1 < p.Schedule.Height/int64(p.Schedule.Canonical.K) {
			x.Steps = s.Depth + 1
		}
		out.Slabs = append(out.Slabs, x)
	}
	return out
}

// textTurns writes what ranks of a pipeline send.
func (in *Inspection) textTurns(w *writer) {
	p := in.Ranks.Pipeline
	if p == nil {
		return
	}
	turn, along := "in each time tile", ""
	if p.Turns != "" {
		turn, along = "in each turn of a time tile", fmt.Sprintf(", in turns along %s", p.Turns)
	}
	w.item("pipeline", fmt.Sprintf("tiles of a time tile need each other: a rank runs them behind those of the rank below%s, and sends what they have written at a border as soon as they have", along), plainWords)
	if p.Turns != "" {
		w.item("", fmt.Sprintf("before its last tile runs in a turn, what comes down of the time tile before has come up to %s ahead", count(int(p.Lag), "turn")), plainWords)
	}
	for _, s := range p.Slabs {
		steps := "at all of its steps"
		if s.Steps == 1 {
			steps = "at its last step"
		} else if s.Steps > 0 {
			steps = fmt.Sprintf("at its last %d steps", s.Steps)
		}
		w.item("slab", fmt.Sprintf("%s, what %s writes %s: up to %s a step, to the rank %s", turn, s.Statement, steps, count(int(s.Rows), "row"), s.To), plainWords)
		w.item("", strings.Join(strings.Fields(s.Text), " "), plainWords)
	}
}

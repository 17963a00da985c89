package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/ranks"
)

// This file tells what ranks own and send beside that where they form a grid.

type (
	// A RankGrid is that. It is nil where ranks share out one dimension of tiles.
	RankGrid struct {
		Tiles  string       `json:"tiles"` // the tile index of which each column of ranks has an interval
		Width  int64        `json:"width"` // elements that a rank owns for each of its tiles
		Reach  int64        `json:"reach"` // tiles along it that a rank needs at least
		Arrays []RankArray  `json:"arrays"`
		Chain  []RankSlab   `json:"chain"`
		SetOut []RankSetOut `json:"setOut"` // for some numbers of ranks, at the sizes of the example
	}
	// A RankSlab is what a rank sends along its row after each tile of the first dimension.
	RankSlab struct {
		After     string `json:"after"` // the phase
		To        string `json:"to"`    // the rank above, or below
		Statement string `json:"statement"`
		Text      string `json:"text"`    // what is written
		Columns   int64  `json:"columns"` // at each step, at most
		Steps     int64  `json:"steps"`   // the last ones of the tile at each place; -1: all
	}
	// A RankSetOut is how so many ranks are set out.
	RankSetOut struct {
		Rows    int64 `json:"rows"`
		Columns int64 `json:"columns"`
	}
)

// rankGridOf returns what is told of the grid of a plan, with sizes if they are known.
func rankGridOf(p *ranks.Plan, params []int64) *RankGrid {
	if p.Grid == nil {
		return nil
	}
	out := &RankGrid{Tiles: p.Phases[0].Second, Width: p.ColumnWidth(), Reach: p.Grid.Reach, Arrays: []RankArray{}, Chain: []RankSlab{}, SetOut: []RankSetOut{}}
	for i, a := range p.Grid.Arrays {
		out.Arrays = append(out.Arrays, RankArray{Array: p.Arrays[i].Array.Name, Dimension: a.Dim, Below: -a.Lo, Above: a.Hi, Unit: 1})
	}
	for phase, c := range p.Grid.Chain {
		for _, s := range slices.Concat(c.Up, c.Down) {
			x := RankSlab{fmt.Sprint("phase ", phase), "below", s.Stmt.Name, s.Access.Text, s.Near + 1, -1}
			if s.Up {
				x.To, x.Columns = "above", s.Ahead
			}
			if s.Depth >= 0 {
				x.Steps = s.Depth + 1
			}
			out.Chain = append(out.Chain, x)
		}
	}
	if params == nil {
		return out
	}
	for count := exampleRanks; count <= mostExample; count *= exampleRanks {
		rows, columns := p.SetOut(params, count)
		if rows > 0 {
			out.SetOut = append(out.SetOut, RankSetOut{int64(rows), int64(columns)})
		}
	}
	return out
}

// mostExample is the most ranks that are set out as an example.
const mostExample = 1024

// textGrid writes what ranks of a grid own and send.
func (in *Inspection) textGrid(w *writer) {
	r := in.Ranks
	if r.NoGrid != "" {
		w.item("grid", "ranks share out one dimension of tiles: "+r.NoGrid, plainWords)
	}
	g := r.Grid
	if g == nil {
		return
	}
	w.item("grid", fmt.Sprintf("a rank has an interval of %s, too, of at least %s; for each it owns %d elements of an array. Of a phase, ranks of a row run each tile of %s one after the other, in a chain", g.Tiles, count(int(g.Reach), "tile"), g.Width, r.Tiles), plainWords)
	for _, a := range g.Arrays {
		text := fmt.Sprintf("shared out by columns along dimension %d; beside its own, a rank has %d elements below and %d above", a.Dimension, a.Below, a.Above)
		if a.Dimension < 0 {
			text = "all ranks of a row have the same of it"
		}
		w.item("array "+a.Array, text, plainWords)
	}
	for _, s := range g.Chain {
		steps := "at all steps of the tile"
		if s.Steps == 1 {
			steps = "at the last step of the tile at each place"
		} else if s.Steps > 0 {
			steps = fmt.Sprintf("at the last %d steps of the tile at each place", s.Steps)
		}
		w.item("chain", fmt.Sprintf("%s, what %s writes %s: up to %d columns, after each tile of %s to the rank %s", s.After, s.Statement, steps, s.Columns, r.Tiles, s.To), plainWords)
		w.item("", strings.Join(strings.Fields(s.Text), " "), plainWords)
	}
	for i, x := range g.SetOut {
		name := ""
		if i == 0 {
			name = "set out"
		}
		w.item(name, fmt.Sprintf("%d ranks: %d x %d, unless the program says it", x.Rows*x.Columns, x.Rows, x.Columns), plainWords)
	}
}

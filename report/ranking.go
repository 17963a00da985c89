package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/model"
)

// A Ranking is sizes of tiles that were weighed for a CPU. Figures are the model's, not measured.
type Ranking struct {
	// Unit is that of all figures: plain loops, of which they are shares, or weights, which compare with each other only.
	Unit  string        `json:"unit"`
	Given bool          `json:"given"` // the first sizes were given, not chosen
	Grid  []GridValue   `json:"grid"`
	Best  []RankedSizes `json:"best"` // the ones taken first
}

// RankedSizes are sizes, what a point takes with them, and what that goes into: the parts add up to it.
type RankedSizes struct {
	H        int64   `json:"h"` // -1 where time is not tiled
	W        []int64 `json:"w"`
	PerPoint float64 `json:"perPoint"` // 0: not weighed
	Work     float64 `json:"work"`     // arithmetic, and what it reads from the second level meanwhile
	Rows     float64 `json:"rows"`     // starts of rows
	Memory   float64 `json:"memory"`   // what caches and memory move
	Waiting  float64 `json:"waiting"`  // of cores for others; below 0 where tiles that wait for each other hide some of the rest
	Bound    string  `json:"bound"`    // what the most goes into; "": not known
	Why      string  `json:"why"`      // they were not taken; "" for the first
}

func rankingOf(r *model.Ranking) *Ranking {
	if r == nil {
		return nil
	}
	out, unit := &Ranking{Unit: "weights", Given: r.Given}, 1.0
	if r.Plain > 0 {
		out.Unit, unit = "plain loops", r.Plain
	}
	for _, v := range r.Grid.Values {
		out.Grid = append(out.Grid, GridValue{v.Name, v.Value, v.From})
	}
	for i, x := range r.Best {
		s := x.Shares
		out.Best = append(out.Best, RankedSizes{x.Sizes.H, slices.Clone(x.Sizes.W), x.PerPoint / unit, s.Work / unit, s.Rows / unit, s.Bytes / unit, s.Wait / unit, x.Bound, r.Why[i]})
	}
	return out
}

// textRanking writes the sizes that were weighed, and why others were not taken.
func (in *Inspection) textRanking(w *writer) {
	r := in.Ranking
	if r == nil {
		return
	}
	taken := "chosen"
	if r.Given {
		taken = "given"
	}
	w.section(fmt.Sprintf("Tile sizes: those %s, and the best others that were weighed", taken))
	w.item("for", in.Threads.Processor.text(), plainWords)
	w.item("on", orNone(gridText(r.Grid)), listWords)
	if r.Best[0].PerPoint == 0 {
		w.item("weighed", "no: sizes follow from the cache line and the second level of cache", plainWords)
		return
	}
	unit := "a point, of what it takes in plain loops under omp parallel for, by the model, not measured"
	if r.Unit != "plain loops" {
		unit = "a point, in loads of a full vector from the second level, by the model, not measured"
	}
	w.item("figures", unit, plainWords)
	rows := [][]string{{"no.", "sizes", "a point", "arithmetic", "row starts", "caches, memory", "waiting"}}
	for i, x := range r.Best {
		number := fmt.Sprint(i + 1)
		if i == 0 {
			number = taken + " 1"
		}
		row := []string{number, strings.ReplaceAll(strings.ReplaceAll(sizesText(x.H, x.W), " ", ""), ",", ", ")}
		for _, part := range []float64{x.PerPoint, x.Work, x.Rows, x.Memory, x.Waiting} {
			row = append(row, fmt.Sprintf("%.3f", part))
		}
		rows = append(rows, row)
	}
	w.table(rows)
	if b := r.Best[0].Bound; b != "" {
		w.item("bound", "most of the first takes "+b, plainWords)
	}
	for i, x := range r.Best[1:] {
		w.item(fmt.Sprintf("not no. %d", i+2), x.Why, plainWords)
	}
}

package model

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/machine"
)

// This file keeps what was weighed of one kind of tiles for a CPU, for those who want to know why sizes are what they are.

// A Ranking is sizes of tiles that were weighed for a CPU, those that were taken first, and what the model expects of each. Figures are weights: they compare
// with each other only.
type Ranking struct {
	CPU   machine.CPU
	Grid  Grid
	Given bool     // the sizes that were taken were not chosen by these weights
	Plain float64  // what a point of the loops takes as they are written, of which others are shares; 0: not known
	Best  []Ranked // at most 10
	Why   []string // by Best: why it was not taken; "" for the first
}

// NewRanking returns taken, and the others by weight.
func NewRanking(cpu machine.CPU, grid Grid, plain float64, given bool, taken Ranked, others []Ranked) *Ranking {
	r := &Ranking{CPU: cpu, Grid: grid, Plain: plain, Given: given, Best: []Ranked{taken}, Why: []string{""}}
	for _, x := range others {
		if len(r.Best) < keep && (x.Sizes.H != taken.Sizes.H || !slices.Equal(x.Sizes.W, taken.Sizes.W)) {
			r.Best, r.Why = append(r.Best, x), append(r.Why, whyNot(x, taken, given))
		}
	}
	return r
}

// whyNot says why x was not taken.
func whyNot(x, taken Ranked, given bool) string {
	most := ""
	if x.Bound != "" {
		most = ", most of it for " + x.Bound
	}
	slower := x.PerPoint/taken.PerPoint - 1
	switch {
	case taken.PerPoint == 0 || x.PerPoint == 0:
		return "not weighed"
	case slower >= 0.005:
		return fmt.Sprintf("%.0f %% slower%s", 100*slower, most)
	case slower > -0.005:
		return "about as fast" + most
	case given:
		return fmt.Sprintf("%.0f %% faster%s: other sizes were given", -100*slower, most)
	case x.moved > taken.moved && taken.moved > 0:
		return fmt.Sprintf("%.0f %% faster: too little to move %.0f %% more bytes from beyond the second level", -100*slower, 100*(x.moved/taken.moved-1))
	}
	return fmt.Sprintf("%.0f %% faster: too little to leave the sizes that are best in phases", -100*slower)
}

// Verify returns a broken invariant, or nil.
func (r *Ranking) Verify() error {
	if len(r.Best) == 0 || len(r.Why) != len(r.Best) {
		return fmt.Errorf("model: a ranking of %d sizes with %d reasons", len(r.Best), len(r.Why))
	}
	for i, x := range r.Best {
		if (r.Why[i] == "") != (i == 0) || strings.Contains(r.Why[i], "NaN") {
			return fmt.Errorf("model: %v is not taken since it is %q", x.Sizes, r.Why[i])
		}
	}
	return nil
}

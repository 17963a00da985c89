package report

import (
	"slices"
	"strings"

	"github.com/hexcc/hexcc/schedule"
)

// This file tells the order of tiles that start when their data is ready: of any schedule, whatever its code launches.

// readyOf returns the order without its proofs.
func readyOf(r schedule.Ready) *Ready {
	out := &Ready{Kept: r.Kept, Why: r.Why}
	if r.Why != "" {
		return out
	}
	for i, d := range r.Tile {
		if i < 2+r.Chains.Blocks {
			out.Chain = append(out.Chain, d.Name)
		} else {
			out.Along = append(out.Along, d.Name)
		}
	}
	for to, w := range r.Chains.Steps {
		out.Waits = append(out.Waits, ReadyWait{
			Phase: to, From: w.From, Time: w.Time, Lo: slices.Clone(w.Lo), Hi: slices.Clone(w.Hi), Lag: w.Lag, Text: r.Chains.StepText(to, r.Tile),
		})
		if r.Chains.Along {
			out.Waits = append(out.Waits, ReadyWait{Phase: to, From: to, Lo: []int64{1}, Hi: []int64{1}, Text: r.Chains.AlongText(to, r.Tile)})
		}
	}
	out.WaitMap, out.BeforeMap = r.Waits.String(), r.Before.String()
	return out
}

// prove adds the proofs of the order: those that were made already where the code keeps it.
func (out *Ready) prove(p Products, r schedule.Ready) {
	switch {
	case len(p.Proofs) == 0: // compilation stopped before any
	case r.Kept:
		for _, x := range p.Proofs {
			if x.Name == "legality" || x.Name == "waits" {
				out.Proofs = append(out.Proofs, proof(x))
			}
		}
	default:
		for _, x := range r.Prove(p.Schedule, p.Deps) {
			out.Proofs = append(out.Proofs, proof(x))
		}
	}
}

// chainText says what a chain is.
func (r *Ready) chainText() string {
	text := "the tile of one [" + strings.Join(r.Chain, ", ") + "]"
	if len(r.Along) > 0 {
		text = "the tiles of one [" + strings.Join(r.Chain, ", ") + "], which run one after the other along " + strings.Join(r.Along, ", ")
	}
	return text
}

// aheadText says what it means to be ahead; "" where chains are of one tile.
func (r *Ready) aheadText() string {
	if len(r.Along) == 0 {
		return ""
	}
	along := r.Along[0]
	return "k ahead: the tiles of a chain at " + along + " start when those of the others up to " + along + " + k have ended"
}

// keptText says what keeps the order.
func (r *Ready) keptText() string {
	switch {
	case r.fronts:
		return "a launch for each front of chains: all that one waits for ran in a launch before"
	case r.Kept:
		return "these waits"
	}
	if r.threads {
		return "barriers, which keep more: all tiles of a phase end before the next starts"
	}
	return "launches in turn, which keep more: all tiles of a phase end before the next starts"
}

// textReady writes the order when ready.
func (in *Inspection) textReady(w *writer) {
	r := in.Ready
	if r == nil {
		return
	}
	w.section("Order of tiles that start when their data is ready")
	if r.Why != "" {
		w.item("none", r.Why, plainWords)
		return
	}
	w.item("chain", r.chainText(), plainWords)
	for i, x := range r.Waits {
		name := ""
		if i == 0 {
			name = "waits"
		}
		w.item(name, x.Text, listWords)
	}
	if text := r.aheadText(); text != "" {
		w.item("", text, plainWords)
	}
	w.item("kept by", r.keptText(), plainWords)
	for i, p := range r.Proofs {
		name := ""
		if i == 0 {
			name = "proofs"
		}
		w.item(name, p.Name+": "+p.Claim+": "+verdictText(p), plainWords)
	}
}

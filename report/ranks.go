package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/ranks"
)

// This file tells what ranks own and send, where the target is MPI.

// Ranks is that. It is nil for other targets.
type Ranks struct {
	Tiles    string        `json:"tiles"` // the tile index of which each rank has an interval
	Width    int64         `json:"width"` // elements that a rank owns for each of its tiles
	Arrays   []RankArray   `json:"arrays"`
	Messages []RankMessage `json:"messages"`
	Kept     []RankKept    `json:"kept"`     // of what is sent before the first phase: until when the receiver has it, and is not sent it again; null: it is no nest of a loop that ranks run
	Sizes    []GridValue   `json:"sizes"`    // of the example
	Shares   []RankShare   `json:"shares"`   // an example: what each of four ranks has and does at these sizes; empty: they are not known, or there are too few tiles
	Grid     *RankGrid     `json:"grid"`     // null: they share out one dimension of tiles
	NoGrid   string        `json:"noGrid"`   // why they do not form a grid where they are asked to
	Pipeline *RankPipeline `json:"pipeline"` // null: tiles of a phase need none of each other
}

type (
	// A RankArray is how ranks share out an array.
	RankArray struct {
		Array     string `json:"array"`
		Dimension int    `json:"dimension"` // along which they do, from 0; -1: each has all of it
		Below     int64  `json:"below"`     // elements along it that a rank has beside its own
		Above     int64  `json:"above"`
		Ring      bool   `json:"ring"`     // its ends are neighbours: a rank owns an interval of each half
		Reversed  bool   `json:"reversed"` // tiles run through it from its last element to its first; ring is not set
		Unit      int64  `json:"unit"`     // elements along it for each point of tiles: 1, or more where one subscript stands for several
	}
	// A RankMessage is what is sent across a border at a time.
	RankMessage struct {
		After string    `json:"after"` // the phase: "phase 0"; or "start"
		To    string    `json:"to"`    // the rank above, or below
		Boxes []RankBox `json:"boxes"`
	}
	// A RankBox is elements of an array. Along the dimension that is shared out they are counted from the first element that the rank above the border owns.
	RankBox struct {
		Array string `json:"array"`
		From  int64  `json:"from"` // in time tiles that the ends of the time loop do not cut
		To    int64  `json:"to"`
		Text  string `json:"text"` // the subscripts
	}
	// A RankKept is what a rank has of rows of an array that its neighbour owns, from when they were sent until a nest runs that writes them.
	RankKept struct {
		Array   string       `json:"array"`
		To      string       `json:"to"` // above, or below
		Writers []RankWriter `json:"writers"`
	}
	// A RankWriter is a nest that writes them.
	RankWriter struct {
		Line int    `json:"line"`
		At   string `json:"at"` // at which borders, by the first element that the rank above owns; "": at any
	}
	// A RankShare is what a rank has and does.
	RankShare struct {
		First    int64  `json:"first"` // its tiles
		Last     int64  `json:"last"`
		Messages int64  `json:"messages"` // that it sends
		Bytes    int64  `json:"bytes"`
		Unread   *int64 `json:"unread"` // of these bytes, which the receiver has no use for; null: not counted
	}
)

// ranksOf returns what is told of a plan.
func ranksOf(p *ranks.Plan, loop *ranks.Loop, grid []GridValue) *Ranks {
	if p == nil {
		return nil
	}
	out := &Ranks{Tiles: p.Phases[0].Tile, Width: p.Width(), NoGrid: p.NoGrid, Kept: keptOf(p, loop), Pipeline: rankPipelineOf(p)}
	for _, a := range p.Arrays {
		out.Arrays = append(out.Arrays, RankArray{a.Array.Name, a.Dim, -a.Lo, a.Hi, a.Ring && !a.Reversed(), a.Reversed(), a.Unit})
	}
	for i, strips := range p.Messages() {
		if len(strips) == 0 {
			continue
		}
		m := RankMessage{After: "start", To: []string{"above", "below"}[i%2]}
		if i > 1 {
			m.After = fmt.Sprint("phase ", i/2-1)
		}
		for _, s := range strips {
			if b := rankBox(p, s, i < 2); b.From <= b.To { // others are sent only where the time loop begins or ends in a time tile
				m.Boxes = append(m.Boxes, b)
			}
		}
		out.Messages = append(out.Messages, m)
	}
	params := make([]int64, len(p.Scop().Params))
	for i, q := range p.Scop().Params {
		known := false
		for _, v := range grid {
			if v.Name == q.Name {
				params[i], known = v.Value, true
			}
		}
		if !known {
			out.Grid = rankGridOf(p, nil)
			return out
		}
	}
	out.Sizes, out.Grid = grid, rankGridOf(p, params)
	shares, _ := p.Shares(params, exampleRanks)
	unread, err := p.Unread(params, exampleRanks)
	for i, s := range shares {
		x := RankShare{s.First, s.Last, s.Messages, s.Bytes, nil}
		if err == nil {
			x.Unread = &unread[i]
		}
		out.Shares = append(out.Shares, x)
	}
	return out
}

// keptOf returns what is told of the halos of a plan.
func keptOf(p *ranks.Plan, loop *ranks.Loop) []RankKept {
	if loop == nil {
		return nil
	}
	list := []RankKept{}
	for k, halo := range loop.Halos {
		if loop.Plans[halo.Plan] != p {
			continue
		}
		x := RankKept{Array: p.Arrays[halo.Array].Array.Name, To: map[bool]string{true: "above", false: "below"}[halo.Up], Writers: []RankWriter{}}
		for i, arrays := range loop.Stale {
			for _, all := range arrays {
				for _, s := range all {
					if s.Halo != k {
						continue
					}
					w := RankWriter{Line: loop.Plans[i].Scop().UserLine()}
					if s.From != nil {
						from, to := firstRowAt(loop.Plans[loop.Widest], s.From), firstRowAt(loop.Plans[loop.Widest], s.To)
						if w.At = fmt.Sprintf("first = %v", from); !affine.Same(from, to) {
							w.At += fmt.Sprintf(" .. %v", to)
						}
					}
					if !slices.Contains(x.Writers, w) {
						x.Writers = append(x.Writers, w)
					}
				}
			}
		}
		list = append(list, x)
	}
	return list
}

// firstRowAt returns the first row that the rank above a border owns.
func firstRowAt(p *ranks.Plan, border affine.Expr) affine.Expr {
	if b, ok := border.(affine.Sum); ok {
		return p.BorderRow().Subst(map[string]affine.Sum{p.Border: b})
	}
	return border
}

// exampleRanks is how many ranks the example has.
const exampleRanks = 4

// rankBox returns what is told of a box; where it is sent before the first phase also of which rows of the array it is, if not of all.
func rankBox(p *ranks.Plan, s ranks.Strip, before bool) RankBox {
	b := RankBox{Array: s.Array.Name}
	b.From, b.To = s.Usual()
	dim := -1
	var sum affine.Sum
	for _, a := range p.Arrays {
		if a.Array == s.Array {
			dim, sum = a.Dim, a.Sum
		}
	}
	for d := range s.Lo {
		every := ""
		if s.Every != nil {
			every = s.Every[d].Text()
		}
		if end := p.Scop().Sum(s.Array.Extents[d], nil).Add(-1); d == dim && (before || atEnd(s.Lo[d], s.Hi[d])) && sum.Terms == nil && (!affine.Same(s.Lo[d], affine.Num(0)) || !affine.Same(s.Hi[d], end)) {
			every += fmt.Sprintf(", within %v .. %v", s.Lo[d], s.Hi[d])
		}
		switch {
		case d == dim && s.Upper && sum.IsNum():
			b.Text += fmt.Sprintf("[%d - first .. %d - first%s]", sum.Const-b.To, sum.Const-b.From, every)
		case d == dim && s.Upper:
			b.Text += fmt.Sprintf("[%v - (first%+d) .. %v - (first%+d)%s]", sum, b.To, sum, b.From, every)
		case d == dim:
			b.Text += fmt.Sprintf("[first%+d .. first%+d%s]", b.From, b.To, every)
		case affine.Same(s.Lo[d], s.Hi[d]):
			b.Text += fmt.Sprintf("[%v]", s.Lo[d])
		default:
			b.Text += fmt.Sprintf("[%v .. %v%s]", s.Lo[d], s.Hi[d], every)
		}
	}
	return b
}

// atEnd reports whether rows from lo to hi are so many at all sizes: some near an end of the array.
func atEnd(lo, hi affine.Expr) bool {
	l, ok := lo.(affine.Sum)
	h, all := hi.(affine.Sum)
	return ok && all && h.Minus(l).IsNum()
}

// until says until when a rank has what has been sent.
func (k RankKept) until() string {
	if len(k.Writers) == 0 {
		return "once it has come: no nest writes it"
	}
	var lines []string
	for _, w := range k.Writers {
		text := fmt.Sprint(w.Line)
		if w.At != "" {
			text += " (" + w.At + ")"
		}
		lines = append(lines, text)
	}
	return "until a nest that writes it has run: of line " + strings.Join(lines, ", ")
}

// unread says how much is sent that is not read.
func (s RankShare) unread() string {
	if s.Unread == nil || *s.Unread == 0 {
		return ""
	}
	return fmt.Sprintf(", %d of which the receiver does not read", *s.Unread)
}

// textRanks writes what ranks own and send.
func (in *Inspection) textRanks(w *writer) {
	r := in.Ranks
	if r == nil {
		return
	}
	w.section("Ranks: who owns what, and what is sent")
	w.item("tiles", fmt.Sprintf("a rank has an interval of %s, in all phases and time tiles; for each of its tiles it owns %d elements of an array", r.Tiles, r.Width), plainWords)
	for _, a := range r.Arrays {
		by := ""
		if a.Unit > 1 {
			by = fmt.Sprintf(", %d elements for each point", a.Unit)
		}
		text := fmt.Sprintf("shared out along dimension %d%s; beside its own, a rank has %d elements below and %d above", a.Dimension, by, a.Below, a.Above)
		switch {
		case a.Dimension < 0:
			text = "each rank has all of it"
		case a.Reversed:
			text = fmt.Sprintf("shared out along dimension %d, from its end on: the first rank owns the last elements", a.Dimension)
		case a.Ring:
			text = fmt.Sprintf("shared out along dimension %d, a ring: a rank owns an interval of each half", a.Dimension)
		}
		w.item("array "+a.Array, text, plainWords)
	}
	for _, m := range r.Messages {
		when := "before the first phase"
		if m.After != "start" {
			when = "after " + m.After
		}
		for i, b := range m.Boxes {
			name := ""
			if i == 0 {
				name = "message"
				b.Text += fmt.Sprintf(", %s to the rank %s", when, m.To)
			}
			w.item(name, b.Array+b.Text, plainWords)
		}
	}
	in.textTurns(w)
	for _, k := range r.Kept {
		w.item("kept", fmt.Sprintf("%s, by the rank %s: it is not sent again %s", k.Array, k.To, k.until()), plainWords)
	}
	w.item("", "first is the first element that the rank above the border owns; where the time loop begins or ends in a time tile, there are fewer", plainWords)
	if len(r.Shares) > 0 {
		column := ""
		if r.Grid != nil {
			column = " in one column"
		}
		w.item("example", fmt.Sprintf("%d ranks%s, %s", len(r.Shares), column, gridText(r.Sizes)), plainWords)
		for i, s := range r.Shares {
			w.item("", fmt.Sprintf("rank %d: %s from %d to %d; sends %d messages, %d bytes%s", i, r.Tiles, s.First, s.Last, s.Messages, s.Bytes, s.unread()), plainWords)
		}
	}
	in.textGrid(w)
}

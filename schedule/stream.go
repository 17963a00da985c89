package schedule

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/scop"
)

// This file streams inside of tiles that overlap (2.5-D blocking). A tile does not run its boxes step by step, but plane by plane along one dimension of
// space, and at each position all of its steps, each some planes behind what it reads:
//
//	S_i[t, ..] -> [T, 0, S0, .., Sn, plane, tau, s0, .., sn]     plane = s_k + Delay_i(a)
//
// So of each array a tile needs only the few planes around its position at a time, as far as the last that reads a plane is behind the first that uses it:
// boxes may be long along s_k and wide across it. Delays are the least that keep each dependence:
//
//	Delay_dst(a + dtau) >= Delay_src(a) - ds     over all at the distance ds along s_k, dtau steps later
//
// For example, b[i] = a[i-1] + a[i+1] with c[i] = b[i-1] + b[i+1] behind it: at position 5, b[5] is computed of a[4] and a[6], then c[4] of b[3] and b[5].
// The last to be loaded is a[6], and three planes of each of a and b are enough.

// A Stream is the order of planes in the tiles of a phase.
type Stream struct {
	Dim    int       // of space: planes are the points of one coordinate along it
	Delays [][]int64 // by statement and step
}

// Delay returns how many positions behind its coordinate along the dimension of x a point of st runs at step a.
func (x *Stream) Delay(st *scop.Stmt, a int64) int64 { return x.Delays[st.Order][a] }

// Stream returns the order of planes in the tiles of s, which all phases have along one dimension; nil: tiles run step by step.
func (s *Schedule) Stream() *Stream { return s.Phases[0].Stream }

// half returns x in a time tile of twice as many steps, height, whose steps begin at from.
func (x *Stream) half(from, height int64) *Stream {
	h := &Stream{Dim: x.Dim}
	for _, own := range x.Delays {
		all := make([]int64, 2*height)
		copy(all[from:], own)
		h.Delays = append(h.Delays, all)
	}
	return h
}

// checkStream returns nil where tiles of c may stream as sizes say, and otherwise a diag.List.
func checkStream(c *Canonical, sizes Sizes) error {
	if sizes.Stream == nil {
		return nil
	}
	n := len(c.Space)
	if k := *sizes.Stream; k < 0 || k >= n {
		return diag.List{{Code: "HX204", Msg: fmt.Sprintf("stream=%d: dimensions of space are 0 to %d", k, n-1), Help: fmt.Sprintf("choose stream=%d", max(0, min(k, n-1)))}}
	}
	if n < 2 {
		return diag.List{{Code: "HX204", Msg: "stream=0: one dimension of space has no planes", Help: "leave stream out of --tile"}}
	}
	return nil
}

// stream returns the order of planes that sizes ask for, of tiles of a group of statements with these dependences among others; nil: they ask for none.
func (o *Overlap) stream(sizes Sizes, group []int, flows, antis []span) (*Stream, error) {
	if sizes.Stream == nil {
		return nil, nil
	}
	height := sizes.H * int64(o.c.K)
	outputs, err := o.spansOf(Output, height)
	if err != nil {
		return nil, err
	}
	x := &Stream{Dim: *sizes.Stream}
	for range o.c.Scop.Stmts {
		x.Delays = append(x.Delays, make([]int64, height))
	}
	for a := range height {
		for _, dst := range o.c.At(int(a % int64(o.c.K))) { // at one place, in the order in which they run
			if !slices.Contains(group, dst.Order) {
				continue
			}
			delay := &x.Delays[dst.Order][a]
			for _, spans := range [][]span{flows, antis, outputs} {
				for _, y := range spans {
					if src := y.dep.Src; y.dep.Dst == dst && y.dtau <= a && o.runs(src, a-y.dtau) && slices.Contains(group, src.Order) {
						*delay = max(*delay, x.Delays[src.Order][a-y.dtau]-y.lo[x.Dim])
					}
				}
			}
		}
	}
	return x, nil
}

// runs reports whether st runs at step a.
func (o *Overlap) runs(st *scop.Stmt, a int64) bool {
	return o.c.Levels[st.Order] == int(a%int64(o.c.K))
}

// writeDelays writes a line for each statement with its delays, as in
//
//	#   S1 runs at plane = s0 + 0 1 2
func (s *Schedule) writeDelays(b *strings.Builder, x *Stream) {
	if x == nil {
		return
	}
	for _, st := range s.Canonical.Scop.Stmts {
		fmt.Fprintf(b, "#   %s runs at plane = %s +", st.Name, s.Canonical.Space[x.Dim])
		for a := int64(s.Canonical.Levels[st.Order]); a < s.Height; a += int64(s.Canonical.K) {
			fmt.Fprintf(b, " %d", x.Delay(st, a))
		}
		b.WriteByte('\n')
	}
}

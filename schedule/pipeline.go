package schedule

import (
	"fmt"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/poly"
	"github.com/hexcc/hexcc/scop"
)

// This file is about chains whose tiles are run by several warps at once. Warp q runs some steps of each tile, later ones than warp q-1, and is a few
// beats behind it:
//
//	tile S1 of steps q*M .. q*M + M-1 runs at beat S1 + q*D, by warp q
//
// Let one instance depend on another one of its chain, in tile S1' at step a', where S1' <= S1 and a' < a. If one warp runs both, it runs the other one in an
// earlier beat, or in the same one at an earlier step. If warps q' < q do, then it runs (S1 - S1') + (q - q')*D >= D beats earlier, so that
// a barrier every D beats lies between them. So all that has to be asked is whether S1' <= S1 and a' < a. Statements of one step
// may depend on each other at the same place, which one lane has: it has to run them in that order.

// Where tiles have several lines, warps across may run those of one step, warp v some beats v*D later than the first. Then nothing may depend on a line further along the strip: if
// warps q' <= q and v' <= v run the two, and they are not the same, it is D beats or more again.

// ProvePipeline proves that the tiles of a chain of s may be run by a pipeline of warps that are beats behind each other, and across its lines, too, if that is so. before says whether warps run src
// before dst at each place of a step.
func ProvePipeline(s *Schedule, deps []Dependence, beats int64, across bool, before func(src, dst *scop.Stmt) bool) Proof {
	claim := fmt.Sprintf("warps that run later steps of a chain's tiles, %d rows behind each other, find what they depend on done", beats)
	return prove(s, "pipeline", claim, func(p prover) {
		tile := s.tileDims()
		for _, group := range byStatements(deps) {
			src, dst := group[0].Src, group[0].Dst
			text := fmt.Sprintf("in a chain, what %s depends on of %s is in no later tile, and of an earlier step", dst.Name, src.Name)
			late := poly.AtMost(poly.Out(tile), poly.In(tile))
			if s.inTurn(src, dst) && before(src, dst) {
				text += ", or at the same place and before it"
				late = poly.Or(poly.Less(poly.Out(tile), poly.In(tile)), poly.And(late, s.elsewhere()))
			}
			p.Ask(text, func() string {
				for _, d := range group {
					m := s.Part(d.Src).Inverse().ApplyRange(d.Map).ApplyRange(s.Part(d.Dst)) // vector of the source -> vector of the target
					var chain []poly.Formula
					for i := range tile - 1 { // T, phase, and what tells chains apart
						chain = append(chain, poly.Equal(poly.In(i), poly.Out(i)))
					}
					later := poly.Or(poly.Less(poly.Out(tile-1), poly.In(tile-1)), late)
					v := poly.Tuple{Dims: poly.Dims(len(s.Dims))}
					bad := m.Intersect(poly.NewMap(nil, v, v, append(chain, later)...))
					if !p.empty(bad) {
						return fmt.Sprintf("%s depends on %s, of a later tile or no earlier step: %v", dst.Name, src.Name, bad)
					}
				}
				return ""
			})
		}
		if across {
			s.askLines(p, deps)
		}
		p.Ask("warps are beats behind each other", func() string {
			if beats < 1 {
				return affine.Num(beats).String() + " beats"
			}
			return ""
		})
	})
}

// askLines asks that nothing depends on a line of its chain which lies further along dimension 1, counted from the first line of the tile in its step.
func (s *Schedule) askLines(p prover, deps []Dependence) {
	tile := s.tileDims()
	line := len(s.Dims) - len(s.Canonical.Space) + 1
	for phase, ph := range s.Phases {
		step := func(of func(int) affine.Sum, a int64) poly.Formula { // of time step tau = Height*T - TimeShift + a
			return poly.Equal(of(tile), of(0).Times(s.Height).Add(a-ph.TimeShift))
		}
		var further []poly.Formula
		for a := range s.Height {
			for b := range a {
				least := ph.Space[1].Lo[a] - ph.Space[1].Lo[b]
				further = append(further, poly.And(step(poly.Out, a), step(poly.In, b), poly.Less(poly.Out(line).Add(-least), poly.In(line))))
			}
		}
		chain := []poly.Formula{poly.Equal(poly.In(1), affine.Num(int64(phase))), poly.Or(further...)}
		for i := range tile - 1 {
			chain = append(chain, poly.Equal(poly.In(i), poly.Out(i)))
		}
		v := poly.Tuple{Dims: poly.Dims(len(s.Dims))}
		where := poly.NewMap(nil, v, v, chain...)
		for _, group := range byStatements(deps) {
			src, dst := group[0].Src, group[0].Dst
			p.Ask(fmt.Sprintf("in phase %d, what %s depends on of %s is in no line further along its strip", phase, dst.Name, src.Name), func() string {
				for _, d := range group {
					m := s.Part(d.Src).Inverse().ApplyRange(d.Map).ApplyRange(s.Part(d.Dst))
					if bad := m.Intersect(where); !p.empty(bad) {
						return fmt.Sprintf("%s depends on %s, in a line further along: %v", dst.Name, src.Name, bad)
					}
				}
				return ""
			})
		}
	}
}

// elsewhere holds of vectors of points at different places in space.
func (s *Schedule) elsewhere() poly.Formula {
	var same []poly.Formula
	for i := len(s.Dims) - len(s.Canonical.Space); i < len(s.Dims); i++ {
		same = append(same, poly.Equal(poly.In(i), poly.Out(i)))
	}
	return poly.Not(poly.And(same...))
}

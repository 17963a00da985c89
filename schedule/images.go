package schedule

import "github.com/hexcc/hexcc/poly"

// This file asks whether a schedule whose tiles overlap is legal. An instance then has several images, each of which
// computes the same value for its own tile, in memory that no other tile sees; one of them, the owner, stores it for
// all. The question is put by images, so that with one image each it is that of ProveLegality:
//
//   - an image that reads finds the value in its tile, where an image of the source ran before it, or in memory: the
//     source's owner is in a tile before it;
//   - of a temporary, which is in no memory but that of tiles, it finds it in its tile, and it is shown besides that what is read was written
//     in the same iteration of the time loop;
//   - an image that writes what others read, or write, does so after those of its own tile; and an owner, which
//     writes to memory, after all that read it there or that own an earlier value.

// sameLaunch relates the tiles of one launch, by phases.
func (s *Schedule) sameLaunch() poly.Map {
	v := poly.Tuple{Dims: poly.Dims(s.tileDims())}
	return poly.NewMap(nil, v, v, poly.Equal(poly.In(0), poly.Out(0)), poly.Equal(poly.In(1), poly.Out(1)))
}

// illegal returns how images break a dependence of one pair of statements, "" if none does.
func (p prover) illegal(group []Dependence) string {
	s := p.s
	src, dst := group[0].Src, group[0].Dst
	back := s.Part(dst).Inverse()
	early := s.Part(src).ApplyRange(s.notLater()).ApplyRange(back) // in one tile, and not in order there
	for _, d := range group {
		var bad poly.Map
		if s.temporary(d.SrcAccess.Array) { // there is no memory between tiles: what another iteration has left is not read
			if bad = early; d.Kind == Flow {
				d.Map = d.Map.Intersect(sameTime(src, dst))
				bad = d.Map.ApplyRange(s.Part(dst)).Subtract(s.Part(src).ApplyRange(s.later())).ApplyRange(back)
			}
		} else if d.Kind == Flow {
			served := s.Part(src).ApplyRange(s.later()).Union(s.owner(src).ApplyRange(s.ofTiles(s.Order.Before)))
			bad = d.Map.ApplyRange(s.Part(dst)).Subtract(served).ApplyRange(back)
		} else {
			from := s.Part(src)
			if d.Kind == Output {
				from = s.owner(src)
			}
			free := s.Order.Free
			if d.Kind == Anti && s.Version(d.SrcAccess.Array) != nil { // what a launch stores is another version than what it reads
				free = free.Subtract(s.sameLaunch())
			}
			bad = from.ApplyRange(s.ofTiles(free)).ApplyRange(s.owner(dst).Inverse()).Union(early)
		}
		if bad = bad.Intersect(d.Map); !p.empty(bad) {
			return p.reversal(d, bad)
		}
	}
	return ""
}

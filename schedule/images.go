package schedule

import (
	"fmt"
	"slices"
	"sync"

	"github.com/hexcc/hexcc/poly"
	"github.com/hexcc/hexcc/scop"
)

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

// updates returns how instances of st read what they store themselves, for each pair of such accesses, each instance related to itself. That is no dependence, but
// where tiles overlap an image may read from memory what the owner of the same instance stores. What an instance has stored before it reads it is not in memory.
func updates(st *scop.Stmt) (all []Dependence) {
	same := make([]poly.Formula, len(st.Iters))
	for i := range st.Iters {
		same[i] = poly.Equal(poly.In(i), poly.Out(i))
	}
	self := poly.NewMap(nil, st.Tuple(), st.Tuple(), same...)
	for i, r := range st.Accesses {
		if r.Write || st.Settled && st.Conditional(r) || slices.ContainsFunc(st.Accesses[:i], func(w *scop.Access) bool {
			return w.Write && w.Array == r.Array && slices.EqualFunc(w.Index, r.Index, SameIndex)
		}) {
			continue
		}
		for _, w := range st.Accesses {
			if w.Write && w.Array == r.Array {
				if at := r.Map.Intersect(w.Map).Domain().Intersect(st.Domain); !at.IsEmpty() {
					all = append(all, Dependence{Kind: Anti, Src: st, Dst: st, SrcAccess: r, DstAccess: w, Map: self.IntersectDomain(at)})
				}
			}
		}
	}
	return all
}

// raced returns how an image of an instance of st reads from memory what the owner of the instance, in another tile, stores meanwhile, "" if none does.
func (p prover) raced(st *scop.Stmt) string {
	s := p.s
	for _, d := range updates(st) {
		if s.temporary(d.SrcAccess.Array) {
			continue
		}
		others := s.ofTiles(s.freeOf(d))
		if bad := s.Part(st).ApplyRange(others).ApplyRange(s.owner(st).Inverse()).Intersect(d.Map); !p.empty(bad) {
			return p.instance(st, bad.Domain()) + fmt.Sprintf(" runs in several tiles, which read %s while one of them stores %s", d.SrcAccess.Text, d.DstAccess.Text)
		}
	}
	return ""
}

// freeOf relates tiles to those that may start before they have ended, and so store what they read: of an array in two versions, none of the same launch, which
// stores the other version.
func (s *Schedule) freeOf(d Dependence) poly.Map {
	if d.Kind == Anti && s.Version(d.SrcAccess.Array) != nil {
		return s.Order.Free.Subtract(s.sameLaunch())
	}
	return s.Order.Free
}

// sameLaunch relates the tiles of one launch, by phases.
func (s *Schedule) sameLaunch() poly.Map {
	v := poly.Tuple{Dims: poly.Dims(s.tileDims())}
	return poly.NewMap(nil, v, v, poly.Equal(poly.In(0), poly.Out(0)), poly.Equal(poly.In(1), poly.Out(1)))
}

// illegal returns how images break a dependence of one pair of statements, "" if none does. Instances of the source are related to the places of those
// images of the target that depend on them, and of these places what would be wrong of any is taken, which is found once for all dependences of a kind.
func (p prover) illegal(group []Dependence) string {
	s := p.s
	src, dst := group[0].Src, group[0].Dst
	early := sync.OnceValue(func() poly.Map { return s.Part(src).ApplyRange(s.notLater()) }) // in one tile, and not in order there
	own := sync.OnceValue(func() poly.Map { return s.Part(src).ApplyRange(s.later()) })
	unserved := sync.OnceValue(func() poly.Map { return s.owner(src).ApplyRange(s.ofTiles(s.Order.Before.Complement())) })
	unowned := sync.OnceValue(func() poly.Set { return src.Domain.Subtract(s.owner(src).Domain()) })
	type order struct{ output, versions bool }
	unordered := map[order]poly.Map{}
	for _, d := range group {
		temporary := s.temporary(d.SrcAccess.Array)
		if temporary && d.Kind == Flow { // there is no memory between tiles: what another iteration has left is not read
			d.Map = d.Map.Intersect(sameTime(src, dst))
		}
		images := d.Map.ApplyRange(s.Part(dst))
		var bad poly.Map
		switch {
		case temporary && d.Kind == Flow:
			bad = images.Subtract(own())
		case temporary:
			bad = images.Intersect(early())
		case d.Kind == Flow:
			// What memory serves is taken away as what it does not serve is kept: of that little is left, all in one time tile.
			bad = images.Intersect(unserved()).Union(images.IntersectDomain(unowned())).Subtract(own())
		default:
			key := order{d.Kind == Output, d.Kind == Anti && s.Version(d.SrcAccess.Array) != nil}
			free, found := unordered[key]
			if !found {
				from := s.Part(src)
				if d.Kind == Output {
					from = s.owner(src)
				}
				free = from.ApplyRange(s.ofTiles(s.freeOf(d)))
				unordered[key] = free
			}
			bad = images.Intersect(early()).Union(d.Map.ApplyRange(s.owner(dst)).Intersect(free))
		}
		if !p.empty(bad) {
			return p.reversal(d, bad.ApplyRange(s.Part(dst).Inverse()).Intersect(d.Map))
		}
	}
	return ""
}

package schedule

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/poly"
)

// This file orders tiles by what they need, not by launches. A chain is what one block, or one thread, runs in order: the
// tiles [T, phase, S0, ..] of all values of the last dimensions. Chains start in any order, several phases and
// time tiles at once, and keep the order of dependences by waiting: before its tiles at place k of the outermost of these
// dimensions, a chain waits until chains next to it of the phase before have ended theirs at k + lag, and all before.
//
//	(T, 0, S0) waits for (T-1, 1, S0-1) and (T-1, 1, S0)      (T, 1, S0) waits for (T, 0, S0) and (T, 0, S0+1)
//
// for hexagons with slopes of 1, with the lag ⌈(h+1)/w1⌉: skewed tiles start anew in each time tile, so that what a
// tile reads of the phase before lies at most so many tiles to the right.
//
// The waits are found from the cone. Two points of it are so many time steps apart, their places at most that many times the
// slopes; rows of tiles at steps a and a' of two phases then say by how much indices of their tiles differ at most,
// as numbers, since tiles of all time tiles and places are alike. Chains of a phase wait for the phase before it only. What
// that implies by way of several phases, m of them, lies within sums of m waits: an order of tiles in closed form, which the
// proof of legality reads. It claims nothing of how the waits were found.

// Where slopes above are not bounded, as in parallelograms (wavefront.go), or where classical tiles that lie side by side are chains of their own,
// chains of one phase depend on those before them, too: each waits for the one before it along the last dimension that tells chains
// apart, whose tiles have to be no further than its own. By way of that it waits for all before.
//
//	(T, 0, S0) waits for (T, 0, S0-1), and (T-1, 0, S0) and (T-1, 0, S0+1)

// Chains say how tiles are kept in order by waiting.
type Chains struct {
	Blocks int    // of a chain: so many dimensions after T and the phase tell it from others
	Steps  []Wait // by phase: what its chains wait for
	Along  bool   // [T, phase, .., S] waits for [T, phase, .., S - 1], too, with a lag of 0; then the last Hi of each step is 0
}

// A Wait is for the chains of the phase before: [T - Time, From, S - d] for each Lo <= d <= Hi, by dimension that tells chains apart.
type Wait struct {
	From   int     // the phase before
	Time   int64   // 1 if that is the last one, of the time tile before; else 0
	Lo, Hi []int64 // Lo <= 0 <= Hi
	Lag    int64   // in values of the outermost dimension along a chain
}

// Wait lets the tiles of s start in the order that the waits of c keep, not in that of launches.
func (s *Schedule) Wait(c Chains) {
	s.Waits, s.Order = &c, c.Order(s.Dims[:s.tileDims()])
}

// maxWidening bounds how often waits are made longer for what more than one of them must imply.
const maxWidening = 64

// A Box is local coordinates of a tile from Lo to Hi, by dimension of space: where the points of a step lie, or the elements of an array that a tile may touch.
type Box struct{ Lo, Hi []int64 }

// empty reports whether b has no point.
func (b Box) empty() bool {
	for p := range b.Lo {
		if b.Lo[p] > b.Hi[p] {
			return true
		}
	}
	return false
}

// FindChains returns how waits keep the tiles of s in order, if a cone bounds the dependences. The tiles of a chain differ
// from the blocks-th dimension of Nest on. Tiles whose boxes have something in common are in order too, unless they are of one phase
// and time tile: there is a list of boxes, one for each phase, for each array of which tiles touch more than their instances do.
// ok is false where no such waits are found.
func FindChains(s *Schedule, cone Cone, blocks int, boxes ...[]Box) (c Chains, ok bool) {
	c, why := TryChains(s, cone, blocks, boxes...)
	return c, why == ""
}

// FindStrips is FindChains where each classical tile along the first of those dimensions is a chain of its own, which waits for the one before it.
func FindStrips(s *Schedule, cone Cone) (c Chains, ok bool) {
	c, why := tryChains(s, cone, Chains{Blocks: 2, Along: true})
	return c, why == ""
}

// TryChains is FindChains, and says why no waits are found: the cone is open in a dimension that tells chains apart, say.
func TryChains(s *Schedule, cone Cone, blocks int, boxes ...[]Box) (c Chains, why string) {
	return tryChains(s, cone, Chains{Blocks: blocks}, boxes...)
}

// tryChains is TryChains for so many blocks as c has, and with chains that wait for those before them in their phase, if c has such.
func tryChains(s *Schedule, cone Cone, c Chains, boxes ...[]Box) (_ Chains, why string) {
	switch {
	case s.Overlaps():
		return c, "tiles overlap, so that several of them run an iteration"
	case !s.alike():
		return c, "the phases differ in the strides or in the drift of their tiles"
	case len(cone.Lo) != len(s.Canonical.Space):
		return c, "no slopes bound how far tiles reach that others need"
	}
	first, phases := s.Phases[0], len(s.Phases)
	reach := bounds{s, cone, boxes, map[phasePair]answer{}}
	for to := range phases {
		w := Wait{From: to - 1}
		if to == 0 {
			w.From, w.Time = phases-1, 1
		}
		n, some := reach.needs(w.From, to, w.Time)
		if !some { // no more than to keep phases in a row
			n = need{make([]int64, len(first.Space)), make([]int64, len(first.Space))}
		}
		if c.Along {
			n.hi[c.Blocks-1] = 0
		}
		if !n.closed(c.Blocks) {
			return c, "no slope bounds from above how far tiles reach along " + s.Dims[2+slices.Index(n.hi[:c.Blocks], unlimited)].Name
		}
		w.Lag = n.lag(c.Blocks)
		for i := range c.Blocks { // with 0 in between, what several waits imply holds among the chains that there are
			w.Lo, w.Hi = append(w.Lo, min(n.lo[i], 0)), append(w.Hi, max(n.hi[i], 0))
		}
		c.Steps = append(c.Steps, w)
	}
	for range maxWidening {
		if !c.widen(reach) {
			return c, ""
		}
	}
	return c, "what tiles need of several phases before grows faster than what they wait for"
}

// alike reports whether the phases of s differ in offsets only, and in the shapes of tiles.
func (s *Schedule) alike() bool {
	first := s.Phases[0]
	return !slices.ContainsFunc(s.Phases, func(ph Phase) bool {
		for p, d := range ph.Space {
			if e := first.Space[p]; d.Stride != e.Stride || d.Drift != e.Drift || d.Role != e.Role {
				return true
			}
		}
		return false
	})
}

// A need is how far the indices of a tile lie beyond those of a tile whose points it depends on, by dimension in the order
// of Nest: lo to hi. unlimited ends are those of dimensions in which the cone is open.
type need struct{ lo, hi []int64 }

// closed reports whether the first n dimensions have ends.
func (n need) closed(dims int) bool { return !slices.Contains(n.hi[:dims], unlimited) }

// lag returns how far the outermost of the dimensions behind blocks may lie beyond that of the tile that depends on it.
func (n need) lag(blocks int) int64 {
	if blocks == len(n.lo) {
		return 0
	}
	return max(0, -n.lo[blocks])
}

// bounds are what tells which tiles a tile may depend on.
type bounds struct {
	*Schedule
	cone  Cone
	boxes [][]Box
	found map[phasePair]answer // of needs
}

// A phasePair is a phase, and another one so many time tiles later.
type phasePair struct {
	from, to int
	time     int64
}

// An answer is what needs returned.
type answer struct {
	need
	some bool
}

// needs returns the need of a phase for another, so many time tiles before. some is false where no two of their points are in
// the cone, nor two of their boxes ever have something in common.
func (s bounds) needs(from, to int, time int64) (n need, some bool) {
	key := phasePair{from, to, time}
	a, ok := s.found[key]
	if !ok {
		a.need, a.some = s.inEither(from, to, time)
		s.found[key] = a
	}
	return need{slices.Clone(a.lo), slices.Clone(a.hi)}, a.some
}

// inEither is needs, which remembers it.
func (s bounds) inEither(from, to int, time int64) (n need, some bool) {
	n, some = s.inCone(from, to, time)
	for _, b := range s.boxes {
		m := s.inBoxes(b, from, to, time)
		if !some {
			n, some = m, true
			continue
		}
		for i := range n.lo {
			n.lo[i], n.hi[i] = min(n.lo[i], m.lo[i]), max(n.hi[i], m.hi[i])
		}
	}
	return n, some
}

// inBoxes returns how far tiles lie apart whose boxes have something in common.
func (s bounds) inBoxes(boxes []Box, from, to int, time int64) (n need) {
	src, dst := s.Phases[from], s.Phases[to]
	for _, p := range src.Nest() {
		x, y := src.Space[p], dst.Space[p]
		base := y.Drift*time + y.Offset - x.Offset // Stride·(S' - S) = ds - base - (b' - b)
		n.lo = append(n.lo, -floorDiv(base+boxes[to].Hi[p]-boxes[from].Lo[p], x.Stride))
		n.hi = append(n.hi, floorDiv(boxes[from].Hi[p]-boxes[to].Lo[p]-base, x.Stride))
	}
	return n
}

// inCone returns how far tiles lie apart of which points are in the cone.
func (s bounds) inCone(from, to int, time int64) (n need, some bool) {
	src, dst, cone := s.Phases[from], s.Phases[to], s.cone
	nest := src.Nest()
	n.lo, n.hi = slices.Repeat([]int64{math.MaxInt64}, len(nest)), slices.Repeat([]int64{math.MinInt64}, len(nest))
	far := s.Height*(time+1) - dst.TimeShift + src.TimeShift // the last step of one tile behind the first of the other
	ahead, behind := make([][]int64, len(nest)), make([][]int64, len(nest))
	for i, p := range nest {
		ahead[i], behind[i] = steps(cone.Lo[p], far), steps(cone.Hi[p], far)
	}
	lo, hi := make([]int64, len(nest)), make([]int64, len(nest))
	for a := range s.Height {
	row:
		for b := range s.Height {
			dtau := s.Height*time + (b - dst.TimeShift) - (a - src.TimeShift)
			if dtau < 1 {
				continue
			}
			for i, p := range nest {
				x, y := src.Space[p], dst.Space[p]
				if x.Lo[a] > x.Hi[a] || y.Lo[b] > y.Hi[b] {
					continue row
				}
				base := y.Drift*time + y.Offset - x.Offset // Stride·(S' - S) = ds - base - (b' - b)
				least := -ahead[i][dtau] - base - (y.Hi[b] - x.Lo[a])
				lo[i], hi[i] = -floorDiv(-least, x.Stride), unlimited
				if cone.Hi[p] != nil {
					most := behind[i][dtau] - base - (y.Lo[b] - x.Hi[a])
					if hi[i] = floorDiv(most, x.Stride); lo[i] > hi[i] {
						continue row
					}
				}
			}
			some = true
			for i := range nest {
				n.lo[i], n.hi[i] = min(n.lo[i], lo[i]), max(n.hi[i], hi[i])
			}
		}
	}
	return n, some
}

// steps returns floor(slope * dtau) for each dtau below n, nil where there is no slope.
func steps(slope *big.Rat, n int64) (all []int64) {
	if slope == nil {
		return nil
	}
	for dtau := range n {
		all = append(all, floorRat(new(big.Rat).Mul(slope, big.NewRat(dtau, 1))))
	}
	return all
}

// widen makes the waits of c longer where a phase needs more of one further before than they imply. It reports whether it did.
func (c Chains) widen(s bounds) bool {
	phases := len(c.Steps)
	for from := range phases {
		for to := range phases {
			for time := int64(0); time <= 2; time++ {
				if int64(phases)*time+int64(to-from) < 2 {
					continue
				}
				n, some := s.needs(from, to, time)
				if !some {
					continue
				}
				last, all := &c.Steps[to], c.sum(from, to).at(time)
				changed := false
				for i := range c.Blocks {
					if n.lo[i] < all.Lo[i] {
						last.Lo[i], changed = last.Lo[i]-(all.Lo[i]-n.lo[i]), true
					}
					if n.hi[i] > all.Hi[i] && !c.open(i) {
						last.Hi[i], changed = last.Hi[i]+(n.hi[i]-all.Hi[i]), true
					}
				}
				if lag := n.lag(c.Blocks); lag > all.Lag {
					last.Lag, changed = last.Lag+(lag-all.Lag), true
				}
				if changed {
					return true
				}
			}
		}
	}
	return false
}

// A path is what waits from one phase to another one add up to: base, and full for each time tile between them.
type path struct{ base, full Wait }

// open reports whether chains of a phase wait for those before them along the i-th dimension that tells chains apart, so that no wait bounds it from above.
func (c Chains) open(i int) bool { return c.Along && i == c.Blocks-1 }

// sum returns the path from a phase to another one.
func (c Chains) sum(from, to int) (p path) {
	p.base, p.full = c.zero(), c.zero()
	for _, w := range c.Steps {
		p.full.add(w, 1)
	}
	for k := from; k < to; k++ {
		p.base.add(c.Steps[k+1], 1)
	}
	for k := to; k < from; k++ {
		p.base.add(c.Steps[k+1], -1)
	}
	return p
}

// zero returns a wait for nothing else.
func (c Chains) zero() Wait { return Wait{Lo: make([]int64, c.Blocks), Hi: make([]int64, c.Blocks)} }

// add adds n times w.
func (x *Wait) add(w Wait, n int64) {
	for i := range x.Lo {
		x.Lo[i], x.Hi[i] = x.Lo[i]+n*w.Lo[i], x.Hi[i]+n*w.Hi[i]
	}
	x.Lag += n * w.Lag
}

// at returns p for so many time tiles.
func (p path) at(time int64) Wait {
	w := Wait{Lo: slices.Clone(p.base.Lo), Hi: slices.Clone(p.base.Hi), Lag: p.base.Lag}
	w.add(p.full, time)
	return w
}

// Order returns the order of tiles that the waits keep, of tiles of n indices: in a chain that of its dimensions, and
// between chains what one or more waits in a row imply. It is that of all chains on the way, whether they have
// iterations or not.
func (c Chains) Order(tile []Dim) (o Order) {
	v := poly.Tuple{Dims: poly.Dims(len(tile))}
	for from := range c.Steps {
		for to := range c.Steps {
			at := []poly.Formula{poly.Equal(poly.In(1), affine.Num(int64(from))), poly.Equal(poly.Out(1), affine.Num(int64(to)))}
			before, free := c.between(from, to, tile)
			o.Before = o.Before.Union(poly.NewMap(nil, v, v, append(at, before)...))
			o.Free = o.Free.Union(poly.NewMap(nil, v, v, append(at, free)...))
		}
	}
	return o
}

// soonest returns the number of time tiles between those of two phases from which on there is a path.
func soonest(from, to int) int64 {
	if to <= from {
		return 1
	}
	return 0
}

// between returns where a tile of one phase is ended before one of another starts, and where it need not be.
func (c Chains) between(from, to int, tile []Dim) (before, free poly.Formula) {
	time, p := poly.Out(0).Minus(poly.In(0)), c.sum(from, to)
	soonest := affine.Num(soonest(from, to))
	apart := poly.Less(time, soonest)
	within, chain, elsewhere := []poly.Formula{poly.AtMost(soonest, time)}, []poly.Formula{poly.Equal(time, affine.Num(0))}, []poly.Formula{}
	for i := range c.Blocks {
		d := poly.Out(2 + i).Minus(poly.In(2 + i))
		lo, hi := time.Times(p.full.Lo[i]).Add(p.base.Lo[i]), time.Times(p.full.Hi[i]).Add(p.base.Hi[i])
		within, elsewhere = append(within, poly.AtMost(lo, d)), append(elsewhere, poly.Less(d, lo))
		if !c.open(i) {
			within, elsewhere = append(within, poly.AtMost(d, hi)), append(elsewhere, poly.Less(hi, d))
		}
		chain = append(chain, poly.Equal(d, affine.Num(0)))
	}
	free = poly.And(poly.AtMost(soonest, time), poly.Or(elsewhere...))
	seq := 2 + c.Blocks
	if seq < len(tile) {
		latest := poly.Out(seq).Plus(time.Times(p.full.Lag)).Add(p.base.Lag)
		free = poly.Or(free, poly.And(append(slices.Clone(within), poly.Less(latest, poly.In(seq)))...))
		within = append(within, poly.AtMost(poly.In(seq), latest))
	}
	if from != to {
		return poly.And(within...), poly.Or(free, apart)
	}
	same := poly.And(chain...)
	var others []poly.Formula // of time tiles not before
	others = append(others, poly.Less(time, affine.Num(0)))
	along := poly.False() // of chains before that one of the same time tile
	for i := range c.Blocks {
		d := poly.Out(2 + i).Minus(poly.In(2 + i))
		here, behind, ahead := poly.Equal(time, affine.Num(0)), poly.Less(d, affine.Num(0)), poly.Less(affine.Num(0), d)
		if c.open(i) {
			along, ahead = poly.And(append(slices.Clone(chain[:1+i]), ahead)...), poly.False()
			if seq < len(tile) {
				ahead = poly.And(along, poly.Less(poly.Out(seq), poly.In(seq)))
				along = poly.And(along, poly.AtMost(poly.In(seq), poly.Out(seq)))
			}
		}
		others = append(others, poly.And(here, poly.Or(behind, ahead)))
	}
	less, notLess := poly.False(), poly.False()
	equal := poly.True()
	for i := seq; i < len(tile); i++ {
		less = poly.Or(less, poly.And(equal, poly.Less(poly.In(i), poly.Out(i))))
		notLess = poly.Or(notLess, poly.And(equal, poly.Less(poly.Out(i), poly.In(i))))
		equal = poly.And(equal, poly.Equal(poly.In(i), poly.Out(i)))
	}
	return poly.Or(poly.And(within...), poly.And(same, less), along), poly.Or(free, poly.Or(others...), poly.And(same, notLess))
}

// Text returns the waits of tiles with these indices, a line each, as in
//
//	[T, 1, S0] waits for [T, 0, S0..S0+1], 1 ahead along S1
func (c Chains) Text(tile []Dim) string {
	var b strings.Builder
	for to := range c.Steps {
		b.WriteString(c.StepText(to, tile))
		b.WriteByte('\n')
		if c.Along {
			b.WriteString(c.AlongText(to, tile))
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// StepText returns the line of Text for a phase.
func (c Chains) StepText(to int, tile []Dim) string {
	var b strings.Builder
	w, time := c.Steps[to], "T"
	if w.Time > 0 {
		time = fmt.Sprint("T - ", w.Time)
	}
	here, there := []string{"T", fmt.Sprint(to)}, []string{time, fmt.Sprint(w.From)}
	for i := range c.Blocks {
		name := affine.Var(tile[2+i].Name)
		here = append(here, tile[2+i].Name)
		at := name.Add(-w.Hi[i]).String()
		if w.Lo[i] != w.Hi[i] {
			at += ".." + name.Add(-w.Lo[i]).String()
		}
		there = append(there, at)
	}
	fmt.Fprintf(&b, "[%s] waits for [%s]", strings.Join(here, ", "), strings.Join(there, ", "))
	if seq := 2 + c.Blocks; seq < len(tile) {
		fmt.Fprintf(&b, ", %d ahead along %s", w.Lag, tile[seq].Name)
	}
	return b.String()
}

// AlongText returns what the chains of a phase wait for of their own time tile and phase, where they do.
func (c Chains) AlongText(to int, tile []Dim) string {
	var here, there string
	for i := range c.Blocks {
		at := affine.Var(tile[2+i].Name)
		here += fmt.Sprint(", ", at)
		if c.open(i) {
			at = at.Add(-1)
		}
		there += fmt.Sprint(", ", at)
	}
	text := fmt.Sprintf("[T, %d%s] waits for [T, %d%s]", to, here, to, there)
	if seq := 2 + c.Blocks; seq < len(tile) {
		text += ", 0 ahead along " + tile[seq].Name
	}
	return text
}

package schedule

import (
	"fmt"
	"slices"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/poly"
	"github.com/hexcc/hexcc/scop"
)

// This file tiles with boxes that overlap. A tile stores a box of points, which it owns, at each step; and it computes, besides, what those depend on
// in its own steps, though other tiles own that. So no tile needs another one that runs at the same time, and whole iterations of the time loop, or
// nests one after the other where there is none, are one launch:
//
//	S_i[t, ..] -> [T, 0, S0, .., Sn, tau, s0, .., sn]     for all S with Lo_i(a) <= s_p - w_p·S_p <= Hi_i(a),  a = tau - Height·T
//
// The boxes are found from the last step backwards. A statement that reads at the distance ds of what another one has written, dtau steps
// before it, needs there what its own box holds, moved by -ds:
//
//	Lo_src(a) = min of 0      and Lo_dst(a + dtau) - ds     over all that depends on it in the tile
//	Hi_src(a) = max of w - 1  and Hi_dst(a + dtau) - ds
//
// For example, b[i] = a[i-1] + a[i+1] with a behind it, c[i] = b[i-1] + b[i+1]: a tile that owns 0..7 of c computes -1..8 of b,
// and reads -2..9 of a. Of b it stores 0..7 as well.

// Overlapped returns the schedule of c in boxes that overlap, for programs with these dependences. H of sizes is how many iterations of the time loop
// a tile spans, W how many points it owns along each dimension. It fails with a diag.List where a size is not legal, or
// boxes would grow with a parameter.
func Overlapped(c *Canonical, deps []Dependence, sizes Sizes) (*Schedule, error) {
	return NewOverlap(c, deps).Schedule(sizes)
}

// Schedule returns Tiles, with their Map.
func (o *Overlap) Schedule(sizes Sizes) (*Schedule, error) {
	s, err := o.Tiles(sizes)
	if err != nil {
		return nil, err
	}
	s.Relate()
	return s, nil
}

// overlapping is the name of the scheme.
const overlapping = "overlapped boxes"

// OverlappedTiles returns Overlapped less its Map.
func OverlappedTiles(c *Canonical, deps []Dependence, sizes Sizes) (*Schedule, error) {
	return NewOverlap(c, deps).Tiles(sizes)
}

// An Overlap makes tiles that overlap, of several sizes, of a program with these dependences. It is for one goroutine at a time.
type Overlap struct {
	c           *Canonical
	deps        []Dependence
	groups      Groups
	plan        Plan                      // what a file says of boxes
	threads     bool                      // see Threads
	temporaries []*scop.Array             // of an iteration
	spans       map[Kind]map[int64][]span // by the steps of a tile
}

// NewOverlap returns what makes tiles of c, whose dependences are given, with one launch for all nests of an iteration.
func NewOverlap(c *Canonical, deps []Dependence) *Overlap {
	return &Overlap{c: c, deps: deps, groups: OneGroup(len(c.Scop.Stmts)), temporaries: Temporaries(c.Scop), spans: map[Kind]map[int64][]span{Flow: {}, Anti: {}, Output: {}}}
}

// In returns what makes tiles of the program of o with a launch for each of the groups, as Groups.Check allows them; nil: with one for all. Some of the
// statements may be left out: then its tiles are those of a part of an iteration, and no schedule of the program.
func (o *Overlap) In(groups Groups) *Overlap {
	in := *o
	if in.groups = groups; groups == nil {
		in.groups = OneGroup(len(o.c.Scop.Stmts))
	}
	return &in
}

// Threads returns what makes the tiles of o for threads, which share out the tiles of one dimension and run those along others one after the other. It is one along which tiles do not overlap, if
// there is one: tiles may then be narrow along it, and wide along others, and threads still have many.
func (o *Overlap) Threads() *Overlap {
	in := *o
	in.threads = true
	return &in
}

// Apart returns the first dimension along which tiles of s own all that they compute; ok is false if there is none.
func (s *Schedule) Apart() (p int, ok bool) {
	for p, w := range s.Sizes.W {
		overlap := slices.ContainsFunc(s.Phases, func(ph Phase) bool {
			return slices.ContainsFunc(ph.Boxes, func(steps []Box) bool {
				return slices.ContainsFunc(steps, func(b Box) bool { return b.Lo[p] <= b.Hi[p] && (b.Lo[p] != 0 || b.Hi[p] != w-1) })
			})
		})
		if !overlap {
			return p, true
		}
	}
	return 0, false
}

// Tiles returns the tiles of those sizes. It fails as Overlapped does.
func (o *Overlap) Tiles(sizes Sizes) (*Schedule, error) {
	if err := CheckOverlapped(o.c, sizes); err != nil {
		return nil, err
	}
	if len(o.groups) > 1 && sizes.H > 1 {
		return nil, diag.List{{Code: "HX203", Msg: fmt.Sprintf("h=%d: where an iteration is %d launches, a tile spans one of them", sizes.H, len(o.groups)), Help: "choose h=1"}}
	}
	height := sizes.H * int64(o.c.K)
	flows, err := o.spansOf(Flow, height)
	if err != nil {
		return nil, err
	}
	antis, err := o.spansOf(Anti, height)
	if err != nil {
		return nil, err
	}
	s := &Schedule{Canonical: o.c, Scheme: overlapping, Sizes: sizes, Height: height, Temporaries: o.groups.within(o.c.Scop, o.temporaries)}
	for _, group := range o.groups {
		ph := backwards(o.c, flows, sizes, group)
		if ph.Stream, err = o.stream(sizes, group, flows, antis); err != nil {
			return nil, err
		}
		s.Phases = append(s.Phases, ph)
	}
	if err := o.plan.fit(s, o); err != nil {
		return nil, err
	}
	if p, ok := s.Apart(); ok && o.threads && o.c.Ways == nil {
		for _, ph := range s.Phases {
			for q := range ph.Space {
				if q != p {
					ph.Space[q].Role = Seq
				}
			}
		}
	}
	s.Dims = s.dims()
	return s.versioned(antis), nil
}

// spansOf returns how far dependences of a kind reach in a tile of so many steps.
func (o *Overlap) spansOf(kind Kind, height int64) (all []span, err error) {
	all, known := o.spans[kind][height]
	if !known {
		deps := o.deps
		if kind == Anti {
			for _, st := range o.c.Scop.Stmts {
				deps = append(slices.Clip(deps), updates(st)...)
			}
		}
		if all, err = o.c.spans(deps, kind, height); err == nil {
			o.spans[kind][height] = all
		}
	}
	return all, err
}

// versioned returns s, with two versions of the arrays that tiles would else store while others still read them, if there are such and they may have two.
func (s *Schedule) versioned(antis []span) *Schedule {
	var arrays []*scop.Array
	for _, x := range antis {
		if a := x.dep.SrcAccess.Array; s.collides(x) {
			if s.conflict == nil {
				s.conflict = &x.dep
			}
			if !slices.Contains(arrays, a) {
				arrays = append(arrays, a)
			}
		}
	}
	if arrays == nil {
		return s
	}
	c, versions, ok := s.Canonical.inVersions(arrays)
	if !ok || len(s.Phases) > 1 { // which version a launch reads would differ from launch to launch
		return s
	}
	v := *s
	v.conflict = nil
	v.Canonical, v.Versions, v.Height = c, versions, 2*s.Height
	v.Phases = []Phase{s.Phases[0].half(0, s.Height), s.Phases[0].half(s.Height, s.Height)}
	v.Dims = v.dims()
	return &v
}

// collides reports whether a tile of s stores what another one, which runs at the same time, may still have to read from memory, by x, a dependence of what is
// written on what is read.
func (s *Schedule) collides(x span) bool {
	c := s.Canonical
	at := slices.IndexFunc(s.Phases, func(ph Phase) bool { return ph.Runs(x.dep.Src) && ph.Runs(x.dep.Dst) })
	if at < 0 || s.temporary(x.dep.SrcAccess.Array) {
		return false // one is launched behind the other, or each tile has elements of its own
	}
	ph := s.Phases[at]
	for a := int64(c.Levels[x.dep.Src.Order]); a+x.dtau < s.Height; a += int64(c.K) {
		box, own := ph.Box(x.dep.Src, a), ph.Owned(x.dep.Dst, a+x.dtau)
		for p := range box.Lo {
			if p == 0 && c.Ways != nil { // all of a column is in the tile
				continue
			}
			if box.Lo[p]+x.lo[p] < own.Lo[p] || box.Hi[p]+x.hi[p] > own.Hi[p] {
				return true
			}
		}
	}
	return false
}

// Conflict returns a dependence for which tiles that overlap are in no order: one stores what another one, which runs at the same time, may still have to read
// from memory, and the array cannot be in two versions. found is false if there is none by the distances of dependences; the proof of legality asks exactly.
func (s *Schedule) Conflict() (d Dependence, found bool) {
	if s.conflict == nil {
		return d, false
	}
	return *s.conflict, true
}

// half returns ph as a phase of a time tile of twice as many steps, height, whose steps begin at from.
func (ph Phase) half(from, height int64) (h Phase) {
	none := slices.Repeat([]Box{noBox(len(ph.Space))}, int(height))
	for _, boxes := range ph.Boxes {
		if from == 0 {
			h.Boxes = append(h.Boxes, slices.Concat(boxes, none))
		} else {
			h.Boxes = append(h.Boxes, slices.Concat(none, boxes))
		}
	}
	zero, minus := make([]int64, height), slices.Repeat([]int64{-1}, int(height))
	for _, d := range ph.Space {
		if from == 0 {
			d.Lo, d.Hi = slices.Concat(d.Lo, zero), slices.Concat(d.Hi, minus)
		} else {
			d.Lo, d.Hi = slices.Concat(zero, d.Lo), slices.Concat(minus, d.Hi)
		}
		h.Space = append(h.Space, d)
	}
	if ph.Stream != nil {
		h.Stream = ph.Stream.half(from, height)
	}
	return h
}

// noBox returns a box without points.
func noBox(dims int) Box { return Box{make([]int64, dims), slices.Repeat([]int64{-1}, dims)} }

// Runs reports whether tiles of ph, whose statements have boxes of their own, run instances of st.
func (ph Phase) Runs(st *scop.Stmt) bool {
	return slices.ContainsFunc(ph.Boxes[st.Order], func(b Box) bool { return b.Lo[0] <= b.Hi[0] })
}

// MaxIterations bounds H of tiles that overlap.
const MaxIterations = 16

// CheckOverlapped returns nil where sizes make boxes that overlap, and otherwise a diag.List that names the nearest sizes that do.
func CheckOverlapped(c *Canonical, sizes Sizes) error {
	most := int64(MaxIterations)
	if c.Scop.Timeless {
		most = 1
	}
	if sizes.H < 1 || sizes.H > most {
		near := max(1, min(sizes.H, most))
		return diag.List{{Code: "HX203", Msg: fmt.Sprintf("h=%d: a tile that overlaps others spans 1 to %d iterations of the time loop here", sizes.H, most),
			Help: fmt.Sprintf("choose h=%d", near)}}
	}
	if c.Ways != nil {
		return c.checkColumns(sizes)
	}
	if err := CheckWidths(c, sizes); err != nil {
		return err
	}
	return checkStream(c, sizes)
}

// A span says that instances of dst depend on instances of src that run dtau before, so far away in space.
type span struct {
	dep    Dependence
	dtau   int64
	lo, hi []int64
}

// spans returns those of dependences of a kind in a tile of height steps. It fails with a diag.List where one is not bounded by numbers.
func (c *Canonical) spans(deps []Dependence, kind Kind, height int64) (all []span, err error) {
	err = poly.Limited(func() error {
		for _, d := range deps {
			if d.Kind != kind {
				continue
			}
			one := poly.Affine{Const: 1, In: make([]int64, len(d.Src.Iters)), Out: make([]int64, len(d.Dst.Iters)), Params: make([]int64, len(d.Map.Params()))}
			for dtau := int64(0); dtau < height; dtau++ {
				m := d.Map.Intersect(c.tauRelation(d, poly.Equal, dtau))
				if m.IsEmpty() {
					continue
				}
				x, ratios := span{dep: d, dtau: dtau}, m.Ratios()
				for p := range c.Space {
					if p == 0 && c.Ways != nil { // all of a column is in the tile
						x.lo, x.hi = append(x.lo, 0), append(x.hi, 0)
						continue
					}
					ds := c.distance(d, p)
					most, okMost := ratios.Max(ds, one)
					least, okLeast := ratios.Max(negated(ds), one)
					if !okMost || !okLeast {
						no := c.unbounded(d, p, false)
						if c.Ways != nil {
							no.Help = "take --strategy=space, where each nest is a launch"
						}
						return diag.List{no}
					}
					x.lo, x.hi = append(x.lo, -floorRat(least)), append(x.hi, floorRat(most))
				}
				all = append(all, x)
			}
		}
		return nil
	})
	return all, err
}

// backwards returns the tiles of a group of statements whose boxes hold what those that they own read in their own steps.
func backwards(c *Canonical, reads []span, sizes Sizes, group []int) Phase {
	height, n := sizes.H*int64(c.K), len(c.Scop.Stmts)
	ph := Phase{Boxes: make([][]Box, n)}
	for i := range n {
		ph.Boxes[i] = slices.Repeat([]Box{noBox(len(sizes.W))}, int(height))
	}
	inGroup := func(st *scop.Stmt) bool { return slices.Contains(group, st.Order) }
	for a := height - 1; a >= 0; a-- {
		here := c.At(int(a % int64(c.K)))
		slices.Reverse(here) // what runs later at the same place first
		for _, st := range here {
			if !inGroup(st) {
				continue
			}
			b := Box{make([]int64, len(sizes.W)), make([]int64, len(sizes.W))}
			for p, w := range sizes.W {
				b.Hi[p] = w - 1
			}
			for _, r := range reads {
				if r.dep.Src != st || r.dep.Dst == st && r.dtau == 0 || a+r.dtau >= height || !inGroup(r.dep.Dst) {
					continue
				}
				to := ph.Boxes[r.dep.Dst.Order][a+r.dtau]
				for p := range b.Lo {
					if p == 0 && c.Ways != nil { // a tile holds whole columns
						continue
					}
					b.Lo[p], b.Hi[p] = min(b.Lo[p], to.Lo[p]-r.hi[p]), max(b.Hi[p], to.Hi[p]-r.lo[p])
				}
			}
			ph.Boxes[st.Order][a] = b
		}
	}
	return ph.around(c, sizes, height, group)
}

// around returns ph, of a group of statements, with the dimensions around its boxes.
func (ph Phase) around(c *Canonical, sizes Sizes, height int64, group []int) Phase {
	ph.Space = nil
	for p, w := range sizes.W {
		if p == 0 && c.Ways != nil {
			ph.Space = append(ph.Space, c.columns(w, height))
			continue
		}
		d := TileDim{Tile: fmt.Sprint("S", p), Point: c.Space[p], Role: Block, Stride: w, Owned: []HalfPlane{{B: 1}, {B: -1, C: w - 1}}}
		for a := range height {
			lo, hi := int64(0), int64(-1)
			for _, st := range c.At(int(a % int64(c.K))) {
				if b := ph.Boxes[st.Order][a]; slices.Contains(group, st.Order) {
					lo, hi = min(lo, b.Lo[p]), max(hi, b.Hi[p], w-1)
				}
			}
			d.Lo, d.Hi = append(d.Lo, lo), append(d.Hi, hi)
		}
		ph.Space = append(ph.Space, d)
	}
	return ph
}

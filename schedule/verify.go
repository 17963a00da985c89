package schedule

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/poly"
	"github.com/hexcc/hexcc/scop"
)

// This file prints schedules and checks that the two descriptions of one, the
// relation and the phases, agree.

// String returns the relation, part by part, the tiles of each phase, and what they wait for.
func (s *Schedule) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s, %v, in the order [%s]\n", s.Scheme, s.Sizes, s.dimNames())
	for _, st := range s.Canonical.Scop.Stmts {
		fmt.Fprintln(&b, s.Part(st))
	}
	for i, ph := range s.Phases {
		fmt.Fprintf(&b, "# phase %d: step a of time tile T is tau = %d*T + a - %d\n", i, s.Height, ph.TimeShift)
		for _, d := range ph.Space {
			fmt.Fprintf(&b, "#   %s = %s + b:", d.Point, affine.Var(d.Tile).Times(d.Stride).Plus(affine.Var("T").Times(d.Drift)).Add(d.Offset))
			for a := range d.Lo {
				fmt.Fprintf(&b, " %d..%d", d.Lo[a], d.Hi[a])
			}
			b.WriteByte('\n')
		}
		s.writeDelays(&b, ph.Stream)
	}
	if s.Fronts != nil {
		for line := range strings.Lines(s.Fronts.Text(s.Canonical.Space)) {
			b.WriteString("# " + line)
		}
	}
	if s.Waits != nil {
		for line := range strings.Lines(s.Waits.Text(s.Dims[:s.tileDims()])) {
			b.WriteString("# " + line)
		}
	}
	return b.String()
}

// dimNames returns the dimensions with their roles.
func (s *Schedule) dimNames() string {
	names := make([]string, len(s.Dims))
	for i, d := range s.Dims {
		names[i] = d.Name
		if d.Role == Block || d.Role == Thread || d.Role == Wave {
			names[i] += " " + d.Role.String()
		}
	}
	return strings.Join(names, ", ")
}

var roleNames = [...]string{Host: "host", Block: "block", Seq: "seq", Thread: "thread", Wave: "wave"}

func (r Role) String() string { return roleNames[r] }

// Verify checks the shape of s, and on samples that its phases are its map and
// have one tile for each instance, which for a loaded schedule is left to the proofs.
func (s *Schedule) Verify() error {
	c := s.Canonical
	if s.Height%int64(c.K) != 0 {
		return fmt.Errorf("height %d is not a multiple of %d levels", s.Height, c.K)
	}
	for i, ph := range s.Phases {
		if ph.TimeShift%int64(c.K) != 0 || len(ph.Space) != len(c.Space) {
			return fmt.Errorf("phase %d: time shift %d, %d dimensions", i, ph.TimeShift, len(ph.Space))
		}
		for _, d := range ph.Space {
			if int64(len(d.Lo)) != s.Height || int64(len(d.Hi)) != s.Height || d.Stride < 1 {
				return fmt.Errorf("phase %d: %s has %d and %d rows, stride %d", i, d.Tile, len(d.Lo), len(d.Hi), d.Stride)
			}
		}
	}
	rng := rand.New(rand.NewPCG(1, uint64(s.Height)))
	if s.Overlaps() {
		return s.checkImages(rng)
	}
	return s.checkEdges(rng)
}

// sizes returns parameters with which there are a few tiles.
func (s *Schedule) sizes(rng *rand.Rand) map[string]int64 {
	params := map[string]int64{}
	for _, p := range s.Canonical.Scop.Params {
		params[p.Name] = 4*s.reach() + rng.Int64N(8)
	}
	return params
}

// checkImages compares boxes that overlap with the map at the ends of the box of each statement at each step, and one point further out.
func (s *Schedule) checkImages(rng *rand.Rand) error {
	c, params := s.Canonical, s.sizes(rng)
	for _, st := range c.Scop.Stmts {
		pairs := s.Part(st).Wrap()
		for phase, ph := range s.Phases {
			for a := int64(c.Levels[st.Order]); a < s.Height; a += int64(c.K) {
				box := ph.Box(st, a)
				for p := range ph.Space {
					for _, b := range []int64{box.Lo[p] - 1, box.Lo[p], box.Hi[p], box.Hi[p] + 1} {
						at := slices.Clone(box.Lo)
						at[p] = b
						if err := s.checkImage(st, phase, a, at, params, pairs, rng); err != nil {
							return err
						}
					}
				}
			}
		}
	}
	return nil
}

// checkImage compares the boxes of a phase with the map, whose pairs for st are given, at local coordinates of some tile at step a.
func (s *Schedule) checkImage(st *scop.Stmt, phase int, a int64, at []int64, params map[string]int64, pairs poly.Set, rng *rand.Rand) error {
	c, ph := s.Canonical, s.Phases[phase]
	T, box := 1+rng.Int64N(2), ph.Box(st, a)
	tau := s.Height*T + a - ph.TimeShift
	iters := make([]int64, len(st.Iters))
	iters[0] = (tau - int64(c.Levels[st.Order])) / int64(c.K)
	points, tiles, in := []int64{tau}, make([]int64, len(ph.Space)), true
	if c.ranked() {
		points = append(points, int64(c.Ranks[st.Order]))
	}
	turn := len(points)
	for p, d := range ph.Space {
		place := c.Places[st.Order][p]
		tiles[p] = rng.Int64N(3)
		x := c.value(Place{Iter: -1, Shift: place.Shift}, iters, params)
		base := d.Stride*tiles[p] + d.Drift*T + d.Offset
		if place.Iter >= 0 {
			iters[place.Iter] = place.Sign() * (base + at[p] - x)
			x = base + at[p]
		}
		in = in && box.Lo[p] <= x-base && x-base <= box.Hi[p]
		points = append(points, x)
	}
	if c.Ways != nil {
		points = slices.Insert(points, turn, int64(c.Way(st))*points[turn])
	}
	vector := []int64{T, int64(phase)}
	for _, p := range ph.Nest() {
		vector = append(vector, tiles[p])
	}
	if x := ph.Stream; x != nil {
		vector = append(vector, points[len(points)-len(ph.Space)+x.Dim]+x.Delay(st, a))
	}
	vector = append(vector, points...)
	inDomain := st.Domain.Contains(params, iters...)
	if got := pairs.Contains(params, slices.Concat(iters, vector)...); got != (in && inDomain) {
		return fmt.Errorf("phase %d: %s%v at %v: in the box: %t, in the domain: %t, in the map: %t", phase, st.Name, iters, vector, in, inDomain, got)
	}
	return nil
}

// checkEdges compares phases and map at the ends of each row of a tile of each
// phase, and one point further out.
func (s *Schedule) checkEdges(rng *rand.Rand) error {
	params := s.sizes(rng)
	for _, st := range s.Canonical.Scop.Stmts {
		pairs := s.Part(st).Wrap()
		check := func(iters []int64) error { return s.check(st, iters, params, pairs) }
		for _, ph := range s.Phases {
			for a := int64(s.Canonical.Levels[st.Order]); a < s.Height; a += int64(s.Canonical.K) {
				T := 1 + rng.Int64N(2)
				iters := s.corner(st, ph, T, a, rng, params)
				for p, d := range ph.Space {
					if err := edges(d, s.Canonical.Places[st.Order][p], a, iters, check); err != nil {
						return err
					}
				}
			}
		}
	}
	return nil
}

// corner returns an instance of st at step a of time tile T, in the first
// point of a row of some tile in each dimension that st has a loop for.
func (s *Schedule) corner(st *scop.Stmt, ph Phase, T, a int64, rng *rand.Rand, params map[string]int64) []int64 {
	iters := make([]int64, len(st.Iters))
	iters[0] = (s.Height*T + a - ph.TimeShift - int64(s.Canonical.Levels[st.Order])) / int64(s.Canonical.K)
	c, space := s.Canonical, make([]int64, len(ph.Space))
	for p, d := range ph.Space {
		at := c.Places[st.Order][p]
		space[p] = c.value(Place{Iter: -1, Shift: at.Shift}, iters, params)
		for q, k := range c.Skew(p) {
			space[p] += k * space[q]
		}
		if at.Iter >= 0 {
			first := d.Stride*(1+rng.Int64N(2)) + d.Drift*T + d.Offset + d.Lo[a]
			iters[at.Iter] = at.Sign() * (first - space[p])
			space[p] = first
		}
	}
	return iters
}

// edges checks iters, which lies at the first point of a row of d, and the
// points around the ends of that row, in the dimension that at places.
func edges(d TileDim, at Place, a int64, iters []int64, check func([]int64) error) error {
	if at.Iter < 0 {
		return check(iters)
	}
	for _, b := range []int64{-1, 0, d.Hi[a] - d.Lo[a], d.Hi[a] - d.Lo[a] + 1} {
		moved := slices.Clone(iters)
		moved[at.Iter] += at.Sign() * b
		if err := check(moved); err != nil {
			return err
		}
	}
	return nil
}

// check compares phases and map, whose pairs for st are given, at one instance:
// one phase puts it where the map does, if it is in the domain.
func (s *Schedule) check(st *scop.Stmt, iters []int64, params map[string]int64, pairs poly.Set) error {
	inDomain, tiles := st.Domain.Contains(params, iters...), 0
	for phase := range s.Phases {
		vector, in := s.image(phase, st, iters, params)
		if in {
			tiles++
		}
		if got := pairs.Contains(params, slices.Concat(iters, vector)...); got != (in && inDomain) {
			return fmt.Errorf("phase %d: %s%v at %v: in a tile: %t, in the domain: %t, in the map: %t", phase, st.Name, iters, vector, in, inDomain, got)
		}
	}
	if tiles != 1 && !s.Loaded {
		return fmt.Errorf("%s%v is in %d tiles", st.Name, iters, tiles)
	}
	return nil
}

// reach is the largest distance between neighbouring tiles.
func (s *Schedule) reach() int64 {
	r := int64(1)
	for _, ph := range s.Phases {
		for _, d := range ph.Space {
			r = max(r, d.Stride)
		}
	}
	return r
}

// Part returns the schedule of one statement.
func (s *Schedule) Part(st *scop.Stmt) poly.Map {
	return s.Map.IntersectDomain(poly.NewSet(nil, st.Tuple()))
}

// owner returns the images of one statement whose results are stored.
func (s *Schedule) owner(st *scop.Stmt) poly.Map {
	if !s.Overlaps() {
		return s.Part(st)
	}
	return s.Owner.IntersectDomain(poly.NewSet(nil, st.Tuple()))
}

// image returns where the phases put an instance that runs in the given phase,
// and whether it does.
func (s *Schedule) image(phase int, st *scop.Stmt, iters []int64, params map[string]int64) (vector []int64, in bool) {
	c, ph := s.Canonical, s.Phases[phase]
	tau := int64(c.K)*iters[0] + int64(c.Levels[st.Order])
	T := floorDiv(tau+ph.TimeShift, s.Height)
	a := tau + ph.TimeShift - s.Height*T
	vector, in = []int64{T, int64(phase)}, true
	points := []int64{tau}
	wave := int64(0)
	if s.Fronts != nil {
		wave = s.Fronts.Points * tau
		points = []int64{0, tau}
	}
	if c.ranked() {
		points = append(points, int64(c.Ranks[st.Order]))
	}
	tiles, space := make([]int64, len(ph.Space)), make([]int64, len(ph.Space))
	for p, d := range ph.Space {
		x := c.value(c.Places[st.Order][p], iters, params)
		for q, k := range c.Skew(p) {
			x += k * space[q]
		}
		space[p] = x
		local := x - d.Drift*T - d.Offset
		tiles[p] = floorDiv(local-d.Lo[a], d.Stride)
		in = in && local-d.Stride*tiles[p] <= d.Hi[a]
		points = append(points, x)
		wave += x
	}
	if s.Fronts != nil {
		points[0] = wave
	}
	for _, p := range ph.Nest() {
		vector = append(vector, tiles[p])
	}
	return append(vector, points...), in
}

// value returns the coordinate of an instance at a place.
func (c *Canonical) value(at Place, iters []int64, params map[string]int64) int64 {
	x := at.Shift.Const
	for i, k := range at.Shift.Params {
		x += k * params[c.Scop.Params[i].Name]
	}
	if at.Iter >= 0 {
		x += at.Sign() * iters[at.Iter]
	}
	return x
}

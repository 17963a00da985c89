package report

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// This file counts the different elements that a full tile touches, and of it a step, a plane and a row of points: what the caches of a CPU have to hold
// for that it is in them when it is touched again. It counts unions of boxes exactly, by the schedule and the accesses only.

// A WorkingSet is the elements that a part of a full tile touches, each counted once.
type WorkingSet struct {
	Phase  int        `json:"phase"`
	Part   string     `json:"part"`  // row, plane, volume, step or tile: the points of it that are taken
	Bytes  int64      `json:"bytes"` // of all arrays
	Arrays []SetShare `json:"arrays"`
	HeldBy string     `json:"heldBy"` // the first level that is as large: l1, l2, l3 or memory
	// Most: no more than that, since instances that do nothing are counted as well.
	Most bool `json:"most"`
	// Left are arrays of which the elements are not known, since subscripts do not follow the loops one by one.
	Left []string `json:"left"`
}

// A SetShare is what it has of one array.
type SetShare struct {
	Array    string `json:"array"`
	Elements int64  `json:"elements"`
	Bytes    int64  `json:"bytes"`
}

// An elementBox is the elements of an array whose subscripts are from lo to hi.
type elementBox struct{ lo, hi []int64 }

// A toucher collects what instances touch.
type toucher struct {
	c     *schedule.Canonical
	boxes map[string][]elementBox // by array, and what parameters add to subscripts
	array map[string]*scop.Array
	seen  map[string]bool
	left  []string
	most  bool
}

func newToucher(c *schedule.Canonical) *toucher {
	return &toucher{c: c, boxes: map[string][]elementBox{}, array: map[string]*scop.Array{}, seen: map[string]bool{}}
}

// step adds what the instances of st at local coordinates b of step a of tile 0 of ph touch.
func (t *toucher) step(ph schedule.Phase, a int64, st *scop.Stmt, b schedule.Box) {
	if single(t.c, st) {
		return
	}
	lo, hi := make([]int64, len(b.Lo)), make([]int64, len(b.Lo))
	for p, d := range ph.Space {
		if lo[p], hi[p] = d.Offset+b.Lo[p], d.Offset+b.Hi[p]; lo[p] > hi[p] {
			return
		}
	}
	t.most = t.most || len(st.When) > 0
	time := floorDiv(a-ph.TimeShift-int64(t.c.Levels[st.Order]), int64(t.c.K))
	t.rows(0, lo, hi, func() { t.points(st, time, lo, hi) })
}

// rows calls f with lo and hi as they are, or, where dimensions are skewed by those before them, at each place of these, taken back.
func (t *toucher) rows(p int, lo, hi []int64, f func()) {
	if p == len(lo) {
		f()
		return
	}
	from, to, skewed := lo[p], hi[p], int64(0)
	for q, k := range t.c.Skew(p) {
		skewed += k * lo[q] // a single place where p is skewed by q
	}
	if !slices.ContainsFunc(t.skewedBy(p), func(k int64) bool { return k != 0 }) {
		lo[p], hi[p] = from-skewed, to-skewed
		t.rows(p+1, lo, hi, f)
		lo[p], hi[p] = from, to
		return
	}
	for s := from; s <= to; s++ {
		lo[p], hi[p] = s, s
		t.rowsAt(p, skewed, lo, hi, f)
	}
	lo[p], hi[p] = from, to
}

// rowsAt is rows from dimension p on, which is at one place, and skewed by so much.
func (t *toucher) rowsAt(p int, skewed int64, lo, hi []int64, f func()) {
	at := lo[p]
	t.rows(p+1, lo, hi, func() {
		lo[p], hi[p] = at-skewed, at-skewed
		f()
		lo[p], hi[p] = at, at
	})
}

// skewedBy returns by how much p skews the dimensions behind it.
func (t *toucher) skewedBy(p int) (all []int64) {
	for q := p + 1; q < len(t.c.Space); q++ {
		if ks := t.c.Skew(q); len(ks) > p {
			all = append(all, ks[p])
		}
	}
	return all
}

// points adds what the instances of st at a time and at places from lo to hi touch.
func (t *toucher) points(st *scop.Stmt, time int64, lo, hi []int64) {
	zero := make([]int64, len(t.c.Scop.Params))
	for _, acc := range st.Accesses {
		dims, ok := follows(t.c, st, acc)
		if !ok {
			t.left = with(t.left, acc.Array.Name)
			continue
		}
		key, box := acc.Array.Name, elementBox{}
		for k, x := range acc.Index {
			at := value(x.Affine, zero) + x.Iters[0]*time
			from, to := at, at
			if dim := dims[k]; dim >= 0 {
				place := t.c.Places[st.Order][dim]
				coef := x.Iters[place.Iter] * place.Sign() // element = coef*(s - shift) + at
				shift := value(place.Shift, zero)
				from, to = coef*(lo[dim]-shift)+at, coef*(hi[dim]-shift)+at
				from, to = min(from, to), max(from, to)
				key += fmt.Sprint(" ", paramsOf(x.Affine, place.Shift, coef))
			} else {
				if x.Mod > 0 {
					from -= x.Mod * floorDiv(from, x.Mod)
					to = from
				}
				key += fmt.Sprint(" ", x.Params)
			}
			box.lo, box.hi = append(box.lo, from), append(box.hi, to)
		}
		if text := fmt.Sprint(key, box); !t.seen[text] {
			t.seen[text], t.array[key] = true, acc.Array
			t.boxes[key] = append(t.boxes[key], box)
		}
	}
}

// paramsOf returns what parameters add to a subscript x of points of which a shift says where they lie.
func paramsOf(x, shift scop.Affine, coef int64) []int64 {
	out := make([]int64, max(len(x.Params), len(shift.Params)))
	copy(out, x.Params)
	for i, k := range shift.Params {
		out[i] -= coef * k
	}
	return out
}

// set returns what was collected.
func (t *toucher) set(phase int, part string) WorkingSet {
	out := WorkingSet{Phase: phase, Part: part, Most: t.most, Left: slices.Clone(t.left)}
	for _, a := range t.c.Scop.Arrays {
		n := int64(0)
		for key, boxes := range t.boxes {
			if t.array[key] == a {
				n += union(boxes, 0)
			}
		}
		if n > 0 && !slices.Contains(t.left, a.Name) {
			bytes := n * int64(a.Elem.Size())
			out.Arrays, out.Bytes = append(out.Arrays, SetShare{a.Name, n, bytes}), out.Bytes+bytes
		}
	}
	return out
}

// union counts the points of boxes from dimension d on, each once.
func union(boxes []elementBox, d int) (n int64) {
	if len(boxes) == 0 {
		return 0
	}
	if d == len(boxes[0].lo) {
		return 1
	}
	var cuts []int64
	for _, b := range boxes {
		cuts = append(cuts, b.lo[d], b.hi[d]+1)
	}
	slices.Sort(cuts)
	cuts = slices.Compact(cuts)
	for i := range len(cuts) - 1 {
		var inside []elementBox
		for _, b := range boxes {
			if b.lo[d] <= cuts[i] && cuts[i] <= b.hi[d] {
				inside = append(inside, b)
			}
		}
		n += (cuts[i+1] - cuts[i]) * union(inside, d+1)
	}
	return n
}

// workingSets returns those of a full tile of each phase that differs from others: of a row of its largest step, of a plane where there are three dimensions or
// more, of the step, and of all steps.
func workingSets(s *schedule.Schedule) (all []WorkingSet) {
	phases := tileShapes(s)
	if s.Overlaps() {
		phases = nil
		for i := range s.Phases {
			phases = append(phases, i)
		}
	}
	for _, phase := range phases {
		all = append(all, setsOf(s, phase)...)
	}
	return all
}

func setsOf(s *schedule.Schedule, phase int) (all []WorkingSet) {
	c, ph := s.Canonical, s.Phases[phase]
	stepSet := func(a int64, vary int) *toucher { // the points of a step, of which the last so many dimensions vary
		t := newToucher(c)
		for _, st := range c.At(int(a) % c.K) {
			b := ph.Box(st, a)
			if len(b.Lo) == 0 {
				continue
			}
			b = schedule.Box{Lo: slices.Clone(b.Lo), Hi: slices.Clone(b.Hi)}
			for p := range len(b.Lo) - vary {
				if b.Lo[p] <= b.Hi[p] {
					b.Lo[p] += (b.Hi[p] - b.Lo[p]) / 2
					b.Hi[p] = b.Lo[p]
				}
			}
			t.step(ph, a, st, b)
		}
		return t
	}
	dims := len(c.Space)
	largest, tile := int64(-1), newToucher(c)
	most := int64(-1)
	for a := range s.Height {
		if set := stepSet(a, dims).set(phase, "step"); set.Bytes > most {
			largest, most = a, set.Bytes
		}
		for _, st := range c.At(int(a) % c.K) {
			if b := ph.Box(st, a); len(b.Lo) > 0 {
				tile.step(ph, a, st, b)
			}
		}
	}
	if most <= 0 {
		return nil
	}
	for vary := 1; vary < dims; vary++ {
		all = append(all, stepSet(largest, vary).set(phase, []string{"row", "plane", "volume"}[min(vary, 3)-1]))
	}
	return append(all, stepSet(largest, dims).set(phase, "step"), tile.set(phase, "tile"))
}

// An InstanceCount is how many instances of a statement a full tile runs.
type InstanceCount struct {
	Phase     int    `json:"phase"`
	Statement string `json:"statement"`
	Points    int64  `json:"points"` // instances; where tiles overlap, those that others compute as well among them
	Owned     int64  `json:"owned"`  // whose results the tile stores
	Reads     int    `json:"reads"`  // of an instance
	Writes    int    `json:"writes"`
	Idle      bool   `json:"idle"` // some of them do nothing: those of another colour
}

// instanceCounts counts the instances of full tiles, by phase and statement.
func instanceCounts(s *schedule.Schedule) (all []InstanceCount) {
	c := s.Canonical
	volume := func(b schedule.Box) (n int64) {
		n = int64(min(1, len(b.Lo)))
		for p := range b.Lo {
			n *= max(0, b.Hi[p]-b.Lo[p]+1)
		}
		return n
	}
	for i, ph := range s.Phases {
		for _, st := range c.Scop.Stmts {
			if single(c, st) {
				continue
			}
			x := InstanceCount{Phase: i, Statement: st.Name, Idle: len(st.When) > 0}
			for a := range s.Height {
				if slices.Contains(c.At(int(a)%c.K), st) {
					x.Points, x.Owned = x.Points+volume(ph.Box(st, a)), x.Owned+volume(ph.Owned(st, a))
				}
			}
			for _, acc := range st.Accesses {
				if acc.Write {
					x.Writes++
				} else {
					x.Reads++
				}
			}
			if x.Points > 0 {
				all = append(all, x)
			}
		}
	}
	slices.SortStableFunc(all, func(x, y InstanceCount) int { return cmp.Compare(x.Phase, y.Phase) })
	return all
}

package lower

import (
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/gpu/pointset"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// This file is about tiles that wait for each other. What a tile copies to shared memory is more than what its instances read: whole
// rows of it, and what the tile after it will find there. So tiles must be in order whose boxes around all that they use have something
// in common, not only those of which instances depend on each other.

// Axes returns how many dimensions tell the blocks of a launch of s apart.
func Axes(s *schedule.Schedule) int {
	ph := s.Phases[0]
	return len(ph.Nest()) - len(Looped(ph))
}

// Boxes returns where the elements lie that tiles of s may copy, for each array with a layout that some statement writes, by phase.
// Arrays that do not follow each dimension of space are left out: nothing bounds which tiles use an element.
func Boxes(s *schedule.Schedule) [][]schedule.Box { return layoutsOf(s.Canonical).boxes(s) }

// Boxes is the function Boxes.
func (k *Counter) Boxes(s *schedule.Schedule) [][]schedule.Box { return k.layouts.boxes(s) }

func (ls layouts) boxes(s *schedule.Schedule) (boxes [][]schedule.Box) {
	for _, view := range ls.all {
		l, ok := ls.of[view]
		if !ok || !s.Canonical.Scop.Writes(l.whole) || !l.everywhere(len(s.Phases[0].Space)) {
			continue
		}
		var by []schedule.Box
		for _, ph := range s.Phases {
			b := schedule.Box{Lo: make([]int64, len(ph.Space)), Hi: make([]int64, len(ph.Space))}
			for p, d := range ph.Space {
				lo, hi, _ := d.Extent()
				least, most := l.span(slices.Index(l.space, p))
				b.Lo[p], b.Hi[p] = lo+least, hi+most
			}
			by = append(by, b)
		}
		boxes = append(boxes, by)
	}
	return boxes
}

// span returns the least and the greatest offset of dimension k.
func (l layout) span(k int) (lo, hi int64) {
	some := false
	for _, x := range l.offsets {
		if !some {
			lo, hi, some = x[k], x[k], true
		}
		lo, hi = min(lo, x[k]), max(hi, x[k])
	}
	return lo, hi
}

// unordered returns why tiles that wait for each other may not copy an array, or a view of it, "" if they may: boxes do not tell which
// tiles have elements in common. What lies around one view in a tile may lie around another view in a tile far away; and of an array
// that does not follow a dimension of space, all tiles along it have the same.
func (ph *launch) unordered(view *scop.Array) string {
	if ph.schedule.Waits == nil {
		return ""
	}
	return ph.layouts.unordered(view, ph.scop, len(ph.schedule.Phases[0].Space))
}

// unordered is that of tiles that wait for each other, in so many dimensions of space.
func (ls layouts) unordered(view *scop.Array, p *scop.Program, dims int) string {
	whole := ls.array(view)
	if !p.Writes(whole) {
		return ""
	}
	if slices.ContainsFunc(ls.all, func(other *scop.Array) bool { return other != view && ls.array(other) == whole }) {
		return "tiles wait for each other, and parts of it are mirrored"
	}
	if !ls.of[view].everywhere(dims) {
		return "tiles wait for each other, and it does not follow each dimension of space"
	}
	return ""
}

// everywhere reports whether l follows each of so many dimensions of space.
func (l layout) everywhere(dims int) bool {
	for p := range dims {
		if !slices.Contains(l.space, p) {
			return false
		}
	}
	return true
}

// wait has the kernels of drafts wait for each other.
func (m *program) wait(out *gpu.Program, drafts []*draft) {
	staged := map[*scop.Array]bool{}
	for _, d := range drafts {
		for _, f := range d.plan.staged {
			staged[f.whole] = true
		}
	}
	for _, d := range drafts {
		for _, view := range m.layouts.all {
			if l, ok := m.layouts.of[view]; ok && staged[l.whole] && m.scop.Writes(l.whole) {
				d.kernel.Copied = append(d.kernel.Copied, d.launch.region(l))
			}
		}
	}
	out.WaitFor(m.schedule.Waits)
}

// region returns the elements of l around all that a tile uses.
func (ph *launch) region(l layout) gpu.Region {
	var around pointset.Box
	for i, s := range ph.all {
		for _, t := range ph.touchesOf(l, i, s) {
			around.Grow(t.Box)
		}
	}
	r := gpu.Region{Array: l.whole}
	for k, base := range ph.base(l) {
		var lo, hi affine.Expr
		if around.Lo != nil && l.mod[k] == 0 {
			x, y := base.Add(around.Lo[k]), base.Add(around.Hi[k])
			if lo, hi = x, y; l.down[k] {
				lo, hi = y.Times(-1), x.Times(-1)
			}
		}
		r.Lo, r.Hi = append(r.Lo, lo), append(r.Hi, hi)
	}
	return r
}

// alike returns threads that suffice for the blocks of all drafts; ok: all of them have these.
func alike(drafts []*draft) (threads [3]int, ok bool) {
	ok = true
	for _, d := range drafts {
		for axis, n := range d.kernel.Threads {
			threads[axis] = max(threads[axis], n)
		}
	}
	for _, d := range drafts {
		ok = ok && d.kernel.Threads == threads
	}
	return threads, ok
}

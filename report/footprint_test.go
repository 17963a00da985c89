package report

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/gpu/lower"
	"github.com/hexcc/hexcc/machine"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// TestFootprintCounts: what the pictures show of one- and two-dimensional arrays is what kernels copy that use nothing of the tile before.
func TestFootprintCounts(t *testing.T) {
	for _, name := range []string{"jacobi-1d", "asymmetric", "jacobi-2d", "fdtd-2d", "wave-2d"} {
		for _, sizes := range append([]schedule.Sizes{sizesOf[name]}, odd[name]...) {
			p := products(t, name, sizes)
			staged := lower.NewCounter(p.Space, p.GPU.Device, lower.Options{Strategy: lower.Staged}).Counts(p.Schedule)
			want := staged[len(staged)-1] // of the last phase, as are the footprints here
			loads, stores, drawn := 0, 0, 0
			for _, b := range p.GPU.Kernels[len(p.GPU.Kernels)-1].Shared {
				fp, why := footprintOf(p.Schedule, len(p.Schedule.Phases)-1, b.Array)
				if why != "" {
					require.Contains(t, why, "too many to draw")
					continue
				}
				require.True(t, fp.whole)
				loads, stores, drawn = loads+fp.loads(), stores+fp.stores, drawn+1
			}
			if drawn == len(p.GPU.Kernels[0].Shared) && drawn > 0 {
				require.EqualValues(t, want.Loads, loads, "%s %v", name, sizes)
				require.EqualValues(t, want.Stores, stores, "%s %v", name, sizes)
			}
		}
	}
}

// TestFootprintByHand runs through the instances of a full tile one by one, and
// keeps for each element of the array what happened to it.
func TestFootprintByHand(t *testing.T) {
	for _, name := range []string{"jacobi-1d", "asymmetric", "jacobi-2d", "fdtd-2d", "wave-2d", "heat-3d"} {
		p := products(t, name, sizesOf[name])
		for _, array := range p.Scop.Arrays {
			fp, why := footprintOf(p.Schedule, len(p.Schedule.Phases)-1, array)
			require.Empty(t, why, "%s: %s", name, array.Name)
			used := map[string]bool{}
			for _, st := range fp.steps {
				reads, writes := touchedAt(p, st, array)
				fresh, again := map[string]bool{}, map[string]bool{}
				for e := range reads {
					if used[e] {
						again[e] = true
					} else {
						fresh[e] = true
					}
				}
				if fp.whole {
					require.Len(t, fresh, st.loads, "%s %s step %d", name, array.Name, st.a)
					require.GreaterOrEqual(t, len(again)+len(fresh), st.first.count()+st.again.count())
					if len(st.reads) < 2 {
						require.Equal(t, len(again), st.again.count(), "%s %s step %d", name, array.Name, st.a)
					}
					if len(st.writes) < 2 {
						require.Equal(t, len(writes), st.written.count(), "%s %s step %d", name, array.Name, st.a)
					}
				}
				for e := range reads {
					used[e] = true
				}
				for e := range writes {
					used[e] = true
				}
			}
			require.NotEmpty(t, used)
		}
	}
}

// touchedAt returns the elements of array that a step of tile 0 of the last phase reads and writes, all parameters 0.
func touchedAt(p Products, st footstep, array *scop.Array) (reads, writes map[string]bool) {
	reads, writes = map[string]bool{}, map[string]bool{}
	s, K := p.Schedule, int64(p.Space.K)
	ph := s.Phases[len(s.Phases)-1]
	zero := make([]int64, len(p.Scop.Params))
	iters := make([]int64, len(st.stmt.Iters))
	iters[0] = floorDiv(st.a-ph.TimeShift, K)
	var run func(dim int)
	run = func(dim int) {
		if dim < len(ph.Space) {
			d, place := ph.Space[dim], p.Space.Places[st.stmt.Order][dim]
			for b := d.Lo[st.a]; b <= d.Hi[st.a]; b++ {
				iters[place.Iter] = place.Sign() * (d.Offset + b - affineAt(place.Shift, nil, zero))
				run(dim + 1)
			}
			return
		}
		for _, acc := range st.stmt.Accesses {
			if acc.Array != array {
				continue
			}
			element := ""
			for _, x := range acc.Index {
				v := affineAt(x.Affine, iters, zero)
				if x.Mod > 0 {
					v = (v%x.Mod + x.Mod) % x.Mod
				}
				element += fmt.Sprint(v, ",")
			}
			if acc.Write {
				writes[element] = true
			} else {
				reads[element] = true
			}
		}
	}
	run(0)
	return reads, writes
}

// TestPanels: the rectangles of a panel are the cells of the step, each once, and the bar is as long as the buffers are large.
func TestPanels(t *testing.T) {
	p := products(t, "jacobi-2d", sizesOf["jacobi-2d"])
	fp, why := footprintOf(p.Schedule, len(p.Schedule.Phases)-1, p.Scop.Arrays[0])
	require.Empty(t, why)
	pic := readSVG(t, footprintPicture(p, 1000).document("a", "b"))
	f, _ := panelScale(1000, 620, float64(fp.cells.tauHi-fp.cells.tauLo+1), float64(fp.cells.sHi-fp.cells.sLo+1), len(fp.steps))
	for class, want := range map[string]int{"first": fp.loads(), "written": 1152} { // each point writes one element
		sum := 0.0
		for _, r := range pic.in("path", class) {
			sum += r.area / f.cell / f.rise
		}
		require.InDelta(t, want, sum, 3, class)
	}
	limit, buffers := pic.in("rect", "limit"), pic.in("rect", "buffer")
	require.Len(t, limit, 1)
	sum := 0.0
	for _, b := range buffers {
		sum += b.box.w
	}
	d, _ := machine.LookupDevice("sm_80")
	require.InDelta(t, float64(p.GPU.Kernels[0].SharedBytes())/float64(d.SharedBytes), sum/limit[0].box.w, 1e-3)
}

// TestMaskRects covers random masks.
func TestMaskRects(t *testing.T) {
	for seed := range uint64(200) {
		m := newMask(rect{2, 2 + int64(seed%5), -3, -3 + int64(seed%7)})
		x := seed*2654435761 + 12345
		for i := range m.in {
			x ^= x << 13
			x ^= x >> 7
			x ^= x << 17
			m.in[i] = x%3 > 0
		}
		n := make([]int, len(m.in))
		for _, r := range m.rects() {
			m.each(r, func(c int64) { n[c]++ })
		}
		for i, in := range m.in {
			want := 0
			if in {
				want = 1
			}
			require.Equal(t, want, n[i])
		}
	}
}

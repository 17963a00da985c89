package lower_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/emulate"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/gpu/lower"
	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/schedule"
)

// A part is a node of the steps of a full tile.
type part struct {
	step    string
	times   int64 // a thread runs its body
	points  int   // of the body
	guarded bool
}

// coreOf returns the parts of the steps of the full tiles of k, but for those
// that only some of the threads run, which have no part in loops over whole turns.
func coreOf(k *gpu.Kernel) (all []part) {
	eachInFullTile(k, func(n gpu.Threads) {
		x := part{step: n.Role.String(), times: 1, guarded: n.Guard != nil}
		for _, op := range n.Body {
			if _, ok := op.(gpu.Compute); ok {
				x.points++
			}
		}
		for _, l := range n.Loops {
			if l.Axis < 0 {
				x.times *= l.Hi.(affine.Sum).Const - l.Lo.(affine.Sum).Const + 1
			}
		}
		if x.points > 0 {
			all = append(all, x)
		}
	})
	return all
}

// eachInFullTile calls f with what threads run in the full tiles of k.
func eachInFullTile(k *gpu.Kernel, f func(gpu.Threads)) {
	var walk func(ns []gpu.Node, full bool)
	walk = func(ns []gpu.Node, full bool) {
		for _, n := range ns {
			switch n := n.(type) {
			case gpu.For:
				walk(n.Body, full)
			case gpu.If:
				walk(n.Then, full || n.Role.Kind == gpu.FullTile)
			case gpu.Threads:
				if full {
					f(n)
				}
			}
		}
	}
	walk(k.Body, false)
}

// TestUnrolledByFactor: the rows of the steps of jacobi-2d, h=2, w0=20, are 21, 23,
// 25, 25, 23, 21, a warp each. A loop has just as many in its body as was asked
// for, and runs it as often as it can; what is left is spelled out behind.
// Of a body of u rows, which need u+2 values of their own column and u of each
// of the others, u+2 + 2u are loaded, as in straight code of u rows.
func TestUnrolledByFactor(t *testing.T) {
	x := stencil{pipeline.Case(t, "jacobi-2d")}
	rows := []int64{21, 23, 25, 25, 23, 21}
	for _, u := range []int{1, 2, 5, 8, 12, 13, 25} {
		_, p := x.mapped(t, schedule.Sizes{H: 2, W: []int64{20, 32}}, lower.Options{Unroll: u})
		for _, k := range p.Kernels {
			var want []part
			for step, n := range rows {
				note := fmt.Sprintf("step %d: S0", step)
				times, left := n/int64(u), n%int64(u)
				if times < 2 {
					times, left = 0, n
				} else {
					want = append(want, part{note, times, u, false})
				}
				if left > 0 {
					want = append(want, part{note, 1, int(left), false})
				}
			}
			assert.Equal(t, want, coreOf(k), "by %d", u)
		}
		assert.Empty(t, p.Remarks, "by %d: as was asked for", u)
	}
	_, p := x.mapped(t, schedule.Sizes{H: 2, W: []int64{20, 32}}, lower.Options{Unroll: 8})
	loads, stores, points := coreTraffic(t, p.Kernels[0])
	body, rest := 8+2+2*8, func(n int) int { return n + 2 + 2*n }
	instances := 6*8 + 2*5 + 2*7 + 2*1
	assert.Equal(t, []int{6*body + 2*rest(5) + 2*rest(7) + 2*rest(1), instances, instances}, []int{loads, stores, points})
}

// TestUnrolledWithinLimit: where straight code would pass the limit, the factor
// along s0 is the largest that does not, and a remark says so. Other dimensions
// that lie on no threads follow if they fit.
func TestUnrolledWithinLimit(t *testing.T) {
	for _, c := range []struct {
		name   string
		sizes  schedule.Sizes
		remark string
	}{
		{"jacobi-2d", schedule.Sizes{H: 5, W: []int64{100, 32}}, "full tiles are unrolled by 50 along s0: in straight code a thread would make 7632 accesses, and the limit is 4096"},
		{"fdtd-2d", schedule.Sizes{H: 7, W: []int64{120, 32}}, "full tiles are unrolled by 25 along s0: in straight code a thread would make 14336 accesses, and the limit is 4096"},
		{"star-2d-4", schedule.Sizes{H: 3, W: []int64{80, 32}}, "full tiles are unrolled by 20 along s0: in straight code a thread would make 13392 accesses, and the limit is 4096"},
		{"heat-3d-27", schedule.Sizes{H: 3, W: []int64{20, 2, 32}}, "full tiles are unrolled by 12 along s0: in straight code a thread would make 5376 accesses, and the limit is 4096"},
	} {
		x := stencil{pipeline.Case(t, c.name)}
		s, p := x.mapped(t, c.sizes, lower.Options{})
		assert.Equal(t, []string{c.remark}, p.Remarks)
		for _, k := range p.Kernels {
			points := 0
			for _, part := range coreOf(k) {
				assert.False(t, part.guarded)
				points += part.points
			}
			var by int64
			fmt.Sscanf(c.remark, "full tiles are unrolled by %d along s0", &by)
			text, _ := textOf(s, k.Phase, by)
			assert.EqualValues(t, text, points, c.name)
			for more := by + 1; more <= 2*c.sizes.W[0]; more++ {
				_, accesses := textOf(s, k.Phase, more)
				assert.Greater(t, accesses, int64(4096), "%s by %d", c.name, more)
			}
		}
	}
}

// textOf returns how many points of a full tile the text has for a thread by this
// factor along s0, and their accesses. Nests of lower depth have none.
func textOf(s *schedule.Schedule, phase int, by int64) (points, accesses int64) {
	rows := s.Phases[phase].Space[0]
	for a := range s.Height {
		for _, stmt := range s.Canonical.At(int(a) % s.Canonical.K) {
			if len(stmt.Iters) <= len(s.Canonical.Space) {
				continue
			}
			n := rows.Hi[a] - rows.Lo[a] + 1
			if n >= 2*by {
				n = by + n%by
			}
			points += n
			accesses += n * int64(len(stmt.Accesses))
		}
	}
	return points, accesses
}

// TestStraightAlongLine: in one dimension of space rows lie on the threads of a block, and each step has another number of points. Full tiles
// are straight code nonetheless, copies too: no thread runs anything but once. A step of n points has n/threads of them for all threads, and one
// more for the first n%threads.
func TestStraightAlongLine(t *testing.T) {
	for _, name := range []string{"jacobi-1d", "asymmetric", "jacobi-1d-7"} {
		x := stencil{pipeline.Case(t, name)}
		for _, w0 := range []int64{31, 64, 95, 500, 2047} {
			s, p := x.mapped(t, schedule.Sizes{H: 3, W: []int64{w0}}, lower.Options{})
			for _, k := range p.Kernels {
				threads := int64(k.Threads[0])
				var want []part
				for a := range s.Height {
					row := s.Phases[k.Phase].Space[0]
					n, step := row.Hi[a]-row.Lo[a]+1, fmt.Sprintf("step %d: S0", a)
					if n >= threads {
						want = append(want, part{step, 1, int(n / threads), false})
					}
					if n%threads > 0 {
						want = append(want, part{step, 1, 1, false})
					}
				}
				assert.Equal(t, want, coreOf(k), "%s, w0=%d", name, w0)
				eachInFullTile(k, func(n gpu.Threads) {
					assert.False(t, n.Repeats(), "%s, w0=%d: %v", name, w0, n)
					for _, l := range n.Loops {
						assert.Less(t, l.Hi.(affine.Sum).Const, threads, "%s, w0=%d: %v", name, w0, n)
					}
				})
			}
		}
	}
}

// TestUnrolledRunsRight runs loops of unrolled bodies in the emulator: by every
// factor that the tiles have room for, with every use of shared memory.
func TestUnrolledRunsRight(t *testing.T) {
	for _, name := range []string{"jacobi-1d", "asymmetric", "jacobi-2d", "fdtd-2d", "heat-3d-27", "gradient-2d", "em-2d", "heat-4d"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			x := stencil{pipeline.Case(t, name)}
			for n, st := range lower.Strategies() {
				sizes := x.small(n % 2)
				sizes.W[0] += 4 + int64(n)
				if len(sizes.W) > 3 {
					sizes.W = append(sizes.W[:1], 2, 3, 5)
				}
				o := lower.Options{Strategy: st, Unroll: 1 + n%3}
				if len(sizes.W) == 1 { // the rows lie on threads: enough of them for two bodies
					sizes.W[0] += 32 * 7
					o.Threads = [3]int{32, 1, 1}
				}
				s, p := x.mapped(t, sizes, o)
				looped := false
				for _, k := range p.Kernels {
					looped = looped || slices.ContainsFunc(coreOf(k), func(x part) bool { return x.times > 1 })
				}
				require.True(t, looped, "%v %v", sizes, o)
				v, err := emulate.Verify(emulate.Request{Program: p, Schedule: s, Points: 1 << 12})
				require.NoError(t, err)
				require.True(t, v.OK(), "%v %v\n%v\n%v", s.Sizes, o, v, p)
			}
		})
	}
}

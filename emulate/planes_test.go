package emulate_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/emulate"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/gpu/lower"
	"github.com/hexcc/hexcc/gpu/proof"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/schedule"
)

// TestRandomPlanes verifies random chains of nests by boxes that overlap and stream along one of two or three dimensions.
func TestRandomPlanes(t *testing.T) {
	ran, refused, absent, versions := 0, 0, 0, 0
	seeds := uint64(8)
	switch {
	case cases.Every():
		seeds = 24
	case cases.Whole():
		seeds = 14
	}
	t.Run("all", func(t *testing.T) {
		for seed := range seeds {
			t.Run(fmt.Sprint(seed), func(t *testing.T) {
				rng := rand.New(rand.NewPCG(seed, 23))
				text, dims, most := randomNests(rng)
				for dims < 2 {
					text, dims, most = randomNests(rng)
				}
				p := newPlan(t, "random", text)
				sizes := schedule.Sizes{H: 1 + rng.Int64N(most), Stream: new(rng.IntN(dims))}
				for range dims {
					sizes.W = append(sizes.W, 1+rng.Int64N(9))
				}
				o := lower.Options{Async: rng.IntN(2) == 0}
				if rng.IntN(3) == 0 {
					o.Threads = [3]int{1 + rng.IntN(40), 1 + rng.IntN(3), 1}
				}
				var groups schedule.Groups
				if seed%2 == 0 {
					if groups = randomGroups(p, rng); groups != nil {
						sizes.H = 1
					}
				}
				if rng.IntN(2) == 0 {
					o.Prefetch = new(rng.Int64N(4))
				}
				r, loops, ok := p.overlapped(t, groups, sizes, o, nil)
				if !ok {
					refused++
					return
				}
				r.Points, r.Seed = 5000, seed
				p.verified(t, r, loops, text)
				ran++
				absent, versions = absent+len(r.Schedule.Temporaries), versions+len(r.Schedule.Versions)
			})
		}
	})
	require.Greater(t, ran, 4*refused)
	require.Positive(t, absent)
	require.Positive(t, versions)
}

// TestPrefetchedPlanes loads planes any number of positions before they are used: rings have as many planes more, and all is proved, and runs, as ever.
func TestPrefetchedPlanes(t *testing.T) {
	for name, text := range map[string]string{"jacobi": jacobiPlanes, "bordered": bordered} {
		p := newPlan(t, name, text)
		least := map[string]int64{}
		for n := range int64(4) {
			r, loops, ok := p.overlapped(t, nil, schedule.Sizes{H: 2, W: []int64{9, 8}, Stream: new(0)}, lower.Options{Async: true, Prefetch: &n}, nil)
			require.True(t, ok)
			for _, b := range r.Program.Kernels[0].Shared {
				if n == 0 {
					least[b.Array.Name] = b.Bytes()
				}
				more := b.Bytes() - least[b.Array.Name]
				require.True(t, n == 0 || more > 0 && more%n == 0, "%s: %d bytes more for %d planes of %s", name, more, n, b.Name)
			}
			for _, q := range []schedule.Proof{proof.Emission(r.Program, loops), proof.Staging(r.Program, loops)} {
				require.True(t, q.Holds, "%s, %d ahead: %s\n%v", name, n, q.Violation, r.Program)
			}
			v, err := emulate.Verify(r)
			require.NoError(t, err)
			require.True(t, v.OK(), "%s, %d ahead: %v", name, n, v)
		}
	}
}

// jacobiPlanes is a stencil in two planes that take turns.
const jacobiPlanes = `void f(int T, int n, int m, float A[restrict 2][n][m])
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        A[(t + 1) % 2][i][j] = 0.25f * (A[t % 2][i - 1][j] + A[t % 2][i + 1][j] + A[t % 2][i][j - 1] + A[t % 2][i][j + 1]);
#pragma endscop
}
`

// bordered sets a row in each step, whose plane is a number.
const bordered = `void f(int T, int n, int m, float e[restrict n][m], float h[restrict n][m], const float edge[restrict T])
{
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int j = 0; j < m; j++)
      e[0][j] = edge[t];
    for (int i = 1; i < n; i++)
      for (int j = 0; j < m; j++)
        e[i][j] = e[i][j] - 0.5f * (h[i][j] - h[i - 1][j]);
    for (int i = 0; i < n - 1; i++)
      for (int j = 0; j < m - 1; j++)
        h[i][j] = h[i][j] - 0.7f * (e[i + 1][j] - e[i][j]);
  }
#pragma endscop
}
`

// TestPlanesOfNumber: planes of rings whose subscript is a number are those of the place of the nest, whatever the width of tiles and the length of rings.
func TestPlanesOfNumber(t *testing.T) {
	for name, text := range map[string]string{"bordered": bordered, "source": pointSource} {
		p := newPlan(t, name, text)
		for _, sizes := range []schedule.Sizes{
			{H: 1, W: []int64{9, 8}, Stream: new(0)}, {H: 3, W: []int64{9, 8}, Stream: new(0)}, {H: 2, W: []int64{4, 16}, Stream: new(0)}, {H: 2, W: []int64{5, 8}, Stream: new(1)},
		} {
			r, loops, ok := p.overlapped(t, nil, sizes, lower.Options{Async: true}, nil)
			require.True(t, ok, "%s %v", name, sizes)
			for _, q := range []schedule.Proof{proof.Emission(r.Program, loops), proof.Staging(r.Program, loops)} {
				require.True(t, q.Holds, "%s %v: %s\n%v", name, sizes, q.Violation, r.Program)
			}
			v, err := emulate.Verify(r)
			require.NoError(t, err)
			require.True(t, v.OK(), "%s %v: %v", name, sizes, v)
		}
	}
}

// pointSource adds to one element between two nests: it reads what the first one has written to a plane whose number is known.
const pointSource = `void f(int T, int n, int m, float d[n][m], float e[n][m])
{
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        d[i][j] = 0.5f * d[i][j] + e[i][j] - e[i - 1][j] + e[i][j - 1];
    d[12][17] += 0.25f;
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        e[i][j] = e[i][j] + 0.5f * (d[i][j] - d[i + 1][j] + d[i][j + 1]);
  }
#pragma endscop
}
`

// TestPlaneMutants spoils rings of planes, delays and barriers of tiles that stream: a proof, the emulator, or both find out.
func TestPlaneMutants(t *testing.T) {
	p := newPlan(t, "jacobi", jacobiPlanes)
	sizes := schedule.Sizes{H: 2, W: []int64{9, 8}, Stream: new(0)}
	check := func(t *testing.T, r emulate.Request, loops *astgen.Program, proved bool) {
		refuted := p.refuted(r, loops)
		require.Equal(t, proved, refuted > 0, "%d proofs are refuted", refuted)
		v, err := emulate.Verify(r)
		require.NoError(t, err)
		require.False(t, v.OK(), "the emulator finds nothing\n%v", r.Program)
	}
	t.Run("a delay one less", func(t *testing.T) {
		r, loops, ok := p.overlapped(t, nil, sizes, lower.Options{}, func(s *schedule.Schedule) {
			s.Phases[0].Stream.Delays[0][1]--
		})
		require.True(t, ok)
		check(t, r, loops, true)
	})
	for _, async := range []bool{false, true} {
		r, loops, ok := p.overlapped(t, nil, sizes, lower.Options{Async: async}, nil)
		require.True(t, ok)
		ring := r.Program.Kernels[0].Shared[0]
		dim := slices.Index(ring.Wrap, true)
		require.Equal(t, int64(4), ring.Shape[dim], "the planes from the one that is loaded to the last that a step reads")
		name := fmt.Sprintf("asynchronous: %t, ", async)
		t.Run(name+"a ring one plane too short", func(t *testing.T) {
			spoilt := r
			spoilt.Program = shorter(r.Program, ring, dim)
			check(t, spoilt, loops, true)
		})
		for _, x := range []struct {
			name   string
			wants  func(place) bool
			f      edit
			proved bool
		}{
			{"a plane rotated wrongly", func(x place) bool { return x.role(0).Kind != gpu.NoRole }, func(x place) []gpu.Node {
				n := x.node().(gpu.Threads)
				n.Body = slices.Clone(n.Body)
				turn := func(r *gpu.Ref) {
					r.Index = slices.Clone(r.Index)
					m := r.Index[dim].(affine.Mod)
					r.Index[dim] = affine.Modulo(m.X.(affine.Sum).Add(1), m.D)
				}
				switch op := n.Body[0].(type) {
				case gpu.Copy:
					if op.To.Buffer != nil {
						turn(&op.To)
					} else {
						turn(&op.From)
					}
					n.Body[0] = op
				case gpu.Compute:
					op.Refs = slices.Clone(op.Refs)
					turn(&op.Refs[0])
					n.Body[0] = op
				}
				return []gpu.Node{n}
			}, true},
			{"a barrier left out", func(x place) bool { _, ok := x.node().(gpu.Barrier); return ok && x.i+1 < len(x.list) }, func(place) []gpu.Node { return []gpu.Node{} }, false},
			{"the last barrier left out", func(x place) bool { _, ok := x.node().(gpu.Barrier); return ok && x.i+1 == len(x.list) }, func(place) []gpu.Node { return []gpu.Node{} }, true},
			{"a step left out", func(x place) bool { return x.role(0).Kind == gpu.TimeStep }, func(place) []gpu.Node { return []gpu.Node{} }, true},
			{"a copy left out", func(x place) bool { return x.role(0).Kind == gpu.CopyIn || x.role(0).Kind == gpu.CopyOut }, func(place) []gpu.Node { return []gpu.Node{} }, true},
			{"a tile that a bound cuts taken for one that none does", func(x place) bool { y, ok := x.node().(gpu.If); return ok && y.Role.Kind == gpu.UncutTile }, func(x place) []gpu.Node {
				n := x.node().(gpu.If)
				loose := astgen.Cond{}
				for _, all := range n.Cond {
					var rows []affine.Expr
					for _, e := range all {
						rows = append(rows, e.(affine.Sum).Add(1))
					}
					loose = append(loose, rows)
				}
				n.Cond = loose
				return []gpu.Node{n}
			}, true},
			{"a plane that is never loaded", func(x place) bool { y, ok := x.node().(gpu.If); return ok && y.Role.Kind == gpu.UnlessWritten }, func(place) []gpu.Node { return []gpu.Node{} }, true},
		} {
			t.Run(name+x.name, func(t *testing.T) {
				_, n := edited(r.Program, -1, x.wants, x.f)
				require.Positive(t, n)
				for at := range n {
					spoilt := r
					spoilt.Program, _ = edited(r.Program, at, x.wants, x.f)
					check(t, spoilt, loops, x.proved)
				}
			})
		}
	}
}

// shorter returns p with a ring of one plane less along a dimension, in all places where it is used.
func shorter(p *gpu.Program, ring *gpu.Buffer, dim int) *gpu.Program {
	less := map[string]*gpu.Buffer{}
	out := *p
	out.Kernels = nil
	for _, k := range p.Kernels {
		c := *k
		c.Shared = nil
		for _, b := range k.Shared {
			s := *b
			s.Shape = slices.Clone(b.Shape)
			s.Shape[dim]--
			less[k.Name], c.Shared = &s, append(c.Shared, &s)
		}
		at := func(r gpu.Ref, plane affine.Expr) gpu.Ref {
			r.Buffer, r.Index = less[k.Name], slices.Clone(r.Index)
			r.Index[dim] = affine.Modulo(plane.(affine.Sum), less[k.Name].Shape[dim])
			return r
		}
		c.Body = apply(k.Body, false, func(x place) []gpu.Node {
			n, ok := x.node().(gpu.Threads)
			if !ok {
				return nil
			}
			n.Body = slices.Clone(n.Body)
			switch op := n.Body[0].(type) {
			case gpu.Copy:
				if op.To.Buffer != nil {
					op.To = at(op.To, op.From.Index[dim])
				} else {
					op.From = at(op.From, op.To.Index[dim])
				}
				n.Body[0] = op
			case gpu.Compute:
				s := astgen.Slice{Stmt: op.Stmt}
				for _, e := range op.Iters {
					s.Iters = append(s.Iters, e.(affine.Sum))
				}
				op.Refs = slices.Clone(op.Refs)
				for i, acc := range op.Stmt.Accesses {
					op.Refs[i] = at(op.Refs[i], s.Subscripts(p.Scop, acc)[dim])
				}
				n.Body[0] = op
			}
			return []gpu.Node{n}
		})
		out.Kernels = append(out.Kernels, &c)
	}
	return &out
}

// TestRingSizes asks for the rings of stencils of volumes as LIFT has them (Stoltzfus et al., TACO 2019): 2r+1 planes of an array that is read at the distances -r..r, and here one
// more, which is on its way. Each position loads one plane of it. LIFT's threads load one point of each column; here a block loads the plane once for all its threads.
func TestRingSizes(t *testing.T) {
	abs := func(x int) int { return max(x, -x) }
	for _, x := range []struct {
		points, reach int
		loads         int // of a point of a thread that keeps what it has loaded of each column along the stream in registers: table 3
		in            func(i, j, k int) bool
	}{
		{7, 1, 5, func(i, j, k int) bool { return abs(i)+abs(j)+abs(k) <= 1 }},
		{13, 2, 9, func(i, j, k int) bool { return i*j == 0 && j*k == 0 && i*k == 0 }},
		{19, 1, 9, func(i, j, k int) bool { return abs(i)+abs(j)+abs(k) <= 2 }},
		{19, 3, 13, func(i, j, k int) bool { return i*j == 0 && j*k == 0 && i*k == 0 }},
		{25, 4, 17, func(i, j, k int) bool { return i*j == 0 && j*k == 0 && i*k == 0 }},
		{27, 1, 9, func(i, j, k int) bool { return true }},
	} {
		t.Run(fmt.Sprintf("%d points, %d away", x.points, x.reach), func(t *testing.T) {
			var terms []string
			for i := -x.reach; i <= x.reach; i++ {
				for j := -x.reach; j <= x.reach; j++ {
					for k := -x.reach; k <= x.reach; k++ {
						if x.in(i, j, k) {
							terms = append(terms, fmt.Sprintf("a[i + %d][j + %d][k + %d]", i, j, k))
						}
					}
				}
			}
			require.Len(t, terms, x.points)
			bound := func(v string) string {
				return fmt.Sprintf("for (int %[1]s = %[2]d; %[1]s < n - %[2]d; %[1]s++)\n", v, x.reach)
			}
			text := "void f(int n, float a[restrict n][n][n], float b[restrict n][n][n])\n{\n#pragma scop\n" + bound("i") + bound("j") + bound("k") +
				"b[i][j][k] = " + strings.ReplaceAll(strings.Join(terms, " + "), "+ -", "- ") + ";\n#pragma endscop\n}\n"
			r, loops, ok := newPlan(t, "f", text).overlapped(t, nil, schedule.Sizes{H: 1, W: []int64{64, 8, 32}, Stream: new(0)}, lower.Options{}, nil)
			require.True(t, ok)
			require.True(t, proof.Staging(r.Program, loops).Holds)
			columns := map[string]bool{}
			for _, a := range r.Program.Scop.Stmts[0].Accesses {
				if !a.Write {
					columns[fmt.Sprint(a.Index[1:])] = true
				}
			}
			require.Len(t, columns, x.loads)
			k := r.Program.Kernels[0]
			require.Equal(t, "a", k.Shared[0].Array.Name)
			require.Equal(t, int64(2*x.reach+1+1), k.Shared[0].Shape[0])
			require.Equal(t, gpu.UncutTile, k.Body[0].(gpu.If).Role.Kind)
			_, loads := edited(r.Program, -1, func(x place) bool { return x.role(0).Kind == gpu.CopyIn }, nil)
			require.Equal(t, 2, loads, "of tiles that no bound cuts across the stream, and of others")
			_, barriers := edited(r.Program, -1, func(x place) bool { _, ok := x.node().(gpu.Barrier); return ok }, nil)
			require.Equal(t, 2, barriers)
		})
	}
}

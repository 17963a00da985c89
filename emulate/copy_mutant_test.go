package emulate_test

import (
	"fmt"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/emulate"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/gpu/lower"
	"github.com/hexcc/hexcc/internal/cases"
)

// These mutants hold or copy the wrong elements.

// TestShrunkBuffer makes a dimension of a buffer one less, if any run uses all of it.
func TestShrunkBuffer(t *testing.T) {
	mutants(t, func(t *testing.T, r emulate.Request) {
		r.First = false
		r.Sizes = r.Sizes[:2]
		v, err := emulate.Verify(r)
		require.NoError(t, err)
		r.First = true
		shrunk := 0
		for i, k := range r.Program.Kernels {
			for _, b := range k.Shared {
				for d := range b.Shape {
					if reach(v, b)[d] < b.Shape[d] {
						t.Logf("%s of %s: dimension %d of %v is not used up", b.Name, k.Name, d, b.Shape)
						continue
					}
					p := rebuffered(r.Program, i, b, func(c *gpu.Buffer) { c.Shape[d]-- })
					mustCatch(t, r, p, fmt.Sprintf("%s of %s, dimension %d shrunk", b.Name, k.Name, d), emulate.OutOfBounds)
					shrunk++
				}
			}
		}
		require.Greater(t, shrunk, 2)
	})
}

// reach returns how much of b is used in each dimension by some trial.
func reach(v *emulate.Verification, b *gpu.Buffer) []int64 {
	most := make([]int64, len(b.Shape))
	for _, t := range v.Trials {
		for _, u := range t.Report.Buffers {
			for d := range most {
				if u.Buffer == b {
					most[d] = max(most[d], u.Reach[d])
				}
			}
		}
	}
	return most
}

func TestWrongOrigin(t *testing.T) {
	mutants(t, func(t *testing.T, r emulate.Request) {
		for i, k := range r.Program.Kernels {
			for _, b := range k.Shared {
				for d := range b.Shape {
					if b.Mod[d] == 1 {
						continue // all the same
					}
					p := rebuffered(r.Program, i, b, func(c *gpu.Buffer) {
						c.Origin[d] = plusOne(c.Origin[d])
					})
					mustCatch(t, r, p, fmt.Sprintf("%s of %s, origin %d moved", b.Name, k.Name, d), emulate.Misplaced)
				}
			}
		}
	})
}

// plusOne is e+1, or for what is no sum a number that is wrong too.
func plusOne(e affine.Expr) affine.Expr {
	if s, ok := e.(affine.Sum); ok {
		s.Const++
		return s
	}
	return affine.Num(-77)
}

// rebuffered returns p with buffer b of kernel i changed, in all references.
func rebuffered(p *gpu.Program, i int, b *gpu.Buffer, change func(*gpu.Buffer)) *gpu.Program {
	c := *b
	c.Shape, c.Origin, c.Mod = slices.Clone(b.Shape), slices.Clone(b.Origin), slices.Clone(b.Mod)
	change(&c)
	out := *p
	out.Kernels = slices.Clone(p.Kernels)
	k := *p.Kernels[i]
	k.Shared = slices.Clone(k.Shared)
	k.Shared[slices.Index(k.Shared, b)] = &c
	swap := func(r gpu.Ref) gpu.Ref {
		if r.Buffer == b {
			r.Buffer = &c
		}
		return r
	}
	k.Body = apply(k.Body, false, func(x place) []gpu.Node {
		t, ok := x.node().(gpu.Threads)
		if !ok {
			return nil
		}
		t.Body = slices.Clone(t.Body)
		for i, op := range t.Body {
			switch op := op.(type) {
			case gpu.Copy:
				t.Body[i] = gpu.Copy{To: swap(op.To), From: swap(op.From)}
			case gpu.Load:
				t.Body[i] = gpu.Load{Reg: op.Reg, From: swap(op.From)}
			case gpu.Compute:
				op.Refs = slices.Clone(op.Refs)
				for j, r := range op.Refs {
					op.Refs[j] = swap(r)
				}
				t.Body[i] = op
			}
		}
		return []gpu.Node{t}
	})
	out.Kernels[i] = &k
	return &out
}

// copying selects the copies of full tiles with notes that start so and without a guard, which may leave out the last cell.
func copying(kinds ...gpu.RoleKind) func(place) bool {
	return func(p place) bool {
		return p.inFull && slices.Contains(kinds, p.role(0).Kind) && p.node().(gpu.Threads).Guard == nil
	}
}

// oneLess makes the innermost loop end one earlier.
func oneLess(p place) []gpu.Node {
	t := p.node().(gpu.Threads)
	t.Loops = slices.Clone(t.Loops)
	last := &t.Loops[len(t.Loops)-1]
	switch hi := last.Hi.(type) {
	case affine.Sum:
		hi.Const--
		last.Hi = hi
	case affine.Min:
		last.Hi = affine.Min{Args: lessOne(hi.Args)}
	default:
		panic(fmt.Sprintf("bound %T", hi))
	}
	return []gpu.Node{t}
}

func lessOne(args []affine.Expr) []affine.Expr {
	args = slices.Clone(args)
	for i, a := range args {
		s := a.(affine.Sum)
		s.Const--
		args[i] = s
	}
	return args
}

// TestCopyOneLess has every third case (HEXCC_TESTS=all: every one), but in three dimensions and more few mutants of
// most: they take long.
func TestCopyOneLess(t *testing.T) {
	var once atomic.Int64
	t.Run("cases", func(t *testing.T) {
		eachNth(t, 3, 1, func(t *testing.T, name string, p plan) {
			most := 10
			if len(p.Space.Space) > 2 && name != "heat-3d" {
				most = 2
			}
			r := p.requestWith(t, p.tiny(), lower.Options{Strategy: lower.Staged})
			r.Points = 30_000
			r = fullSize(t, r)
			some(t, r, most, copying(gpu.CopyIn), oneLess, "copy in one cell less")
			_, n := edited(r.Program, -1, copyingOnce, nil)
			once.Add(int64(n))
			some(t, r, most, copyingOnce, oneLess, "copy in once one cell less", emulate.Uninitialised)
			r.First = false
			some(t, r, most, copying(gpu.CopyOut), oneLess, "copy out one cell less")
		})
	})
	t.Run("coefficients by step", func(t *testing.T) {
		p := newPlan(t, "by-step", byStep)
		r := p.requestWith(t, p.tiny(), lower.Options{Strategy: lower.Staged})
		r.Points = 30_000
		r = fullSize(t, r)
		_, n := edited(r.Program, -1, copyingOnce, nil)
		once.Add(int64(n))
		some(t, r, 16, copyingOnce, oneLess, "copy in once one cell less", emulate.Uninitialised)
	})
	require.Positive(t, once.Load())
}

// byStep reads coefficients that are no numbers: which of them, the step says.
const byStep = `
void f(int T, int n, int m, float A[restrict 2][n][m], const float c[restrict 4][3])
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        A[(t + 1) % 2][i][j] = c[t % 4][0] * A[t % 2][i][j] + c[t % 4][1] * (A[t % 2][i - 1][j] + A[t % 2][i + 1][j])
            + c[t % 4][2] * (A[t % 2][i][j - 1] + A[t % 2][i][j + 1]);
#pragma endscop
}
`

// copyingOnce selects the copies that a block makes before its first tile.
func copyingOnce(p place) bool {
	return p.role(0) != (gpu.Role{}) && slices.ContainsFunc(p.list, func(n gpu.Node) bool {
		b, ok := n.(gpu.Barrier)
		return ok && b.Role.Kind == gpu.BeforeFirstTile
	})
}

// TestStoreOneLess drops stores of results one by one.
func TestStoreOneLess(t *testing.T) {
	mutants(t, func(t *testing.T, r emulate.Request) {
		if _, n := edited(r.Program, -1, copying(gpu.Store, gpu.StoreEarlier, gpu.StoreLast), oneLess); n == 0 {
			require.Len(t, r.Schedule.Canonical.Space, 1)
			return
		}
		r.First = false
		each(t, r, copying(gpu.Store, gpu.StoreEarlier, gpu.StoreLast), oneLess, "store one cell less")
	})
}

// TestReuseMutants has full tiles find things in shared memory that are not there: a row less
// is loaded or moved, and the first tile of a row of full tiles trusts the one before.
func TestReuseMutants(t *testing.T) {
	for k, st := range []lower.Strategy{lower.Static, lower.Moved} {
		if !cases.Due(k, 2) {
			continue
		}
		tellingCases(t, func(t *testing.T, name string, p plan) {
			if len(p.Space.Space) == 1 {
				return
			}
			r := p.requestWith(t, p.moving(t), lower.Options{Strategy: st})
			r.Points = 60_000
			r = fullSize(t, r)
			for i := range firstOps(r.Program, afterFull) {
				each(t, r, afterFull, func(x place) []gpu.Node { return []gpu.Node{lessOp(x.node().(gpu.If), i)} }, "a row less")
			}
			each(t, r, afterFull, func(x place) []gpu.Node { return []gpu.Node{offByOne(x.node().(gpu.If))} }, "a wrong offset of what is kept or new")
			each(t, r, afterFull, func(x place) []gpu.Node {
				n := x.node().(gpu.If)
				n.Cond = astgen.Cond{{}}
				return []gpu.Node{n}
			}, "no tile is the first")
			last := func(x place) bool {
				n, ok := x.node().(gpu.If)
				return ok && n.Role.Kind == gpu.LastFull
			}
			some(t, r, 16, last, func(x place) []gpu.Node {
				n := x.node().(gpu.If)
				n.Cond = astgen.Cond{}
				return []gpu.Node{n}
			}, "no tile is the last")
		})
	}
}

// offByOne returns n with the first copy that it makes after a full tile, or the load for it, from one element further on.
func offByOne(n gpu.If) gpu.If {
	first := n.Then[0].(gpu.Threads)
	first.Body = slices.Clone(first.Body)
	further := func(from gpu.Ref) gpu.Ref {
		from.Index = slices.Clone(from.Index)
		last := len(from.Index) - 1
		from.Index[last] = plusOne(from.Index[last])
		return from
	}
	switch op := first.Body[0].(type) {
	case gpu.Copy:
		op.From = further(op.From)
		first.Body[0] = op
	case gpu.Load:
		op.From = further(op.From)
		first.Body[0] = op
	}
	n.Then = slices.Clone(n.Then)
	n.Then[0] = first
	return n
}

// copiesOf returns which of the nodes of n after a full tile is the first that copies, and does not only load for others.
func copiesOf(n gpu.If) int {
	return slices.IndexFunc(n.Then, func(x gpu.Node) bool { return !x.(gpu.Threads).Fetches() })
}

// firstOps returns the least number of operations in the first node that copies of the wanted Ifs, at most 3.
func firstOps(p *gpu.Program, wants func(place) bool) int {
	n := 3
	edited(p, -1, func(x place) bool {
		if wants(x) {
			then := x.node().(gpu.If)
			n = min(n, len(then.Then[copiesOf(then)].(gpu.Threads).Body))
		}
		return false
	}, nil)
	return n
}

// lessOp returns n without operation i of its first node that copies.
func lessOp(n gpu.If, i int) gpu.If {
	at := copiesOf(n)
	first := n.Then[at].(gpu.Threads)
	first.Body = slices.Delete(slices.Clone(first.Body), i, i+1)
	n.Then = slices.Clone(n.Then)
	if n.Then[at] = first; len(first.Body) == 0 {
		n.Then = slices.Delete(n.Then, at, at+1)
	}
	return n
}

// TestStaleRegister has one read at a time take the value of the register that
// the read after it takes.
func TestStaleRegister(t *testing.T) {
	tellingCases(t, func(t *testing.T, name string, p plan) {
		r := p.request(t, p.tiny())
		r.Points = 30_000
		r = fullSize(t, r)
		kept := func(c gpu.Compute) (reads []int) {
			for i, ref := range c.Refs {
				if ref.Reg != "" && !c.Stmt.Accesses[i].Write {
					reads = append(reads, i)
				}
			}
			return reads
		}
		last := func(n gpu.Threads) (at int, reads []int) {
			for i, op := range n.Body {
				if c, ok := op.(gpu.Compute); ok && len(kept(c)) > 1 && c.Refs[kept(c)[0]].Reg != c.Refs[kept(c)[1]].Reg {
					at, reads = i, kept(c)
				}
			}
			return at, reads
		}
		wants := func(x place) bool {
			n, ok := x.node().(gpu.Threads)
			if !ok {
				return false
			}
			_, reads := last(n)
			return reads != nil
		}
		swap := func(x place) []gpu.Node {
			n := x.node().(gpu.Threads)
			at, reads := last(n)
			c := n.Body[at].(gpu.Compute)
			c.Refs = slices.Clone(c.Refs)
			c.Refs[reads[0]].Reg = c.Refs[reads[1]].Reg
			n.Body = slices.Clone(n.Body)
			n.Body[at] = c
			return []gpu.Node{n}
		}
		if _, n := edited(r.Program, -1, wants, swap); n == 0 {
			require.Len(t, p.Space.Space, 1, name)
			return
		}
		each(t, r, wants, swap, "another register", emulate.Stale)
	})
}

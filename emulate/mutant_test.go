package emulate_test

import (
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/emulate"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/schedule"
)

// This file breaks correct kernels, one place at a time, and requires that
// Verify notices and says why.

// A place is a node among its siblings.
type place struct {
	list   []gpu.Node
	i      int
	inFull bool // inside the full side of a full-tile If
}

func (p place) node() gpu.Node { return p.list[p.i] }

// note returns the note of the Threads at list[i+d], "" if that is none.
func (p place) note(d int) string {
	if i := p.i + d; i >= 0 && i < len(p.list) {
		if t, ok := p.list[i].(gpu.Threads); ok {
			return t.Note
		}
	}
	return ""
}

// An edit returns what stands in the place of a node, nil to keep it.
type edit func(place) []gpu.Node

// edited returns a copy of p with f applied to number at of the places it wants,
// and the number of those.
func edited(p *gpu.Program, at int, wants func(place) bool, f edit) (*gpu.Program, int) {
	seen := 0
	out := *p
	out.Kernels = nil
	for _, k := range p.Kernels {
		c := *k
		c.Body = apply(k.Body, false, func(x place) []gpu.Node {
			if !wants(x) {
				return nil
			}
			if seen++; seen-1 != at {
				return nil
			}
			return f(x)
		})
		out.Kernels = append(out.Kernels, &c)
	}
	return &out, seen
}

// apply returns list with f applied to all nodes in it and below.
func apply(list []gpu.Node, inFull bool, f edit) []gpu.Node {
	out := []gpu.Node{}
	for i, n := range list {
		if by := f(place{list, i, inFull}); by != nil {
			out = append(out, by...)
			continue
		}
		switch x := n.(type) {
		case gpu.For:
			x.Body = apply(x.Body, inFull, f)
			n = x
		case gpu.If:
			x.Then = apply(x.Then, inFull || x.Note == "full tile", f)
			x.Else = apply(x.Else, inFull, f)
			n = x
		}
		out = append(out, n)
	}
	return out
}

// fullSize returns values of the parameters at which several full tiles run.
func fullSize(t *testing.T, r emulate.Request) emulate.Request {
	v, err := emulate.Verify(r)
	require.NoError(t, err)
	require.True(t, v.OK(), v)
	size := emulate.Size{}
	for i, p := range r.Program.Scop.Params {
		size[p.Name] = v.Trials[0].Params[i]
	}
	for _, b := range v.Trials[0].Report.Branches {
		if b.Note == gpu.FullTile && (b.Then == 0 || b.Else == 0) && r.Points < 500_000 {
			r.Points *= 4
			return fullSize(t, r)
		}
	}
	r.First = true
	space := r.Schedule.Phases[0].Space
	sizes := max(6, space[len(space)-1].Stride) // at one of them the last tile is full
	if len(space) > 2 {
		sizes = 2 // they take long
	}
	for more := range sizes { // tile borders fall elsewhere
		r.Sizes = append(r.Sizes, enlarged(size, r, more))
	}
	if r.Schedule.Phases[0].Space[0].Drift != 0 { // and move from one time tile to the next
		size = enlarged(size, r, 0)
		size[r.Program.Scop.Params[0].Name] *= 4
		r.Sizes = append(r.Sizes, size)
	}
	return r
}

// enlarged is size with all parameters but the first, of time, larger by more.
func enlarged(size emulate.Size, r emulate.Request, more int64) emulate.Size {
	out := emulate.Size{}
	for i, p := range r.Program.Scop.Params {
		if out[p.Name] = size[p.Name]; i > 0 {
			out[p.Name] += more
		}
	}
	return out
}

// caught verifies p in place of r.Program, at the sizes of r in turn, until it
// fails, and reports whether it does. It must say why: by one of the kinds, if any are given.
func caught(t *testing.T, r emulate.Request, p *gpu.Program, kinds ...emulate.Kind) bool {
	t.Helper()
	r.Program = p
	for _, size := range r.Sizes {
		at := r
		at.Sizes = []emulate.Size{size}
		v, err := emulate.Verify(at)
		require.NoError(t, err)
		if v.OK() {
			continue
		}
		require.Contains(t, v.String(), "verification failed")
		isKind := func(f emulate.Finding) bool { return slices.Contains(kinds, f.Kind) }
		require.True(t, len(kinds) == 0 || slices.ContainsFunc(v.Trials[0].Report.Findings, isKind), v)
		return true
	}
	return false
}

// mustCatch requires that p is caught.
func mustCatch(t *testing.T, r emulate.Request, p *gpu.Program, what string, kinds ...emulate.Kind) {
	t.Helper()
	require.True(t, caught(t, r, p, kinds...), "not noticed: %s\n%v", what, p)
}

// tiny returns sizes for mutants: tiles of few points.
func (p plan) tiny() schedule.Sizes {
	s := p.small()
	if p.Space.K == 1 {
		s.H = 1
	}
	s.W[0] = schedule.MinW0(p.Cone, s.H) + 1
	for i := range s.W[1:] {
		s.W[i+1] = int64(3 + i)
	}
	return s
}

// mutants calls f for each telling case, at sizes with full tiles.
func mutants(t *testing.T, f func(t *testing.T, r emulate.Request)) {
	tellingCases(t, func(t *testing.T, name string, p plan) {
		r := p.request(t, p.tiny())
		r.Points = 30_000
		f(t, fullSize(t, r))
	})
}

// each makes mutants by f, one for each wanted place that runs at the sizes of r; of many, 16 spread evenly.
func each(t *testing.T, r emulate.Request, wants func(place) bool, f edit, what string, kinds ...emulate.Kind) {
	_, n := edited(r.Program, -1, wants, f)
	require.Positive(t, n, what)
	some(t, r, 16, wants, f, what, kinds...)
}

// some is each for so many places at most, or none at all.
func some(t *testing.T, r emulate.Request, most int, wants func(place) bool, f edit, what string, kinds ...emulate.Kind) {
	_, n := edited(r.Program, -1, wants, f)
	for i := range min(n, most) {
		i = i * max(n, most) / most
		if p, _ := edited(r.Program, i, wants, f); !caught(t, r, p, kinds...) {
			require.False(t, runs(t, r, i, wants), "not noticed: %s, number %d of %d\n%v", what, i, n, p)
		}
	}
}

// runs reports whether the i-th wanted place runs at some size of r.
func runs(t *testing.T, r emulate.Request, i int, wants func(place) bool) bool {
	const probe = "probe"
	r.Program, _ = edited(r.Program, i, wants, func(p place) []gpu.Node {
		return []gpu.Node{gpu.If{Cond: astgen.Cond{{}}, Then: []gpu.Node{p.node()}, Note: probe}}
	})
	v, err := emulate.Verify(r)
	require.NoError(t, err)
	for _, trial := range v.Trials {
		for _, b := range trial.Report.Branches {
			if b.Note == probe && b.Then > 0 {
				return true
			}
		}
	}
	return false
}

// TestDroppedBarrier drops one barrier at a time. One that is not missed must
// be so by chance only: the threads that copy elements out happen to be those
// that computed them. It must be missed once copies are dealt to other threads.
func TestDroppedBarrier(t *testing.T) {
	drop := func(place) []gpu.Node { return []gpu.Node{gpu.If{Cond: astgen.Cond{}, Note: "no barrier here"}} }
	wants := func(p place) bool { _, ok := p.node().(gpu.Barrier); return ok }
	mutants(t, func(t *testing.T, r emulate.Request) {
		_, n := edited(r.Program, -1, wants, drop)
		require.Positive(t, n)
		chance := 0
		for i := range n {
			p, _ := edited(r.Program, i, wants, drop)
			if caught(t, r, p, emulate.SharedRace, emulate.GlobalRace) {
				continue
			}
			chance++
			other := dealtAnew(r.Program)
			require.False(t, caught(t, r, other), "%v", other)
			other, _ = edited(other, i, wants, drop)
			require.True(t, caught(t, r, other, emulate.SharedRace, emulate.GlobalRace), "barrier %d of %d is not missed\n%v", i, n, p)
		}
		require.LessOrEqual(t, chance, 4)
	})
}

// straight reports whether the loops of n run the same values in every tile.
func straight(n gpu.Threads) bool {
	for _, l := range n.Loops {
		astgen.Vars(l.Lo, func(string) { n.Loops = nil })
		astgen.Vars(l.Hi, func(string) { n.Loops = nil })
	}
	return n.Loops != nil
}

// dealtAnew returns p with the points that loops of partial tiles copy out dealt to the threads next to them.
func dealtAnew(p *gpu.Program) *gpu.Program {
	out := *p
	out.Kernels = nil
	for _, k := range p.Kernels {
		c := *k
		c.Body = apply(k.Body, false, func(x place) []gpu.Node {
			if n, ok := x.node().(gpu.Threads); ok && strings.HasPrefix(x.note(0), "copy out") && !straight(n) {
				return []gpu.Node{shifted(n)}
			}
			return nil
		})
		out.Kernels = append(out.Kernels, &c)
	}
	return &out
}

// shifted starts the loops of n one earlier, and has its guard say where they started.
func shifted(n gpu.Threads) gpu.Threads {
	n.Loops = slices.Clone(n.Loops)
	var rows []astgen.Expr
	for i := range n.Loops {
		l := &n.Loops[i]
		bounds := []astgen.Expr{l.Lo}
		if m, ok := l.Lo.(astgen.Max); ok {
			bounds = m.Args
		}
		for _, b := range bounds {
			rows = append(rows, astgen.Var(l.Var).Minus(b.(astgen.Sum)))
		}
		l.Lo = astgen.Max{Args: lessOne(bounds)}
	}
	guard := astgen.Cond{nil}
	if n.Guard != nil {
		guard = n.Guard
	}
	n.Guard = nil
	for _, all := range guard {
		n.Guard = append(n.Guard, slices.Concat(all, rows))
	}
	return n
}

func TestSwappedPhases(t *testing.T) {
	mutants(t, func(t *testing.T, r emulate.Request) {
		p := *r.Program
		p.Kernels = slices.Clone(p.Kernels)
		slices.Reverse(p.Kernels)
		r.First = false
		mustCatch(t, r, &p, "phases swapped")
	})
}

// TestMisprint uses floor(delta1*h) where equation (3) of the paper needs
// floor(delta0*h); they differ for asymmetric stencils.
func TestMisprint(t *testing.T) {
	tellingCases(t, func(t *testing.T, name string, p plan) {
		sizes := p.small()
		s := p.Schedule(t, sizes)
		d := &s.Phases[0].Space[0]
		f0 := -d.Offset - sizes.W[0] - 1
		f1 := d.Stride - 2*sizes.W[0] - 2 - f0
		d.Offset = -(f1 + sizes.W[0] + 1)
		r := requestOf(t, s, gpu.Options{})
		v, err := emulate.Verify(r)
		require.NoError(t, err)
		require.Equal(t, f0 == f1, v.OK(), "f0=%d f1=%d\n%v", f0, f1, v)
		if name == "asymmetric" {
			require.NotEqual(t, f0, f1)
			require.Positive(t, v.Trials[0].Report.Missing+v.Trials[0].Report.Duplicated)
		}
	})
}

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
func plusOne(e astgen.Expr) astgen.Expr {
	if s, ok := e.(astgen.Sum); ok {
		s.Const++
		return s
	}
	return astgen.Num(-77)
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
func copying(note string) func(place) bool {
	return func(p place) bool {
		return p.inFull && strings.HasPrefix(p.note(0), note) && p.node().(gpu.Threads).Guard == nil
	}
}

// oneLess makes the innermost loop end one earlier.
func oneLess(p place) []gpu.Node {
	t := p.node().(gpu.Threads)
	t.Loops = slices.Clone(t.Loops)
	last := &t.Loops[len(t.Loops)-1]
	switch hi := last.Hi.(type) {
	case astgen.Sum:
		hi.Const--
		last.Hi = hi
	case astgen.Min:
		last.Hi = astgen.Min{Args: lessOne(hi.Args)}
	default:
		panic(fmt.Sprintf("bound %T", hi))
	}
	return []gpu.Node{t}
}

func lessOne(args []astgen.Expr) []astgen.Expr {
	args = slices.Clone(args)
	for i, a := range args {
		s := a.(astgen.Sum)
		s.Const--
		args[i] = s
	}
	return args
}

// TestCopyOneLess has every case, but in three dimensions and more few mutants of
// most: they take long.
func TestCopyOneLess(t *testing.T) {
	var once atomic.Int64
	t.Run("cases", func(t *testing.T) {
		eachCase(t, func(t *testing.T, name string, p plan) {
			most := 16
			if len(p.Space.Space) > 2 && !slices.Contains(telling, name) {
				most = 6 - len(p.Space.Space) // 2 of four dimensions
			}
			r := p.requestWith(t, p.tiny(), gpu.Options{Strategy: gpu.Staged})
			r.Points = 30_000
			r = fullSize(t, r)
			some(t, r, most, copying("copy in"), oneLess, "copy in one cell less")
			_, n := edited(r.Program, -1, copyingOnce, nil)
			once.Add(int64(n))
			some(t, r, most, copyingOnce, oneLess, "copy in once one cell less", emulate.Uninitialised)
			r.First = false
			some(t, r, most, copying("copy out"), oneLess, "copy out one cell less")
		})
	})
	require.Positive(t, once.Load())
}

// copyingOnce selects the copies that a block makes before its first tile.
func copyingOnce(p place) bool {
	return p.note(0) != "" && slices.ContainsFunc(p.list, func(n gpu.Node) bool {
		b, ok := n.(gpu.Barrier)
		return ok && b.Note == "before the first tile"
	})
}

// TestStoreOneLess drops stores of results one by one.
func TestStoreOneLess(t *testing.T) {
	mutants(t, func(t *testing.T, r emulate.Request) {
		if _, n := edited(r.Program, -1, copying("store"), oneLess); n == 0 {
			require.Len(t, r.Schedule.Canonical.Space, 1)
			return
		}
		r.First = false
		each(t, r, copying("store"), oneLess, "store one cell less")
	})
}

// TestReuseMutants has full tiles find things in shared memory that are not there: a row less
// is loaded or moved, and the first tile of a row of full tiles trusts the one before.
func TestReuseMutants(t *testing.T) {
	for _, st := range []gpu.Strategy{gpu.Static, gpu.Moved} {
		tellingCases(t, func(t *testing.T, name string, p plan) {
			if len(p.Space.Space) == 1 {
				return
			}
			r := p.requestWith(t, p.moving(t), gpu.Options{Strategy: st})
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
				return ok && n.Note == gpu.LastFull
			}
			some(t, r, 16, last, func(x place) []gpu.Node {
				n := x.node().(gpu.If)
				n.Cond = astgen.Cond{}
				return []gpu.Node{n}
			}, "no tile is the last")
		})
	}
}

// offByOne returns n with the first copy that it makes after a full tile from one element further on.
func offByOne(n gpu.If) gpu.If {
	first := n.Then[0].(gpu.Threads)
	c := first.Body[0].(gpu.Copy)
	c.From.Index = slices.Clone(c.From.Index)
	last := len(c.From.Index) - 1
	c.From.Index[last] = plusOne(c.From.Index[last])
	first.Body = slices.Clone(first.Body)
	first.Body[0] = c
	n.Then = slices.Clone(n.Then)
	n.Then[0] = first
	return n
}

// firstOps returns the least number of operations in the first node of the wanted Ifs, at most 3.
func firstOps(p *gpu.Program, wants func(place) bool) int {
	n := 3
	edited(p, -1, func(x place) bool {
		if wants(x) {
			n = min(n, len(x.node().(gpu.If).Then[0].(gpu.Threads).Body))
		}
		return false
	}, nil)
	return n
}

// lessOp returns n without operation i of its first node.
func lessOp(n gpu.If, i int) gpu.If {
	first := n.Then[0].(gpu.Threads)
	first.Body = slices.Delete(slices.Clone(first.Body), i, i+1)
	n.Then = slices.Clone(n.Then)
	if n.Then[0] = first; len(first.Body) == 0 {
		n.Then = n.Then[1:]
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

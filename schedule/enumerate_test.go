package schedule

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/poly"
	"github.com/hexcc/hexcc/scop"
)

// This file is the oracle of the tests: it lists the instances of a program
// for given parameters, runs through them in source order, and looks.

// An event is an instance, with the elements it touches.
type event struct {
	st      *scop.Stmt
	iters   []int64
	touched []string // by access
}

// events returns the instances of p in source order. Iterators lie in [0, limit).
func events(p *scop.Program, params map[string]int64, limit int64) (list []event) {
	for t := range limit {
		for _, st := range p.Stmts {
			for space := range vectors(len(st.Iters)-1, limit) {
				e := event{st: st, iters: slices.Insert(slices.Clone(space), 0, t)}
				if !st.Domain.Contains(params, e.iters...) {
					continue
				}
				for _, a := range st.Accesses {
					e.touched = append(e.touched, element(a, e.iters, p, params))
				}
				list = append(list, e)
			}
		}
	}
	return list
}

// vectors yields the vectors of length n with elements in [0, limit), in lexicographic order.
func vectors(n int, limit int64) func(func([]int64) bool) {
	return func(yield func([]int64) bool) {
		x := make([]int64, n)
		for {
			if !yield(x) {
				return
			}
			i := n - 1
			for ; i >= 0 && x[i] == limit-1; i-- {
				x[i] = 0
			}
			if i < 0 {
				return
			}
			x[i]++
		}
	}
}

// element names the element that an access touches.
func element(a *scop.Access, iters []int64, p *scop.Program, params map[string]int64) string {
	text := a.Array.Name
	for _, x := range a.Index {
		v := x.Const
		for i, k := range x.Iters {
			v += k * iters[i]
		}
		for i, k := range x.Params {
			v += k * params[p.Params[i].Name]
		}
		if x.Mod > 0 {
			v = floorMod(v, x.Mod)
		}
		text += fmt.Sprintf("[%d]", v)
	}
	return text
}

func TestDependencesAreTheDefinition(t *testing.T) {
	for _, k := range kernels() {
		params := map[string]int64{"N": 7, "T": 4}
		if dimensions(k.p) > 1 {
			params["N"] = 4
		}
		deps, err := Dependences(k.p)
		require.NoError(t, err)
		list := events(k.p, params, params["N"])
		for _, src := range k.p.Stmts {
			for _, dst := range k.p.Stmts {
				for x := range src.Accesses {
					for y := range dst.Accesses {
						checkPairs(t, list, params, src, x, dst, y, deps)
					}
				}
			}
		}
	}
}

// checkPairs compares the dependences from access x of src to access y of dst with their definition.
func checkPairs(t *testing.T, list []event, params map[string]int64, src *scop.Stmt, x int, dst *scop.Stmt, y int, deps []Dependence) {
	a, b := src.Accesses[x], dst.Accesses[y]
	at := slices.IndexFunc(deps, func(d Dependence) bool {
		return d.Src == src && d.Dst == dst && sameAccess(d.SrcAccess, a) && sameAccess(d.DstAccess, b)
	})
	var pairs poly.Set
	if at >= 0 {
		pairs = deps[at].Map.Wrap()
	}
	for i, e := range list {
		for j, f := range list {
			if e.st != src || f.st != dst {
				continue
			}
			want := i < j && (a.Write || b.Write) && e.touched[x] == f.touched[y]
			got := at >= 0 && pairs.Contains(params, slices.Concat(e.iters, f.iters)...)
			if got != want {
				t.Fatalf("%s%v %s -> %s%v %s: got %t", src.Name, e.iters, a.Text, dst.Name, f.iters, b.Text, got)
			}
		}
	}
}

// vectorOf returns the images of an instance, by trying all that the phases give.
func vectorOf(s *Schedule, e event, params map[string]int64) (images [][]int64) {
	for phase := range s.Phases {
		if v, in := s.image(phase, e.st, e.iters, params); in {
			images = append(images, v)
		}
	}
	return images
}

// runsBefore reports whether the schedule orders x before y.
func runsBefore(dims []Dim, x, y []int64) bool {
	for i, d := range dims {
		switch {
		case x[i] == y[i]:
		case d.Role == Block || d.Role == Thread:
			return false
		default:
			return x[i] < y[i]
		}
	}
	return false
}

// brute returns a fault of a schedule for given parameters: an instance that
// is not in one place, in the phases or in the map, or a dependence out of order.
func brute(s *Schedule, params map[string]int64, limit int64) string {
	list, pairs := events(s.Canonical.Scop, params, limit), s.Map.Wrap()
	images := make([][]int64, len(list))
	for i, e := range list {
		all := vectorOf(s, e, params)
		if len(all) != 1 {
			return fmt.Sprintf("%s%v in %d places: %v", e.st.Name, e.iters, len(all), all)
		}
		images[i] = all[0]
		if !pairs.Contains(params, slices.Concat(e.iters, all[0])...) {
			return fmt.Sprintf("%s%v: %v is not in the map", e.st.Name, e.iters, all[0])
		}
	}
	for i, e := range list {
		for j := i + 1; j < len(list); j++ {
			if f := list[j]; conflict(e, f) && !runsBefore(s.Dims, images[i], images[j]) {
				return fmt.Sprintf("%s%v at %v, %s%v at %v", e.st.Name, e.iters, images[i], f.st.Name, f.iters, images[j])
			}
		}
	}
	return ""
}

// conflict reports whether e and f touch one element and one writes it.
func conflict(e, f event) bool {
	for x, a := range e.st.Accesses {
		for y, b := range f.st.Accesses {
			if (a.Write || b.Write) && e.touched[x] == f.touched[y] {
				return true
			}
		}
	}
	return false
}

func TestSchedulesByBruteForce(t *testing.T) {
	for _, k := range kernels() {
		dims := dimensions(k.p)
		params, limit := map[string]int64{"N": 26, "T": 15}, int64(26)
		if dims > 1 {
			params, limit = map[string]int64{"N": 11, "T": 9}, 11
		}
		if dims > 2 {
			params, limit = map[string]int64{"N": 7, "T": 6}, 7
		}
		sizes := Sizes{H: k.sizes.H, W: slices.Clone(k.sizes.W)}
		for i := range sizes.W[1:] {
			sizes.W[1+i] = 3
		}
		_, c, cone := analyze(t, k.p)
		s, err := Hybrid(c, cone, sizes)
		require.NoError(t, err)
		require.Empty(t, brute(s, params, limit), k.name)
	}
}

// randomProgram returns one to three nests over one or two space dimensions
// that read what earlier time steps wrote.
func randomProgram(rng *rand.Rand) *scop.Program {
	k, dims := 1+rng.IntN(3), 1+rng.IntN(2)
	iters := []string{"t", "i", "j"}[:1+dims]
	var nests []nest
	for n := range k {
		at := func(array string, dt int, reach int) string {
			text := fmt.Sprintf("%s[t%+d]", array, -dt)
			for _, x := range iters[1:] {
				text += fmt.Sprintf("[%s%+d]", x, rng.IntN(2*reach+1)-reach)
			}
			return text
		}
		body := fmt.Sprintf("A%d[t]", n)
		for _, x := range iters[1:] {
			body += "[" + x + "]"
		}
		body += " ="
		for range 1 + rng.IntN(3) {
			m := rng.IntN(k)
			dt := rng.IntN(3)
			if m >= n {
				dt++
			}
			body += " " + at(fmt.Sprint("A", m), dt, 2)
		}
		domain := "0 <= t < T"
		for _, x := range iters[1:] {
			domain += fmt.Sprintf(" and %d <= %s < N-%d", rng.IntN(3), x, rng.IntN(3))
		}
		nests = append(nests, nest{fmt.Sprint(iters[0], " ", iters[1], " ")[:4], domain, body})
		if dims == 2 {
			nests[n].iters = "t i j"
		}
	}
	return program("N T", nests...)
}

// TestRandomPrograms runs the whole package on random programs: the proofs
// hold, and brute force finds nothing. With w0 one below its bound, or with a
// slope too small, the proofs hold only where brute force finds nothing.
func TestRandomPrograms(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 22))
	faults := 0
	for n := range 16 {
		p := randomProgram(rng)
		deps, c, cone := analyze(t, p)
		hs := LegalH(c.K)
		sizes := Sizes{H: hs[rng.IntN(2)]}
		sizes.W = append(sizes.W, MinW0(cone, sizes.H)+rng.Int64N(2))
		for range c.Space[1:] {
			sizes.W = append(sizes.W, 1+rng.Int64N(4))
		}
		s, err := Hybrid(c, cone, sizes)
		require.NoError(t, err)
		require.NoError(t, s.Verify())
		params := map[string]int64{"N": 10, "T": 7}
		if len(c.Space) == 1 {
			params["N"] = 24
		}
		require.Empty(t, brute(s, params, params["N"]))
		partition, legality := ProvePartition(s), ProveLegality(s, deps)
		require.True(t, partition.Holds, "%d: %v\n%v", n, partition, s)
		require.True(t, legality.Holds, "%d: %v\n%v", n, legality, s)

		if spoiled, ok := spoil(rng, c, cone, sizes); ok {
			holds := ProvePartition(spoiled).Holds && ProveLegality(spoiled, deps).Holds
			if fault := brute(spoiled, params, params["N"]); fault != "" {
				require.False(t, holds, "%d: proved, but %s\n%v", n, fault, spoiled)
				faults++
			}
		}
	}
	require.Greater(t, faults, 3)
}

// spoil returns a schedule with a w0 or a slope one too small, if there is one.
func spoil(rng *rand.Rand, c *Canonical, cone Cone, sizes Sizes) (*Schedule, bool) {
	y := hybrid{c: c, cone: cone, sizes: sizes}
	for i := range c.Space {
		y.lo = append(y.lo, mustSlope(cone.Lo[i]))
	}
	w0 := sizes.W[0]
	switch less := rng.IntN(3); {
	case less == 0 && w0 > 0:
		w0 = max(0, MinW0(cone, sizes.H)-1)
	case less == 1 && y.lo[0].num > 0:
		y.lo[0].num--
	case less == 2 && len(y.lo) > 1 && y.lo[1].num > 0:
		y.lo[1].num--
	default:
		return nil, false
	}
	y.hex = newHexagon(mustSlope(cone.Hi[0]), y.lo[0], sizes.H, w0)
	return y.schedule(), true
}

// sameAccess reports whether a and b touch the same elements in the same way.
func sameAccess(a, b *scop.Access) bool {
	return a.Array == b.Array && a.Write == b.Write && slices.EqualFunc(a.Index, b.Index, SameIndex)
}

package model

import (
	"cmp"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/machine"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// small is a machine on which all that it has may bound a launch of small programs.
var small = machine.Levels{Name: "small", Gops: 2, Gops32: 4, Launch: 1e-6, Tiles: 3, Levels: []machine.Level{
	{Name: "memory", GBs: 10}, {Name: "last cache", Bytes: 16 << 10, GBs: 20}, {Name: "second cache", Bytes: 4 << 10, GBs: 30}}}

// randomNests returns a program of n nests, which read what others write, also in the same iteration, and write some arrays again, and which arrays are temporary.
func randomNests(rng *rand.Rand, n int) (text string, temporaries []string) {
	dims := 1 + rng.IntN(2)
	at := func(array string, far int64) string {
		text := array
		for range dims {
			text += fmt.Sprintf("[%s%+d]", string("ij"[strings.Count(text, "[")]), rng.Int64N(2*far+1)-far)
		}
		return text
	}
	rank := strings.Repeat("[n]", dims)
	var b strings.Builder
	fmt.Fprintf(&b, "void f(int n, double in%s", strings.Replace(rank, "[", "[restrict ", 1))
	names := []string{"in"}
	for i := range n {
		name := fmt.Sprint("x", i)
		fmt.Fprintf(&b, ", double %s%s", name, strings.Replace(rank, "[", "[restrict ", 1))
		if rng.IntN(3) > 0 && i < n-1 {
			temporaries = append(temporaries, name)
		}
	}
	b.WriteString(")\n{\n#pragma scop\n")
	for i := range n {
		target := fmt.Sprint("x", i)
		if i > 1 && rng.IntN(4) == 0 {
			target = fmt.Sprint("x", rng.IntN(i))
		}
		border := int64(2 * (i + 1))
		for d := range dims {
			fmt.Fprintf(&b, "for (int %[1]c = %[2]d; %[1]c < n - %[2]d; %[1]c++) ", "ij"[d], border)
		}
		var reads []string
		for range 1 + rng.IntN(3) {
			from := names[rng.IntN(len(names))]
			far := rng.Int64N(3)
			if from == target {
				far = 0
			}
			reads = append(reads, at(from, far))
		}
		fmt.Fprintf(&b, "%s = %s;\n", at(target, 0), strings.Join(reads, " * 0.5 + "))
		if !slices.Contains(names, target) {
			names = append(names, target)
		}
	}
	b.WriteString("#pragma endscop\n}\n")
	return b.String(), temporaries
}

// randomCoster returns the algebra of a random program.
func randomCoster(t *testing.T, rng *rand.Rand, n int, exact bool) (*coster, pipeline.Stencil, *schedule.Graph, string) {
	t.Helper()
	text, temporaries := randomNests(rng, n)
	grid := []int64{96, 80}
	k, x, g := costerOf(t, text, small, grid, exact, temporaries...)
	k.grid = grid[:k.al.dims]
	return k, x, g, text
}

// TestGroupWork compares what groups of random programs compute, load and store with runs backwards from each point that a tile owns.
func TestGroupWork(t *testing.T) {
	rng, compared := rand.New(rand.NewPCG(11, 12)), 0
	for range 25 {
		k, x, g, text := randomCoster(t, rng, 2+rng.IntN(4), true)
		al := k.al
		w := []int64{1 + rng.Int64N(5), 1 + rng.Int64N(5)}[:al.dims]
		for range 6 {
			group := rng.Uint64N(al.all) + 1
			work := al.work(group, al.regions(group), false)
			points, loads := backwardsFrom(x, group, w, func(i int) bool { return al.seen(i, group) || al.stmts[i].readers == 0 })
			for j, i := range work.Stmts {
				require.EqualValues(t, len(points[i]), work.Computed[j].Amount.At(w), "S%d of %b in\n%s", i, group, text)
			}
			found := map[string]int{}
			for _, p := range work.Loads {
				found[p.Name] += int(p.Amount.At(w))
			}
			require.Equal(t, loads, found, "%b at %v in\n%s", group, w, text)
			for _, p := range work.Stores {
				require.EqualValues(t, product64(w), p.Amount.At(w))
			}
		}
		apart := slices.ContainsFunc(x.Space.Places, func(places []schedule.Place) bool {
			return slices.ContainsFunc(places, func(p schedule.Place) bool { return p.Shift.Const != 0 })
		})
		unused := slices.ContainsFunc(al.stmts, func(f fusible) bool { return !f.lasts && f.readers == 0 })
		if needed, ok := g.Needed(w); !apart && !unused {
			compared++
			require.True(t, ok)
			for i, st := range x.Scop.Stmts {
				at := slices.IndexFunc(g.Nodes, func(n schedule.GraphNode) bool { return n.Stmt == st })
				require.EqualValues(t, needed[at], amountOf(al.whole[i], al.stmts[i].follows).At(w), text)
			}
		}
	}
	require.Positive(t, compared)
}

func product64(w []int64) int64 {
	n := int64(1)
	for _, x := range w {
		n *= x
	}
	return n
}

// backwardsFrom returns the points of each statement of a group that a tile needs which owns a box of those that are stored, and how many elements of each array
// it reads that it has not computed. Each nest is taken to have all points; what is read is what any nest before may have stored, as dependences have it.
func backwardsFrom(x pipeline.Stencil, group set, w []int64, stored func(int) bool) (points []map[string]bool, loads map[string]int) {
	stmts := x.Scop.Stmts
	points = make([]map[string]bool, len(stmts))
	seen := map[string]bool{}
	loads = map[string]int{}
	shifted := func(i int, at []int64, sign int64) []int64 { // nests may lie apart from where their loops run
		to := slices.Clone(at)
		for d, place := range x.Space.Places[i] {
			to[d] += sign * place.Shift.Const
		}
		return to
	}
	subscripts := func(a *scop.Access, at []int64) (e []int64) {
		for _, s := range a.Index {
			v := s.Const
			for i, c := range s.Iters[1:] {
				v += c * at[i]
			}
			e = append(e, v)
		}
		return e
	}
	written := func(st *scop.Stmt) *scop.Access {
		return st.Accesses[slices.IndexFunc(st.Accesses, func(a *scop.Access) bool { return a.Write })]
	}
	var need func(i int, at []int64)
	need = func(i int, at []int64) {
		key := fmt.Sprint(at)
		if points[i][key] {
			return
		}
		points[i][key] = true
		for _, r := range stmts[i].Accesses {
			if r.Write {
				continue
			}
			e, computed, inside := subscripts(r, shifted(i, at, -1)), 0, 0
			for src := range i {
				if written(stmts[src]).Array != r.Array {
					continue
				}
				computed++
				if group>>src&1 != 0 {
					inside++
					need(src, shifted(src, e, 1)) // writes are at the point itself, in the order of loops
				}
			}
			if key := r.Array.Name + fmt.Sprint(e); (computed == 0 || inside < computed) && !seen[key] {
				seen[key] = true
				loads[r.Array.Name]++
			}
		}
	}
	for i := range stmts {
		points[i] = map[string]bool{}
	}
	for i := range stmts {
		if group>>i&1 == 0 || !stored(i) {
			continue
		}
		var visit func(at []int64)
		visit = func(at []int64) {
			if len(at) == len(w) {
				need(i, at)
				return
			}
			for v := range w[len(at)] {
				visit(append(slices.Clone(at), v))
			}
		}
		visit(nil)
	}
	return points, loads
}

// TestChooseGroups compares the best few partitions of random programs with those among all ordered partitions, of up to six statements.
func TestChooseGroups(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	fused, split := 0, 0
	for n := range 40 {
		statements := 2 + n%5
		k, x, _, text := randomCoster(t, rng, statements, false)
		k.levels.Levels = slices.Clone(small.Levels)
		k.levels.Levels[2].Bytes = 1 << (9 + rng.IntN(4))
		k.levels.Launch = []float64{1e-7, 1e-6, 1e-5}[rng.IntN(3)]
		widths := [][]int64{{4, 8}, {16, 16}, {8, 32}}
		for i := range widths {
			widths[i] = widths[i][:k.al.dims]
		}
		best := map[string]float64{}
		for at, groups := range orderedPartitions(statements) {
			legal := k.al.inOrder(setsOf(groups))
			if at%97 == n {
				require.Equal(t, groups.Check(x.Space, x.Deps) == nil, legal, "%v in\n%s", groups, text)
			}
			if !legal {
				continue
			}
			for _, w := range widths {
				if f := k.fusion(setsOf(groups), w); f.Why() == "" {
					key := partitionKey(groups)
					if s, known := best[key]; !known || f.Seconds < s {
						best[key] = f.Seconds
					}
				}
			}
		}
		var want []float64
		for _, s := range best {
			want = append(want, s)
		}
		slices.Sort(want)
		out, err := k.choose(widths)
		if len(want) == 0 {
			require.Error(t, err)
			continue
		}
		require.NoError(t, err)
		require.Len(t, out.Best, min(keptFusion, len(want)), text)
		for i, f := range out.Best {
			require.InEpsilon(t, want[i], f.Seconds, 1e-12, "%d: %v in\n%s", i, f.Groups, text)
			require.InEpsilon(t, best[partitionKey(f.Groups)], f.Seconds, 1e-12)
			require.NoError(t, f.Groups.Check(x.Space, x.Deps))
			require.Empty(t, f.Why())
		}
		if len(out.Best[0].Groups) < statements {
			fused++
		}
		if len(out.Best[0].Groups) > 1 {
			split++
		}
	}
	require.Greater(t, fused, 5)
	require.Greater(t, split, 5)
}

// inOrder reports whether launches of groups in turn are in the order of all dependences of an iteration.
func (al *algebra) inOrder(groups []set) bool {
	done := set(0)
	for _, g := range groups {
		done |= g
		for i, st := range al.stmts {
			if g>>i&1 != 0 && st.before&^done != 0 {
				return false
			}
		}
	}
	return true
}

func partitionKey(groups schedule.Groups) string {
	sets := setsOf(groups)
	slices.Sort(sets)
	return fmt.Sprint(sets)
}

// orderedPartitions returns all of 0 to n-1.
func orderedPartitions(n int) []schedule.Groups {
	if n == 0 {
		return []schedule.Groups{nil}
	}
	var all []schedule.Groups
	for _, g := range orderedPartitions(n - 1) {
		for i := range len(g) + 1 {
			all = append(all, slices.Insert(slices.Clone(g), i, []int{n - 1}))
			if i < len(g) {
				in := slices.Clone(g)
				in[i] = append(slices.Clone(in[i]), n-1)
				all = append(all, in)
			}
		}
	}
	return all
}

// TestManyIdeals chooses for statements of which none reads another one, of which any may run first: only neighbours in the source share launches.
func TestManyIdeals(t *testing.T) {
	al := &algebra{dims: 1, all: 1<<20 - 1}
	for i := range 20 {
		al.keys = append(al.keys, element{name: fmt.Sprint(i), array: &scop.Array{}, follows: []bool{true}})
		al.stmts = append(al.stmts, fusible{operations: 1, follows: []bool{true}, lasts: true, writes: []int{i}})
	}
	al.whole = al.regions(al.all)
	k := &coster{al, small, []int64{1000}, map[set]*counted{}}
	out, err := k.choose([][]int64{{100}})
	require.NoError(t, err)
	require.True(t, out.Intervals)
	require.Len(t, out.Best[0].Groups, 1, "one launch saves the start of others")
	// 12 of them, with four that wait for no other, take no time to speak of.
	al.stmts, al.all = al.stmts[:12], 1<<12-1
	for i := range al.stmts {
		if i >= 4 {
			al.stmts[i].before = 1 << (i - 4)
		}
	}
	al.whole = al.regions(al.all)
	k = &coster{al, small, []int64{1000}, map[set]*counted{}}
	began := time.Now()
	out, err = k.choose([][]int64{{100}, {200}, {300}, {400}})
	require.NoError(t, err)
	require.False(t, out.Intervals)
	t.Logf("%d ideals of 12 statements: %v", 256, time.Since(began))
	require.Equal(t, 12, bits.OnesCount64(al.all))
	require.True(t, slices.IsSortedFunc(out.Best, func(x, y *Fusion) int { return cmp.Compare(x.Seconds, y.Seconds) }))
}

package schedule

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/scop"
)

// overlapped returns the schedule of a program over one space dimension in tiles of some steps that compute what
// they need of their neighbours' points themselves: each stores the width points in its middle, and halves is how far
// it reaches beyond them on each side for each step that follows, in half points.
func overlapped(c *Canonical, height, width, halves int64, owned ...HalfPlane) *Schedule {
	side := halves * (height - 1)
	d := TileDim{Tile: "S0", Point: "s0", Role: Block, Stride: width, Owned: owned}.between(height,
		HalfPlane{A: -halves, B: 2, C: side}, HalfPlane{A: -halves, B: -2, C: 2*(width-1) + side})
	s := &Schedule{Canonical: c, Scheme: "overlapped", Height: height, Phases: []Phase{{Space: []TileDim{d}}}}
	s.Dims = s.dims()
	s.Relate()
	return s
}

// TestImages asks about tiles that overlap, and compares the answer with runs that tell which instance each read gets.
func TestImages(t *testing.T) {
	const width = 4
	whole := []HalfPlane{{B: 1}, {B: -1, C: width - 1}}
	history := program("T N", nest{"t i", "0 <= t < T and 1 <= i < N-1", "A[t+1][i] = A[t][i-1] A[t][i] A[t][i+1]"})
	planes := program("T N", nest{"t i", "0 <= t < T and 1 <= i < N-1", "A[t+1 %2][i] = A[t %2][i-1] A[t %2][i] A[t %2][i+1]"})
	far := program("T N", nest{"t i", "0 <= t < T and 2 <= i < N-2", "A[t+1][i] = A[t][i-2] A[t][i+2]"})
	for _, x := range []struct {
		name                string
		p                   *scop.Program
		halves              int64
		owned               []HalfPlane
		partition, legality bool
	}{
		{"history", history, 2, whole, true, true},
		{"more than it takes", history, 3, whole, true, true},
		{"a point too few", history, 1, whole, true, false},
		{"far", far, 4, whole, true, true},
		{"far, a point too few", far, 3, whole, true, false},
		{"far, as if near", far, 2, whole, true, false},
		{"one point has no owner", history, 2, []HalfPlane{{B: 1}, {B: -1, C: width - 2}}, false, false},
		{"one point has two owners", history, 2, []HalfPlane{{B: 1, C: 1}, {B: -1, C: width - 1}}, false, true},
		{"two planes", planes, 2, whole, true, false},
	} {
		t.Run(x.name, func(t *testing.T) {
			deps, c, _ := analyze(t, x.p)
			s := overlapped(c, 3, width, x.halves, x.owned...)
			require.True(t, s.Overlaps())
			partition, legality := ProvePartition(s), ProveLegality(s, deps)
			require.Equal(t, x.partition, partition.Holds, "%v", partition)
			require.Equal(t, x.legality, legality.Holds, "%v", legality)
			checkQuestions(t, partition)
			checkQuestions(t, legality)
			wrong := ""
			for seed := range uint64(40) {
				if wrong = (&overlap{s: s, params: map[string]int64{"T": 7, "N": 19}, rng: rand.New(rand.NewPCG(seed, 2))}).run(); wrong != "" {
					break
				}
			}
			require.Equal(t, x.legality, wrong == "", "%s; %v", wrong, legality)
		})
	}
}

// TestImagesOfOne checks that schedules with one image for each instance get the same answer of illegal.
func TestImagesOfOne(t *testing.T) {
	for _, name := range []string{"jacobi-1d", "asymmetric", "copy-back"} {
		for _, spoil := range []func(*hybrid){func(*hybrid) {}, func(y *hybrid) { y.hex = misprinted(y.hex) }, func(y *hybrid) { y.hex.W0-- }} {
			deps, y := builder(t, find(t, name))
			spoil(&y)
			s := y.schedule()
			if !ProvePartition(s).Holds {
				continue // what has no image breaks a dependence here, and none there
			}
			want := ProveLegality(s, deps)
			got := prove(s, "legality", "", func(p prover) {
				for _, group := range byStatements(deps) {
					p.Ask(orderText(group), func() string { return p.illegal(group) })
				}
			})
			require.Equal(t, want.Holds, got.Holds, "%s: %v, %v", name, want, got)
		}
	}
}

// An overlap runs tiles that overlap, those of a launch step by step in a random order. A value is the name of the instance
// that computed it.
type overlap struct {
	s      *Schedule
	params map[string]int64
	rng    *rand.Rand
	memory map[string]string
}

// run returns a read that gets another value than it does in the program, "" if all get theirs.
func (o *overlap) run() string {
	list := events(o.s.Canonical.Scop, o.params, o.params["N"])
	wants := o.inOrder(list)
	o.memory = map[string]string{}
	d := o.s.Phases[0].Space[0]
	for T := int64(0); T*o.s.Height < o.params["T"]; T++ {
		var tiles []*tileRun
		for S := int64(-3); S*d.Stride < o.params["N"]+3*d.Stride; S++ {
			tiles = append(tiles, &tileRun{overlap: o, T: T, S: S, own: map[string]string{}})
		}
		for len(tiles) > 0 {
			i := o.rng.IntN(len(tiles))
			if wrong := tiles[i].step(list, wants); wrong != "" {
				return wrong
			}
			if tiles[i].a == o.s.Height {
				tiles = slices.Delete(tiles, i, i+1)
			}
		}
	}
	return ""
}

// inOrder returns what each access of each event reads where the program runs in its order, by the event and the access.
func (o *overlap) inOrder(list []event) map[string]string {
	memory, wants := map[string]string{}, map[string]string{}
	for _, e := range list {
		for k, a := range e.st.Accesses {
			if !a.Write {
				wants[fmt.Sprint(nameOf(e), k)] = memory[e.touched[k]]
			}
		}
		for k, a := range e.st.Accesses {
			if a.Write {
				memory[e.touched[k]] = nameOf(e)
			}
		}
	}
	return wants
}

func nameOf(e event) string { return fmt.Sprint(e.st.Name, e.iters) }

// A tileRun is a tile under way.
type tileRun struct {
	*overlap
	T, S, a int64
	own     map[string]string // what the tile has written
}

// step runs the next step: all reads before all writes, for owned points to memory too.
func (t *tileRun) step(list []event, wants map[string]string) string {
	d := t.s.Phases[0].Space[0]
	type store struct {
		at, value string
		owned     bool
	}
	var stores []store
	for _, e := range list {
		b := e.iters[1] - d.Stride*t.S
		if e.iters[0] != t.T*t.s.Height+t.a || b < d.Lo[t.a] || b > d.Hi[t.a] {
			continue
		}
		for k, a := range e.st.Accesses {
			if a.Write {
				lo, hi := rowOf(d.Owned, t.a)
				stores = append(stores, store{e.touched[k], nameOf(e), lo <= b && b <= hi})
				continue
			}
			got, here := t.own[e.touched[k]]
			if !here {
				got = t.memory[e.touched[k]]
			}
			if want := wants[fmt.Sprint(nameOf(e), k)]; got != want {
				return fmt.Sprintf("tile [%d, %d]: %s reads %s, which holds %q in place of %q", t.T, t.S, nameOf(e), e.touched[k], got, want)
			}
		}
	}
	for _, x := range stores {
		if t.own[x.at] = x.value; x.owned {
			t.memory[x.at] = x.value
		}
	}
	t.a++
	return ""
}

package schedule

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/scop"
)

// readOld reports whether a run of p for given parameters reads an element of a that it has not written.
func readOld(list []event, a *scop.Array) bool {
	written := map[string]bool{}
	for _, e := range list {
		for i, acc := range e.st.Accesses {
			if acc.Array == a && !acc.Write && !written[e.touched[i]] && !writtenByItself(e, i) {
				return true
			}
		}
		for i, acc := range e.st.Accesses {
			if acc.Write {
				written[e.touched[i]] = true
			}
		}
	}
	return false
}

// writtenByItself reports whether e writes, before its access i, what that reads.
func writtenByItself(e event, i int) bool {
	for j, acc := range e.st.Accesses[:i] {
		if acc.Write && e.touched[j] == e.touched[i] {
			return true
		}
	}
	return false
}

// TestReadsOldByBruteForce compares what is copied in with runs at small sizes:
// what is read from before the region must be there. Where some small size
// reads it, no proof may say otherwise, and where none does, it should be found.
func TestReadsOldByBruteForce(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 22))
	found := map[bool]int{}
	for range 150 {
		p := randomScratch(rng)
		for _, a := range p.Arrays {
			old := readsOld(p, a)
			found[old]++
			some := false
			for _, params := range []map[string]int64{{"N": 4, "T": 1}, {"N": 5, "T": 2}, {"N": 9, "T": 3}} {
				some = some || readOld(events(p, params, 9), a)
			}
			require.Equal(t, some, old, "%s of\n%v", a.Name, p)
		}
	}
	assert.Greater(t, found[true], 20)
	assert.Greater(t, found[false], 20)
}

// randomScratch returns nests that write, and then read, arrays over ranges that differ.
func randomScratch(rng *rand.Rand) *scop.Program {
	at := func(array string) string {
		return array + "[i" + []string{"-1", "", "+1"}[rng.IntN(3)] + "]"
	}
	bounds := func() string {
		return "0 <= t < T and " + []string{"0", "1", "2"}[rng.IntN(3)] + " <= i < " + []string{"N", "N-1", "N-2"}[rng.IntN(3)]
	}
	var nests []nest
	for range 2 + rng.IntN(2) {
		names := []string{"A", "B", "C"}
		rng.Shuffle(3, func(i, j int) { names[i], names[j] = names[j], names[i] })
		nests = append(nests, nest{"t i", bounds(), names[0] + "[i] = " + at(names[1]) + " " + at(names[1+rng.IntN(2)])})
	}
	return program("N T", nests...)
}

// TestTransfers pins decisions: a scratch array, seen by others or not; one
// that is written as a whole; one of which a border is read.
func TestTransfers(t *testing.T) {
	for _, x := range []struct {
		name    string
		nests   []nest
		local   []string
		in, out []string
	}{
		{"scratch", []nest{{"t i", "0 <= t < T and 1 <= i < N-1", "B[i] = A[i-1] A[i+1]"}, {"t i", "0 <= t < T and 1 <= i < N-1", "A[i] = B[i]"}},
			[]string{"B"}, []string{"A"}, []string{"A"}},
		{"scratch that others see", []nest{{"t i", "0 <= t < T and 1 <= i < N-1", "B[i] = A[i-1] A[i+1]"}, {"t i", "0 <= t < T and 1 <= i < N-1", "A[i] = B[i]"}},
			nil, []string{"A", "B"}, []string{"A", "B"}},
		{"a border of the scratch is read", []nest{{"t i", "0 <= t < T and 1 <= i < N-1", "B[i] = A[i-1] A[i+1]"}, {"t i", "0 <= t < T and 1 <= i < N-1", "A[i] = B[i-1]"}},
			[]string{"B"}, []string{"A", "B"}, []string{"A", "B"}},
		{"written as a whole", []nest{{"t i", "0 <= t < 2 and 0 <= i < N", "B[i] = A[i]"}},
			nil, []string{"A"}, []string{"B"}},
		{"written as a whole, in some runs", []nest{{"t i", "0 <= t < T and 0 <= i < N", "B[i] = A[i]"}},
			nil, []string{"A", "B"}, []string{"B"}},
	} {
		transfers(t, x.name, program("N T", x.nests...), x.local, x.in, x.out)
		// A parameter may have any name.
		for i, n := range x.nests {
			x.nests[i].domain = strings.ReplaceAll(n.domain, "N", "x0")
		}
		transfers(t, x.name+", of x0 elements", program("x0 T", x.nests...), x.local, x.in, x.out)
	}
}

// transfers compares which of the arrays of p, of as many elements as the first parameter says, are copied in and out.
func transfers(t *testing.T, name string, p *scop.Program, local, in, out []string) {
	for _, a := range p.Arrays {
		a.Extents, a.Local = []scop.Affine{{Params: []int64{1}}}, slices.Contains(local, a.Name)
		a.Const = !slices.ContainsFunc(p.Stmts, func(st *scop.Stmt) bool {
			return slices.ContainsFunc(st.Accesses, func(w *scop.Access) bool { return w.Write && w.Array == a })
		})
	}
	for _, tr := range Transfers(p) {
		assert.Equal(t, slices.Contains(in, tr.Array.Name), tr.In, "%s: %s in: %s", name, tr.Array.Name, tr.Why)
		assert.Equal(t, slices.Contains(out, tr.Array.Name), tr.Out, "%s: %s out: %s", name, tr.Array.Name, tr.Why)
	}
}

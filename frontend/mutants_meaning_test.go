package frontend_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/frontend"
	"github.com/hexcc/hexcc/internal/oracle"
	"github.com/hexcc/hexcc/internal/randc"
	"github.com/hexcc/hexcc/scop"
)

// TestMutatedMeaning compares mutants of random programs that are taken with what the
// C compiler makes of them, with a watch on every access: a mutant that C gives no
// meaning to, by its sanitizers, is left out.
func TestMutatedMeaning(t *testing.T) {
	count := max(*meanings, 24)
	same, undefined := 0, 0
	for seed := *firstMutant; same+undefined < count; seed++ {
		rng := rand.New(rand.NewPCG(seed, 6))
		m := randc.NewMutator([]string{randc.Prelude + randc.Generate(seed, "f").String()})
		text := m.MutateRegion(rng)
		res, err := frontend.Parse(frontend.Source{Name: "random.c", Text: []byte(text)}, frontend.Options{})
		if err != nil {
			continue
		}
		why := meansTheSame(t, res.Programs[0])
		switch {
		case why == "":
			same++
		case strings.HasPrefix(why, "undefined"):
			undefined++
		default:
			t.Fatalf("mutant %d: %s\n%s", seed, why, text)
		}
	}
	t.Logf("%d mutants mean the same, %d are undefined", same, undefined)
	require.Greater(t, same, count/2)
}

// meansTheSame returns how p's meaning differs from C's; what begins with "undefined" says why C gives it none.
func meansTheSame(t *testing.T, p *scop.Program) string {
	checked, why := compiled(t, p, "-O0", "-g", "-fsanitize=address,shift,integer-divide-by-zero,float-cast-overflow,float-divide-by-zero", "-fno-sanitize-recover=all")
	if why != "" {
		return "undefined: C does not take it: " + why // the front end reads little of what has no effect
	}
	for seed, size := range sizes {
		params := paramsFor(p, size)
		if params == nil {
			continue
		}
		mem, err := scop.NewMemory(p, params, uint64(seed))
		if err != nil {
			continue // too large, or without meaning
		}
		if instances(p, params) > 1e6 {
			continue
		}
		want, why := ran(t, checked, mem)
		switch {
		case strings.Contains(why, "runtime error"):
			return "undefined: " + why
		case why != "":
			return mem.Sizes() + ": " + why
		}
		if err := runSafely(p, mem); err != "" {
			return mem.Sizes() + ": interpreter: " + err
		}
		if diff := oracle.Different(want, mem); diff != "" {
			return mem.Sizes() + ": " + diff
		}
	}
	return ""
}

// paramsFor returns sizes for p, nil if it excludes them.
func paramsFor(p *scop.Program, size map[string]int64) (params []int64) {
	params = make([]int64, len(p.Params))
	for k, q := range p.Params {
		params[k] = size[q.Name]
	}
	if !p.Allows(params) {
		return nil
	}
	return params
}

// instances returns how many iterations p has.
func instances(p *scop.Program, params []int64) (sum float64) {
	for _, s := range p.Stmts {
		lo, hi, ok := scop.NewNest(s, params).Box()
		volume := 1.0
		for d := range lo {
			volume *= float64(hi[d]) - float64(lo[d]) + 1
		}
		if ok {
			sum += volume
		}
	}
	return sum
}

// A quiet test tells of its failure by a panic.
type quiet struct{ testing.TB }

func (quiet) Fatal(args ...any)                 { panic(failure(fmt.Sprint(args...))) }
func (quiet) Fatalf(format string, args ...any) { panic(failure(fmt.Sprintf(format, args...))) }

type failure string

func quietly(f func()) (why string) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case failure:
			why = string(r)
		default:
			panic(r)
		}
	}()
	f()
	return ""
}

func compiled(t *testing.T, p *scop.Program, flags ...string) (b *oracle.Binary, why string) {
	why = quietly(func() { b = oracle.CompileC(quiet{t}, p, flags...) })
	return b, why
}

func ran(t *testing.T, b *oracle.Binary, mem *scop.Memory) (after *scop.Memory, why string) {
	why = quietly(func() { after = b.Run(quiet{t}, mem) })
	return after, why
}

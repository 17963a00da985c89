package oracle

import (
	"math/rand/v2"
	"testing"

	"github.com/hexcc/hexcc/scop"
)

// A Trial is a region that the C compiler's program ran once.
type Trial struct {
	Before, After *scop.Memory
}

// Trials runs the program of p, as the C compiler understands it, at n sizes.
func Trials(t testing.TB, p *scop.Program, n int) []Trial {
	t.Helper()
	original := CompileC(t, p)
	rng := rand.New(rand.NewPCG(1, 2))
	all := make([]Trial, n)
	for i := range all {
		mem, err := scop.NewMemory(p, RandomParams(p, rng, i), uint64(i))
		if err != nil {
			t.Fatal(err)
		}
		all[i] = Trial{mem, original.Run(t, mem)}
	}
	return all
}

// Check requires that got, which something left of x.Before, is what the original
// left of it, bit for bit; arrays that are dead behind the region are not compared.
func (x Trial) Check(t testing.TB, what string, got *scop.Memory, dead ...*scop.Array) {
	t.Helper()
	if d := x.After.Compare(got, dead...); d.Differ > 0 {
		t.Fatalf("%s %s: %d of %d elements differ; first %s: want %s, got %s", what, x.Before.Sizes(), d.Differ, d.Elements, d.First, d.A, d.B)
	}
}

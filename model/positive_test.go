package model_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/frontend"
	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/internal/randc"
	"github.com/hexcc/hexcc/machine"
	"github.com/hexcc/hexcc/model"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// These are programs whose dependences span their grid, or nearly so.
var spanning = map[string]string{
	"mirrored":  "for (int i = 0; i < 1000; i++) a[(t+1)%2][i] = a[t%2][999-i];",
	"broadcast": "for (int i = 0; i < 1000; i++) a[(t+1)%2][i] = a[t%2][0] + a[t%2][i];",
	"shifted":   "for (int i = 900; i < 1000; i++) a[(t+1)%2][i] = a[t%2][i-900] + a[t%2][i];",
	"doubled":   "for (int i = 0; i < 500; i++) a[(t+1)%2][i] = a[t%2][2*i];",
	"far":       "for (int i = 60; i < 940; i++) a[(t+1)%2][i] = a[t%2][i-60] + a[t%2][i+60];",
	"one-sided": "for (int i = 300; i < 1000; i++) a[(t+1)%2][i] = a[t%2][i] + a[t%2][i-300];",
}

// span returns one of them.
func span(t testing.TB, name string) pipeline.Stencil {
	return pipeline.Read(t, name, fmt.Sprintf("float a[2][1000];\nvoid f(int T)\n{\n#pragma scop\n  for (int t = 0; t < T; t++)\n    %s\n#pragma endscop\n}\n", spanning[name]))
}

// TestTimesArePositive asks for what random tiles cost, on all devices and on grids from
// a few points to more than memory holds: never nothing, and never without end.
func TestTimesArePositive(t *testing.T) {
	all := append(pipeline.All(t), more(t)...)
	for name := range spanning {
		all = append(all, span(t, name))
	}
	for seed := range uint64(30) {
		if x, ok := random(seed); ok {
			all = append(all, x)
		}
	}
	every := 5
	if os.Getenv("CI") == "true" {
		every = 1
	}
	rng := rand.New(rand.NewPCG(1, 2))
	grids := 0
	for i, x := range all {
		for j, d := range machine.Devices() {
			if (i+j)%every != 0 {
				continue
			}
			given := model.Typical{}
			for _, p := range x.Scop.Params {
				given[p.Name] = 1 << rng.IntN(41) >> rng.IntN(2)
			}
			c, err := model.Assess(x.Space, x.Cone, d, given, someSizes(rng, x), model.Asked{})
			if err != nil {
				continue // what is known of the parameters
			}
			require.NoError(t, c.Verify(), "%s %v on %s", x.Name, c.Grid, d.Name)
			require.NotContains(t, c.String(), "NaN", x.Name)
			require.NotContains(t, c.String(), "Inf", x.Name)
			if c.Grid.Points > 0 {
				grids++
			}
		}
	}
	t.Logf("%d grids of %d programs", grids, len(all))
	require.Greater(t, grids, len(all))
}

// TestSpanningChoice chooses for programs whose dependences span their grid.
func TestSpanningChoice(t *testing.T) {
	for name := range spanning {
		x := span(t, name)
		for _, d := range machine.Devices() {
			c, err := model.Choose(x.Space, x.Cone, d, nil, model.Asked{})
			require.NoError(t, err)
			require.NoError(t, c.Verify(), name)
			seen := map[string]bool{}
			for _, y := range c.Best {
				require.False(t, seen[y.Sizes.String()], "%s: %v is there twice", name, y.Sizes)
				seen[y.Sizes.String()] = true
			}
		}
	}
}

// someSizes returns legal sizes.
func someSizes(rng *rand.Rand, x pipeline.Stencil) schedule.Sizes {
	hs := schedule.LegalH(x.Space.K)
	s := schedule.Sizes{H: hs[rng.IntN(min(len(hs), 4))]}
	s.W = append(s.W, schedule.MinW0(x.Cone, s.H)+rng.Int64N(40))
	for range x.Space.Space[1:] {
		s.W = append(s.W, 1+rng.Int64N(64))
	}
	return s
}

// random returns the program of a seed, if it can be tiled in time.
func random(seed uint64) (x pipeline.Stencil, ok bool) {
	text := randc.Prelude + randc.Generate(seed, "f").String()
	res, err := frontend.Parse(frontend.Source{Name: "f.c", Text: []byte(text)}, frontend.Options{NoAlias: true})
	if err != nil || len(res.Programs) != 1 {
		return x, false
	}
	x.Name, x.Scop = fmt.Sprint("seed ", seed), scop.WithCoefficients(res.Programs[0])
	if x.Deps, err = schedule.Dependences(x.Scop); err != nil {
		return x, false
	}
	if x.Space, err = schedule.Canonicalize(x.Scop, x.Deps); err != nil {
		return x, false
	}
	if x.Cone, err = schedule.BoundCone(x.Space, x.Deps); err != nil {
		return x, false
	}
	return x, schedule.CheckTilable(x.Space, x.Cone) == nil
}

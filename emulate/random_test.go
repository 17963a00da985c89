package emulate_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/emulate"
	"github.com/hexcc/hexcc/frontend"
	"github.com/hexcc/hexcc/schedule"
)

// TestRandomStencils verifies random programs with random tile sizes: one or
// two space dimensions, one or two nests, distances of up to two steps back.
func TestRandomStencils(t *testing.T) {
	for seed := range uint64(40) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			rng := rand.New(rand.NewPCG(seed, 5))
			text := randomStencil(rng)
			res, err := frontend.Parse(frontend.Source{Name: "random.c", Text: []byte(text)}, frontend.Options{})
			require.NoError(t, err, text)
			p := newPlan(t, res.Programs[0])
			r := p.request(t, p.random(rng))
			r.Points, r.Seed = 20_000, seed
			v, err := emulate.Verify(r)
			require.NoError(t, err, text)
			require.True(t, v.OK(), "%s%v\n%v\n%v", text, r.Schedule.Sizes, v, r.Program)
		})
	}
}

// random returns legal tile sizes.
func (p plan) random(rng *rand.Rand) schedule.Sizes {
	k := p.canonical.K
	h := int64(k*(1+rng.IntN(3)) - 1)
	s := schedule.Sizes{H: h, W: []int64{schedule.MinW0(p.cone, h) + rng.Int64N(4)}}
	for range p.canonical.Space[1:] {
		s.W = append(s.W, 1+rng.Int64N(9))
	}
	return s
}

// randomStencil returns C that keeps depth+1 time steps of each of k arrays.
// Nest i of a step reads what earlier nests of the step, and earlier steps, wrote.
func randomStencil(rng *rand.Rand) string {
	dims, k, depth := 1+rng.IntN(2), 1+rng.IntN(2), 1+rng.IntN(2)
	arrays := []string{"A", "B"}[:k]
	time := func(back int) string {
		return fmt.Sprintf("[(t + %d) %% %d]", depth-back, depth+1)
	}
	var b, body strings.Builder
	margin := 0
	for i, array := range arrays {
		var terms []string
		for range 2 + rng.IntN(3) {
			from := rng.IntN(k)
			back := rng.IntN(depth + 1)
			if from >= i && back == 0 {
				back = 1 // it has not been computed yet
			}
			index := time(back)
			for d := range dims {
				reach := 2 * (1 + back) / 2
				off := rng.IntN(2*reach+1) - reach
				margin = max(margin, off, -off)
				index += fmt.Sprintf("[%c + %d]", 'i'+d, off)
			}
			terms = append(terms, fmt.Sprintf("0.%df * %s%s", 1+rng.IntN(9), arrays[from], strings.ReplaceAll(index, "+ -", "- ")))
		}
		index, indent := time(0), "    "
		for d := range dims {
			fmt.Fprintf(&body, "%sfor (int %c = LO; %c < n - LO; %c++)\n", indent, 'i'+d, 'i'+d, 'i'+d)
			index += fmt.Sprintf("[%c]", 'i'+d)
			indent += "  "
		}
		fmt.Fprintf(&body, "%s%s%s = %s;\n", indent, array, index, strings.Join(terms, " + "))
	}
	fmt.Fprintf(&b, "#define LO %d\nvoid f(int T, int n", margin)
	for _, array := range arrays {
		fmt.Fprintf(&b, ", float %s[restrict %d]%s", array, depth+1, strings.Repeat("[n]", dims))
	}
	b.WriteString(")\n{\n#pragma scop\n  for (int t = 0; t < T; t++)")
	if k > 1 {
		b.WriteString(" {")
	}
	b.WriteString("\n" + body.String())
	if k > 1 {
		b.WriteString("  }\n")
	}
	b.WriteString("#pragma endscop\n}\n")
	return b.String()
}

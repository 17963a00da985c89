package emulate_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/emulate"
	"github.com/hexcc/hexcc/gpu/lower"
	"github.com/hexcc/hexcc/schedule"
)

// TestRandomStencils verifies random programs with random tile sizes: one or
// two space dimensions, up to three nests, distances of up to two steps back.
func TestRandomStencils(t *testing.T) {
	for seed := range uint64(40) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			rng := rand.New(rand.NewPCG(seed, 5))
			text := randomStencil(rng)
			p := newPlan(t, "random", text)
			r := p.requestWith(t, p.random(rng), randomMapping(rng, len(p.Space.Space)))
			r.Points, r.Seed = 20_000, seed
			v, err := emulate.Verify(r)
			require.NoError(t, err, text)
			require.True(t, v.OK(), "%s%v\n%v\n%v", text, r.Schedule.Sizes, v, r.Program)
		})
	}
}

// randomMapping is the default more often than not.
func randomMapping(rng *rand.Rand, dims int) (o lower.Options) {
	switch rng.IntN(5) {
	case 4:
		o.Points = [3]int{rng.IntN(4), rng.IntN(4), 0}
		o.Stage = map[string]bool{arrays[rng.IntN(len(arrays))]: true}
	case 0:
		all := lower.Strategies()
		o.Strategy = all[rng.IntN(len(all))]
		o.Rolled = rng.IntN(4) == 0
		o.Unroll = rng.IntN(4)
	case 1:
		if o.Threads = [3]int{1 + rng.IntN(40), 1, 1}; dims > 1 {
			o.Threads[1] += rng.IntN(4)
		}
		o.Limit = rng.Int64N(200)
	}
	return o
}

// TestRandomLoops verifies random programs with wide tiles, few threads and a
// limit so small that loops remain in full tiles, also over the turns of the threads.
func TestRandomLoops(t *testing.T) {
	for seed := range uint64(20) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			rng := rand.New(rand.NewPCG(seed, 6))
			text := randomStencil(rng)
			p := newPlan(t, "random", text)
			sizes := p.random(rng)
			for i := range sizes.W {
				sizes.W[i] += rng.Int64N(20)
			}
			all := lower.Strategies()
			r := p.requestWith(t, sizes, lower.Options{
				Strategy: all[rng.IntN(len(all))], Threads: [3]int{1 + rng.IntN(8), 1 + rng.IntN(2), 1}, Limit: 1 + rng.Int64N(60),
			})
			r.Points, r.Seed = 10_000, seed
			v, err := emulate.Verify(r)
			require.NoError(t, err, text)
			require.True(t, v.OK(), "%s%v\n%v\n%v", text, r.Schedule.Sizes, v, r.Program)
		})
	}
}

// random returns legal tile sizes.
func (p plan) random(rng *rand.Rand) schedule.Sizes {
	k := p.Space.K
	h := int64(k*(1+rng.IntN(3)) - 1)
	s := schedule.Sizes{H: h, W: []int64{schedule.MinW0(p.Cone, h) + rng.Int64N(4)}}
	for range p.Space.Space[1:] {
		s.W = append(s.W, 1+rng.Int64N(9))
	}
	return s
}

// A stencil is a random program being written.
type stencil struct {
	rng            *rand.Rand
	dims, k, depth int // space dimensions, nests, steps that are kept
	inPlace        bool
	margin         int // the largest offset
}

var arrays = []string{"A", "B", "C"}

// randomStencil returns a C function f. Nest i of a step computes array i. It
// keeps some steps of each array, and reads what earlier nests of the step and
// earlier steps wrote around it; or it works in place, and then reads its own
// array only where it writes.
func randomStencil(rng *rand.Rand) string { return stencilOf(rng, 1+rng.IntN(2)) }

// stencilOf returns one of so many space dimensions.
func stencilOf(rng *rand.Rand, dims int) string {
	s := &stencil{rng: rng, dims: dims, k: 1 + rng.IntN(2), depth: 1 + rng.IntN(2), inPlace: rng.IntN(3) == 0}
	if s.inPlace {
		s.k = 2 + rng.IntN(2)
	}
	var body string
	for i := range s.k {
		body += s.nest(i)
	}
	head := fmt.Sprintf("#define LO %d\nvoid f(int T, int n", s.margin)
	for _, a := range arrays[:s.k] {
		if s.inPlace {
			head += fmt.Sprintf(", float %s[restrict n]%s", a, strings.Repeat("[n]", s.dims-1))
		} else {
			head += fmt.Sprintf(", float %s[restrict %d]%s", a, s.depth+1, strings.Repeat("[n]", s.dims))
		}
	}
	return head + ")\n{\n#pragma scop\n  for (int t = 0; t < T; t++) {\n" + body + "  }\n#pragma endscop\n}\n"
}

// nest returns the loops that compute array i.
func (s *stencil) nest(i int) string {
	var terms []string
	for range 2 + s.rng.IntN(3) {
		terms = append(terms, fmt.Sprintf("0.%df * %s", 1+s.rng.IntN(9), s.read(i)))
	}
	text, indent := "", "    "
	at := make([]int, s.dims)
	for d := range s.dims {
		v := string(rune('i' + d))
		text += fmt.Sprintf("%sfor (int %s = LO%s; %s < n - LO%s; %s++)\n", indent, v, s.inset("+"), v, s.inset("-"), v)
		indent += "  "
	}
	return text + fmt.Sprintf("%s%s = %s;\n", indent, s.element(i, 0, at), strings.Join(terms, " + "))
}

// inset makes a bound of a loop tighter, or not.
func (s *stencil) inset(sign string) string {
	if n := s.rng.IntN(5) - 2; n > 0 {
		return fmt.Sprintf(" %s %d", sign, n)
	}
	return ""
}

// read returns an element that nest i may read.
func (s *stencil) read(i int) string {
	from, back := s.rng.IntN(s.k), s.rng.IntN(s.depth+1)
	if from >= i && back == 0 {
		back = 1 // it has not been computed yet
	}
	at := make([]int, s.dims)
	for d := range at {
		if s.inPlace && from == i {
			continue
		}
		reach := 1 + back
		at[d] = s.rng.IntN(2*reach+1) - reach
		s.margin = max(s.margin, at[d], -at[d])
	}
	return s.element(from, back, at)
}

// element returns an element of array i, as it was some steps back.
func (s *stencil) element(i, back int, at []int) string {
	text := arrays[i]
	if !s.inPlace {
		text += fmt.Sprintf("[(t + %d) %% %d]", s.depth-back, s.depth+1)
	}
	for d, off := range at {
		text += fmt.Sprintf("[%c + %d]", 'i'+d, off)
	}
	return strings.NewReplacer("+ -", "- ", " + 0", "").Replace(text)
}

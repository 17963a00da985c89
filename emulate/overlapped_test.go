package emulate_test

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/emulate"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/gpu/lower"
	"github.com/hexcc/hexcc/gpu/proof"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
	"github.com/hexcc/hexcc/symbolic"
)

// diffusion is the horizontal diffusion of a weather model: nests that hand fields on by local arrays.
const diffusion = `void f(int n, int m, double in[restrict n][m], double out[restrict n][m])
{
  double lap[n][m], fli[n][m], flj[n][m];
#pragma scop
  for (int j = 1; j < n - 1; j++)
    for (int i = 1; i < m - 1; i++)
      lap[j][i] = 4.0 * in[j][i] - (in[j][i + 1] + in[j][i - 1] + in[j + 1][i] + in[j - 1][i]);
  for (int j = 2; j < n - 2; j++)
    for (int i = 1; i < m - 2; i++)
      fli[j][i] = (lap[j][i + 1] - lap[j][i]) * (in[j][i + 1] - in[j][i]) > 0 ? 0 : lap[j][i + 1] - lap[j][i];
  for (int j = 1; j < n - 2; j++)
    for (int i = 2; i < m - 2; i++)
      flj[j][i] = (lap[j + 1][i] - lap[j][i]) * (in[j + 1][i] - in[j][i]) > 0 ? 0 : lap[j + 1][i] - lap[j][i];
  for (int j = 2; j < n - 2; j++)
    for (int i = 2; i < m - 2; i++)
      out[j][i] = in[j][i] - 0.1 * (fli[j][i] - fli[j][i - 1] + flj[j][i] - flj[j - 1][i]);
#pragma endscop
}
`

// overlapped returns the kernels of p by boxes that overlap, ready to verify, and the loops that they were made of. spoil may change the schedule before; ok is false
// where tiles would store what others still read, do not fit a block, or cannot keep to themselves what they compute.
func (p plan) overlapped(t testing.TB, groups schedule.Groups, sizes schedule.Sizes, o lower.Options, spoil func(*schedule.Schedule)) (r emulate.Request, loops *astgen.Program, ok bool) {
	t.Helper()
	s, err := schedule.NewOverlap(p.Space, p.Deps).In(groups).Tiles(sizes)
	require.NoError(t, err)
	if _, conflict := s.Conflict(); conflict {
		return r, nil, false
	}
	if spoil != nil {
		spoil(s)
	}
	s.Relate()
	loops, err = astgen.Generate(s)
	require.NoError(t, err)
	g, err := lower.Lower(loops, pipeline.Device(t, "sm_80"), o)
	if list := (diag.List{}); errors.As(err, &list) && (list[0].Code == "HX401" || list[0].Code == "HX218") {
		return r, nil, false
	}
	require.NoError(t, err)
	require.NoError(t, g.Verify())
	return emulate.Request{Program: g, Schedule: s, Points: 50_000}, loops, true
}

// proofs returns those of tiles that overlap.
func (p plan) proofs(r emulate.Request, loops *astgen.Program) []schedule.Proof {
	return []schedule.Proof{schedule.ProvePartition(r.Schedule), schedule.ProveLegality(r.Schedule, p.Deps), proof.Emission(r.Program, loops),
		proof.Staging(r.Program, loops), symbolic.Prove(r.Program, loops)}
}

// refuted returns how many of them do not hold.
func (p plan) refuted(r emulate.Request, loops *astgen.Program) (n int) {
	for _, x := range p.proofs(r, loops) {
		if !x.Holds {
			n++
		}
	}
	return n
}

// verified asks that all of them hold, and that what runs is right.
func (p plan) verified(t *testing.T, r emulate.Request, loops *astgen.Program, text string) *emulate.Verification {
	t.Helper()
	for _, x := range p.proofs(r, loops) {
		require.True(t, x.Holds, "%v\n%s%v", x, text, r.Program)
	}
	v, err := emulate.Verify(r)
	require.NoError(t, err, text)
	require.True(t, v.OK(), "%s%v\n%v\n%v", text, r.Schedule.Sizes, v, r.Program)
	return v
}

// pointsOf returns how many points to try boxes of these sizes with: fewer where each is computed many times, in boxes that are narrow beside what
// they overlap by at reach 1.
func pointsOf(sizes schedule.Sizes) int64 {
	const most, often = 8000, 5
	times := 1.0
	for _, w := range sizes.W {
		times *= 1 + 2*float64(sizes.H)/float64(w)
	}
	return int64(most / max(1, times/often))
}

// TestRandomOverlapped verifies random chains of nests, in a time loop or not, by boxes that overlap: some arrays are local to the function, and nobody sees them.
func TestRandomOverlapped(t *testing.T) {
	ran, refused, again, absent, versions, grouped := 0, 0, int64(0), 0, 0, 0
	seeds := uint64(12)
	if cases.Whole() {
		seeds = 28
	}
	t.Run("all", func(t *testing.T) {
		for seed := range seeds {
			if !cases.Due(int(seed), 2) {
				continue
			}
			t.Run(fmt.Sprint(seed), func(t *testing.T) {
				rng := rand.New(rand.NewPCG(seed, 19))
				text, dims, most := randomNests(rng)
				p := newPlan(t, "random", text)
				sizes := schedule.Sizes{H: 1 + rng.Int64N(most)}
				for range dims {
					sizes.W = append(sizes.W, 1+rng.Int64N(9))
				}
				o := lower.Options{Strategy: lower.Strategies()[1+rng.IntN(len(lower.Strategies())-1)], Async: rng.IntN(2) == 0}
				if rng.IntN(3) == 0 {
					o.Threads, o.Limit = [3]int{1 + rng.IntN(40), 1 + rng.IntN(3), 1}, rng.Int64N(300)
				}
				groups := randomGroups(p, rng)
				if groups != nil {
					sizes.H = 1
				}
				r, loops, ok := p.overlapped(t, groups, sizes, o, nil)
				if !ok {
					refused++
					return
				}
				r.Points, r.Seed = pointsOf(sizes), seed
				v := p.verified(t, r, loops, text)
				ran++
				for _, x := range v.Trials {
					again += x.Report.Again
				}
				grouped += min(1, len(r.Schedule.Groups()))
				absent, versions = absent+len(r.Schedule.Temporaries), versions+len(r.Schedule.Versions)
			})
		}
	})
	require.Greater(t, ran, 4*refused)
	require.Positive(t, again)
	require.Positive(t, absent)
	require.Positive(t, versions)
	require.Positive(t, grouped)
}

// randomGroups returns nil, for all nests in one launch, or nests in several, in an order that their dependences allow.
func randomGroups(p plan, rng *rand.Rand) (g schedule.Groups) {
	n := len(p.Scop.Stmts)
	if rng.IntN(2) == 0 {
		return nil
	}
	for _, i := range rng.Perm(n) {
		if at := rng.IntN(len(g) + 1); at < len(g) {
			g[at] = append(g[at], i)
		} else {
			g = append(g, []int{i})
		}
	}
	slices.SortFunc(g, func(x, y []int) int { return cmp.Compare(slices.Min(x), slices.Min(y)) })
	if len(g) == 1 || g.Check(p.Space, p.Deps) != nil {
		return nil
	}
	return g
}

// randomNests returns a C function f of two to four nests of so many dimensions of space, which read what those before them have written, and
// the most iterations of its time loop that a tile may span.
func randomNests(rng *rand.Rand) (text string, dims int, most int64) {
	dims = 1 + rng.IntN(3)
	nests := 2 + rng.IntN(5-dims)
	kind := rng.IntN(3) // no time loop, two planes, all time steps kept
	cell := strings.Repeat("[n]", dims)
	params, locals, body, indent := ", float a0[restrict n]"+strings.Repeat("[n]", dims-1), "", "", "  "
	if kind == 1 {
		params = ", float a0[restrict 2]" + cell
	} else if kind == 2 {
		params = ", float a0[restrict T + 1]" + cell
	}
	now, next := []string{"", "[t % 2]", "[t]"}[kind], []string{"", "[(t + 1) % 2]", "[t + 1]"}[kind]
	at := func(array int, plane string, reach int) string {
		e := fmt.Sprintf("a%d%s", array, plane)
		for d := range dims {
			e += fmt.Sprintf("[%c%+d]", 'i'+rune(d), rng.IntN(2*reach+1)-reach)
		}
		return strings.ReplaceAll(strings.ReplaceAll(e, "+", " + "), "-", " - ")
	}
	if kind > 0 {
		indent = "    "
	}
	for k := 1; k <= nests; k++ {
		last := k == nests && kind > 0 // it closes the circle
		var reads []string
		for range 2 + rng.IntN(3) {
			from := rng.IntN(k)
			plane := ""
			if from == 0 {
				plane = now
			}
			reads = append(reads, fmt.Sprintf("0.%df * %s", 1+rng.IntN(9), at(from, plane, 2)))
		}
		in := indent
		for d := range dims {
			body += fmt.Sprintf("%sfor (int %c = %d; %c < n - %d; %c++)\n", in, 'i'+rune(d), 3*k+rng.IntN(2), 'i'+rune(d), 3*k+rng.IntN(2), 'i'+rune(d))
			in += "  "
		}
		target := fmt.Sprintf("a%d", k)
		if last {
			target = "a0" + next
		}
		local := !last && k < nests && rng.IntN(3) > 0
		if !last && !local && rng.IntN(2) == 0 { // it is updated in place
			own := target
			for d := range dims {
				own += fmt.Sprintf("[%c]", 'i'+rune(d))
			}
			reads = append(reads, "0.5f * "+own)
		}
		for d := range dims {
			target += fmt.Sprintf("[%c]", 'i'+rune(d))
		}
		body += fmt.Sprintf("%s%s = %s;\n", in, target, strings.Join(reads, " + "))
		switch {
		case last:
		case local:
			locals += fmt.Sprintf("  float a%d%s;\n", k, cell)
		default:
			params += fmt.Sprintf(", float a%d[restrict n]%s", k, strings.Repeat("[n]", dims-1))
		}
	}
	if kind > 0 {
		body = "  for (int t = 0; t < T; t++) {\n" + body + "  }\n"
	}
	if kind == 0 {
		return fmt.Sprintf("void f(int n%s)\n{\n%s#pragma scop\n%s#pragma endscop\n}\n", params, locals, body), dims, 1
	}
	return fmt.Sprintf("void f(int T, int n%s)\n{\n%s#pragma scop\n%s#pragma endscop\n}\n", params, locals, body), dims, 3
}

// TestOverlappedMutants spoils boxes that overlap, and the kernels that run them: the proofs find out, and so does the emulator.
func TestOverlappedMutants(t *testing.T) {
	p := newPlan(t, "diffusion", diffusion)
	sizes := schedule.Sizes{H: 1, W: []int64{4, 8}}
	for _, x := range []struct {
		name  string
		spoil func(*schedule.Schedule)
	}{
		{"a halo that is one too narrow", func(s *schedule.Schedule) { s.Phases[0].Boxes[0][0].Hi[0]-- }},
		{"a halo that is one too narrow to the left", func(s *schedule.Schedule) { s.Phases[0].Boxes[0][0].Lo[1]++ }},
		{"an owner's box that is moved", func(s *schedule.Schedule) {
			s.Phases[0].Space[1].Owned = []schedule.HalfPlane{{B: 1, C: -1}, {B: -1, C: 8}}
		}},
		{"an owner's box that is one too narrow", func(s *schedule.Schedule) {
			s.Phases[0].Space[0].Owned = []schedule.HalfPlane{{B: 1, C: -1}, {B: -1, C: 3}}
		}},
		{"a result that is taken for a temporary", func(s *schedule.Schedule) {
			s.Temporaries = append(slices.Clone(s.Temporaries), p.Scop.Stmts[3].Accesses[len(p.Scop.Stmts[3].Accesses)-1].Array)
		}},
	} {
		t.Run(x.name, func(t *testing.T) {
			r, loops, ok := p.overlapped(t, nil, sizes, lower.Options{Strategy: lower.Staged}, x.spoil)
			require.True(t, ok)
			refuted := p.refuted(r, loops)
			require.Positive(t, refuted, "no proof is refuted")
			v, err := emulate.Verify(r)
			require.NoError(t, err)
			require.False(t, v.OK(), "the emulator finds nothing: %v\n%v", v, r.Program)
		})
	}
	r, _, ok := p.overlapped(t, nil, sizes, lower.Options{Strategy: lower.Staged}, nil)
	require.True(t, ok)
	for _, x := range []struct {
		name  string
		wants func(place) bool
		f     edit
	}{
		{"a step that is left out", func(x place) bool { return x.role(0).Kind == gpu.TimeStep }, func(place) []gpu.Node { return []gpu.Node{} }},
		{"a barrier that is left out", func(x place) bool { _, ok := x.node().(gpu.Barrier); return ok && x.i+1 < len(x.list) }, func(place) []gpu.Node { return []gpu.Node{} }},
		{"a copy in that is left out", func(x place) bool { return x.role(0).Kind == gpu.CopyIn }, func(place) []gpu.Node { return []gpu.Node{} }},
	} {
		t.Run(x.name, func(t *testing.T) {
			_, n := edited(r.Program, -1, x.wants, x.f)
			require.Positive(t, n)
			for at := range n {
				spoilt := r
				spoilt.Program, _ = edited(r.Program, at, x.wants, x.f)
				v, err := emulate.Verify(spoilt)
				require.NoError(t, err)
				require.False(t, v.OK(), "%s, number %d: the emulator finds nothing\n%v", x.name, at, spoilt.Program)
			}
		})
	}
}

// TestGroupMutants spoils launches of an iteration: which of them computes what, and in which order.
func TestGroupMutants(t *testing.T) {
	p := newPlan(t, "diffusion", diffusion)
	groups, sizes := schedule.Groups{{0}, {1, 2}, {3}}, schedule.Sizes{H: 1, W: []int64{4, 8}}
	for _, x := range []struct {
		name  string
		spoil func(*schedule.Schedule) // nil: nothing is wrong
	}{
		{"nothing", nil},
		{"two launches swapped", func(s *schedule.Schedule) { s.Phases[0], s.Phases[1] = s.Phases[1], s.Phases[0] }},
		{"a launch that is left out", func(s *schedule.Schedule) { s.Phases = s.Phases[:2] }},
		{"a nest that is launched too early", func(s *schedule.Schedule) {
			s.Phases[0].Boxes[3], s.Phases[2].Boxes[3] = s.Phases[2].Boxes[3], s.Phases[0].Boxes[3]
			for p := range s.Phases[0].Space {
				s.Phases[0].Space[p].Lo[2], s.Phases[0].Space[p].Hi[2] = s.Phases[2].Space[p].Lo[2], s.Phases[2].Space[p].Hi[2]
			}
		}},
	} {
		t.Run(x.name, func(t *testing.T) {
			r, loops, ok := p.overlapped(t, groups, sizes, lower.Options{Strategy: lower.Staged}, x.spoil)
			require.True(t, ok)
			refuted := p.refuted(r, loops)
			v, err := emulate.Verify(r)
			require.NoError(t, err)
			if x.spoil == nil {
				require.Equal(t, groups, r.Schedule.Groups())
				require.Zero(t, refuted)
				require.True(t, v.OK(), "%v\n%v", v, r.Program)
				return
			}
			require.Positive(t, refuted, "no proof is refuted")
			require.False(t, v.OK(), "the emulator finds nothing: %v\n%v", v, r.Program)
		})
	}
}

// TestVersionMutants spoils which version of an array tiles load, and store to, and what they hand on.
func TestVersionMutants(t *testing.T) {
	const text = `void f(int T, int n, int m, float A[restrict 2][n][m])
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        A[(t + 1) % 2][i][j] = 0.25f * (A[t % 2][i - 1][j] + A[t % 2][i + 1][j] + A[t % 2][i][j - 1] + A[t % 2][i][j + 1]);
#pragma endscop
}
`
	p := newPlan(t, "jacobi", text)
	r, loops, ok := p.overlapped(t, nil, schedule.Sizes{H: 3, W: []int64{4, 8}}, lower.Options{Strategy: lower.Staged}, nil)
	require.True(t, ok)
	require.Len(t, r.Schedule.Versions, 1)
	v := r.Schedule.Versions[0]
	swapped := map[*scop.Array]*scop.Array{v.Array: v.Next, v.Next: v.Array}
	for _, kind := range []gpu.RoleKind{gpu.CopyIn, gpu.CopyOut} {
		for _, how := range []string{"the wrong version", "left out"} {
			t.Run(fmt.Sprint(kind, " ", how), func(t *testing.T) {
				wants := func(x place) bool {
					if x.role(0).Kind != kind {
						return false
					}
					c, isCopy := x.node().(gpu.Threads).Body[0].(gpu.Copy)
					return !isCopy || c.From.Reg == "" // else what is loaded stands in front
				}
				spoil := func(x place) []gpu.Node {
					if how == "left out" {
						return []gpu.Node{}
					}
					n := x.node().(gpu.Threads)
					n.Body = slices.Clone(n.Body)
					for i, op := range n.Body {
						switch x := op.(type) { // copies in may pass through a register
						case gpu.Load:
							if x.From.Buffer == nil {
								x.From.Array = swapped[x.From.Array]
							}
							n.Body[i] = x
						case gpu.Copy:
							if x.To.Buffer == nil {
								x.To.Array = swapped[x.To.Array]
							} else if x.From.Reg == "" {
								x.From.Array = swapped[x.From.Array]
							}
							n.Body[i] = x
						}
					}
					return []gpu.Node{n}
				}
				_, n := edited(r.Program, -1, wants, spoil)
				require.Positive(t, n)
				for at := range n {
					spoilt := r
					spoilt.Program, _ = edited(r.Program, at, wants, spoil)
					refuted := p.refuted(spoilt, loops)
					require.Positive(t, refuted, "number %d: no proof is refuted", at)
					result, err := emulate.Verify(spoilt)
					require.NoError(t, err)
					require.False(t, result.OK(), "number %d: the emulator finds nothing", at)
				}
			})
		}
	}
}

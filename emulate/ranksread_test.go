package emulate

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/cpu"
	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/ranks"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// This file counts what ranks read of each other by running through a program instance by instance.

// A sender is where the value of an element is from: a rank, after a phase of a time tile, or -1, before the first one.
type sender struct{ rank, phase, T int64 }

// A census knows of each element where its value is from, and what has crossed borders.
type census struct {
	plan   *ranks.Plan
	at     map[string]int64
	params []int64
	shares []ranks.Share
	from   map[string]sender
	seen   map[string]bool
	bytes  []int64 // by rank: of values that it has sent and another one reads
}

// rank returns which rank runs an instance, and where.
func (c *census) rank(st *scop.Stmt, iters []int64) sender {
	s := c.plan.Schedule
	tau := int64(s.Canonical.K)*iters[0] + int64(s.Canonical.Levels[st.Order])
	place := s.Canonical.Places[st.Order][0]
	x := c.sum(scop.Affine{Const: place.Shift.Const, Params: place.Shift.Params}, nil)
	if place.Iter >= 0 {
		x += place.Sign() * iters[place.Iter]
	}
	for phase, ph := range s.Phases {
		d, t := ph.Space[0], floor(tau+ph.TimeShift, s.Height)
		a, local := tau+ph.TimeShift-s.Height*t, x-d.Drift*t-d.Offset
		tile := floor(local-d.Lo[a], d.Stride)
		if local-d.Stride*tile > d.Hi[a] {
			continue
		}
		for r, share := range c.shares {
			if tile >= share.First && tile <= share.Last {
				return sender{int64(r), int64(phase), t}
			}
		}
	}
	panic("no rank runs an instance")
}

func floor(a, d int64) int64 { return (a - ((a%d)+d)%d) / d }

func (c *census) sum(x scop.Affine, iters []int64) int64 { return x.At(iters, c.params) }

// owner returns who owns an element.
func (c *census) owner(array int, row int64) int64 {
	for r, s := range c.shares {
		if s.Owns(c.plan, c.params, array, row, r > 0, r < len(c.shares)-1) {
			return int64(r)
		}
	}
	panic("nobody owns an element")
}

// read notes that a rank reads an element.
func (c *census) read(a *scop.Array, element string, by int64) {
	from := c.from[element]
	if from.rank == by {
		return
	}
	if key := fmt.Sprint(element, from, by); !c.seen[key] {
		c.seen[key] = true
		c.bytes[from.rank] += int64(a.Elem.Size())
	}
}

// eachVector calls visit for all vectors of a length whose elements are less than limit.
func eachVector(n int, limit int64, x []int64, visit func(x []int64)) {
	if n == 0 {
		visit(x)
		return
	}
	for v := range limit {
		eachVector(n-1, limit, append(x[:len(x):len(x)], v), visit)
	}
}

// run runs through the program: what is read is from whoever wrote it last, and in the end owners read what has been written.
func (c *census) run(steps, limit int64) {
	p := c.plan.Scop()
	touch := func(x *scop.Access, iters []int64) (array int, element string, row int64) {
		for i, a := range c.plan.Arrays {
			if a.Array == x.Array {
				array = i
			}
		}
		element = x.Array.Name
		for d, index := range x.Index {
			v := c.sum(index.Affine, iters)
			if index.Mod > 0 {
				v = ((v % index.Mod) + index.Mod) % index.Mod
			}
			if d == c.plan.Arrays[array].Dim {
				row = v
			}
			element += fmt.Sprintf("[%d]", v)
		}
		if _, ok := c.from[element]; !ok && c.plan.Arrays[array].Dim >= 0 {
			c.from[element] = sender{c.owner(array, row), -1, 0}
		}
		return array, element, row
	}
	type owned struct {
		array *scop.Array
		by    int64
	}
	written := map[string]owned{}
	for t := range steps {
		for _, st := range p.Stmts {
			eachVector(len(st.Iters)-1, limit, []int64{t}, func(iters []int64) {
				if !st.Domain.Contains(c.at, iters...) || st.Idle(iters, c.params) {
					return
				}
				here := c.rank(st, iters)
				for _, write := range []bool{false, true} {
					for _, x := range st.Accesses {
						array, element, row := touch(x, iters)
						if x.Write != write || c.plan.Arrays[array].Dim < 0 {
							continue
						}
						if !write {
							c.read(x.Array, element, here.rank)
							continue
						}
						c.from[element] = here
						written[element] = owned{x.Array, c.owner(array, row)}
					}
				}
			})
		}
	}
	for element, o := range written {
		c.read(o.array, element, o.by)
	}
}

// TestRanksUnread counts what ranks send and others do not read, as the plan says it, by running through programs: planes in turn, of two and of three, each step in a plane of its own, copies back, one colour, a ring.
func TestRanksUnread(t *testing.T) {
	for _, x := range []struct {
		params, body string
		extent       int64
		fine         bool
	}{
		{"int T, int n, float A[2][n]", `for (int i = 1; i < n - 1; i++)
      A[(t + 1) % 2][i] = 0.5f * A[t % 2][i - 1] + A[t % 2][i + 1];`, 83, false},
		{"int T, int n, float A[3][n]", `for (int i = 1; i < n - 1; i++)
      A[(t + 2) % 3][i] = 0.5f * A[(t + 1) % 3][i - 1] + A[(t + 1) % 3][i + 1] - A[t % 3][i];`, 83, false},
		{"int T, int n, float A[T + 1][n]", `for (int i = 2; i < n - 1; i++)
      A[t + 1][i] = 0.5f * A[t][i - 2] + A[t][i + 1];`, 83, false},
		{"int T, int n, float A[n], float B[n]", `for (int i = 1; i < n - 1; i++)
      B[i] = 0.5f * A[i - 1] + A[i + 1];
    for (int i = 1; i < n - 1; i++)
      A[i] = B[i];`, 83, false},
		{"int T, int n, float A[n], float B[n]", `for (int i = 0; i < n; i++)
      B[i] = 0.5f * A[(i + n - 1) % n] + A[(i + 1) % n];
    for (int i = 0; i < n; i++)
      A[i] = B[i];`, 83, false},
		{"int T, int n, float A[n][n]", `for (int c = 0; c < 2; c++)
      for (int i = 1; i < n - 1; i++)
        for (int j = 1 + (i + c) % 2; j < n - 1; j += 2)
          A[i][j] = 0.25f * A[i - 1][j] + A[i + 1][j] + A[i][j - 1] + A[i][j + 1];`, 37, true},
	} {
		c := pipeline.Folded(t, "unread", fmt.Sprintf("void f(%s)\n{\n#pragma scop\n  for (int t = 0; t < T; t++) {\n    %s\n  }\n#pragma endscop\n}\n", x.params, x.body))
		s, err := schedule.Hybrid(c.Space, c.Cone.Balanced(), pipeline.Narrow.Of(c.Space, c.Cone.Balanced()))
		require.NoError(t, err, x.body)
		loops, err := astgen.Roll(s)
		require.NoError(t, err)
		plan, err := ranks.Make(ranks.OfCPU(cpu.Make(loops)), "border")
		require.NoError(t, err, x.body)
		if x.fine {
			plan, err = plan.Finer()
			require.NoError(t, err, x.body)
		}
		require.True(t, plan.Prove().Holds, x.body)
		for _, steps := range []int64{1, 2, 11} {
			params := []int64{steps, x.extent}
			for i, q := range plan.Scop().Params {
				params[i] = map[string]int64{"T": steps, "n": x.extent}[q.Name]
			}
			shares, ok := plan.Shares(params, 3)
			require.True(t, ok)
			unread, err := plan.Unread(params, 3)
			require.NoError(t, err)
			count := census{plan, map[string]int64{"T": steps, "n": x.extent}, params, shares, map[string]sender{}, map[string]bool{}, make([]int64, 3)}
			count.run(steps, x.extent)
			for r, share := range shares {
				require.Equal(t, share.Bytes-count.bytes[r], unread[r], "%s: rank %d, %d steps; %v", x.body, r, steps, plan)
			}
		}
	}
}

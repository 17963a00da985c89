package emulate

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/ranks"
)

// TestRanksOfCells runs regions whose arrays have one subscript for several dimensions, whose values go beyond the ends of rows, and breaks a plan: boxes that are an element short, or of
// the next component, or left out, and parts that begin elsewhere. Each of these the proof has to say no to, and ranks have to leave something else.
func TestRanksOfCells(t *testing.T) {
	for k, x := range []struct {
		unit, step int64
		body       string
	}{
		{120, 3, `for (int j = 0; j < 40; j++) {
        A[(t + 1) % 2][(i * 40 + j + 41) * 3] = A[t % 2][(i * 40 + j + 40) * 3] - A[t % 2][(i * 40 + j + 42) * 3 + 1];
        A[(t + 1) % 2][(i * 40 + j + 1) * 3 + 1] = A[t % 2][(i * 40 + j + 41) * 3 + 1] + A[t % 2][(i * 40 + j + 1) * 3 + 2];
        A[(t + 1) % 2][(i * 40 + j + 81) * 3 + 2] = A[t % 2][(i * 40 + j + 41) * 3 + 2] - A[t % 2][(i * 40 + j + 81) * 3];
      }`},
		{2448, 2, `for (int j = 0; j < 34; j++)
        for (int k = 0; k < 36; k++) {
          A[(t + 1) % 2][(i * 1224 + j * 36 + k + 1260) * 2] = A[t % 2][(i * 1224 + j * 36 + k + 1261) * 2] + A[t % 2][(i * 1224 + j * 36 + k + 36) * 2 + 1];
          A[(t + 1) % 2][(i * 1224 + j * 36 + k + 2448) * 2 + 1] = A[t % 2][(i * 1224 + j * 36 + k + 1224) * 2 + 1] - A[t % 2][(i * 1224 + j * 36 + k + 1224) * 2];
        }`},
	} {
		const rows = 40
		c := pipeline.Folded(t, "cells", fmt.Sprintf("void f(int T, float A[2][%d])\n{\n#pragma scop\n  for (int t = 0; t < T; t++)\n    for (int i = 0; i < %d; i++)\n      %s\n#pragma endscop\n}\n", (rows+4)*x.unit, rows, x.body))
		whole, ok := planOf(t, c)
		require.True(t, ok)
		require.Equal(t, x.unit, whole.Arrays[0].Unit)
		require.True(t, whole.Prove().Holds)
		for _, steps := range []int64{1, 7} {
			differ, ok := onRanks(t, whole, 3, rows, steps)
			require.True(t, ok)
			require.Zero(t, differ, "%d steps", steps)
		}
		if k > 0 {
			continue // one of them broken will do
		}
		caught := func(what string, change func(p *ranks.Plan, strips []ranks.Strip) []ranks.Strip) {
			mutant := *whole.Plan
			mutant.Arrays = slices.Clone(whole.Arrays)
			mutant.After = nil
			for _, e := range whole.After {
				mutant.After = append(mutant.After, ranks.Exchange{Up: change(&mutant, slices.Clone(e.Up)), Down: change(&mutant, slices.Clone(e.Down))})
			}
			require.False(t, mutant.Prove().Holds, what)
			differ, ok := onRanks(t, planned{&mutant, whole.prog}, 2, rows, 7)
			require.True(t, ok)
			require.NotZero(t, differ, what)
		}
		short := func(r ranks.Rows, lo, hi int64) (s ranks.Rows) {
			s.Start = r.Start
			for i := range r.Lo {
				s.Lo, s.Hi = append(s.Lo, r.Lo[i]+lo), append(s.Hi, r.Hi[i]-hi)
			}
			return s
		}
		each := func(change func(s *ranks.Strip)) func(p *ranks.Plan, strips []ranks.Strip) []ranks.Strip {
			return func(_ *ranks.Plan, strips []ranks.Strip) []ranks.Strip {
				for i := range strips {
					change(&strips[i])
				}
				return strips
			}
		}
		caught("short below", each(func(s *ranks.Strip) { s.Since, s.Until = short(s.Since, x.step, 0), short(s.Until, x.step, 0) }))
		caught("short above", each(func(s *ranks.Strip) { s.Since, s.Until = short(s.Since, 0, x.step), short(s.Until, 0, x.step) }))
		caught("the next component", each(func(s *ranks.Strip) {
			s.Every = slices.Clone(s.Every)
			e := &s.Every[1]
			require.Equal(t, x.step, e.Step)
			e.From = affine.Modulo(e.From.(affine.Sum).Add(1), x.step)
		}))
		caught("one component less", func(_ *ranks.Plan, strips []ranks.Strip) []ranks.Strip { return strips[:max(0, len(strips)-1)] })
		caught("other parts", func(p *ranks.Plan, strips []ranks.Strip) []ranks.Strip {
			p.Arrays[0].Unit += x.step
			return strips
		})
	}
}

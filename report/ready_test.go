package report

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/poly"
	"github.com/hexcc/hexcc/schedule"
)

// TestReady reads the waits out of the JSON form, and finds those of the schedule.
func TestReady(t *testing.T) {
	for name, sizes := range sizesOf {
		p := products(t, name, sizes)
		in, err := ParseJSON(Inspect(p).JSON())
		require.NoError(t, err)
		want, ok := schedule.FindChains(p.Schedule, p.Cone, 1)
		require.True(t, ok)
		got := schedule.Chains{Blocks: len(in.Ready.Chain) - 2}
		for i, w := range in.Ready.Waits {
			require.Equal(t, i, w.Phase)
			got.Steps = append(got.Steps, schedule.Wait{From: w.From, Time: w.Time, Lo: w.Lo, Hi: w.Hi, Lag: w.Lag})
		}
		require.Equal(t, want, got)
		require.Len(t, in.Ready.Along, len(p.Space.Space)-1)
		require.True(t, poly.MustMap(in.Ready.BeforeMap).IsEqual(want.Order(p.Schedule.Dims[:2+len(p.Space.Space)]).Before))
		require.Equal(t, []string{"legality", "waits"}, []string{in.Ready.Proofs[0].Name, in.Ready.Proofs[1].Name})
		require.False(t, in.Ready.Kept)
		require.Contains(t, in.Text(), "launches in turn")
	}
}

// TestReadyKept: of tiles that wait, the proofs of the order are those that were made.
func TestReadyKept(t *testing.T) {
	p := products(t, "jacobi-2d", sizesOf["jacobi-2d"])
	s := *p.Schedule
	c, ok := schedule.FindChains(&s, p.Cone, 1)
	require.True(t, ok)
	s.Wait(c)
	p.Schedule, p.Proofs = &s, []schedule.Proof{{Name: "legality", Claim: "claimed"}, {Name: "waits", Undecided: "too hard"}, {Name: "staging"}}
	in := Inspect(p)
	require.True(t, in.Ready.Kept)
	require.Len(t, in.Ready.Proofs, 2)
	require.Contains(t, in.Text(), "kept by     these waits")
	require.Contains(t, in.Text(), "legality: claimed: FAILS")
	require.Contains(t, in.Text(), "undecided: too hard")
}

// TestNotReady: where tiles do not wait for each other it is said why.
func TestNotReady(t *testing.T) {
	p := products(t, "jacobi-2d", sizesOf["jacobi-2d"])
	s := *p.Schedule
	s.Cone = schedule.Cone{}
	p.Schedule, p.Cone = &s, schedule.Cone{}
	in := Inspect(p)
	require.Contains(t, in.Text(), "none        no slopes bound how far tiles reach that others need")
	require.NotContains(t, in.ISL(), "ready")
	back, err := ParseJSON(in.JSON())
	require.NoError(t, err)
	require.Equal(t, in.Ready.Why, back.Ready.Why)
	require.Empty(t, back.Ready.Proofs)
	require.Equal(t, in.Text(), back.Text())
}

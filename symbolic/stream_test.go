package symbolic_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/gpu/stream"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/symbolic"
)

// TestFullTurns proves of the streams of cases that full turns do what the program does.
func TestFullTurns(t *testing.T) {
	for _, x := range pipeline.Some(t) {
		if len(x.Space.Space) != 2 {
			continue
		}
		for _, shape := range []stream.Shape{
			{Columns: 2, Steps: 2, Warps: 2, Period: 1},
			{Columns: 4, Steps: 2, Warps: 4, Period: 2},
			{Columns: 8, Steps: 4, Warps: 4, Period: 2},
			{Columns: 5, Steps: 3, Warps: 2, Period: 3},
		} {
			t.Run(fmt.Sprint(x.Name, shape), func(t *testing.T) {
				s, why := pipeline.Streaming(t, x.Name, x.Scop, shape)
				if why != "" {
					t.Log(why)
					return
				}
				proof := symbolic.ProveStreams(s.Program, s.Schedule)
				t.Logf("%v, %v", proof, proof.Took)
				require.True(t, proof.Holds, proof.Text(false))
			})
		}
	}
}

// TestFullTurnsWithoutReads proves it of a program that reads nothing, whose stores are checked all the same.
func TestFullTurnsWithoutReads(t *testing.T) {
	x := pipeline.Read(t, "ramp", `void f(int T, int n, int m, float u[restrict n][m])
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++)
        u[i][j] = 0.5f * t;
#pragma endscop
}
`)
	s, why := pipeline.Streaming(t, x.Name, x.Scop, stream.Shape{Columns: 2, Steps: 2, Warps: 2, Period: 1})
	require.Empty(t, why)
	proof := symbolic.ProveStreams(s.Program, s.Schedule)
	require.True(t, proof.Holds, proof.Text(false))
	require.Positive(t, proof.Tests)
}

// TestFullTurnMutants spoils pipelines in full turns: the proof finds each mistake.
func TestFullTurnMutants(t *testing.T) {
	for _, name := range []string{"jacobi-2d", "wave-2d", "fdtd-2d", "rician-2d", "laplacian-3d", "heat-3d", "flat-index-macro"} {
		shape, mutants := stream.Shape{Columns: 3, Steps: 2, Warps: 4, Period: 1}, pipeline.StreamMutants(1000)
		if name == "laplacian-3d" {
			shape, mutants = stream.Shape{Columns: 3, Steps: 2, Warps: 2, Period: 1, Lines: 3}, append(mutants, pipeline.VolumeMutants()...)
		} else if name == "heat-3d" {
			shape, mutants = stream.Shape{Columns: 1, Steps: 2, Warps: 2, Period: 1, Lines: 2, Across: 2}, slices.Concat(pipeline.VolumeMutants(), pipeline.AcrossMutants())
		}
		for k, m := range mutants {
			if !cases.Due(k, cases.Rounds) {
				continue
			}
			t.Run(name+" "+m.Name, func(t *testing.T) {
				text := cases.Input
				if name == "flat-index-macro" {
					text = func(t testing.TB, name string) string { return cases.ReadIdiom(t, name).Text }
				}
				x := pipeline.Read(t, name, text(t, name))
				s, why := pipeline.Streaming(t, x.Name, x.Scop, shape)
				require.Empty(t, why)
				if !m.Spoil(s.Program) {
					t.Log("nothing to spoil")
					return
				}
				proof := symbolic.ProveStreams(s.Program, s.Schedule)
				t.Log(proof.Violation, proof.Undecided)
				if !strings.HasPrefix(m.Name, "full turns") { // that instances are in their domains is another proof
					require.Equal(t, m.Full, !proof.Holds)
				}
			})
		}
	}
}

// TestFullTurnsOfVolumes is TestFullTurns in three dimensions.
func TestFullTurnsOfVolumes(t *testing.T) {
	for _, x := range pipeline.Some(t) {
		if len(x.Space.Space) != 3 {
			continue
		}
		for _, shape := range []stream.Shape{
			{Columns: 2, Steps: 2, Warps: 2, Period: 1, Lines: 2},
			{Columns: 4, Steps: 3, Warps: 2, Period: 1, Lines: 4},
			{Columns: 2, Steps: 1, Warps: 4, Period: 2, Lines: 3},
		} {
			t.Run(fmt.Sprint(x.Name, shape), func(t *testing.T) {
				s, why := pipeline.Streaming(t, x.Name, x.Scop, shape)
				if why != "" {
					t.Log(why)
					return
				}
				proof := symbolic.ProveStreams(s.Program, s.Schedule)
				t.Logf("%v, %v", proof, proof.Took)
				require.True(t, proof.Holds, proof.Text(false))
			})
		}
	}
}

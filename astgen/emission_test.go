package astgen_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/schedule"
)

// TestEmission proves of the loops of all cases, spelled out and rolled, that they are the schedule.
func TestEmission(t *testing.T) {
	for _, x := range pipeline.Some(t) {
		t.Run(x.Name, func(t *testing.T) {
			s := x.Schedule(t, pipeline.Warps.Of(x.Space, x.Cone))
			for _, generate := range []func(*schedule.Schedule) (*astgen.Program, error){astgen.Generate, astgen.Roll} {
				p, err := generate(s)
				require.NoError(t, err)
				proof := astgen.ProveEmission(s, p.Names, p.Read)
				t.Logf("%v, %v", proof, proof.Took)
				require.True(t, proof.Holds, proof.Text(false))
			}
		})
	}
}

// TestFullBesideBoundaries finds full tiles where an if cuts boundaries off a stencil: wherever all of the
// stencil's points are in a tile none of the boundaries' is, so that nothing more is asked of the tile.
func TestFullBesideBoundaries(t *testing.T) {
	x := pipeline.Read(t, "dirichlet", `void f(int n, int T, float A[restrict 2][n][n]) {
#pragma scop
	for (int t = 0; t < T; t++)
		for (int i = 0; i < n; i++)
			for (int j = 0; j < n; j++)
				if (i == 0 || i == n - 1 || j == 0 || j == n - 1)
					A[(t + 1) % 2][i][j] = 0;
				else
					A[(t + 1) % 2][i][j] = 0.25f * (A[t % 2][i - 1][j] + A[t % 2][i + 1][j] + A[t % 2][i][j - 1] + A[t % 2][i][j + 1]);
#pragma endscop
}
`)
	s := x.Schedule(t, pipeline.Narrow.Of(x.Space, x.Cone))
	p := pipeline.Loops(t, s)
	full := 0
	for phase := range s.Phases {
		some := !schedule.FullTiles(s, phase).IsEmpty()
		require.True(t, some)
		read, err := p.Read()
		require.NoError(t, err)
		for _, b := range read.Bodies {
			if b.Phase == phase && b.Full {
				full++
			}
		}
	}
	require.Equal(t, len(s.Phases), full)
	proof := astgen.ProveEmission(s, p.Names, p.Read)
	require.True(t, proof.Holds, proof.Text(false))
}

// TestUnreadableLoops: loops of a form that cannot be read back leave the proof undecided, which is not the same as failed.
func TestUnreadableLoops(t *testing.T) {
	x := pipeline.Case(t, "jacobi-1d")
	s := x.Schedule(t, pipeline.Narrow.Of(x.Space, x.Cone))
	p := pipeline.Loops(t, s)
	proof := astgen.ProveEmission(s, p.Names, p.Read, func() (astgen.Reading, error) {
		return astgen.Read(func() astgen.Reading {
			astgen.Unreadable("a loop that counts by %d", 2)
			return astgen.Reading{}
		})
	})
	require.False(t, proof.Holds)
	require.Empty(t, proof.Violation)
	require.Equal(t, "loops that cannot be read back: a loop that counts by 2", proof.Undecided)
	last := proof.Questions[len(proof.Questions)-1]
	require.Equal(t, "?", last.Answer(proof))
}

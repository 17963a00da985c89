package hexcc

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/emulate"
	"github.com/hexcc/hexcc/schedule"
)

// hardFor returns a hook that lets a pass give up on the first n sizes that it is asked for.
func hardFor(pass string, n int, asked *[]string) func(string, Strategy, schedule.Sizes) bool {
	return func(p string, s Strategy, sizes schedule.Sizes) bool {
		if p != pass || s != Hybrid {
			return false
		}
		*asked = append(*asked, sizes.String())
		return len(*asked) <= n
	}
}

// TestAnotherTile lets passes give up on the first sizes: the next ones are taken, in the order of
// the model, and what is emitted is of those, and right.
func TestAnotherTile(t *testing.T) {
	src := Source{Name: "jacobi-2d.c", Text: Example}
	for _, target := range []Target{CUDA, OpenMP} {
		plain, err := Compile(src, Options{Target: target, Kernel: Tiles, Strategy: Hybrid})
		require.NoError(t, err)
		for _, pass := range []string{"schedule", "proof", "ast"} {
			for n := 1; n < maxTries; n++ {
				var asked []string
				res, err := Compile(src, Options{Target: target, Kernel: Tiles, Strategy: Hybrid, hard: hardFor(pass, n, &asked)})
				require.NoError(t, err, "%s %s %d", target, pass, n)
				require.Len(t, asked, n+1)
				require.Equal(t, Hybrid, res.Strategy)
				require.Equal(t, res.Sizes.H, res.Schedule.Sizes.H)
				require.Equal(t, res.Sizes.W, res.Schedule.Sizes.W)
				require.NotEqual(t, plain.Sizes.String(), res.Sizes.String())
				require.GreaterOrEqual(t, len(res.Proofs), 3)
				for _, p := range res.Proofs {
					require.True(t, p.Holds)
				}
				require.Len(t, res.Warnings, 1)
				d := res.Warnings[0]
				require.Equal(t, diag.Code("HX212"), d.Code)
				require.Equal(t, diag.Remark, d.Severity)
				require.Contains(t, d.Notes[0].Msg, plain.Sizes.String()[:len("h=6,w0=20")])
				seen := map[string]bool{}
				for _, x := range asked {
					require.False(t, seen[x], "%s is tried again", x)
					seen[x] = true
				}
				if target == CUDA {
					require.NoError(t, res.Choice.Verify())
					require.Equal(t, plain.Choice.Best[n].Sizes.W, res.Sizes.W)
					require.Equal(t, res.Choice.Sizes().W, res.Sizes.W)
					v, err := emulate.Verify(emulate.Request{Program: res.GPU, Schedule: res.Schedule, Proofs: res.Proofs, Points: 20_000})
					require.NoError(t, err)
					require.True(t, v.OK(), v)
				}
			}
		}
	}
}

// TestBackToTiles lets passes give up on rows that stream: tiles lie in shared memory, as if that had been asked for.
func TestBackToTiles(t *testing.T) {
	src := Source{Name: "jacobi-2d.c", Text: Example}
	streams, err := Compile(src, Options{})
	require.NoError(t, err)
	require.NotNil(t, streams.Streams, "else there is nothing to give up")
	require.NotNil(t, streams.GPU.Pipeline())
	tiles, err := Compile(src, Options{Kernel: Tiles, Strategy: Hybrid})
	require.NoError(t, err)
	require.Nil(t, tiles.Streams)
	for _, pass := range []string{"schedule", "proof", "ast", "gpu", "kernels"} {
		var asked []string
		res, err := Compile(src, Options{hard: hardFor(pass, 1, &asked)})
		require.NoError(t, err, pass)
		require.Nil(t, res.Streams, pass)
		require.Equal(t, tiles.Files.Kernel, res.Files.Kernel, pass)
		require.Equal(t, tiles.Choice.String(), res.Choice.String(), pass)
		require.Len(t, res.Warnings, 1)
		require.Equal(t, diag.Code("HX212"), res.Warnings[0].Code)
		require.Contains(t, res.Warnings[0].Msg, "tiles lie in shared memory")
	}
}

// TestNoOtherTile lets all tiles of space and time be too hard: boxes of space or plain loops are taken, unless
// hexagons or sizes were asked for.
func TestNoOtherTile(t *testing.T) {
	src := Source{Name: "jacobi-2d.c", Text: Example}
	for _, target := range []Target{CUDA, OpenMP} {
		var asked []string
		res, err := Compile(src, Options{Target: target, Kernel: Tiles, Launch: Ready, hard: hardFor("proof", 1000, &asked)})
		require.NoError(t, err)
		require.Len(t, asked, maxTries)
		want, said := Space, "only space is tiled"
		if res.Outlook.Other() == res.Outlook.Untiled {
			want, said = Untiled, "nothing is tiled"
		}
		require.Equal(t, want, res.Strategy)
		require.Nil(t, res.Choice)
		require.Len(t, res.Warnings, 1)
		require.Equal(t, diag.Code("HX212"), res.Warnings[0].Code)
		require.Contains(t, res.Warnings[0].Msg, said)
		for _, x := range asked {
			require.Contains(t, res.Warnings[0].Notes[0].Msg, x)
		}

		asked = nil
		_, err = Compile(src, Options{Target: target, Kernel: Tiles, Strategy: Hybrid, hard: hardFor("proof", 1000, &asked)})
		require.ErrorContains(t, err, "[HX402]")
		require.Len(t, asked, maxTries)
		var list diag.List
		require.ErrorAs(t, err, &list)
		require.Contains(t, list[0].Notes[0].Msg, asked[0])
		require.Contains(t, list[0].Notes[0].Msg, asked[maxTries-2])

		asked = nil
		res, err = Compile(src, Options{Target: target, Kernel: Tiles, Strategy: Hybrid, Fallback: Space, hard: hardFor("proof", 1000, &asked)})
		require.NoError(t, err)
		require.Equal(t, Space, res.Strategy)

		asked = nil
		_, err = Compile(src, Options{Target: target, Tile: &schedule.Sizes{H: 2, W: []int64{3, 32}}, hard: hardFor("proof", 1000, &asked)})
		require.ErrorContains(t, err, "[HX402]")
		require.Len(t, asked, 1)
	}
	// Where boxes of space are too hard, too, it is an error, and no remark says that they are taken.
	res, err := Compile(src, Options{hard: func(pass string, _ Strategy, _ schedule.Sizes) bool { return pass == "proof" }})
	require.ErrorContains(t, err, "[HX402]")
	require.Empty(t, res.Warnings)
	_, err = Compile(src, Options{Strategy: Space, hard: func(pass string, _ Strategy, _ schedule.Sizes) bool { return pass == "proof" }})
	require.ErrorContains(t, err, "[HX402]")
}

// TestFewerSteps lets the proof give up on boxes that overlap: those of half as many time steps are taken, or of a half of these, as long as these are expected to be the best, and say so.
func TestFewerSteps(t *testing.T) {
	src := Source{Name: "jacobi-2d.c", Text: Example}
	grid := Options{Kernel: Tiles, Grid: map[string]int64{"n": 1024}, Arch: "sm_90"}
	before, err := Compile(src, grid)
	require.NoError(t, err)
	require.Equal(t, Overlapped, before.Strategy)
	require.Greater(t, before.Sizes.H, int64(2))
	var asked []int64
	grid.hard = func(p string, s Strategy, sizes schedule.Sizes) bool {
		if p != "proof" || s != Overlapped {
			return false
		}
		asked = append(asked, sizes.H)
		return len(asked) < 2
	}
	res, err := Compile(src, grid)
	require.NoError(t, err)
	require.Equal(t, Overlapped, res.Strategy)
	require.Equal(t, []int64{before.Sizes.H, res.Sizes.H}, asked)
	require.LessOrEqual(t, res.Sizes.H, before.Sizes.H/2)
	require.Equal(t, res.Sizes.H, res.Schedule.Sizes.H)
	require.Equal(t, diag.Code("HX212"), res.Warnings[len(res.Warnings)-1].Code)
	require.Contains(t, res.Warnings[len(res.Warnings)-1].Notes[0].Msg, before.Sizes.String())
	v, err := emulate.Verify(emulate.Request{Program: res.GPU, Schedule: res.Schedule, Proofs: res.Proofs, Points: 20_000})
	require.NoError(t, err)
	require.True(t, v.OK(), v)

	grid.hard = alwaysHard(Overlapped)
	res, err = Compile(src, grid)
	require.NoError(t, err)
	require.NotEqual(t, Overlapped, res.Strategy, "all of them are too hard")
}

// alwaysHard returns a hook that lets the proof give up on all tiles of a strategy.
func alwaysHard(strategy Strategy) func(string, Strategy, schedule.Sizes) bool {
	return func(p string, s Strategy, _ schedule.Sizes) bool { return p == "proof" && s == strategy }
}

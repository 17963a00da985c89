package hexcc_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/tune"
)

// TestParseWay reads what ways say of themselves, and refuses the rest.
func TestParseWay(t *testing.T) {
	for _, text := range []string{
		"--strategy=hybrid --tile=h=3,w0=5,w1=64 --launch=ready", "--strategy=space --tile=w0=16,w1=512", "--strategy=overlapped --tile=h=1,w0=8,w1=64 --fuse=[S0,S1],[S2]",
		"--strategy=hybrid --kernel=streaming", "--strategy=hybrid --tile=h=3,w0=5 --launch=phases --kernel=tiles --memory=static --unroll=2", "--strategy=untiled --tile=w0=1,w1=32",
	} {
		w, err := hexcc.ParseWay(text)
		require.NoError(t, err, text)
		require.Equal(t, text, w.Flags())
		_, err = w.With(hexcc.Options{})
		require.NoError(t, err)
	}
	for _, text := range []string{
		"", "--tile=h=3,w0=5", "--strategy=magic", "--strategy=auto", "strategy=hybrid", "--strategy=hybrid --strategy=space", "--strategy=hybrid --tile=3,5", "--strategy=space --tile=h=1,w0=7",
		"--strategy=hybrid --launch=soon", "--strategy=hybrid --kernel=x", "--strategy=hybrid --memory=x", "--strategy=hybrid --unroll=0", "--strategy=hybrid --unroll=x", "--strategy=hybrid --arch=sm_90", "--strategy",
	} {
		_, err := hexcc.ParseWay(text)
		require.Error(t, err, text)
	}
}

// TestTuned checks what is taken of a file of results: for this region, target and device, at the nearest sizes; a pragma goes before it.
func TestTuned(t *testing.T) {
	compile := func(text string, tuned *hexcc.Tuned, grid map[string]int64) (*hexcc.Result, error) {
		return hexcc.Compile(hexcc.Source{Name: "heat.c", Text: []byte(text)}, hexcc.Options{Target: hexcc.OpenMP, Grid: grid, Tuned: tuned, Stop: "schedule"})
	}
	plain, err := compile(heat, nil, nil)
	require.NoError(t, err)
	id := hexcc.ProgramID(plain.Scop)
	var c tune.Choices
	for n, flags := range map[int64]string{100: "--strategy=space --tile=w0=7,w1=70", 3000: "--strategy=hybrid --tile=h=3,w0=11,w1=128 --launch=phases"} {
		c = c.With(tune.Choice{Program: id, Target: "openmp", Device: "here", Sizes: map[string]int64{"n": n, "T": 10}, Flags: flags})
	}
	c = c.With(tune.Choice{Program: "broken", Target: "openmp", Device: "here", Flags: "x"})
	tuned := &hexcc.Tuned{Name: "t.json", Choices: c, Device: "here"}
	for n, want := range map[int64]string{50: "w0=7,w1=70", 5000: "h=3,w0=11,w1=128"} {
		res, err := compile(heat, tuned, map[string]int64{"n": n})
		require.NoError(t, err)
		require.Equal(t, want, res.Sizes.String())
		require.Len(t, res.Warnings, 1)
		require.Equal(t, diag.Code("HX220"), res.Warnings[0].Code)
		require.Contains(t, res.Warnings[0].Msg, "measured on here")
		require.Contains(t, res.Warnings[0].Msg, "nearest")
	}
	elsewhere := &hexcc.Tuned{Name: "t.json", Choices: c, Device: "there"}
	res, err := compile(heat, elsewhere, nil)
	require.NoError(t, err)
	require.Equal(t, plain.Sizes.String(), res.Sizes.String(), "the model chooses")
	require.Contains(t, res.Warnings[0].Msg, "the model chooses: t.json has no results for there")

	ways, err := hexcc.Candidates(hexcc.Source{Name: "heat.c", Text: []byte(heat)}, hexcc.Options{Target: hexcc.OpenMP})
	require.NoError(t, err)
	require.Equal(t, id, hexcc.ProgramID(ways.Scop))
	for _, choices := range []tune.Choices{{}, {Choices: []tune.Choice{{Program: id, Target: "openmp", Device: "here", Flags: "--strategy=magic"}}}, {Choices: []tune.Choice{{Program: id, Target: "c", Device: "here"}}}} {
		_, err = compile(heat, &hexcc.Tuned{Name: "t.json", Choices: choices, Device: "here"}, nil)
		var list diag.List
		require.True(t, errors.As(err, &list))
		require.Equal(t, diag.Code("HX018"), list[0].Code)
	}
}

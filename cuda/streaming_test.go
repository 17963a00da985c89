package cuda_test

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/cuda"
	"github.com/hexcc/hexcc/gpu/stream"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/internal/tool"
)

// This file runs and compiles kernels whose rows stream through the registers of a pipeline of warps.

// streaming returns options for such kernels, of that shape.
func streaming(columns, steps, warps, period int) hexcc.Options {
	return hexcc.Options{
		NoAlias: true, Strategy: hexcc.Hybrid, Kernel: hexcc.Streaming,
		Pipeline: &stream.Shape{Columns: columns, Steps: steps, Warps: warps, Period: period},
	}
}

// TestStreamingRunsOnCPU runs cases whose rows stream, in pipelines of several shapes: at sizes of which most tiles are partial, and at one that has full turns.
func TestStreamingRunsOnCPU(t *testing.T) {
	cases.EachPipeline(t, func(t *testing.T, base string, s [4]int) {
		t.Parallel()
		tr := compiled(t, base, cases.Input(t, base), streaming(s[0], s[1], s[2], s[3]))
		compareOnCPU(t, tr, 6)
		require.Empty(t, streamed(t, tr, tr.files.Kernel))
	})
}

// TestStepsStreamOnCPU runs programs with several statements in a step, at small sizes and at one that has full turns.
func TestStepsStreamOnCPU(t *testing.T) {
	for i, x := range cases.Streams {
		t.Run(x.Name, func(t *testing.T) {
			t.Parallel()
			tr := compiled(t, fmt.Sprint("steps", i), x.Text, streaming(2, 2, 2, 1))
			compareOnCPU(t, tr, 6)
			require.Empty(t, streamed(t, tr, tr.files.Kernel))
		})
	}
}

// flatIdioms are idioms whose arrays have one subscript in the source, or whose borders are parts of their nest, with sizes and steps at which there are full turns.
var flatIdioms = map[string][]string{"flat-index-macro": {"9", "211"}, "plain-pointers": {"9", "131"}, "clamped": nil, "flat-rows-tested": nil, "base-offsets": nil}

// TestFlatArraysStreamOnCPU builds programs whose rows stream, and lie in blocks without a last element of the last row, before and after they are translated: they
// print the same, whatever surrounds the region. What is not copied is not a number on the device.
func TestFlatArraysStreamOnCPU(t *testing.T) {
	for base, large := range flatIdioms {
		t.Run(base, func(t *testing.T) {
			t.Parallel()
			x := cases.ReadIdiom(t, base)
			o := streaming(2, 2, 2, 1)
			o.NoAlias = false
			tr := compiled(t, base, x.Text, o)
			dir := tr.write(t)
			ours := tool.Build(t, "gcc", filepath.Join(dir, "ours"), "-Wno-unknown-pragmas", "-I", dir,
				"-O1", "-x", "c", filepath.Join(dir, cuda.HostFile(tr.names.Base)), "-x", "none", tr.buildOnCPU(t, dir), "-lstdc++")
			plain := tool.Build(t, "gcc", filepath.Join(dir, "plain"), "-Wno-unknown-pragmas", "-O0", x.Path)
			for _, args := range append(x.Runs, large) {
				tool.SameOutput(t, plain, ours, args...)
			}
		})
	}
	t.Run("last element", func(t *testing.T) { // that it is copied matters
		t.Parallel()
		tr := compiled(t, "flat-index-macro", cases.ReadIdiom(t, "flat-index-macro").Text, streaming(2, 2, 2, 1))
		require.Empty(t, streamed(t, tr, tr.files.Kernel))
		bad := regexp.MustCompile(` \+ 1\); // up to the last element used`).ReplaceAllString(tr.files.Kernel, ");")
		require.NotEqual(t, tr.files.Kernel, bad)
		require.NotEmpty(t, streamed(t, tr, bad))
	})
}

// volumes are pipelines in which cases of three dimensions run: columns, steps, warps, period, lines, and warps across.
var volumes = map[string][6]int{
	"gradient-3d": {1, 2, 2, 1, 3, 2}, "laplacian-3d": {1, 2, 2, 1, 2, 1}, "heat-3d": {1, 1, 2, 1, 3, 4}, "poisson-3d": {3, 1, 4, 2, 2, 1}, "fdtd-3d": {1, 2, 2, 1, 2, 1},
}

// TestVolumesOfStepsRunOnCPU is TestStepsStreamOnCPU in three dimensions: one program, as emulate and ptx run all, unless HEXCC_TESTS=all.
func TestVolumesOfStepsRunOnCPU(t *testing.T) {
	for i, x := range cases.StreamsOfVolumes {
		if i > 0 && !cases.Every() {
			continue
		}
		t.Run(x.Name, func(t *testing.T) {
			t.Parallel()
			o := streaming(1, 2, 2, 1)
			o.Pipeline.Lines, o.Pipeline.Across = 2, 1+i%2
			tr := compiled(t, fmt.Sprint("volume", i), x.Text, o)
			compareOnCPU(t, tr, 3)
			require.Empty(t, runText(t, tr, trialAt(t, tr, []int64{7, 13, 23, 71}), tr.files.Kernel, 1))
		})
	}
}

// TestVolumesRunOnCPU runs cases of three dimensions whose lines stream: at sizes of which most tiles are partial, and at one that has full turns. It takes a minute each.
func TestVolumesRunOnCPU(t *testing.T) {
	for base, s := range volumes {
		if base != "gradient-3d" && !cases.Every() {
			continue
		}
		t.Run(base, func(t *testing.T) {
			t.Parallel()
			o := streaming(s[0], s[1], s[2], s[3])
			o.Pipeline.Lines, o.Pipeline.Across = s[4], s[5]
			tr := compiled(t, base, cases.Input(t, base), o)
			compareOnCPU(t, tr, 3)
			trial := trialOf(t, tr, 67, 7)
			if names := tr.scop.ParamNames(); slices.Equal(names, []string{"T", "n", "m", "l"}) {
				trial = trialAt(t, tr, []int64{7, 13, 23, 71})
			}
			require.Empty(t, runText(t, tr, trial, tr.files.Kernel, 1))
		})
	}
}

// TestVolumesHaveRoom prints the kernels of the first shape that is said to fit, of programs that differ in how many statements compute an element: the clamped one has 27, so that what its turns
// test takes as much of shared memory as its rows. All have room. The clamped ones, which take half a minute, are tried with HEXCC_TESTS=all.
func TestVolumesHaveRoom(t *testing.T) {
	all := []cases.Case{{Name: "laplacian-3d", Text: cases.Input(t, "laplacian-3d")}, cases.StreamsOfVolumes[0]}
	if cases.Every() {
		all = append(all, cases.ClampedVolume("float"), cases.ClampedVolume("double"))
	}
	for _, x := range all {
		t.Run(x.Name, func(t *testing.T) {
			t.Parallel()
			p := pipeline.Read(t, x.Name, x.Text)
			space, d := pipeline.StrideOneFirst(t, x.Name, p.Scop), pipeline.Device(t, "sm_90")
			for _, shape := range stream.ShapesFor(space.Space, true) {
				f := stream.Try(space.Space, space.Cone, d, shape)
				if f.Why != "" {
					t.Log(shape, f.Why)
					continue
				}
				s, why := pipeline.Streaming(t, x.Name, p.Scop, shape)
				require.Empty(t, why)
				printed := cuda.PrintPart(cuda.Part{Program: s.Program, Names: cuda.Names{Base: "k"}}).SharedBytes()
				t.Log(shape, f.Shared, f.Guards, printed)
				require.LessOrEqual(t, printed, d.SharedBytes)
				return
			}
			t.Fatal("no shape fits")
		})
	}
}

// TestStreamingMutants spoils parts of pipelines, of full turns and of others, and how chains wait: results are then wrong. In CI
// every third is tried, with HEXCC_TESTS=all each.
func TestStreamingMutants(t *testing.T) {
	base := "jacobi-2d"
	small := compiled(t, base, cases.Input(t, base), streaming(2, 2, 2, 2))
	gathers := compiled(t, base, cases.Input(t, base), streaming(3, 2, 4, 1)) // columns of the last row of a warp leave through shared memory
	odd := compiled(t, base, cases.Input(t, base), streaming(2, 2, 3, 1))     // of the first time tile, a warp runs one of its steps and loads rows before it
	for _, tr := range []translation{small, gathers, odd} {
		require.Empty(t, streamed(t, tr, tr.files.Kernel))
	}
	for i, spoil := range [][2]string{
		{`hexcc_look_out\(order, beat, false\);`, "(void)order;"},
		{`HEXCC_PLACE\(beat \+ post.lag\)`, "HEXCC_PLACE(beat)"},
		{`hexcc_pass\(\);`, "hexcc_meet();"},
		{`(?s)(static inline int hexcc_exchange|__shfl_up_sync\(~0u, row\[MOST \+ K - i\], )1`, "${1}2"},
		{`if \(lane == 0\)`, "if (lane == 1)"},
		{`take != 0`, "take == 77"},
		{`hexcc_load<2>\(`, "if (lane == 3) hexcc_load<2>("},
		{`hexcc_hold<2>\(`, "if (lane == 77) hexcc_hold<2>("},
		{`some(\d) = .*;`, "some$1 = false;"},
		{`margin_at \+= \(long\)n;`, ""},
		{`\(int\)\(beside(\d) >> 16\)`, "(int)(1 - (beside$1 >> 16))"},
		{`during0 >> \(i_\)`, "during0 >> (i_ + 5)"},
		{`rounds\[0\] = `, "rounds[0] = 2 & "},
		{`\(when0 & 0x40u\) == 0 \? `, "lane == 77 ? "},
		{`hexcc_store<2>\(`, "if (mask == 77) hexcc_store<2>("},
		{`hexcc_fetch\(\(float \*\)`, "if (thread % 7 != 3) hexcc_fetch((float *)"},
		{`__syncwarp\(\);`, ""},
		{`full \? lane < \d+`, "full ? lane < 3"},
		// columns that enter, by halves of a warp
		{`\(lane < 16 \? 0 : 2\)`, "(lane < 16 ? 2 : 0)"},
		{`<true, false, false>\(w, w.row0, w.row2`, "<true, false, false>(w, w.row2, w.row0"},
		// warps that run no step
		{`hexcc_bring<2, (\d)>\(`, "if (lane == 5) hexcc_bring<2, $1>("},
		{`inactive = ([^;]*);`, "inactive = warp == 0 || ($1);"},
		// steady turns
		{`<false, true, false>\(w, w.row0, w.row2`, "<false, true, false>(w, w.row2, w.row0"},
		{`copied \|= 0x1u`, "copied |= 0u"},
		{`range\[1\] = range\[1\] < pair\[1\] \? range\[1\] : pair\[1\];`, ""},
		{`hexcc_together\(.*\);`, ""},
		{`\? same\[0\] - 1 : `, "? same[1] : "},
		{`same\[1\] - 5;`, "same[1];"},
		// steady turns whose rows are stored for good
		{`\(final \|\| !steady\)`, "!steady"},
		{`pair\[2\] = .*;`, "pair[2] = 0;"},
		{`<false, true, true>\(w, w.row0, w.row2`, "<false, true, true>(w, w.row2, w.row0"},
		// code of one beat for all of a turn: where rows move to, and which slots they take
		{`hexcc_move\(w.row1, w.row2\);`, ""},
		{`\(i_ \+ 4\) % 6`, "(i_ + 5) % 6"},
		// tables
		{`x \+= table\[i \* ENTRIES\]`, "x += table[i * ENTRIES] + (i == 2)"},
		{`holds && x >= 0`, "holds || x >= 0"},
		{`last < x \? last : x`, "last"},
		{`table \+= \(COLUMNS \+ 1\)`, "table += COLUMNS"},
		{`known\[\] = \{1, `, "known[] = {2, "},
	} {
		if cases.InTurns() && i%3 != 0 {
			continue // emulate has such mutants, too
		}
		t.Run(spoil[0], func(t *testing.T) {
			t.Parallel()
			tr := small
			switch {
			case strings.Contains(spoil[0], "syncwarp"):
				tr = gathers
			case strings.Contains(spoil[1], "same[1] : "):
				tr = odd
			}
			bad := regexp.MustCompile(spoil[0]).ReplaceAllString(tr.files.Kernel, spoil[1])
			require.NotEqual(t, tr.files.Kernel, bad)
			require.NotEmpty(t, streamed(t, tr, bad))
		})
	}
}

// TestSteadyLoops runs pipelines whose steady turns are a loop, over half a turn and over one beat, and spoils which slots and rows that takes.
func TestSteadyLoops(t *testing.T) {
	for _, x := range []struct {
		base   string
		shape  [5]int // columns, steps, warps, period, and beats of code
		loop   string
		spoils [][2]string // in the steady turns
	}{
		{"heat-2d", [5]int{8, 3, 2, 2, 3}, "for (int i_ = 0; i_ < 6; i_ += 3)", [][2]string{{`\b4 - i_`, "4"}, {`% 2 == 1`, "% 2 == 0"}}},
		{"gradient-2d", [5]int{8, 2, 2, 2, 1}, "for (int i_ = 0; i_ < 6; i_ += 1)", [][2]string{{`hexcc_move\(w.row1, w.row2\);`, ""}, {`\(i_ \+ 4\) % 6`, "(i_ + 3) % 6"}}},
	} {
		t.Run(x.base, func(t *testing.T) {
			t.Parallel()
			s := x.shape
			o := streaming(s[0], s[1], s[2], s[3])
			o.Pipeline.Code = s[4]
			tr := compiled(t, x.base, cases.Input(t, x.base), o)
			steady := regexp.MustCompile(`(?s)  \} else if \(steady\) \{.*?\n  \} else \{`)
			require.Contains(t, steady.FindString(tr.files.Kernel), x.loop)
			trial := trialOf(t, tr, 431, 13)
			require.Empty(t, runText(t, tr, trial, tr.files.Kernel, 1))
			for _, spoil := range x.spoils {
				bad := steady.ReplaceAllStringFunc(tr.files.Kernel, func(turn string) string { return regexp.MustCompile(spoil[0]).ReplaceAllString(turn, spoil[1]) })
				require.NotEqual(t, tr.files.Kernel, bad)
				require.NotEmpty(t, runText(t, tr, trial, bad, 1), spoil[0])
			}
		})
	}
}

// TestSharedCopyMutants spoils parts of the copies that warps share, in three dimensions. In CI every third is tried.
func TestSharedCopyMutants(t *testing.T) {
	o := streaming(1, 2, 2, 1)
	o.Pipeline.Lines, o.Pipeline.Across = 3, 2
	tr := compiled(t, "gradient-3d", cases.Input(t, "gradient-3d"), o)
	at := trialAt(t, tr, []int64{9, 25, 31, 131}) // some turns are full
	for i, spoil := range [][2]string{
		{`full \? (\w+)\.whole0`, "full ? ~$1.whole0"},
		{`\.slot(\d+) \+ turned`, ".slot$1 + turned + 1"},
		{`pair\[0\] <= beat && beat <= pair\[1\] \? bits : 0`, "pair[0] <= beat || beat <= pair[1] ? bits : 0"},
		{`hexcc_within\(([^,]*), beat`, "hexcc_within($1, beat + 1"},
		{`\.at0 \+= `, ".at0 += 1 + "},
		{`\.place1\[0\] = |\.place1 = `, "${0}1 + "},
		{`(\*rounds = .*)0x1u`, "${1}0x0u"},
		{`\(warp \+ 1\)`, "(warp)"},
		// steady turns
		{`const unsigned shares0 = `, "const unsigned shares0 = 2 & "},
		{`shares0 \|= rounds << 0;`, "shares0 |= 0 * rounds;"},
		{`(?s)(hexcc_edges\(.*?)0u - \(bits >> i & 1\)`, "${1}0u - (bits >> i & 2)"},
		{`word\[w\] = \(held.*;`, "word[w] = edges[i] == 7 ? held[w] : word[w];"},
		{`hexcc_pass\(\);`, "hexcc_meet();"},
		// lines beside the domain
		{`kept\[1\] = \(long\)&`, "kept[1] = 4 + (long)&"},
		{`lines \|= 0x1u`, "lines |= 0u"},
		{`if \(!full && !\(.*\)\)`, "if (!full && false)"},
		{`bits & 1u << i, to`, "bits & 2u << i, to"},
	} {
		if cases.InTurns() && i%3 != 0 {
			continue
		}
		t.Run(spoil[0], func(t *testing.T) {
			t.Parallel()
			bad := regexp.MustCompile(spoil[0]).ReplaceAllString(tr.files.Kernel, spoil[1])
			require.NotEqual(t, tr.files.Kernel, bad)
			require.NotEmpty(t, runText(t, tr, at, bad, 1))
		})
	}
}

// streamed runs a kernel file on arrays that have tiles with full turns, several times, and says what is wrong with its results.
func streamed(t *testing.T, tr translation, text string) (wrong string) {
	return runText(t, tr, trialOf(t, tr, 201, 13), text, 3)
}

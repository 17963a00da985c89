package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/internal/sass"
	"github.com/hexcc/hexcc/internal/tool"
	"github.com/hexcc/hexcc/machine"
)

const kernelText = `__global__ void __launch_bounds__(64, 8)
hexcc_k(float *A, int T, int n, int T_, int S0_lo)
{
  if (full_S0 && S1 >= 1) { // full tile
    if (S1 >= 2) { // after a full tile
      move(); // line 6
    } else {
      first(); // line 8
    }
    if (tx >= 30 && tx < 40) {
      edge(); // line 11
    }
    {
      for (int c0 = 3 + tx; c0 <= min(64, 100);
          c0 += 32) {
        copy(); // line 16
      }
    }
    if (32*S1 >= n - 63) { // before a tile that is not full
      last(); // line 20
    }
    plain(); // line 22
  } else {
    partial(); // line 24
  }
}
`

// TestTrace: what a full tile runs after another, by warps.
func TestTrace(t *testing.T) {
	b, err := bodyOf(kernelText, "hexcc_k")
	require.NoError(t, err)
	require.Equal(t, []int{5, 22}, []int{b.first, b.last})
	var code []sass.Instruction
	for _, line := range []int{2, 6, 8, 11, 16, 20, 22, 24} {
		code = append(code, sass.Instruction{Line: line, Op: "STS"})
	}
	code = append(code, sass.Instruction{Line: 11, Op: "STS", Guard: "@P1"}, sass.Instruction{Line: 8, Op: "STS", Guard: "@P1"})
	warps, err := b.trace(code, [3]int{96, 1, 1})
	require.NoError(t, err)
	var got []string
	for _, w := range warps {
		text := ""
		for _, s := range w {
			text += fmt.Sprintf("%d:%d ", s.Line, s.lanes)
		}
		got = append(got, text)
	}
	require.Equal(t, []string{
		"6:32 11:2 16:31 16:31 22:32 11:2 ", // 3 + 0 + 32 .. 3 + 29 + 32 run it twice, all once
		"6:32 11:8 16:30 22:32 11:8 ",
		"6:32 22:32 11:0 ", // the predicate is false there
	}, got)
	_, err = bodyOf(kernelText, "hexcc_other")
	require.ErrorContains(t, err, "has no full tile")
	_, err = bodyOf(strings.Replace(kernelText, "if (tx >= 30 && tx < 40) {", "for (int i = tx; i != 3; i--) {", 1), "hexcc_k")
	require.ErrorContains(t, err, "is not read")
	b, err = bodyOf(strings.Replace(kernelText, "tx >= 30", "f(tx)", 1), "hexcc_k")
	require.NoError(t, err)
	_, err = b.trace(code, [3]int{96, 1, 1})
	require.ErrorContains(t, err, "line 11: a condition of a full tile is not read")
}

// steps returns n times an operation with its control fields.
func steps(n int, in sass.Instruction) []step {
	all := make([]step, n)
	for i := range all {
		all[i] = step{&in, 32}
	}
	return all
}

// TestReplay: clocks of what can be counted by hand, on sm_90: four schedulers, an addition a clock each.
func TestReplay(t *testing.T) {
	d, ok := machine.LookupDevice("sm_90")
	require.True(t, ok)
	add := sass.Instruction{Op: "FADD", Stall: 1, Write: sass.NoScoreboard, Read: sass.NoScoreboard}
	about := func(want float64, trace [][]step, blocks int, bytes int64) {
		t.Helper()
		require.InEpsilon(t, want, replay(trace, residents{blocks, bytes, 0, 0}, d), 0.02)
	}
	one := steps(1000, add)
	about(2000, [][]step{one}, 1, 0)                // a lone warp issues at every second clock
	about(2000, [][]step{one, one, one, one}, 1, 0) // each has a scheduler of its own
	about(2000, [][]step{one, one, one, one}, 2, 0) // two warps fill one
	about(4000, [][]step{one, one, one, one}, 4, 0) // four do not go faster
	add.Stall = 5                                   // as dependent ones do
	about(5000, [][]step{steps(1000, add)}, 1, 0)   //
	special := sass.Instruction{Op: "MUFU.RSQ", Stall: 1, Write: sass.NoScoreboard, Read: sass.NoScoreboard}
	about(8000, [][]step{steps(1000, special)}, 1, 0) // four lanes
	load := sass.Instruction{Op: "LDS", Stall: 1, Write: sass.NoScoreboard, Read: sass.NoScoreboard}
	about(4000, [][]step{steps(1000, load)}, 1, 0) // of one warp, four clocks apart
	eight := make([][]step, 8)
	for i := range eight {
		eight[i] = steps(1000, load)
	}
	about(8000, eight, 1, 0) // one unit for all
	load.Op = "LDS.64"
	for i := range eight {
		eight[i] = steps(1000, load)
	}
	about(16000, eight, 1, 0)
	wait := sass.Instruction{Op: "LDS", Stall: 2, Write: 3, Read: sass.NoScoreboard, Wait: 1 << 3}
	about(1000*sharedLatency, [][]step{steps(1000, wait)}, 1, 0) // each waits for the one before
	global := sass.Instruction{Op: "LDG.E", Stall: 1, Write: sass.NoScoreboard, Read: sass.NoScoreboard}
	share := float64(d.GBs) * 1e9 / d.Hertz() / float64(d.SMs)
	wait = sass.Instruction{Op: "FADD", Stall: 1, Write: sass.NoScoreboard, Read: sass.NoScoreboard, Wait: 1}
	global.Write = 0
	bytes := int64(1 << 20)
	about(float64(bytes)/share, [][]step{append(steps(1000, global), step{&wait, 32})}, 1, bytes) // bandwidth
	bar := sass.Instruction{Op: "BAR.SYNC", Stall: 1, Write: sass.NoScoreboard, Read: sass.NoScoreboard}
	about(1000*barrierLatency, [][]step{steps(1000, bar), steps(1000, bar)}, 1, 0)
	fetch := sass.Instruction{Op: "LDGSTS.E", Stall: 2, Write: sass.NoScoreboard, Read: sass.NoScoreboard}
	group := sass.Instruction{Op: "LDGDEPBAR", Stall: 2, Write: sass.NoScoreboard, Read: sass.NoScoreboard}
	var all, but []step
	for range 100 { // copies that are waited for, or the ones before them
		arrive := sass.Instruction{Op: "DEPBAR.LE", Args: "SB0, 0x0", Stall: 2, Write: sass.NoScoreboard, Read: sass.NoScoreboard}
		before := arrive
		before.Args = "SB0, 0x1"
		all = append(all, step{&fetch, 32}, step{&group, 32}, step{&arrive, 32})
		but = append(but, step{&fetch, 32}, step{&group, 32}, step{&before, 32})
	}
	about(100*memoryLatency, [][]step{all}, 1, 0)
	about(50*memoryLatency, [][]step{but}, 1, 0)
}

// TestSpearman: orders that are the same, reversed, random.
func TestSpearman(t *testing.T) {
	all := make([]outcome, 1000)
	for i := range all {
		all[i] = outcome{expected: float64(i), rate: float64(i * i)}
	}
	require.InDelta(t, 1, spearman(all), 1e-9)
	for i := range all {
		all[i].rate = -all[i].rate
	}
	require.InDelta(t, -1, spearman(all), 1e-9)
	r := rand.New(rand.NewPCG(3, 4))
	for i := range all {
		all[i].rate = r.Float64()
	}
	require.InDelta(t, 0, spearman(all), 0.1)
}

// compilerFor returns NVIDIA's compiler; without one it skips the test.
func compilerFor(t *testing.T, arch string) sass.Compiler {
	tool.Disassembler(t)
	compiler, err := sass.NewCompiler(arch, "")
	require.NoError(t, err)
	return compiler
}

// TestCase replays the chosen sizes of a case and one other.
func TestCase(t *testing.T) {
	compiler := compilerFor(t, "sm_80")
	d, _ := machine.LookupDevice("sm_80")
	text, err := os.ReadFile("../../testdata/jacobi-2d.txtar")
	require.NoError(t, err)
	_, rest, _ := strings.Cut(string(text), "-- input.c --\n")
	program, _, _ := strings.Cut(rest, "\n-- ")
	k := kernelCase{name: "jacobi-2d", arch: "sm_80", text: []byte(program + "\n"), device: d, compiler: compiler}
	o, err := k.compile(hexcc.AnyLaunch, nil)
	require.NoError(t, err)
	require.Empty(t, o.why)
	require.Greater(t, o.clocks, o.tile/3)
	require.Less(t, o.clocks, o.tile*3)
	near, err := k.others(o, 5, "h=2,w0=3,w1=32")
	require.NoError(t, err)
	require.Len(t, near, 5)
	other, err := k.compile(o.launch, &near[0])
	require.NoError(t, err)
	require.Empty(t, other.why)
	require.Less(t, other.rate, o.rate)
}

// TestParts: each clock that a warp spends is in one part.
func TestParts(t *testing.T) {
	d, ok := machine.LookupDevice("sm_90")
	require.True(t, ok)
	add := sass.Instruction{Line: 3, Op: "FADD", Stall: 1, Write: sass.NoScoreboard, Read: sass.NoScoreboard}
	load := sass.Instruction{Line: 5, Op: "LDS", Stall: 1, Write: sass.NoScoreboard, Read: sass.NoScoreboard}
	bar := sass.Instruction{Line: 6, Op: "BAR.SYNC", Stall: 1, Write: sass.NoScoreboard, Read: sass.NoScoreboard}
	trace := [][]step{append(append(steps(100, add), steps(10, load)...), step{&bar, 32}), append(steps(300, add), step{&bar, 32})}
	clocks, byLine := replayByLine(trace, residents{blocks: 1}, d)
	b := body{first: 1, last: 6}
	all := b.parts("\n\n// step 0: S0\n// copy in A\nload\nbarrier\n", byLine, trace, 1)
	sum := 0.0
	var names []string
	for _, p := range all {
		sum += p.clocks
		names = append(names, p.name)
	}
	require.InEpsilon(t, clocks, sum, 0.02)
	require.Equal(t, []string{"step 0: S0", "copy in A", "waiting for other warps"}, names)
	require.Equal(t, []float64{200, 6}, []float64{all[0].issued, all[1].issued})
	require.Equal(t, 10.0, all[1].unit)
	require.InEpsilon(t, (600-240)/2, all[2].clocks, 0.2) // the first waits for the second
}

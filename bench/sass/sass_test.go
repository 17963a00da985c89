package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/internal/nvcc"
	"github.com/hexcc/hexcc/machine"
)

const listing = `
	.section	.text._Z24hexcc_jacobi_2d_0_phase0Pfiiii,"ax",@progbits
	//## File "kernel.cu", line 7
        /*0000*/                   LDC R1, c[0x0][0x28] ;                                  /* 0x00000a00ff017b82 */
                                                                                           /* 0x000fe20000000800 */
	//## File "kernel.cu", line 26 inlined at "kernel.cu", line 9
	//## File "kernel.cu", line 9
        /*00f0*/              @!P0 STS.64 [R3+0x10], R4 ;                                  /* 0x000000000000894d */
                                                                                           /* 0x0001e20000000800 */
	.section	.text._Z29hexcc_jacobi_2d_0_phase0_longPfllll,"ax",@progbits
        /*0000*/                   EXIT ;                                                  /* 0x000000000000794d */
                                                                                           /* 0x000fea0003800000 */
`

// TestParse reads instructions, their lines and what they wait for. The first stalls for 1 clock and sets no scoreboard; the second
// releases scoreboard 0 when its operands are read.
func TestParse(t *testing.T) {
	all, err := parse(listing, "hexcc_jacobi_2d_0_phase0")
	require.NoError(t, err)
	require.Equal(t, []instruction{
		{line: 7, lines: []int{7}, op: "LDC", args: "R1, c[0x0][0x28]", stall: 1, write: 7, read: 7},
		{line: 26, lines: []int{26, 9}, guard: "@!P0", op: "STS.64", args: "[R3+0x10], R4", stall: 1, write: 7, read: 0},
	}, all)
	require.EqualValues(t, 8, all[1].bytes())
	_, err = parse(listing, "hexcc_jacobi_2d_0_phase1")
	require.Error(t, err)
}

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
	var code []instruction
	for _, line := range []int{2, 6, 8, 11, 16, 20, 22, 24} {
		code = append(code, instruction{line: line, op: "STS"})
	}
	code = append(code, instruction{line: 11, op: "STS", guard: "@P1"}, instruction{line: 8, op: "STS", guard: "@P1"})
	warps, err := b.trace(code, [3]int{96, 1, 1})
	require.NoError(t, err)
	var got []string
	for _, w := range warps {
		text := ""
		for _, s := range w {
			text += fmt.Sprintf("%d:%d ", s.line, s.lanes)
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
func steps(n int, in instruction) []step {
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
	add := instruction{op: "FADD", stall: 1, write: noScoreboard, read: noScoreboard}
	about := func(want float64, trace [][]step, blocks int, bytes int64) {
		t.Helper()
		require.InEpsilon(t, want, replay(trace, blocks, bytes, d), 0.02)
	}
	one := steps(1000, add)
	about(2000, [][]step{one}, 1, 0)                // a lone warp issues at every second clock
	about(2000, [][]step{one, one, one, one}, 1, 0) // each has a scheduler of its own
	about(2000, [][]step{one, one, one, one}, 2, 0) // two warps fill one
	about(4000, [][]step{one, one, one, one}, 4, 0) // four do not go faster
	add.stall = 5                                   // as dependent ones do
	about(5000, [][]step{steps(1000, add)}, 1, 0)   //
	special := instruction{op: "MUFU.RSQ", stall: 1, write: noScoreboard, read: noScoreboard}
	about(8000, [][]step{steps(1000, special)}, 1, 0) // four lanes
	load := instruction{op: "LDS", stall: 1, write: noScoreboard, read: noScoreboard}
	about(4000, [][]step{steps(1000, load)}, 1, 0) // of one warp, four clocks apart
	eight := make([][]step, 8)
	for i := range eight {
		eight[i] = steps(1000, load)
	}
	about(8000, eight, 1, 0) // one unit for all
	load.op = "LDS.64"
	for i := range eight {
		eight[i] = steps(1000, load)
	}
	about(16000, eight, 1, 0)
	wait := instruction{op: "LDS", stall: 2, write: 3, read: noScoreboard, wait: 1 << 3}
	about(1000*sharedLatency, [][]step{steps(1000, wait)}, 1, 0) // each waits for the one before
	global := instruction{op: "LDG.E", stall: 1, write: noScoreboard, read: noScoreboard}
	share := float64(d.GBs) * 1e9 / d.Hertz() / float64(d.SMs)
	wait = instruction{op: "FADD", stall: 1, write: noScoreboard, read: noScoreboard, wait: 1}
	global.write = 0
	bytes := int64(1 << 20)
	about(float64(bytes)/share, [][]step{append(steps(1000, global), step{&wait, 32})}, 1, bytes) // bandwidth
	bar := instruction{op: "BAR.SYNC", stall: 1, write: noScoreboard, read: noScoreboard}
	about(1000*barrierLatency, [][]step{steps(1000, bar), steps(1000, bar)}, 1, 0)
	fetch := instruction{op: "LDGSTS.E", stall: 2, write: noScoreboard, read: noScoreboard}
	group := instruction{op: "LDGDEPBAR", stall: 2, write: noScoreboard, read: noScoreboard}
	var all, but []step
	for range 100 { // copies that are waited for, or the ones before them
		arrive := instruction{op: "DEPBAR.LE", args: "SB0, 0x0", stall: 2, write: noScoreboard, read: noScoreboard}
		before := arrive
		before.args = "SB0, 0x1"
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

// TestCase replays the chosen sizes of a case and one other.
func TestCase(t *testing.T) {
	if _, err := nvcc.FindDisassembler(); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	if _, err := nvcc.Find(); err != nil {
		t.Skip(err)
	}
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip(err) // nvcc asks it for the headers of the machine
	}
	d, _ := machine.LookupDevice("sm_80")
	tools, err := findTools()
	require.NoError(t, err)
	text, err := os.ReadFile("../../testdata/jacobi-2d.txtar")
	require.NoError(t, err)
	_, rest, _ := strings.Cut(string(text), "-- input.c --\n")
	program, _, _ := strings.Cut(rest, "\n-- ")
	k := kernelCase{name: "jacobi-2d", arch: "sm_80", text: []byte(program + "\n"), device: d, tools: tools}
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
	add := instruction{line: 3, op: "FADD", stall: 1, write: noScoreboard, read: noScoreboard}
	load := instruction{line: 5, op: "LDS", stall: 1, write: noScoreboard, read: noScoreboard}
	bar := instruction{line: 6, op: "BAR.SYNC", stall: 1, write: noScoreboard, read: noScoreboard}
	trace := [][]step{append(append(steps(100, add), steps(10, load)...), step{&bar, 32}), append(steps(300, add), step{&bar, 32})}
	clocks, byLine := replayByLine(trace, 1, 0, d)
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

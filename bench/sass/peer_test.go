package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/internal/programs"
	"github.com/hexcc/hexcc/internal/sass"
	"github.com/hexcc/hexcc/machine"
	"github.com/hexcc/hexcc/model"
	"github.com/hexcc/hexcc/scop"
)

const peerText = `# a comment
name: some kernel
file: kernels/some.cu
flags: -std=c++17 -I..
kernel: some
threads: 128
shared: 4096
loop: 2
branches: on taken 1-2
rows: 3
steps: 4
columns: 32 x 16
halo: 4 x 2
loads: 600
element: 8
stream: 128
lead: 5
run: 512 x 256 x 1024, 100
run: 64 x 64 x 64, 7
`

// TestReadPeers reads a description of each kind of line.
func TestReadPeers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "peers.txt")
	require.NoError(t, os.WriteFile(path, []byte(peerText+"\n\n"+strings.Replace(peerText, "some kernel", "another", 1)), 0o666))
	all, err := readPeers(path)
	require.NoError(t, err)
	require.Len(t, all, 2)
	require.Equal(t, "another", all[1].name)
	p := all[0]
	require.Equal(t, peer{
		name: "some kernel", file: "kernels/some.cu", flags: []string{"-std=c++17", "-I.."}, kernel: "some", threads: 128, shared: 4096, loop: 2,
		branches: []way{onward, {all: true}, {first: 1, last: 2}}, rows: 3, steps: 4, columns: []int64{32, 16}, halo: []int64{4, 2}, loads: 600, element: 8, stream: 128, lead: 5,
		runs: []peerRun{{[]int64{512, 256, 1024}, 100}, {[]int64{64, 64, 64}, 7}},
	}, p)
	require.EqualValues(t, 512, p.computed())
	require.EqualValues(t, 24*12, p.useful())
	require.EqualValues(t, 3*(600+24*12)*8, p.bytes())
	require.Equal(t, 512.0*256*1024*100, p.runs[0].points())
	require.Equal(t, "64 x 64 x 64, 7 steps", p.runs[1].String())
	for warp, want := range []bool{true, false, false, true} {
		require.False(t, p.branches[0].taken(warp))
		require.True(t, p.branches[1].taken(warp))
		require.Equal(t, want, p.branches[2].taken(warp))
	}
}

// TestReadPeersRefuses: what is not understood is not passed over.
func TestReadPeersRefuses(t *testing.T) {
	for _, c := range []struct{ line, by, want string }{
		{"rows: 3", "", "the description before says no rows"},
		{"rows: 3", "rows: 3\nrows: 3", "peers.txt:11: rows is said twice"},
		{"rows: 3", "rows: three", `peers.txt:10: rows: strconv.ParseInt: parsing "three"`},
		{"rows: 3", "rows: -3", "-3 is negative"},
		{"rows: 3", "rows: 0", "threads, rows, steps and element are more than 0"},
		{"rows: 3", "height: 3", `peers.txt:10: "height" is not known of kernels`},
		{"halo: 4 x 2", "halo: 4", "2 sizes of a row, but 1 halos"},
		{"halo: 4 x 2", "halo: 16 x 8", "nothing is left within the halo"},
		{"halo: 4 x 2", "halo: 17 x 9", "nothing is left within the halo"},
		{"branches: on taken 1-2", "branches: on off", `"off" is neither on nor taken nor some warps`},
		{"run: 64 x 64 x 64, 7", "run: 64 x 64, 7", "a run is on a grid of 3 sizes"},
		{"run: 64 x 64 x 64, 7", "run: 64 x 64 x 64", "a run is sizes, a comma and how many steps"},
		{"run: 64 x 64 x 64, 7", "run: 64 x 0 x 64, 7", "a run of nothing"},
	} {
		text := strings.Replace(peerText, c.line+"\n", strings.TrimPrefix(c.by+"\n", "\n"), 1)
		require.NotEqual(t, peerText, text)
		path := filepath.Join(t.TempDir(), "peers.txt")
		require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
		_, err := readPeers(path)
		require.ErrorContains(t, err, c.want, c.by)
	}
}

// TestPeerWalk: warps go where the description says, which must say it of each branch.
func TestPeerWalk(t *testing.T) {
	d, ok := machine.LookupDevice("sm_90")
	require.True(t, ok)
	plain := func(op string) sass.Instruction { return sass.Instruction{Op: op} }
	to := func(at int) sass.Instruction {
		return sass.Instruction{Op: "BRA", Guard: "@P0", Args: "`(.L)", To: at}
	}
	code := []sass.Instruction{plain("FADD"), to(3), plain("STG"), plain("FMUL"), to(0), plain("EXIT")}
	x := peerReplay{peer: peer{threads: 64, rows: 1, steps: 1, columns: []int64{64}, halo: []int64{0}}, device: d}
	require.NoError(t, x.walk(code))
	require.Equal(t, []int{5, 5}, []int{len(x.trace[0]), len(x.trace[1])})
	x.trace, x.peer.branches = nil, []way{{first: 1, last: 1}}
	require.NoError(t, x.walk(code))
	require.Equal(t, []int{4, 5}, []int{len(x.trace[0]), len(x.trace[1])})
	require.Equal(t, 4.5, x.perUpdate)
	require.Equal(t, 2.0, x.operating)
	x.peer.branches = []way{onward, onward}
	require.EqualError(t, x.walk(code), "branches says where warps go at 2, but the loop has 1: 0010 over 1")
	x.loop = 2
	require.EqualError(t, x.walk(code), "there are 1 loops that compute, not 2")
}

// TestPeerWhole counts launches and waves by hand: of 2 blocks on each of 132 multiprocessors, whose loop takes 1000 clocks, and 600 where there is one.
func TestPeerWhole(t *testing.T) {
	d, ok := machine.LookupDevice("sm_90")
	require.True(t, ok)
	p := peer{rows: 2, steps: 4, columns: []int64{40}, halo: []int64{4}, stream: 100, lead: 20}
	x := peerReplay{peer: p, device: d, blocks: 2, seen: map[int]float64{2: 1000, 1: 600}}
	clocks := func(r peerRun) float64 {
		return (x.whole(r)/float64(over(r.steps, 4)) - model.LaunchSeconds) * d.Hertz()
	}
	// 10 blocks across, 100 / 2 + 10 loops of each.
	require.InEpsilon(t, 60*(3*1000+600), clocks(peerRun{[]int64{9200, 320}, 100}), 1e-6)  // 920 blocks are 3 waves and 128, one for each of the multiprocessors at most
	require.InEpsilon(t, 60*(3*1000+1000), clocks(peerRun{[]int64{9300, 320}, 101}), 1e-6) // 930: 138 are left
	require.InEpsilon(t, 60*1000, clocks(peerRun{[]int64{2600, 313}, 4}), 1e-6)            // 260, the last across a border
	x.stream = 0                                                                           // 264 places are 26 blocks of 10: 200 rows each
	require.InEpsilon(t, 110*1000, clocks(peerRun{[]int64{5200, 320}, 4}), 1e-6)
	require.InEpsilon(t, 2610*(15*1000+600), clocks(peerRun{[]int64{5200, 32 * 4000}, 4}), 1e-6) // 4000 blocks across: a wave of 40 is left
	computed, useful := x.steady()
	require.InEpsilon(t, 264*d.Hertz()/1000*2*4*40, computed, 1e-9)
	require.InEpsilon(t, computed*32/40, useful, 1e-9)
}

// TestPeer compiles a kernel whose loop is known, with products fused and without, and replays it: the bandwidth of memory is what it takes.
func TestPeer(t *testing.T) {
	compiler := compilerFor(t, "sm_90")
	d, _ := machine.LookupDevice("sm_90")
	all, err := readPeers("testdata/peer.txt")
	require.NoError(t, err)
	require.Len(t, all, 2)
	for _, p := range all {
		for flag, operations := range map[string]float64{"--fmad=false": 6, "--fmad=true": 5} {
			x, err := p.compile("testdata", []string{flag}, compiler, d)
			require.NoError(t, err)
			require.Equal(t, operations, x.operating, flag)
			require.EqualValues(t, 2*64*p.element, x.use.Shared)
			require.Equal(t, 32, x.blocks)
			_, useful := x.steady()
			bound := float64(d.GBs) * 1e9 / (float64((64+62)*p.element) / 62)
			require.InEpsilon(t, bound, useful, 0.02, "%s %s", p.name, flag)
			seconds := x.whole(p.runs[0])
			require.Greater(t, seconds, p.runs[0].points()/bound)
			require.Less(t, seconds, 1.15*p.runs[0].points()/bound)
		}
	}
	_, err = peer{file: "peer.cu", kernel: "along_rows"}.compile("testdata", nil, compiler, d)
	require.ErrorContains(t, err, "2 kernels are of a function along_rows")
	_, err = peer{file: "peer.cu", kernel: "along_rows"}.compile("testdata", []string{"-DT=7"}, compiler, d)
	require.ErrorContains(t, err, "error")
	big := all[0] // with the 512 bytes that the kernel says
	big.shared = int64(d.SharedBytes) - 512
	x, err := big.compile("testdata", nil, compiler, d)
	require.NoError(t, err)
	require.Equal(t, 1, x.blocks)
	big.shared++
	_, err = big.compile("testdata", nil, compiler, d)
	require.ErrorContains(t, err, "has no place for a block")
}

// TestWeighted: the stencils that are replayed beside the kernels of others read each neighbour once.
func TestWeighted(t *testing.T) {
	for _, n := range []int{5, 7, 9, 27} {
		name := fmt.Sprintf("weighted-%d", n)
		text, err := os.ReadFile("testdata/weighted/" + name + ".txtar")
		require.NoError(t, err)
		res, err := hexcc.Compile(hexcc.Source{Name: name + ".c", Text: programs.Text(".txtar", text)}, hexcc.Options{Stop: "scop"})
		require.NoError(t, err)
		require.Len(t, res.Scop.Stmts, 1)
		seen := map[string]bool{}
		res.Scop.Stmts[0].Reads(func(a *scop.Access, stored bool) { seen[fmt.Sprint(a.Map)] = true })
		require.Len(t, seen, n)
		require.EqualValues(t, 2*n-1, res.Scop.Stmts[0].Operations()) // a product for each, and their sum
	}
}

package hexcc_test

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/cpu"
	testcases "github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/tool"
	"github.com/hexcc/hexcc/report"
	"github.com/hexcc/hexcc/scop"
)

// This file checks what is said of the loops of a CPU by running through these loops.

// cpuCases are programs, sizes of tiles and of the grid, which has a full tile in its middle, of each kind of tiles.
var cpuCases = []struct {
	name, tile string
	strategy   hexcc.Strategy
	grid, time int64
}{
	{"jacobi-1d", "h=3,w0=8", hexcc.Hybrid, 150, 30},
	{"asymmetric", "h=2,w0=5", hexcc.Hybrid, 100, 30},
	{"jacobi-2d", "h=2,w0=3,w1=8", hexcc.Hybrid, 250, 30},
	{"fdtd-2d", "h=1,w0=3,w1=32", hexcc.Hybrid, 200, 30},
	{"wave-2d", "h=1,w0=4,w1=16", hexcc.Hybrid, 300, 30},
	{"heat-3d", "h=0,w0=2,w1=4,w2=16", hexcc.Hybrid, 60, 30},
	{"heat-3d", "w0=4,w1=8,w2=16", hexcc.Space, 50, 30},
	{"wavefront/seidel-2d", "h=1,w0=6,w1=8", hexcc.Wavefront, 120, 30},
	{"wavefront/gauss-seidel-3d", "h=1,w0=3,w1=4,w2=5", hexcc.Wavefront, 50, 30},
	{"idioms/fused-diffusion", "w0=6,w1=8,w2=16", hexcc.Overlapped, 60, 4},
	{"idioms/harris", "w0=8,w1=16", hexcc.Overlapped, 100, 4},
}

// cpuText returns the program of a case.
func cpuText(t *testing.T, name string) []byte {
	switch folder, file, _ := strings.Cut(name, "/"); folder {
	case "idioms":
		return []byte(testcases.ReadIdiom(t, file).Text)
	case "wavefront":
		text, err := os.ReadFile(testcases.File(t, "testdata/"+name+".c"))
		require.NoError(t, err)
		return text
	}
	return []byte(testcases.Input(t, name))
}

// onCPU compiles a case for a CPU.
func onCPU(t *testing.T, i int, target hexcc.Target) *hexcc.Result {
	x := cpuCases[i]
	sizes, err := x.strategy.ParseTile(x.tile)
	require.NoError(t, err)
	res, err := hexcc.Compile(source(cpuText(t, x.name)), hexcc.Options{NoAlias: true, Target: target, Strategy: x.strategy, Tile: sizes, Ranked: true})
	require.NoError(t, err, x.name)
	return res
}

// A census is the elements that the tiles of the middle of a grid touch, by tile; of each step of a tile, of each plane of the first dimension and of each row.
type census struct {
	p      *scop.Program
	env    map[string]int64
	sets   map[string]map[string]map[string]bool // by part, by which one, elements by name
	points map[string]int64                      // instances, by tile and statement
}

// tiles runs through the loops of nodes.
func (c *census) tiles(nodes []cpu.Node, key string) {
	for _, n := range nodes {
		switch n := n.(type) {
		case cpu.For:
			c.loop(n.Var, n.Lo, n.Hi, func(at int64) { c.tiles(n.Body, fmt.Sprint(key, " ", at)) })
		case cpu.If:
			if n.Cond.Holds(c.env) {
				c.tiles(n.Then, key)
			} else {
				c.tiles(n.Else, key)
			}
		case cpu.Tile:
			steps := func(a int64) {
				for _, s := range n.Steps {
					at := fmt.Sprint(key, ",", a, ".", s.A)
					c.step(s, 0, key, at, at)
				}
			}
			if n.Var == "" {
				steps(0)
			} else {
				c.loop(n.Var, n.Lo, n.Hi, steps)
			}
		}
	}
}

func (c *census) loop(name string, lo, hi affine.Expr, body func(int64)) {
	from, to := affine.Eval(lo, c.env), affine.Eval(hi, c.env)
	for v := from; v <= to; v++ {
		c.env[name] = v
		body(v)
	}
	delete(c.env, name)
}

// step runs through the points of a step from loop d on.
func (c *census) step(s *cpu.Step, d int, tile, step, row string) {
	if d < len(s.Loops) {
		l := s.Loops[d]
		c.loop(l.Var, l.Lo, l.Hi, func(at int64) {
			in := row
			if d < len(s.Loops)-1 {
				in = fmt.Sprint(row, "/", at)
			}
			c.step(s, d+1, tile, step, in)
		})
		return
	}
	if len(s.Guard) > 0 && !s.Guard.Holds(c.env) {
		return
	}
	iters := make([]int64, len(s.Iters))
	for i, e := range s.Iters {
		iters[i] = affine.Eval(e, c.env)
	}
	params := make([]int64, len(c.p.Params))
	for i, q := range c.p.Params {
		params[i] = c.env[q.Name]
	}
	c.points[tile+":"+s.Stmt.Name]++
	for _, acc := range s.Stmt.Accesses {
		name := acc.Array.Name
		for _, x := range acc.Index {
			v := x.At(iters, params)
			if x.Mod > 0 {
				v = affine.Remainder(v, x.Mod)
			}
			name += fmt.Sprint(" ", v)
		}
		for part, of := range map[string]string{"tile": tile, "step": step, "row": row} {
			if c.sets[part][of] == nil {
				c.sets[part][of] = map[string]bool{}
			}
			c.sets[part][of][name] = true
		}
	}
}

// takeCensus runs through the tiles of phase of a region, in the middle of time and along the dimension that threads share out.
func takeCensus(res *hexcc.Result, phase int, grid, time int64) *census {
	c := &census{p: res.Scop, env: map[string]int64{}, sets: map[string]map[string]map[string]bool{"tile": {}, "step": {}, "row": {}}, points: map[string]int64{}}
	for _, q := range res.Scop.Params {
		if c.env[q.Name] = grid; strings.HasPrefix(strings.ToLower(q.Name), "t") || q.Name == "steps" || q.Name == "sweeps" {
			c.env[q.Name] = time
		}
	}
	middle := func(lo, hi affine.Expr) int64 { return (affine.Eval(lo, c.env) + affine.Eval(hi, c.env)) / 2 }
	c.env[res.CPU.Names.T] = middle(res.CPU.TLo, res.CPU.THi)
	ph := res.CPU.Phases[phase]
	c.env[ph.Tile] = middle(ph.Lo, ph.Hi)
	c.tiles(ph.Body, "")
	return c
}

// byArray counts elements by their array.
func byArray(names map[string]bool) map[string]int64 {
	counts := map[string]int64{}
	for name := range names {
		array, _, _ := strings.Cut(name, " ")
		counts[array]++
	}
	return counts
}

// fullest returns the tile that runs the most instances.
func (c *census) fullest() (tile string) {
	sums := map[string]int64{}
	for key, n := range c.points {
		of, _, _ := strings.Cut(key, ":")
		sums[of] += n
	}
	for of, n := range sums {
		if n > sums[tile] || n == sums[tile] && of < tile {
			tile = of
		}
	}
	return tile
}

// largest returns the elements of a tile, of its largest step, or of a row of that; of several that are as large all.
func (c *census) largest(part, tile string) (all []map[string]int64) {
	if part == "tile" {
		return []map[string]int64{byArray(c.sets["tile"][tile])}
	}
	most := 0
	for step, names := range c.sets["step"] {
		if at, _, _ := strings.Cut(step, ","); at == tile {
			most = max(most, len(names))
		}
	}
	for step, names := range c.sets["step"] {
		if at, _, _ := strings.Cut(step, ","); at != tile || len(names) < most {
			continue
		}
		if part == "step" {
			all = append(all, byArray(names))
			continue
		}
		for row, names := range c.sets["row"] {
			if at, _, _ := strings.Cut(row, "/"); at == step {
				all = append(all, byArray(names))
			}
		}
	}
	return all
}

// TestFootprint: what is said of a full tile, of its largest step and of a row of that is what the printed loops touch.
func TestFootprint(t *testing.T) {
	for i, x := range cpuCases {
		t.Run(fmt.Sprint(x.name, " ", x.tile), func(t *testing.T) {
			t.Parallel()
			res := onCPU(t, i, hexcc.OpenMP)
			in := report.Inspect(res.Products())
			require.NotEmpty(t, in.Threads.Sets)
			taken := map[int]*census{}
			for _, set := range in.Threads.Sets {
				require.Empty(t, set.Left)
				require.False(t, set.Most)
				if taken[set.Phase] == nil {
					taken[set.Phase] = takeCensus(res, set.Phase, x.grid, x.time)
				}
				c := taken[set.Phase]
				tile := c.fullest()
				for _, n := range in.Threads.Instances {
					if n.Phase == set.Phase {
						require.Equal(t, c.points[tile+":"+n.Statement], n.Points, n.Statement)
					}
				}
				if c.sets[set.Part] == nil { // a plane or a volume: between a row and a step
					continue
				}
				got := map[string]int64{}
				for _, a := range set.Arrays {
					got[a.Array] = a.Elements
				}
				require.Contains(t, c.largest(set.Part, tile), got, "%s of phase %d", set.Part, set.Phase)
			}
		})
	}
}

// TestFootprintMutants: of tiles that are not those of the loops, something else is said.
func TestFootprintMutants(t *testing.T) {
	res := onCPU(t, 2, hexcc.OpenMP)
	told := func() string {
		in := report.Inspect(res.Products())
		return fmt.Sprint(in.Threads.Sets, in.Threads.Instances)
	}
	whole := told()
	phase := &res.Schedule.Phases[1]
	widest := len(phase.Space[0].Lo) / 2
	for name, change := range map[string]*int64{
		"a row more": &phase.Space[0].Hi[widest], "a row less": &phase.Space[0].Lo[widest], "longer rows": &phase.Space[1].Hi[widest],
	} {
		*change++
		require.NotEqual(t, whole, told(), name)
		*change--
	}
	st := res.Scop.Stmts[0]
	for i := range st.Accesses {
		x := &st.Accesses[i].Index[len(st.Accesses[i].Index)-1].Affine
		x.Const += 40
		require.NotEqual(t, whole, told(), st.Accesses[i].Text)
		x.Const -= 40
	}
	require.Equal(t, whole, told())
}

// TestSchemaOnCPU: what inspect prints of the loops of a CPU is as the schema says, in words of threads and caches, and says what was weighed.
func TestSchemaOnCPU(t *testing.T) {
	schema := strictSchema(t)
	check := func(name string, o hexcc.Options, text []byte) {
		o.NoAlias, o.Ranked = true, true
		res, err := hexcc.Compile(source(text), o)
		require.NoError(t, err, name)
		in := report.Inspect(res.Products())
		require.NoError(t, valid(t, schema, in.JSON()), name)
		for _, text := range []string{in.Text(), in.DerivationText()} {
			require.NotRegexp(t, ofGPUs, ofOrder.ReplaceAllString(text, ""), name)
		}
		_, about, found := strings.Cut(in.Text(), "\nThreads:")
		require.True(t, found, name)
		for line := range strings.SplitSeq(about, "\n") {
			require.LessOrEqual(t, len([]rune(line)), 100, "%s: %s", name, line)
		}
		require.Empty(t, in.Kernels, name)
		for _, x := range in.Ranking.Best {
			require.InDelta(t, x.PerPoint, x.Work+x.Rows+x.Memory+x.Waiting, 1e-6*x.PerPoint, name)
		}
		require.Equal(t, res.Sizes.W, in.Ranking.Best[0].W, name)
		require.Equal(t, res.CPU.Chains != nil && o.Target == hexcc.OpenMP, in.Threads.Launch == "ready", name)
		for _, p := range in.Proofs {
			require.True(t, p.Holds, "%s: %v", name, p)
		}
		var proofs []string
		for _, p := range in.Proofs {
			proofs = append(proofs, p.Name)
		}
		require.Contains(t, proofs, "emission", name)
	}
	targets := []hexcc.Target{hexcc.OpenMP, hexcc.C}
	for i, x := range testcases.Some(t) {
		check(x.Name, hexcc.Options{Target: targets[i%2]}, []byte(x.Text))
	}
	for i, x := range cpuCases {
		if x.strategy != hexcc.Hybrid {
			check(x.name, hexcc.Options{Target: targets[i%2], Strategy: x.strategy}, cpuText(t, x.name))
		}
	}
	check("ready", hexcc.Options{Target: hexcc.OpenMP, Launch: hexcc.Ready}, []byte(testcases.Input(t, "jacobi-2d")))
}

// TestVectorsTold: what is said of vectors is what is printed.
func TestVectorsTold(t *testing.T) {
	for _, x := range testcases.Some(t) {
		res, err := hexcc.Compile(source([]byte(x.Text)), hexcc.Options{NoAlias: true, Target: hexcc.OpenMP})
		require.NoError(t, err, x.Name)
		in := report.Inspect(res.Products())
		how := map[string]string{}
		for _, v := range in.Threads.Vectors {
			how[v.Instructions] = v.How
		}
		for set, macros := range map[string][]string{"AVX-512": {"HEXCC_VECTORS", "HEXCC_PASSES"}, "AVX2": {"HEXCC_PASSES"}} {
			for _, macro := range macros {
				require.Equal(t, strings.Contains(res.C.Text, macro), strings.Contains(how[set], macro), "%s: %s of %s", x.Name, macro, set)
			}
		}
		halves := strings.Contains(res.C.Text, "hexcc_load8(&") || strings.Contains(res.C.Text, "hexcc_load16(&")
		require.Equal(t, halves, strings.Contains(how["AVX2"], "HEXCC_HALVES") || len(in.Threads.Passes) > 0, x.Name)
		require.Equal(t, strings.Contains(res.C.Text, "__builtin_prefetch"), strings.Contains(strings.Join(strings.Fields(in.Text()), " "), "fetched ahead"), x.Name)
		require.NotContains(t, how["NEON"]+how["SVE"]+how["SSE2"], "HEXCC_", x.Name)
	}
}

// TestInstructionSets: compilers have these instructions with these flags, and vectors of as many bytes.
func TestInstructionSets(t *testing.T) {
	res := onCPU(t, 2, hexcc.OpenMP)
	in := report.Inspect(res.Products())
	gcc, err := exec.LookPath("gcc")
	clang := os.Getenv("HEXCC_CLANG")
	if err != nil || clang == "" {
		tool.Missing(t, "no gcc (%v), or no clang: set HEXCC_CLANG; what -march means is not asked", err)
	}
	for _, v := range in.Threads.Vectors {
		compiler := []string{gcc}
		if strings.HasPrefix(v.March, "arm") {
			compiler = []string{clang, "--target=aarch64-linux-gnu"}
		}
		cmd := exec.Command(compiler[0], append(compiler[1:], "-march="+v.March, "-dM", "-E", "-x", "c", "/dev/null")...)
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s: %s", v.March, out)
		macros := string(out)
		for _, other := range in.Threads.Vectors { // those that are wider it has not
			has := strings.Contains(macros, " "+other.Macro+" ")
			if other.March == v.March {
				require.True(t, has, "%s has no %s", v.March, other.Macro)
			}
			if other.Bytes > v.Bytes && v.Bytes > 0 {
				require.False(t, has, "%s has %s", v.March, other.Macro)
			}
		}
	}
}

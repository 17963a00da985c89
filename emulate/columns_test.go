package emulate_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/emulate"
	"github.com/hexcc/hexcc/frontend"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/gpu/lower"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/schedule"
)

// columns is an implicit solver of columns, its sweeps up and down, between stencils across columns.
const columns = `void f(int n, float a0[restrict 5][n], float a4[restrict 5][n])
{
  float a1[5][n], a2[5][n], a3[5][n];
#pragma scop
  for (int k = 0; k < 5; k++)
    for (int i = 1; i < n - 1; i++)
      a1[k][i] = a0[k][i - 1] + a0[k][i + 1];
  for (int i = 1; i < n - 1; i++)
    a2[0][i] = a1[0][i];
  for (int k = 1; k < 5; k++)
    for (int i = 1; i < n - 1; i++)
      a2[k][i] = 0.5f * a2[k - 1][i] + a1[k][i];
  for (int i = 1; i < n - 1; i++)
    a3[4][i] = a2[4][i];
  for (int k = 3; k >= 0; k--)
    for (int i = 1; i < n - 1; i++)
      a3[k][i] = a2[k][i] - 0.25f * a3[k + 1][i];
  for (int k = 0; k < 5; k++)
    for (int i = 2; i < n - 2; i++)
      a4[k][i] = a3[k][i - 1] - a3[k][i + 1];
#pragma endscop
}
`

// inColumns returns text, whose first dimension of space is in order, ready for tiles that hold whole columns.
func inColumns(t testing.TB, text string) plan {
	t.Helper()
	res, err := frontend.Parse(frontend.Source{Name: "columns.c", Text: []byte(text)}, frontend.Options{NoAlias: true})
	require.NoError(t, err, text)
	p := plan{pipeline.Stencil{Scop: res.Programs[0]}}
	p.Deps, err = schedule.Dependences(p.Scop)
	require.NoError(t, err)
	p.Space, err = schedule.Columns(p.Scop, p.Deps)
	require.NoError(t, err, text)
	return p
}

// randomColumns returns a C function of three to five nests of so many dimensions, some of which run up or down the first one.
func randomColumns(rng *rand.Rand) (text string, dims int, levels int64) {
	dims, levels = 2+rng.IntN(2), 3+rng.Int64N(4)
	nests, cell := 3+rng.IntN(3), fmt.Sprintf("[%d]", levels)+strings.Repeat("[n]", dims-1)
	params, locals, body := "", "", ""
	at := func(array, up, reach int) string {
		e := fmt.Sprintf("a%d[k%+d]", array, up)
		for d := range dims - 1 {
			e += fmt.Sprintf("[%c%+d]", 'i'+rune(d), rng.IntN(2*reach+1)-reach)
		}
		return strings.ReplaceAll(strings.ReplaceAll(e, "+", " + "), "-", " - ")
	}
	way := make([]int, nests+1)
	for k := range way[1:] {
		way[k+1] = rng.IntN(3) - 1
	}
	way[1+rng.IntN(nests)] = []int{-1, 1}[rng.IntN(2)]
	for k := range nests + 1 {
		if k == 0 || k == nests {
			params += fmt.Sprintf(", float a%d[restrict %d]%s", k, levels, strings.Repeat("[n]", dims-1))
		} else {
			locals += fmt.Sprintf("  float a%d%s;\n", k, cell)
		}
		if k == 0 {
			continue
		}
		reads := []string{at(k-1, 0, 1)}
		for range rng.IntN(3) {
			reads = append(reads, at(rng.IntN(k), 0, 1))
		}
		row, write := "", strings.ReplaceAll(at(k, 0, 0), " + 0", "")
		for d := range dims - 1 {
			row += fmt.Sprintf("for (int %[1]c = %[2]d; %[1]c < n - %[2]d; %[1]c++) ", 'i'+rune(d), k)
		}
		from, to := 0, levels-1
		loop := fmt.Sprintf("for (int k = %d; k <= %d; k++)", from, to)
		if way[k] != 0 { // the first level by itself
			first := map[int]string{1: "0", -1: fmt.Sprint(levels - 1)}[way[k]]
			body += "  " + row + strings.ReplaceAll(write, "k", first) + " = " + strings.ReplaceAll(reads[0], "[k", "["+first) + ";\n"
			reads = append(reads, fmt.Sprintf("0.5f * %s", at(k, -way[k], 0)))
			if loop = fmt.Sprintf("for (int k = 1; k <= %d; k++)", to); way[k] < 0 {
				loop = fmt.Sprintf("for (int k = %d; k >= 0; k--)", to-1)
			}
		}
		body += "  " + loop + " " + row + write + " = 0.25f * (" + strings.Join(reads, " + ") + ");\n"
	}
	return fmt.Sprintf("void f(int n%s)\n{\n%s#pragma scop\n%s#pragma endscop\n}\n", params, locals, body), dims, levels
}

// TestRandomColumns verifies random nests, some of which run up or down columns, by tiles that hold these: on a GPU in one launch or several, and on a CPU.
func TestRandomColumns(t *testing.T) {
	seeds := uint64(8)
	if cases.Whole() {
		seeds = 60
	}
	ran, grouped, buffered := 0, 0, 0
	for seed := range seeds {
		rng := rand.New(rand.NewPCG(seed, 29))
		text, dims, levels := randomColumns(rng)
		p := inColumns(t, text)
		sizes := schedule.Sizes{H: 1, W: []int64{levels + rng.Int64N(2)}}
		for range dims - 1 {
			sizes.W = append(sizes.W, 1+rng.Int64N(7))
		}
		groups := randomGroups(p, rng)
		if all := schedule.OneGroup(len(p.Scop.Stmts))[0]; seed%2 == 1 { // nests that follow each other in the source
			cut := 1 + rng.IntN(len(all)-1)
			groups = schedule.Groups{all[:cut], all[cut:]}
		}
		r, loops, ok := p.overlapped(t, groups, sizes, lower.Options{Strategy: lower.Moved}, nil)
		require.True(t, ok, text)
		r.Points, r.Seed = 4000, seed
		p.verified(t, r, loops, text)
		ran, grouped = ran+1, grouped+min(1, len(r.Schedule.Groups()))
		if r, ok = p.buffered(t, sizes, nil); !ok {
			continue
		}
		buffered++
		r.Seed = seed
		require.NoError(t, r.CPU.Verify(), "%s%v", text, r.CPU)
		emission := astgen.ProveEmission(r.Schedule, r.CPU.Names, r.CPU.Read)
		require.True(t, emission.Holds, "%v\n%s", emission, text)
		v, err := emulate.Verify(r)
		require.NoError(t, err, text)
		require.True(t, v.OK(), "%s%v\n%v\n%v", text, sizes, v, r.CPU)
	}
	require.Positive(t, grouped)
	require.Positive(t, buffered)
	t.Logf("%d programs, %d in several launches, %d on a CPU", ran, grouped, buffered)
}

// TestColumnMutants spoils the loops along columns in kernels, and rows on a CPU: the proof of emission finds out, and so does the emulator.
func TestColumnMutants(t *testing.T) {
	p := inColumns(t, columns)
	sizes := schedule.Sizes{H: 1, W: []int64{5, 8}}
	made := func() (emulate.Request, *astgen.Program) {
		r, loops, ok := p.overlapped(t, nil, sizes, lower.Options{Strategy: lower.Moved, Threads: [3]int{4, 1, 1}}, nil)
		require.True(t, ok)
		return r, loops
	}
	r, loops := made()
	p.verified(t, r, loops, columns)
	turn := func(change func(*gpu.For, *gpu.Threads)) func([]gpu.Node) int {
		var in func(nodes []gpu.Node) int
		in = func(nodes []gpu.Node) (n int) {
			for i, x := range nodes {
				switch x := x.(type) {
				case gpu.For:
					if x.Var == loops.Names.Turn {
						threads := x.Body[0].(gpu.Threads)
						threads.Loops = slices.Clone(threads.Loops)
						change(&x, &threads)
						x.Body = []gpu.Node{threads}
						nodes[i] = x
						n++
					} else {
						n += in(x.Body)
					}
				case gpu.If:
					n += in(x.Then) + in(x.Else)
				}
			}
			return n
		}
		return in
	}
	for name, change := range map[string]func(*gpu.For, *gpu.Threads){
		"the other way": func(f *gpu.For, t *gpu.Threads) {
			f.Lo, f.Hi = affine.Negative(f.Hi), affine.Negative(f.Lo)
			at := t.Loops[0].Lo.(affine.Sum).Times(-1)
			t.Loops[0].Lo, t.Loops[0].Hi = at, at
		},
		"one turn less":  func(f *gpu.For, _ *gpu.Threads) { f.Hi = affine.Offset(f.Hi, -1) },
		"a turn earlier": func(f *gpu.For, _ *gpu.Threads) { f.Lo, f.Hi = affine.Offset(f.Lo, -1), affine.Offset(f.Hi, -1) },
		"columns in other hands": func(f *gpu.For, t *gpu.Threads) { // thread 0 begins elsewhere in each turn, and leaves out what there is not
			l := &t.Loops[1]
			rows := []affine.Expr{}
			for _, lo := range l.Lo.(affine.Max).Args {
				rows = append(rows, affine.Var(l.Var).Minus(lo.(affine.Sum)))
			}
			t.Guard, l.Lo = astgen.Cond{rows}, affine.Var(f.Var).Add(-6)
		},
	} {
		spoilt, loops := made()
		n := 0
		for _, k := range spoilt.Program.Kernels {
			n += turn(change)(k.Body)
		}
		require.Equal(t, 2, n, name)
		require.Positive(t, p.refuted(spoilt, loops), name)
		v, err := emulate.Verify(spoilt)
		require.NoError(t, err)
		require.False(t, v.OK(), "%s: the emulator finds nothing", name)
	}
	// On a CPU.
	c, ok := p.buffered(t, sizes, nil)
	require.True(t, ok)
	spoilt := 0
	for _, s := range steps(c.CPU) {
		if s.Way != schedule.Any {
			s.Way = -s.Way
			spoilt++
		}
	}
	require.Equal(t, 2, spoilt)
	require.False(t, astgen.ProveEmission(c.Schedule, c.CPU.Names, c.CPU.Read).Holds)
	v, err := emulate.Verify(c)
	require.NoError(t, err)
	require.False(t, v.OK())
}

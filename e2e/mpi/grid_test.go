package mpi

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/oracle"
	"github.com/hexcc/hexcc/internal/tool"
	"github.com/hexcc/hexcc/ranks"
)

// This file runs regions on ranks that form a grid, as mpi_test.go does on ranks in a row.

// gridCases are translations for grids of ranks, with narrow tiles: in CI a few, with HEXCC_TESTS=all all that there are.
func gridCases(t *testing.T) (all []mpiCase) {
	list := cases.All(t)
	if !cases.Every() {
		list = nil
		for _, name := range []string{"heat-3d", "fdtd-2d"} {
			list = append(list, cases.Case{Name: name, Text: cases.Input(t, name)})
		}
	}
	for _, c := range list {
		m, ok := newMPICase(t, hexcc.MPI, c, len(all), func(o *hexcc.Options) { o.RankGrid = hexcc.AnyRankGrid })
		switch {
		case ok && m.res.Ranks.Grid != nil:
			all = append(all, m)
		case ok:
			t.Logf("%s: no grid: %s", c.Name, m.res.Ranks.NoGrid)
		}
	}
	return all
}

// onGrid returns rows x columns ranks; rows 0: so many ranks, set out as is expected to be fastest.
func onGrid(rows, columns int) setOut {
	return setOut{fmt.Sprintf("%d x %d ranks", rows, columns), func(p *ranks.Plan, at []int64) (list []ranks.Share, ok bool) {
		rows, columns := rows, columns
		if rows == 0 {
			rows, columns = p.SetOut(at, columns)
		}
		cells, ok := p.Cells(at, rows, columns, 1)
		for _, c := range cells {
			list = append(list, c.Share)
		}
		return list, ok
	}}
}

// TestMPIGrid runs cases on grids of ranks, with delays, and counts what they send: what the plan says.
func TestMPIGrid(t *testing.T) {
	libraries := theMPIs(t)
	all := gridCases(t)
	trials, of, want := trialsOf(all)
	for i, l := range libraries {
		if !cases.Every() && i > 0 {
			break
		}
		prog := compileMPI(t, l, all, asIs)
		for k, grid := range [][2]int{{2, 3}, {2, 2}, {1, 3}, {3, 1}, {3, 3}, {0, 8}} {
			if !cases.Every() && k > 0 && k < 5 {
				continue
			}
			count := max(grid[0], 1) * grid[1]
			results, err := prog.Run(context.Background(), count, trials, fmt.Sprintf("HEXCC_RANK_GRID=%dx%d", grid[0], grid[1]%8), "HEXCC_DELAY=1", "HEXCC_ALARM=60")
			require.NoError(t, err)
			on := onGrid(grid[0], grid[1])
			ran := sameOnRanks(t, all, of, trials, want, results, on)
			t.Logf("%d programs, %d of %d trials on %s", len(all), ran, len(results), on.text)
		}
		results, err := prog.Run(context.Background(), 6, trials, "HEXCC_RANK_GRID=3x2", "HEXCC_RANK_WEIGHTS=1", "HEXCC_ALARM=60")
		require.NoError(t, err)
		on := onGrid(3, 2)
		sameOnRanks(t, all, of, trials, want, results, setOut{on.text + " of several weights", func(p *ranks.Plan, at []int64) ([]ranks.Share, bool) {
			_, ok := on.shares(p, at)
			return nil, ok // with weights a plan does not tell what they send
		}})
	}
}

// TestMPIGridMutants breaks the C: each must leave something else, or nothing.
func TestMPIGridMutants(t *testing.T) {
	l := theMPIs(t)[0]
	c, ok := newMPICase(t, hexcc.MPI, cases.Case{Name: "jacobi-2d", Text: cases.Input(t, "jacobi-2d")}, 0, func(o *hexcc.Options) { o.RankGrid = hexcc.AnyRankGrid })
	require.True(t, ok)
	all := []mpiCase{c}
	trials, _, want := trialsOf(all)
	for _, m := range []struct{ name, old, new string }{
		{"as it is", "", ""},
		{"no wait in the chain", "  hexcc_message_end(m);\n  if (m->bytes > 0)\n    case0_mpi_batch_bytes", "  if (m->bytes > 0)\n    case0_mpi_batch_bytes"},
		{"tags of the other way", " + which;\n", " + (receives ? which ^ 1 : which);\n"},
		{"corners left out", "- (hexcc_r.column > 0 ?", "- (hexcc_r.column > 9 ?"},
		{"tiles of the other side", "!= receives ? r->end1 : r->begin1, r->at", "== receives ? r->end1 : r->begin1, r->at"},
	} {
		if m.name != "as it is" && !cases.Whole() {
			continue
		}
		prog := compileMPI(t, l, all, func(text string) string {
			require.Contains(t, text, m.old, m.name)
			return strings.ReplaceAll(text, m.old, m.new)
		})
		results, err := prog.Run(context.Background(), 4, trials, "OMP_NUM_THREADS=1", "HEXCC_RANK_GRID=2x2", "HEXCC_DELAY=1", "HEXCC_ALARM=3")
		caught := err != nil
		for k, r := range results {
			caught = caught || r.Failed != 0 || want[k].Compare(r.After).Differ > 0
		}
		require.Equal(t, m.old != "", caught, m.name)
	}
}

// TestMPIGridChoice compares the rows and columns that the C chooses with those that the plan tells, of many sizes and numbers of ranks.
func TestMPIGridChoice(t *testing.T) {
	l := theMPIs(t)[0]
	for _, name := range []string{"heat-3d"} {
		m, ok := newMPICase(t, hexcc.MPI, cases.Case{Name: name, Text: cases.Input(t, name)}, 0, func(o *hexcc.Options) { o.RankGrid = hexcc.GridOfRanks })
		require.True(t, ok)
		plan, dir := m.res.Ranks, t.TempDir()
		for _, f := range m.res.C.Named("case0") {
			require.NoError(t, os.WriteFile(filepath.Join(dir, f.Name), []byte(f.Text), 0o666))
		}
		var ask, want strings.Builder
		several := 0
		for _, extent := range []int64{9, 40, 61, 100, 257, 1000, 5003} {
			for _, steps := range []int64{0, 1, 7, 300} {
				params, ok := oracle.Sized(m.res.Scop, extent, steps)
				require.True(t, ok)
				numbers := strings.Trim(strings.ReplaceAll(fmt.Sprint(params), " ", ", "), "[]")
				for ranks := 1; ranks <= 1200; ranks += 1 + ranks/3 {
					fmt.Fprintf(&ask, "  of[0] = of[1] = 0, %s_set_out(%s, %d, of), printf(\"%%d %%d\\n\", of[0], of[1]);\n", m.res.C.MPI[0].Function, numbers, ranks)
					rows, columns := plan.SetOut(params, ranks)
					fmt.Fprintln(&want, rows, columns)
					if columns > 1 && rows > 1 {
						several++
					}
				}
			}
		}
		require.Greater(t, several, 20)
		main := fmt.Sprintf("#include \"case0.hex.c\"\nint main(void)\n{\n  int of[2];\n%s  return 0;\n}\n", ask.String())
		require.NoError(t, os.WriteFile(filepath.Join(dir, "main.c"), []byte(main), 0o666))
		tool.RunIn(t, dir, l.Compiler, "-O0", "-w", "main.c", "-lm", "-o", "main")
		require.Equal(t, want.String(), tool.RunIn(t, dir, "./main"), name)
	}
}

package e2e

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/oracle"
	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/mpirun"
	"github.com/hexcc/hexcc/scop"
)

// This file runs regions on several ranks by MPI, and compares with what gcc makes of the original.

// An mpiCase is a translation, and what it is run on.
type mpiCase struct {
	name   string
	res    *hexcc.Result
	trials []mpirun.Trial
	want   []*scop.Memory
}

func TestMPI(t *testing.T) {
	library, err := mpirun.Find()
	require.NoError(t, err)
	dir := t.TempDir()
	var regions []mpirun.Region
	var headers, sources []string
	var trials []mpirun.Trial
	var want []*scop.Memory
	var names []string
	var local [][]*scop.Array
	for i, c := range cases.All(t) {
		if only := os.Getenv("ONLY"); only != "" && only != c.Name {
			continue
		}
		o := hexcc.Options{Target: hexcc.MPI, NoAlias: true, Base: fmt.Sprintf("case%d", i), Stop: "cone"}
		source := hexcc.Source{Name: c.Name + ".c", Text: []byte(c.Text)}
		probe, err := hexcc.Compile(source, o)
		require.NoError(t, err, c.Name)
		sizes := pipeline.Narrow.Of(probe.Space, probe.Cone)
		o.Stop, o.Tile = "", &sizes
		start := time.Now()
		res, err := hexcc.Compile(source, o)
		if err != nil {
			fmt.Println(c.Name, err)
			continue
		}
		fmt.Println(c.Name, time.Since(start))
		unique := regexp.MustCompile(`\b` + res.C.MPI[0].Function)
		name := fmt.Sprintf("case%d_mpi", i)
		for _, f := range res.C.Named(o.Base) {
			require.NoError(t, os.WriteFile(filepath.Join(dir, f.Name), unique.ReplaceAll([]byte(f.Text), []byte(name)), 0o666))
		}
		headers, sources = append(headers, o.Base+".hex.h"), append(sources, o.Base+".hex.c")
		regions = append(regions, mpirun.Region{Program: res.Scop, Name: name, Args: res.C.MPI[0].Args})
		local = append(local, slices.DeleteFunc(slices.Clone(res.Scop.Arrays), func(a *scop.Array) bool { return !a.Local }))
		original := oracle.CompileC(t, res.Scop)
		for _, steps := range []int64{0, 1, 5, 9, 23} {
			extent := []int64{0, 0, 301, 133, 63, 43}[len(res.Scop.Stmts[0].Iters)]
			if steps == 9 {
				extent += 31
			}
			params, ok := oracle.Sized(res.Scop, extent, steps)
			if !ok {
				continue
			}
			mem, err := scop.NewMemory(res.Scop, params, 1)
			require.NoError(t, err)
			trials = append(trials, mpirun.Trial{Region: len(regions) - 1, Before: mem})
			want = append(want, original.Run(t, mem))
			names = append(names, c.Name)
		}
	}
	start := time.Now()
	prog, err := mpirun.Compile(library, dir, regions, headers, sources, "-O1", "-fopenmp")
	require.NoError(t, err)
	fmt.Println("compiled", time.Since(start))
	for _, ranks := range []int{1, 2, 3, 4, 7} {
		start := time.Now()
		results, err := prog.Run(context.Background(), ranks, trials, fmt.Sprint("OMP_NUM_THREADS=", 1+ranks%2))
		require.NoError(t, err)
		ran := 0
		for i, r := range results {
			if r.Failed == 1 {
				continue
			}
			ran++
			require.Zero(t, r.Failed)
			if d := want[i].Compare(r.After, local[trials[i].Region]...); d.Differ > 0 {
				fmt.Println("WRONG", names[i], ranks, trials[i].Before.Params, d)
				t.Fail()
			}
		}
		fmt.Println(ranks, "ranks", ran, "of", len(results), time.Since(start))
	}
}

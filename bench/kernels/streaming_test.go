package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/gpu/stream"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/golden"
	"github.com/hexcc/hexcc/internal/sass"
	"github.com/hexcc/hexcc/internal/tool"
)

// TestStreamingReport has the counts of every case whose rows stream, and why others do not; unless HEXCC_TESTS=all, of every second one. streaming fails where what ran is not what was counted.
func TestStreamingReport(t *testing.T) {
	paths, err := filepath.Glob("../../testdata/*.txtar")
	require.NoError(t, err)
	all := cases.Every() || *golden.Update
	if !all {
		paths = everySecond(paths)
	}
	texts := make([]string, len(paths))
	t.Run("cases", func(t *testing.T) {
		for i, path := range paths {
			t.Run(caseName(path), func(t *testing.T) {
				t.Parallel()
				r := reporter{arch: "sm_80", streams: true}
				text, err := r.streaming(path)
				require.NoError(t, err)
				texts[i] = text
			})
		}
	})
	least := 8
	if all {
		least = 15
	}
	require.GreaterOrEqual(t, strings.Count(strings.Join(texts, ""), "\n  run "), least)
	compareAll(t, "testdata/streaming.txt", texts, all)
}

// TestMachineCode: ptxas makes of a full turn the shuffles and, where nothing is divided, the sums and products that are counted; its loads and stores move
// what is counted at least, for some lanes take part that have no element.
func TestMachineCode(t *testing.T) {
	tool.Disassembler(t)
	compiler, err := sass.NewCompiler("sm_80", "")
	require.NoError(t, err)
	for _, c := range []struct {
		name, shape string // small ones compile sooner
		divides     bool
	}{{name: "jacobi-2d"}, {"box-2d", "columns=4,steps=1,warps=2,period=1", true}, {"laplacian-3d", "columns=2,steps=2,warps=2,period=1,lines=2", false}} {
		t.Run(c.name, func(t *testing.T) {
			src, err := sourceOf("../../testdata/" + c.name + ".txtar")
			require.NoError(t, err)
			var shape *stream.Shape
			if c.shape != "" {
				shape, err = stream.ParseShape(c.shape)
				require.NoError(t, err)
			}
			res, err := hexcc.Compile(src, hexcc.Options{Arch: "sm_80", Kernel: hexcc.Streaming, Pipeline: shape, Base: "kernels", NoAlias: true})
			require.NoError(t, err)
			r := reporter{arch: "sm_80", sass: compiler}
			code, err := r.machineCode(res, "kernels")
			require.NoError(t, err)
			p := res.GPU.Pipeline()
			counted := p.Count()
			elem := p.Stages[0].Rows[0].Array.Elem
			require.Equal(t, counted.Shuffles*int64(elem.Words()), code.by[sass.Shuffles])
			if c.divides {
				require.Greater(t, code.operations, counted.Operations)
			} else {
				require.Equal(t, counted.Operations, code.operations)
			}
			require.GreaterOrEqual(t, code.loaded, counted.SharedLoads*int64(elem.Size()))
			require.GreaterOrEqual(t, code.stored, counted.SharedStores*int64(elem.Size()))
			require.GreaterOrEqual(t, code.kept, counted.GlobalStores*int64(elem.Size()))
			require.EqualValues(t, p.Turn/p.Period*p.Threads(), code.by[sass.Barriers])
			require.Zero(t, code.by[sass.Other], "an operation of no class")
		})
	}
}

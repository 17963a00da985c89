package cuda_test

import (
	"fmt"
	"testing"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/gpu/stream"
	"github.com/hexcc/hexcc/internal/cases"
)

// This file runs and compiles kernels whose rows stream through the registers of a pipeline of warps.

// streaming returns options for such kernels, of that shape.
func streaming(columns, steps, warps, period int) hexcc.Options {
	return hexcc.Options{
		NoAlias: true, Strategy: hexcc.Hybrid, Kernel: hexcc.Streaming,
		Pipeline: &stream.Shape{Columns: columns, Steps: steps, Warps: warps, Period: period},
	}
}

// TestStreamingRunsOnCPU runs cases whose rows stream, in pipelines of several shapes.
func TestStreamingRunsOnCPU(t *testing.T) {
	for _, base := range []string{"jacobi-2d"} {
		for _, s := range [][4]int{{2, 1, 2, 1}, {2, 2, 2, 2}, {3, 2, 4, 1}} {
			t.Run(fmt.Sprint(base, s), func(t *testing.T) {
				t.Parallel()
				compareOnCPU(t, compiled(t, base, cases.Input(t, base), streaming(s[0], s[1], s[2], s[3])), 6)
			})
		}
	}
}

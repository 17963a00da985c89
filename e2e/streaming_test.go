package e2e_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/emulate"
	"github.com/hexcc/hexcc/gpu/stream"
	testcases "github.com/hexcc/hexcc/internal/cases"
)

// streamingIdioms are idioms whose rows stream: arrays that are flat, that pointers lead into the midst of, that are not known to have all
// elements of their last row, whose rows are reached by pointers, that are members of a struct; parts of nests at borders; combinations of arrays in one that the source does not have.
var streamingIdioms = []string{
	"alternate", "base-offsets", "blocks", "casts-and-pointers", "clamped", "copy-back", "denoise", "flat-index-macro", "flat-rows-tested", "flat-volume", "malloc-in-main", "modulo-and",
	"plain-pointers", "planes-by-pointers", "pointer-table-local", "rows-exchanged", "square-window", "strides", "struct-of-pointers", "swap-rows", "time-by-two", "time-do", "winds-folded", "within-strides", "xyz-members", "xyz-sorted", "xz-table-searches", "xz-z-offset-rows",
}

// TestIdiomsStreaming verifies the programs of testdata/idioms whose rows stream through registers, in a small pipeline, and requires of every fifth other one, or
// with HEXCC_TESTS=all of each, that a reason is given why they do not.
func TestIdiomsStreaming(t *testing.T) {
	testcases.EachNthIdiom(t, 1, 0, func(t *testing.T, x testcases.Idiom) {
		streams := slices.Contains(streamingIdioms, x.Name)
		if !streams && x.Number%5 != 3 && !testcases.Every() {
			return
		}
		res, err := hexcc.Compile(hexcc.Source{Name: x.Name + ".c", Text: []byte(x.Text)}, hexcc.Options{
			Strategy: hexcc.Hybrid, Kernel: hexcc.Streaming, Pipeline: &stream.Shape{Columns: 2, Steps: 2, Warps: 2, Period: 1},
		})
		if !streams {
			if err != nil && (strings.Contains(err.Error(), "HX216") || strings.Contains(err.Error(), "HX201")) { // HX201: nests that run up or down columns
				t.Log(err)
				return
			}
			if err == nil && res.GPU.Pipeline() == nil {
				t.Log("there is no time loop")
				return
			}
			require.Failf(t, "streams, or is refused for another reason", "%v", err)
		}
		require.NoError(t, err)
		require.NotNil(t, res.GPU.Pipeline())
		v, err := emulate.Verify(emulate.Request{Program: res.GPU, Schedule: res.Schedule, Proofs: res.Proofs, Points: 20_000})
		require.NoError(t, err)
		require.True(t, v.OK(), "%v", v)
	})
}

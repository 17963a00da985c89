package openmp_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/oracle"
)

// TestInlined compiles programs whose temporaries are computed where they are read, and compares with the original, compiled from its source, bit for bit,
// at odd sizes.
func TestInlined(t *testing.T) {
	for _, x := range []struct{ base, fuse string }{
		{"chain", "[[a,b],c,out]"},
		{"chain", "[[a,b,c,out]]"},
		{"harris", "[[ix,xx],[sxx,out]]"},
		{"harris", "[[ix,xx,sxx,out]]"},
	} {
		text := chain
		if x.base != "chain" {
			text = cases.ReadIdiom(t, x.base).Text
		}
		res := compile(t, x.base, text, hexcc.Options{Target: hexcc.OpenMP, Fuse: x.fuse}, true)
		require.NotNil(t, res.Scop.Uninlined)
		translated := *res.Scop
		translated.Source = []byte(res.C.Text)
		ours := oracle.CompileWith(t, "gcc", &translated, cases.Level("-O2"), "-fopenmp", "-DHEXCC_GRAIN=0", "-ffp-contract=off")
		for _, trial := range oracle.Trials(t, res.Scop, 8) {
			for _, threads := range []int{1, 3} {
				trial.Check(t, fmt.Sprint(x, " ", threads, " threads"), ours.Run(t, trial.Before, fmt.Sprint("OMP_NUM_THREADS=", threads)), res.Schedule.Temporaries...)
			}
		}
	}
}

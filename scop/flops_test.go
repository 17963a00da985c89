package scop_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/frontend"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/scop"
)

// flops counts the operations of floating point of an instance of each statement of p as papers do: quotients and functions are one each, signs none.
func flops(p *scop.Program) (n int) {
	for _, s := range p.Stmts {
		s.Visit(func(e scop.Expr) {
			switch e := e.(type) {
			case scop.Binary:
				if e.Type().IsFloat() {
					n++
				}
			case scop.Call:
				n++
			}
		})
	}
	return n
}

// TestFlops: operations and arrays of programs whose formulas the papers give, or are public, are those of their tables. Table III of ARTEMIS has intensities of 0.67, 4.71, 4.66, 7.82, 10.4 and 20.4, too: of
// kernels that are not in this repository with their formulas (miniflux, diffterm, addsgd4, addsgd6, rhs4center, rhs4sgcurv).
func TestFlops(t *testing.T) {
	hypterm := cases.ReadIdiom(t, "hyperbolic-flux").Text // as BoxLib's, once it does not factor out the wind of the energy's flux
	for _, wind := range []string{"u", "v", "w"} {
		hypterm = strings.ReplaceAll(hypterm, "(e[k][j][i] + p[k][j][i]) * "+wind+"[k][j][i]", "(e[k][j][i] * "+wind+"[k][j][i] + p[k][j][i] * "+wind+"[k][j][i])")
	}
	for _, x := range []struct {
		name, text    string
		flops, arrays int
		intensity     float64 // operations for each byte of arrays, of doubles; 0: no table has it
	}{
		{"hypterm (ARTEMIS, tables I and III)", hypterm, 358, 13, 3.44},
		{"denoise (ARTEMIS, its published code: 62 and a root)", cases.Input(t, "rician-3d"), 63, 3, 0},
		{"gaussian (LIFT, table 2)", cases.Input(t, "gaussian-2d"), 50, 1, 0},
	} {
		res, err := frontend.Parse(frontend.Source{Name: "f.c", Text: []byte(x.text)}, frontend.Options{NoAlias: true})
		require.NoError(t, err, x.name)
		p := scop.WithCoefficients(res.Programs[0])
		require.Equal(t, x.flops, flops(p), x.name)
		require.Len(t, p.Arrays, x.arrays, x.name)
		if x.intensity > 0 {
			require.InDelta(t, x.intensity, float64(flops(p))/float64(8*len(p.Arrays)), 0.005, x.name)
		}
	}
}

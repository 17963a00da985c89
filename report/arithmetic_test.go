package report

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/frontend"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/scop"
)

// TestArithmetic: operations of a point and the bytes that it uses are those of tables I and III of ARTEMIS and table 2 of LIFT, where these
// give the formulas, and those that one counts where a program has them: also with borders that are nests of their own, halves that end at each
// other, several planes and several values in an element.
func TestArithmetic(t *testing.T) {
	hypterm := cases.ReadIdiom(t, "hyperbolic-flux").Text // as BoxLib's, once it does not factor out the wind of the energy's flux
	for _, wind := range []string{"u", "v", "w"} {
		hypterm = strings.ReplaceAll(hypterm, "(e[k][j][i] + p[k][j][i]) * "+wind+"[k][j][i]", "(e[k][j][i] * "+wind+"[k][j][i] + p[k][j][i] * "+wind+"[k][j][i])")
	}
	gallery := func(name string) string {
		text, err := os.ReadFile(filepath.Join("..", "examples", "gallery", name+".c"))
		require.NoError(t, err)
		return string(text)
	}
	for _, x := range []struct {
		name, text        string
		operations, bytes int64
	}{
		{"hypterm (ARTEMIS: 358 operations, 13 arrays, 3.44 a byte)", hypterm, 358, 13 * 8},
		{"denoise (ARTEMIS, its published code: 62 and a root, 4 arrays)", cases.Input(t, "rician-3d"), 63, 4 * 8},
		{"gaussian (LIFT)", cases.Input(t, "gaussian-2d"), 50, 2 * 4},
		{"five points, two planes", cases.Input(t, "jacobi-2d"), 5, 2 * 4},
		{"around a torus, whose halves end at each other", gallery("allen-cahn"), 15, 2 * 8},
		{"around a torus in 27 parts", gallery("heat-3d"), 9, 2 * 8},
		{"three planes, and a source at one point", gallery("wave-2d"), 9, 4 * 8},
		{"two grids of 19 values and a flag, of which one is only read", gallery("lbm-d3q19"), 303, 39 * 8},
	} {
		res, err := frontend.Parse(frontend.Source{Name: "f.c", Text: []byte(x.text)}, frontend.Options{NoAlias: true})
		require.NoError(t, err, x.name)
		got := arithmeticOf(scop.WithCoefficients(res.Programs[0]))
		require.Equal(t, Arithmetic{Operations: x.operations, Bytes: x.bytes}, got, x.name)
	}
}

package mpi

import (
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/gallery"
)

// This file says which programs ranks do not take.

// refusedOnRanks are programs of the gallery that are refused, with why: docs/mpi.md says so of the same ones.
var refusedOnRanks = map[string]string{
	"advection-diffusion": `subscript '(t / steps_per_hour) % HOURS' is not affine [HX101]`,
	"gauss-seidel":        `a nest needs values that it has computed itself in the same step, so that its points run one after the other`,
	"lbm-d2q9":            `ranks cannot test that 'solid[k]' keeps what it guards inside of arrays`,
}

// refused requires that err, of the program of that name, is as expected: nil, but for those that are refused, other than later ones.
func refused(t *testing.T, name string, err error, later ...string) {
	t.Helper()
	if why, is := refusedOnRanks[name]; is && !slices.Contains(later, name) {
		require.ErrorContains(t, err, why, name)
		return
	}
	require.NoError(t, err, name)
}

// TestMPIRefused translates all programs of the gallery up to where shapes of tiles are known, and so finds those that the text around nests stops: no others than the list has. Of loops that ranks run the text is whole.
func TestMPIRefused(t *testing.T) {
	programs, err := gallery.Read(cases.File(t, "examples/gallery"))
	require.NoError(t, err)
	found := map[string]bool{}
	for _, p := range programs {
		text, err := os.ReadFile(p.Path)
		require.NoError(t, err)
		source := hexcc.Source{Name: p.Path, Text: text}
		o := hexcc.Options{Target: hexcc.MPI, NoAlias: true, Stop: "cone"}
		if p.IsCPlusPlus() {
			continue // whose headers the machine has
		}
		found[p.Name] = true
		if p.Name == "gauss-seidel" {
			o.Stop = ""
		}
		_, err = hexcc.Compile(source, o)
		refused(t, p.Name, err)
	}
	for name := range refusedOnRanks {
		require.True(t, found[name], name)
	}
}

package mpi

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/gallery"
)

// This file says which programs ranks take, and which they do not.

// mpiGallery are programs of the gallery, with rings, walls and several fields, that do not take long; the others are tried where HEXCC_TESTS=all.
var mpiGallery = []string{"advection-2d", "fitzhugh-nagumo", "greenberg-hastings", "heat-2d", "life", "red-black-sor", "rule-110", "sandpile"}

// refusedOnRanks are programs of the gallery that are refused, with why: docs/mpi.md says so of the same ones. There are none.
var refusedOnRanks = map[string]string{}

// otherwiseOnRanks are programs whose regions are not one time loop in hexagonal tiles: TestMPIGallery runs the loops that ranks run.
var otherwiseOnRanks = []string{"advection-diffusion", "cavity", "euler-2d", "gauss-seidel", "jacobi-check-every", "jacobi-convergence"}

// refused requires that err, of the program of that name, is as expected: nil, but for those that are refused.
func refused(t *testing.T, name string, err error) {
	t.Helper()
	if why, is := refusedOnRanks[name]; is {
		require.ErrorContains(t, err, why, name)
		return
	}
	require.NoError(t, err, name)
}

// TestMPIRefused translates all programs of the gallery up to where shapes of tiles are known, which finds what the frontend refuses, and the one whose points need others of the same step as a whole: what is refused is what the list has, and nothing else.
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
			continue // whose headers only the machine has
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

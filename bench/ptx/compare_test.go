package main

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/tool"
	"github.com/hexcc/hexcc/ptx"
)

// tableBy is what docs/ptx.md says that its table was made by.
const tableBy = "by LLVM 16 and nvcc 13.0"

// TestBesideNVCC makes PTX of cases of all kinds in both ways: LLVM's has no more
// than 1.1 times the instructions of nvcc's per update. Both are about as many as the
// table of docs/ptx.md has, up to a twentieth; with other versions of the compilers, a tenth.
func TestBesideNVCC(t *testing.T) {
	nvcc := tool.NVCC(t)
	llc := os.Getenv("HEXCC_LLC")
	if _, err := exec.LookPath("llc-16"); llc == "" && err == nil {
		llc = "llc-16"
	}
	tools, err := ptx.Find(llc, "sm_80")
	if err != nil {
		tool.Missing(t, "%v", err)
	}
	off := 0.1
	if strings.HasPrefix(tools.Version, "16.") && strings.Contains(tool.Run(t, nvcc, "--version"), "release 13.0,") {
		off = 0.05
	}
	table := documented(t)
	names := []string{"asymmetric", "diffusion-2d", "fdtd-2d", "jacobi-1d-7", "jacobi-2d", "laplacian-3d"}
	if cases.Every() {
		names = append(names, "heat-4d", "jacobi-1d", "life", "star-2d-4")
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rows, err := compare(hexcc.Source{Name: name + ".c", Text: []byte(cases.Input(t, name))}, name, options{small: true, llc: tools.LLC, nvcc: nvcc})
			require.NoError(t, err)
			require.Len(t, rows, 2)
			for _, r := range rows {
				require.Positive(t, r.updates)
				require.Positive(t, r.theirs.steps.Total())
				require.LessOrEqual(t, r.ratio(), 1.1, "%v", r)
				have, ok := table[fmt.Sprint(name, " ", r.phase)]
				require.True(t, ok, "docs/ptx.md has no line for %s, phase %d", name, r.phase)
				for i, now := range []float64{float64(r.updates), r.ours.perUpdate(r.updates), r.theirs.perUpdate(r.updates)} {
					require.InDelta(t, have[i], now, 0.0051+off*have[i], "%s, phase %d: docs/ptx.md has %v: make bench-ptx prints a new table", name, r.phase, have)
				}
			}
		})
	}
}

// documented returns of the table of docs/ptx.md updates and instructions per update, by case and phase.
func documented(t *testing.T) map[string][3]float64 {
	text, err := os.ReadFile(cases.File(t, "docs/ptx.md"))
	require.NoError(t, err)
	require.Contains(t, string(text), tableBy)
	all := map[string][3]float64{}
	for line := range strings.Lines(string(text)) {
		var name string
		var phase int
		var v [3]float64
		if n, _ := fmt.Sscan(line, &name, &phase, &v[0], &v[1], &v[2]); n == 5 && phase < 2 {
			all[fmt.Sprint(name, " ", phase)] = v
		}
	}
	require.Greater(t, len(all), 50)
	return all
}

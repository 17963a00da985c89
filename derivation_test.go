package hexcc_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/diag"
	programs "github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/report"
	"github.com/hexcc/hexcc/schedule"
)

// derived translates text and returns the steps from its loops to its kernels, as a text.
func derived(t *testing.T, text []byte, o hexcc.Options) (*hexcc.Result, string) {
	t.Helper()
	o.Kernel = hexcc.Tiles
	res, err := hexcc.Compile(source(text), o)
	require.NoError(t, err)
	p := res.Products()
	return res, report.Inspect(p).DerivationText()
}

// linesOf returns the lines of a schedule file that are no comments, without what is behind them.
func linesOf(text string) (lines []string) {
	for line := range strings.Lines(text) {
		if line, _, _ = strings.Cut(line, "#"); strings.TrimSpace(line) != "" {
			lines = append(lines, strings.TrimSpace(line))
		}
	}
	return lines
}

// TestDerivation: each line of the schedule file stands with one step, each proof is what some step rests on, and the text loads and gives the same kernels.
func TestDerivation(t *testing.T) {
	for _, c := range programs.Telling(t) {
		for _, strategy := range []hexcc.Strategy{hexcc.Hybrid, hexcc.Space, hexcc.Untiled, hexcc.Wavefront, hexcc.Overlapped} {
			o := hexcc.Options{Strategy: strategy, Launch: hexcc.Phases}
			res, err := hexcc.Compile(source([]byte(c.Text)), o)
			if err != nil { // boxes that overlap need other planes, for one
				continue
			}
			t.Run(c.Name+" "+string(strategy), func(t *testing.T) {
				p := res.Products()
				in := report.Inspect(p)
				text := in.DerivationText()
				words := strings.Join(strings.Fields(strings.ReplaceAll(text, "#", "")), " ")
				for _, proof := range in.Proofs {
					require.Contains(t, words, proof.Name+": holds")
				}
				for _, b := range in.Kernels[0].Shared {
					require.Contains(t, words, "to: "+b.Name+"[")
				}
				require.ElementsMatch(t, linesOf(schedule.Save(p.Schedule, p.Clauses...)), linesOf(text))
				again, err := hexcc.Compile(source([]byte(c.Text)), hexcc.Options{Launch: hexcc.Phases, Load: hexcc.Source{Name: "d", Text: []byte(text)}})
				require.NoError(t, err)
				require.Equal(t, res.Schedule.Map.String(), again.Schedule.Map.String())
			})
		}
	}
}

// TestDerivationEdited: what is changed in a derivation is proved again, and what is wrong is refused, with two instances.
func TestDerivationEdited(t *testing.T) {
	o := hexcc.Options{Strategy: hexcc.Hybrid, Tile: &schedule.Sizes{H: 2, W: []int64{4, 32}}, Launch: hexcc.Phases}
	_, text := derived(t, hexcc.Example, o)
	for _, edit := range []struct {
		from, to string
		wrong    string // what the error says; "": there is none
	}{
		{"tile h=2, w0=4, w1=32", "tile h=3, w0=6, w1=64", ""},
		{"slope s1 -1..1", "slope s1 -2..1", ""},
		{"-> [t, i, j]", "-> [t, j, i]", "neighbouring elements"},
		{"-> [t, i, j]", "-> [t, i, j + 5]", ""},
		{"slope s0 -1..1", "slope s0 0..1", "must run later"},
		{"slope s1 -1..1", "slope s1 0..0", "must run later"},
		{"phase 1 time = 0, s0 = 0", "phase 1 time = 0, s0 = 1", "S0["},
		{"tile h=2, w0=4, w1=32", "tile h=2, w0=0, w1=32", ""},
	} {
		changed := strings.Replace(text, edit.from, edit.to, 1)
		require.NotEqual(t, text, changed)
		res, err := hexcc.Compile(source(hexcc.Example), hexcc.Options{Launch: hexcc.Phases, Kernel: hexcc.Tiles, Load: hexcc.Source{Name: "d", Text: []byte(changed)}})
		if edit.wrong == "" {
			require.NoError(t, err, edit.to)
			for _, p := range res.Proofs {
				require.True(t, p.Holds)
			}
			continue
		}
		var list diag.List
		require.ErrorAs(t, err, &list, edit.to)
		require.Contains(t, list[0].Msg+notesOf(list[0]), edit.wrong)
	}
}

func notesOf(d *diag.Diagnostic) (text string) {
	for _, n := range d.Notes {
		text += "\n" + n.Msg
	}
	return text
}

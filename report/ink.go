package report

import (
	"fmt"
	"strconv"
)

// ink is the colours of all pictures. Blue and sand differ in brightness as well
// as in hue, so they stay apart for readers with any colour vision, and in print.
var ink = struct {
	paper, text, faint, grid, axis string
	cone, coneEdge, arrow          string
	domain                         string
	empty, first, again            string // elements of a footprint
	written, onlyWritten           string
	beats                          []string // from the first to the last
	waits                          string
	phases                         []tint
	statements                     []string
}{
	paper: "#ffffff", text: "#1f2933", faint: "#616e7c", grid: "#e4e7eb", axis: "#7b8794",
	cone: "#f6dcd7", coneEdge: "#c2553f", arrow: "#1f4e79",
	domain: "#1f2933",
	empty:  "#f1f3f5", first: "#2f6ea5", again: "#a9cbe8",
	written: "#b3541e", onlyWritten: "#fbe3c0",
	beats: []string{"#e6f0f9", "#6aa5d6", "#12395c"}, waits: "#b3541e",
	phases: []tint{
		{fill: "#9cc3e6", light: "#dfebf6", edge: "#2f6ea5", word: "#12395c"},
		{fill: "#f3d08b", light: "#fbf1db", edge: "#a8751a", word: "#553a08"},
		{fill: "#a9d5bb", light: "#e3f2e9", edge: "#3c8a5d", word: "#173f2a"},
		{fill: "#d3bfe2", light: "#f1eaf6", edge: "#7d5a9c", word: "#3c2650"},
	},
	statements: []string{"#1f2933", "#b23a1e", "#2a7a4b", "#6b3fa0", "#0b6e99", "#8a6d00"},
}

// A tint is the colours of the tiles of one phase: full tiles, partial tiles,
// their edges and the words on them.
type tint struct{ fill, light, edge, word string }

func phaseTint(phase int) tint { return ink.phases[phase%len(ink.phases)] }

// blend is the colour at part, from 0 to 1, of the way along colours.
func blend(colours []string, part float64) string {
	at := part * float64(len(colours)-1)
	i := min(int(at), len(colours)-2)
	mixed := "#"
	for c := 1; c < 7; c += 2 {
		from, _ := strconv.ParseInt(colours[i][c:c+2], 16, 64) // ours, and constant
		to, _ := strconv.ParseInt(colours[i+1][c:c+2], 16, 64)
		mixed += fmt.Sprintf("%02x", int64(float64(from)+(at-float64(i))*float64(to-from)+0.5))
	}
	return mixed
}

func statementInk(i int) string { return ink.statements[i%len(ink.statements)] }

package report

// ink is the colours of all pictures. Blue and sand differ in brightness as well
// as in hue, so they stay apart for readers with any colour vision, and in print.
var ink = struct {
	paper, text, faint, grid, axis string
	cone, coneEdge, arrow          string
	domain                         string
	empty, first, again            string // elements of a footprint
	written, onlyWritten           string
	phases                         []tint
	statements                     []string
}{
	paper: "#ffffff", text: "#1f2933", faint: "#616e7c", grid: "#e4e7eb", axis: "#7b8794",
	cone: "#f6dcd7", coneEdge: "#c2553f", arrow: "#1f4e79",
	domain: "#1f2933",
	empty:  "#f1f3f5", first: "#2f6ea5", again: "#a9cbe8",
	written: "#b3541e", onlyWritten: "#fbe3c0",
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

func statementInk(i int) string { return ink.statements[i%len(ink.statements)] }

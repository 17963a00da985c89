package cuda_test

import (
	"testing"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/cuda"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/internal/whole"
	"github.com/hexcc/hexcc/scop"
)

// A translation is a C file and what became of it.
type translation struct {
	scop      *scop.Program
	names     cuda.Names
	files     cuda.Files
	registers int // of a thread, by estimate; 0: not asked for
}

// A variant is a way to translate.
type variant struct {
	pipeline.Variant
	lines bool // #line directives
}

var (
	staged = variant{Variant: pipeline.Staged}
	global = variant{Variant: pipeline.Global}
	large  = variant{Variant: pipeline.Large}
	by7    = variant{Variant: pipeline.By7}
	by2    = variant{Variant: pipeline.By2}
	turns  = variant{Variant: pipeline.Turns}
)

// others are cases that are also tried in other ways than the usual one.
var others = []struct {
	base string
	variant
}{
	{"jacobi-2d", global}, {"fdtd-2d", global}, {"jacobi-2d", large}, {"fdtd-2d", large},
	{"jacobi-2d", by7}, {"fdtd-2d", by7}, {"gradient-2d", by2}, {"heat-3d", by2}, {"jacobi-2d", turns},
}

// load translates a case.
func load(t *testing.T, base string, v variant) translation {
	t.Helper()
	return translate(t, base, cases.Input(t, base), v)
}

// translate translates C text.
func translate(t *testing.T, base, text string, v variant) translation {
	t.Helper()
	v.Async = v.Async || len(base)%2 == 0 // the others copy through registers
	s, g := v.Map(t, base, text)
	names := cuda.Names{Base: base, About: []string{s.Sizes.String()}, Lines: v.lines}
	return translation{scop: g.Scop, names: names, files: cuda.Print(g, names)}
}

// compiled translates C text as the command does.
func compiled(t *testing.T, base, text string, o hexcc.Options) translation {
	t.Helper()
	made := whole.Compile(t, base, text, o)
	tr := translation{scop: made.Scop, names: cuda.Names{Base: base}, files: made.Files}
	if made.Choice != nil {
		tr.registers = made.Choice.Best[0].Counts.Registers
	}
	return tr
}

package oracle

import (
	"testing"

	"github.com/hexcc/hexcc/scop"
)

// Levels are what C compilers are asked for when our reading of a program is compared with theirs.
var Levels = []string{"-O0", "-O2"}

// SameAsC compares what p, run by the interpreter, leaves in each of mems with what the C
// compiler makes of it, bit for bit.
func SameAsC(t testing.TB, p *scop.Program, mems ...*scop.Memory) {
	t.Helper()
	var local []*scop.Array // of the function: its values are gone
	for _, a := range p.Arrays {
		if a.Local {
			local = append(local, a)
		}
	}
	var binaries []*Binary
	for _, level := range Levels {
		binaries = append(binaries, CompileC(t, p, level))
	}
	for _, mem := range mems {
		got := mem.Clone()
		if err := scop.Run(p, got); err != nil {
			t.Fatalf("%s: %v", mem.Sizes(), err)
		}
		for k, b := range binaries {
			if d := b.Run(t, mem).Compare(got, local...); d.Differ > 0 {
				t.Fatalf("%s, %s: %d of %d elements differ; first %s: %s in C, %s here\n%s", mem.Sizes(), Levels[k], d.Differ, d.Elements, d.First, d.A, d.B, p.Source)
			}
		}
	}
}

// Package oracle holds executors that are too simple to be wrong. Tests compare
// ours with them.
package oracle

import (
	"testing"

	"github.com/hexcc/hexcc/crun"
	"github.com/hexcc/hexcc/scop"
)

// A Binary is the C program of a region, compiled by the C compiler of the machine.
type Binary struct{ batch *Batch }

// CompileC compiles p.Source and a driver that runs p.Function; more are further
// arguments of the compiler. A missing compiler fails the test.
func CompileC(t testing.TB, p *scop.Program, more ...string) *Binary {
	t.Helper()
	return &Binary{CompileAll(t, []*scop.Program{p}, more...)}
}

// CompileWith is CompileC with a C compiler by name.
func CompileWith(t testing.TB, cc string, p *scop.Program, more ...string) *Binary {
	t.Helper()
	return &Binary{compileAll(t, cc, []*scop.Program{p}, more...)}
}

// Run runs the function on a copy of mem and returns the copy. The environment is ours, and env.
func (b *Binary) Run(t testing.TB, mem *scop.Memory, env ...string) *scop.Memory {
	t.Helper()
	return b.batch.Run(t, []*scop.Memory{mem}, env...)[0]
}

// A Batch is the C program of several regions of one source, each in a function of its own.
type Batch struct{ binary *crun.Binary }

// CompileAll compiles the source that ps share and a driver that runs their functions.
func CompileAll(t testing.TB, ps []*scop.Program, more ...string) *Batch {
	t.Helper()
	return compileAll(t, compiler(t), ps, more...)
}

func compileAll(t testing.TB, cc string, ps []*scop.Program, more ...string) *Batch {
	t.Helper()
	b, err := crun.Compile(cc, t.TempDir(), ps, ps[0].Source, more...)
	if err != nil {
		t.Fatal(err)
	}
	return &Batch{b}
}

func compiler(t testing.TB) string {
	cc, err := crun.Compiler()
	if err != nil {
		t.Fatal(err)
	}
	return cc
}

// Run runs each function in turn on a copy of its memory and returns the copies.
// The environment is ours, and env.
func (b *Batch) Run(t testing.TB, mems []*scop.Memory, env ...string) []*scop.Memory {
	t.Helper()
	inputs := make([]crun.Input, len(mems))
	for i, mem := range mems {
		inputs[i].Memory = mem
	}
	results, says, err := b.binary.Run(inputs, env...)
	if err != nil {
		t.Fatalf("%v\n%s", err, says)
	}
	return results
}

func cxxCompiler(t testing.TB) string {
	cc, err := crun.CxxCompiler()
	if err != nil {
		t.Fatal(err)
	}
	return cc
}

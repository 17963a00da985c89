package opencl

import (
	"fmt"
	"strings"

	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/kerneltext"
	"github.com/hexcc/hexcc/scop"
)

// Needs are what kernels need of the arithmetic of a device.
type needs struct {
	floats, doubles bool
	divides         bool // quotients or square roots of floats, which OpenCL need not round correctly
	// inexact are functions whose last bits C and OpenCL leave open, by the names
	// that the program has for them.
	inexact []string
}

// needsOf returns what the statements of regions need.
func needsOf(regions []region) needs {
	var n needs
	var programs []*gpu.Program
	for _, r := range regions {
		programs = append(programs, r.Program)
		for _, s := range r.Program.Scop.Stmts {
			s.Visit(n.note)
		}
		for _, a := range r.Program.Scop.Arrays { // copies move what no statement computes with
			n.noteType(a.Elem)
		}
	}
	n.inexact = kerneltext.Inexact(programs...)
	return n
}

func (n *needs) noteType(t scop.Type) {
	n.floats = n.floats || t == scop.Float
	n.doubles = n.doubles || t == scop.Double
}

func (n *needs) note(e scop.Expr) {
	n.noteType(e.Type())
	switch e := e.(type) {
	case scop.Binary:
		n.divides = n.divides || e.Op == "/" && e.Type() == scop.Float
	case scop.Call:
		n.divides = n.divides || e.Func == "sqrtf"
	}
}

// remarks say when results may differ from those of the original program.
func (n needs) remarks() (texts []string) {
	if n.divides {
		texts = append(texts, "That needs a device that rounds quotients and square roots of floats as C does, and the option for it.")
	}
	if len(n.inexact) > 0 {
		texts = append(texts, fmt.Sprintf("But last bits of %s are for each implementation of C and OpenCL to choose.", strings.Join(n.inexact, ", ")))
	}
	return texts
}

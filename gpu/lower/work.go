package lower

import (
	"github.com/hexcc/hexcc/scop"
)

// The estimate of registers.
const (
	baseRegisters  = 24 // tile indices, parameters, loop variables
	arrayRegisters = 4  // a pointer, and what subscripts share
	stepRegisters  = 2  // addresses of a step that a compiler computes once for all tiles
)

// registers estimates the registers of a thread: baseRegisters, arrayRegisters
// for each array, stepRegisters for each step, and room for all values that the
// widest statement reads and names, since a compiler loads early what it can;
// no more than the threads of a block leave for each.
func (ph *block) registers(steps int) int {
	n := baseRegisters + arrayRegisters*len(ph.scop.Arrays) + stepRegisters*steps + ph.statementWords()
	return min(n, ph.registersAtMost())
}

// statementWords returns the 32-bit registers of all values that the widest statement reads and names.
func (m *program) statementWords() (values int) {
	for _, st := range m.scop.Stmts {
		n := 0
		for _, acc := range st.Accesses {
			n += acc.Array.Elem.Words()
		}
		for _, a := range st.Body {
			if let, ok := a.(scop.Let); ok {
				n += let.Type.Words()
			}
		}
		values = max(values, n)
	}
	return values
}

// registersAtMost returns how many registers a thread can have, and each thread of a block for it to start.
func (ph *block) registersAtMost() int {
	return min(ph.device.RegistersPerThread, ph.device.RegistersFor(ph.size()))
}

// size returns how many threads a block has.
func (ph *block) size() int { return ph.threads[0] * ph.threads[1] * ph.threads[2] }

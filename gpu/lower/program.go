package lower

import (
	"fmt"

	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/machine"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// A program is what is common to all launches.
type program struct {
	scop     *scop.Program
	schedule *schedule.Schedule
	names    astgen.Names
	device   machine.Device
	options  Options
	known    []astgen.Known // by phase
	always   map[*scop.Stmt][]bool
	variables
	layouts
	shared indices
}

func newProgram(s *schedule.Schedule, n astgen.Names, l layouts, d machine.Device, o Options) *program {
	m := &program{scop: s.Canonical.Scop, schedule: s, names: n, device: d, options: o, layouts: l}
	m.used = astgen.UsedNames(m.scop)
	m.used.Fresh(n.T)
	for p := range n.Tiles {
		m.used.Fresh(n.Tiles[p])
		m.used.Fresh(n.Points[p])
	}
	return m
}

// certain is Certain of st, found once.
func (m *program) certain(st *scop.Stmt) []bool {
	if m.always == nil {
		m.always = map[*scop.Stmt][]bool{}
	}
	c, ok := m.always[st]
	if !ok {
		c = st.Certain()
		m.always[st] = c
	}
	return c
}

// The variables that kernels bind, which have names that nothing else has.
type variables struct {
	used       astgen.Used
	copyVars   []string
	onceVars   []string
	threadVars []string
	rolledVars []string // of loops in straight code
}

// copyVar returns the variable of the i-th loop of copies.
func (v *variables) copyVar(i int) string {
	for len(v.copyVars) <= i {
		v.copyVars = append(v.copyVars, v.used.Fresh(fmt.Sprintf("c%d", len(v.copyVars))))
	}
	return v.copyVars[i]
}

// onceVar returns the variable of a loop that leaves an axis to its thread 0.
func (v *variables) onceVar(axis int) string {
	for len(v.onceVars) <= axis {
		v.onceVars = append(v.onceVars, v.used.Fresh(fmt.Sprintf("once%d", len(v.onceVars))))
	}
	return v.onceVars[axis]
}

// threadVar returns the variable of the index of a thread along an axis.
func (v *variables) threadVar(axis int) string {
	for len(v.threadVars) <= axis {
		v.threadVars = append(v.threadVars, v.used.Fresh("xyz"[len(v.threadVars):len(v.threadVars)+1]))
	}
	return v.threadVars[axis]
}

// rolled returns the loop variable of the i-th span that is a loop.
func (v *variables) rolled(i int) string {
	for len(v.rolledVars) <= i {
		v.rolledVars = append(v.rolledVars, v.used.Fresh(fmt.Sprintf("k%d", len(v.rolledVars))))
	}
	return v.rolledVars[i]
}

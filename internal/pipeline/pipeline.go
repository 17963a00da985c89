// Package pipeline runs the passes of the compiler up to kernels, one by one, for
// tests of packages that the root package, which has their list, is above. Each
// product is verified.
package pipeline

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/frontend"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/gpu/lower"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/machine"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// A Stencil is a region, up to the cone that its tiles must respect.
type Stencil struct {
	Name  string
	Scop  *scop.Program
	Deps  []schedule.Dependence
	Space *schedule.Canonical
	Cone  schedule.Cone
}

// All reads all cases of testdata.
func All(t testing.TB) []Stencil {
	t.Helper()
	return read(t, cases.All(t))
}

// Some reads the cases of cases.Some.
func Some(t testing.TB) []Stencil {
	t.Helper()
	return read(t, cases.Some(t))
}

func read(t testing.TB, from []cases.Case) (all []Stencil) {
	t.Helper()
	for _, c := range from {
		all = append(all, Case(t, c.Name))
	}
	return all
}

// known are the cases that tests of this process have read: most are read by several, and none changes what is read.
var known sync.Map

// Case reads one case of testdata.
func Case(t testing.TB, name string) Stencil {
	t.Helper()
	if x, ok := known.Load(name); ok {
		return x.(Stencil)
	}
	x := Read(t, name, cases.Input(t, name))
	known.Store(name, x)
	return x
}

// Read reads the only region of C text, whose arrays do not overlap.
func Read(t testing.TB, name, text string) Stencil {
	t.Helper()
	return Of(t, name, program(t, name, text))
}

// Folded is Read with dimensions folded whose ends are neighbours.
func Folded(t testing.TB, name, text string) Stencil {
	t.Helper()
	p := program(t, name, text)
	if folded := schedule.Fold(p); folded != p {
		p, _ = schedule.Pieces(folded)
	}
	return Of(t, name, p)
}

// Laid returns the space of the only region of C text, as Folded lays it out, or in whole columns where nests carry dependences along a loop.
func Laid(t testing.TB, name, text string) *schedule.Canonical {
	t.Helper()
	p := program(t, name, text)
	deps, err := schedule.Dependences(p)
	require.NoError(t, err, name)
	if space, err := schedule.Columns(p, deps); err == nil && space.Ways != nil {
		return space
	}
	return Folded(t, name, text).Space
}

// program returns the only region of C text.
func program(t testing.TB, name, text string) *scop.Program {
	t.Helper()
	res, err := frontend.Parse(frontend.Source{Name: name + ".c", Text: []byte(text)}, frontend.Options{NoAlias: true})
	require.NoError(t, err, "%s\n%s", name, text)
	require.Len(t, res.Programs, 1, name)
	return scop.WithCoefficients(res.Programs[0])
}

// Of finds the dependences of p and their cone.
func Of(t testing.TB, name string, p *scop.Program) Stencil {
	t.Helper()
	return stencil(t, name, p, schedule.Canonicalize, schedule.BoundCone)
}

// stencil lays p out over time and space, and bounds its dependences.
func stencil(t testing.TB, name string, p *scop.Program, lay func(*scop.Program, []schedule.Dependence) (*schedule.Canonical, error),
	bound func(*schedule.Canonical, []schedule.Dependence) (schedule.Cone, error)) Stencil {
	t.Helper()
	deps, err := schedule.Dependences(p)
	require.NoError(t, err, name)
	space, err := lay(p, deps)
	require.NoError(t, err, name)
	require.NoError(t, space.Verify(), name)
	cone, err := bound(space, deps)
	require.NoError(t, err, name)
	require.NoError(t, cone.Verify(), name)
	return Stencil{name, p, deps, space, cone}
}

// Schedule returns the schedule with tiles of the given sizes: hybrid, or of space alone where they have no height.
func (x Stencil) Schedule(t testing.TB, sizes schedule.Sizes) *schedule.Schedule {
	t.Helper()
	tile := func() (*schedule.Schedule, error) { return schedule.Hybrid(x.Space, x.Cone, sizes) }
	if sizes.H == schedule.NoHeight {
		tile = func() (*schedule.Schedule, error) { return schedule.Space(x.Space, sizes) }
	}
	s, err := tile()
	require.NoError(t, err, "%s %v", x.Name, sizes)
	require.NoError(t, s.Verify(), "%s %v", x.Name, sizes)
	return s
}

// Loops returns the loops of s.
func Loops(t testing.TB, s *schedule.Schedule) *astgen.Program {
	t.Helper()
	p, err := astgen.Generate(s)
	require.NoError(t, err)
	require.NoError(t, p.Verify())
	return p
}

// Device returns the device of that name, such as sm_80.
func Device(t testing.TB, name string) machine.Device {
	t.Helper()
	d, ok := machine.LookupDevice(name)
	require.True(t, ok, name)
	return d
}

// Map returns the kernels of s for a device.
func Map(t testing.TB, s *schedule.Schedule, d machine.Device, o lower.Options) *gpu.Program {
	t.Helper()
	p, err := lower.Lower(Loops(t, s), d, o)
	require.NoError(t, err)
	require.NoError(t, p.Verify())
	return p
}

// InPlace reads the only region of C text whose space loops carry dependences.
func InPlace(t testing.TB, name, text string) Stencil {
	t.Helper()
	return stencil(t, name, program(t, name, text), schedule.Layout{}.Skewed, schedule.BoundSkewed)
}

// Swept reads the only region of C text whose nests carry dependences along one loop each.
func Swept(t testing.TB, name, text string) Stencil {
	t.Helper()
	return stencil(t, name, program(t, name, text), schedule.Swept, func(*schedule.Canonical, []schedule.Dependence) (c schedule.Cone, err error) { return c, nil })
}

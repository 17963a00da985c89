package scop

import (
	"fmt"
	"slices"
)

// A Wall is a condition on data that keeps what a region uses inside of arrays: that solid[i] holds at both ends, where
//
//	if (!solid[i]) b[i] = a[i - 1] + a[i + 1];
//
// is run of each i. Program has the other points only, and is what the source does where the wall stands.
type Wall struct {
	// Nest has the points at which data is tested, by loops over space alone: Iters, Bounds, Accesses, with Array and Index, and one Store, of what is not 0 where
	// the condition does not hold. All else of it is not set, and nothing but parameters, scalars, arrays of the program and Iters are named.
	Nest *Stmt
	Text string // the condition in the source: solid[i]
}

// Broken returns what is not 0 at instances at which w does not stand.
func (w Wall) Broken() Expr { return w.Nest.Body[0].(Store).Value }

// Reads returns the arrays that w tests, each once.
func (w Wall) Reads() (arrays []*Array) {
	for _, a := range w.Nest.Accesses {
		if !a.Write && !slices.Contains(arrays, a.Array) {
			arrays = append(arrays, a.Array)
		}
	}
	return arrays
}

// nests returns the statements of p, and those of its walls.
func (p *Program) nests() []*Stmt {
	all := slices.Clone(p.Stmts)
	for _, w := range p.Walls {
		all = append(all, w.Nest)
	}
	return all
}

// verify checks what the other fields say of w.
func (w Wall) verify(p *Program) error {
	if len(w.Nest.Body) != 1 {
		return fmt.Errorf("%d actions", len(w.Nest.Body))
	}
	for _, a := range w.Nest.Accesses {
		switch {
		case len(a.Index) != len(a.Array.Extents):
			return fmt.Errorf("%s has %d subscripts", a.Array.Name, len(a.Index))
		case !a.Write && (!slices.Contains(p.Arrays, a.Array) || p.Writes(a.Array)):
			return fmt.Errorf("%s is no array that the region leaves alone", a.Array.Name)
		}
	}
	return nil
}

// materials returns values with which w may stand: no bit, some, and all; the constants of w, and what lies beside them; what scalars have in m.
func (w Wall) materials(m *Memory) []float64 {
	all := []float64{0, 1, -1, 2, 4, 8}
	add := func(v float64) { all = append(all, v, v-1, v+1) }
	Visit(w.Broken(), func(e Expr) {
		switch e := e.(type) {
		case Const:
			add(float64(e.I) + e.F)
		case Var:
			if i := slices.IndexFunc(m.Program.Scalars, func(s Scalar) bool { return s.Name == e.Name }); i >= 0 && e.Kind == ScalarVar {
				add(m.Program.Scalars[i].Type.Number(m.Scalars[i]))
			}
		}
	})
	return all
}

// BuildWalls gives elements that walls test other values, all those of a point the same, where those that they have do not do. It reports whether all walls stand then.
func (m *Memory) BuildWalls() bool {
	for _, w := range m.Program.Walls {
		w.holes(m, w.materials(m))
	}
	return !slices.ContainsFunc(m.Program.Walls, func(w Wall) bool { return w.holes(m, nil) })
}

// holes reports whether there is a point at which w does not stand in m, once the elements that are tested there have had one of some values after the other.
func (w Wall) holes(m *Memory, materials []float64) (found bool) {
	var broken uint64
	var code *Code
	cell := func(k int) *uint64 {
		a := w.Nest.Accesses[k]
		s := m.Storage(a.Array)
		i, inside := a.Offsets(s, m.Params)(code.Iters)
		if !inside {
			found = true
			return new(uint64)
		}
		return &s.Cells[i]
	}
	code = Compile(m.Program, w.Nest, Binding{
		Memory: m,
		Load:   func(k int) func() uint64 { return func() uint64 { return *cell(k) } },
		Store:  func(int) func(uint64) { return func(bits uint64) { broken = bits } },
		Fault:  func(string) { found = true },
	})
	for iters := range NewNest(w.Nest, m.Params).All {
		copy(code.Iters, iters)
		code.Run()
		for i := 0; broken != 0 && i < len(materials); i++ {
			for k, a := range w.Nest.Accesses {
				switch {
				case a.Write:
				case a.Array.Elem.IsFloat():
					*cell(k) = a.Array.Elem.OfFloat(materials[i])
				default:
					*cell(k) = a.Array.Elem.OfInteger(int64(materials[i]))
				}
			}
			code.Run()
		}
		found = found || broken != 0
	}
	return found
}

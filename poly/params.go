package poly

import "slices"

// ParamSet returns the set of the values of parameters that satisfy all constraints, which are over params alone.
func ParamSet(params []string, constraints ...Constraint) Set {
	space := setSpace(slices.Clone(params), noTuple)
	s := newSystem(space.cols(), 0)
	for _, c := range constraints {
		s.addRow(c.Eq, space.vec(c.Affine))
	}
	b, ok := s.finish(space)
	if !ok {
		return Set{}
	}
	return Set{[]Basic{b}}
}

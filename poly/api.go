// Package poly provides exact sets and relations of integer points.
package poly

import "math/big"

// Placeholder bodies: the real implementation replaces this file.

type Tuple struct {
	Name string
	Dims []string
}
type Space struct {
	Params  []string
	In, Out Tuple
}
type Set struct{ parts []Basic }
type Map struct{ parts []Basic }
type Basic struct{ space Space }

// An Affine is Const + Params·params + In·in + Out·out + Divs·divs; short slices stand for zeros. Of a set, only Out is used.
type Affine struct {
	Const                 int64
	Params, In, Out, Divs []int64
}

// A Constraint is Affine >= 0, or Affine = 0 when Eq.
type Constraint struct {
	Eq bool
	Affine
}

// A Div is floor(Num/Den); Num may use earlier divs.
type Div struct {
	Num Affine
	Den int64
}

func ParseSet(text string) (Set, error) { panic("todo") }
func MustSet(text string) Set           { panic("todo") }
func ParseMap(text string) (Map, error) { panic("todo") }
func MustMap(text string) Map           { panic("todo") }

func (s Set) String() string                                        { return "" }
func (s Set) Union(t Set) Set                                       { return s }
func (s Set) Intersect(t Set) Set                                   { return s }
func (s Set) Subtract(t Set) Set                                    { return s }
func (s Set) IsEmpty() bool                                         { return false }
func (s Set) IsEqual(t Set) bool                                    { return false }
func (s Set) IsSubset(t Set) bool                                   { return false }
func (s Set) Basics() []Basic                                       { return nil }
func (s Set) Gist(ctx Set) Set                                      { return s }
func (s Set) Coalesce() Set                                         { return s }
func (s Set) ProjectOut(dims ...string) Set                         { return s }
func (s Set) Params() []string                                      { return nil }
func (s Set) FixParam(name string, v int64) Set                     { return s }
func (s Set) LexMin() Set                                           { return s }
func (s Set) LexMax() Set                                           { return s }
func (s Set) Contains(params map[string]int64, point ...int64) bool { return false }

// Sample returns a point: values of the parameters and dimensions by Space; ok is false if s is empty.
func (s Set) Sample() (params, point []int64, ok bool) { return nil, nil, false }
func (s Set) Unwrap() Map                              { return Map{} }

func (m Map) String() string      { return "" }
func (m Map) Union(t Map) Map     { return m }
func (m Map) Intersect(t Map) Map { return m }
func (m Map) Subtract(t Map) Map  { return m }
func (m Map) IsEmpty() bool       { return false }
func (m Map) IsEqual(t Map) bool  { return false }
func (m Map) IsSubset(t Map) bool { return false }
func (m Map) Basics() []Basic     { return nil }
func (m Map) Domain() Set         { return Set{} }
func (m Map) Range() Set          { return Set{} }
func (m Map) Inverse() Map        { return m }

// ApplyRange composes: A -> B and B -> C give A -> C.
func (m Map) ApplyRange(n Map) Map                       { return m }
func (m Map) ApplyDomain(n Map) Map                      { return m }
func (m Map) Apply(s Set) Set                            { return s } // image of s
func (m Map) IntersectDomain(s Set) Map                  { return m }
func (m Map) IntersectRange(s Set) Map                   { return m }
func (m Map) Deltas() Set                                { return Set{} }
func (m Map) Gist(ctx Map) Map                           { return m }
func (m Map) Coalesce() Map                              { return m }
func (m Map) SimpleHull() Map                            { return m } // over-approximation: one Basic for each pair of tuples
func (m Map) Wrap() Set                                  { return Set{} }
func (m Map) FixParam(name string, v int64) Map          { return m }
func (m Map) Sample() (params, in, out []int64, ok bool) { return nil, nil, nil, false }

// MaxRatio returns the supremum of num/den over the rational points of m (a relaxation of its integer points), and
// false where it is unbounded. den must be at least 1 on m. The supremum over the empty relation is nil, true.
func (m Map) MaxRatio(num, den Affine) (*big.Rat, bool) { return nil, false }

func (b Basic) Space() Space              { return b.space }
func (b Basic) Constraints() []Constraint { return nil }
func (b Basic) Divs() []Div               { return nil }

// A LimitError says that an exact operation would have passed a stated bound. Operations panic with it; Limited catches it.
type LimitError struct {
	Op    string // "subtract"
	What  string // "parts"
	Bound int
}

func (e *LimitError) Error() string { return "" }

// Limited runs f and returns the LimitError that an operation in it panicked with, or f's own error.
func Limited(f func() error) error { return f() }

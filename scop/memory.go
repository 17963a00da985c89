package scop

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/diag"
)

// maxCells bounds the elements of a Memory: 2 GiB of cells.
const maxCells = 1 << 28

// The codes of what can go wrong when a program runs.
const (
	codeOutside diag.Code = "HX120" // an access lies outside of its array
	codeDivide  diag.Code = "HX121" // integer division by zero
	codeExtent  diag.Code = "HX122" // an extent is negative
	codeTooBig  diag.Code = "HX403" // the arrays are too large to run the program here
)

// A Memory is the arrays, parameters and scalars of a program with their values.
type Memory struct {
	Program *Program
	Params  []int64  // by Program.Params
	Scalars []uint64 // bits, by Program.Scalars
	Arrays  []*Storage
}

// A Storage is the elements of an array, in row-major order.
type Storage struct {
	Array  *Array
	Extent []int64
	Cells  []uint64 // the bits of each element
}

// NewMemory returns the arrays of p for the given values of its parameters,
// filled with random numbers that seed alone decides, but for what its walls test, which holds if BuildWalls says so. It fails, with a
// diagnostic, if an extent is negative or the arrays are absurdly large.
func NewMemory(p *Program, params []int64, seed uint64) (*Memory, error) {
	if len(params) != len(p.Params) {
		panic(fmt.Sprintf("scop: NewMemory: %d values for %d parameters", len(params), len(p.Params)))
	}
	m := &Memory{Program: p, Params: slices.Clone(params)}
	total := int64(0)
	for _, a := range p.Arrays {
		s, err := newStorage(p, a, params)
		if err != nil {
			return nil, err
		}
		if total += s.size(); total > maxCells {
			return nil, &diag.Diagnostic{Code: codeTooBig, At: a.Pos,
				Msg: fmt.Sprintf("with %s the arrays have more than %d elements", m.Sizes(), int64(maxCells))}
		}
		m.Arrays = append(m.Arrays, s)
	}
	m.fill(seed)
	m.BuildWalls()
	return m, nil
}

// newStorage sizes array a; it has no cells yet.
func newStorage(p *Program, a *Array, params []int64) (*Storage, error) {
	s := &Storage{Array: a}
	for _, e := range a.Extents {
		n := e.At(nil, params)
		if n < 0 {
			return nil, &diag.Diagnostic{Code: codeExtent, At: a.Pos,
				Msg: fmt.Sprintf("array %s has a dimension of %d elements with %s", a.Name, n, paramList(p, params))}
		}
		s.Extent = append(s.Extent, n)
	}
	return s, nil
}

// size returns the number of elements, or more than maxCells.
func (s *Storage) size() int64 {
	n := int64(1)
	for _, e := range s.Extent {
		if e == 0 {
			return 0
		}
	}
	for _, e := range s.Extent {
		if e > maxCells || n*e > maxCells {
			return maxCells + 1
		}
		n *= e
	}
	return n
}

// fill allocates the cells and gives all that is read a value.
func (m *Memory) fill(seed uint64) {
	positive := NeedsPositive(m.Program)
	for i, s := range m.Arrays {
		rng := rand.New(rand.NewPCG(seed, uint64(i)))
		value := randomBits
		if seed%2 == 0 && !positive && !s.Array.Elem.IsFloat() {
			value = randomFlag
		}
		s.Cells = make([]uint64, s.size())
		for k := range s.Cells {
			s.Cells[k] = value(rng, s.Array.Elem, positive)
		}
		if f := s.Array.Fixed; f != nil && len(f.Values) == len(s.Cells) {
			copy(s.Cells, f.Values)
		}
	}
	rng := rand.New(rand.NewPCG(seed, 1<<32))
	m.Scalars = make([]uint64, len(m.Program.Scalars))
	for i, s := range m.Program.Scalars {
		if m.Scalars[i] = randomScalar(rng, s.Type); s.Truth {
			m.Scalars[i] &= 1
		}
		if s.Half {
			m.Scalars[i] = s.Type.OfFloat(Half.Number(Half.OfFloat(s.Type.Number(m.Scalars[i]))))
		}
		if s.Of != nil {
			if f := s.Of.Array.Fixed; f != nil && f.Values != nil {
				m.Scalars[i] = f.Values[s.Of.Number()]
			}
		} else if s.Fixed != nil && s.Fixed.Values != nil {
			m.Scalars[i] = s.Fixed.Values[0]
		}
	}
}

// randomScalar returns a coefficient: small, so that explicit schemes are stable.
func randomScalar(rng *rand.Rand, t Type) uint64 {
	switch t {
	case ComplexFloat, ComplexDouble:
		return randomScalar(rng, Float) | randomScalar(rng, Float)<<32
	case Float:
		return uint64(math.Float32bits(0.1 + rng.Float32()/4))
	case Double, LongDouble:
		return math.Float64bits(0.1 + rng.Float64()/4)
	}
	return randomBits(rng, t, true)
}

// randomBits returns a value of moderate size: it has many digits, so that no
// two orders of summation agree by chance, and repeated averages of such values
// stay in range. If positive is set it is far from 0.
func randomBits(rng *rand.Rand, t Type, positive bool) uint64 {
	switch {
	case t.IsComplex():
		return randomBits(rng, Float, positive) | randomBits(rng, Float, positive)<<32
	case t == Half:
		return toHalf(Float.Number(randomBits(rng, Float, positive)))
	case t == Float && positive:
		return uint64(math.Float32bits(0.5 + rng.Float32()))
	case t == Float:
		return uint64(math.Float32bits(2*rng.Float32() - 1))
	case t.isDouble() && positive:
		return math.Float64bits(0.5 + rng.Float64())
	case t.isDouble():
		return math.Float64bits(2*rng.Float64() - 1)
	case t == Bool:
		return uint64(rng.IntN(2))
	case positive || t.IsUnsigned():
		return uint64(1 + rng.IntN(100))
	}
	return t.encode(int64(rng.IntN(201)) - 100)
}

// randomFlag returns 0 or 1. Programs on integers often compare them, and do
// nothing of interest on others.
func randomFlag(rng *rand.Rand, _ Type, _ bool) uint64 {
	if rng.IntN(5) < 2 {
		return 1
	}
	return 0
}

// NeedsPositive reports whether p divides, or calls a function that is not
// defined for every number.
func NeedsPositive(p *Program) bool {
	for _, s := range p.Stmts {
		for _, a := range s.Body {
			switch a := a.(type) {
			case Let:
				if partial(a.Value) {
					return true
				}
			case Store:
				if partial(a.Value) {
					return true
				}
			}
		}
	}
	return false
}

// partial reports whether e divides or calls a function not defined everywhere.
func partial(e Expr) bool {
	switch e := e.(type) {
	case Unary:
		return partial(e.X)
	case Cast:
		return partial(e.X)
	case Binary:
		_, constant := stripCasts(e.Y).(Const)
		return e.Op == "%" || e.Op == "/" && !constant || partial(e.X) || partial(e.Y)
	case Cond:
		return partial(e.C) || partial(e.X) || partial(e.Y)
	case Call:
		total := []string{"fabs", "fmin", "fmax", "floor", "ceil", "fma", "abs", "sin", "cos", "exp", "tanh"}
		return !slices.Contains(total, strings.TrimSuffix(e.Func, "f")) || slices.ContainsFunc(e.Args, partial)
	}
	return false
}

func stripCasts(e Expr) Expr {
	for {
		c, ok := e.(Cast)
		if !ok {
			return e
		}
		e = c.X
	}
}

// Clone returns a copy that shares no cells with m.
func (m *Memory) Clone() *Memory {
	c := &Memory{Program: m.Program, Params: slices.Clone(m.Params), Scalars: slices.Clone(m.Scalars)}
	for _, s := range m.Arrays {
		c.Arrays = append(c.Arrays, &Storage{s.Array, slices.Clone(s.Extent), slices.Clone(s.Cells)})
	}
	return c
}

// Storage returns the elements of a.
func (m *Memory) Storage(a *Array) *Storage {
	if s := m.find(a); s != nil {
		return s
	}
	panic(fmt.Sprintf("scop: Memory.Storage: no array %s", a.Name))
}

// find returns the elements of a, nil if m does not have it.
func (m *Memory) find(a *Array) *Storage {
	for _, s := range m.Arrays {
		if s.Array == a {
			return s
		}
	}
	return nil
}

// Element names cell number k: A[1][3][4].
func (s *Storage) Element(k int) string { return ElementName(s.Array.Name, s.Extent, int64(k)) }

// ElementName returns the name of element k, in row-major order, of an array with positive extents.
func ElementName(array string, extents []int64, k int64) string {
	index := make([]int64, len(extents))
	for d := len(index) - 1; d >= 0; d-- {
		index[d], k = k%extents[d], k/extents[d]
	}
	return elementName(array, index)
}

func elementName(array string, index []int64) string {
	var b strings.Builder
	b.WriteString(array)
	for _, i := range index {
		fmt.Fprintf(&b, "[%d]", i)
	}
	return b.String()
}

// A Difference is the outcome of comparing two memories bit for bit.
type Difference struct {
	Elements int64   // compared
	Differ   int64   // that differ
	Largest  float64 // the largest |a-b|; infinite if a difference is no number
	First    string  // the first element that differs: A[1][3][4]
	A, B     string  // its values
}

// Compare compares all elements of m and n, memories of one program at the same sizes, bit for bit; what is no number is
// equal: C does not say which of two is the result of an operation.
// Arrays of except are left out.
func (m *Memory) Compare(n *Memory, except ...*Array) Difference {
	var d Difference
	for i, s := range m.Arrays {
		if slices.Contains(except, s.Array) {
			continue
		}
		t := n.Arrays[i]
		if s.Array != t.Array || !slices.Equal(s.Extent, t.Extent) {
			panic(fmt.Sprintf("scop: Memory.Compare: %s%v and %s%v", s.Array.Name, s.Extent, t.Array.Name, t.Extent))
		}
		d.Elements += int64(len(s.Cells))
		for k, a := range s.Cells {
			if b := t.Cells[k]; a != b && !s.Array.Elem.BothNaN(a, b) {
				d.add(s, k, a, b)
			}
		}
	}
	return d
}

// BothNaN reports whether a and b are the bits of what is no number in t.
func (t Type) BothNaN(a, b uint64) bool {
	return t.IsFloat() && math.IsNaN(t.Number(a)) && math.IsNaN(t.Number(b))
}

func (d *Difference) add(s *Storage, k int, a, b uint64) {
	t := s.Array.Elem
	if d.Differ++; d.Differ == 1 {
		d.First, d.A, d.B = s.Element(k), t.Format(a), t.Format(b)
	}
	by := math.Abs(t.Number(a) - t.Number(b))
	if math.IsNaN(by) {
		by = math.Inf(1)
	}
	d.Largest = max(d.Largest, by)
}

// Sizes lists the values of the parameters: n=4, T=2.
func (m *Memory) Sizes() string { return paramList(m.Program, m.Params) }

func paramList(p *Program, values []int64) string {
	list := make([]string, len(values))
	for i, v := range values {
		list[i] = fmt.Sprintf("%s=%d", p.Params[i].Name, v)
	}
	if len(list) == 0 {
		return "no parameters"
	}
	return strings.Join(list, ", ")
}

// Coef returns the coefficient of an iterator.
func (a Affine) Coef(iter int) int64 {
	if iter < len(a.Iters) {
		return a.Iters[iter]
	}
	return 0
}

// At returns the value of a for the given iterators and parameters.
func (a Affine) At(iters, params []int64) int64 {
	v := a.Const
	for i, c := range a.Iters {
		if c != 0 {
			v += c * iters[i]
		}
	}
	for i, c := range a.Params {
		if c != 0 {
			v += c * params[i]
		}
	}
	return v
}

// At returns the value of x for the given iterators and parameters.
func (x Index) At(iters, params []int64) int64 {
	v := x.Affine.At(iters, params)
	if x.Mod > 0 {
		v = floorMod(v, x.Mod)
	}
	return v
}

// floorMod returns x modulo d, at least 0, for d > 0.
func floorMod(x, d int64) int64 {
	if x %= d; x < 0 {
		x += d
	}
	return x
}

// Scramble gives the elements of a other random values.
func (m *Memory) Scramble(a *Array, seed uint64) {
	s := m.Storage(a)
	rng := rand.New(rand.NewPCG(seed, uint64(len(s.Cells))))
	for k := range s.Cells {
		s.Cells[k] = randomBits(rng, a.Elem, true)
	}
}

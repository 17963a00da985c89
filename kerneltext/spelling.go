package kerneltext

import (
	"fmt"
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/scop"
)

// A Spelling says how the names of a program are written in a dialect. The
// user's own names stay as they are unless the dialect or the kernel needs them.
type Spelling struct {
	*ctext.Spelling
	Dialect   Dialect
	Places    bool // marks say what computes which expression of the source: see ctext.Unplaced
	TimeTile  string
	macros    map[*scop.Array]string // what addresses an array of several dimensions
	subscript string                 // the parameters of macros are this and a number
	Blocks    map[string]BlockNames  // by block index
	Orders    *Orders                // where tiles wait for each other
	// Local says how many elements arrays have along a dimension, where kernels run on a part of them: pointers are then such that subscripts of whole arrays find the elements.
	Local map[*scop.Array]LocalExtent
	owned map[string]string // names that the text of streams has for itself, by what they would be called
}

// A LocalExtent is the extent, a variable of the host that kernels are passed, of a dimension of an array that is not the first one. In the array as a whole it is
// no less. Where that is a number, what the array has for one subscript of the first dimension is less than 2^32.
type LocalExtent struct {
	Dim  int
	Name string
}

// extent returns how many elements there are in dimension d of a, where kernels have it.
func (s *Spelling) extent(x ctext.Indexer, a *scop.Array, d int) affine.Sum {
	if l, ok := s.Local[a]; ok && l.Dim == d {
		return affine.Var(l.Name)
	}
	return x.Affine(a.Extents[d])
}

// NewSpelling returns a spelling of all names of p in dialect d, with the indices of hosts.
func NewSpelling(p *gpu.Program, d Dialect) *Spelling {
	var b names
	b.loops = append(b.loops, p.T)
	for _, k := range p.Kernels {
		for _, x := range k.Grid {
			b.loops = append(b.loops, x.Var)
		}
		for _, buffer := range k.Shared {
			b.others = append(b.others, buffer.Name)
		}
		b.nodes(k.Body)
	}
	reserved := slices.Concat(b.others, d.Reserved, called(p.Scop, d), axes[:], []string{"floord", "mod", "min", "max", "long_floord", "long_mod", "long_min", "long_max", "narrow", "wrong", "violated", "said", "i"}, library)
	s := &Spelling{Spelling: ctext.New(p.Scop, reserved, b.loops), Dialect: d, TimeTile: p.T, owned: map[string]string{}}
	s.macros = map[*scop.Array]string{}
	for _, array := range p.Scop.Arrays {
		if len(array.Extents) > 1 {
			s.macros[array] = s.Fresh(s.Outer[array.Name] + "_at")
		}
	}
	s.Blocks = map[string]BlockNames{}
	for _, k := range p.Kernels {
		for _, x := range k.Grid {
			if b := x.Var; s.Blocks[b].First == "" {
				s.Blocks[b] = BlockNames{s.Fresh(b + "_lo"), s.Fresh(b + "_hi"), s.Fresh(b + "_from")}
			}
		}
	}
	s.Orders = s.orders(p)
	s.subscript = "i"
	for s.numbered(s.subscript) {
		s.subscript += "_"
	}
	return s
}

// library are functions and types of the C library that hosts use, in one language or another.
var library = []string{"abort", "calloc", "clock_gettime", "exit", "fprintf", "free", "getenv", "malloc", "memcpy", "memset", "printf", "snprintf", "strcmp", "strlen", "timespec", "timespec_get"}

// called returns the names in dialect d of the functions that p calls. The source may have them for something else: where products
// are fused, it need not know of a function fma.
func called(p *scop.Program, d Dialect) (names []string) {
	for _, s := range p.Stmts {
		s.Visit(func(e scop.Expr) {
			if c, ok := e.(scop.Call); ok {
				name := c.Func
				if d.Function != nil {
					name = d.Function(name)
				}
				names = append(names, name)
			}
		})
	}
	return names
}

// numbered reports whether a name is taken that is base and a digit.
func (s *Spelling) numbered(base string) bool {
	for d := range 10 {
		if s.Taken[fmt.Sprint(base, d)] {
			return true
		}
	}
	return false
}

// BlockNames are the names of the first and last block index of a launch, and of
// the first one where launches are split.
type BlockNames struct{ First, Last, From string }

// names are those of a program's loops, and of its buffers and registers.
type names struct{ loops, others []string }

// nodes takes the names of the loops and registers in nodes.
func (b *names) nodes(nodes []gpu.Node) {
	for _, n := range nodes {
		switch n := n.(type) {
		case gpu.For:
			b.loops = append(b.loops, n.Var)
			b.nodes(n.Body)
		case gpu.Stream:
			v := n.Pipeline.Vars
			b.loops = append(b.loops, v.Time, v.Column, v.Beat, v.Last, v.Warp, v.At)
		case gpu.Test:
			b.others = append(b.others, n.Var)
		case gpu.If:
			for _, c := range n.Bases {
				b.others = append(b.others, c.Name)
			}
			b.nodes(n.Then)
			b.nodes(n.Else)
		case gpu.Threads:
			for _, l := range n.Loops {
				b.loops = append(b.loops, l.Var)
			}
			for _, op := range n.Body {
				b.registers(op)
			}
		}
	}
}

// registers takes the names of the registers that op sets.
func (b *names) registers(op gpu.Op) {
	switch op := op.(type) {
	case gpu.Load:
		b.others = append(b.others, op.Reg)
	case gpu.Compute:
		for _, r := range op.Refs {
			if r.Reg != "" {
				b.others = append(b.others, r.Reg)
			}
		}
	}
}

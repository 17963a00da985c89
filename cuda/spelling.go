package cuda

import (
	"fmt"
	"slices"

	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/scop"
)

// A spelling says how the names of a program are written in CUDA C++. The
// user's own names stay as they are unless C++, CUDA or the kernel needs them.
type spelling struct {
	prog     *gpu.Program
	index    scop.Type         // type of indices and loop variables: Int or Long
	outer    map[string]string // parameters, scalars and arrays
	local    map[string]string // local scalars of statements
	vars     map[string]bool   // loop variables and tile indices
	columnOf map[string]string // subscripts that have a name now
	alias    map[string]string // loop variables that are thread indices, where they are so now
	taken    map[string]bool

	macros    map[*scop.Array]string // what addresses an array of several dimensions
	subscript string                 // the parameters of macros are this and a number
	blocks    map[string]blockNames  // by block index
}

// reserved are names that the printed text uses, or that C++ and CUDA keep but C does not.
var reserved = []string{
	"alignas", "alignof", "and", "and_eq", "asm", "bitand", "bitor", "bool", "catch", "char8_t", "char16_t",
	"char32_t", "class", "compl", "concept", "const_cast", "consteval", "constexpr", "constinit", "co_await",
	"co_return", "co_yield", "decltype", "delete", "dynamic_cast", "explicit", "export", "false", "friend",
	"mutable", "namespace", "new", "noexcept", "not", "not_eq", "nullptr", "operator", "or", "or_eq", "private",
	"protected", "public", "reinterpret_cast", "requires", "static_assert", "static_cast", "template", "this",
	"thread_local", "throw", "true", "try", "typeid", "typename", "using", "virtual", "wchar_t", "xor", "xor_eq",
	"threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize", "dim3", "min", "max", "size_t", "NULL", "stderr",
	"floord", "mod", "tx", "ty", "tz", "error", "done", "main", "linux", "unix",
}

func newSpelling(p *gpu.Program) *spelling {
	s := &spelling{
		prog: p, index: indexType(p.Scop),
		outer: map[string]string{}, local: map[string]string{}, vars: map[string]bool{}, alias: map[string]string{}, columnOf: map[string]string{}, taken: map[string]bool{},
	}
	for _, name := range reserved {
		s.taken[name] = true
	}
	s.bind(p.T)
	for _, k := range p.Kernels {
		s.bind(k.Block)
		for _, b := range k.Shared {
			s.taken[b.Name] = true
		}
		s.bindAll(k.Body)
	}
	for _, param := range p.Scop.Params {
		s.outer[param.Name] = s.fresh(param.Name)
	}
	for _, scalar := range p.Scop.Scalars {
		s.outer[scalar.Name] = s.fresh(scalar.Name)
	}
	for _, array := range p.Scop.Arrays {
		s.outer[array.Name] = s.fresh(array.Name)
		for _, plane := range array.Planes {
			if plane.Name != array.Name {
				s.outer[plane.Name] = s.fresh(plane.Name)
			}
		}
	}
	for _, stmt := range p.Scop.Stmts {
		for _, action := range stmt.Body {
			if let, ok := action.(scop.Let); ok && s.local[let.Name] == "" {
				s.local[let.Name] = s.fresh(let.Name)
			}
		}
	}
	s.macros = map[*scop.Array]string{}
	for _, array := range p.Scop.Arrays {
		if len(array.Extents) > 1 {
			s.macros[array] = s.fresh(s.outer[array.Name] + "_at")
		}
	}
	s.blocks = map[string]blockNames{}
	for _, k := range p.Kernels {
		if b := k.Block; s.blocks[b].first == "" {
			s.blocks[b] = blockNames{s.fresh(b + "_lo"), s.fresh(b + "_hi"), s.fresh(b + "_from")}
		}
	}
	s.subscript = "i"
	for s.numbered(s.subscript) {
		s.subscript += "_"
	}
	return s
}

// numbered reports whether a name is taken that is base and a digit.
func (s *spelling) numbered(base string) bool {
	for d := range 10 {
		if s.taken[fmt.Sprint(base, d)] {
			return true
		}
	}
	return false
}

// blockNames are the names of the first and last block index of a launch, and of
// the first one where launches are split.
type blockNames struct{ first, last, from string }

// bind takes the name of a loop variable or tile index.
func (s *spelling) bind(name string) { s.vars[name], s.taken[name] = true, true }

// indexType returns Int if all parameters are of that type, so that every index
// was an int in the source, else Long.
func indexType(p *scop.Program) scop.Type {
	if slices.ContainsFunc(p.Params, func(q scop.Param) bool { return q.Type != scop.Int }) {
		return scop.Long
	}
	return scop.Int
}

// bindAll takes the names of the loops in nodes.
func (s *spelling) bindAll(nodes []gpu.Node) {
	for _, n := range nodes {
		switch n := n.(type) {
		case gpu.For:
			s.bind(n.Var)
			s.bindAll(n.Body)
		case gpu.If:
			s.bindAll(n.Then)
			s.bindAll(n.Else)
		case gpu.Threads:
			for _, l := range n.Loops {
				s.bind(l.Var)
			}
			for _, op := range n.Body {
				s.bindRegisters(op)
			}
		}
	}
}

// bindRegisters takes the names of the registers that op sets.
func (s *spelling) bindRegisters(op gpu.Op) {
	switch op := op.(type) {
	case gpu.Load:
		s.taken[op.Reg] = true
	case gpu.Compute:
		for _, r := range op.Refs {
			if r.Reg != "" {
				s.taken[r.Reg] = true
			}
		}
	}
}

// fresh returns a name that nothing else has: want, or want with underscores.
func (s *spelling) fresh(want string) string {
	for s.taken[want] {
		want += "_"
	}
	s.taken[want] = true
	return want
}

// of returns the spelling of a variable of an index: a loop variable or a parameter.
func (s *spelling) of(name string) string {
	if index := s.alias[name]; index != "" {
		return index
	}
	if !s.vars[name] && s.outer[name] != "" {
		return s.outer[name]
	}
	return name
}

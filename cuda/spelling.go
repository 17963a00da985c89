package cuda

import (
	"fmt"

	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/scop"
)

// A spelling says how the names of a program are written in CUDA C++. The
// user's own names stay as they are unless C++, CUDA or the kernel needs them.
type spelling struct {
	*ctext.Spelling
	timeTile  string
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
	var b names
	b.loops = append(b.loops, p.T)
	for _, k := range p.Kernels {
		b.loops = append(b.loops, k.Block)
		for _, buffer := range k.Shared {
			b.others = append(b.others, buffer.Name)
		}
		b.nodes(k.Body)
	}
	s := &spelling{Spelling: ctext.New(p.Scop, append(b.others, reserved...), b.loops), timeTile: p.T}
	s.macros = map[*scop.Array]string{}
	for _, array := range p.Scop.Arrays {
		if len(array.Extents) > 1 {
			s.macros[array] = s.Fresh(s.Outer[array.Name] + "_at")
		}
	}
	s.blocks = map[string]blockNames{}
	for _, k := range p.Kernels {
		if b := k.Block; s.blocks[b].first == "" {
			s.blocks[b] = blockNames{s.Fresh(b + "_lo"), s.Fresh(b + "_hi"), s.Fresh(b + "_from")}
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
		if s.Taken[fmt.Sprint(base, d)] {
			return true
		}
	}
	return false
}

// blockNames are the names of the first and last block index of a launch, and of
// the first one where launches are split.
type blockNames struct{ first, last, from string }

// names are those of a program's loops, and of its buffers and registers.
type names struct{ loops, others []string }

// nodes takes the names of the loops and registers in nodes.
func (b *names) nodes(nodes []gpu.Node) {
	for _, n := range nodes {
		switch n := n.(type) {
		case gpu.For:
			b.loops = append(b.loops, n.Var)
			b.nodes(n.Body)
		case gpu.If:
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

// Package asm reads PTX, the assembly language of NVIDIA's GPUs: it parses
// modules of any compiler, cuts kernels into basic blocks, counts what they are
// made of, and runs them, thread by thread, without a GPU.
package asm

import (
	"fmt"
	"slices"
	"strings"
)

// A Module is a file of PTX.
type Module struct {
	Version string // such as 7.0
	Target  string // such as sm_80
	Vars    []*Var // declared outside of kernels
	Kernels []*Kernel
	Funcs   []*Kernel // what kernels call
	// Approximate has Compile accept instructions that approximate, such as ex2.approx, of which NVIDIA
	// says only how far off they are: they then run as approx.go has it, and not as on a device.
	Approximate bool
}

// Kernel returns the kernel of that name, nil if there is none.
func (m *Module) Kernel(name string) *Kernel {
	i := slices.IndexFunc(m.Kernels, func(k *Kernel) bool { return k.Name == name })
	if i < 0 {
		return nil
	}
	return m.Kernels[i]
}

// A Var is memory with a name.
type Var struct {
	Space  string // shared, const or global
	Name   string
	Align  int64
	Bytes  int64 // 0 if Extern: what a launch gives
	Extern bool
	Init   []byte // the first bytes; the others are 0
}

// A Param is a parameter of a kernel.
type Param struct {
	Name string
	Type string // such as u64
}

// A Kernel is an entry, or a function: instructions, of which labels mark places.
type Kernel struct {
	Name      string
	Params    []Param
	Results   []Param // of a function
	Threads   [3]int  // .maxntid or .reqntid, 0 if not said
	MinBlocks int     // .minnctapersm, 0 if not said
	Registers int     // of a thread at most: .maxnreg, 0 if not said
	Vars      []*Var  // declared inside
	Insts     []Inst
	Labels    map[string]int // the number of the instruction behind; len(Insts) at the end
}

// An Inst is an instruction.
type Inst struct {
	Guard Operand  // a predicate; Kind None: always
	Op    string   // the first part of the name: add of add.rn.f32
	Mods  []string // the other parts
	Args  []Operand
	Line  int
}

// Name returns the whole name of the operation, such as add.rn.f32.
func (in Inst) Name() string { return strings.Join(append([]string{in.Op}, in.Mods...), ".") }

// Has reports whether mod is a part of the name.
func (in Inst) Has(mod string) bool { return slices.Contains(in.Mods, mod) }

// Type returns the last part of the name, such as f32.
func (in Inst) Type() string {
	if len(in.Mods) == 0 {
		return ""
	}
	return in.Mods[len(in.Mods)-1]
}

// A Kind says what an Operand is.
type Kind uint8

// The kinds of Operand.
const (
	None    Kind = iota
	Reg          // a register: Name, perhaps Not
	Special      // a register of the hardware: Name
	Int          // a number: Bits
	F32          // a number: Bits of a float
	F64          // a number: Bits of a double
	Symbol       // a label or the address of a variable or parameter: Name, Offset
	Address      // [base + Offset], base being Elems[0]: Reg, Symbol or Int
	Vector       // {..}: Elems
)

// An Operand is an argument of an instruction.
type Operand struct {
	Kind   Kind
	Name   string
	Not    bool // !name
	Bits   uint64
	Offset int64
	Elems  []Operand
}

// String returns o as PTX spells it.
func (o Operand) String() string {
	switch o.Kind {
	case None:
		return ""
	case Int:
		return fmt.Sprint(int64(o.Bits))
	case F32:
		return fmt.Sprintf("0f%08X", o.Bits)
	case F64:
		return fmt.Sprintf("0d%016X", o.Bits)
	case Address:
		if o.Offset != 0 {
			return fmt.Sprintf("[%v%+d]", o.Elems[0], o.Offset)
		}
		return fmt.Sprintf("[%v]", o.Elems[0])
	case Vector:
		return "{" + list(o.Elems) + "}"
	case Symbol:
		if o.Offset != 0 {
			return fmt.Sprintf("%s%+d", o.Name, o.Offset)
		}
	}
	if o.Not {
		return "!" + o.Name
	}
	return o.Name
}

// String returns in as PTX spells it.
func (in Inst) String() string {
	text := in.Name()
	if len(in.Args) > 0 {
		text += " " + list(in.Args)
	}
	if in.Guard.Kind != None {
		text = "@" + in.Guard.String() + " " + text
	}
	return text + ";"
}

func list(os []Operand) string {
	texts := make([]string, len(os))
	for i, o := range os {
		texts[i] = o.String()
	}
	return strings.Join(texts, ", ")
}

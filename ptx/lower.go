package ptx

import (
	"fmt"
	"slices"

	"github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/metadata"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/kerneltext"
	"github.com/hexcc/hexcc/scop"
)

// This file lowers kernels to functions of an LLVM module.
//
// Arithmetic of the user's program has no flag that allows anything: LLVM may do
// only what keeps every bit. Indices have nsw: like ints of C they do not overflow.

// The address spaces of NVPTX.
const (
	globalSpace types.AddrSpace = 1
	sharedSpace types.AddrSpace = 3
)

// staticShared is how many bytes a kernel may declare as shared memory. More
// must be asked for at launch.
const staticShared = 48 << 10

// The triple of the module, and its data layout, where addresses of shared memory have 32 bits.
const (
	triple     = "nvptx64-nvidia-cuda"
	dataLayout = "e-p3:32:32-p4:32:32-p5:32:32-i64:64-i128:128-v16:16-v32:32-n16:32:64"
)

// A module is the LLVM module being made of the regions of a file.
type module struct {
	*ir.Module
	declared    map[string]*ir.Func // intrinsics, and functions of libdevice
	called      []string            // of libdevice, as C calls them
	dynamic     *ir.Global          // shared memory that a launch gives, nil: none yet
	annotations *metadata.NamedDef
	nodes       int             // of metadata, so far
	empty       *metadata.Tuple // nil: none yet
}

func newModule() *module {
	m := &module{Module: ir.NewModule(), declared: map[string]*ir.Func{}}
	m.DataLayout, m.TargetTriple = dataLayout, triple
	m.annotations = &metadata.NamedDef{Name: "nvvm.annotations"}
	m.NamedMetadataDefs = map[string]*metadata.NamedDef{m.annotations.Name: m.annotations}
	return m
}

// intrinsic returns the declaration of a function that the module has not.
func (m *module) intrinsic(name string, result types.Type, args ...types.Type) *ir.Func {
	if f := m.declared[name]; f != nil {
		return f
	}
	params := make([]*ir.Param, len(args))
	for i, t := range args {
		params[i] = ir.NewParam("", t)
	}
	f := m.NewFunc(name, result, params...)
	m.declared[name] = f
	return f
}

// tuple adds a metadata tuple to the module.
func (m *module) tuple(fields ...metadata.Field) *metadata.Tuple {
	t := &metadata.Tuple{MetadataID: metadata.MetadataID(m.nodes), Fields: fields}
	m.nodes++
	m.MetadataDefs = append(m.MetadataDefs, t)
	return t
}

// invariant returns the mark of loads from what no kernel writes: a tuple of nothing.
func (m *module) invariant() metadata.MDNode {
	if m.empty == nil {
		m.empty = m.tuple()
	}
	return m.empty
}

// An ArgKind says what an Arg is.
type ArgKind uint8

// The kinds of Arg.
const (
	ArrayArg  ArgKind = iota // the address of the first element of array number Index
	ScalarArg                // scalar number Index
	ParamArg                 // parameter number Index, with the type of indices
	TimeArg                  // the time tile
	FirstArg                 // the tile of block 0 along the axis Index of the grid
	OrderArg                 // field number Index of the order of chains; see chains.go
)

// An Arg is an argument of a kernel. Index counts in the lists of the scop.Program.
type Arg struct {
	Kind  ArgKind
	Index int
	Type  scop.Type // of a number, or of the elements of an array
}

// A Kernel is a kernel of a module, and what the host must know to launch it.
type Kernel struct {
	*gpu.Kernel
	Name    string
	Args    []Arg
	Dynamic int // bytes of shared memory to ask for at launch
}

// A function is a kernel being lowered.
type function struct {
	*module
	prog    *gpu.Program
	kernel  *gpu.Kernel
	name    string
	index   *types.IntType // the type of indices
	spelled scop.Type      // the same in C
	fn      *ir.Func
	block   *ir.Block // where instructions go
	blocks  int       // so far, for their names

	params  map[Arg]*ir.Param
	written map[*scop.Array]bool
	buffers map[*gpu.Buffer]value.Value // their first elements
	places  map[*gpu.Buffer]int64       // in dynamic shared memory
	vars    map[string]value.Value      // of indices, in scope
	lanes   map[string]lane             // of these, those that are one
	regs    map[string]value.Value      // registers of the thread, in scope
	tests   map[string]value.Value      // results of gpu.Test
	tile    *tile                       // what addresses from base addresses are made of; nil: there are none
	threads [3]value.Value              // the index of the thread along each axis, nil: not asked yet
	sregs   *ir.Block                   // begins the function: parameters and indices of threads
	chain   *chain                      // the one that runs, where tiles wait for each other
}

// begin adds a kernel of p to m, still empty, which writes those arrays, with indices of that type.
func (m *module) begin(p *gpu.Program, name string, index scop.Type, written map[*scop.Array]bool) *function {
	f := &function{
		module: m, prog: p, name: name, spelled: index, index: intType(index), params: map[Arg]*ir.Param{}, written: written,
		buffers: map[*gpu.Buffer]value.Value{}, vars: map[string]value.Value{}, lanes: map[string]lane{}, regs: map[string]value.Value{}, tests: map[string]value.Value{},
	}
	f.fn = m.NewFunc(name, types.Void)
	f.fn.CallingConv = enum.CallingConvPTXKernel
	f.fn.FuncAttrs = append(f.fn.FuncAttrs, enum.FuncAttrNoUnwind)
	f.sregs = f.newBlock("entry")
	f.block = f.newBlock("body")
	return f
}

// lower adds kernel k of p to m under that name.
func (m *module) lower(p *gpu.Program, k *gpu.Kernel, name string, index scop.Type) Kernel {
	f := m.begin(p, name, index, kerneltext.Writes(k.Body))
	f.kernel = k
	out := Kernel{Kernel: k, Name: name}
	if n := k.SharedBytes(); n > staticShared {
		out.Dynamic, f.places = int(n), kerneltext.Place(k.Shared)
	}
	body := f.block
	f.outer()
	f.nodes(k.Body)
	f.block.NewRet(nil)
	f.sregs.NewBr(body)
	out.Args = f.signature()
	f.annotate(k)
	return out
}

// newBlock adds a basic block, whose name begins so.
func (f *function) newBlock(name string) *ir.Block {
	b := f.fn.NewBlock(fmt.Sprintf("%s.%d", name, f.blocks))
	f.blocks++
	return b
}

// outer binds the variables that the body may use: parameters, the time tile and
// the block's tile. They become parameters of the kernel when they are used.
func (f *function) outer() {
	for i, q := range f.prog.Scop.Params {
		f.vars[q.Name] = lazy(func() value.Value { return f.param(Arg{ParamArg, i, f.spelled}) })
	}
	f.vars[f.prog.T] = lazy(func() value.Value { return f.param(Arg{TimeArg, 0, f.spelled}) })
	for i, x := range f.kernel.Grid {
		f.vars[x.Var] = lazy(func() value.Value {
			first := f.param(Arg{FirstArg, i, f.spelled})
			block := f.special([...]string{"ctaid.x", "ctaid.y", "ctaid.z"}[i], int64(kerneltext.MaxGrid[i]))
			return f.nsw(f.sregs.NewAdd(first, block))
		})
	}
}

// A lazy value is made when it is first asked for.
type lazyValue struct {
	value.Value
	make func() value.Value
}

func lazy(make func() value.Value) *lazyValue { return &lazyValue{make: make} }

// get returns the value.
func (l *lazyValue) get() value.Value {
	if l.Value == nil {
		l.Value = l.make()
	}
	return l.Value
}

// variable returns the value of a variable of an index.
func (f *function) variable(name string) value.Value {
	switch v := f.vars[name].(type) {
	case nil:
		panic(fmt.Sprintf("ptx: variable %s is not bound in %s", name, f.name))
	case *lazyValue:
		return v.get()
	default:
		return v
	}
}

// param returns the parameter of the kernel for a.
func (f *function) param(a Arg) *ir.Param {
	if p := f.params[a]; p != nil {
		return p
	}
	var p *ir.Param
	switch a.Kind {
	case ArrayArg:
		array := f.prog.Scop.Arrays[a.Index]
		p = ir.NewParam(array.Name, pointer(f.cell(array), globalSpace))
		if !f.written[array] { // of others, threads of the block reach the same elements by arguments of their own
			p.Attrs = append(p.Attrs, enum.ParamAttrNoAlias, enum.ParamAttrReadOnly)
		}
	case ScalarArg:
		p = ir.NewParam(f.prog.Scop.Scalars[a.Index].Name, typeOf(a.Type))
	case ParamArg:
		p = ir.NewParam(f.prog.Scop.Params[a.Index].Name, typeOf(a.Type))
	case TimeArg:
		p = ir.NewParam(f.prog.T+".tile", typeOf(a.Type))
	case FirstArg:
		p = ir.NewParam(f.kernel.Grid[a.Index].Var+".first", typeOf(a.Type))
	case OrderArg:
		p = orderParam(a)
	}
	f.params[a] = p
	return p
}

// signature gives the function the parameters that are used, in the order of
// their kinds, and returns what they are.
func (f *function) signature() (args []Arg) {
	for a := range f.params {
		args = append(args, a)
	}
	slices.SortFunc(args, func(a, b Arg) int {
		if a.Kind != b.Kind {
			return int(a.Kind) - int(b.Kind)
		}
		return a.Index - b.Index
	})
	var sig []types.Type
	for _, a := range args {
		p := f.params[a]
		f.fn.Params = append(f.fn.Params, p)
		sig = append(sig, p.Type())
	}
	f.fn.Sig = types.NewFunc(types.Void, sig...)
	f.fn.Typ = nil
	return args
}

// moreThanNVCC is how many registers of a thread LLVM's code was seen to take at
// most beside what nvcc's does without spilling.
const moreThanNVCC = 8

// annotate says how many threads a block has, and how many blocks are to run at once of a kernel that does what all of these do.
func (f *function) annotate(kernels ...*gpu.Kernel) {
	resident := 0
	for i, k := range kernels {
		if n := k.ResidentOn(f.prog.Device, moreThanNVCC); i == 0 || n < resident {
			resident = n
		}
	}
	f.annotateAs(resident)
}

// annotateAs says how many threads a block has, and that so many blocks are to run at once.
func (f *function) annotateAs(resident int) {
	t := kerneltext.Threads(f.kernel)
	say := func(what string, n int) {
		f.annotations.Nodes = append(f.annotations.Nodes,
			f.tuple(f.fn, &metadata.String{Value: what}, constant.NewInt(types.I32, int64(n))))
	}
	say("maxntidx", t[0])
	say("maxntidy", t[1])
	say("maxntidz", t[2])
	if n := f.kernel.MostRegisters; n > 0 {
		say("maxnreg", n)
		return
	}
	say("minctasm", resident) // with 1, too, ptxas uses more registers than without
}

// special returns a register of the hardware, known to be from 0 to most, as an index.
func (f *function) special(name string, most int64) value.Value {
	read := f.intrinsic("llvm.nvvm.read.ptx.sreg."+name, types.I32)
	call := f.sregs.NewCall(read)
	limits := f.tuple(constant.NewInt(types.I32, 0), constant.NewInt(types.I32, most))
	call.Metadata = append(call.Metadata, &metadata.Attachment{Name: "range", Node: limits})
	if f.index.BitSize == 64 {
		return f.sregs.NewZExt(call, f.index)
	}
	return call
}

// thread returns the index of the thread along an axis.
func (f *function) thread(axis int) value.Value {
	if f.threads[axis] == nil {
		f.threads[axis] = f.special("tid."+"xyz"[axis:axis+1], f.along(axis))
	}
	return f.threads[axis]
}

// along returns the number of threads along an axis; 1 for axis -1.
func (f *function) along(axis int) int64 {
	if axis < 0 {
		return 1
	}
	return int64(kerneltext.Threads(f.kernel)[axis])
}

// buffer returns a pointer to the array that is b.
func (f *function) buffer(b *gpu.Buffer) value.Value {
	if v := f.buffers[b]; v != nil {
		return v
	}
	t := arrayType(f.cell(b.Array), b.Shape)
	if f.places == nil {
		// Not internal: LLVM must not think that only this function changes it.
		g := f.NewGlobal(f.name+"_"+b.Name, t)
		g.AddrSpace, g.Init, g.Typ = sharedSpace, constant.NewUndef(t), nil
		g.Align = ir.Align(b.Array.Elem.Size())
		f.buffers[b] = g
		return g
	}
	f.buffers[b] = f.inShared(f.places[b], t)
	return f.buffers[b]
}

// inShared returns a pointer to what lies at a byte of the shared memory that a launch gives.
func (f *function) inShared(at int64, t types.Type) value.Value {
	if f.dynamic == nil {
		f.dynamic = f.NewGlobal("hexcc_shared", types.NewArray(0, types.I8))
		f.dynamic.AddrSpace, f.dynamic.Align, f.dynamic.Linkage, f.dynamic.Typ = sharedSpace, 16, enum.LinkageExternal, nil
	}
	zero := constant.NewInt(types.I32, 0)
	start := constant.NewGetElementPtr(f.dynamic.ContentType, f.dynamic, zero, constant.NewInt(types.I32, at))
	return constant.NewBitCast(start, pointer(t, sharedSpace))
}

// The types.

func pointer(t types.Type, space types.AddrSpace) *types.PointerType {
	p := types.NewPointer(t)
	p.AddrSpace = space
	return p
}

func arrayType(elem types.Type, shape []int64) types.Type {
	for _, n := range slices.Backward(shape) {
		elem = types.NewArray(uint64(n), elem)
	}
	return elem
}

func intType(t scop.Type) *types.IntType {
	switch t {
	case scop.Int, scop.Uint:
		return types.I32
	case scop.Long, scop.Ulong:
		return types.I64
	case scop.Short, scop.Ushort:
		return types.I16
	case scop.Char, scop.Uchar:
		return types.I8
	case scop.Bool:
		return types.I1
	}
	panic(fmt.Sprintf("ptx: %v is no integer type", t))
}

// typeOf returns the type of values of type t.
func typeOf(t scop.Type) types.Type {
	switch t {
	case scop.Float:
		return types.Float
	case scop.Double:
		return types.Double
	case scop.Half:
		return types.Half
	}
	return intType(t)
}

// cell returns the type of an element in memory.
func (f *function) cell(a *scop.Array) types.Type {
	if a.Elem == scop.Bool {
		return types.I8
	}
	return typeOf(a.Elem)
}

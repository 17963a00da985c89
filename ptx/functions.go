package ptx

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/hexcc/hexcc/ptx/asm"
	"github.com/hexcc/hexcc/scop"
)

// This file runs functions of libdevice for the original program: with them it
// computes what its kernels do, bit for bit, if the kernels are right.

// Functions returns the functions of libdevice that the kernels call, each run as PTX
// that the tools make of it. The error is a diag.List.
func (f Files) Functions() (scop.Functions, error) {
	if len(f.Module.Library) == 0 {
		return nil, nil
	}
	m := newModule()
	for _, name := range f.Module.Library {
		m.wrap(name)
	}
	text, err := f.tools.Compile(m.String(), f.arch)
	if err != nil {
		return nil, err
	}
	parsed, err := asm.Parse(text)
	if err != nil {
		return nil, failed(f.tools, err)
	}
	parsed.Approximate = true
	all := scop.Functions{}
	for _, name := range f.Module.Library {
		code, err := parsed.Compile(parsed.Kernel(wrapper(name)))
		if err != nil {
			return nil, failed(f.tools, err)
		}
		all[name] = runs(code, elementOf(name).Size())
	}
	return all, nil
}

// wrapper is the name of the kernel that calls the function.
func wrapper(name string) string { return "hexcc_" + name }

// elementOf returns the type of the arguments and the result of a function of libdevice.
func elementOf(name string) scop.Type {
	if slices.Contains(libraryFunctions, name) {
		return scop.Double
	}
	return scop.Float // expf
}

// wrap adds a kernel that puts the function of the numbers at its argument there.
func (m *module) wrap(name string) {
	t := typeOf(elementOf(name))
	at := ir.NewParam("at", pointer(t, globalSpace))
	f := m.NewFunc(wrapper(name), types.Void, at)
	f.CallingConv = enum.CallingConvPTXKernel
	b := f.NewBlock("entry")
	args, params := make([]value.Value, arguments(name)), make([]types.Type, arguments(name))
	for i := range args {
		params[i] = t
		args[i] = b.NewLoad(t, b.NewGetElementPtr(t, at, constant.NewInt(types.I64, int64(i))))
	}
	b.NewStore(b.NewCall(m.intrinsic("__nv_"+name, t, params...), args...), at)
	b.NewRet(nil)
}

// arguments returns how many the function takes.
func arguments(name string) int {
	n, ok := scop.Computable(name)
	if !ok {
		panic(fmt.Sprintf("ptx: unknown function %s", name))
	}
	return n
}

// runs returns the function that the code of a wrapper computes of numbers of so many
// bytes, from their bits. It has state: one goroutine may use it at a time.
func runs(code *asm.Code, size int) func(args []uint64) uint64 {
	numbers, memory := make([]byte, 4*8), &asm.Memory{}
	launch := &asm.Launch{Blocks: [3]int{1, 1, 1}, Threads: [3]int{1, 1, 1}, Args: []uint64{memory.Alloc(numbers)}, Memory: memory}
	return func(args []uint64) uint64 {
		for i, v := range args {
			copy(numbers[i*size:], binary.LittleEndian.AppendUint64(nil, v)[:size])
		}
		if err := code.Run(launch); err != nil {
			panic(fmt.Sprintf("ptx: a function of libdevice cannot be run: %v", err))
		}
		var word [8]byte
		copy(word[:], numbers[:size])
		return binary.LittleEndian.Uint64(word[:])
	}
}

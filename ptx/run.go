package ptx

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/kerneltext"
	"github.com/hexcc/hexcc/ptx/asm"
	"github.com/hexcc/hexcc/scop"
)

// This file runs the text of kernels, whoever compiled it, as the host function
// would on a GPU.

// A Trial is one run of the kernels of a program as PTX, without a GPU.
type Trial struct {
	Program *gpu.Program
	Kernels []Kernel    // of the program, in order: their names in Module, and what they are given
	Wide    []Kernel    // the same in its second version, if it has one
	Module  *asm.Module // the text
	Seed    uint64      // of the order of execution
	// Counts, if not nil, gets how often threads ran each instruction of each kernel; see asm.Launch.
	Counts map[string][]uint64
}

// Run runs the kernels on mem, whose arrays it changes. The error says what a
// kernel did that it may not do.
func (t *Trial) Run(mem *scop.Memory) error { return t.run(t.Kernels, mem) }

// RunVersion does so with the kernels of a version of the program.
func (t *Trial) RunVersion(version int, mem *scop.Memory) error {
	if version > 0 {
		return t.run(t.Wide, mem)
	}
	return t.Run(mem)
}

func (t *Trial) run(kernels []Kernel, mem *scop.Memory) error {
	codes := make([]*asm.Code, len(kernels))
	for i, k := range kernels {
		found := t.Module.Kernel(k.Name)
		if found == nil {
			return fmt.Errorf("the PTX has no kernel %s", k.Name)
		}
		var err error
		if codes[i], err = t.Module.Compile(found); err != nil {
			return err
		}
		if t.Counts != nil && t.Counts[k.Name] == nil {
			t.Counts[k.Name] = make([]uint64, len(found.Insts))
		}
	}
	device := &asm.Memory{}
	images, places := make([][]byte, len(mem.Arrays)), make([]uint64, len(mem.Arrays))
	for i, s := range mem.Arrays {
		images[i] = image(s)
		places[i] = device.Alloc(images[i])
	}
	env := map[string]int64{}
	for i, p := range mem.Program.Params {
		env[p.Name] = mem.Params[i]
	}
	if !t.Program.Busy.Holds(env) {
		return nil
	}
	for time := affine.Eval(t.Program.TLo, env); time <= affine.Eval(t.Program.THi, env); time++ {
		env[t.Program.T] = time
		for i, k := range kernels {
			if err := t.launch(codes[i], k, mem, env, device, places); err != nil {
				return err
			}
		}
		delete(env, t.Program.T)
	}
	for i, s := range mem.Arrays {
		takeBack(s, images[i])
	}
	return nil
}

// launch runs one kernel at one time tile.
func (t *Trial) launch(code *asm.Code, k Kernel, mem *scop.Memory, env map[string]int64, device *asm.Memory, places []uint64) error {
	blocks, first := k.Blocks(env)
	if slices.Contains(blocks[:], 0) || !k.Work.Holds(env) {
		return nil
	}
	t.Seed++
	l := &asm.Launch{
		Blocks: [3]int{int(blocks[0]), int(blocks[1]), int(blocks[2])}, Threads: kerneltext.Threads(k.Kernel), Shared: int64(k.Dynamic),
		Memory: device, Seed: t.Seed, Counts: t.Counts[k.Name],
	}
	for _, a := range k.Args {
		switch a.Kind {
		case ArrayArg:
			l.Args = append(l.Args, places[a.Index])
		case ScalarArg:
			l.Args = append(l.Args, mem.Scalars[a.Index])
		case ParamArg:
			l.Args = append(l.Args, bitsOf(mem.Params[a.Index], a.Type))
		case TimeArg:
			l.Args = append(l.Args, bitsOf(env[t.Program.T], a.Type))
		case FirstArg:
			l.Args = append(l.Args, bitsOf(first[a.Index], a.Type))
		default:
			panic(fmt.Sprintf("ptx: unknown argument %v", a))
		}
	}
	return code.Run(l)
}

// bitsOf returns v as an integer of type t.
func bitsOf(v int64, t scop.Type) uint64 {
	if t.Size() == 4 {
		return uint64(uint32(v))
	}
	return uint64(v)
}

// image returns the elements of s as they lie in memory.
func image(s *scop.Storage) []byte {
	n := s.Array.Elem.Size()
	bytes := make([]byte, 0, n*len(s.Cells))
	for _, c := range s.Cells {
		bytes = append(bytes, binary.LittleEndian.AppendUint64(nil, c)[:n]...)
	}
	return bytes
}

// takeBack sets the elements of s to those of an image.
func takeBack(s *scop.Storage, bytes []byte) {
	n := s.Array.Elem.Size()
	var word [8]byte
	for i := range s.Cells {
		copy(word[:], bytes[i*n:][:n])
		s.Cells[i] = binary.LittleEndian.Uint64(word[:])
	}
}

package ptx

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
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
	// Of tiles that wait for each other: how many chains a launch may have, if that is a time tile or more, 0 for all; and how many
	// nanoseconds they wait, 0 for any time.
	Chains   int64
	Patience uint64
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
	if t.Program.Chains != nil {
		if err := t.chains(codes[0], kernels[0], mem, env, device, places); err != nil {
			return err
		}
	}
	for time := affine.Eval(t.Program.TLo, env); t.Program.Chains == nil && time <= affine.Eval(t.Program.THi, env); time++ {
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
		case FirstArg:
			l.Args = append(l.Args, bitsOf(first[a.Index], a.Type))
		default:
			l.Args = append(l.Args, t.argument(a, mem, env, places))
		}
	}
	return code.Run(l)
}

// argument returns the bits of an argument of any kernel.
func (t *Trial) argument(a Arg, mem *scop.Memory, env map[string]int64, places []uint64) uint64 {
	switch a.Kind {
	case ArrayArg:
		return places[a.Index]
	case ScalarArg:
		return mem.Scalars[a.Index]
	case ParamArg:
		return bitsOf(mem.Params[a.Index], a.Type)
	case TimeArg:
		return bitsOf(env[t.Program.T], a.Type)
	}
	panic(fmt.Sprintf("ptx: unknown argument %v", a))
}

// mostAtOnce is how many blocks run at the same time at most: a launch has 1 to so many.
const mostAtOnce = 6

// chains runs the kernel that runs all chains, as often as it takes.
func (t *Trial) chains(code *asm.Code, k Kernel, mem *scop.Memory, env map[string]int64, device *asm.Memory, places []uint64) error {
	lo, hi := affine.Eval(t.Program.TLo, env), affine.Eval(t.Program.THi, env)
	first, width, some := t.tiles(lo, hi, env)
	if !some {
		return nil
	}
	each := width[0] * width[1] * width[2] * int64(len(t.Program.Kernels))
	most := hi - lo + 1
	if t.Chains > 0 {
		most = min(most, max(1, t.Chains/each))
	}
	for begin := lo; begin <= hi; begin += most {
		t.Seed++
		count := min(most, hi-begin+1) * each
		blocks := int(min(count, rand.New(rand.NewPCG(t.Seed, 2)).Int64N(mostAtOnce)+1))
		flags := device.Alloc(make([]byte, (count+1)*flagBytes))
		order := [fields]uint64{flags, uint64(count), uint64(begin), t.Patience, uint64(first[0]), uint64(first[1]), uint64(first[2]), uint64(width[0]), uint64(width[1]), uint64(width[2])}
		l := &asm.Launch{
			Blocks: [3]int{blocks, 1, 1}, Threads: kerneltext.Threads(k.Kernel), AtOnce: blocks, Shared: int64(k.Dynamic), Memory: device, Seed: t.Seed, Counts: t.Counts[k.Name],
		}
		for _, a := range k.Args {
			if a.Kind == OrderArg {
				l.Args = append(l.Args, order[a.Index])
			} else {
				l.Args = append(l.Args, t.argument(a, mem, env, places))
			}
		}
		if err := code.Run(l); err != nil {
			return err
		}
	}
	return nil
}

// tiles returns the first tiles that any kernel has at the time tiles lo to hi along x, y and z, and how many; some: there are any.
func (t *Trial) tiles(lo, hi int64, env map[string]int64) (first, width [gpu.MaxAxes]int64, some bool) {
	axes := len(t.Program.Kernels[0].Grid)
	last := [gpu.MaxAxes]int64{}
	for axis := range axes {
		first[axis], last[axis] = math.MaxInt64, math.MinInt64
	}
	for time := lo; time <= hi; time++ {
		env[t.Program.T] = time
		for _, k := range t.Program.Kernels {
			for axis, x := range k.Grid {
				if from, to := affine.Eval(x.Lo, env), affine.Eval(x.Hi, env); from <= to {
					first[axis], last[axis] = min(first[axis], from), max(last[axis], to)
				}
			}
		}
	}
	delete(env, t.Program.T)
	for axis := range first {
		if first[axis] > last[axis] {
			return first, width, false
		}
		width[axis] = last[axis] - first[axis] + 1
	}
	return first, width, true
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

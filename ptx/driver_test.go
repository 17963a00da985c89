package ptx_test

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/internal/tool"
	"github.com/hexcc/hexcc/ptx/asm"
)

// A fakeGPU is the other end of testdata/driver.c: what a program asks of the CUDA
// driver is done here, kernels by running their PTX.
type fakeGPU struct {
	module  *asm.Module
	kernels []*asm.Kernel
	memory  asm.Memory
	arrays  map[uint64][]byte // by address
	faults  []error           // what kernels did that they may not do
	asked   map[uint32]int
	// record is told of launches in place of running them, unless it is nil.
	record func(k *asm.Kernel, blocks uint32, args []uint64)
}

// runProgram runs a program whose driver is testdata/driver.c and returns what it prints.
func runProgram(t *testing.T, program string, env []string, args ...string) (stdout, stderr string, status int, g *fakeGPU) {
	t.Helper()
	g = &fakeGPU{arrays: map[uint64][]byte{}, asked: map[uint32]int{}}
	stdout, stderr, status = g.run(t, program, env, args...)
	return stdout, stderr, status, g
}

// run runs a program with g as its device.
func (g *fakeGPU) run(t *testing.T, program string, env []string, args ...string) (stdout, stderr string, status int) {
	t.Helper()
	requests, theirs, err := os.Pipe()
	require.NoError(t, err)
	answers, mine, err := os.Pipe()
	require.NoError(t, err)
	cmd := exec.Command(program, args...)
	cmd.ExtraFiles = []*os.File{theirs, answers}
	cmd.Env = append(os.Environ(), env...)
	return tool.Finish(t, cmd, func() error {
		require.NoError(t, cmd.Start())
		require.NoError(t, errors.Join(theirs.Close(), answers.Close()))
		in, reply := bufio.NewReader(requests), bufio.NewWriter(mine)
		for g.serve(in, reply) {
			if reply.Flush() != nil {
				break
			}
		}
		require.NoError(t, errors.Join(requests.Close(), mine.Close()))
		return cmd.Wait()
	})
}

// The requests, as driver.c numbers them.
const (
	loadModule = 1 + iota
	getFunction
	allocate
	free
	copyTo
	copyFrom
	launchKernel
	setTo
)

// serve answers one request, and reports whether there was one.
func (g *fakeGPU) serve(in io.Reader, reply io.Writer) bool {
	var head struct {
		What uint32
		A, N uint64
	}
	if binary.Read(in, binary.LittleEndian, &head) != nil {
		return false
	}
	g.asked[head.What]++
	answer := func(v any) { binary.Write(reply, binary.LittleEndian, v) }
	bytes := func() []byte {
		b := make([]byte, head.N)
		io.ReadFull(in, b)
		return b
	}
	switch head.What {
	case loadModule:
		var err error
		g.module, err = asm.Parse(string(bytes()))
		answer(g.verdict(err))
	case getFunction:
		g.function(string(bytes()), answer)
	case allocate:
		b := make([]byte, head.N)
		for i := range b {
			b[i] = 0xa5
		}
		address := g.memory.Alloc(b)
		g.arrays[address] = b
		answer(address)
		answer(uint32(0))
	case free:
		_, known := g.arrays[head.A]
		delete(g.arrays, head.A)
		answer(uint32(map[bool]int{true: 0, false: 1}[known]))
	case copyTo:
		data := bytes()
		to, err := g.place(head.A, head.N)
		copy(to, data)
		answer(g.verdict(err))
	case copyFrom:
		from, err := g.place(head.A, head.N)
		answer(g.verdict(err))
		answer(from)
	case setTo:
		to, err := g.place(head.A, head.N)
		clear(to)
		answer(g.verdict(err))
	case launchKernel:
		var shape [7]uint32
		binary.Read(in, binary.LittleEndian, &shape)
		args := make([]uint64, head.N)
		binary.Read(in, binary.LittleEndian, args)
		answer(g.verdict(g.launch(g.kernels[head.A], shape, args)))
	}
	return true
}

// verdict returns the status for err, which it keeps.
func (g *fakeGPU) verdict(err error) uint32 {
	if err == nil {
		return 0
	}
	g.faults = append(g.faults, err)
	return 700
}

// function answers with the number of a kernel and the sizes of its parameters.
func (g *fakeGPU) function(name string, answer func(any)) {
	k := g.module.Kernel(name)
	if k == nil {
		answer([2]uint32{})
		answer(g.verdict(fmt.Errorf("no kernel %s", name)))
		return
	}
	answer([2]uint32{uint32(len(g.kernels)), uint32(len(k.Params))})
	for _, p := range k.Params {
		size := uint32(4)
		if strings.HasSuffix(p.Type, "64") {
			size = 8
		}
		answer(size)
	}
	g.kernels = append(g.kernels, k)
	answer(uint32(0))
}

// place returns n bytes at an address of the device.
func (g *fakeGPU) place(address, n uint64) ([]byte, error) {
	for start, b := range g.arrays {
		if address >= start && address+n <= start+uint64(len(b)) {
			return b[address-start:][:n], nil
		}
	}
	return nil, fmt.Errorf("a copy of %d bytes at %#x is outside of all arrays", n, address)
}

func (g *fakeGPU) launch(k *asm.Kernel, shape [7]uint32, args []uint64) error {
	if g.record != nil {
		g.record(k, shape[0], args)
		return nil
	}
	code, err := g.module.Compile(k)
	if err != nil {
		return err
	}
	atOnce := 1
	if strings.Contains(k.Name, "_chains") {
		atOnce = int(shape[0])
	}
	return code.Run(&asm.Launch{
		Blocks: [3]int{int(shape[0]), int(shape[1]), int(shape[2])}, AtOnce: atOnce, Threads: [3]int{int(shape[3]), int(shape[4]), int(shape[5])},
		Shared: int64(shape[6]), Args: args, Memory: &g.memory, Seed: uint64(g.asked[launchKernel]),
	})
}

// driverObject compiles testdata/driver.c.
func driverObject(t *testing.T) string {
	object := filepath.Join(t.TempDir(), "driver.o")
	tool.Run(t, "gcc", "-O1", "-Wall", "-Wextra", "-Werror", "-c", "testdata/driver.c", "-o", object)
	return object
}

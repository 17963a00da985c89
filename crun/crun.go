// Package crun runs C programs around regions: it compiles them, with a driver, by a C compiler of the
// machine, and gives them arrays to work on.
package crun

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	"github.com/hexcc/hexcc/scop"
)

// Compiler returns the path of a C compiler.
func Compiler() (string, error) {
	for _, cc := range []string{"gcc", "cc", "clang"} {
		if path, err := exec.LookPath(cc); err == nil {
			return path, nil
		}
	}
	return "", errors.New("there is no C compiler on PATH: gcc, cc or clang")
}

// CxxCompiler returns the path of a C++ compiler.
func CxxCompiler() (string, error) {
	for _, cc := range []string{"g++", "c++", "clang++"} {
		if path, err := exec.LookPath(cc); err == nil {
			return path, nil
		}
	}
	return "", errors.New("there is no C++ compiler on PATH: g++, c++ or clang++")
}

// A Binary is the C program of several regions of one source, each in a function of its own.
type Binary struct {
	regions []*scop.Program
	path    string
	// Roomy: it runs with as much memory as this process may give itself, whatever that has set: sanitizers reserve addresses without end.
	Roomy bool
}

// Compile compiles source, a text of C with the functions around the regions, and a driver that runs
// these. Files are written to dir, an empty folder; more are further arguments of the compiler cc. Where the source
// is C++, a C++ compiler of the machine is taken in its place.
func Compile(cc, dir string, regions []*scop.Program, source []byte, more ...string) (*Binary, error) {
	b := &Binary{regions: regions, path: filepath.Join(dir, "prog")}
	return b, compile(context.Background(), cc, dir, regions, source, driver(regions), append([]string{"-O1", "-ffp-contract=off", "-fwrapv"}, more...))
}

// language returns the compiler of a source in C, or in C++, what its name ends with, and the flag for its standard; cc is the C compiler.
func language(cc string, cxx bool) (compiler, end, standard string, err error) {
	if !cxx {
		return cc, ".c", "-std=gnu11", nil
	}
	compiler, err = CxxCompiler()
	return compiler, ".cpp", "-std=gnu++17", err
}

// compile compiles a source and its driver to the program prog of dir, with flags.
func compile(ctx context.Context, cc, dir string, regions []*scop.Program, source, driver []byte, flags []string) error {
	cc, end, standard, err := language(cc, regions[0].Cxx)
	if err != nil {
		return err
	}
	for name, text := range map[string][]byte{"input" + end: source, "driver" + end: driver} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o666); err != nil {
			return err
		}
	}
	run := func(args ...string) error {
		cmd := grouped(ctx, cc, slices.Concat([]string{standard, "-w"}, args, flags, []string{"-lm"})...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w\n%s", cc, err, out)
		}
		return nil
	}
	program := filepath.Join(dir, "prog")
	if err = run("-o", program, "driver"+end); err == nil {
		return nil
	}
	if objects := run("-c", "-o", filepath.Join(dir, "driver.o"), "driver"+end); objects != nil {
		return objects
	}
	// What no region needs may call functions of other files: link without it.
	if apart := run("-ffunction-sections", "-fdata-sections", "-Wl,--gc-sections", "-o", program, "driver"+end); apart != nil {
		return &LinkError{apart}
	}
	return nil
}

// A LinkError is the error of a program that compiles, and cannot be linked: its
// function needs what other files define.
type LinkError struct{ error }

func (e *LinkError) Unwrap() error { return e.error }

// An Input is what a function is run on.
type Input struct {
	*scop.Memory
	// Overlap, unless nil, are two objects of the memory: the second begins in the middle of the first.
	Overlap *[2]scop.Object
}

// Run runs each function in turn on a copy of its input. It returns the copies, and what the program says
// on stdout and stderr. The environment is ours, and env.
func (b *Binary) Run(inputs []Input, env ...string) (results []*scop.Memory, says string, err error) {
	dir, err := os.MkdirTemp("", "hexcc-run-")
	if err != nil {
		return nil, "", err
	}
	defer os.RemoveAll(dir)
	in, out := filepath.Join(dir, "in"), filepath.Join(dir, "out")
	var images []byte
	for _, input := range inputs {
		images = append(images, input.image()...)
	}
	if err := os.WriteFile(in, images, 0o666); err != nil {
		return nil, "", err
	}
	cmd := exec.Command(b.path, in, out)
	if b.Roomy {
		cmd = exec.Command("sh", "-c", `ulimit -S -d "$(ulimit -H -d)"; exec "$0" "$@"`, b.path, in, out)
	}
	cmd.Env = append(os.Environ(), env...)
	text, err := cmd.CombinedOutput()
	if err != nil {
		r := b.regions[0]
		return nil, string(text), fmt.Errorf("%s of %s with %v: %w", r.Function, r.File, inputs[0].Params, err)
	}
	data, err := os.ReadFile(out)
	if err != nil {
		return nil, "", err
	}
	for _, input := range inputs {
		mem := input.Clone()
		data = take(mem, data)
		results = append(results, mem)
	}
	if len(data) != 0 {
		return nil, "", fmt.Errorf("%d bytes left over", len(data))
	}
	return results, string(text), nil
}

// take puts what a driver has written into the arrays of a memory, and returns what is left.
func take(mem *scop.Memory, data []byte) []byte {
	for _, s := range mem.Arrays {
		if s.Array.Scratch {
			continue
		}
		for k := range s.Cells {
			s.Cells[k], data = TakeCell(s.Array.Elem, data)
		}
	}
	return data
}

// image is what the driver reads: the parameters, the scalars, and for each array its size in bytes, for each of
// its objects where it lies, and how many bytes more it has, and the elements. Programs have no arrays that are scratch.
func (in Input) image() []byte {
	var b bytes.Buffer
	_ = in.write(&b) // to memory, which takes all
	return b.Bytes()
}

// write writes the image.
func (in Input) write(to io.Writer) error {
	b := bufio.NewWriterSize(to, 1<<16)
	word := func(v uint64) { _, _ = b.Write(binary.LittleEndian.AppendUint64(nil, v)) } // an error stays until Flush
	for _, v := range in.Params {
		word(uint64(v))
	}
	for _, v := range in.Scalars {
		word(v)
	}
	number := map[scop.Object]uint64{}
	for _, s := range in.Arrays {
		if s.Array.Scratch {
			continue
		}
		bytes := len(s.Cells) * s.Array.Elem.Size()
		word(uint64(bytes))
		for k := range s.Array.Objects() {
			o := scop.Object{Array: s.Array, Index: k}
			number[o] = uint64(len(number)) + 1
			place, more := in.place(o, number)
			word(place)
			word(more)
		}
		for _, c := range s.Cells {
			_, _ = b.Write(Cell(s.Array.Elem, c))
		}
	}
	return b.Flush()
}

// place returns 0 and the bytes that o has more than its own; or, where it lies inside another object, the
// number of that and the offset.
func (in Input) place(o scop.Object, number map[scop.Object]uint64) (place, more uint64) {
	if in.Overlap == nil || in.Overlap[0] != o && in.Overlap[1] != o {
		return 0, 0
	}
	other := in.Overlap[0]
	if other == o {
		other = in.Overlap[1]
	}
	if number[other] == 0 { // it comes first: it holds the other
		return 0, in.bytes(other)
	}
	size := uint64(max(o.Array.Elem.Size(), other.Array.Elem.Size()))
	return number[other], in.bytes(other) / 2 / size * size
}

// bytes returns the size of o.
func (in Input) bytes(o scop.Object) uint64 {
	s := in.Storage(o.Array)
	return uint64(len(s.Cells) * o.Array.Elem.Size() / len(o.Array.Objects()))
}

// TakeCell returns the first element of type t in data, and what is left.
func TakeCell(t scop.Type, data []byte) (uint64, []byte) {
	switch t {
	case scop.LongDouble:
		return fromExtended(data), data[t.Size():]
	case scop.ComplexDouble:
		part := func(at int) uint64 {
			return scop.Float.OfFloat(scop.Double.Number(binary.LittleEndian.Uint64(data[at:])))
		}
		return part(0) | part(8)<<32, data[t.Size():]
	}
	var word [8]byte
	copy(word[:], data[:t.Size()])
	return binary.LittleEndian.Uint64(word[:]), data[t.Size():]
}

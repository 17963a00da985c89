package sass

import (
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/cuda"
	"github.com/hexcc/hexcc/internal/nvcc"
)

// This file compiles kernels and remembers what was made of them.

// A Compiler is NVIDIA's programs, for an architecture.
type Compiler struct {
	arch, cache    string
	nvcc, nvdisasm string // their paths
	version        string // what nvcc says of itself
}

// NewCompiler finds nvcc and nvdisasm. In a folder, if there is one, it keeps what they made, by the text that was compiled.
func NewCompiler(arch, folder string) (c Compiler, err error) {
	c = Compiler{arch: arch, cache: folder}
	if c.nvcc, err = nvcc.Find(); err != nil {
		return c, err
	}
	if c.nvdisasm, err = nvcc.FindDisassembler(); err != nil {
		return c, err
	}
	c.version, err = nvcc.Version(c.nvcc)
	return c, err
}

// A Compiled is what the compiler made of a kernel.
type Compiled struct {
	Registers int    // of a thread
	Listing   string // its instructions, as nvdisasm prints them: Parse reads them
}

// Kernel compiles files whose names begin with base, and returns what was made of the kernel with this name.
func (c Compiler) Kernel(files []ctext.File, base, name string) (made Compiled, err error) {
	all, err := c.Kernels(files, base, []string{name})
	if err != nil {
		return made, err
	}
	return all[0], nil
}

// Kernels is Kernel for several kernels, by their names.
func (c Compiler) Kernels(files []ctext.File, base string, names []string) (made []Compiled, err error) {
	if c.cache == "" {
		return c.compile(files, base, names)
	}
	paths := make([]string, len(names))
	made = make([]Compiled, len(names))
	known := true
	for i, name := range names {
		h := sha256.New()
		fmt.Fprintln(h, c.version, c.arch, name)
		for _, f := range files {
			fmt.Fprintln(h, f.Name, len(f.Text), f.Text)
		}
		paths[i] = filepath.Join(c.cache, fmt.Sprintf("%x.gz", h.Sum(nil)[:16]))
		known = known && read(paths[i], &made[i]) == nil
	}
	if known {
		return made, nil
	}
	if made, err = c.compile(files, base, names); err != nil {
		return nil, err
	}
	for i, path := range paths {
		if err := write(path, made[i]); err != nil {
			return nil, err
		}
	}
	return made, nil
}

// read reads what write has written.
func read(path string, made any) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return err
	}
	return json.NewDecoder(z).Decode(made)
}

// write writes a file that is whole or not there.
func write(path string, made any) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), "new")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	z := gzip.NewWriter(f)
	if err := errors.Join(json.NewEncoder(z).Encode(made), z.Close(), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// compile is Kernels, which remembers nothing.
func (c Compiler) compile(files []ctext.File, base string, names []string) (all []Compiled, err error) {
	dir, err := os.MkdirTemp("", "hexcc-sass")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(dir, f.Name), []byte(f.Text), 0o666); err != nil {
			return nil, err
		}
	}
	cubin, used, err := nvcc.Cubin(c.nvcc, filepath.Join(dir, cuda.KernelFile(base)), c.arch)
	if err != nil {
		return nil, err
	}
	listing, err := nvcc.Disassemble(c.nvdisasm, cubin)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		at := slices.IndexFunc(used, func(u nvcc.Usage) bool { return isNamed(u.Kernel, name) })
		if at < 0 || used[at].Registers == 0 {
			return nil, fmt.Errorf("ptxas does not say what kernel %s uses", name)
		}
		all = append(all, Compiled{used[at].Registers, section(listing, name)})
	}
	return all, nil
}

// section returns the part of a listing that is about a function.
func section(listing, name string) string {
	var out strings.Builder
	inside := false
	for line := range strings.Lines(listing) {
		if s, ok := strings.CutPrefix(strings.TrimSpace(line), ".section\t"); ok {
			inside = strings.HasPrefix(s, ".text.") && isNamed(strings.Split(s, ",")[0], name)
		}
		if inside {
			out.WriteString(line)
		}
	}
	return out.String()
}

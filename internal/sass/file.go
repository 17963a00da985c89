package sass

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/internal/nvcc"
)

// This file compiles CUDA files that hexcc has not written.

// A CompiledFile is what the compiler made of a file.
type CompiledFile struct {
	Used    []nvcc.Usage // by its kernels
	Listing string       // the instructions of all, as nvdisasm prints them: ParseSymbol reads those of one
}

// File compiles a file with flags of nvcc, which runs in the folder of the file.
func (c Compiler) File(path string, flags ...string) (made CompiledFile, err error) {
	if c.cache == "" {
		return c.compileFile(path, flags)
	}
	text, err := nvcc.Preprocess(c.nvcc, path, c.arch, flags...) // with all that it includes
	if err != nil {
		return made, err
	}
	h := sha256.New()
	fmt.Fprintln(h, c.version, c.arch, len(flags), strings.Join(flags, "\n"), text)
	kept := filepath.Join(c.cache, fmt.Sprintf("%x.file.gz", h.Sum(nil)[:16]))
	if read(kept, &made) == nil {
		return made, nil
	}
	if made, err = c.compileFile(path, flags); err != nil {
		return made, err
	}
	return made, write(kept, made)
}

// compileFile is File, which remembers nothing.
func (c Compiler) compileFile(path string, flags []string) (made CompiledFile, err error) {
	dir, err := os.MkdirTemp("", "hexcc-sass")
	if err != nil {
		return made, err
	}
	defer os.RemoveAll(dir)
	cubin := filepath.Join(dir, "file.cubin")
	if made.Used, err = nvcc.CubinOf(c.nvcc, path, c.arch, cubin, flags...); err != nil {
		return made, err
	}
	made.Listing, err = nvcc.Disassemble(c.nvdisasm, cubin)
	return made, err
}

// Kernel returns what the kernel uses that the binary has by this name, or the only one that was made of a function of this name: of a template there can be several.
func (f CompiledFile) Kernel(name string) (use nvcc.Usage, err error) {
	if i := slices.IndexFunc(f.Used, func(u nvcc.Usage) bool { return u.Kernel == name }); i >= 0 {
		return f.Used[i], nil
	}
	var found []nvcc.Usage
	var names []string
	for _, u := range f.Used {
		if names = append(names, u.Kernel); isNamed(u.Kernel, name) {
			found = append(found, u)
		}
	}
	if len(found) != 1 {
		return use, fmt.Errorf("%d kernels are of a function %s; there are %s", len(found), name, strings.Join(names, ", "))
	}
	return found[0], nil
}

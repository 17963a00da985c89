package main

import (
	"cmp"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/cuda"
	"github.com/hexcc/hexcc/internal/nvcc"
)

//go:embed text
var texts embed.FS

// checkSteps is how many steps are compared with the original program: more than
// two time tiles, and no multiple of any.
const checkSteps = 37

// shapes are the blocks and points by thread of untiled kernels.
var shapes = [][3]int{{32, 8, 1}, {64, 4, 1}, {64, 4, 4}, {128, 2, 4}, {64, 4, 8}, {128, 2, 8}, {128, 1, 16}}

// A builder compiles files, several at once, and keeps the first error.
type builder struct {
	order
	compiler string
	mu       sync.Mutex
	err      error
	slots    chan struct{}
	wait     sync.WaitGroup
}

func newBuilder(o order) (*builder, error) {
	b := &builder{order: o, slots: make(chan struct{}, max(1, o.jobs))}
	for _, folder := range []string{"objects", "bin"} {
		if err := os.MkdirAll(filepath.Join(o.dir, folder), 0o777); err != nil {
			return nil, err
		}
	}
	if o.shim {
		b.compiler = "g++"
		return b, b.write("shim/cuda_runtime.h", cuda.Shim)
	}
	path, err := nvcc.Find()
	b.compiler = path
	return b, err
}

// fail keeps the first error.
func (b *builder) fail(err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.err = cmp.Or(b.err, err)
}

// path returns the path of a file of the build.
func (b *builder) path(name string) string { return filepath.Join(b.dir, filepath.FromSlash(name)) }

// write writes a file unless it is so already, so that what is made of it stays newer.
func (b *builder) write(name, text string) error {
	path := b.path(name)
	if have, err := os.ReadFile(path); err == nil && string(have) == text {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(text), 0o666)
}

// later runs f beside others.
func (b *builder) later(f func() error) {
	b.wait.Go(func() {
		b.slots <- struct{}{}
		defer func() { <-b.slots }()
		if err := f(); err != nil {
			b.fail(err)
		}
	})
}

// object compiles a file of CUDA unless its object is newer than all that it is made of, and returns that and what the assembler said.
func (b *builder) object(source string, more ...string) (object, said string, err error) {
	object = b.path("objects/" + strings.TrimSuffix(filepath.Base(source), filepath.Ext(source)) + ".o")
	notes := strings.TrimSuffix(object, ".o") + ".txt"
	if newer(object, b.path(source), b.includes(source)...) {
		text, err := os.ReadFile(notes)
		return object, string(text), err
	}
	args := slices.Concat(b.flags(), more, []string{"-I", b.dir, "-I", b.path("ways"), "-c", b.path(source), "-o", object})
	out, err := exec.Command(b.compiler, args...).CombinedOutput()
	if err != nil {
		return "", "", fmt.Errorf("%s %s: %w\n%s", b.compiler, strings.Join(args, " "), err, out)
	}
	return object, string(out), os.WriteFile(notes, out, 0o666)
}

// flags returns those of the compiler of kernels.
func (b *builder) flags() []string {
	if b.shim {
		return []string{"-std=c++17", "-O1", "-ffp-contract=off", "-U_FORTIFY_SOURCE", "-Wno-unknown-pragmas", "-I", b.path("shim"), "-x", "c++"}
	}
	return []string{"-std=c++17", "-O3", "-arch=" + b.arch, "-Xptxas=-v"}
}

// includes returns the files of the build that a source includes.
func (b *builder) includes(source string) (paths []string) {
	text, _ := os.ReadFile(b.path(source))
	for _, m := range included.FindAllStringSubmatch(string(text), -1) {
		paths = append(paths, b.path(m[1]), b.path("ways/"+m[1]))
	}
	return paths
}

var included = regexp.MustCompile(`(?m)^#include "(.*)"$`)

// newer reports whether a file exists and is newer than the others that exist.
func newer(path, of string, others ...string) bool {
	made, err := os.Stat(path)
	if err != nil {
		return false
	}
	for _, o := range append(others, of) {
		if s, err := os.Stat(o); err == nil && s.ModTime().After(made.ModTime()) {
			return false
		}
	}
	return true
}

// run runs a program; the error has what it said.
func (b *builder) run(name string, args ...string) error {
	out, err := exec.Command(name, args...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, out)
	}
	return nil
}

// end waits for all and returns the first error.
func (b *builder) end() error {
	b.wait.Wait()
	return b.err
}

// link makes a program of objects.
func (b *builder) link(program string, objects ...string) error {
	args := []string{"-o", program}
	if b.shim {
		return b.run("g++", append(append(args, objects...), "-lm")...)
	}
	libs := "-L" + filepath.Join(filepath.Dir(b.compiler), "../lib")
	return b.run(b.compiler, append(append([]string{"-arch=" + b.arch, libs, "-cudart=static", "-Xcompiler=-static-libstdc++,-static-libgcc"}, args...), objects...)...)
}

// build builds the programs, the script that runs them, and what originals compute.
func (o order) build() error {
	b, err := newBuilder(o)
	if err != nil {
		return err
	}
	err = fs.WalkDir(texts, "text", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := texts.ReadFile(path)
		return errors.Join(err, b.write(filepath.Base(path), string(text)))
	})
	if err != nil {
		return err
	}
	if err := os.Chmod(b.path("bench-gpu"), 0o777); err != nil {
		return err
	}
	b.later(b.constants)
	runner := sync.OnceValues(func() (string, error) {
		built := fmt.Sprintf("hexcc %s, %s, %s", hexcc.Version, o.arch, b.version())
		object, _, err := b.object("runner.cu", "-DBUILT="+ctext.Quote(built), "-DCHECK_STEPS="+strconv.Itoa(checkSteps))
		return object, err
	})
	all := programs()
	names := make([]string, len(all))
	var wait sync.WaitGroup
	places := make(chan struct{}, max(1, o.jobs)) // so that the first ones are there first
	for i, p := range all {
		if o.grids != "" {
			p.grids = strings.Split(o.grids, "/")
		}
		places <- struct{}{}
		wait.Go(func() {
			defer func() { <-places }()
			name, err := b.program(p, runner)
			if err == nil && name != "" && p.stencil != nil {
				err = b.original(p)
			}
			if err == nil && !o.shim && name != "" {
				err = b.strip([]string{name})
			}
			if err != nil {
				b.fail(fmt.Errorf("%s: %w", p.key(), err))
				return
			}
			b.mu.Lock()
			defer b.mu.Unlock()
			names[i] = name
			list := strings.Join(slices.DeleteFunc(slices.Clone(names), func(s string) bool { return s == "" }), "\n") + "\n"
			if err := b.write("programs.txt", list); err != nil {
				fmt.Fprintln(os.Stderr, err)
			}
		})
	}
	wait.Wait()
	if err := b.end(); err != nil {
		return err
	}
	if !slices.ContainsFunc(names, func(s string) bool { return s != "" }) {
		return fmt.Errorf("nothing to build is called %v", o.only)
	}
	return nil
}

// constants builds the program that measures what the model and the replay assume of a device. The shim has no clock to measure.
func (b *builder) constants() error {
	if b.shim {
		return nil
	}
	object, _, err := b.object("constants.cu")
	if program := b.path("constants"); err == nil && !newer(program, object) {
		err = b.link(program, object)
	}
	return err
}

// version returns the last line that the compiler says of itself.
func (b *builder) version() string {
	out, _ := exec.Command(b.compiler, "--version").Output()
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if b.shim {
		return lines[0]
	}
	return "nvcc " + lines[len(lines)-1]
}

// original compiles the original program of a stencil and writes the hashes of what it computes, for each grid of so many points a side.
func (b *builder) original(p program) error {
	if b.reference == "" {
		return nil
	}
	s, r := p.stencil, p.real
	function := ctext.Identifier(s.name) + "_" + r.name
	var args string
	for i := range s.count() {
		args += fmt.Sprintf(", (void *)a[%d]", i)
	}
	head := fmt.Sprintf("typedef %s real;\nenum { DIMS = %d, ARRAYS = %d, PLANES = %d };\n#define ORIGINAL(T, n, a) %s(T, n%s)\n", r.name, s.dims, s.count(), s.planes(), function, args)
	reference, err := texts.ReadFile("text/reference.c")
	if err != nil {
		return err
	}
	file := "original_" + function + ".c"
	if err := b.write(file, s.source(r, function)+head+string(reference)); err != nil {
		return err
	}
	program := b.path("objects/original_" + function)
	if !newer(program, b.path(file), b.path("hash.h")) {
		if err := b.run("gcc", "-std=gnu11", "-O2", "-march=native", "-ffp-contract=off", "-w", "-I", b.dir, b.path(file), "-o", program, "-lm"); err != nil {
			return err
		}
	}
	sizes := strings.Split(b.reference, ":")
	for _, n := range strings.Split(sizes[min(s.dims-2, len(sizes)-1)], ",") {
		out := b.path(fmt.Sprintf("reference/%s-%s-%s-%d", s.name, r.name, n, checkSteps))
		if newer(out, program) {
			continue
		}
		if err := os.MkdirAll(filepath.Dir(out), 0o777); err != nil {
			return err
		}
		fmt.Println("run", program, n)
		temp := out + ".tmp"
		if err := errors.Join(b.run(program, temp, n, strconv.Itoa(checkSteps)), os.Rename(temp, out)); err != nil {
			return err
		}
	}
	return nil
}

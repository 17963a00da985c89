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
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/cuda"
	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/gpu/lower"
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
	if err := os.MkdirAll(filepath.Join(o.dir, "objects"), 0o777); err != nil {
		return nil, err
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

// object compiles a file of the build unless its object is newer than all that it is made of.
func (b *builder) object(source string, more ...string) string {
	object := b.path("objects/" + strings.TrimSuffix(filepath.Base(source), filepath.Ext(source)) + ".o")
	b.later(func() error {
		if newer(object, b.path(source), b.path("config.h"), b.path("hash.h"), b.path("untiled.cuh")) {
			return nil
		}
		fmt.Println("compile", source)
		return b.run(b.compiler, slices.Concat(b.flags(), more, []string{"-I", b.dir, "-c", b.path(source), "-o", object})...)
	})
	return object
}

// flags returns those of the compiler of kernels.
func (b *builder) flags() []string {
	if b.shim {
		return []string{"-std=c++17", "-O1", "-ffp-contract=off", "-U_FORTIFY_SOURCE", "-Wno-unknown-pragmas", "-I", b.path("shim"), "-x", "c++"}
	}
	return []string{"-std=c++17", "-O3", "-arch=" + b.arch}
}

// newer reports whether a file exists and is newer than the others that exist.
func newer(path string, others ...string) bool {
	made, err := os.Stat(path)
	if err != nil {
		return false
	}
	for _, o := range others {
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
	return b.run(b.compiler, append(append([]string{"-arch=" + b.arch, libs, "-cudart=static"}, args...), objects...)...)
}

// A config is a line of the table of the runner.
type config struct {
	benchmark                  int
	name, tile, run            string
	global, shared, operations float64
}

// build builds the runner and runs the original programs.
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
	var table strings.Builder
	table.WriteString("#include \"config.h\"\n\n")
	var benchmarks, declared, objects []string
	var configs []config
	for _, s := range stencils {
		for _, r := range realTypes {
			made, more, err := b.kernels(s, r, len(benchmarks))
			if err != nil {
				return err
			}
			if len(made) == 0 {
				continue
			}
			benchmarks = append(benchmarks, fmt.Sprintf("{%q, %q, %d, %d, %d, %d, %d, %d}", s.name, r.name, r.bytes, s.dims, s.count(), s.planes(), s.halo(), s.flops))
			configs, objects = append(configs, made...), append(objects, more...)
		}
	}
	var lines []string
	for _, c := range configs {
		declared = append(declared, fmt.Sprintf("int %s(int T, int n, void *const *a, CUstream_st *s);", c.run))
		lines = append(lines, fmt.Sprintf("{&benchmarks[%d], %q, %q, %s, %.6g, %.6g, %.6g}", c.benchmark, c.name, c.tile, c.run, c.global, c.shared, c.operations))
	}
	fmt.Fprintf(&table, "%s\n\nconst Benchmark benchmarks[] = {\n  %s};\nconst Config configs[] = {\n  %s};\n", strings.Join(declared, "\n"), strings.Join(benchmarks, ",\n  "), strings.Join(lines, ",\n  "))
	fmt.Fprintf(&table, "const int benchmark_count = %d, config_count = %d;\n", len(benchmarks), len(configs))
	if len(configs) == 0 {
		return fmt.Errorf("nothing to build is called %v", o.only)
	}
	if err := b.write("table.cu", table.String()); err != nil {
		return err
	}
	built := fmt.Sprintf("hexcc %s, %s, %s", hexcc.Version, o.arch, b.version())
	objects = append(objects, b.object("table.cu"), b.object("runner.cu", "-DBUILT="+ctext.Quote(built), "-DCHECK_STEPS="+strconv.Itoa(checkSteps)))
	if err := b.end(); err != nil {
		return err
	}
	return b.link(b.path("bench-gpu"), objects...)
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

// kernels writes and compiles what belongs to a stencil in one type, and runs its original program.
func (b *builder) kernels(s stencil, r realType, benchmark int) (configs []config, objects []string, err error) {
	function := ctext.Identifier(s.name) + "_" + r.name
	source := s.source(r, function)
	add := func(letter, what string, o hexcc.Options) error {
		if !b.only.MatchString(s.name + "/" + r.name + "/" + what) {
			return nil
		}
		base := fmt.Sprintf("%s_%s", function, letter)
		o.Base, o.Arch, o.Strategy = base, b.arch, hexcc.Hybrid
		res, err := hexcc.Compile(hexcc.Source{Name: s.name + ".c", Text: []byte(source)}, o)
		if list := (diag.List{}); errors.As(err, &list) && list[0].Code == "HX216" {
			fmt.Printf("%s/%s: %s\n", s.name, r.name, list[0].Msg)
			return nil
		}
		if err != nil {
			return err
		}
		made, err := b.wrap(res, base)
		if err != nil {
			return err
		}
		objects = append(objects, made...)
		c := configOf(res)
		c.benchmark, c.name, c.run = benchmark, fmt.Sprintf("%s (%s)", letter, what), "run_"+base
		configs = append(configs, c)
		return nil
	}
	for _, strategy := range lower.Strategies() {
		if err := add(strategy.Letter(), strategy.String(), hexcc.Options{Kernel: hexcc.Tiles, Memory: strategy}); err != nil {
			return nil, nil, err
		}
	}
	if err := add("s", string(hexcc.Streaming), hexcc.Options{Kernel: hexcc.Streaming}); err != nil {
		return nil, nil, err
	}
	if len(configs) == 0 {
		return nil, nil, nil
	}
	more, object, err := b.untiled(s, r, function, benchmark)
	if err != nil {
		return nil, nil, err
	}
	return append(configs, more...), append(objects, object), b.original(s, r, function, source)
}

// wrap writes and compiles a translation, and a function with arguments that all have in common, which calls it.
func (b *builder) wrap(res *hexcc.Result, base string) (objects []string, err error) {
	header, kernel := ctext.HeaderFile(base), cuda.KernelFile(base)
	if err := errors.Join(b.write(header, res.Files.Header), b.write(kernel, res.Files.Kernel)); err != nil {
		return nil, err
	}
	args := ""
	for i, a := range res.Scop.Arrays {
		args += fmt.Sprintf("(%s *)a[%d], ", a.Elem, i)
	}
	wrapper := "run_" + base
	text := fmt.Sprintf("#include \"config.h\"\n#include %q\n\nint %s(int T, int n, void *const *a, CUstream_st *s) { return %s(T, n, %ss); }\n",
		header, wrapper, ctext.Functions{Base: base}.Device(), args)
	if err := b.write(wrapper+".cu", text); err != nil {
		return nil, err
	}
	return []string{b.object(kernel), b.object(wrapper + ".cu")}, nil
}

// configOf returns the sizes of tiles, and what the update of a cell, which is one of all statements, moves and computes in a full one.
func configOf(res *hexcc.Result) (c config) {
	c.tile = res.Sizes.String()
	var points, global, shared, operations int64
	switch {
	case res.Streams != nil:
		fit := res.Streams.Fit()
		c.tile = fit.Shape.String()
		points, global, shared, operations = fit.Turn.Updates, fit.Turn.Bytes, fit.Turn.SharedBytes, fit.Turn.Operations
	case res.Choice != nil:
		n := res.Choice.Best[0].Counts
		points, global, shared, operations = n.Points, n.Bytes, n.SharedMoved, n.Operations
	default:
		return c
	}
	cells := float64(points) / float64(len(res.Scop.Stmts))
	c.global, c.shared, c.operations = float64(global)/cells, float64(shared)/cells, float64(operations)/cells
	return c
}

// untiled writes and compiles the untiled kernels, which may not contract either.
func (b *builder) untiled(s stencil, r realType, function string, benchmark int) (configs []config, object string, err error) {
	text := s.untiled(r) + "\n"
	for _, shape := range shapes {
		run := fmt.Sprintf("untiled_%s_%d_%d_%d", function, shape[0], shape[1], shape[2])
		text += fmt.Sprintf("int %s(int T, int n, void *const *a, CUstream_st *s) { return run<%d, %d, %d>(T, n, a, s); }\n", run, shape[0], shape[1], shape[2])
		name := fmt.Sprintf("untiled %dx%d by %d", shape[0], shape[1], shape[2])
		configs = append(configs, config{
			benchmark: benchmark, name: name, run: run, operations: float64(s.flops), global: float64(2 * r.bytes * s.count()),
		})
	}
	flags := []string{"-fmad=false"}
	if b.shim {
		flags = nil
	}
	file := "untiled_" + function + ".cu"
	if err := b.write(file, text); err != nil {
		return nil, "", err
	}
	return configs, b.object(file, flags...), nil
}

// original compiles the original program and writes what it computes.
func (b *builder) original(s stencil, r realType, function, source string) error {
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
	if err := b.write(file, source+head+string(reference)); err != nil {
		return err
	}
	if b.reference == "" {
		return nil
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

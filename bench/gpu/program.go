package main

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/cuda"
	"github.com/hexcc/hexcc/gpu/stream"
	"github.com/hexcc/hexcc/internal/nvcc"
	"github.com/hexcc/hexcc/machine"
)

// This file makes a program of the ways to run one: its kernels, a table of them, and the runner.

// A compiled is a way that was translated, and what it was compiled to.
type compiled struct {
	made
	run, check        string // functions; check: "": there is none
	objects           []string
	registers, blocks int
	err               error
}

// program builds the program of p; it returns its name, "" if there is nothing to run.
func (b *builder) program(p program, runner func() (string, error)) (string, error) {
	all, err := b.translations(p)
	if err != nil || !slices.ContainsFunc(all, func(m made) bool { return m.Refused == "" }) {
		return "", err
	}
	parts := make([]compiled, len(all))
	var wait sync.WaitGroup
	for i, m := range all {
		parts[i].made = m
		if m.Refused != "" || m.Same != "" {
			continue
		}
		b.beside(&wait, func() { parts[i] = b.compile(m) })
	}
	var byHand []compiled
	if p.stencil != nil {
		b.beside(&wait, func() { byHand, err = b.untiled(p, all) })
	}
	wait.Wait()
	for i, c := range parts { // what nvcc cannot compile is told, and others go on
		if c.err != nil {
			fmt.Fprintf(os.Stderr, "%s/%s: %v\n", p.key(), c.Way, c.err)
			parts[i].Refused = "the compiler of kernels: " + strings.SplitN(c.err.Error(), "\n", 2)[0]
		}
	}
	if err != nil {
		return "", err
	}
	name := ctext.Identifier(p.key())
	text, err := tableOf(p, append(parts, byHand...))
	if err != nil {
		return "", fmt.Errorf("%s: %w", p.key(), err)
	}
	if err := b.write("table_"+name+".cu", text); err != nil {
		return "", err
	}
	table, _, err := b.object("table_" + name + ".cu")
	if err != nil {
		return "", err
	}
	main, err := runner()
	if err != nil {
		return "", err
	}
	objects := []string{table, main}
	for _, c := range append(parts, byHand...) {
		for _, o := range c.objects {
			if !slices.Contains(objects, o) {
				objects = append(objects, o)
			}
		}
	}
	if program := b.path("bin/" + name); !newer(program, objects[0], objects[1:]...) {
		err = b.link(program, objects...)
	}
	return name, err
}

// beside runs f beside others, as many at once as there are slots.
func (b *builder) beside(wait *sync.WaitGroup, f func()) {
	wait.Go(func() {
		b.slots <- struct{}{}
		defer func() { <-b.slots }()
		f()
	})
}

// translations translates p in all ways that are asked for.
func (b *builder) translations(p program) (all []made, err error) {
	add := func(w way) error {
		if !p.ways.MatchString(w.name) || !b.only.MatchString(p.key()+"/"+w.name) {
			return nil
		}
		if _, err := os.Stat(b.path(wayFile(p, w))); b.ready && err != nil {
			return nil
		}
		m, err := b.translate(p, w)
		if err != nil {
			return err
		}
		if b.ready && m.Refused == "" && !b.compiledBefore(m) {
			return nil
		}
		if i := slices.IndexFunc(all, func(x made) bool { return x.Text == m.Text && x.Text != "" }); i >= 0 {
			m.Same = cmp.Or(all[i].Same, all[i].Way)
		}
		switch {
		case m.Refused != "":
			fmt.Printf("%s/%s: %s\n", p.key(), w.name, m.Refused)
		case m.Same != "":
			fmt.Printf("%s/%s: the kernels of %s\n", p.key(), w.name, m.Same)
		default:
			fmt.Printf("%s/%s: %s, %.0f expected\n", p.key(), w.name, m.Tile, m.Expected/1e9)
		}
		all = append(all, m)
		return nil
	}
	for _, w := range ways() {
		if err := add(w); err != nil {
			return nil, fmt.Errorf("%s/%s: %w", p.key(), w.name, err)
		}
		if w.name != "streaming" || len(all) == 0 || all[len(all)-1].Way != w.name {
			continue
		}
		for _, text := range all[len(all)-1].More {
			shape, err := stream.ParseShape(text)
			if err != nil {
				return nil, err
			}
			if err := add(way{"streaming " + text, hexcc.Options{Kernel: hexcc.Streaming, Pipeline: shape}}); err != nil {
				return nil, err
			}
		}
	}
	return all, nil
}

// compiledBefore reports whether there are the objects of a way.
func (b *builder) compiledBefore(m made) bool {
	names := []string{strings.TrimSuffix(cuda.KernelFile(m.Base), ".cu"), "run_" + m.Base}
	if !m.Unchecked {
		names = append(names, "check_"+m.Base)
	}
	for _, name := range names {
		if _, err := os.Stat(b.path("objects/" + name + ".o")); err != nil {
			return false
		}
	}
	return true
}

// compile compiles the kernels of a way, its wrapper, and its check, whose main is a function of the program.
func (b *builder) compile(m made) (c compiled) {
	c.made, c.run = m, "run_"+m.Base
	object, said, err := b.object("ways/" + cuda.KernelFile(m.Base))
	if err != nil {
		c.err = err
		return c
	}
	wrapper, _, err := b.object("ways/run_" + m.Base + ".cu")
	if err != nil {
		c.err = err
		return c
	}
	c.objects = []string{object, wrapper}
	for _, u := range nvcc.Usages(said) {
		c.registers = max(c.registers, u.Registers)
	}
	if d, ok := machine.LookupDevice(b.arch); ok && c.registers > 0 {
		c.blocks = math.MaxInt
		for _, k := range m.Kernels {
			c.blocks = min(c.blocks, d.Occupancy(k.Threads, c.registers, k.Shared).Blocks)
		}
	}
	if m.Unchecked {
		return c
	}
	check := b.path("objects/check_" + m.Base + ".o")
	c.check = "check_" + m.Base
	source := b.path("ways/" + ctext.CheckFile(m.Base))
	if !newer(check, source) {
		temp := check + ".tmp"
		c.err = errors.Join(
			b.run("gcc", "-std=gnu11", "-O2", "-ffp-contract=off", "-w", "-I", b.path("ways"), "-c", source, "-o", temp),
			b.run("objcopy", "--redefine-sym", "main="+c.check, temp), b.run("objcopy", "-G", c.check, temp, check))
	}
	c.objects = append(c.objects, check)
	return c
}

// untiled writes and compiles the kernels by hand, which may not contract either. Their arrays are those of the program.
func (b *builder) untiled(p program, all []made) (parts []compiled, err error) {
	if !p.ways.MatchString("by hand") || !b.only.MatchString(p.key()+"/by hand") {
		return nil, nil
	}
	first := all[slices.IndexFunc(all, func(m made) bool { return m.Refused == "" })]
	function := ctext.Identifier(p.key())
	text := p.stencil.untiled(p.real) + "\n"
	bytes := float64(2 * p.real.bytes)
	for _, shape := range shapes {
		run := fmt.Sprintf("untiled_%s_%d_%d_%d", function, shape[0], shape[1], shape[2])
		text += fmt.Sprintf("int %s(const long *p, void *const *a, CUstream_st *s) { return run<%d, %d, %d>((int)p[%d], (int)p[%d], a, s); }\n", run,
			shape[0], shape[1], shape[2], slices.Index(first.Params, "T"), slices.Index(first.Params, "n"))
		m := made{Way: fmt.Sprintf("by hand %dx%d by %d", shape[0], shape[1], shape[2]), Params: first.Params, Arrays: first.Arrays,
			Moved: moved{Global: bytes, Operations: float64(p.stencil.flops) / float64(p.stencil.count())}}
		parts = append(parts, compiled{made: m, run: run})
	}
	flags := []string{"-fmad=false"}
	if b.shim {
		flags = nil
	}
	file := "untiled_" + function + ".cu"
	if err := b.write(file, text); err != nil {
		return nil, err
	}
	object, _, err := b.object(file, flags...)
	for i := range parts {
		parts[i].objects = []string{object}
	}
	return parts, err
}

// smallGrid returns values for a comparison with the original program: little of space, and checkSteps steps.
func smallGrid(m made) (out []int64) {
	side := map[int]int64{1: 100000, 2: 700, 3: 80}[spaceDims(m)]
	for i, v := range m.Grids[0].Values {
		if m.Times[i] {
			out = append(out, checkSteps)
		} else {
			out = append(out, min(v, side+int64(7*i)))
		}
	}
	return out
}

// spaceDims returns how many dimensions the largest array has that parameters are the sizes of.
func spaceDims(m made) (dims int) {
	for _, a := range m.Arrays {
		dims = max(dims, strings.Count(a.Plane, "p["))
	}
	return min(max(dims, 1), 3)
}

// tableOf returns C++: what config.h declares.
func tableOf(p program, parts []compiled) (string, error) {
	first := parts[slices.IndexFunc(parts, func(c compiled) bool { return c.Refused == "" })]
	var b strings.Builder
	b.WriteString("#include \"config.h\"\n\n")
	var arrays []array
	index := map[string]int{}
	for _, c := range parts {
		if c.Refused != "" || c.Same != "" {
			continue
		}
		if !slices.Equal(c.Params, first.Params) {
			return "", fmt.Errorf("%s has parameters %v, not %v", c.Way, c.Params, first.Params)
		}
		for _, a := range c.Arrays {
			i, ok := index[a.Name]
			if !ok {
				index[a.Name] = len(arrays)
				arrays = append(arrays, a)
				continue
			}
			arrays[i].Const = arrays[i].Const && a.Const
			arrays[i].Local = arrays[i].Local && a.Local
		}
	}
	fmt.Fprintf(&b, "const char *const program_name = %q, *const program_kind = %q;\nconst bool program_fused = %t;\n", p.name, p.kind(), p.fma)
	fmt.Fprintf(&b, "const int param_count = %d, array_count = %d, grid_count = %d, way_count = %d;\n", len(first.Params), len(arrays), len(first.Grids), len(parts))
	fmt.Fprintf(&b, "const char *const param_names[] = {%s};\nconst bool param_times[] = {%s};\nconst long check_values[] = {%s};\n",
		list(first.Params, strconv.Quote), list(first.Times, strconv.FormatBool), list(smallGrid(first.made), integer))
	b.WriteString("const Array arrays[] = {\n")
	types := map[string]string{"float": "f", "double": "d", "int": "i"}
	for _, a := range arrays {
		if types[a.Elem] == "" {
			return "", fmt.Errorf("elements of %s are of type %s", a.Name, a.Elem)
		}
		fmt.Fprintf(&b, "  {%q, '%s', %d, [](const long *p) -> size_t { return %s; }, [](const long *p) -> size_t { return %s; }, %t, %t},\n",
			a.Name, types[a.Elem], a.Number, a.Count, a.Plane, a.Local, a.Const)
	}
	b.WriteString("};\n")
	for i, g := range first.Grids {
		fmt.Fprintf(&b, "static const long values_%d[] = {%s};\n", i, list(g.Values, integer))
	}
	b.WriteString("const Grid grids[] = {\n")
	for i, g := range first.Grids {
		fmt.Fprintf(&b, "  {%q, values_%d, %d.0},\n", g.Name, i, g.Instances)
	}
	b.WriteString("};\n")
	lines := ""
	for i, c := range parts {
		run, check, of := "NULL", "NULL", "NULL"
		if c.run != "" && c.Refused == "" {
			run, of = c.run, fmt.Sprintf("arrays_%d", i)
			fmt.Fprintf(&b, "int %s(const long *p, void *const *a, CUstream_st *s);\n", run)
			fmt.Fprintf(&b, "static const int %s[] = {%s};\n", of, list(c.Arrays, func(a array) string { return strconv.Itoa(index[a.Name]) }))
			if c.check != "" {
				check = c.check
				fmt.Fprintf(&b, "extern \"C\" int %s(int argc, char **argv);\n", check)
			}
		}
		lines += fmt.Sprintf("  {%q, %q, %s, %s, %s, %s, %s, %g, %d, %d, %.6g, %.6g, %.6g},\n", c.Way, c.Tile, orNull(c.Same), orNull(c.Refused), run, check, of,
			c.Expected, c.registers, c.blocks, c.Moved.Global, c.Moved.Shared, c.Moved.Operations)
	}
	fmt.Fprintf(&b, "const Way ways[] = {\n%s};\n", lines)
	return b.String(), nil
}

func orNull(s string) string {
	if s == "" {
		return "NULL"
	}
	return ctext.Quote(s)
}

func integer(v int64) string { return strconv.FormatInt(v, 10) }

// list returns elements with commas between them, a zero if there are none, for C has no empty lists.
func list[T any](all []T, text func(T) string) string {
	var out []string
	for _, x := range all {
		out = append(out, text(x))
	}
	return cmp.Or(strings.Join(out, ", "), "0")
}

// strip takes symbols out of programs, to bring less along.
func (b *builder) strip(names []string) error {
	for _, n := range names {
		if err := b.run("strip", filepath.Join(b.dir, "bin", n)); err != nil {
			return err
		}
	}
	return nil
}

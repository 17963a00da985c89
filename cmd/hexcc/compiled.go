package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/crun"
	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/scop"
)

// This file compiles printed C for verify: by each of the ways in which its rows may run.

// A build is one of these ways.
type build struct {
	name, how string
	flags     []string
}

// buildsOf returns how to compile the C that is printed: rows in loops of the compiler; in vectors that fill cache lines, whatever the processor has; and in halves
// of lines, where this processor has AVX.
func buildsOf(text string) []build {
	all := []build{{name: "loops", how: "the printed C, rows in loops", flags: []string{"-DHEXCC_VECTORS=0", "-DHEXCC_HALVES=0"}}}
	if strings.Contains(text, "HEXCC_VECTORS") {
		all = append(all, build{name: "vectors", how: "the printed C, rows in vectors that fill cache lines", flags: []string{"-DHEXCC_VECTORS=__has_builtin(__builtin_shufflevector)", "-DHEXCC_HALVES=0"}})
	}
	if strings.Contains(text, "HEXCC_HALVES") {
		all = append(all, build{name: "halves", how: "the printed C by -march=native, rows in halves of cache lines where that has AVX", flags: []string{"-march=native", "-DHEXCC_VECTORS=0"}})
	}
	return all
}

// sanitizers are the flags of --sanitize. Arrays of no elements are the program's own.
var sanitizers = []string{"-g", "-fsanitize=address,undefined", "-fno-sanitize=vla-bound", "-fno-sanitize-recover=all"}

// compileC compiles the translation of a file to C, and the original, for one of its regions.
func (c *verifyCmd) compileC(dir string, res *hexcc.Result, r *hexcc.Region) (all []compiled, original *crun.Binary, err error) {
	missing := func(what string, err error) error {
		return &diag.Diagnostic{Code: "HX501", Msg: fmt.Sprintf("%s needs a C compiler%s: %v", c.compilesBy(), what, err), Help: installCompilers}
	}
	cc, err := crun.Compiler()
	if err != nil {
		return nil, nil, missing("", err)
	}
	path := func(name string) string { return filepath.Join(dir, name) }
	flags, err := c.compilerFlags()
	if err != nil {
		return nil, nil, err
	}
	regions := []*scop.Program{r.Scop}
	if err := os.Mkdir(path("original"), 0o777); err != nil {
		return nil, nil, err
	}
	if original, err = crun.Compile(cc, path("original"), regions, r.Scop.Source, flags...); err != nil {
		return nil, nil, c.notCompiledC(notCompiled(cc, err))
	}
	env := []string{"OMP_NUM_THREADS=4", "ASAN_OPTIONS=detect_leaks=0"}
	if c.Sanitize {
		if err := sanitizes(cc, dir); err != nil {
			return nil, nil, missing(" with AddressSanitizer and UndefinedBehaviorSanitizer", err)
		}
		flags = append(flags, sanitizers...)
	}
	if hexcc.Target(c.Target) == hexcc.OpenMP {
		flags = append(flags, "-fopenmp", "-DHEXCC_GRAIN=0") // threads, whatever the size
	}
	for _, b := range buildsOf(res.C.Whole) {
		if err := os.Mkdir(path(b.name), 0o777); err != nil {
			return nil, nil, err
		}
		ours, err := crun.Compile(cc, path(b.name), regions, []byte(res.C.Text), append(flags[:len(flags):len(flags)], b.flags...)...)
		if err != nil {
			return nil, nil, c.notCompiledC(rejected(cc, err))
		}
		how := b.how
		if ours.Roomy = c.Sanitize; c.Sanitize {
			how += ", under sanitizers"
		}
		all = append(all, compiled{how: how, all: "with the file around it", prog: ours, ran: "the tiled loops run", env: env})
	}
	return all, original, nil
}

// sanitizes returns an error unless a compiler makes programs with the sanitizers.
func sanitizes(cc, dir string) error {
	source := filepath.Join(dir, "sanitized.c")
	if err := os.WriteFile(source, []byte("int main(void) { return 0; }\n"), 0o666); err != nil {
		return err
	}
	out, err := output(deadline, cc, append(sanitizers[:len(sanitizers):len(sanitizers)], source, "-o", filepath.Join(dir, "sanitized"))...)
	if err != nil {
		return fmt.Errorf("%s: %w\n%s", cc, err, out)
	}
	return nil
}

// compilesBy is the flag that asks for a compiler.
func (c *verifyCmd) compilesBy() string {
	if c.Sanitize {
		return "--sanitize"
	}
	return "--device=cpu"
}

// notCompiledC returns err, of notCompiled or rejected, with the flag that asked for a compiler.
func (c *verifyCmd) notCompiledC(err error) error { return askedBy(c.compilesBy(), err) }

// askedBy returns err, which names --device=cpu, with the flag that asked for a compiler.
func askedBy(flag string, err error) error {
	var d *diag.Diagnostic
	if flag != "--device=cpu" && errors.As(err, &d) {
		d.Msg = strings.Replace(d.Msg, "--device=cpu", flag, 1)
		d.Help = strings.ReplaceAll(d.Help, "--device=cpu", flag)
	}
	return err
}

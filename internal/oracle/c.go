// Package oracle holds executors that are too simple to be wrong. Tests compare
// ours with them.
package oracle

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/scop"
)

// A Binary is the C program of a region, compiled by the C compiler of the machine.
type Binary struct{ batch *Batch }

// CompileC compiles p.Source and a driver that runs p.Function; more are further
// arguments of the compiler. A missing compiler fails the test.
func CompileC(t testing.TB, p *scop.Program, more ...string) *Binary {
	t.Helper()
	return &Binary{CompileAll(t, []*scop.Program{p}, more...)}
}

// CompileWith is CompileC with a C compiler by name.
func CompileWith(t testing.TB, cc string, p *scop.Program, more ...string) *Binary {
	t.Helper()
	return &Binary{compileAll(t, cc, []*scop.Program{p}, more...)}
}

// Run runs the function on a copy of mem and returns the copy. The environment is ours, and env.
func (b *Binary) Run(t testing.TB, mem *scop.Memory, env ...string) *scop.Memory {
	t.Helper()
	return b.batch.Run(t, []*scop.Memory{mem}, env...)[0]
}

// A Batch is the C program of several regions of one source, each in a function of its own.
type Batch struct {
	programs []*scop.Program
	path     string
}

// CompileAll compiles the source that ps share and a driver that runs their functions.
func CompileAll(t testing.TB, ps []*scop.Program, more ...string) *Batch {
	t.Helper()
	return compileAll(t, compiler(t), ps, more...)
}

func compileAll(t testing.TB, cc string, ps []*scop.Program, more ...string) *Batch {
	t.Helper()
	dir := t.TempDir()
	b := &Batch{ps, filepath.Join(dir, "prog")}
	driver, err := driver(ps)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string][]byte{"input.c": ps[0].Source, "driver.c": driver} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	args := append([]string{"-O1", "-ffp-contract=off", "-fwrapv", "-std=gnu11", "-w", "-o", b.path, "driver.c"}, more...)
	cmd := exec.Command(cc, append(args, "-lm")...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s\n%s", err, out, driver)
	}
	return b
}

func compiler(t testing.TB) string {
	for _, cc := range []string{"gcc", "cc", "clang"} {
		if path, err := exec.LookPath(cc); err == nil {
			return path
		}
	}
	t.Fatal("this test needs a C compiler: gcc, cc or clang")
	return ""
}

// Run runs each function in turn on a copy of its memory and returns the copies.
// The environment is ours, and env.
func (b *Batch) Run(t testing.TB, mems []*scop.Memory, env ...string) []*scop.Memory {
	t.Helper()
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in"), filepath.Join(dir, "out")
	var images []byte
	for _, mem := range mems {
		images = append(images, image(mem)...)
	}
	if err := os.WriteFile(in, images, 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(b.path, in, out)
	cmd.Env = append(os.Environ(), env...)
	if msg, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s of %s with %v: %v\n%s", b.programs[0].Function, b.programs[0].File, mems[0].Params, err, msg)
	}
	data, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	results := make([]*scop.Memory, len(mems))
	for i, mem := range mems {
		results[i] = mem.Clone()
		for _, s := range results[i].Arrays {
			for k := range s.Cells {
				s.Cells[k], data = takeCell(s.Array.Elem, data)
			}
		}
	}
	if len(data) != 0 {
		t.Fatalf("%d bytes left over", len(data))
	}
	return results
}

// image is what the driver reads: the parameters, the scalars, and for each
// array its size in bytes and its elements.
func image(mem *scop.Memory) []byte {
	var b bytes.Buffer
	word := func(v uint64) { binary.Write(&b, binary.LittleEndian, v) }
	for _, v := range mem.Params {
		word(uint64(v))
	}
	for _, v := range mem.Scalars {
		word(v)
	}
	for _, s := range mem.Arrays {
		word(uint64(len(s.Cells) * s.Array.Elem.Size()))
		for _, c := range s.Cells {
			b.Write(binary.LittleEndian.AppendUint64(nil, c)[:s.Array.Elem.Size()])
		}
	}
	return b.Bytes()
}

func takeCell(t scop.Type, data []byte) (uint64, []byte) {
	var word [8]byte
	copy(word[:], data[:t.Size()])
	return binary.LittleEndian.Uint64(word[:]), data[t.Size():]
}

// driver returns a main that for each program reads an image, calls the function
// and writes the arrays. What is no argument of the function is a global of the same name.
func driver(ps []*scop.Program) ([]byte, error) {
	var b bytes.Buffer
	say := func(format string, a ...any) { fmt.Fprintf(&b, format+"\n", a...) }
	say("#define main hexcc_original_main\n#include \"input.c\"\n#undef main")
	say("#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>")
	say("static FILE *hxfile, *hxout;\nstatic void hxget(void *p, size_t n) { if (fread(p, 1, n, hxfile) != n) exit(3); }")
	for i, p := range ps {
		args, err := ctext.ArgumentNames(p)
		if err != nil {
			return nil, err
		}
		say("static void hxrun%d(void) {", i)
		driveOne(say, p, args)
		say("}")
	}
	say("int main(int argc, char **argv) {\n  hxfile = fopen(argv[1], \"rb\");\n  hxout = fopen(argv[2], \"wb\");")
	for i := range ps {
		say("  hxrun%d();", i)
	}
	say("  return fclose(hxout);\n}")
	return b.Bytes(), nil
}

// driveOne writes the statements that run p, whose function has args.
func driveOne(say func(string, ...any), p *scop.Program, args []string) {
	value := func(name string, t scop.Type) {
		say("  %s hx_%s; { unsigned long long w; hxget(&w, 8); memcpy(&hx_%s, &w, sizeof hx_%s); }", t, name, name, name)
		if !slices.Contains(args, name) {
			say("  %s = hx_%s;", name, name)
		}
	}
	for _, v := range p.Params {
		value(v.Name, v.Type)
	}
	for _, v := range p.Scalars {
		value(v.Name, v.Type)
	}
	for _, a := range p.Arrays {
		objects := a.Objects()
		say("  size_t hxsize_%s; hxget(&hxsize_%s, 8); hxsize_%s /= %d;", a.Name, a.Name, a.Name, len(objects))
		for _, o := range objects {
			if slices.Contains(args, o.Name) || a.Local { // a local array stays as it is
				say("  void *hx_%s = malloc(hxsize_%s + 1);", o.Name, a.Name)
			} else {
				say("  void *hx_%s = %s;", o.Name, o.Flat)
			}
			say("  hxget(hx_%s, hxsize_%s);", o.Name, a.Name)
		}
	}
	say("  %s(%s);", p.Function, strings.Join(passed(p, args), ", "))
	for _, a := range p.Arrays {
		for _, o := range a.Objects() {
			say("  fwrite(hx_%s, 1, hxsize_%s, hxout);", o.Name, a.Name)
			if slices.Contains(args, o.Name) || a.Local { // a local array stays as it is
				say("  free(hx_%s);", o.Name)
			}
		}
	}
}

// passed returns what to pass for args: 0 for what the region does not use.
func passed(p *scop.Program, args []string) []string {
	known := map[string]bool{}
	for _, v := range p.Params {
		known[v.Name] = true
	}
	for _, v := range p.Scalars {
		known[v.Name] = true
	}
	for _, a := range p.Arrays {
		for _, o := range a.Objects() {
			known[o.Name] = true
		}
	}
	list := make([]string, len(args))
	for i, a := range args {
		if list[i] = "0"; known[a] {
			list[i] = "hx_" + a
		}
	}
	return list
}

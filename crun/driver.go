package crun

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/scop"
)

// This file writes the driver.

// placing is C: it gives each object memory, or a place in that of another.
const placing = `static char *hxall[1000];
static int hxcount;
static void *hxplace(size_t size, void *fixed) {
  unsigned long long place[2];
  hxget(place, sizeof place);
  return hxall[hxcount++] = fixed ? (char *)fixed : place[0] ? hxall[place[0] - 1] + place[1] : (char *)malloc(size + place[1] + 1);
}`

// An ending is what a driver does with a program once its memory is as the image says.
type ending struct {
	call   func(call string)        // of the function
	result func(array, size string) // an array in memory, and how many bytes it has
	ended  func()
}

// driver returns a main that for each program reads an image, calls the function
// and writes the arrays. What is no argument of the function is a global of the same name.
func driver(ps []*scop.Program) []byte {
	var b bytes.Buffer
	say := func(format string, a ...any) { fmt.Fprintf(&b, format+"\n", a...) }
	begin(say, ps, placing)
	say("static FILE *hxout;")
	for i, p := range ps {
		say("static void hxrun%d(void) {\n  hxcount = 0;", i)
		driveOne(say, p, p.Signature.Names(), ending{
			call:   func(call string) { say("  %s", call) },
			result: func(array, size string) { say("  fwrite(%s, 1, %s, hxout);", array, size) },
			ended:  func() {},
		})
		say("}")
	}
	say("int main(int argc, char **argv) {\n  hxfile = fopen(argv[1], \"rb\");\n  hxout = fopen(argv[2], \"wb\");")
	for i := range ps {
		say("  hxrun%d();", i)
	}
	say("  return fclose(hxout);\n}")
	return b.Bytes()
}

// begin writes what a driver begins with: the source, and functions that read an image and give objects memory.
func begin(say func(string, ...any), ps []*scop.Program, placing string) {
	end := ".c"
	if ps[0].Cxx {
		end = ".cpp"
	}
	say("#define main hexcc_original_main\n#include \"input%s\"\n#undef main", end)
	say("#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>")
	say("static FILE *hxfile;\nstatic void hxget(void *p, size_t n) { if (fread(p, 1, n, hxfile) != n) exit(3); }")
	say("%s", placing)
	say("%s", ctext.Zeros)
	if ps[0].Cxx {
		say("%s", ctext.AnyPointer)
		for _, p := range ps {
			say("%s", ctext.Opened(p))
		}
	}
}

// driveOne writes the statements that run p, whose function has args.
func driveOne(say func(string, ...any), p *scop.Program, args []string, e ending) {
	value := func(name string, t scop.Type) {
		if t.IsComplex() {
			say("  %s hx_%s; { float w[2]; hxget(w, 8); __real__ hx_%s = w[0]; __imag__ hx_%s = w[1]; }", t, name, name, name)
			return
		}
		if t == scop.LongDouble {
			say("  %s hx_%s; { double w; hxget(&w, 8); hx_%s = w; }", t, name, name)
			return
		}
		say("  %s hx_%s; { unsigned long long w; hxget(&w, 8); memcpy(&hx_%s, &w, sizeof hx_%s); }", t, name, name, name)
	}
	global := func(source, name string, fixed bool) {
		if !slices.Contains(args, source) && !fixed {
			say("  %s = hx_%s;", source, name)
		}
	}
	for _, v := range p.Params {
		value(v.Name, v.Type)
		global(v.Source(), v.Name, v.Of != nil) // the program computes it
	}
	for _, a := range p.CoefficientArrays() {
		elements := int64(1)
		for _, e := range a.Extents {
			elements *= e.Const
		}
		at := fmt.Sprintf("(%v *)calloc(%d, sizeof(%v))", a.Elem, elements, a.Elem)
		if !slices.Contains(args, a.Objects()[0].Identifier()) && a.Fixed == nil {
			at = fmt.Sprintf("(%v *)(%s)", a.Elem, p.Base(a, a.Objects()[0]))
		}
		say("  %v *hx_%s = %s;", a.Elem, a.Name, at)
	}
	for _, v := range p.Scalars {
		if value(v.Name, v.Type); v.Of != nil {
			say("  hx_%s[%d] = hx_%s;", v.Of.Array.Name, v.Of.Number(), v.Name)
		} else {
			global(v.Source(), v.Name, v.Fixed != nil)
		}
	}
	for _, a := range p.Arrays {
		objects := a.Objects()
		if objects == nil {
			continue // the program does not have it
		}
		say("  size_t hxsize_%s; hxget(&hxsize_%s, 8); hxsize_%s /= %d;", a.Name, a.Name, a.Name, len(objects))
		for _, o := range objects {
			if slices.Contains(args, o.Identifier()) || a.Local || a.Fixed != nil { // a local array stays as it is, and one of constants
				say("  void *hx_%s = hxplace(hxsize_%s, 0);", o.Name, a.Name)
			} else {
				say("  void *hx_%s = hxplace(hxsize_%s, (void *)(%s));", o.Name, a.Name, p.Base(a, o))
			}
		}
		for _, o := range objects {
			say("  hxget(hx_%s, hxsize_%s);", o.Name, a.Name)
		}
	}
	e.call(fmt.Sprintf("%s%s(%s);", p.Signature.Space, p.Function, strings.Join(passed(p), ", ")))
	for _, a := range p.Arrays {
		for _, o := range a.Objects() {
			e.result("hx_"+o.Name, "hxsize_"+a.Name)
		}
	}
	e.ended()
}

// passed returns what to pass for the parameters of the function: zeros for what the region does not use.
func passed(p *scop.Program) []string {
	known := map[string]string{} // what to pass, by the name in the source
	for _, v := range p.Params {
		known[v.Source()] = "hx_" + v.Name
	}
	for _, v := range p.Scalars {
		known[v.Source()] = "hx_" + v.Name
	}
	for _, a := range slices.Concat(p.Arrays, p.CoefficientArrays()) {
		for _, o := range a.Objects() {
			pointer := "hx_" + o.Name
			if offset := p.Offset(a, func(v scop.Param) string { return "hx_" + v.Name }); offset != "" {
				pointer = fmt.Sprintf("((%v *)%s + (%s))", a.Elem, pointer, offset)
			}
			if known[o.Identifier()] = pointer; p.Cxx || len(a.Origin) > 0 {
				known[o.Identifier()] = ctext.AsArgument(p, pointer)
			}
		}
	}
	list := make([]string, len(p.Signature.Parameters))
	for i, a := range p.Signature.Parameters {
		if list[i] = ctext.AsUnused(p, a); known[a.Name] != "" {
			list[i] = known[a.Name]
		}
	}
	return list
}

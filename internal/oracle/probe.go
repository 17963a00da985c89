package oracle

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hexcc/hexcc/crun"
	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/scop"
)

// A Probe is a whole C program, with a main, whose region p writes its
// parameters, scalars and arrays to a file when it begins, and its arrays when
// it ends. So the region runs in whatever surroundings the program gives it.
type Probe struct {
	program *scop.Program
	path    string
}

// CompileProbe compiles p.Source with a probe around the region; flags are for the compiler.
func CompileProbe(t testing.TB, p *scop.Program, flags ...string) *Probe {
	t.Helper()
	dir := t.TempDir()
	source, out := filepath.Join(dir, ctext.InLanguage("probe.c", p)), filepath.Join(dir, "probe")
	cc, standard := compiler(t), "-std=gnu11"
	if p.Cxx {
		cc, standard = cxxCompiler(t), "-std=gnu++17"
	}
	if err := os.WriteFile(source, probed(p), 0o666); err != nil {
		t.Fatal(err)
	}
	args := append([]string{standard, "-w", "-ffp-contract=off", "-o", out, source}, flags...)
	if p.Cxx {
		args = append(args, "-fno-access-control") // the probe stands around the region, and reads private members
	}
	if msg, err := exec.Command(cc, append(args, "-lm")...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s\n%s", err, msg, probed(p))
	}
	return &Probe{p, out}
}

// Run runs the program with args, and returns the memory at the beginning and
// at the end of the region's first run; nil where a fact that the program relies
// on does not hold, so that its arrays are not what the program takes them for.
func (b *Probe) Run(t testing.TB, args ...string) (before, after *scop.Memory) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "memory")
	cmd := exec.Command(b.path, args...)
	cmd.Env = append(os.Environ(), "HX_PROBE="+file)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s %v: %v\n%s", b.program.File, args, err, out)
	}
	data, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) { // the region did not run
		return nil, nil
	}
	if err != nil {
		t.Fatal(err)
	}
	params := make([]int64, len(b.program.Params))
	for i := range params {
		params[i], data = int64(binary.LittleEndian.Uint64(data)), data[8:]
	}
	values := map[string]int64{}
	for i, v := range b.program.Params {
		values[v.Name] = params[i]
	}
	if !b.program.Context.Contains(values) {
		return nil, nil
	}
	before, err = scop.NewMemory(b.program, params, 0)
	if err != nil {
		t.Fatal(err)
	}
	for i := range before.Scalars {
		before.Scalars[i], data = binary.LittleEndian.Uint64(data), data[8:]
	}
	after = before.Clone()
	for _, m := range []*scop.Memory{before, after} {
		for _, s := range m.Arrays {
			for k := range s.Cells {
				s.Cells[k], data = crun.TakeCell(s.Array.Elem, data)
			}
		}
	}
	copy(after.Scalars, before.Scalars)
	for i, s := range after.Arrays {
		if s.Array.Shared && s.Array.Const { // its bytes between the elements may have changed
			copy(s.Cells, before.Arrays[i].Cells)
		}
	}
	if len(data) != 0 {
		t.Fatalf("%d bytes left over", len(data))
	}
	return before, after
}

// probed returns the source of p with the probe.
func probed(p *scop.Program) []byte {
	var b bytes.Buffer
	say := func(format string, a ...any) { fmt.Fprintf(&b, format+"\n", a...) }
	say("#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>")
	b.Write(p.Source[:p.Region.Start])
	say("static int hx_ran; FILE *hx_f = fopen(hx_ran++ ? \"/dev/null\" : getenv(\"HX_PROBE\"), \"wb\");")
	var rows ctext.Printer
	ctext.Distances(&rows, p)
	b.Write(rows.Buf.Bytes())
	for _, v := range p.Params {
		say("{ long long hx_v = (long long)(%s); fwrite(&hx_v, 8, 1, hx_f); }", v.Source())
	}
	for _, v := range p.Scalars {
		value := v.Source()
		if v.Of != nil { // of an array that need not be there where there is nothing to do
			value = fmt.Sprintf("(void *)(%s) ? %s : 0", v.Of.Array.Flat, value)
		}
		t := v.Type
		switch t {
		case scop.LongDouble:
			t = scop.Double
		case scop.ComplexDouble:
			t = scop.ComplexFloat
		}
		say("{ %s hx_v = %s; unsigned long long hx_w = 0; memcpy(&hx_w, &hx_v, sizeof hx_v); fwrite(&hx_w, 8, 1, hx_f); }", t, value)
	}
	var pieces []string
	for i, a := range p.Arrays {
		say("size_t hx_n%d = sizeof(%s), hx_l%d = 0;", i, a.Elem, i)
		for k, e := range a.ObjectExtents() {
			say("{ long hx_e = %s; hx_n%d *= hx_e > 0 ? hx_e : 0; hx_l%d *= hx_e > 0 ? hx_e : 0; }", sum(p, e), i, i)
			if len(a.Last) > 0 {
				say("{ long hx_e = %s; hx_l%d += hx_e > 0 ? hx_e : 0; }", sum(p, a.Last[k]), i)
			}
		}
		if len(a.Last) > 0 {
			say("hx_l%d = hx_n%d == 0 ? 0 : sizeof(%s) * (hx_l%d + 1);", i, i, a.Elem, i)
		} else {
			say("hx_l%d = hx_n%d;", i, i)
		}
		say("size_t hx_s%d = 0;", i)
		if len(a.First) > 0 {
			for k, e := range a.ObjectExtents() {
				say("hx_s%d = hx_s%d * (%s) + (%s);", i, i, sum(p, e), sum(p, a.First[k]))
			}
			say("hx_s%d = hx_n%d == 0 ? 0 : hx_s%d * sizeof(%s);", i, i, i, a.Elem)
		}
		for k, o := range a.Objects() {
			say("unsigned char *hx_p%d_%d = (unsigned char *)(%s);", i, k, p.Base(a, o))
			pieces = append(pieces, fmt.Sprintf("for (size_t hx_i = 0; hx_i < hx_s%d; hx_i++) fputc(0, hx_f); fwrite(hx_p%d_%d + hx_s%d, 1, hx_l%d - hx_s%d, hx_f); for (size_t hx_i = hx_l%d; hx_i < hx_n%d; hx_i++) fputc(0, hx_f);", i, i, k, i, i, i, i, i))
		}
	}
	say("%s\n{", strings.Join(pieces, " "))
	b.Write(p.Source[p.Region.Start:p.Region.End])
	say("}\n%s fclose(hx_f);", strings.Join(pieces, " "))
	b.Write(p.Source[p.Region.End:])
	return b.Bytes()
}

// sum returns a, over the parameters of p, in C.
func sum(p *scop.Program, a scop.Affine) string {
	text := fmt.Sprint(a.Const)
	for i, c := range a.Params {
		text += fmt.Sprintf(" + %dL * (long)(%s)", c, p.Params[i].Source())
	}
	return text
}

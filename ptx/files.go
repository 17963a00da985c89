package ptx

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/kerneltext"
	"github.com/hexcc/hexcc/ptx/asm"
	"github.com/hexcc/hexcc/scop"
)

// Files are the texts of a translation.
type Files struct {
	Header string // declares the host functions, for C and for C++
	// Host is the user's source, byte for byte, with the regions replaced by calls
	// and #line directives that keep all positions.
	Host   string
	Loader string // C: the host functions, and the kernels as text
	PTX    string // the kernels
	Module Module // the kernels before LLVM
	Made   string // the version of LLVM
	tools  Tools
	arch   string
	scop   *scop.Program // a region of the source
}

// String returns the kernels before LLVM: they do not depend on its version.
func (f Files) String() string { return f.Module.Text }

// Named returns the files to write, the user's first.
func (f Files) Named(base string) []ctext.File {
	return []ctext.File{
		{Name: ctext.InLanguage(HostFile(base), f.scop), Text: f.Host},
		{Name: LoaderFile(base), Text: f.Loader},
		{Name: PTXFile(base), Text: f.PTX},
		{Name: ctext.HeaderFile(base), Text: f.Header},
	}
}

// Verify checks that nothing is missing.
func (f Files) Verify() error {
	for name, text := range map[string]string{"header": f.Header, "host file": f.Host, "loader": f.Loader, "PTX": f.PTX, "LLVM module": f.Module.Text} {
		if text == "" {
			return fmt.Errorf("the %s is empty", name)
		}
	}
	return nil
}

// Trial returns how the kernels of region i, whose program is p, are run.
func (f Files) Trial(i int, p *gpu.Program) (*Trial, error) {
	m, err := asm.Parse(f.PTX)
	if err != nil {
		return nil, err
	}
	m.Approximate = f.Module.Library != nil
	return &Trial{Program: p, Kernels: f.Module.Kernels[i], Wide: f.Module.Wide[i], Module: m}, nil
}

// PrintAll returns the files of the regions of one source, in source order: there
// is at least one, all with the same Base. The kernels are those of module, ptx is
// what the tools made of them for arch.
func PrintAll(parts []Part, module Module, ptx, arch string, tools Tools) Files {
	first := parts[0]
	loader := LoaderFile(first.Names.Base)
	var regions []kerneltext.Region
	var entries []kerneltext.Entry
	hosts := make([]*host, len(parts))
	typed := map[string]bool{}
	kernels := 0
	for i, p := range parts {
		f := p.Names.Functions()
		versions := [][]Kernel{module.Kernels[i], module.Wide[i]}
		h := newHost(p, versions, kernels)
		h.functions()
		h.NoteHelpers(typed)
		kernels += len(slices.Concat(versions...))
		hosts[i] = h
		regions = append(regions, kerneltext.Region{Program: p.Program, Function: f.Run(), About: p.Names.About})
		entries = append(entries, kerneltext.Entry{Spelling: h.spelled, Functions: f, Program: p.Program, Host: ctext.InLanguage(HostFile(p.Names.Base), p.Program.Scop)})
	}
	head := func(file string) string {
		var out ctext.Printer
		kerneltext.PrintHead(&out, file, regions)
		if module.Library != nil {
			out.Line("// The last bits of %s are those of NVIDIA's library, and not of a C library.", strings.Join(module.Library, ", "))
		}
		return out.Buf.String()
	}
	ptx = ctext.ASCII(head(PTXFile(first.Names.Base))) + fmt.Sprintf("// Made by LLVM %s for %s.\n", tools.Version, arch) + ptx

	var text strings.Builder
	text.WriteString(head(loader))
	fmt.Fprintf(&text, "// Compile with: cc -O2 -c %s; link with -lcuda, the driver's library. No CUDA toolkit is needed.\n", ctext.CommentSafe(loader))
	text.WriteString("#define _POSIX_C_SOURCE 200809L\n#include <pthread.h>\n#include <stddef.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <time.h>\n")
	text.WriteString("#include \"" + first.Names.HeaderFile() + "\"\n" + driver)
	chained := slices.ContainsFunc(parts, func(p Part) bool { return p.Program.Chains != nil })
	if chained {
		text.WriteString(chainDriver + first.Names.Patience() + kerneltext.ChainTypes)
	}
	text.WriteString(kernelTable(module) + embedded(ptx))
	var bodies []string
	for _, h := range hosts {
		bodies = append(bodies, h.Buf.String())
	}
	text.WriteString(support)
	if chained {
		text.WriteString(kerneltext.ChainOrders + orders)
	}
	text.WriteString(kerneltext.SizeSupport("1", bodies...)) // CUDA_ERROR_INVALID_VALUE
	if slices.ContainsFunc(module.Wide, func(w []Kernel) bool { return w != nil }) {
		text.WriteString(kerneltext.OnlyWide)
	}
	text.WriteString(ctext.TypedHelpers(typed, "static inline") + aboutFailures(first.Names))
	for _, h := range hosts {
		text.Write(h.Buf.Bytes())
	}
	return Files{
		Header: kerneltext.DeviceHeader(first.Names.HeaderFile(), runtime, entries),
		Host:   kerneltext.HostSource(parts, ctext.InLanguage(HostFile(first.Names.Base), first.Program.Scop), "hexcc: on the GPU, see "+loader),
		Loader: text.String(),
		PTX:    ptx,
		Module: module,
		Made:   tools.Version,
		tools:  tools,
		arch:   arch,
		scop:   first.Program.Scop,
	}
}

// kernelTable returns the names of all kernels, and the shared memory to ask for.
func kernelTable(m Module) string {
	var b strings.Builder
	b.WriteString("\n// The kernels, and the bytes of shared memory that must be asked for.\n")
	b.WriteString("static const struct { const char *name; int shared; } hexcc_names[] = {\n")
	for i, kernels := range m.Kernels {
		for _, k := range slices.Concat(kernels, m.Wide[i]) {
			asked := k.Dynamic
			if asked <= staticShared {
				asked = 0
			}
			fmt.Fprintf(&b, "  {\"%s\", %d},\n", k.Name, asked)
		}
	}
	b.WriteString("};\n")
	return b.String()
}

// embedded returns PTX as a string of C, without its comments.
func embedded(ptx string) string {
	var b strings.Builder
	b.WriteString("\nstatic const char hexcc_ptx[] =\n")
	for line := range strings.Lines(ptx) {
		line = strings.TrimRight(line, "\n")
		if code, _, found := strings.Cut(line, "//"); found {
			line = strings.TrimRight(code, " \t")
		}
		if line != "" {
			fmt.Fprintf(&b, "  %s\n", ctext.Quote(strings.ReplaceAll(line, "\t", " ")+"\n"))
		}
	}
	b.WriteString("  ;\n")
	return b.String()
}

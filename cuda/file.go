package cuda

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/kerneltext"
	"github.com/hexcc/hexcc/mpitext"
	"github.com/hexcc/hexcc/scop"
)

// This file puts BASE.hex_kernel.cu together: kernels, then the functions of the host.

// A part is a region whose kernels are printed.
type part struct {
	Part
	spelling *kerneltext.Spelling
	host     *host
	body     string // the host functions
	streams  bool   // rows stream
	fetches  bool   // threads copy to shared memory without waiting
}

func newPart(p Part) part {
	s, h := newHost(p)
	return h.printed(p, s, h.functions)
}

// newHost returns what prints a region, with its names.
func newHost(p Part) (*kerneltext.Spelling, *host) {
	s := kerneltext.NewSpelling(p.Program, dialect)
	s.Places = p.Names.Places
	h := &host{spelled: s, names: p.Names}
	s.Prefix = kerneltext.KernelPrefix(s.Index)
	h.Indexer, h.Program, h.Linkage = ctext.NewIndexer(s.Spelling), p.Program, "extern \"C\" "
	return s, h
}

// printed prints the region, whose functions of the host functions prints.
func (h *host) printed(p Part, s *kerneltext.Spelling, functions func()) part {
	h.versions = kerneltext.Versions(p, s)
	h.wholes = wholes(p, s, h.versions)
	functions()
	body := h.Take()
	streams := slices.ContainsFunc(h.wholes, func(w kerneltext.Whole) bool { return w.Chain != "" })
	fetches := streams || p.Program.CopiesAsync()
	p, h.versions = kerneltext.WithoutBodies(p, h.versions)
	h.Program = p.Program
	return part{p, s, h, body, streams, fetches}
}

// kernelFile returns BASE.hex_kernel.cu, and where in it statements run.
func kernelFile(parts []part) (string, []kerneltext.Run) {
	first := parts[0].host
	first.about(parts)
	var programs []*scop.Program
	for _, p := range parts {
		programs = append(programs, p.Program.Scop)
	}
	halves := slices.ContainsFunc(programs, ctext.HasHalves)
	if halves {
		first.Raw("#define HEXCC_HALF\ntypedef unsigned short hexcc_half; // the bits of a half\n")
	}
	first.Raw("#ifndef __CUDACC_RTC__\n#include <atomic>\n#include <chrono>\n#include <stdio.h>\n#include <stdlib.h>\n#include <cuda_runtime.h>\n")
	if first.ranks != nil {
		first.Raw(mpiIncludes)
	}
	first.Raw("#include \"" + first.names.HeaderFile() + "\"\n#endif\n")
	if slices.ContainsFunc(parts, func(p part) bool { return p.host.dynamic() }) {
		first.Raw("\nextern __shared__ __align__(16) unsigned char hexcc_shared[];\n")
	}
	if halves {
		first.Raw("\n#ifndef HEXCC_HALVES" + ctext.UsedConversions(conversions, programs...) + "#endif\n")
	}
	var text strings.Builder
	var runs []kerneltext.Run
	first.flags(parts)
	for i, p := range parts {
		p.host.region(parts, i)
		if i+1 == len(parts) && first.ranks == nil {
			p.host.Raw(ready(parts))
		}
		p.host.endRegion(i)
		for _, r := range kerneltext.Moved(p.host.runs, text.Len()) {
			r.Region = p.Names.Region
			runs = append(runs, r)
		}
		if i+1 < len(parts) {
			p.host.Raw(p.spelling.Undefine(kerneltext.Uses(p.host.kernels())))
		}
		text.Write(p.host.Buf.Bytes())
		p.host.Buf = bytes.Buffer{} // of hundreds of regions one copy is enough
	}
	return text.String(), runs
}

// conversions need no header, which NVRTC would have to find; the header of hexcc shim has its own.
var conversions = []ctext.HalfConversion{
	{Name: ctext.FloatOfHalf, Text: `
static inline __device__ float hexcc_float_of_half(hexcc_half h)
{
  float x;
  asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(h));
  return x;
}
`},
	{Name: ctext.HalfOfFloat, Text: `
static inline __device__ hexcc_half hexcc_half_of_float(float x)
{
  hexcc_half h;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h) : "f"(x));
  return h;
}
`},
	{Name: ctext.HalfOfDouble, Text: `
static inline __device__ hexcc_half hexcc_half_of_double(double x)
{
  hexcc_half h;
  asm("cvt.rn.f16.f64 %0, %1;" : "=h"(h) : "d"(x));
  return h;
}
`},
}

// namespace is where region i of the file stands: all but the first have one, so that each has its own helpers.
func namespace(i int) string { return fmt.Sprintf("hexcc_region_%d", i) }

// region prints what belongs to region i of the file, up to its host functions.
func (h *host) region(parts []part, i int) {
	if i > 0 {
		h.Raw("\nnamespace " + namespace(i) + " {\n")
	}
	h.common()
	h.printKernels()
	h.Raw("\n#ifndef __CUDACC_RTC__\n")
	h.own()
	if i == 0 {
		h.Blank()
		h.Raw(support)
		if slices.ContainsFunc(parts, chained) {
			h.Raw(kerneltext.ChainOrders + orders)
		}
		var bodies []string
		for _, p := range parts {
			bodies = append(bodies, p.body)
		}
		h.Raw(kerneltext.SizeSupport("cudaErrorInvalidValue", bodies...))
		if slices.ContainsFunc(parts, func(p part) bool { return len(p.host.versions) > 1 }) {
			h.Raw(kerneltext.OnlyWide)
		}
		if h.ranks == nil {
			h.Raw(kerneltext.Failures(h.names.Functions(), h.Linkage))
		} else {
			h.Raw(mpitext.Text(mpiText, true, bodies...) + "\n")
		}
	}
	h.Raw(parts[i].body)
}

// endRegion ends it.
func (h *host) endRegion(i int) {
	h.Raw("\n#endif // __CUDACC_RTC__\n")
	if i > 0 {
		h.Raw("\n}\n")
	}
}

// printKernels prints the macros of the arrays and the kernels.
func (h *host) printKernels() {
	if macros := h.spelled.Macros(kerneltext.Uses(h.kernels())); macros != "" {
		h.Raw("\n" + macros)
	}
	text, runs := kerneltext.Join(h.Program, h.versions)
	h.runs = append(h.runs, kerneltext.Moved(runs, h.Buf.Len())...)
	h.Raw(text)
	for i := range h.wholes {
		h.whole(i)
	}
}

// dynamic reports whether a kernel has shared memory that the launch gives.
func (h *host) dynamic() bool {
	return slices.ContainsFunc(h.launched(), func(k kerneltext.Kernel) bool { return k.Dynamic > 0 })
}

// A host prints the host functions and what stands around them.
type host struct {
	kerneltext.Host
	spelled  *kerneltext.Spelling
	names    Names
	versions []kerneltext.Version
	wholes   []kerneltext.Whole // by version: what runs chains
	runs     []kerneltext.Run   // where in the text statements run
	ranks    *mpitext.Region    // where it is for MPI: prints what is the same for all targets
}

// kernels returns those of all versions.
func (h *host) kernels() []kerneltext.Kernel { return kerneltext.All(h.versions) }

// about prints the head of the file.
func (h *host) about(parts []part) {
	var regions []kerneltext.Region
	var programs []*gpu.Program
	for _, p := range parts {
		programs = append(programs, p.Program)
		regions = append(regions, kerneltext.Region{Program: p.Program, Function: p.Names.Function(), About: p.Names.About})
	}
	file, more := KernelFile(h.names.Base), ""
	if h.ranks != nil {
		file, more = MPIFile(h.names.Base), "-ccbin mpicxx "
	}
	kerneltext.PrintHead(&h.Printer, file, regions)
	h.Line("// Compile with: nvcc %s-O3 -arch=%s -c %s", more, h.Program.Device.Name, ctext.CommentSafe(file))
	h.Line("// The results are those of %s, bit for bit: no operation is reordered, and a product", ctext.Equals(kerneltext.Scops(regions)...))
	h.Line("// that feeds a sum is written __fmul_rn or __dmul_rn, which is never contracted to a fused multiply-add.")
	h.Line("// -use_fast_math gives that up.")
	if inexact := kerneltext.Inexact(programs...); len(inexact) > 0 {
		h.Line("// But the last bits of %s are those of CUDA's library, and not of a C library.", strings.Join(inexact, ", "))
	}
}

// common prints the helpers that kernels use.
func (h *host) common() {
	for _, text := range kerneltext.HelperTexts(h.helperUses(), "static inline __host__ __device__") {
		h.Raw("\n" + text)
	}
}

// own prints the helpers that the host functions alone use.
func (h *host) own() {
	uses := kerneltext.HelpersIn(h.Indexer)
	for name := range h.helperUses() {
		delete(uses, name) // it is there
	}
	for _, text := range kerneltext.HelperTexts(uses, "static inline") {
		h.Raw("\n" + text)
	}
}

package cuda

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/kerneltext"
	"github.com/hexcc/hexcc/scop"
)

// maxGrid is the largest grid.x of CUDA.
const maxGrid = 1<<31 - 1

// A part is a region whose kernels are printed.
type part struct {
	Part
	spelling *kerneltext.Spelling
	host     *host
	body     string // of the host function
}

func newPart(p Part) part {
	s := kerneltext.NewSpelling(p.Program, dialect)
	h := &host{Indexer: ctext.NewIndexer(s.Spelling), spelled: s, prog: p.Program, names: p.Names}
	for _, k := range p.Program.Kernels {
		h.kernels = append(h.kernels, kerneltext.Print(k, fmt.Sprintf("%s_phase%d", p.Names.Function(), k.Phase), s))
	}
	h.Depth = 1
	h.body()
	body := h.Buf.String()
	h.Buf.Reset()
	h.Depth = 0
	return part{p, s, h, body}
}

// kernelFile returns BASE.hex_kernel.cu, and where in it statements run.
func kernelFile(parts []part) (string, []kerneltext.Run) {
	first := parts[0].host
	first.about(parts)
	first.Raw("#ifndef __CUDACC_RTC__\n#include <stdio.h>\n#include <cuda_runtime.h>\n")
	first.Raw("#include \"" + first.names.HeaderFile() + "\"\n#endif\n")
	var text strings.Builder
	var runs []kerneltext.Run
	for i, p := range parts {
		p.host.region(p.body, i)
		for _, r := range kerneltext.Moved(p.host.runs, text.Len()) {
			r.Region = p.Names.Region
			runs = append(runs, r)
		}
		if i+1 < len(parts) {
			p.host.undefine()
		}
		text.Write(p.host.Buf.Bytes())
	}
	return text.String(), runs
}

// region prints what belongs to region i of the file. All but the first stand in a
// namespace, so that each has its own helpers.
func (h *host) region(body string, i int) {
	if i > 0 {
		h.Raw(fmt.Sprintf("\nnamespace hexcc_region_%d {\n", i))
	}
	h.common()
	h.printKernels()
	h.Raw("\n#ifndef __CUDACC_RTC__\n")
	h.own()
	if i == 0 {
		h.Blank()
		h.Raw(checkFunctions)
	}
	h.Blank()
	h.Raw(prototype(h.prog, h.names, "extern \"C\" int", h.parameterName) + "\n{\n")
	h.Raw(body)
	h.Raw("}\n")
	if ctext.Tested(h.prog.Scop) {
		h.test()
	}
	h.Raw("\n#endif // __CUDACC_RTC__\n")
	if i > 0 {
		h.Raw("\n}\n")
	}
}

// printKernels prints the macros of the arrays and the kernels.
func (h *host) printKernels() {
	if macros := h.spelled.Macros(h.deviceUses()); macros != "" {
		h.Raw("\n" + macros)
	}
	if slices.ContainsFunc(h.kernels, func(k kerneltext.Kernel) bool { return k.Dynamic > 0 }) {
		h.Raw("\nextern __shared__ __align__(16) unsigned char hexcc_shared[];\n")
	}
	for _, k := range h.kernels {
		h.Blank()
		h.Line("// Phase %d of time tile %s: block b runs the tiles %s = %s + b.", k.Phase, h.prog.T, k.Block, k.First)
		h.runs = append(h.runs, kerneltext.Moved(k.Runs, h.Buf.Len())...)
		h.Raw(k.Text)
	}
}

// undefine ends the macros of the arrays: another region may have others of their names.
func (h *host) undefine() {
	uses := h.deviceUses()
	for _, a := range h.prog.Scop.Arrays {
		if name := h.spelled.Macro(a); uses[name] {
			h.Raw("#undef " + name + "\n")
		}
	}
}

// A host prints the host function and what stands around it.
type host struct {
	ctext.Printer
	ctext.Indexer
	spelled *kerneltext.Spelling
	prog    *gpu.Program
	names   Names
	kernels []kerneltext.Kernel
	runs    []kerneltext.Run // where in the text statements run
}

// about prints the head of the file.
func (h *host) about(parts []part) {
	line := fmt.Sprintf("%s: hexcc made this from %s", h.names.KernelFile(), h.prog.Scop.File)
	for i, p := range parts {
		scop := p.Program.Scop
		lines := fmt.Sprintf("lines %d to %d (function %s).", scop.Region.StartLine, scop.Region.EndLine, scop.Function)
		switch {
		case len(parts) == 1:
			h.Line("// %s, %s", line, lines)
		case i == 0:
			h.Line("// %s, %d regions.", line, len(parts))
			fallthrough
		default:
			h.Line("//\n// %s: %s", p.Names.Function(), lines)
		}
		for _, text := range append(p.Names.About, p.Program.Remarks...) {
			h.Line("// %s", strings.ReplaceAll(text, "\n", " "))
		}
	}
	h.Line("//")
	h.Line("// Compile with: nvcc -O3 -arch=%s -c %s", h.prog.Device.Name, h.names.KernelFile())
	h.Line("// The results are those of the original program, bit for bit: no operation is reordered, and a product")
	h.Line("// that feeds a sum is written __fmul_rn or __dmul_rn, which is never contracted to a fused multiply-add.")
	h.Line("// -use_fast_math gives that up.")
}

// common prints the helpers that kernels use.
func (h *host) common() {
	uses := h.deviceUses()
	for _, f := range kerneltext.Helpers {
		if uses[f.Name] {
			h.Raw("\n" + f.Text(h.spelled, dialect.Helper))
			delete(h.Uses, f.Name) // it is there
		}
	}
}

// deviceUses returns the helpers, macros and names that the kernels use.
func (h *host) deviceUses() map[string]bool {
	uses := map[string]bool{}
	for _, k := range h.kernels {
		maps.Copy(uses, k.Uses)
	}
	return uses
}

// own prints the helpers that the host function alone uses.
func (h *host) own() {
	for _, f := range kerneltext.Helpers {
		if h.Uses[f.Name] {
			h.Raw("\n" + f.Text(h.spelled, "static inline"))
		}
	}
}

// checkFunctions report errors. HEXCC_TRY leaves the function at done.
const checkFunctions = `// hexcc_check says on stderr which call failed, and where.
static cudaError_t hexcc_check(cudaError_t error, const char *call, int line)
{
  if (error != cudaSuccess)
    fprintf(stderr, "%s:%d: %s: %s: %s\n", __FILE__, line, call, cudaGetErrorName(error), cudaGetErrorString(error));
  return error;
}

#define HEXCC_TRY(call) \
  do { \
    error = hexcc_check((call), #call, __LINE__); \
    if (error != cudaSuccess) \
      goto done; \
  } while (0)

// HEXCC_FREE frees an array, and keeps the first error there was.
#define HEXCC_FREE(array) \
  do { \
    cudaError_t freed = cudaFree(array); \
    if (error == cudaSuccess) \
      error = hexcc_check(freed, "cudaFree(" #array ")", __LINE__); \
  } while (0)
`

// parameterName returns the name of a parameter in the definition. Parameters that have not the type of indices
// are converted first.
func (h *host) parameterName(name string, t scop.Type, isParam bool) string {
	if isParam && t != h.Index {
		return h.Outer[name] + "_arg"
	}
	return h.Outer[name]
}

// prototype returns the declaration of the host function: parameters, scalars
// and arrays, named by rename.
func prototype(p *gpu.Program, names Names, result string, rename func(name string, t scop.Type, isParam bool) string) string {
	function := names.Function()
	if names.test {
		function = names.Test()
	}
	return fmt.Sprintf("%s %s(%s)", result, function, ctext.Parameters(p.Scop, "", rename))
}

// An array on the device: the names of its pointer, of its size in bytes, or
// that of each plane, and of the arguments with its elements.
type deviceArray struct {
	*scop.Array
	name, pointer, bytes string
	copied               string // the size of what is copied: bytes, or less
	objects              []string
}

// allBytes returns the size of a with all planes.
func (a deviceArray) allBytes() string {
	if r := len(a.Planes); r > 0 {
		return fmt.Sprintf("%d * %s", r, a.bytes)
	}
	return a.bytes
}

// at returns the pointer to object k of a on the device.
func (a deviceArray) at(k int) string {
	switch k {
	case 0:
		return a.pointer
	case 1:
		return fmt.Sprintf("%s + %s / sizeof(%v)", a.pointer, a.bytes, a.Elem)
	}
	return fmt.Sprintf("%s + %d * (%s / sizeof(%v))", a.pointer, k, a.bytes, a.Elem)
}

// body prints the host function.
func (h *host) body() {
	arrays := h.deviceArrays()
	tLo, tHi := h.Fresh(h.prog.T+"_lo"), h.Fresh(h.prog.T+"_hi")
	for _, q := range h.prog.Scop.Params {
		if q.Type != h.Index {
			h.Line("const %v %s = (%v)%s;", h.Index, h.Outer[q.Name], h.Index, h.parameterName(q.Name, q.Type, true))
		}
	}
	h.Line("const %v %s = %s, %s = %s; // time tiles", h.Index, tLo, h.Expr(h.prog.TLo), tHi, h.Expr(h.prog.THi))
	h.Line("if (%s > %s)", tLo, tHi)
	h.Line("  return 0; // nothing to do")
	for _, a := range arrays {
		h.Line("const size_t %s = %s;", a.bytes, h.size(a.Array))
		if a.copied != a.bytes {
			h.Line("const size_t %s = %s == 0 ? 0 : %s; // up to the last element used", a.copied, a.bytes, h.sizeToLast(a.Array))
		}
	}
	for _, a := range arrays {
		if t := h.prog.Transfer(a.Array); !t.In && !t.Out {
			for _, object := range a.objects {
				h.Line("(void)%s; // %s", object, t.Why)
			}
		}
	}
	h.nothing(arrays)
	h.Blank()
	h.Line("cudaError_t error = cudaSuccess;")
	for _, a := range arrays {
		h.Line("%v *%s = NULL;", a.Elem, a.pointer)
	}
	for _, a := range arrays {
		h.Line("HEXCC_TRY(cudaMalloc(&%s, %s));", a.pointer, a.allBytes())
	}
	for _, a := range arrays {
		for k, object := range a.objects {
			if h.prog.Transfer(a.Array).In {
				h.Line("HEXCC_TRY(cudaMemcpy(%s, %s, %s, cudaMemcpyHostToDevice));", a.at(k), object, a.copied)
			}
		}
	}
	h.askForShared()
	h.Blank()
	h.Braces(fmt.Sprintf("for (%v %s = %s; %s <= %s; %s++)", h.Index, h.prog.T, tLo, h.prog.T, tHi, h.prog.T), func() {
		for _, k := range h.kernels {
			h.launch(k, arrays)
		}
	})
	h.Line("HEXCC_TRY(cudaDeviceSynchronize());")
	h.Blank()
	for _, a := range arrays {
		for k, object := range a.objects {
			if h.prog.Transfer(a.Array).Out {
				h.Line("HEXCC_TRY(cudaMemcpy(%s, %s, %s, cudaMemcpyDeviceToHost));", object, a.at(k), a.copied)
			}
		}
	}
	h.Blank()
	h.Raw("done:\n")
	for _, a := range arrays {
		h.Line("HEXCC_FREE(%s);", a.pointer)
	}
	h.Line("return (int)error;")
}

func (h *host) deviceArrays() []deviceArray {
	var arrays []deviceArray
	for _, a := range h.prog.Scop.Arrays {
		name := h.Outer[a.Name]
		d := deviceArray{Array: a, name: name, pointer: h.Fresh("dev_" + name), bytes: h.Fresh("bytes_" + name)}
		if d.copied = d.bytes; len(a.Last) > 0 {
			d.copied = h.Fresh("copied_" + name)
		}
		for _, o := range a.Objects() {
			d.objects = append(d.objects, h.Outer[o.Name])
		}
		arrays = append(arrays, d)
	}
	return arrays
}

// size returns the bytes of a, or of each plane; an extent below 0 counts as 0.
func (h *host) size(a *scop.Array) string {
	text := fmt.Sprintf("sizeof(%v)", a.Elem) // first, so that the product is a size_t
	for _, e := range a.ObjectExtents() {
		text += " * " + h.count(e)
	}
	return text
}

// count returns e, or 0 if it is negative.
func (h *host) count(e scop.Affine) string { return h.Expr(astgen.MaxOf(h.Affine(e), astgen.Num(0))) }

// sizeToLast returns the bytes of a, or of each plane, up to its last element that is known to exist.
func (h *host) sizeToLast(a *scop.Array) string {
	text := ""
	for k, e := range a.ObjectExtents() {
		last := "(size_t)" + h.count(a.Last[k])
		if k == 0 {
			text = last
		} else {
			text = fmt.Sprintf("(%s) * %s + %s", text, h.count(e), last)
		}
	}
	return fmt.Sprintf("sizeof(%v) * (%s + 1)", a.Elem, text)
}

// nothing returns early if no array has an element.
func (h *host) nothing(arrays []deviceArray) {
	var conds []string
	for _, a := range arrays {
		conds = append(conds, a.bytes+" == 0")
	}
	if len(conds) > 0 {
		h.Line("if (%s)", strings.Join(conds, " && "))
		h.Line("  return 0; // no elements")
	}
}

// askForShared allows the kernels more shared memory than they have by default.
func (h *host) askForShared() {
	for _, k := range h.kernels {
		if k.Dynamic > 0 {
			h.Line("HEXCC_TRY(cudaFuncSetAttribute(%s, cudaFuncAttributeMaxDynamicSharedMemorySize, %d));", k.Name, k.Dynamic)
		}
	}
}

// launch prints the launch of k: one block for each tile, if there are any. More
// tiles than a grid may have go in several launches.
func (h *host) launch(k kerneltext.Kernel, arrays []deviceArray) {
	lo, hi := k.First, h.spelled.Blocks[k.Block].Last
	h.Braces("", func() {
		h.Line("const %v %s = %s, %s = %s;", h.Index, lo, h.Expr(k.Lo), hi, h.Expr(k.Hi))
		if h.Index == scop.Int { // then the tiles fit in a grid
			h.Braces(fmt.Sprintf("if (%s <= %s)", lo, hi), func() {
				h.start(k, fmt.Sprintf("(unsigned)(%s - %s + 1)", hi, lo), lo, arrays)
			})
			return
		}
		from := h.spelled.Blocks[k.Block].From
		h.Braces(fmt.Sprintf("for (long %s = %s; %s <= %s; %s += %d)", from, lo, from, hi, from, maxGrid), func() {
			h.start(k, fmt.Sprintf("(unsigned)min(%s - %s + 1, %dL)", hi, from, maxGrid), from, arrays)
		})
	})
}

// start prints one launch of k with blocks from the tile called first on.
func (h *host) start(k kerneltext.Kernel, blocks, first string, arrays []deviceArray) {
	args := make([]string, len(k.Args))
	for i, arg := range k.Args {
		args[i] = arg.Name
		if arg.Name == k.First {
			args[i] = first
		}
		for _, a := range arrays {
			if a.Array == arg.Array {
				args[i] = a.pointer
			}
		}
	}
	threads := kerneltext.Threads(k.Kernel)
	config := fmt.Sprintf("%s, dim3(%d, %d, %d)", blocks, threads[0], threads[1], threads[2])
	if k.Dynamic > 0 {
		config += fmt.Sprintf(", %d", k.Dynamic)
	}
	h.Line("%s<<<%s>>>(%s);", k.Name, config, strings.Join(args, ", "))
	h.Line("HEXCC_TRY(cudaGetLastError()); // of %s", k.Name)
}

package cuda

import (
	"fmt"
	"slices"
	"strings"

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
	h := &host{spelled: s, names: p.Names}
	h.Indexer, h.Program = ctext.NewIndexer(s.Spelling), p.Program
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
			p.host.Raw(p.spelling.Undefine(kerneltext.Uses(p.host.kernels)))
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
	h.Raw(prototype(h.Program, h.names, "extern \"C\" int", h.ParameterName) + "\n{\n")
	h.Raw(body)
	h.Raw("}\n")
	if ctext.Tested(h.Program.Scop) {
		h.test()
	}
	h.Raw("\n#endif // __CUDACC_RTC__\n")
	if i > 0 {
		h.Raw("\n}\n")
	}
}

// printKernels prints the macros of the arrays and the kernels.
func (h *host) printKernels() {
	if macros := h.spelled.Macros(kerneltext.Uses(h.kernels)); macros != "" {
		h.Raw("\n" + macros)
	}
	if slices.ContainsFunc(h.kernels, func(k kerneltext.Kernel) bool { return k.Dynamic > 0 }) {
		h.Raw("\nextern __shared__ __align__(16) unsigned char hexcc_shared[];\n")
	}
	text, runs := kerneltext.Join(h.Program, h.kernels)
	h.runs = append(h.runs, kerneltext.Moved(runs, h.Buf.Len())...)
	h.Raw(text)
}

// A host prints the host function and what stands around it.
type host struct {
	kerneltext.Host
	spelled *kerneltext.Spelling
	names   Names
	kernels []kerneltext.Kernel
	runs    []kerneltext.Run // where in the text statements run
}

// about prints the head of the file.
func (h *host) about(parts []part) {
	var regions []kerneltext.Region
	for _, p := range parts {
		regions = append(regions, kerneltext.Region{Program: p.Program, Function: p.Names.Function(), About: p.Names.About})
	}
	kerneltext.PrintHead(&h.Printer, h.names.KernelFile(), regions)
	h.Line("// Compile with: nvcc -O3 -arch=%s -c %s", h.Program.Device.Name, h.names.KernelFile())
	h.Line("// The results are those of the original program, bit for bit: no operation is reordered, and a product")
	h.Line("// that feeds a sum is written __fmul_rn or __dmul_rn, which is never contracted to a fused multiply-add.")
	h.Line("// -use_fast_math gives that up.")
}

// helpers are those that CUDA has not.
var helpers = slices.DeleteFunc(slices.Clone(ctext.Helpers), func(f ctext.Helper) bool { return f.Name == "min" || f.Name == "max" })

// common prints the helpers that kernels use.
func (h *host) common() {
	uses := kerneltext.Uses(h.kernels)
	for _, f := range helpers {
		if uses[f.Name] {
			h.Raw("\n" + f.Text(h.Index, "static inline __host__ __device__", ""))
			delete(h.Uses, f.Name) // it is there
		}
	}
}

// own prints the helpers that the host function alone uses.
func (h *host) own() {
	for _, f := range helpers {
		if h.Uses[f.Name] {
			h.Raw("\n" + f.Text(h.Index, "static inline", ""))
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

// prototype returns the declaration of the host function: parameters, scalars
// and arrays, named by rename.
func prototype(p *gpu.Program, names Names, result string, rename func(name string, t scop.Type, isParam bool) string) string {
	function := names.Function()
	if names.test {
		function = names.Test()
	}
	return fmt.Sprintf("%s %s(%s)", result, function, ctext.Parameters(p.Scop, "", rename))
}

// at returns the pointer to object k of a on the device.
func at(a kerneltext.HostArray, k int) string {
	switch k {
	case 0:
		return a.Device
	case 1:
		return fmt.Sprintf("%s + %s / sizeof(%v)", a.Device, a.Bytes, a.Elem)
	}
	return fmt.Sprintf("%s + %d * (%s / sizeof(%v))", a.Device, k, a.Bytes, a.Elem)
}

// body prints the host function.
func (h *host) body() {
	arrays := h.Arrays()
	tLo, tHi := h.Begin(arrays)
	h.Blank()
	h.Line("cudaError_t error = cudaSuccess;")
	for _, a := range arrays {
		h.Line("%v *%s = NULL;", a.Elem, a.Device)
	}
	for _, a := range arrays {
		h.Line("HEXCC_TRY(cudaMalloc(&%s, %s));", a.Device, a.AllBytes())
	}
	for _, a := range arrays {
		for k, object := range a.Objects {
			if a.Transfer.In {
				h.Line("HEXCC_TRY(cudaMemcpy(%s, %s, %s, cudaMemcpyHostToDevice));", at(a, k), object, a.Copied)
			}
		}
	}
	h.askForShared()
	h.Blank()
	h.Braces(fmt.Sprintf("for (%v %s = %s; %s <= %s; %s++)", h.Index, h.Program.T, tLo, h.Program.T, tHi, h.Program.T), func() {
		for _, k := range h.kernels {
			h.launch(k, arrays)
		}
	})
	h.Line("HEXCC_TRY(cudaDeviceSynchronize());")
	h.Blank()
	for _, a := range arrays {
		for k, object := range a.Objects {
			if a.Transfer.Out {
				h.Line("HEXCC_TRY(cudaMemcpy(%s, %s, %s, cudaMemcpyDeviceToHost));", object, at(a, k), a.Copied)
			}
		}
	}
	h.Blank()
	h.Raw("done:\n")
	for _, a := range arrays {
		h.Line("HEXCC_FREE(%s);", a.Device)
	}
	h.Line("return (int)error;")
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
func (h *host) launch(k kerneltext.Kernel, arrays []kerneltext.HostArray) {
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
func (h *host) start(k kerneltext.Kernel, blocks, first string, arrays []kerneltext.HostArray) {
	args := make([]string, len(k.Args))
	for i, arg := range k.Args {
		args[i] = arg.Name
		if arg.Name == k.First {
			args[i] = first
		}
		for _, a := range arrays {
			if a.Array == arg.Array {
				args[i] = a.Device
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

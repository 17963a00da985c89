package opencl

import (
	_ "embed"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/kerneltext"
	"github.com/hexcc/hexcc/scop"
)

// This file prints the C file that runs the kernels.

// runtime is C: what all regions use to choose a device and to build the program.
//
//go:embed text/runtime.c
var runtime string

// runFile returns BASE.hex_kernel.c. kernels is the text of the kernel file.
func runFile(regions []region, kernels string) string {
	names, n := regions[0].Names, needsOf(regions)
	typed := map[string]bool{}
	var functions strings.Builder
	for _, r := range regions {
		functions.WriteString(newHost(r, typed).text())
	}
	var out ctext.Printer
	about(&out, regions)
	out.Raw("#define _POSIX_C_SOURCE 200112L\n#define CL_TARGET_OPENCL_VERSION 120\n#ifdef __APPLE__\n#include <OpenCL/cl.h>\n#else\n#include <CL/cl.h>\n#endif\n")
	out.Raw("#include <pthread.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n")
	out.Raw(fmt.Sprintf("#include \"%s\"\n\n", names.HeaderFile()))
	out.Raw("// A kernel's long has 64 bits, and so must that of the functions here.\n")
	out.Raw("typedef char hexcc_long_has_64_bits[sizeof(long) == 8 ? 1 : -1];\n\n")
	out.Raw("// What the kernels compute with: double, float, and quotients or square roots of floats.\n")
	out.Raw(fmt.Sprintf("enum { HEXCC_DOUBLES = %d, HEXCC_FLOATS = %d, HEXCC_DIVIDES = %d };\n\n", bit(n.doubles), bit(n.floats), bit(n.divides)))
	out.Raw(runtimeWith(kernels))
	out.Raw(ctext.TypedHelpers(typed, "static inline"))
	out.Raw(functions.String())
	out.Raw(fmt.Sprintf("\nint %s(void)\n{\n  return (int)hexcc_release_all();\n}\n", names.Release()))
	return out.Buf.String()
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

// about prints the head of the file.
func about(out *ctext.Printer, regions []region) {
	names := regions[0].Names
	out.Line("// %s: hexcc made this from %s.", names.RunFile(), strings.ReplaceAll(regions[0].Program.Scop.File, "\n", " "))
	out.Line("//")
	out.Line("// Compile with: cc -O2 -c %s, and link with -lOpenCL", names.RunFile())
	out.Line("// In the environment, HEXCC_OPENCL_DEVICE asks for a device by its number or a part of its name, else it is")
	out.Line("// the first GPU or the first device of another kind; HEXCC_OPENCL_OPTIONS adds options to build kernels with.")
	out.Line("// PoCL, version 3.1, vectorises loops over work-items wrongly: POCL_WORK_GROUP_METHOD=auto is set unless it has a value.")
}

// runtimeWith returns the text of the kernels as strings, and what builds them.
func runtimeWith(kernels string) string {
	return "static const char *const hexcc_source[] = {\n" + embedded(kernels) + "};\n\n" + runtime
}

// A host prints the functions of a region.
type host struct {
	kerneltext.Host
	region
	arrays   []kerneltext.HostArray
	tLo, tHi string
	typed    map[string]bool // helpers that functions use
}

func newHost(r region, typed map[string]bool) *host {
	spelling := *r.spelling.Spelling
	spelling.Prefix = ctext.TypedPrefix(spelling.Index)
	h := &host{region: r, typed: typed}
	h.Indexer, h.Host.Program = ctext.NewIndexer(&spelling), r.Program
	h.arrays = h.Arrays()
	h.tLo, h.tHi = h.Fresh(h.Host.Program.T+"_lo"), h.Fresh(h.Host.Program.T+"_hi")
	return h
}

// text returns the functions.
func (h *host) text() string {
	h.needs()
	h.function(h.enqueuePrototype(h.ParameterName, h.device), h.enqueue)
	h.function(h.wholePrototype(h.ParameterName), h.whole)
	if ctext.Tested(h.Scop) {
		h.function(h.testPrototype(h.spelled), h.test)
	}
	return h.Buf.String()
}

// spelled returns how a name is spelled.
func (r region) spelled(name string, _ scop.Type, _ bool) string { return r.spelling.Outer[name] }

// function prints a function.
func (h *host) function(prototype string, body func()) {
	clear(h.Uses)
	h.Raw("\n" + prototype + "\n{\n")
	h.Depth = 1
	body()
	h.Depth = 0
	h.Raw("}\n")
	h.NoteHelpers(h.typed)
}

// needs prints what the kernels need of a device.
func (h *host) needs() {
	h.Raw(fmt.Sprintf("\nstatic const struct hexcc_need %s_needs[] = {\n", h.Names.Function()))
	for _, k := range h.kernels {
		h.Raw(fmt.Sprintf("  {%s, %s, %d},\n", ctext.Quote(k.Name), threads(k.Kernel), k.SharedBytes()))
	}
	h.Raw("};\n")
}

// enqueue prints the body of the function that runs the kernels on buffers.
func (h *host) enqueue() {
	h.TimeTiles(h.tLo, h.tHi)
	h.Blank()
	h.Line("cl_kernel kernels[%d] = {NULL};", len(h.kernels))
	h.Line("cl_int error = hexcc_kernels(queue, %s_needs, %d, kernels);", h.Names.Function(), len(h.kernels))
	h.leave()
	passed := map[string]bool{}
	for i, k := range h.kernels {
		for j, arg := range k.Args {
			if name := h.passed(arg); !h.perLaunch(k, arg) {
				h.Line("HEXCC_TRY(clSetKernelArg(kernels[%d], %d, sizeof %s, &%s));", i, j, name, name)
				passed[name] = true
			}
		}
	}
	h.Blank()
	t := h.Host.Program.T
	h.Braces(fmt.Sprintf("for (%v %s = %s; %s <= %s; %s++)", h.Index, t, h.tLo, t, h.tHi, t), func() {
		for i, k := range h.kernels {
			h.launch(i, k)
		}
	})
	for _, a := range h.arrays {
		if !passed[a.Device] {
			h.Line("(void)%s; // no kernel uses it", a.Device)
		}
	}
	h.silence(passed)
	h.Raw("done:\n")
	for i := range h.kernels {
		h.Line("HEXCC_RELEASE(clReleaseKernel, kernels[%d]);", i)
	}
	h.Line("return (int)error;")
}

// leave prints the end of a function where error says that all is said.
func (h *host) leave() {
	h.Line("if (error != CL_SUCCESS)")
	h.Line("  goto done;")
}

// silence keeps compilers from warning of numbers that are not used.
func (h *host) silence(used map[string]bool) {
	for _, q := range h.Scop.Scalars {
		if name := h.Outer[q.Name]; !used[name] && !h.Uses[name] {
			h.Line("(void)%s;", name)
		}
	}
	for _, q := range h.Scop.Params {
		if name := h.Outer[q.Name]; !used[name] && !h.Uses[name] {
			h.Line("(void)%s;", name)
		}
	}
}

// device returns the name of the buffer with the elements of a.
func (h *host) device(a *scop.Array) string {
	i := slices.IndexFunc(h.arrays, func(d kerneltext.HostArray) bool { return d.Array == a })
	return h.arrays[i].Device
}

// passed returns what is passed for an argument of a kernel.
func (h *host) passed(arg kerneltext.Arg) string {
	if arg.Array == nil {
		return arg.Name
	}
	return h.device(arg.Array)
}

// perLaunch reports whether an argument of k is another one for each launch.
func (h *host) perLaunch(k kerneltext.Kernel, arg kerneltext.Arg) bool {
	return arg.Array == nil && (arg.Name == h.Host.Program.T || arg.Name == k.First)
}

// launch prints the launch of kernel i: one work-group for each tile, if there
// are any. So many go at once that 31 bits can count the work-items along x.
func (h *host) launch(i int, k kerneltext.Kernel) {
	lo, hi, from := k.First, h.spelling.Blocks[k.Block].Last, h.spelling.Blocks[k.Block].From
	threads := kerneltext.Threads(k.Kernel)
	most := math.MaxInt32 / threads[0]
	h.Braces("", func() {
		h.Line("const %v %s = %s, %s = %s;", h.Index, lo, h.Expr(k.Lo), hi, h.Expr(k.Hi))
		h.Braces(fmt.Sprintf("for (long %s = %s; %s <= %s; %s += %d)", from, lo, from, hi, from, most), func() {
			h.Line("const size_t blocks = (size_t)(%s - %s < %d ? %s - %s + 1 : %d);", hi, from, most, hi, from, most)
			h.Line("const size_t global[3] = {blocks * %d, %d, %d};", threads[0], threads[1], threads[2])
			for j, arg := range k.Args {
				switch {
				case !h.perLaunch(k, arg):
				case arg.Name == k.First:
					h.Line("const %v first = (%v)%s;", h.Index, h.Index, from)
					h.Line("HEXCC_TRY(clSetKernelArg(kernels[%d], %d, sizeof first, &first));", i, j)
				default:
					h.Line("HEXCC_TRY(clSetKernelArg(kernels[%d], %d, sizeof %s, &%s));", i, j, arg.Name, arg.Name)
				}
			}
			h.Line("HEXCC_TRY(clEnqueueNDRangeKernel(queue, kernels[%d], 3, NULL, global, %s_needs[%d].threads, 0, NULL, NULL));",
				i, h.Names.Function(), i)
		})
	})
}

// whole prints the body of the function that does what the region does.
func (h *host) whole() {
	h.TimeTiles(h.tLo, h.tHi)
	h.Sizes(h.arrays)
	h.Blank()
	h.Line("cl_device_id device = NULL;")
	h.Line("cl_context context = NULL;")
	h.Line("cl_command_queue queue = NULL;")
	args := []string{"queue"}
	for _, q := range h.Scop.Params {
		args = append(args, h.ParameterName(q.Name, q.Type, true))
	}
	for _, q := range h.Scop.Scalars {
		args = append(args, h.Outer[q.Name])
		h.Uses[h.Outer[q.Name]] = true
	}
	for _, a := range h.arrays {
		h.Line("cl_mem %s = NULL;", a.Device)
		args = append(args, a.Device)
	}
	h.Line("cl_int error = hexcc_start(&device, &context);")
	h.leave()
	h.Line("HEXCC_MAKE(queue, clCreateCommandQueue(context, device, 0, &error));")
	for _, a := range h.arrays {
		flags := "CL_MEM_READ_WRITE"
		if a.Const {
			flags = "CL_MEM_READ_ONLY"
		}
		h.Line("if (%s > 0)", a.Bytes)
		h.Line("  HEXCC_MAKE(%s, clCreateBuffer(context, %s, %s, NULL, &error));", a.Device, flags, a.AllBytes())
	}
	h.transfer("Write", func(a kerneltext.HostArray) bool { return a.Transfer.In })
	h.Line("error = %s(%s);", h.Names.Enqueue(), strings.Join(args, ", "))
	h.leave()
	h.Line("HEXCC_TRY(clFinish(queue));")
	h.transfer("Read", func(a kerneltext.HostArray) bool { return a.Transfer.Out })
	for _, q := range h.Scop.Params {
		if name := h.Outer[q.Name]; q.Type != h.Index && !h.Uses[name] {
			h.Line("(void)%s;", name)
		}
	}
	h.Raw("done:\n")
	for _, a := range h.arrays {
		h.Line("HEXCC_RELEASE(clReleaseMemObject, %s);", a.Device)
	}
	h.Line("HEXCC_RELEASE(clReleaseCommandQueue, queue);")
	h.Line("return (int)error;")
}

// transfer prints the copies of those arrays that are copied one way.
func (h *host) transfer(way string, copied func(kerneltext.HostArray) bool) {
	for _, a := range h.arrays {
		if !copied(a) {
			continue
		}
		for k, object := range a.Objects {
			offset := "0"
			switch k {
			case 0:
			case 1:
				offset = a.Bytes
			default:
				offset = fmt.Sprintf("%d * %s", k, a.Bytes)
			}
			h.Line("if (%s > 0)", a.Copied)
			h.Line("  HEXCC_TRY(clEnqueue%sBuffer(queue, %s, CL_TRUE, %s, %s, %s, 0, NULL, NULL));", way, a.Device, offset, a.Copied, object)
		}
	}
}

// test prints the body of the function that tests facts.
func (h *host) test() {
	h.SilenceUntested(&h.Printer)
	h.TestBody(&h.Printer, "fprintf(stderr", "the kernels", h.Names.Refuse)
}

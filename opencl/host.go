package opencl

import (
	"fmt"
	"math"
	"slices"
	"strings"

	_ "embed"
	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/kerneltext"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// This file prints the C file that runs the kernels.

// support is C: what all regions use to choose a device and to build the program.
//
//go:embed text/runtime.c
var support string

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
	out.Raw("#define _POSIX_C_SOURCE 200112L // clock_gettime\n#define CL_TARGET_OPENCL_VERSION 120\n#ifdef __APPLE__\n#include <OpenCL/cl.h>\n#else\n#include <CL/cl.h>\n#endif\n")
	out.Raw("#include <pthread.h>\n#include <stdarg.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <time.h>\n")
	out.Raw(fmt.Sprintf("#include \"%s\"\n\n", names.HeaderFile()))
	out.Raw("// A kernel's long has 64 bits, and so must that of the functions here.\n")
	out.Raw("typedef char hexcc_long_has_64_bits[sizeof(long) == 8 ? 1 : -1];\n\n")
	out.Raw("// What the kernels compute with: double, float, and quotients or square roots of floats.\n")
	out.Raw(fmt.Sprintf("enum { HEXCC_DOUBLES = %d, HEXCC_FLOATS = %d, HEXCC_DIVIDES = %d };\n\n", bit(n.doubles), bit(n.floats), bit(n.divides)))
	out.Raw(fmt.Sprintf("// Whether rows stream through sub-groups.\nenum { HEXCC_LANES = %d };\n\n", bit(slices.ContainsFunc(regions, region.streams))))
	out.Raw(supportWith(kernels))
	out.Raw(kerneltext.SizeSupport("CL_INVALID_VALUE", functions.String()))
	if slices.ContainsFunc(regions, func(r region) bool { return len(r.versions) > 1 }) {
		out.Raw(kerneltext.OnlyWide)
	}
	out.Raw(ctext.TypedHelpers(typed, "static inline"))
	out.Raw(functions.String())
	out.Raw(ending(regions))
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
	out.Line("// %s.", ctext.MadeFrom(RunFile(names.Base), regions[0].Program.Scop.File))
	var programs []*scop.Program
	for _, r := range regions {
		programs = append(programs, r.Program.Scop)
	}
	if fused := ctext.Rounded(programs...); fused != "" {
		out.Line("// %s", fused)
	}
	out.Line("//")
	out.Line("// Compile with: cc -O2 -c %s, and link with -lOpenCL", ctext.CommentSafe(RunFile(names.Base)))
	out.Line("// In the environment, HEXCC_OPENCL_DEVICE asks for a device by its number or a part of its name, else it is")
	out.Line("// the first GPU or the first device of another kind; HEXCC_OPENCL_OPTIONS gives options to build kernels with.")
	out.Line("// Without, they are -cl-opt-disable on PoCL, whose optimiser (3.1) makes wrong code around barriers, and none elsewhere.")
}

// supportWith returns the text of the kernels as strings, and what builds them.
func supportWith(kernels string) string {
	return "static const char *const hexcc_source[] = {\n" + embedded(kernels) + "};\n\n" + support
}

// ending returns the functions that are those of all regions.
func ending(regions []region) string {
	f := regions[0].functions()
	text := kerneltext.Failures(f, "")
	var needs []string
	for _, r := range regions {
		for i := range kerneltext.All(r.versions) {
			needs = append(needs, fmt.Sprintf("&%s_needs[%d]", r.functions().Run(), i))
		}
	}
	text += fmt.Sprintf("\nint %s(void)\n{\n  const struct hexcc_need *const needs[] = {%s};\n  return hexcc_can(needs, %d);\n}\n",
		f.Ready(), strings.Join(needs, ", "), len(needs))
	return text + fmt.Sprintf("\nint %s(void)\n{\n  return (int)hexcc_release_all();\n}\n", release(f))
}

// A host prints the functions of a region.
type host struct {
	kerneltext.Host
	region
	typed     map[string]bool   // helpers that functions use
	converted map[string]string // numbers of the host in another type of indices
}

func newHost(r region, typed map[string]bool) *host {
	spelling := *r.spelling.Spelling
	spelling.Prefix = ctext.TypedPrefix(spelling.Index)
	h := &host{region: r, typed: typed, converted: map[string]string{}}
	h.Indexer, h.Host.Program = ctext.NewIndexer(&spelling), r.Program
	return h
}

// text returns the functions.
func (h *host) text() string {
	h.needs()
	f := h.functions()
	h.Function(f.Device(), kerneltext.DeviceParameters(h.spelling, runtime, h.ParameterName), h.device)
	timed := kerneltext.AndAlso(ctext.Parameters(h.Scop, "", h.ParameterName), "struct hexcc_times *times")
	h.Function(f.Timed(), timed, h.timed)
	h.Untimed(f)
	if ctext.Tested(h.Scop) {
		h.Test(f, h.Names.Refuse)
	}
	h.NoteHelpers(h.typed)
	return h.Buf.String()
}

// needs prints what the kernels need of a device.
func (h *host) needs() {
	h.Raw(fmt.Sprintf("\nstatic const struct hexcc_need %s_needs[] = {\n", h.functions().Run()))
	for _, k := range kerneltext.All(h.versions) {
		h.Raw(fmt.Sprintf("  {%s, %s, %d, %d},\n", ctext.Quote(k.Name), threads(k.Kernel), k.Shared, k.Lanes))
	}
	h.Raw("};\n")
}

// device prints the body of the function that runs the kernels on buffers.
func (h *host) device() []string {
	passed := map[string]bool{}
	for _, k := range kerneltext.All(h.versions) {
		for _, arg := range k.Args {
			passed[arg.Name] = true
		}
	}
	h.Unpassed(passed)
	h.UnlessLarge()
	h.UnlessBusy()
	h.Choose()
	eachTime := h.TimeTiles()
	n := len(h.versions[0].Printed)
	h.Line("cl_kernel kernels[%d] = {NULL};", n)
	needs := h.functions().Run() + "_needs"
	if len(h.versions) > 1 {
		needs = fmt.Sprintf("&%s[narrow ? 0 : %d]", needs, n)
	}
	h.Line("const struct hexcc_need *const needs = %s;", needs)
	h.Line("cl_int error = hexcc_make(queue, needs, %d, kernels);", n)
	h.leave()
	h.Chosen(func(version int) {
		v := h.versions[version]
		h.convert(v)
		for i, k := range v.Printed {
			for j, arg := range k.Args {
				if !h.perLaunch(k, arg) {
					h.pass(v, i, j, arg.Name)
				}
			}
		}
	})
	h.Blank()
	eachTime(func() {
		for i := range h.versions[0].Printed {
			h.launch(i)
		}
	})
	h.Raw("done:\n")
	for i := range h.versions[0].Printed {
		h.Line("HEXCC_RELEASE(clReleaseKernel, kernels[%d]);", i)
	}
	h.Line("return (int)error;")
	return nil
}

// leave prints the end of a function where error says that a call failed.
func (h *host) leave() {
	h.Line("if (error != CL_SUCCESS)")
	h.Line("  goto done;")
}

// convert declares the parameters that kernels of v are passed, in the type of its indices, if that is not the host's.
func (h *host) convert(v kerneltext.Version) {
	for _, q := range h.Scop.Params {
		name := h.Outer[q.Name]
		passed := slices.ContainsFunc(v.Printed, func(k kerneltext.Kernel) bool {
			return slices.ContainsFunc(k.Args, func(a kerneltext.Arg) bool { return a.Name == name })
		})
		if passed && v.Index != h.Index {
			h.Line("const %v %s = (%v)%s;", v.Index, h.inVersion(v, name), v.Index, h.Use(q.Name))
		}
	}
}

// inVersion returns the name of a number of the host in the type of indices of v.
func (h *host) inVersion(v kerneltext.Version, name string) string {
	if v.Index == h.Index {
		return name
	}
	if h.converted[name] == "" {
		h.converted[name] = h.Fresh(fmt.Sprintf("%v_%s", v.Index, name))
	}
	return h.converted[name]
}

// pass prints the call that gives kernel i of v its argument j, which has that name in the host.
func (h *host) pass(v kerneltext.Version, i, j int, name string) {
	h.Uses[name] = true
	if v.Printed[i].Args[j].Index {
		name = h.inVersion(v, name)
	}
	h.Line("HEXCC_TRY(clSetKernelArg(kernels[%d], %d, sizeof %s, &%s));", i, j, name, name)
}

// perLaunch reports whether an argument of k is another one for each launch.
func (h *host) perLaunch(k kerneltext.Kernel, arg kerneltext.Arg) bool {
	return arg.Array == nil && (arg.Name == h.Host.Program.T || slices.Contains(k.First, arg.Name))
}

// launch prints the launch of kernel i: one work-group for each tile, if there
// are any. So many go at once that 31 bits can count the work-items along each axis.
func (h *host) launch(i int) {
	k := h.versions[0].Printed[i]
	threads := kerneltext.Threads(k.Kernel)
	var most [gpu.MaxAxes]int
	for axis := range most {
		most[axis] = math.MaxInt32 / threads[axis]
	}
	h.WhereBusy(k.Work, func() {
		h.Launches(k.Kernel, h.spelling.Blocks, most, func(slabs []kerneltext.Slab) {
			items := [gpu.MaxAxes]string{fmt.Sprint(threads[0]), fmt.Sprint(threads[1]), fmt.Sprint(threads[2])}
			for axis, s := range slabs {
				name := "blocks"
				if axis > 0 {
					name = fmt.Sprint("blocks_", kerneltext.GridAxes[axis])
				}
				h.Line("const size_t %s = (size_t)(%s - %s < %d ? %s - %s + 1 : %d);", name, s.Last, s.From, s.Most, s.Last, s.From, s.Most)
				items[axis] = fmt.Sprintf("%s * %d", name, threads[axis])
			}
			h.Line("const size_t items[3] = {%s};", strings.Join(items[:], ", "))
			h.Chosen(func(version int) {
				v := h.versions[version]
				for j, arg := range v.Printed[i].Args {
					name := arg.Name
					if !h.perLaunch(k, arg) {
						continue
					}
					if axis := slices.Index(k.First, name); axis >= 0 {
						name = slabs[axis].From
					}
					if v.Index != h.Index {
						h.Line("const %v %s = (%v)%s;", v.Index, h.inVersion(v, name), v.Index, name)
					}
					h.pass(v, i, j, name)
				}
			})
			h.Line("HEXCC_TRY(clEnqueueNDRangeKernel(queue, kernels[%d], 3, NULL, items, needs[%d].threads, 0, NULL, NULL));", i, i)
		})
	})
}

// timed prints the body of the function on arrays of the host.
func (h *host) timed() []string {
	arrays := h.Arrays()
	h.Line("if (times != NULL)")
	h.Line("  *times = (struct hexcc_times){0, 0, 0, 0};")
	h.UnlessLarge()
	h.UnlessBusy()
	h.Sizes(arrays)
	h.StartClock()
	h.Line("cl_event events[4] = {NULL, NULL, NULL, NULL};")
	h.Line("cl_device_id device = NULL;")
	h.Line("cl_context context = NULL;")
	h.Line("cl_command_queue queue = NULL;")
	args := h.Numbers(h.ParameterName)
	for _, a := range arrays {
		h.Line("cl_mem %s = NULL;", a.Device)
		args = append(args, a.Device)
	}
	h.Line("cl_int error = hexcc_start(&device, &context);")
	h.leave()
	h.Line("HEXCC_MAKE(queue, clCreateCommandQueue(context, device, times != NULL ? CL_QUEUE_PROFILING_ENABLE : 0, &error));")
	for _, a := range arrays {
		if a.Transfer.Absent {
			continue
		}
		flags := "CL_MEM_READ_WRITE"
		if a.Const {
			flags = "CL_MEM_READ_ONLY"
		}
		h.Line("if (%s > 0)", a.Bytes)
		h.Line("  HEXCC_MAKE(%s, clCreateBuffer(context, %s, %s, NULL, &error));", a.Device, flags, a.AllBytes())
	}
	h.mark(0)
	h.transfer("Write", arrays, func(t schedule.Transfer) bool { return t.In })
	h.mark(1)
	h.Line("error = %s(%s);", h.functions().Device(), strings.Join(append(args, "queue"), ", "))
	h.leave()
	h.mark(2)
	h.Line("HEXCC_TRY(clFinish(queue)); // the kernels")
	h.transfer("Read", arrays, func(t schedule.Transfer) bool { return t.Out })
	h.mark(3)
	h.Line("HEXCC_TRY(clFinish(queue));")
	h.Elapsed("HEXCC_OURS(hexcc_elapsed(events[%d], events[%d], &times->%s));")
	h.Raw("done:\n")
	for _, a := range arrays {
		h.Line("HEXCC_RELEASE(clReleaseMemObject, %s);", a.Device)
	}
	h.Line("for (int i = 0; i < 4; i++)")
	h.Line("  HEXCC_RELEASE(clReleaseEvent, events[i]);")
	h.Line("HEXCC_RELEASE(clReleaseCommandQueue, queue);")
	h.StopClock()
	h.Line("return (int)error;")
	return args
}

// mark prints what notes a time.
func (h *host) mark(event int) {
	h.Line("HEXCC_OURS(hexcc_mark(queue, times != NULL, &events[%d]));", event)
}

// transfer prints the copies of those arrays that are copied one way.
func (h *host) transfer(way string, arrays []kerneltext.HostArray, copied func(schedule.Transfer) bool) {
	for _, a := range arrays {
		if !copied(a.Transfer) {
			continue
		}
		for k := range a.Objects {
			offset := "0"
			switch k {
			case 0:
			case 1:
				offset = a.Bytes
			default:
				offset = fmt.Sprintf("%d * %s", k, a.Bytes)
			}
			switch {
			case a.Skipped != "" && k == 0:
				offset = a.Skipped
			case a.Skipped != "":
				offset += " + " + a.Skipped
			}
			h.Line("if (%s > 0)", a.Copied)
			h.Line("  HEXCC_TRY(clEnqueue%sBuffer(queue, %s, CL_TRUE, %s, %s, %s, 0, NULL, NULL));", way, a.Device, offset, a.Copied, a.Object(k))
		}
	}
}

package ptx

import (
	"fmt"
	"strings"

	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/kerneltext"
)

// This file prints the functions of a region in C: one on arrays of the device,
// which launches the kernels; one on arrays of the host, which copies them there and back.

// runtime is what the header says of the language of the device: functions take
// what those of the CUDA target take, so that either object file can be linked.
var runtime = kerneltext.Runtime{
	Device:  "the current CUDA device",
	Memory:  "by a pointer to device memory",
	Status:  "a CUresult",
	Array:   "%s *",
	Queue:   "struct CUstream_st *stream",
	About:   "The queue is a CUstream or cudaStream_t; NULL is the default stream.",
	Declare: "struct CUstream_st; /* a CUstream points to one */\n\n",
}

// dialect is C, as far as hosts need it.
var dialect = kerneltext.Dialect{Reserved: []string{
	"NULL", "size_t", "error", "done", "end", "main", "linux", "unix", "stdin", "stdout", "stderr", "stream", "times", "start", "stop", "events", "kernels", "arguments", "blocks",
	"inline", "restrict", "asm", "typeof", "CUresult", "CUdeviceptr", "CUcontext", "CUmodule", "CUfunction", "CUstream", "CUevent",
}}

// A host prints the functions of a region.
type host struct {
	kerneltext.Host
	spelled *kerneltext.Spelling
	names   Names
	// versions are the kernels by version.
	versions [][]Kernel
	first    int // the number of the first kernel among those of the file
	// order and patience are the variables of what kernels get that run chains.
	order, patience string
}

func newHost(p Part, versions [][]Kernel, first int) *host {
	s := kerneltext.NewSpelling(p.Program, dialect)
	s.Prefix = ctext.TypedPrefix(s.Index)
	h := &host{spelled: s, names: p.Names, versions: versions, first: first}
	h.Indexer, h.Program = ctext.NewIndexer(s.Spelling), p.Program
	return h
}

// functions prints them all.
func (h *host) functions() {
	f := h.names.Functions()
	h.Function(f.Device(), kerneltext.DeviceParameters(h.spelled, runtime, h.ParameterName), h.device)
	timed := kerneltext.AndAlso(ctext.Parameters(h.Program.Scop, "", h.ParameterName), "struct hexcc_times *times")
	h.Function(f.Timed(), timed, h.timed)
	h.Untimed(f)
	if ctext.Tested(h.Program.Scop) {
		h.Test(f, h.names.Refuse)
	}
}

// device prints the body of the function on arrays of the device.
func (h *host) device() []string {
	h.Unpassed(h.passed())
	h.UnlessLarge()
	h.UnlessBusy()
	h.Choose()
	if h.Program.Chains != nil {
		h.startChains()
		return nil
	}
	eachTime := h.TimeTiles()
	h.Line("CUresult error = 0;")
	h.Line("CUfunction *kernels;")
	h.Line("error = hexcc_kernels(&kernels);")
	h.Line("if (error != 0)")
	h.Line("  goto done;")
	eachTime(func() {
		for i := range h.Program.Kernels {
			h.launch(i)
		}
	})
	h.Raw("done:\n")
	h.Line("return error;")
	return nil
}

// passed returns the scalars and arrays that the kernels are given, by name.
func (h *host) passed() map[string]bool {
	names := map[string]bool{}
	for _, v := range h.versions {
		for _, k := range v {
			for _, a := range k.Args {
				if a.Kind == ScalarArg || a.Kind == ArrayArg {
					names[h.argument(a, nil)] = true
				}
			}
		}
	}
	return names
}

// launch prints the launch of kernel i: one block for each tile, if there are any. More
// tiles than a grid may have go in several launches.
func (h *host) launch(i int) {
	k := h.Program.Kernels[i]
	h.WhereBusy(k.Work, func() {
		h.Launches(k, h.spelled.Blocks, kerneltext.MaxGrid, func(slabs []kerneltext.Slab) {
			h.Uses["min"] = true
			counts := kerneltext.BlocksOf(slabs, h.Prefix)
			blocks := "blocks, 1, 1"
			if len(counts) == 1 {
				h.Line("const unsigned blocks = %s;", counts[0])
			} else {
				blocks = "blocks[0], blocks[1], blocks[2]"
				h.Line("const unsigned blocks[3] = {%s};", strings.Join(append(counts, "1")[:gpu.MaxAxes], ", "))
			}
			first := h.first
			h.Chosen(func(version int) {
				h.start(h.versions[version][i], first+i, slabs, blocks)
				first += len(h.versions[version])
			})
		})
	})
}

// startChains prints the launches of the kernel that runs all chains.
func (h *host) startChains() {
	var grids [][]kerneltext.Tiles
	for _, k := range h.Program.Kernels {
		var grid []kerneltext.Tiles
		for _, x := range k.Grid {
			grid = append(grid, kerneltext.Tiles{Lo: h.Expr(x.Lo), Hi: h.Expr(x.Hi)})
		}
		grids = append(grids, grid)
	}
	h.patience = h.Fresh("patience")
	h.Line("const unsigned long long %s = HEXCC_PATIENCE * 1000000000ULL;", h.patience)
	h.Line("CUfunction *kernels;")
	h.Line("CUresult error = hexcc_kernels(&kernels);")
	h.Line("if (error != 0)")
	h.Line("  return error;")
	order := h.Chains(grids, []string{"unsigned blocks;"}, func(order string) {
		h.order = order
		h.Chosen(func(version int) {
			k, number := h.versions[version][0], h.first+version
			t := kerneltext.Threads(k.Kernel)
			h.Line("HEXCC_TRY(hexcc_at_once(kernels[%d], %d, %d, &%s, &blocks));", number, t[0]*t[1]*t[2], k.Dynamic, order)
			h.start(k, number, nil, "blocks, 1, 1")
		})
	})
	h.Raw("done:\n")
	h.Line("if (%s.chain != NULL)", order)
	h.Line("  HEXCC_END(cuMemFreeAsync((CUdeviceptr)%s.chain, stream));", order)
	h.Line("return error;")
}

// start prints one launch of k, which has that number in the file, with blocks for slabs.
func (h *host) start(k Kernel, number int, slabs []kerneltext.Slab, blocks string) {
	args := make([]string, len(k.Args))
	for n, a := range k.Args {
		name := h.argument(a, slabs)
		if a.Kind >= ParamArg && a.Kind < OrderArg && a.Type != h.Index {
			converted := fmt.Sprintf("%v_%s", a.Type, name)
			for h.Taken[converted] {
				converted += "_"
			}
			h.Line("const %v %s = (%v)%s;", a.Type, converted, a.Type, name)
			name = converted
		}
		args[n] = "(void *)&" + name
	}
	t := kerneltext.Threads(k.Kernel)
	h.Line("void *arguments[] = {%s};", strings.Join(append(args, "NULL"), ", "))
	h.Line("HEXCC_TRY(cuLaunchKernel(kernels[%d], %s, %d, %d, %d, %d, stream, arguments, NULL));",
		number, blocks, t[0], t[1], t[2], k.Dynamic)
}

// argument returns the variable with the value of a.
func (h *host) argument(a Arg, slabs []kerneltext.Slab) string {
	switch a.Kind {
	case ArrayArg:
		return h.Outer[h.Program.Scop.Arrays[a.Index].Name]
	case ScalarArg:
		return h.Outer[h.Program.Scop.Scalars[a.Index].Name]
	case ParamArg:
		return h.Use(h.Program.Scop.Params[a.Index].Name)
	case TimeArg:
		return h.Program.T
	case FirstArg:
		return slabs[a.Index].From
	case OrderArg:
		return h.field(a.Index)
	}
	panic(fmt.Sprintf("ptx: unknown argument %v", a))
}

// field returns the variable of a field of the order of chains.
func (h *host) field(i int) string {
	switch {
	case i == patienceField:
		return h.patience
	case i >= widthField:
		return fmt.Sprintf("%s.width[%d]", h.order, i-widthField)
	case i >= firstField:
		return fmt.Sprintf("%s.first[%d]", h.order, i-firstField)
	}
	return h.order + map[int]string{flagsField: ".chain", countField: ".count", beginField: ".begin"}[i]
}

// at returns object k of a on the device.
func at(a kerneltext.HostArray, k int) string {
	switch k {
	case 0:
		return a.Device
	case 1:
		return fmt.Sprintf("%s + %s", a.Device, a.Bytes)
	}
	return fmt.Sprintf("%s + %d * %s", a.Device, k, a.Bytes)
}

// timed prints the body of the function on arrays of the host.
func (h *host) timed() []string {
	arrays := h.Arrays()
	h.Line("if (times != NULL)")
	h.Line("  *times = (struct hexcc_times){0, 0, 0, 0};")
	h.UnlessLarge()
	h.UnlessBusy()
	h.StartClock()
	h.Sizes(arrays)
	h.Line("const CUstream stream = (CUstream)2; // the default stream of this thread")
	h.Line("CUevent events[4] = {NULL, NULL, NULL, NULL};")
	for _, a := range arrays {
		h.Line("CUdeviceptr %s = 0;", a.Device)
	}
	h.Line("CUfunction *kernels;")
	h.Line("CUresult error = hexcc_kernels(&kernels);")
	h.Line("if (error != 0)")
	h.Line("  goto done;")
	h.Blank()
	h.Line("for (int i = 0; times != NULL && i < 4; i++)")
	h.Line("  HEXCC_TRY(cuEventCreate(&events[i], 0));")
	for _, a := range arrays {
		if !a.Transfer.Absent {
			h.Line("HEXCC_TRY(cuMemAlloc_v2(&%s, %s));", a.Device, a.AllBytes())
		}
	}
	h.mark(0)
	h.copies(arrays, true)
	h.mark(1)
	h.Blank()
	args := h.Numbers(h.ParameterName)
	for _, a := range arrays {
		args = append(args, fmt.Sprintf("(%s*)%s", ctext.Pointed(a.Array), a.Device))
	}
	h.Line("error = %s(%s);", h.names.Functions().Device(), strings.Join(append(args, "stream"), ", "))
	h.Line("if (error != 0)")
	h.Line("  goto done;")
	h.mark(2)
	h.Line("HEXCC_TRY(cuStreamSynchronize(stream)); // the kernels")
	h.Blank()
	h.copies(arrays, false)
	h.mark(3)
	h.Line("HEXCC_TRY(cuStreamSynchronize(stream));")
	h.Elapsed("HEXCC_TRY(cuEventElapsedTime(&times->%[3]s, events[%[1]d], events[%[2]d]));")
	h.Blank()
	h.Raw("done:\n")
	for _, a := range arrays {
		h.Line("if (%s != 0)", a.Device)
		h.Line("  HEXCC_END(cuMemFree_v2(%s));", a.Device)
	}
	h.Line("for (int i = 0; i < 4; i++)")
	h.Line("  if (events[i] != NULL)")
	h.Line("    HEXCC_END(cuEventDestroy_v2(events[i]));")
	h.StopClock()
	h.Line("return error;")
	return args
}

// mark prints the record of an event.
func (h *host) mark(event int) {
	h.Line("if (times != NULL)")
	h.Line("  HEXCC_TRY(cuEventRecord(events[%d], stream));", event)
}

// copies prints the copies to the device, or those back.
func (h *host) copies(arrays []kerneltext.HostArray, in bool) {
	for _, a := range arrays {
		for k := range a.Objects {
			there, here := at(a, k), a.Object(k)
			if a.Skipped != "" {
				there += " + " + a.Skipped
			}
			switch {
			case in && a.Transfer.In:
				h.Line("HEXCC_TRY(cuMemcpyHtoDAsync_v2(%s, %s, %s, stream));", there, here, a.Copied)
			case !in && a.Transfer.Out:
				h.Line("HEXCC_TRY(cuMemcpyDtoHAsync_v2(%s, %s, %s, stream));", here, there, a.Copied)
			}
		}
	}
}

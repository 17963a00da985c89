package cuda

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/kerneltext"
)

// This file prints the functions of a region: one on arrays of the device, which
// launches the kernels; one on arrays of the host, which copies them there and back.

// runtime is what the header says of CUDA.
var runtime = kerneltext.Runtime{
	Device:  "the current CUDA device",
	Memory:  "by a pointer to device memory",
	Status:  "a cudaError_t",
	Array:   "%s *",
	Queue:   "struct CUstream_st *stream",
	About:   "The queue is a cudaStream_t; NULL is the default stream.",
	Declare: "struct CUstream_st; /* a cudaStream_t points to one */\n\n",
}

// functions prints them all.
func (h *host) functions() {
	f := h.names.Functions()
	h.Function(f.Device(), kerneltext.DeviceParameters(h.spelled, deviceRuntime, h.ParameterName), h.device)
	timed := kerneltext.AndAlso(ctext.Parameters(h.Program.Scop, "", h.ParameterName), "struct hexcc_times *times")
	h.Function(f.Timed(), timed, h.timed)
	h.Untimed(f)
	if ctext.Tested(h.Program.Scop) {
		h.Test(f, h.names.Refuse)
	}
}

// deviceRuntime is runtime where the names of CUDA are declared.
var deviceRuntime = kerneltext.Runtime{Array: "%s *", Queue: "cudaStream_t stream"}

// device prints the body of the function on arrays of the device.
func (h *host) device() []string {
	used := map[string]bool{}
	for _, k := range h.launched() {
		for _, arg := range k.Args {
			used[arg.Name], h.Uses[arg.Name] = true, true
		}
	}
	h.Unpassed(used)
	h.UnlessLarge()
	h.UnlessBusy()
	h.Choose()
	if h.wholes != nil {
		h.startChains()
		return nil
	}
	eachTime := h.TimeTiles()
	h.Line("cudaError_t error = cudaSuccess;")
	for _, k := range h.kernels() {
		if k.Dynamic > 0 {
			h.Line("HEXCC_TRY(%s);", allow(k.Name, k.Dynamic))
		}
	}
	eachTime(func() {
		for i := range h.Program.Kernels {
			h.launch(i)
		}
	})
	h.Raw("done:\n")
	h.Line("return (int)error;")
	return nil
}

// launch prints the launch of kernel i: one block for each tile, if there are any. More
// tiles than a grid may have go in several launches.
func (h *host) launch(i int) {
	k := h.versions[0].Printed[i]
	h.WhereBusy(k.Work, func() {
		h.Launches(k.Kernel, h.spelled.Blocks, kerneltext.MaxGrid, func(slabs []kerneltext.Slab) {
			h.Uses["min"] = true
			counts := kerneltext.BlocksOf(slabs, h.Prefix)
			if len(counts) == 1 {
				h.Line("const unsigned blocks = %s;", counts[0])
			} else {
				h.Line("const dim3 blocks(%s);", strings.Join(counts, ", "))
			}
			h.Chosen(func(version int) { h.start(h.versions[version], i, slabs) })
		})
	})
}

// start prints one launch of kernel i with the blocks of slabs.
func (h *host) start(v kerneltext.Version, i int, slabs []kerneltext.Slab) {
	k := v.Printed[i]
	threads := kerneltext.Threads(k.Kernel)
	args := []string{
		k.Name, "blocks", fmt.Sprintf("dim3(%d, %d, %d)", threads[0], threads[1], threads[2]), fmt.Sprint(k.Dynamic), "stream",
	}
	for _, arg := range k.Args {
		name := arg.Name
		if axis := slices.Index(k.First, name); axis >= 0 {
			name = slabs[axis].From
		}
		if arg.Index && v.Index != h.Index {
			name = fmt.Sprintf("(%v)%s", v.Index, name)
		}
		args = append(args, name)
	}
	h.Line("HEXCC_TRY(hexcc_launch(%s));", strings.Join(args, ", "))
}

// at returns the pointer to object k of a on the device.
func at(a kerneltext.HostArray, k int) string {
	switch k {
	case 0:
		return a.Device
	case 1:
		return fmt.Sprintf("%s + %s / sizeof(%s)", a.Device, a.Bytes, a.Elem.InMemory())
	}
	return fmt.Sprintf("%s + %d * (%s / sizeof(%s))", a.Device, k, a.Bytes, a.Elem.InMemory())
}

// timed prints the body of the function on arrays of the host.
func (h *host) timed() []string {
	arrays := h.Arrays()
	h.Line("if (times != NULL)")
	h.Line("  *times = hexcc_times();")
	h.UnlessLarge()
	h.UnlessBusy()
	h.Line("const auto start = std::chrono::steady_clock::now();")
	h.Sizes(arrays)
	h.Line("const cudaStream_t stream = cudaStreamPerThread;")
	h.Line("cudaError_t error = cudaSuccess;")
	h.Line("cudaEvent_t events[4] = {};")
	for _, a := range arrays {
		h.Line("%s *%s = NULL;", a.Elem.InMemory(), a.Device)
	}
	h.Blank()
	h.Line("for (int i = 0; times != NULL && i < 4; i++)")
	h.Line("  HEXCC_TRY(cudaEventCreate(&events[i]));")
	for _, a := range arrays {
		if !a.Transfer.Absent {
			h.Line("HEXCC_TRY(cudaMalloc(&%s, %s));", a.Device, a.AllBytes())
		}
	}
	h.mark(0)
	h.copies(arrays, true)
	h.mark(1)
	h.Blank()
	args := h.Numbers(h.ParameterName)
	for _, a := range arrays {
		args = append(args, a.Device)
	}
	h.Line("error = (cudaError_t)%s(%s);", h.names.Functions().Device(), strings.Join(append(args, "stream"), ", "))
	h.Line("if (error != cudaSuccess)")
	h.Line("  goto done;")
	h.mark(2)
	h.Line("HEXCC_TRY(cudaStreamSynchronize(stream)); // the kernels")
	h.Blank()
	h.copies(arrays, false)
	h.mark(3)
	h.Line("HEXCC_TRY(cudaStreamSynchronize(stream));")
	h.Elapsed("HEXCC_TRY(cudaEventElapsedTime(&times->%[3]s, events[%[1]d], events[%[2]d]));")
	h.Blank()
	h.Raw("done:\n")
	for _, a := range arrays {
		h.Line("HEXCC_END(cudaFree(%s));", a.Device)
	}
	h.Line("for (cudaEvent_t event : events)")
	h.Line("  if (event != NULL)")
	h.Line("    HEXCC_END(cudaEventDestroy(event));")
	h.Line("if (times != NULL)")
	h.Line("  times->total = std::chrono::duration<float, std::milli>(std::chrono::steady_clock::now() - start).count();")
	h.Line("return (int)error;")
	return args
}

// mark prints the record of an event.
func (h *host) mark(event int) {
	h.Line("if (times != NULL)")
	h.Line("  HEXCC_TRY(cudaEventRecord(events[%d], stream));", event)
}

// copies prints the copies to the device, or those back.
func (h *host) copies(arrays []kerneltext.HostArray, in bool) {
	for _, a := range arrays {
		for k := range a.Objects {
			to, from, direction := at(a, k), a.Object(k), "HostToDevice"
			if a.Skipped != "" {
				to += fmt.Sprintf(" + %s / sizeof(%s)", a.Skipped, a.Elem.InMemory())
			}
			if !in {
				to, from, direction = from, to, "DeviceToHost"
			}
			if in && a.Transfer.In || !in && a.Transfer.Out {
				h.Line("HEXCC_TRY(cudaMemcpyAsync(%s, %s, %s, cudaMemcpy%s, stream));", to, from, a.Copied, direction)
			}
		}
	}
}

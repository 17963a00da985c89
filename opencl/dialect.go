package opencl

import (
	"fmt"
	"strings"

	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/kerneltext"
)

// dialect is OpenCL C 1.2; what lanes of a warp do is of the extensions for sub-groups. Contraction is off in all of the text, by a pragma.
var dialect = kerneltext.Dialect{
	Reserved:    reserved(),
	Head:        head,
	Global:      "__global ",
	Restrict:    "restrict",
	Shared:      "__local",
	BlockIndex:  [...]string{"get_group_id(0)", "get_group_id(1)", "get_group_id(2)"},
	ThreadIndex: [3]string{"get_local_id(0)", "get_local_id(1)", "get_local_id(2)"},
	Barrier:     "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)",
	Function:    function,
	Inline:      "static inline",
	Lanes: kerneltext.Lanes{
		Together: true, Table: "__constant", Shared: "__local ", Private: "__private ", Thread: "hexcc_thread()", Lane: "hexcc_lane()", Warp: "hexcc_warp()", Head: lanesHead,
		Meet: "sub_group_barrier(CLK_LOCAL_MEM_FENCE)", Ballot: "hexcc_ballot(%s)", Chain: "hexcc_chain(hexcc_shared)->%s",
	},
}

// head asks for work-groups of that very size. How many run at once cannot be said.
func head(k *gpu.Kernel) string { return headOf(kerneltext.Threads(k)) }

func headOf(threads [3]int) string {
	return fmt.Sprintf("__kernel __attribute__((reqd_work_group_size(%d, %d, %d))) void", threads[0], threads[1], threads[2])
}

// lanesHead asks for sub-groups of 32 work-items, too.
func lanesHead(threads [3]int) string {
	return strings.Replace(headOf(threads), " void", " HEXCC_SUB_GROUPS void", 1)
}

// function returns what OpenCL C calls a function of math.h. Its functions take
// the type of their arguments, and abs returns an unsigned integer.
func function(name string) string {
	switch name {
	case "abs":
		return "(int)abs"
	case "labs", "llabs":
		return "(long)abs"
	case "erf", "erff":
		return "erf"
	}
	name = strings.TrimSuffix(name, "f")
	if name == "nearbyint" {
		return "rint"
	}
	return name
}

// reserved returns names that OpenCL C keeps and C does not, and those that the
// text of the host uses.
func reserved() []string {
	names := []string{
		"bool", "half", "size_t", "ptrdiff_t", "intptr_t", "uintptr_t", "uchar", "ushort", "uint", "ulong", "true", "false",
		"global", "local", "constant", "private", "generic", "kernel", "read_only", "write_only", "read_write", "pipe", "complex",
		"imaginary", "quad", "vec_step", "as_int", "sampler_t", "event_t", "cl_mem_fence_flags", "image1d_t", "image1d_array_t",
		"image1d_buffer_t", "image2d_t", "image2d_array_t", "image3d_t", "image3d_array_t", "NULL", "NAN", "INFINITY", "MAXFLOAT",
		"HUGE_VAL", "HUGE_VALF", "barrier", "mem_fence", "get_group_id", "get_local_id", "get_global_id", "FP_CONTRACT", "OPENCL",
		"sub_group_barrier", "sub_group_ballot", "sub_group_shuffle", "intel_sub_group_shuffle", "sub_group_reduce_add", "get_sub_group_id",
		"get_sub_group_local_id", "inline", "restrict", "asm", "typeof", "linux", "unix", "main", "abs",
		"stderr", "stdout", "stdin", "EOF", "error", "done", "device", "context", "queue", "kernels", "blocks", "blocks_y", "blocks_z", "from", "released",
		"first", "items", "needs", "times", "start", "stop", "events", "clock_gettime", "timespec",
	}
	for _, base := range []string{"char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "float", "double", "half"} {
		for _, n := range []string{"2", "3", "4", "8", "16"} {
			names = append(names, base+n)
		}
	}
	return names
}

package cuda

import (
	"fmt"
	"strings"

	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/kerneltext"
)

// dialect is CUDA C++.
var dialect = kerneltext.Dialect{
	Reserved:      reserved,
	Head:          head,
	Chain:         "static __device__ __forceinline__ void",
	Inline:        "static __device__ __forceinline__",
	Order:         "const struct hexcc_order &",
	Restrict:      "__restrict__",
	Shared:        "__shared__",
	StaticShared:  48 << 10,
	DynamicShared: "hexcc_shared",
	BlockIndex:    [...]string{"blockIdx.x", "blockIdx.y", "blockIdx.z"},
	ThreadIndex:   [3]string{"threadIdx.x", "threadIdx.y", "threadIdx.z"},
	Barrier:       "__syncthreads()",
	Anew:          anew,
	Lanes: kerneltext.Lanes{
		Templates: true, Table: "static __device__ const", Thread: "threadIdx.x", Lane: "threadIdx.x % 32", Warp: "hexcc_warp()", Meet: "__syncwarp()", Ballot: "__ballot_sync(~0u, %s)", Chain: "hexcc_chain().%s",
	},
	Rounded: true,
}

func head(k *gpu.Kernel) string {
	if n := k.MostRegisters; n > 0 {
		return fmt.Sprintf("__global__ void __maxnreg__(%d)", n) // which goes with no other bound
	}
	threads := kerneltext.Threads(k)
	// Without the second number, ptxas may take a bound on registers of its own, and spill to keep it.
	return fmt.Sprintf("__global__ void __launch_bounds__(%d, %d)", threads[0]*threads[1]*threads[2], k.Resident)
}

// anew is an assembly of no instruction that is said to read and write the variables.
func anew(names []string) string {
	operands := make([]string, len(names))
	for i, name := range names {
		operands[i] = fmt.Sprintf("\"+r\"(%s)", name)
	}
	return fmt.Sprintf("asm volatile(\"\" : %s)", strings.Join(operands, ", "))
}

// reserved are names that the host's text uses, or that C++ and CUDA keep but C does not.
var reserved = []string{
	"alignas", "alignof", "and", "and_eq", "asm", "bitand", "bitor", "bool", "catch", "char8_t", "char16_t",
	"char32_t", "class", "compl", "concept", "const_cast", "consteval", "constexpr", "constinit", "co_await",
	"co_return", "co_yield", "decltype", "delete", "dynamic_cast", "explicit", "export", "false", "friend",
	"mutable", "namespace", "new", "noexcept", "not", "not_eq", "nullptr", "operator", "or", "or_eq", "private",
	"protected", "public", "reinterpret_cast", "requires", "static_assert", "static_cast", "template", "this",
	"thread_local", "throw", "true", "try", "typeid", "typename", "using", "virtual", "wchar_t", "xor", "xor_eq",
	"threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize", "dim3", "size_t", "NULL", "stderr", "error", "done",
	"main", "linux", "unix", "stream", "blocks", "times", "start", "events", "event", "end",
}

// Package kerneltext prints the kernels of a gpu.Program in a dialect of C for
// GPUs. What the dialects differ in is in the fields of Dialect; the printers of
// hosts, one for each language, give it.
package kerneltext

import "github.com/hexcc/hexcc/gpu"

// A Dialect is how a language of the C family spells what C does not have. In all
// of them int has 32 bits and long 64, as in the program that is translated.
type Dialect struct {
	Reserved []string // names that the language or the text around kernels needs

	// Head returns what goes before the name of a kernel that is launched with so
	// many threads, Resident (gpu.Kernel) blocks at once.
	Head func(k *gpu.Kernel) string
	// Chain goes before the name of a function of the device that runs a chain, Order before that of the order in which
	// chains are taken; "": there are none.
	Chain, Order string
	Inline       string // goes before the type of functions that are inlined, as those of pipelines; "": there are none
	Global       string // goes before the type of pointers to arrays, with a space after it; or ""
	Restrict     string // says that a pointer is the only way to what it points to: of arrays that a kernel only reads

	Shared string // declares shared arrays, at the top of a kernel
	// StaticShared is how many bytes of shared arrays a kernel may declare; a kernel that needs more
	// takes them from DynamicShared, an array of bytes. 0: any number.
	StaticShared  int
	DynamicShared string

	BlockIndex  [gpu.MaxAxes]string
	ThreadIndex [3]string // along x, y and z
	Barrier     string    // all threads of the block arrive before any goes on, and see each other's writes to shared and global memory

	// Anew returns a statement after which a compiler takes variables of 32 bits for changed; nil: there is none.
	Anew func(names []string) string

	Lanes Lanes // of pipelines of warps

	// Rounded: compilers may contract a product and a sum unless the product is a call of __fmul_rn or __dmul_rn.
	Rounded bool
	// Function returns the call of a function of math.h up to the parenthesis; nil: as there.
	Function func(name string) string
}

// Lanes are how a language spells what the lanes of a warp do, through whose registers rows stream.
type Lanes struct {
	// Templates: functions have parameters of templates, and references. Without, both are parameters: what is a constant at each call, and pointers to rows and
	// to what a function changes; and shared memory is one, since it belongs to the kernel that declares it.
	Templates bool
	// Together: barriers are those of all warps of a block, in one place of the text. Else each stage has barriers of its own, which meet each other.
	Together bool

	Table              string // goes before the type of an array of numbers that all threads read
	Shared, Private    string // go before the type of what lies in shared memory, and in registers, with a space after it; or ""
	Thread, Lane, Warp string // numbers in the block, in the warp, and of the warp in the block
	// Head returns what goes before the name of a kernel that is launched with so many threads; nil: one runs the chains of all phases, and has no other.
	Head   func(threads [3]int) string
	Meet   string // a call: lanes of a warp see what they have written to shared memory
	Ballot string // a format: the bits of a condition, one for each lane
	Chain  string // a format: a member of what the block has noted of its chain
}

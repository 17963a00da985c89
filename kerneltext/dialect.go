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
	Head func(threads [3]int, resident int) string
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

	// Rounded: compilers may contract a product and a sum unless the product is a call of __fmul_rn or __dmul_rn.
	Rounded bool
	// Function returns the call of a function of math.h up to the parenthesis; nil: as there.
	Function func(name string) string
}

// Package ptx is the place of the printer of PTX: a gpu.Program lowered to LLVM
// IR, from which llc makes PTX. It is not written yet; hexcc --target=ptx says so.
package ptx

// Package ptx makes PTX of a gpu.Program: it lowers the program to LLVM IR,
// from which LLVM's opt and llc make the text, and prints a host function in C
// that runs it through the CUDA driver API. It decides nothing about the program.
package ptx

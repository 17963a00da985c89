// Package opencl prints a gpu.Program as OpenCL C 1.2 with a host in C, and the
// user's source with the region replaced by a call. It decides nothing about the
// program: it spells.
package opencl

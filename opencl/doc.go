// Package opencl is the place of the printer of OpenCL C kernels and their host
// code. It is not written yet; hexcc --target=opencl says so.
package opencl

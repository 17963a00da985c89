// Package device runs the kernels that package opencl prints on an OpenCL device,
// by the library of the machine: that is loaded when it is needed, without cgo.
package device

import (
	"fmt"
	"strings"
	"unsafe"
)

// The values of cl.h that are used.
const (
	deviceTypeAll = 0xFFFFFFFF
	typeGPU       = 1 << 2
	typeOther     = 1 << 3 // an accelerator

	platformName = 0x0902

	deviceType      = 0x1000
	maxGroup        = 0x1004
	maxItems        = 0x1005
	localMemory     = 0x1023
	deviceName      = 0x102B
	driverVersion   = 0x102D
	extensions      = 0x1030
	devicePlatform  = 0x1031
	deviceVersion   = 0x102F
	singleConfig    = 0x101B
	doubleConfig    = 0x1032
	roundsDivisions = 1 << 7
	buildLog        = 0x1183
	kernelGroup     = 0x11B0
	readWrite       = 1 << 0
	subGroupSize    = 0x2033 // the largest, for a size of groups
	subGroups       = 0x2034

	notFound   = -1
	noPlatform = -1001
)

// A handle is what OpenCL calls a cl_mem, cl_kernel and so on.
type handle = uintptr

// api are the functions of the library.
type api struct {
	getPlatformIDs          func(most uint32, ids *handle, n *uint32) int32
	getPlatformInfo         func(platform handle, what uint32, size uintptr, value unsafe.Pointer, got *uintptr) int32
	getDeviceIDs            func(platform handle, kind uint64, most uint32, ids *handle, n *uint32) int32
	getDeviceInfo           func(device handle, what uint32, size uintptr, value unsafe.Pointer, got *uintptr) int32
	createContext           func(properties uintptr, n uint32, devices *handle, notify, data uintptr, err *int32) handle
	createCommandQueue      func(context, device handle, properties uint64, err *int32) handle
	createProgramWithSource func(context handle, n uint32, texts unsafe.Pointer, lengths *uintptr, err *int32) handle
	buildProgram            func(program handle, n uint32, devices *handle, options string, notify, data uintptr) int32
	getProgramBuildInfo     func(program, device handle, what uint32, size uintptr, value unsafe.Pointer, got *uintptr) int32
	createKernel            func(program handle, name string, err *int32) handle
	getKernelWorkGroupInfo  func(kernel, device handle, what uint32, size uintptr, value unsafe.Pointer, got *uintptr) int32
	extensionFunction       func(platform handle, name string) uintptr
	setKernelArg            func(kernel handle, index uint32, size uintptr, value unsafe.Pointer) int32
	createBuffer            func(context handle, flags uint64, size uintptr, host uintptr, err *int32) handle
	enqueueWriteBuffer      func(queue, buffer handle, blocking uint32, offset, size uintptr, from unsafe.Pointer, n uint32, events, event uintptr) int32
	enqueueReadBuffer       func(queue, buffer handle, blocking uint32, offset, size uintptr, to unsafe.Pointer, n uint32, events, event uintptr) int32
	enqueueNDRangeKernel    func(queue, kernel handle, axes uint32, offset uintptr, items, group *uintptr, n uint32, events, event uintptr) int32
	finish                  func(queue handle) int32
	releaseMemObject        func(handle) int32
	releaseKernel           func(handle) int32
	releaseProgram          func(handle) int32
	releaseCommandQueue     func(handle) int32
	releaseContext          func(handle) int32
}

// bind returns the functions of a library.
func bind(lib uintptr) *api {
	a := &api{}
	for name, function := range map[string]any{
		"clGetPlatformIDs": &a.getPlatformIDs, "clGetPlatformInfo": &a.getPlatformInfo,
		"clGetDeviceIDs": &a.getDeviceIDs, "clGetDeviceInfo": &a.getDeviceInfo,
		"clCreateContext": &a.createContext, "clCreateCommandQueue": &a.createCommandQueue,
		"clCreateProgramWithSource": &a.createProgramWithSource, "clBuildProgram": &a.buildProgram,
		"clGetProgramBuildInfo": &a.getProgramBuildInfo, "clCreateKernel": &a.createKernel,
		"clGetKernelWorkGroupInfo": &a.getKernelWorkGroupInfo, "clSetKernelArg": &a.setKernelArg,
		"clCreateBuffer": &a.createBuffer, "clEnqueueWriteBuffer": &a.enqueueWriteBuffer,
		"clEnqueueReadBuffer": &a.enqueueReadBuffer, "clEnqueueNDRangeKernel": &a.enqueueNDRangeKernel,
		"clFinish": &a.finish, "clReleaseMemObject": &a.releaseMemObject, "clReleaseKernel": &a.releaseKernel,
		"clReleaseProgram": &a.releaseProgram, "clReleaseCommandQueue": &a.releaseCommandQueue,
		"clReleaseContext": &a.releaseContext, "clGetExtensionFunctionAddressForPlatform": &a.extensionFunction,
	} {
		bindIn(function, lib, name)
	}
	return a
}

// An apiError is a call that failed.
type apiError struct {
	call   string
	status int32
}

func (e *apiError) Error() string {
	return fmt.Sprintf("%s failed with error %d of OpenCL", e.call, e.status)
}

// failed returns the error of a call, nil if its status is 0.
func failed(call string, status int32) error {
	if status == 0 {
		return nil
	}
	return &apiError{call, status}
}

// text returns a string that get, one of the functions for it, gives.
func text(get func(size uintptr, value unsafe.Pointer, got *uintptr) int32) string {
	var n uintptr
	if get(0, nil, &n) != 0 || n == 0 {
		return ""
	}
	b := make([]byte, n)
	if get(n, unsafe.Pointer(&b[0]), nil) != 0 {
		return ""
	}
	return strings.TrimRight(string(b), "\x00")
}

// number returns what a device says of itself, 0 if it says nothing.
func (a *api) number(device handle, what uint32) (n uint64) {
	if a.getDeviceInfo(device, what, unsafe.Sizeof(n), unsafe.Pointer(&n), nil) != 0 {
		return 0
	}
	return n
}

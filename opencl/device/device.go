package device

import (
	"fmt"
	"strconv"
	"strings"
	"sync"
	"unsafe"

	"github.com/hexcc/hexcc/diag"
)

// A Device is an OpenCL device with a context and a queue that runs in order.
type Device struct {
	api            *api
	id             handle
	context, queue handle
	Name           string // PLATFORM: DEVICE, driver VERSION
	Usual          string // options to build with that the device needs
}

// install is what to do where there is no OpenCL.
const install = "install a driver and the loader; on Debian and Ubuntu, apt-get install pocl-opencl-icd ocl-icd-libopencl1 makes a device of the CPU"

// missing returns the diagnostic that there is no device.
func missing(help, format string, args ...any) error {
	return &diag.Diagnostic{Code: "HX507", Msg: fmt.Sprintf(format, args...), Help: help}
}

// begins is held while drivers begin, and end, their work with a device: PoCL 3.1 crashes where several threads are the first at the same time.
var begins sync.Mutex

// Open returns the device that is asked for by its number or a part of its name
// or, if asked is "", the first GPU, else the first accelerator, else the first of
// all. The error is a *diag.Diagnostic, HX507.
func Open(asked string) (*Device, error) {
	begins.Lock()
	defer begins.Unlock()
	lib, err := load()
	if err != nil {
		return nil, missing(install, "there is no OpenCL library: %v", err)
	}
	a := bind(lib)
	all, err := a.devices()
	if err != nil {
		return nil, missing(install, "%v", err)
	}
	best, rank := -1, 0
	for i, d := range all {
		r := d.rank
		if asked != "" {
			r = 0
			if asked == strconv.Itoa(i) {
				r = 2
			} else if strings.Contains(d.name, asked) {
				r = 1
			}
		}
		if r > rank {
			best, rank = i, r
		}
	}
	switch {
	case len(all) == 0:
		return nil, missing(install, "there is no OpenCL device")
	case best < 0:
		var names []string
		for i, d := range all {
			names = append(names, fmt.Sprintf("%d, %s", i, d.name))
		}
		return nil, missing("known are "+strings.Join(names, "; "), "no OpenCL device is called %q", asked)
	}
	return a.open(all[best])
}

// A found is a device of a platform.
type found struct {
	id       handle
	platform string
	name     string
	rank     int
}

// devices returns all devices of all platforms.
func (a *api) devices() (all []found, err error) {
	platforms := make([]handle, 64)
	var n uint32
	status := a.getPlatformIDs(uint32(len(platforms)), &platforms[0], &n)
	if status == noPlatform {
		return nil, nil
	}
	if err := failed("clGetPlatformIDs", status); err != nil {
		return nil, err
	}
	for _, p := range platforms[:min(n, 64)] {
		platform := text(func(size uintptr, value unsafe.Pointer, got *uintptr) int32 {
			return a.getPlatformInfo(p, platformName, size, value, got)
		})
		ids := make([]handle, 64)
		var m uint32
		status := a.getDeviceIDs(p, deviceTypeAll, uint32(len(ids)), &ids[0], &m)
		if status == notFound {
			continue
		}
		if err := failed("clGetDeviceIDs", status); err != nil {
			return nil, err
		}
		for _, id := range ids[:min(m, 64)] {
			d := found{id: id, platform: platform, rank: 1}
			d.name = platform + ": " + a.info(id, deviceName) + ", driver " + a.info(id, driverVersion)
			switch kind := a.number(id, deviceType); {
			case kind&typeGPU != 0:
				d.rank = 3
			case kind&typeOther != 0:
				d.rank = 2
			}
			all = append(all, d)
		}
	}
	return all, nil
}

func (a *api) info(device handle, what uint32) string {
	return text(func(size uintptr, value unsafe.Pointer, got *uintptr) int32 {
		return a.getDeviceInfo(device, what, size, value, got)
	})
}

// open makes context and queue.
func (a *api) open(f found) (*Device, error) {
	d := &Device{api: a, id: f.id, Name: f.name}
	if f.platform == "Portable Computing Language" {
		d.Usual = "-cl-opt-disable" // docs/opencl.md has what was measured
	}
	var status int32
	d.context = a.createContext(0, 1, &d.id, 0, 0, &status)
	if err := failed("clCreateContext", status); err != nil {
		return nil, missing("", "%s: %v", f.name, err)
	}
	d.queue = a.createCommandQueue(d.context, d.id, 0, &status)
	if err := failed("clCreateCommandQueue", status); err != nil {
		a.releaseContext(d.context)
		return nil, missing("", "%s: %v", f.name, err)
	}
	return d, nil
}

// Close releases what the device holds.
func (d *Device) Close() error {
	begins.Lock()
	defer begins.Unlock()
	first := failed("clReleaseCommandQueue", d.api.releaseCommandQueue(d.queue))
	if err := failed("clReleaseContext", d.api.releaseContext(d.context)); first == nil {
		first = err
	}
	return first
}

//go:build linux || darwin || freebsd

package device

import (
	"errors"
	"runtime"

	"github.com/ebitengine/purego"
)

// load returns a handle of the OpenCL library.
func load() (uintptr, error) {
	names := []string{"libOpenCL.so.1", "libOpenCL.so"}
	if runtime.GOOS == "darwin" {
		names = []string{"/System/Library/Frameworks/OpenCL.framework/OpenCL"}
	}
	var errs []error
	for _, name := range names {
		lib, err := purego.Dlopen(name, purego.RTLD_NOW|purego.RTLD_GLOBAL)
		if err == nil {
			return lib, nil
		}
		errs = append(errs, err)
	}
	return 0, errors.Join(errs...)
}

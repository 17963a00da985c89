//go:build (linux || darwin || freebsd) && !static

package device

import (
	"errors"
	"runtime"
	"strings"

	"github.com/ebitengine/purego"
)

// load returns a handle of the OpenCL library.
func load() (uintptr, error) {
	names := []string{"libOpenCL.so.1", "libOpenCL.so"}
	if runtime.GOOS == "darwin" {
		names = []string{"/System/Library/Frameworks/OpenCL.framework/OpenCL"}
	}
	var errs []string
	for _, name := range names {
		// What is wrong is said to the thread that asked: two calls of a goroutine need not be of one.
		runtime.LockOSThread()
		lib, err := purego.Dlopen(name, purego.RTLD_NOW|purego.RTLD_GLOBAL)
		runtime.UnlockOSThread()
		if err == nil {
			return lib, nil
		}
		errs = append(errs, err.Error())
	}
	return 0, errors.New(strings.Join(errs, "; "))
}

// bindIn sets a variable to the function of a library that is called name.
func bindIn(function any, lib uintptr, name string) { purego.RegisterLibFunc(function, lib, name) }

// bindAt sets a variable to the function at an address.
func bindAt(function any, address uintptr) { purego.RegisterFunc(function, address) }

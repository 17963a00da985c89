//go:build static || !(linux || darwin || freebsd)

package device

import "errors"

// load says why there is no OpenCL library.
func load() (uintptr, error) {
	return 0, errors.New("this hexcc opens no libraries: one that was not built for Windows, nor with the tag static, runs OpenCL")
}

// Nothing is bound to a library that is not there.
func bindIn(any, uintptr, string) { panic("device: no library") }
func bindAt(any, uintptr)         { panic("device: no library") }

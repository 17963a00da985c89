//go:build !(linux || darwin || freebsd)

package device

import "errors"

func load() (uintptr, error) {
	return 0, errors.New("hexcc runs OpenCL on Linux, macOS and FreeBSD only")
}

package machine

import (
	"fmt"
	"strings"
)

// DefaultArch is the architecture to generate code for where none is named.
const DefaultArch = "sm_80"

// CheckArch returns an error unless arch is one we know, or "".
func CheckArch(arch string) error {
	if _, known := LookupDevice(arch); known || arch == "" {
		return nil
	}
	var names []string
	for _, d := range Devices() {
		names = append(names, d.Name)
	}
	return fmt.Errorf("--arch=%s: known are %s", arch, strings.Join(names, ", "))
}

// DeviceOf returns the device of an architecture that CheckArch accepts.
func DeviceOf(arch string) Device {
	if arch == "" {
		arch = DefaultArch
	}
	d, known := LookupDevice(arch)
	if !known {
		panic("machine: unknown architecture " + arch)
	}
	return d
}

package main

import (
	"syscall"
	"time"
	"unsafe"
)

// processorClock is CLOCK_PROCESS_CPUTIME_ID.
const processorClock = 2

// processorTime returns what this process has used of the processors, which does not count what else the machine does.
func processorTime() time.Duration {
	var t syscall.Timespec
	if _, _, errno := syscall.Syscall(syscall.SYS_CLOCK_GETTIME, processorClock, uintptr(unsafe.Pointer(&t)), 0); errno != 0 {
		panic("bench/poly: clock_gettime: " + errno.Error())
	}
	return time.Duration(t.Nano())
}

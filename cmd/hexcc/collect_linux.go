package main

import (
	"runtime"
	"runtime/debug"
	"syscall"
	"unsafe"
)

// This file asks Linux for huge pages, which Go's runtime does not.

const (
	hugePage = 2 << 20
	// roomy is the memory that hexcc may take at least where it asks for huge pages.
	roomy = 2 << 30
)

// reserveHuge has the next bytes of the heap lie in huge pages, and reports whether that was asked for: an array that nothing has
// written to, and takes no memory, is marked and collected at once, so that what is allocated next lies where it lay. Until then nothing else is collected. Nothing is
// asked for where memory is scarce, or bounded by less than twice as much: Go's runtime ends a process that cannot have what it asks for.
func reserveHuge(bytes int) bool {
	if debug.SetMemoryLimit(-1) < roomy {
		return false
	}
	room, err := syscall.Mmap(-1, 0, 2*bytes, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_PRIVATE|syscall.MAP_ANON)
	if err != nil || syscall.Munmap(room) != nil {
		return false
	}
	old := debug.SetGCPercent(-1)
	defer debug.SetGCPercent(old)
	array := make([]byte, bytes)
	from := int(-uintptr(unsafe.Pointer(unsafe.SliceData(array))) % hugePage)
	err = syscall.Madvise(array[from:from+(bytes-from)/hugePage*hugePage], syscall.MADV_HUGEPAGE)
	runtime.KeepAlive(array)
	array = nil
	runtime.GC()
	return err == nil
}

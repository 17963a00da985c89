//go:build unix

package main

import (
	"io/fs"
	"os"
	"syscall"
)

// giveOwner gives file the owner and the group of old, as far as that is allowed.
func giveOwner(file *os.File, old fs.FileInfo) {
	if was, ok := old.Sys().(*syscall.Stat_t); ok {
		_ = file.Chown(int(was.Uid), int(was.Gid))
	}
}

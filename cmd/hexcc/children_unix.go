//go:build unix

package main

import (
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

// replace runs a program in place of this process. It returns only if it cannot.
func replace(path string, words []string) error {
	return syscall.Exec(path, words, os.Environ())
}

// endBy ends this process by a signal.
func endBy(s syscall.Signal) {
	signal.Reset(s)
	_ = syscall.Kill(os.Getpid(), s)
}

// endedBy returns the signal that has ended a process, 0 if none has.
func endedBy(p *os.ProcessState) syscall.Signal {
	if status, ok := p.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return status.Signal()
	}
	return 0
}

// lockFolder takes a folder for this process alone, until it ends or the file is closed. The error says that another has it.
func lockFolder(path string) (*os.File, error) {
	dir, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(dir.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		dir.Close()
		return nil, err
	}
	mine, err := dir.Stat()
	there, gone := os.Lstat(path)
	if err != nil || gone != nil || !os.SameFile(mine, there) { // it was removed meanwhile
		dir.Close()
		return nil, os.ErrNotExist
	}
	if stat, ok := mine.Sys().(*syscall.Stat_t); !ok || int(stat.Uid) != os.Getuid() || mine.Mode().Perm() != 0o700 {
		dir.Close()
		return nil, fmt.Errorf("%s is somebody else's", path)
	}
	return dir, nil
}

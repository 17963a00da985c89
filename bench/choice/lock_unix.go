//go:build unix

package main

import (
	"errors"
	"os"
	"syscall"
)

// lock locks files one after the other, and waits for each; unlock lets them go. Who else keeps to them then leaves the machine alone.
func lock(paths []string) (unlock func() error, err error) {
	var files []*os.File
	unlock = func() (err error) {
		for _, f := range files {
			err = errors.Join(err, f.Close())
		}
		return err
	}
	for _, path := range paths {
		f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
		if err != nil {
			return nil, errors.Join(err, unlock())
		}
		files = append(files, f)
		for err = syscall.EINTR; errors.Is(err, syscall.EINTR); {
			err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX)
		}
		if err != nil {
			return nil, errors.Join(err, unlock())
		}
	}
	return unlock, nil
}

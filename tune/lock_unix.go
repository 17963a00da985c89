//go:build unix

package tune

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// openLocked opens a file to read and write, made if there is none, so that no other process opens it so until this one closes it or ends.
func openLocked(path string) (*os.File, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	for {
		err = syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if !errors.Is(err, syscall.EINTR) {
			break
		}
	}
	if errors.Is(err, syscall.EWOULDBLOCK) {
		err = fmt.Errorf("%s: %w", path, ErrLocked)
	} else if err != nil {
		err = &fs.PathError{Op: "lock", Path: path, Err: err}
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

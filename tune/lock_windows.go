package tune

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// sharingViolation is the error that another process has a file open which it does not share.
const sharingViolation = syscall.Errno(32)

// openLocked opens a file to read and write, made if there is none, so that no other process opens it so until this one closes it or ends: others may read it.
func openLocked(path string) (*os.File, error) {
	name, err := syscall.UTF16PtrFromString(path)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	handle, err := syscall.CreateFile(name, syscall.GENERIC_READ|syscall.GENERIC_WRITE, syscall.FILE_SHARE_READ, nil, syscall.OPEN_ALWAYS, syscall.FILE_ATTRIBUTE_NORMAL, 0)
	switch {
	case errors.Is(err, sharingViolation):
		return nil, fmt.Errorf("%s: %w", path, ErrLocked)
	case err != nil:
		return nil, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	return os.NewFile(uintptr(handle), path), nil
}

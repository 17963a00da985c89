package frontend

import (
	"fmt"
	"io"
)

// This file bounds what is read of a file.

// MostBytes is the size of the largest file that is read.
const MostBytes = 64 << 20

// TooLarge is the error of reading more than MostBytes.
type TooLarge struct{}

func (TooLarge) Error() string {
	return fmt.Sprintf("more than %d MiB, the most that is read of a file", MostBytes>>20)
}

// ReadAll reads r to its end, but no more than MostBytes: some files have no end.
func ReadAll(r io.Reader) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(r, MostBytes+1))
	if err == nil && len(text) > MostBytes {
		return nil, TooLarge{}
	}
	return text, err
}

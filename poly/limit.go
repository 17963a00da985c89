package poly

import (
	"errors"
	"fmt"
)

// A LimitError says that an exact operation would have passed a stated bound. Operations panic with it; Limited catches it.
type LimitError struct {
	Op    string // "subtract"
	What  string // "parts"
	Bound int
}

func (e *LimitError) Error() string {
	return fmt.Sprintf("poly: %s: more than %d %s", e.Op, e.Bound, e.What)
}

// Limited runs f and returns the LimitError that an operation in it panicked with, or f's own error.
func Limited(f func() error) (err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case error:
			if limit := (*LimitError)(nil); errors.As(r, &limit) {
				err = limit
				return
			}
			panic(r)
		default:
			panic(r)
		}
	}()
	return f()
}

// The bounds that operations keep to. They are far above what schedules and dependences need.
const (
	maxParts     = 5000 // parts of one set or relation
	maxSplinters = 5000 // subproblems of one integer search
	maxRows      = 1000 // rows of one conjunction
)

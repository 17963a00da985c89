package hexcc

import (
	_ "embed"
	"time"
)

// Example is the program that hexcc demo translates.
//
//go:embed examples/jacobi-2d.c
var Example []byte

// Total returns what all passes took.
func (r *Result) Total() time.Duration {
	var sum time.Duration
	for _, t := range r.Times {
		sum += t.Took
	}
	return sum
}

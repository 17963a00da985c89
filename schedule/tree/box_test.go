package tree_test

import (
	"fmt"
	"strings"

	"github.com/hexcc/hexcc/poly"
)

// universeOf returns all points of a tuple.
func universeOf(name string, dims int) poly.Set {
	names := make([]string, dims)
	for i := range names {
		names[i] = fmt.Sprintf("x%d", i)
	}
	return poly.MustSet("{ " + name + "[" + strings.Join(names, ", ") + "] }")
}

// walkBox calls f with all points with coordinates from lo to hi.
func walkBox(dims int, lo, hi int64, p []int64, f func(p []int64)) {
	if dims == 0 {
		f(p)
		return
	}
	for v := lo; v <= hi; v++ {
		walkBox(dims-1, lo, hi, append(p[:len(p):len(p)], v), f)
	}
}

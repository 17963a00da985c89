package oracle

import (
	"fmt"
	"math"

	"github.com/hexcc/hexcc/scop"
)

// Different returns the first element in which x and y differ, or "". What is no number is
// equal: C does not say which of two is the result of an operation.
func Different(x, y *scop.Memory) string {
	for i, a := range x.Arrays {
		t := a.Array.Elem
		for k, v := range a.Cells {
			if w := y.Arrays[i].Cells[k]; v != w && !(t.IsFloat() && math.IsNaN(t.Number(v)) && math.IsNaN(t.Number(w))) {
				return fmt.Sprintf("%s: want %s, got %s", a.Element(k), t.Format(v), t.Format(w))
			}
		}
	}
	return ""
}

//go:build polyrecord

package poly

import (
	"fmt"
	"io"
	"runtime"
	"strings"
)

var recorder io.Writer

// Record makes each operation that is called from outside of this package, not those it calls in turn, write a line
// NAME|A|B to w, such as Set.Subtract|{ ... }|{ ... }. It is there under the build tag polyrecord only, for `make record-poly`.
// Operations must not run concurrently.
func Record(w io.Writer) { recorder = w }

// record writes the line of the operation that calls it, whose operands are a and b, which is "" where there is none.
func record[A, B any](a A, b B) {
	if recorder == nil {
		return
	}
	const inside = "github.com/hexcc/hexcc/poly."
	pcs := make([]uintptr, 8)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(1, pcs)])
	frame, _ := frames.Next() // record
	for strings.Contains(frame.Function, "poly.record[") {
		frame, _ = frames.Next()
	}
	name := strings.TrimPrefix(frame.Function, inside)
	if caller, _ := frames.Next(); strings.HasPrefix(caller.Function, inside) {
		return
	}
	line := fmt.Sprintf("%s|%v|%v", name, a, b)
	fmt.Fprintln(recorder, strings.Join(strings.Fields(line), " "))
}

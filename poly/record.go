package poly

import (
	"fmt"
	"io"
	"runtime"
	"strings"
	"sync"
)

// recorder is where operations are recorded, if it is not nil.
var recorder io.Writer

// Record makes each operation that is called from outside of this package, not those it calls in turn, write a line
// NAME|A|B to w, such as Set.Subtract|{ ... }|{ ... }; with nil they no longer do. No operation may run meanwhile.
// It is for `make record-poly`.
func Record(w io.Writer) { recorder = w }

// record writes the line of the operation that calls it, whose operands are a and b, which is "" where there is none.
func record[A, B any](a A, b B) {
	if recorder != nil {
		writeRecord(a, b)
	}
}

var recording sync.Mutex

func writeRecord[A, B any](a A, b B) {
	const inside = "github.com/hexcc/hexcc/poly."
	pcs := make([]uintptr, 8)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	frame, _ := frames.Next()
	for strings.Contains(frame.Function, "poly.writeRecord[") || strings.Contains(frame.Function, "poly.record[") {
		frame, _ = frames.Next()
	}
	name := strings.TrimPrefix(frame.Function, inside)
	if caller, _ := frames.Next(); strings.HasPrefix(caller.Function, inside) {
		return
	}
	if name == "(*Ratios).Max" { // which finds what MaxRatio does
		name = "Map.MaxRatio"
	}
	line := strings.Join(strings.Fields(fmt.Sprintf("%s|%v|%v", name, a, b)), " ")
	recording.Lock()
	defer recording.Unlock()
	fmt.Fprintln(recorder, line)
}

// What operations have as second operands in records, beside sets and relations:

// A paramValue is a value for a parameter.
type paramValue struct {
	name  string
	value int64
}

// A place is a point, for values of the parameters.
type place struct {
	params map[string]int64
	point  []int64
}

package cuda

import (
	"fmt"

	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/kerneltext"
)

// header returns BASE.hex.h.
func header(parts []part) string {
	var entries []kerneltext.Entry
	for _, p := range parts {
		entries = append(entries, kerneltext.Entry{
			Spelling: p.spelling, Functions: p.Names.functions(), Program: p.Program, Host: p.Names.HostFile(),
		})
	}
	return kerneltext.DeviceHeader(parts[0].Names.HeaderFile(), runtime, entries)
}

// hostSource returns the user's source with the regions replaced by calls.
func hostSource(parts []Part) string {
	var calls []ctext.Call
	for _, p := range parts {
		note := fmt.Sprintf("hexcc: on the GPU, see %s", p.Names.KernelFile())
		calls = append(calls, p.Names.functions().Call(p.Program.Scop, note, p.Names.Refuse, p.Names.WithoutDevice))
	}
	return fmt.Sprintf("#include \"%s\"\n", parts[0].Names.HeaderFile()) + ctext.Replaced(calls)
}

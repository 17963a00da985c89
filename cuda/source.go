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
		f := p.Names.functions()
		c := ctext.Call{
			Scop: p.Program.Scop, Note: fmt.Sprintf("hexcc: on the GPU, see %s", p.Names.KernelFile()),
			Run: f.Run(), Status: true, Stop: f.Stop(), Refuse: p.Names.Refuse,
		}
		if p.Names.WithoutDevice {
			c.Ready = f.Ready()
		}
		if ctext.Tested(p.Program.Scop) {
			c.Test = f.Test()
		}
		calls = append(calls, c)
	}
	return fmt.Sprintf("#include \"%s\"\n", parts[0].Names.HeaderFile()) + ctext.Replaced(calls)
}

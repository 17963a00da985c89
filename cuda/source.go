package cuda

import (
	"github.com/hexcc/hexcc/kerneltext"
)

// header returns BASE.hex.h.
func header(parts []part) string {
	var entries []kerneltext.Entry
	for _, p := range parts {
		entries = append(entries, kerneltext.Entry{
			Spelling: p.spelling, Functions: p.Names.Functions(), Program: p.Program, Host: HostFile(p.Names.Base),
		})
	}
	return kerneltext.DeviceHeader(parts[0].Names.HeaderFile(), runtime, entries)
}

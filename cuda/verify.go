package cuda

import (
	"fmt"

	"github.com/hexcc/hexcc/ctext"
)

// Verify checks what can be seen without a compiler: no file is empty and
// braces balance in those we write whole.
func (f Files) Verify() error {
	for name, text := range map[string]string{"header": f.Header, "kernel file": f.Kernel, "host file": f.Host} {
		if text == "" {
			return fmt.Errorf("%s is empty", name)
		}
		if open, close := ctext.Braces(text); name != "host file" && open != close {
			return fmt.Errorf("%s has %d { and %d }", name, open, close)
		}
	}
	return nil
}

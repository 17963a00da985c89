package ranks

import (
	"fmt"
	"os"
)

func debugf(f string, a ...any) {
	if os.Getenv("RDEBUG") != "" {
		fmt.Fprintf(os.Stderr, f, a...)
	}
}

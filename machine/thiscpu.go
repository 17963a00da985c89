package machine

import (
	"fmt"
	"os"
	"regexp"
	"runtime"
	"strings"
)

// ThisCPU names the processor of this machine, and how many of its cores there are: what measured times hold for.
func ThisCPU() string {
	name := runtime.GOARCH
	if text, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		if m := modelName.FindSubmatch(text); m != nil {
			name = strings.Join(strings.Fields(string(m[1])), " ")
		}
	}
	cores := "cores"
	if runtime.NumCPU() == 1 {
		cores = "core"
	}
	return fmt.Sprintf("%s, %d %s", name, runtime.NumCPU(), cores)
}

var modelName = regexp.MustCompile(`(?m)^model name\s*: (.*)$`)

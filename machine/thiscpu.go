package machine

import (
	"fmt"
	"os"
	"path/filepath"
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

// PhysicalCores returns how many cores this machine has, of which each may run several threads at once; 0: the system does not tell.
func PhysicalCores() int { return physicalCores("/sys/devices/system/cpu") }

// physicalCores returns how many cores a folder of the system tells of: processors with the same list of siblings are one.
func physicalCores(folder string) int {
	lists, _ := filepath.Glob(filepath.Join(folder, "cpu[0-9]*", "topology", "thread_siblings_list"))
	cores := map[string]bool{}
	for _, list := range lists {
		if text, err := os.ReadFile(list); err == nil {
			cores[strings.TrimSpace(string(text))] = true
		}
	}
	return len(cores)
}

var modelName = regexp.MustCompile(`(?m)^model name\s*: (.*)$`)

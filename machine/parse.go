package machine

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
)

// This file reads processors: from a text, and from the system.

// ParseCPU reads what a processor has, such as "l1=48K,l2=1M,l3=32M,cores=8": caches in bytes, with
// K or M for 2^10 or 2^20 of them, where cores share the last one. What is left out is as in AnyCPU.
// "native" is the processor that runs this program; "" is nil: any.
func ParseCPU(text string) (*CPU, error) {
	switch text {
	case "":
		return nil, nil
	case "native":
		return nativeCPU("/sys/devices/system/cpu/cpu0/cache", int64(runtime.NumCPU()))
	}
	cpu := AnyCPU
	last := cpu.Last * cpu.Cores
	fields := map[string]*int64{"l1": &cpu.First, "l2": &cpu.Cache, "l3": &last, "cores": &cpu.Cores}
	for _, item := range strings.Split(text, ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(item), "=")
		field := fields[name]
		if field == nil {
			return nil, fmt.Errorf("%q: known are l1, l2, l3 and cores, each once, as in l1=48K,l2=1M,l3=32M,cores=8", item)
		}
		delete(fields, name)
		v, err := bytesOf(value)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		*field = v
	}
	if fields["l3"] == nil || fields["cores"] == nil {
		cpu.Last = last / cpu.Cores
	}
	return &cpu, checkCPU(cpu)
}

// bytesOf reads a number that may end with K or M.
func bytesOf(text string) (int64, error) {
	unit := int64(1)
	number := text
	for suffix, factor := range map[string]int64{"K": 1 << 10, "M": 1 << 20} {
		if cut, found := strings.CutSuffix(text, suffix); found {
			number, unit = cut, factor
		}
	}
	v, err := strconv.ParseInt(number, 10, 64)
	if err != nil || v < 1 || v > 1<<40/unit {
		return 0, fmt.Errorf("%q is not a number from 1 to 2^40, with K or M for 2^10 or 2^20", text)
	}
	return v * unit, nil
}

// checkCPU returns an error if the caches of a processor are not what tiles can be chosen for.
func checkCPU(cpu CPU) error {
	if cpu.First < 4<<10 || cpu.Cache < cpu.First || cpu.Cores > 1<<12 {
		return errors.New("there are 4K or more of l1, l2 is not smaller, and cores are at most 4096")
	}
	return nil
}

// mostLast bounds what of the last level of caches a core is taken to have. A virtual machine of a few cores tells of all that the
// processor has, of which others use the most; EPYCs with 3D V-Cache have 12 MiB a core, and few processors more.
const mostLast = 16 << 20

// nativeCPU returns the processor that a folder of the system tells of.
func nativeCPU(folder string, cores int64) (*CPU, error) {
	cpu := AnyCPU
	cpu.Cores = cores
	found := map[string]bool{}
	caches, _ := filepath.Glob(filepath.Join(folder, "index*"))
	for _, cache := range caches {
		entry := func(name string) string {
			text, _ := os.ReadFile(filepath.Join(cache, name))
			return strings.TrimSpace(string(text))
		}
		size, err := bytesOf(entry("size"))
		if err != nil || entry("type") == "Instruction" {
			continue
		}
		share := size / min(cores, listed(entry("shared_cpu_list")))
		switch level := entry("level"); level {
		case "1":
			cpu.First, found[level] = share, true
		case "2":
			cpu.Cache, found[level] = share, true
			if !found["3"] {
				cpu.Last = share
			}
		case "3":
			cpu.Last, found[level] = min(share, mostLast), true
		}
	}
	if !found["1"] || !found["2"] {
		return nil, errors.New("the system does not tell the caches: give them, as in l1=48K,l2=1M,l3=32M,cores=8")
	}
	return &cpu, checkCPU(cpu)
}

// listed returns how many numbers a list such as 0-3,8 has, at least 1.
func listed(text string) (n int64) {
	for _, part := range strings.Split(text, ",") {
		from, to, ranged := strings.Cut(part, "-")
		if !ranged {
			to = from
		}
		a, err := strconv.ParseInt(from, 10, 64)
		b, err2 := strconv.ParseInt(to, 10, 64)
		if err == nil && err2 == nil {
			n += b - a + 1
		}
	}
	return max(n, 1)
}

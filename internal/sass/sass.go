// Package sass has what ptxas makes of kernels: it compiles them, reads the instructions that nvdisasm prints, sorts them by what they are for, and finds
// the full turns of kernels whose rows stream. It is for reports and tests: hexcc itself runs none of NVIDIA's programs.
package sass

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// This file reads what nvdisasm prints of a kernel: its instructions, the lines they come from, and what ptxas says of when they
// may be issued.

// An Instruction is one of SASS, the machine language of NVIDIA's GPUs. ptxas schedules statically: what an instruction waits for is in its own encoding.
type Instruction struct {
	At    int    // its number among those of the kernel
	Line  int    // of the CUDA text
	Lines []int  // the same, and behind it those of the calls that were put in line, the outermost last
	Guard string // the predicate it is executed under, such as @!P0; "" for none
	Op    string // with its modifiers, such as LDS.64
	Args  string
	To    int // of a branch: the number of the instruction where it goes on, 0: none that is known

	Stall       int   // clocks until the next instruction of the warp
	Write, Read int   // the scoreboard that is released when the result is there, and when operands have been read; none: NoScoreboard
	Wait        uint8 // scoreboards that must be free, a bit each
}

// NoScoreboard is what stands where an instruction sets none of the six.
const NoScoreboard = 7

// Is reports whether the operation is name, whatever its modifiers are.
func (in Instruction) Is(names ...string) bool {
	base, _, _ := strings.Cut(in.Op, ".")
	for _, name := range names {
		if base == name {
			return true
		}
	}
	return false
}

var (
	sassLine   = regexp.MustCompile(`^\s*//## File "[^"]*kernel\.cu", line (\d+)`)
	sassFirst  = regexp.MustCompile(`^\s*/\*[0-9a-f]+\*/\s+(?:(@!?U?P\w+)\s+)?([A-Z][\w.]*)\s*(.*?)\s*;\s*/\* (0x[0-9a-f]{16}) \*/`)
	sassTarget = regexp.MustCompile("`\\((\\S+)\\)")
	sassWord   = regexp.MustCompile(`^\s*/\* (0x[0-9a-f]{16}) \*/`)
)

// Parse returns the instructions of the kernel that is the function part of the text, in their order.
func Parse(text, part string) (all []Instruction, err error) {
	return parse(text, part, func(symbol string) bool { return isNamed(symbol, part) })
}

// ParseSymbol returns the instructions of the kernel that the binary has by this name, which tells instances of a template apart.
func ParseSymbol(text, symbol string) (all []Instruction, err error) {
	return parse(text, symbol, func(s string) bool { return s == symbol })
}

func parse(text, name string, is func(symbol string) bool) (all []Instruction, err error) {
	inside, pending := false, false
	var lines []int
	fresh := true // the next line that is said is that of another instruction
	labels := map[string]int{}
	for _, l := range strings.Split(text, "\n") {
		if section, begins := strings.CutPrefix(strings.TrimSpace(l), ".section\t"); begins {
			symbol, code := strings.CutPrefix(section, ".text.")
			inside = code && is(strings.Split(symbol, ",")[0])
		}
		if !inside {
			continue
		}
		if m := sassLine.FindStringSubmatch(l); m != nil {
			if fresh {
				lines, fresh = nil, false
			}
			line, _ := strconv.Atoi(m[1])
			lines = append(lines, line)
			continue
		}
		if name, label := strings.CutSuffix(strings.TrimSpace(l), ":"); label {
			labels[name] = len(all)
		}
		if m := sassFirst.FindStringSubmatch(l); m != nil {
			line := 0
			if fresh = true; len(lines) > 0 {
				line = lines[0]
			}
			all = append(all, Instruction{At: len(all), Line: line, Lines: lines, Guard: m[1], Op: m[2], Args: m[3]})
			pending = true
			continue
		}
		if m := sassWord.FindStringSubmatch(l); m != nil && pending {
			word, err := strconv.ParseUint(m[1], 0, 64)
			if err != nil {
				return nil, err
			}
			all[len(all)-1].control(word)
			pending = false
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("no kernel %s in what nvdisasm printed", name)
	}
	for i := range all {
		if m := sassTarget.FindStringSubmatch(all[i].Args); m != nil && all[i].Is("BRA") {
			if at, ok := labels[m[1]]; ok {
				all[i].To = at
			}
		}
	}
	return all, nil
}

// isNamed reports whether a mangled symbol is that of function name.
func isNamed(symbol, name string) bool {
	return strings.Contains(symbol, fmt.Sprint(len(name), name))
}

// control reads the upper half of an instruction.
func (in *Instruction) control(word uint64) {
	c := word >> 41
	in.Stall = int(c & 15)
	in.Write, in.Read = int(c>>5&7), int(c>>8&7)
	in.Wait = uint8(c >> 11 & 63)
}

// Bytes returns what a lane moves with a load or store.
func (in Instruction) Bytes() int64 {
	for _, m := range strings.Split(in.Op, ".")[1:] {
		switch m {
		case "U8", "S8":
			return 1
		case "U16", "S16":
			return 2
		case "64":
			return 8
		case "128":
			return 16
		}
	}
	return 4
}

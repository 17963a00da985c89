package main

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// This file reads what nvdisasm prints of a kernel: its instructions, the lines they come from, and what ptxas says of when they
// may be issued.

// An instruction is one of SASS. ptxas schedules statically: what an instruction waits for is in its own encoding.
type instruction struct {
	line  int    // of the CUDA text
	lines []int  // the same, and behind it those of the calls that were put in line, the outermost last
	guard string // the predicate it is executed under, such as @!P0; "" for none
	op    string // with its modifiers, such as LDS.64
	args  string
	to    int // of a branch: the number of the instruction where it goes on, 0: none that is known

	stall       int   // clocks until the next instruction of the warp
	write, read int   // the scoreboard that is released when the result is there, and when operands have been read; none: noScoreboard
	wait        uint8 // scoreboards that must be free, a bit each
}

// noScoreboard is what stands where an instruction sets none of the six.
const noScoreboard = 7

// is reports whether the operation is name, whatever its modifiers are.
func (in instruction) is(names ...string) bool {
	base, _, _ := strings.Cut(in.op, ".")
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

// parse returns the instructions of the kernel whose name has a part, in their order.
func parse(text, part string) (all []instruction, err error) {
	inside, pending := false, false
	var lines []int
	fresh := true // the next line that is said is that of another instruction
	labels := map[string]int{}
	for _, l := range strings.Split(text, "\n") {
		if name, section := strings.CutPrefix(strings.TrimSpace(l), ".section\t"); section {
			inside = strings.HasPrefix(name, ".text.") && isNamed(strings.Split(name, ",")[0], part)
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
			all = append(all, instruction{line: line, lines: lines, guard: m[1], op: m[2], args: m[3]})
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
		return nil, fmt.Errorf("no kernel %s in what nvdisasm printed", part)
	}
	for i := range all {
		if m := sassTarget.FindStringSubmatch(all[i].args); m != nil && all[i].is("BRA") {
			if at, ok := labels[m[1]]; ok {
				all[i].to = at
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
func (in *instruction) control(word uint64) {
	c := word >> 41
	in.stall = int(c & 15)
	in.write, in.read = int(c>>5&7), int(c>>8&7)
	in.wait = uint8(c >> 11 & 63)
}

// bytes returns what a lane moves with a load or store.
func (in instruction) bytes() int64 {
	for _, m := range strings.Split(in.op, ".")[1:] {
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

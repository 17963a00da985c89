// Package profile says what bounds kernels on a GPU: a memory, arithmetic, the rate at which instructions are issued, or waiting. It reads
// what Nsight Compute measured (ncu --csv), or takes what was counted of kernels without a device, and knows no compiler: package
// profile/advice says which kernels a translation has, what is counted of them, and what to try.
package profile

import (
	"fmt"
	"strconv"
	"strings"
)

// A Launch is a launch of a kernel, as the file of a profiler has it.
type Launch struct {
	ID      string
	Kernel  string   // its name, without arguments
	Block   [3]int64 // threads; zeros: the file does not say
	Grid    [3]int64 // blocks; likewise
	CC      string   // compute capability of the device, such as 9.0; "": the file does not say
	Line    int      // of the file, from 1
	Metrics map[string]Value
}

// A Value is what a metric has, in units without prefix: seconds, bytes, hertz, percent, or a number.
type Value struct {
	Number float64
	Unit   string // second, byte, hz, %, byte/second, or what else the file says
}

// Threads returns how many a block has; 0: the file does not say.
func (l *Launch) Threads() int64 { return l.Block[0] * l.Block[1] * l.Block[2] }

// Blocks returns how many the launch has; 0: the file does not say.
func (l *Launch) Blocks() int64 { return l.Grid[0] * l.Grid[1] * l.Grid[2] }

// PlainName returns the name of a kernel without return type, template arguments and parameters: f of "void f<int>(float *)", and of _Z1fPf, too.
func PlainName(text string) string {
	if rest, mangled := strings.CutPrefix(text, "_Z"); mangled {
		digits := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
		if n, err := strconv.Atoi(rest[:digits]); err == nil && digits+n <= len(rest) {
			return rest[digits : digits+n]
		}
	}
	depth, end := 0, len(text)
	for i, c := range text {
		switch {
		case c == '<':
			if end = min(end, i); depth >= 0 {
				depth++
			}
		case c == '>':
			depth--
		case c == '(' && depth == 0 && !strings.HasPrefix(text[i:], "(anonymous namespace)"):
			end = min(end, i)
		}
	}
	name := strings.TrimSpace(text[:end])
	if i := strings.LastIndexAny(name, " :"); i >= 0 {
		name = name[i+1:]
	}
	return name
}

// triple reads "(32, 4, 1)"; zeros if it is none.
func triple(text string) (n [3]int64) {
	if k, err := fmt.Sscanf(strings.ReplaceAll(text, " ", ""), "(%d,%d,%d)", &n[0], &n[1], &n[2]); k != 3 || err != nil {
		return [3]int64{}
	}
	return n
}

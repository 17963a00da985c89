package profile

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/hexcc/hexcc/diag"
)

// This file reads what perf stat -x, measured of a program on a CPU, and says what bounds it. A line is a counter:
//
//	VALUE,UNIT,EVENT,TIME,PERCENT,METRIC,UNIT OF THE METRIC
//
// VALUE is <not supported> or <not counted> where there is none. Counters are of the whole program, not of its regions.

// A Run is what perf measured.
type Run struct {
	Counts map[string]float64 // by event, without the name of the unit that counted it and modifiers; those of several such units are added
	Busy   float64            // processors in use, on average; 0: not known
	Lacks  []string           // events that could not be counted
}

// ParsePerf reads what perf stat -x, or -x; printed. The error, a diagnostic, says where it is something else.
func ParsePerf(name string, text []byte) (*Run, error) {
	r := &Run{Counts: map[string]float64{}}
	line := 0
	for l := range strings.Lines(string(text)) {
		line++
		l = strings.TrimRight(l, "\r\n")
		if l == "" || strings.HasPrefix(l, "#") {
			continue
		}
		fields := strings.Split(l, ",")
		if strings.Count(l, ";") > strings.Count(l, ",") {
			fields = strings.Split(l, ";")
		}
		wrong := func(what string) error {
			return &diag.Diagnostic{
				Code: "HX020", At: diag.Span{Pos: diag.Pos{File: name, Line: line, Col: 1}, Len: max(1, len(l))}, Msg: what,
				Help: "what is read is what perf stat -x, -o FILE writes: a line for each counter, its value first",
			}
		}
		if len(fields) < 3 {
			return nil, wrong("it is no line of perf stat -x,")
		}
		event := eventName(fields[2])
		if strings.HasPrefix(fields[0], "<not ") {
			r.Lacks = append(r.Lacks, event)
			continue
		}
		value, err := strconv.ParseFloat(strings.TrimSpace(fields[0]), 64)
		if err != nil || event == "" {
			return nil, wrong(fmt.Sprintf("%q is no value of a counter", fields[0]))
		}
		r.Counts[event] += value
		if len(fields) >= 7 && fields[6] == "CPUs utilized" {
			if r.Busy, err = strconv.ParseFloat(fields[5], 64); err != nil {
				return nil, wrong(fmt.Sprintf("%q is no number of processors", fields[5]))
			}
		}
	}
	if len(r.Counts) == 0 && len(r.Lacks) == 0 {
		return nil, &diag.Diagnostic{Code: "HX020", At: diag.Span{Pos: diag.Pos{File: name, Line: 1, Col: 1}, Len: 1}, Msg: "there is no counter in it", Help: "perf stat -x, -o FILE ./program writes one line for each"}
	}
	return r, nil
}

// eventName returns cycles for cycles, cycles:u and cpu_core/cycles/u.
func eventName(text string) string {
	if _, rest, of := strings.Cut(text, "/"); of {
		text, _, _ = strings.Cut(rest, "/")
	}
	name, _, _ := strings.Cut(text, ":")
	return strings.ToLower(strings.TrimSpace(name))
}

// The classes of what bounds a program on a CPU.
const (
	CPUMemory     Class = "memory"
	CPUCaches     Class = "caches"
	CPUArithmetic Class = "arithmetic"
	CPURows       Class = "starts of rows"
	CPUIdle       Class = "idle threads"
)

// From which figure on something is found; docs/profile.md has them.
const (
	idleThreads   = 0.25 // part of the threads that are idle
	boundSlots    = 0.30 // part of the slots of instructions that wait for memory
	retiringSlots = 0.50 // and that are used
	stalledCycles = 0.40 // part of the clocks without an instruction for want of data or units
	manyMisses    = 5.0  // of the last cache, or of branches, for 1000 instructions
	highIPC       = 2.0  // instructions in a clock
	lowIPC        = 1.0
)

// Has returns a count, and whether it is there.
func (r *Run) Has(events ...string) (float64, bool) {
	for _, e := range events {
		if v, ok := r.Counts[e]; ok {
			return v, true
		}
	}
	return 0, false
}

// part returns one count over another one; ok: both are there.
func (r *Run) part(of []string, all ...string) (v float64, ok bool) {
	a, okA := r.Has(of...)
	b, okB := r.Has(all...)
	if !okA || !okB || b <= 0 {
		return 0, false
	}
	return a / b, true
}

// Figures returns what counters say by themselves, in words.
func (r *Run) Figures() (all []string) {
	if r.Busy > 0 {
		all = append(all, fmt.Sprintf("%.3g processors in use", r.Busy))
	}
	if v, ok := r.IPC(); ok {
		all = append(all, fmt.Sprintf("%.2f instructions a clock", v))
	}
	if v, ok := r.misses(); ok {
		all = append(all, fmt.Sprintf("%.1f misses of the last cache for 1000 instructions", v))
	}
	if v, ok := r.Bandwidth(); ok {
		all = append(all, fmt.Sprintf("%.3g GB/s fetched for them", v/1e9))
	}
	if v, ok := r.part([]string{"branch-misses"}, "instructions"); ok {
		all = append(all, fmt.Sprintf("%.1f branches not foreseen for 1000 instructions", 1000*v))
	}
	return all
}

// IPC returns the instructions in a clock.
func (r *Run) IPC() (float64, bool) { return r.part([]string{"instructions"}, "cycles", "cpu-cycles") }

// misses returns those of the last level of cache for 1000 instructions.
func (r *Run) misses() (float64, bool) {
	v, ok := r.part(missEvents, "instructions")
	return 1000 * v, ok
}

var missEvents = []string{"llc-load-misses", "cache-misses"}

// Bandwidth returns the bytes that lines missed in the last cache have in a second, without those that are fetched before they are missed.
func (r *Run) Bandwidth() (float64, bool) {
	misses, ok := r.Has(missEvents...)
	ms, timed := r.Has("task-clock")
	if !ok || !timed || r.Busy <= 0 || ms <= 0 {
		return 0, false
	}
	return misses * 64 / (ms / 1000 / r.Busy), true
}

// Classify returns what bounds a program of so many threads, and then what else was found; nothing where the counters do not tell.
func (r *Run) Classify(threads int64) (all []Finding) {
	add := func(class Class, value, from float64, format string, args ...any) {
		all = append(all, Finding{Class: class, Value: value, From: from, Text: fmt.Sprintf(format, args...)})
	}
	if idle := 1 - r.Busy/float64(threads); r.Busy > 0 && idle >= idleThreads {
		add(CPUIdle, idle, idleThreads, "threads are idle for %.0f %% of their time: %.3g of %d processors are in use", 100*idle, r.Busy, threads)
	}
	ipc, counted := r.IPC()
	misses, known := r.misses()
	memory, topdown := r.part([]string{"topdown-mem-bound"}, "slots")
	stalled, stalls := r.part([]string{"stalled-cycles-backend"}, "cycles", "cpu-cycles")
	retiring, retires := r.part([]string{"topdown-retiring"}, "slots")
	switch {
	case topdown && memory >= boundSlots:
		add(CPUMemory, memory, boundSlots, "instructions wait for caches and memory in %.0f %% of the slots", 100*memory)
	case retires && retiring >= retiringSlots:
		add(CPUArithmetic, retiring, retiringSlots, "%.0f %% of the slots of instructions are used", 100*retiring)
	case !topdown && stalls && stalled >= stalledCycles && known && misses >= manyMisses:
		add(CPUMemory, stalled, stalledCycles, "no instruction runs in %.0f %% of the clocks, and the last cache misses %.1f times for 1000 instructions", 100*stalled, misses)
	case !topdown && counted && ipc < lowIPC && known && misses >= manyMisses:
		add(CPUMemory, ipc, lowIPC, "%.2f instructions a clock, and %.1f misses of the last cache for 1000 of them", ipc, misses)
	case counted && ipc >= highIPC:
		add(CPUArithmetic, ipc, highIPC, "%.2f instructions a clock", ipc)
	case counted && ipc < lowIPC && known:
		add(CPUCaches, ipc, lowIPC, "%.2f instructions a clock, though the last cache misses %.1f times for 1000 of them only: they wait for the caches before it, or for each other", ipc, misses)
	}
	if v, ok := r.part([]string{"branch-misses"}, "instructions"); ok && 1000*v >= manyMisses {
		add(CPURows, 1000*v, manyMisses, "%.1f branches are not foreseen for 1000 instructions, as where rows are short", 1000*v)
	}
	return all
}

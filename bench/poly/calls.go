package main

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hexcc/hexcc/poly"
)

// A call is a recorded operation on its operands, and what measuring it found.
type call struct {
	name  string // Map.Intersect
	a, b  string // b is "" where there is only one operand
	count int    // how often it was recorded

	ours, isl time.Duration // isl is 0 where isl has no such operation
	verdict   string        // same, unknown, none, or what isl says the result is
	work      poly.Work
}

// A noOperationError says that a file has no operation of a name, and what it has.
type noOperationError struct{ text string }

func (e *noOperationError) Error() string { return e.text }

// readCalls reads a file of operations: lines of operands, each after its number, then lines NAME|COUNT|A|B with numbers for A and B.
func readCalls(path, only string) (list []call, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	operands := map[string]string{"": ""}
	names := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(line, "#") {
			continue
		}
		fields := strings.Split(line, "|")
		if len(fields) != 4 {
			number, operand, _ := strings.Cut(line, " ")
			operands[number] = operand
			continue
		}
		count, err := strconv.Atoi(fields[1])
		a, okA := operands[fields[2]]
		b, okB := operands[fields[3]]
		if err != nil || !okA || !okB {
			return nil, fmt.Errorf("%s: no operation: %s", path, line)
		}
		names[fields[0]] = true
		if only == "" || only == fields[0] {
			list = append(list, call{name: fields[0], count: count, a: a, b: b})
		}
	}
	if len(list) == 0 {
		known := strings.Join(slices.Sorted(maps.Keys(names)), ", ")
		return nil, &noOperationError{fmt.Sprintf("%s: no operation %s; there are %s", path, only, known)}
	}
	return list, nil
}

// A call is repeated, each time on fresh operands, until a run takes this long, so that the grain of the timer and of the
// processor's state does not matter; but no more often than maxBatch. The same holds for isl.
const (
	enough   = 20 * time.Microsecond
	maxBatch = 64
)

// resolution is the shortest time that a call is said to take: what is left once the time of a call that does nothing
// is subtracted is not known any better.
const resolution = 100 * time.Nanosecond

// measure sets the work of c and, if there are runs, the time that it takes in the fastest of them, and returns its result.
func measure(c *call, runs int) (got any) {
	prepare, ok := operations[c.name]
	if !ok {
		panic("bench/poly: no such operation: " + c.name)
	}
	run := prepare(c.a, c.b)
	before := poly.WorkDone()
	got = run()
	c.work = poly.WorkDone().Minus(before)
	if runs == 0 {
		return got
	}
	best, _ := timed(1, *c, prepare)
	batch := int(min(max(enough/max(best, 1), 1), maxBatch))
	for range runs {
		took, _ := timed(batch, *c, prepare)
		best = min(best, took)
	}
	c.ours = max(best-overhead(batch), resolution)
	return got
}

// A ratio beyond doubtful is measured up to maxAgain more times.
const (
	doubtful = goalOperation
	maxAgain = 4
)

// measureSteadily measures c by once, again while its ratio is doubtful; the fastest counts, for us and for isl.
func measureSteadily(c *call, once func(c *call) error) error {
	if err := once(c); err != nil {
		return err
	}
	for range maxAgain {
		if c.isl == 0 || c.ratio() <= doubtful {
			break
		}
		ours, isl := c.ours, c.isl
		if err := once(c); err != nil {
			return err
		}
		c.ours, c.isl = min(ours, c.ours), min(isl, c.isl)
	}
	return nil
}

// timed returns the mean time of a number of calls, one after the other, and the last result.
func timed(batch int, c call, prepare prepare) (time.Duration, any) {
	calls := make([]func() any, batch)
	for i := range calls {
		calls[i] = prepare(c.a, c.b)
	}
	var got any
	start := processorTime()
	for _, call := range calls {
		got = call()
	}
	return (processorTime() - start) / time.Duration(batch), got
}

// overhead returns what a call takes that does nothing, in runs of the same number of calls.
func overhead(batch int) time.Duration {
	best, known := overheads[batch]
	for i := 0; !known && i < 200; i++ {
		took, _ := timed(batch, call{}, binary(text, text, func(string, string) bool { return true }))
		if i == 0 || took < best {
			best = took
		}
	}
	overheads[batch] = best
	return best
}

var overheads = map[int]time.Duration{}

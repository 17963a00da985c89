package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// A call is a recorded operation on its operands, and what measuring it found.
type call struct {
	name  string // Map.Intersect
	a, b  string // b is "" where there is only one operand
	count int    // how often it was recorded

	ours, isl time.Duration // isl is 0 where isl has no such operation
	verdict   string        // "ok", or what isl says the result is
}

// readCalls reads a file of operations: lines of operands, each after its number, then lines NAME|COUNT|A|B with numbers for A and B.
func readCalls(path, only string) (list []call, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	operands := map[string]string{"": ""}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(line, "\n")
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
		if only == "" || only == fields[0] {
			list = append(list, call{name: fields[0], count: count, a: a, b: b})
		}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%s: no operations", path)
	}
	return list, nil
}

// resolution is the shortest time that a call is said to take.
const resolution = 100 * time.Nanosecond

// measure returns the shortest time that c took, and its result.
func measure(c call, runs int) (best time.Duration, got any) {
	prepare, ok := operations[c.name]
	if !ok {
		panic("bench/poly: no such operation: " + c.name)
	}
	for i := range runs {
		run := prepare(c.a, c.b)
		start := time.Now()
		got = run()
		if took := time.Since(start); i == 0 || took < best {
			best = took
		}
	}
	return best, got
}

// overhead returns what measuring nothing takes.
func overhead(runs int) (best time.Duration) {
	for i := range 100 * runs {
		run := binary(text, text, func(string, string) bool { return true })("", "")
		start := time.Now()
		run()
		if took := time.Since(start); i == 0 || took < best {
			best = took
		}
	}
	return best
}

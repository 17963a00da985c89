package main

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/poly"
)

// writeOperations compiles all cases and writes the operations that package poly was asked for.
func writeOperations(path, cases string) error {
	inputs, err := filepath.Glob(cases)
	if err != nil || len(inputs) == 0 {
		return fmt.Errorf("no case matches %s", cases)
	}
	var lines bytes.Buffer
	poly.Record(&lines)
	for _, input := range inputs {
		if err := compile(input); err != nil {
			return fmt.Errorf("%s: %w", input, err)
		}
	}
	poly.Record(nil)
	return os.WriteFile(path, []byte(counted(lines.String())), 0o644)
}

func compile(path string) error {
	archive, err := txtar.ParseFile(path)
	if err != nil {
		return err
	}
	for _, f := range archive.Files {
		if f.Name == "input.c" {
			if _, err := hexcc.Compile(hexcc.Source{Name: f.Name, Text: f.Data}, hexcc.Options{}); err != nil {
				return err
			}
		}
	}
	return nil
}

// mostInputs bounds the inputs of one operation: sets are asked for thousands of points.
const mostInputs = 600

// thinned returns sorted lines with no more than mostInputs of one operation, evenly chosen.
func thinned(lines []string) (kept []string) {
	for len(lines) > 0 {
		name, _, _ := strings.Cut(lines[0], "|")
		n := 1
		for n < len(lines) && strings.HasPrefix(lines[n], name+"|") {
			n++
		}
		for i := range min(n, mostInputs) {
			kept = append(kept, lines[i*n/min(n, mostInputs)])
		}
		lines = lines[n:]
	}
	return kept
}

// counted returns the file of the distinct lines, thinned: the operands, each after its number, then the operations in order, with
// the number of times each is there and the numbers of its operands.
func counted(lines string) string {
	count := map[string]int{}
	for line := range strings.Lines(lines) {
		count[strings.TrimSuffix(line, "\n")]++
	}
	var operands, calls strings.Builder
	numbers := map[string]string{"": ""}
	number := func(operand string) string {
		if _, known := numbers[operand]; !known {
			numbers[operand] = strconv.Itoa(len(numbers))
			fmt.Fprintf(&operands, "%s %s\n", numbers[operand], operand)
		}
		return numbers[operand]
	}
	for _, line := range thinned(slices.Sorted(maps.Keys(count))) {
		f := strings.Split(line, "|")
		fmt.Fprintf(&calls, "%s|%d|%s|%s\n", f[0], count[line], number(f[1]), number(f[2]))
	}
	return operands.String() + calls.String()
}

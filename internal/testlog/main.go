// Command testlog reads the output of go test -json from standard input, prints
// a line for each package and the output of what failed, and closes with a
// count. It exits with 1 if a test failed or, in CI, was skipped.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
)

// An event is a line of go test -json (go doc test2json).
type event struct {
	Action, Package, Test, Output string
	Elapsed                       float64
}

func main() {
	counts := map[string]int{}
	output := map[string]*strings.Builder{} // by package and test
	var skipped []string
	broken := false // a package failed without a failing test, as when it does not build
	scanner := bufio.NewScanner(os.Stdin)
	scanner.Buffer(nil, 1<<24)
	for scanner.Scan() {
		var e event
		if err := json.Unmarshal(scanner.Bytes(), &e); err != nil {
			fmt.Println(scanner.Text()) // not from a test: the build's own words
			continue
		}
		id := e.Package + " " + e.Test
		switch {
		case e.Action == "output" || e.Action == "build-output":
			if output[id] == nil {
				output[id] = &strings.Builder{}
			}
			output[id].WriteString(e.Output)
		case e.Action == "build-fail":
			broken = true
			for _, key := range slices.Sorted(maps.Keys(output)) {
				if strings.HasSuffix(key, " ") {
					fmt.Print(output[key])
				}
			}
		case e.Test != "" && (e.Action == "pass" || e.Action == "fail" || e.Action == "skip"):
			counts[e.Action]++
			if e.Action == "skip" {
				skipped = append(skipped, id)
			}
			if e.Action == "fail" && output[id] != nil {
				fmt.Print(output[id])
			}
		case e.Action == "pass" || e.Action == "fail":
			fmt.Printf("%-5s %-45s %6.1fs\n", e.Action, e.Package, e.Elapsed)
			if e.Action == "fail" && output[id] != nil {
				broken = true
				fmt.Print(output[id])
			}
		}
	}
	if err := scanner.Err(); err != nil {
		fmt.Println("testlog:", err)
		broken = true
	}
	for _, id := range skipped {
		fmt.Println("skipped:", id)
	}
	fmt.Printf("%d passed, %d failed, %d skipped\n", counts["pass"], counts["fail"], len(skipped))
	if broken || counts["fail"] > 0 || os.Getenv("CI") == "true" && len(skipped) > 0 {
		os.Exit(1)
	}
}

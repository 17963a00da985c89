package main

import (
	"flag"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/internal/heavy"
)

// refusals are the statuses with which hexcc ends for a program that it does not take: it may be too deep to be read,
// or pass a bound. That takes time too.
var refusals = map[int]bool{1: true, 2: true, 4: true}

// refusal finds the code of an error.
var refusal = regexp.MustCompile(`HX[0-9]{3}`)

// given reports whether a flag was given.
func given(name string) (found bool) {
	flag.Visit(func(f *flag.Flag) { found = found || f.Name == name })
	return found
}

// benchHeavy prints a row for each heavy program whose name contains only, and each target. Passes that
// took less than a hundredth of the time are left out; those of several regions are taken together.
func benchHeavy(hexcc string, targets []string, only string, runs int) error {
	binary, err := filepath.Abs(hexcc)
	if err != nil {
		return err
	}
	fmt.Printf("%-22s %-7s %9s %9s %9s  %s\n", "program", "target", "total ms", "cpu ms", "peak MiB", "what took the time, ms")
	for _, p := range heavy.Programs() {
		if !strings.Contains(p.Name, only) {
			continue
		}
		for _, target := range targets {
			s, err := measure(binary, target, []byte(p.Text), runs)
			if err != nil {
				return fmt.Errorf("%s for %s: %w", p.Name, target, err)
			}
			fmt.Printf("%-22s %-7s %9.1f %9.1f %9.1f  %s\n", p.Name, target, milliseconds(s.wall), milliseconds(s.cpu), float64(s.peakKB)/1024, summary(s))
		}
	}
	return nil
}

// summary returns the passes of s that took the most, and the code of the error that it ended with.
func summary(s sample) string {
	var sums []passTime
	all := 0.0
	for _, p := range s.passes {
		i := slices.IndexFunc(sums, func(q passTime) bool { return q.name == p.name })
		if i < 0 {
			i = len(sums)
			sums = append(sums, passTime{name: p.name})
		}
		sums[i].ms += p.ms
		all += p.ms
	}
	var parts []string
	for _, p := range sums {
		if p.ms >= all/100 {
			parts = append(parts, fmt.Sprintf("%s %.0f", p.name, p.ms))
		}
	}
	if s.refused != "" {
		parts = append(parts, s.refused)
	}
	return strings.Join(parts, ", ")
}

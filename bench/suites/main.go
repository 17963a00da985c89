// Command suites counts how many programs of public benchmark suites hexcc takes
// as they are. It reads clones of the suites, which are not part of this
// repository, and a table of their iterated stencils; it changes nothing in them
// but to insert #pragma scop and #pragma endscop into a copy, where they have
// none. It translates, and on request verifies: it compiles and runs nothing. Answers
// are kept, so that a run that was interrupted goes on where it was.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"time"
)

// A config is the command line.
type config struct {
	hexcc, table, clones, work string
	targets                    []string
	only                       *regexp.Regexp
	limit                      time.Duration
	memoryMB                   int
	verify, intensity          bool
	compared                   string
	identity                   string // of the compiler: a check sum
}

func main() {
	var c config
	flag.StringVar(&c.hexcc, "hexcc", "bin/hexcc", "the compiler to ask")
	flag.StringVar(&c.table, "table", "bench/suites/suites.txt", "which programs")
	flag.StringVar(&c.clones, "dir", "", "a folder with a folder for each suite, named as in the table")
	flag.StringVar(&c.work, "work", "out/suites", "where marked copies and what hexcc says of them are written")
	targets := flag.String("targets", "openmp,cuda", "for what to translate; a program counts as taken if the first of them is made")
	only := flag.String("only", "", "a regular expression: suite/program to try")
	flag.DurationVar(&c.limit, "limit", 2*time.Minute, "time for one translation, and for one verification")
	flag.IntVar(&c.memoryMB, "memory", 8000, "address space of one translation, in MB")
	flag.BoolVar(&c.verify, "verify", false, "verify what is taken, at sizes that hexcc chooses")
	flag.BoolVar(&c.intensity, "intensity", false, "print operations of a point, and for each byte of arrays, of what is taken")
	flag.StringVar(&c.compared, "compared", "", "a file with lines 'suite/program result', to show beside: what was found when the programs were run")
	sums := flag.Bool("sums", false, "print the table with the check sums of the files that are in the clones, and do nothing else")
	flag.Parse()
	c.targets = strings.Split(*targets, ",")
	var err error
	if c.only, err = regexp.Compile(*only); err == nil {
		if *sums {
			err = sum(c, os.Stdout)
		} else {
			err = census(c, os.Stdout, os.Stderr)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "suites:", err)
		os.Exit(1)
	}
}

// census asks hexcc about every program of the table and prints what it says:
// progress to log, and tables in Markdown to out.
func census(c config, out, log io.Writer) error {
	table, err := readTable(c.table)
	if err != nil {
		return err
	}
	binary, err := os.ReadFile(c.hexcc)
	if err != nil {
		return err
	}
	c.identity = checksum(binary)
	known, err := readCompared(c.compared)
	if err != nil {
		return err
	}
	var results []result
	for _, p := range table.programs {
		if !c.only.MatchString(p.key()) {
			continue
		}
		r, err := ask(c, p)
		if err != nil {
			return fmt.Errorf("%s: %w", p.key(), err)
		}
		r.compared = known[p.key()]
		fmt.Fprintln(log, r.line(c.targets))
		results = append(results, r)
	}
	if len(results) == 0 {
		return fmt.Errorf("no program of %s matches %s", c.table, c.only)
	}
	printSuites(out, table, results)
	printReasons(out, results)
	printPrograms(out, c.targets, results)
	if c.intensity {
		printIntensity(out, results)
	}
	return nil
}

// Command gpu builds what make bench-gpu runs on a machine with a GPU: for each
// program the kernels that hexcc prints, in all the ways it can run, kernels by hand
// to compare with, a runner that checks and times them, and what original programs
// compute. Building needs nvcc and no GPU, running a driver and no nvcc. With -table
// it prints what was measured beside what the model expected: docs/gpu.md tells how.
package main

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"runtime"
	"slices"

	"github.com/hexcc/hexcc/machine"
)

// An order says what to build.
type order struct {
	dir       string
	arch      string
	only      *regexp.Regexp // of NAME/TYPE/WAY; of GROUP/NAME/WAY/TARGET where tests are built
	jobs      int
	shim      bool   // for the CPU, with the shim in place of CUDA
	keep      bool   // take what was translated before, and tests that were built
	ready     bool   // leave out what was not compiled before
	grids     string // in place of those of programs, several with / between them
	reference string
	nvcc      string // which tests it compiles: some, all or none
	turns     int    // of so many ways, a program that is no case is tested in one
}

func main() {
	var o order
	var only string
	flag.StringVar(&o.dir, "dir", "out/bench-gpu", "where to build")
	flag.StringVar(&o.arch, "arch", "sm_90", "the architecture to compile and choose tile sizes for")
	flag.StringVar(&only, "only", "", "build what this regular expression matches: NAME/TYPE/WAY of measurements, GROUP/NAME/WAY/TARGET of tests")
	flag.IntVar(&o.jobs, "j", runtime.NumCPU(), "compilers at once")
	flag.BoolVar(&o.shim, "shim", false, "build for the CPU, to try the harness without nvcc")
	flag.StringVar(&o.reference, "reference", "16384,2048:512,256", "sizes to run the original programs at, in two and in three dimensions; empty: none")
	flag.BoolVar(&o.keep, "keep", false, "take what was translated before, and tests that were built, though hexcc may have changed since: to go on with a build that was broken off")
	flag.BoolVar(&o.ready, "ready", false, "make programs of those ways that were compiled before, and leave others out: to run before a build has ended")
	flag.StringVar(&o.grids, "grids", "", "grids in place of those of the table, as --grid has them, several with / between them")
	tests := flag.Bool("tests", false, "build tests instead of measurements")
	table := flag.String("table", "", "print tables, in Markdown, of what this file of results has, and build nothing")
	chosen := flag.Bool("chosen", false, "with -table, print what --strategy=auto takes now of what was measured, on a device of -arch")
	replays := flag.String("replays", "", "with -table, what bench/sass -json says of the same programs")
	flag.StringVar(&o.nvcc, "nvcc", "some", "which tests nvcc compiles, beside those in PTX: some, all or none")
	flag.IntVar(&o.turns, "turns", 4, "test programs that are no cases in one of so many ways, beside the chosen one; 1: in all")
	flag.Parse()
	err := error(nil)
	if *table != "" {
		if err := printTable(*table, *replays, *chosen, o.arch); err != nil {
			fmt.Fprintln(os.Stderr, "bench/gpu:", err)
			os.Exit(1)
		}
		return
	}
	if o.only, err = regexp.Compile(only); err == nil {
		err = machine.CheckArch(o.arch)
	}
	if err == nil && (o.turns < 1 || !slices.Contains([]string{"some", "all", "none"}, o.nvcc)) {
		err = fmt.Errorf("-nvcc=%s -turns=%d: that is some, all or none, and at least 1", o.nvcc, o.turns)
	}
	if err == nil && *tests {
		err = o.buildTests(".")
	} else if err == nil {
		err = o.build()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench/gpu:", err)
		os.Exit(1)
	}
}

// printTable prints what was measured.
func printTable(path, replays string, chosen bool, arch string) error {
	r, err := readResults(path)
	if err == nil && chosen {
		all, err := r.choices(arch, func(*group) bool { return true })
		if err == nil {
			printChoices(os.Stdout, all)
		}
		return err
	}
	if err == nil && replays != "" {
		err = r.readReplays(replays)
	}
	if err == nil {
		r.table(os.Stdout)
	}
	return err
}

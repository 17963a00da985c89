// Command gpu builds what make bench-gpu runs on a machine with a GPU: for each
// stencil, type and use of shared memory the kernels that hexcc prints, untiled
// kernels to compare with, a runner that checks and times them, and what the
// original programs compute. Building needs nvcc and no GPU, running a driver and no
// nvcc: docs/gpu.md tells how.
package main

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"runtime"

	"github.com/hexcc/hexcc/machine"
)

// An order says what to build.
type order struct {
	dir       string
	arch      string
	only      *regexp.Regexp // of NAME/TYPE/STRATEGY; of NAME where tests are built
	jobs      int
	shim      bool   // for the CPU, with the shim in place of CUDA
	keep      bool   // take what was translated before
	grids     string // in place of those of programs, several with / between them
	reference string
}

func main() {
	var o order
	var only string
	flag.StringVar(&o.dir, "dir", "out/bench-gpu", "where to build")
	flag.StringVar(&o.arch, "arch", "sm_90", "the architecture to compile and choose tile sizes for")
	flag.StringVar(&only, "only", "", "build what this regular expression matches: NAME/TYPE/STRATEGY of measurements, NAME of tests")
	flag.IntVar(&o.jobs, "j", runtime.NumCPU(), "compilers at once")
	flag.BoolVar(&o.shim, "shim", false, "build for the CPU, to try the harness without nvcc")
	flag.StringVar(&o.reference, "reference", "16384,2048:512,256", "sizes to run the original programs at, in two and in three dimensions; empty: none")
	flag.BoolVar(&o.keep, "keep", false, "take what was translated before, though hexcc may have changed since: to go on with a build that was broken off")
	flag.StringVar(&o.grids, "grids", "", "grids in place of those of the table, as --grid has them, several with / between them")
	tests := flag.Bool("tests", false, "build the tests of all cases instead of measurements")
	flag.Parse()
	err := error(nil)
	if o.only, err = regexp.Compile(only); err == nil {
		err = machine.CheckArch(o.arch)
	}
	if err == nil && *tests {
		err = o.buildTests("testdata/*.txtar")
	} else if err == nil {
		err = o.build()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench/gpu:", err)
		os.Exit(1)
	}
}

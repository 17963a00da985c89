// Command cpu times what hexcc makes for CPUs beside the programs it was made
// of, and beside the same in diamond tiles, in the same process and by turns, and compares their results bit for bit.
// Each row that is done is kept in a file, so that a run that was interrupted
// goes on where it was.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
)

// A config is the command line.
type config struct {
	hexcc, folder, results string
	only                   *regexp.Regexp
	compilers              []string
	runs, threads          int
	scale                  float64
	tile, cpu              string
	again                  bool
}

func main() {
	var c config
	flag.StringVar(&c.hexcc, "hexcc", "bin/hexcc", "the compiler to measure")
	flag.StringVar(&c.folder, "folder", "bench/cpu", "where the programs are")
	flag.StringVar(&c.results, "results", "out/bench-cpu.json", "rows that are done, to go on from")
	only := flag.String("only", "", "a regular expression: kernels to run")
	compilers := flag.String("compilers", "gcc,clang", "C compilers; those that are missing are left out, but not gcc; clang is HEXCC_CLANG, clang, or clang-N")
	flag.IntVar(&c.runs, "runs", 3, "runs of each kernel; the fastest of each program counts")
	flag.IntVar(&c.threads, "threads", runtime.NumCPU(), "threads")
	flag.Float64Var(&c.scale, "scale", 1, "a factor of n and T: 0.2 for a quick look")
	flag.StringVar(&c.tile, "tile", "auto", "tile sizes, as --tile has them")
	flag.StringVar(&c.cpu, "cpu", "native", "the processor to choose tile sizes for, as --cpu has it")
	flag.BoolVar(&c.again, "again", false, "measure rows again that are done")
	flag.Parse()
	c.compilers = strings.Split(*compilers, ",")
	var err error
	if c.only, err = regexp.Compile(*only); err == nil {
		err = bench(c)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench-cpu:", err)
		os.Exit(1)
	}
}

// A kernel is a program of folder kernels, and its sizes at scale 1.
type kernel struct {
	name    string
	n, T    int64
	dims    int
	planes  int64   // arrays of n^dims elements
	nests   int64   // updates of a point in one step
	streams float64 // elements moved for a point and step when every nest reads and writes memory, with the read before a write
	// diamonds are sizes of diamond tiles to try, of the program of folder peers, see peers/diamond-2d.h and diamond-3d.h: the best
	// of a wider search on cores with 512 KiB of second level; none: there is no such program.
	diamonds []string
}

var kernels = []kernel{
	{"jacobi-2d", 6000, 200, 2, 2, 1, 3, []string{"64,256", "64,512", "128,256"}},
	{"jacobi-2d-pair", 6000, 200, 2, 2, 1, 3, nil},
	{"heat-2d", 6000, 200, 2, 2, 1, 3, []string{"32,512", "64,256", "64,512"}},
	{"jacobi-3d", 320, 150, 3, 2, 1, 3, []string{"16,8,512", "16,16,512", "32,8,512"}},
	{"heat-3d", 320, 150, 3, 2, 1, 3, []string{"16,8,512", "16,16,512", "32,8,512"}},
	{"acoustic-8", 320, 60, 3, 4, 1, 5, []string{"16,16,512", "32,8,512", "32,16,512"}},
	{"gradient-2d", 4000, 100, 2, 2, 1, 3, []string{"32,512", "64,256", "64,512"}},
	{"fdtd-2d", 5000, 100, 2, 3, 3, 10, nil},
	{"seidel-2d", 4000, 50, 2, 1, 1, 2, nil},
}

// scaled returns k at a scale.
func (k kernel) scaled(by float64) kernel {
	k.n, k.T = max(8, int64(float64(k.n)*by)), max(2, int64(float64(k.T)*by)/2*2)
	return k
}

// points returns the elements of one array.
func (k kernel) points() int64 {
	points := int64(1)
	for range k.dims {
		points *= k.n
	}
	return points
}

// size returns the sizes as people write them: 6000^2 x 200.
func (k kernel) size() string { return fmt.Sprintf("%d^%d x %d", k.n, k.dims, k.T) }

// rate returns updates per second, in 10^9.
func (k kernel) rate(seconds float64) float64 {
	return 1e-9 * float64(k.points()*k.nests*k.T) / seconds
}

// roof returns the rate that a bandwidth allows a program that is not tiled.
func (k kernel) roof(bandwidth float64) float64 {
	return 1e-9 * bandwidth / (8 * k.streams / float64(k.nests))
}

// bench runs what is to be run and prints a line for each.
func bench(c config) error {
	done, err := load(c.results)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "hexcc-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	b := builder{c, dir}
	band, err := b.bandwidth()
	if err != nil {
		return err
	}
	found, err := b.compilers()
	if err != nil {
		return err
	}
	fmt.Printf("%s, %d threads, memory %.1f GB/s by a copy\n", machine(), c.threads, 1e-9*band)
	for _, cc := range found {
		fmt.Printf("%s: %s\n", cc, version(cc))
	}
	fmt.Printf("\n%-15s %-12s %-8s %9s %9s %6s %9s %9s %6s  %-24s %s\n", "kernel", "size", "compiler", "original", "tiled", "ratio", "roof", "diamonds", "ratio", "tiles", "diamonds")
	fmt.Printf("%-15s %-12s %-8s %9s %9s %6s %9s %9s\n", "", "", "", "GSt/s", "GSt/s", "", "untiled", "GSt/s")
	for _, k := range kernels {
		if !c.only.MatchString(k.name) {
			continue
		}
		for _, cc := range found {
			if err := b.row(k.scaled(c.scale), cc, band, &done); err != nil {
				return fmt.Errorf("%s by %s: %w", k.name, cc, err)
			}
		}
	}
	return nil
}

// row prints one line; unless it is done, it measures it first.
func (b builder) row(k kernel, cc string, band float64, done *rows) error {
	program, tiles, id, err := b.build(k, cc)
	if err != nil {
		return err
	}
	r, found := done.find(id)
	if !found || b.again {
		if r, err = b.run(program, k); err != nil {
			return err
		}
		r.ID, r.Kernel, r.Size, r.Compiler, r.Version = id, k.name, k.size(), filepath.Base(cc), version(cc)
		r.Tiles, r.Threads, r.Machine, r.Copy = tiles, b.threads, machine(), band
		if err := done.add(r, b.results); err != nil {
			return err
		}
		found = false
	}
	note := ""
	if found {
		note = " (done before)"
	}
	peer, by := "-", "-"
	if r.Diamond > 0 {
		peer, by = fmt.Sprintf("%.3f", k.rate(r.Diamond)), fmt.Sprintf("%.2f", r.Diamond/r.Tiled)
	}
	fmt.Printf("%-15s %-12s %-8s %9.3f %9.3f %6.2f %9.3f %9s %6s  %-24s %s%s\n", k.name, k.size(), r.Compiler,
		k.rate(r.Original), k.rate(r.Tiled), r.Original/r.Tiled, k.roof(r.Copy), peer, by, r.Tiles, r.Diamonds, note)
	return nil
}

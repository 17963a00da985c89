// Command gallery times the programs of examples/gallery as their authors wrote them, each loop nest a parallel loop of OpenMP,
// beside what hexcc makes of them for CPUs; or, with -pages, draws what they compute, for docs/gallery.md.
package main

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"runtime"

	"github.com/hexcc/hexcc/internal/gallery"
)

// A config is the command line.
type config struct {
	hexcc, folder, pages string
	only                 *regexp.Regexp
	runs, threads        int
	scale                float64
}

func main() {
	var c config
	flag.StringVar(&c.hexcc, "hexcc", "bin/hexcc", "the compiler to measure")
	flag.StringVar(&c.folder, "folder", "examples/gallery", "where the programs are")
	flag.StringVar(&c.pages, "pages", "", "a folder for gallery.md and its pictures; then nothing is timed")
	only := flag.String("only", "", "a regular expression: programs to run")
	flag.IntVar(&c.runs, "runs", 3, "runs of each program; the fastest counts")
	flag.IntVar(&c.threads, "threads", runtime.NumCPU(), "threads")
	flag.Float64Var(&c.scale, "scale", 1, "a factor of the points along a side: 0.3 for a quick look")
	flag.Parse()
	var err error
	if c.only, err = regexp.Compile(*only); err == nil {
		err = c.run()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "gallery:", err)
		os.Exit(1)
	}
}

func (c config) run() error {
	all, err := gallery.Read(c.folder)
	if err != nil {
		return err
	}
	var some []gallery.Program
	for _, p := range all {
		if c.only.MatchString(p.Name) {
			some = append(some, p)
		}
	}
	dir, err := os.MkdirTemp("", "hexcc-gallery-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if c.pages != "" {
		return writePages(c.pages, dir, some)
	}
	return c.bench(dir, some)
}

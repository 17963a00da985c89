// Command bench translates every case of testdata, and with -heavy the programs
// that are the most work, with bin/hexcc, one process
// at a time on one core, and prints for each the time (the best of several
// runs), its processor time, which a busy machine stretches less, the peak
// memory and what the time went into.
package main

import (
	"bufio"
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/hexcc/hexcc/internal/heavy"
)

// largeLines is how long the large file is.
const largeLines = 3000

func main() {
	hexcc := flag.String("hexcc", "bin/hexcc", "the compiler to measure")
	cases := flag.String("cases", "testdata/*.txtar", "the cases")
	runs := flag.Int("runs", 5, "runs of each case; the fastest counts")
	most := flag.Bool("heavy", false, "the programs of internal/heavy in place of the cases, each once unless -runs is given")
	targets := flag.String("targets", "cuda,opencl,openmp,c", "for what to translate those")
	only := flag.String("only", "", "only those whose name contains this")
	flag.Parse()
	err := error(nil)
	if *most {
		if !given("runs") {
			*runs = 1
		}
		err = benchHeavy(*hexcc, strings.Split(*targets, ","), *only, *runs)
	} else {
		err = bench(*hexcc, *cases, *runs)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// A sample is what one translation took.
type sample struct {
	wall   time.Duration
	cpu    time.Duration
	peakKB int64
	passes []passTime
	// refused is the code of the error that it ended with, "" if it was translated.
	refused string
}

type passTime struct {
	name string
	ms   float64
}

func bench(hexcc, glob string, runs int) error {
	paths, err := filepath.Glob(glob)
	if err != nil || len(paths) == 0 {
		return fmt.Errorf("no case matches %s", glob)
	}
	binary, err := filepath.Abs(hexcc)
	if err != nil {
		return err
	}
	header := false
	for _, path := range paths {
		text, err := program(path)
		if err != nil {
			return err
		}
		best, err := measure(binary, "cuda", text, runs)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		if !header {
			printHeader(best)
			header = true
		}
		printRow(strings.TrimSuffix(filepath.Base(path), ".txtar"), best)
	}
	best, err := measure(binary, "cuda", []byte(heavy.Lines(largeLines, 1)), runs)
	if err != nil {
		return fmt.Errorf("the large file: %w", err)
	}
	printRow(fmt.Sprintf("%d lines", largeLines), best)
	return nil
}

// program returns the input.c of an archive.
func program(path string) ([]byte, error) {
	archive, err := txtar.ParseFile(path)
	if err != nil {
		return nil, err
	}
	for _, f := range archive.Files {
		if f.Name == "input.c" {
			return f.Data, nil
		}
	}
	return nil, fmt.Errorf("%s has no input.c", path)
}

func printHeader(s sample) {
	fmt.Printf("%-16s %9s %9s %9s ", "case", "total ms", "cpu ms", "peak MiB")
	for _, p := range s.passes {
		fmt.Printf(" %9s", p.name)
	}
	fmt.Println()
}

func printRow(name string, s sample) {
	fmt.Printf("%-16s %9.1f %9.1f %9.1f ", name, milliseconds(s.wall), milliseconds(s.cpu), float64(s.peakKB)/1024)
	for _, p := range s.passes {
		fmt.Printf(" %9.2f", p.ms)
	}
	fmt.Println()
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// measure returns the fastest of several runs on a program.
func measure(binary, target string, text []byte, runs int) (best sample, err error) {
	dir, err := os.MkdirTemp("", "hexcc-bench-")
	if err != nil {
		return best, err
	}
	defer os.RemoveAll(dir)
	if err := os.WriteFile(filepath.Join(dir, "input.c"), text, 0o644); err != nil {
		return best, err
	}
	for i := range runs {
		s, err := translate(binary, target, dir)
		if err != nil {
			return best, err
		}
		if i == 0 || s.wall < best.wall {
			best = s
		}
	}
	return best, nil
}

func translate(binary, target, dir string) (s sample, err error) {
	cmd := exec.Command(binary, "-v", "--target="+target, "-o", "out", "input.c")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOMAXPROCS=1")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	start := time.Now()
	if err := cmd.Run(); err != nil {
		var ended *exec.ExitError
		if !errors.As(err, &ended) || !refusals[ended.ExitCode()] {
			return s, fmt.Errorf("%w\n%s", err, stderr.String())
		}
		s.refused = refusal.FindString(stderr.String())
	}
	s.wall = time.Since(start)
	s.cpu = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	if usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		s.peakKB = usage.Maxrss
	}
	s.passes = passTimes(&stderr)
	return s, nil
}

// passTimes reads the lines "pass NAME: MS ms" that hexcc -v prints.
func passTimes(log *bytes.Buffer) (times []passTime) {
	lines := bufio.NewScanner(log)
	for lines.Scan() {
		f := strings.Fields(lines.Text())
		if len(f) < 4 || f[0] != "pass" || f[3] != "ms" {
			continue
		}
		ms, err := strconv.ParseFloat(f[2], 64)
		if err == nil {
			times = append(times, passTime{strings.TrimSuffix(f[1], ":"), ms})
		}
	}
	return times
}

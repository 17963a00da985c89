// Command choice looks how good --strategy=auto chooses: on GPUs by a replay of the machine code of each way (bench/sass), on the CPU at hand by
// running each. What was found is kept in a log, so that a run that was broken off goes on, and printed as a table, or as a page of the documents.
package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

func main() {
	only := flag.String("only", ".", "a regular expression: programs to look at")
	path := flag.String("log", "bench/results/choice.jsonl", "what was found; cells in it are not looked at again. Take a new one when the sizes that the model chooses, or kernels, are others")
	limit := flag.Duration("for", 10*time.Minute, "begin nothing more after so long")
	each := flag.Duration("each", 3*time.Minute, "end what takes longer, of one program on one device and grid")
	sass := flag.String("sass", "bin/bench-sass", "the program of bench/sass")
	cache := flag.String("cache", "out/sass-replay", "a folder in which what the compiler made is kept")
	cpu := flag.String("cpu", "", "measure on this CPU instead: so many threads, with commas between them, as 1,2")
	alone := flag.String("alone", "", "with -cpu, files to lock one after the other while programs are timed, with commas between them")
	page := flag.String("page", "", "write the page of the documents to this file, from the log alone")
	flag.Parse()
	if err := run(*only, *path, *limit, replayer{*sass, *cache, *each}, *cpu, *alone, *page); err != nil {
		fmt.Fprintln(os.Stderr, "bench-choice:", err)
		os.Exit(1)
	}
}

func run(only, path string, limit time.Duration, r replayer, cpu, alone, page string) error {
	re, err := regexp.Compile(only)
	if err != nil {
		return err
	}
	all, err := readPrograms(re)
	if err != nil {
		return err
	}
	l, err := openLog(path)
	if err != nil {
		return err
	}
	if page != "" {
		text, err := judgeAll(all, l)
		if err != nil {
			return err
		}
		if page == "-" {
			fmt.Print(text)
			return nil
		}
		return writePage(page, text)
	}
	if cpu != "" {
		var threads []int
		for word := range strings.SplitSeq(cpu, ",") {
			n, err := strconv.Atoi(word)
			if err != nil || n < 1 {
				return fmt.Errorf("-cpu=%s: %q is no number of threads", cpu, word)
			}
			threads = append(threads, n)
		}
		return measureAll(all, l, threads, strings.FieldsFunc(alone, func(r rune) bool { return r == ',' }), time.Now().Add(limit))
	}
	return replayAll(all, l, r, time.Now().Add(limit))
}

// replayAll replays what is not in the log.
func replayAll(all []program, l log, r replayer, until time.Time) error {
	done := 0
	for _, c := range cells(all) {
		e, err := c.entry()
		if err != nil {
			return err
		}
		if _, found := l.all[e.Key]; found {
			done++
			continue
		}
		if time.Now().After(until) {
			break
		}
		if e, err = r.replay(c, e); err != nil {
			return err
		}
		if err := l.add(e); err != nil {
			return err
		}
		done++
		fmt.Printf("%4d of %d: %s, %s, %s: %d ways, %.0f s %s\n", done, len(cells(all)), c.name, c.arch, c.size.name, len(e.Ways), e.Work, e.Why)
	}
	return nil
}

// entry returns the entry of a cell, of which nothing is found yet.
func (c cell) entry() (e Entry, err error) {
	grid, err := c.grid(c.size)
	if err != nil {
		return e, err
	}
	e = Entry{Program: c.name, Device: c.arch, Size: c.size.name, Grid: gridText(grid), Dims: len(c.res.Space.Space)}
	e.Key = keyOf(string(c.text), e.Device, e.Grid)
	return e, nil
}

// verdict returns what is said of a cell by what the log has, nil if that is nothing.
func (c cell) verdict(l log) (*verdict, error) {
	e, err := c.entry()
	if err != nil {
		return nil, err
	}
	e, found := l.all[e.Key]
	if !found {
		return nil, nil
	}
	v, err := c.judge(e)
	if err != nil {
		return nil, fmt.Errorf("%s, %s, %s: %w", c.name, c.arch, c.size.name, err)
	}
	return &v, nil
}

// judgeAll judges what is in the log.
func judgeAll(all []program, l log) (text string, err error) {
	var verdicts []verdict
	list := cells(all)
	slices.SortStableFunc(list, func(x, y cell) int {
		return cmp.Or(cmp.Compare(x.name, y.name), slices.Index(devices, x.arch)-slices.Index(devices, y.arch))
	})
	found, errs := make([]*verdict, len(list)), make([]error, len(list))
	var work sync.WaitGroup
	turns := make(chan struct{}, runtime.NumCPU())
	for i, c := range list {
		work.Go(func() {
			turns <- struct{}{}
			defer func() { <-turns }()
			found[i], errs[i] = c.verdict(l)
		})
	}
	work.Wait()
	if err := errors.Join(errs...); err != nil {
		return "", err
	}
	for _, v := range found {
		if v != nil {
			verdicts = append(verdicts, *v)
		}
	}
	var threads []verdict
	for _, e := range l.all {
		if e.Took == "" || !slices.ContainsFunc(all, func(p program) bool { return p.name == e.Program }) {
			continue
		}
		v := verdict{Entry: e, took: e.Took}
		v.judge(nil)
		threads = append(threads, v)
	}
	slices.SortFunc(threads, func(x, y verdict) int {
		return cmp.Or(cmp.Compare(x.Program, y.Program), cmp.Compare(x.Device, y.Device))
	})
	text = table(verdicts, len(list))
	if len(threads) > 0 {
		text += "\n## On a CPU\n\n" + cpuTable(threads)
	}
	return text, nil
}

// Command testrun runs the tests that bench/gpu has built, on a machine with a GPU that need not have Go: several at once, each in a process of its own and for a limited
// time, as a kernel that hangs or breaks its context must not take others with it. What each said goes to a file, from which the next run goes on.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
)

// A test is a line of the list that bench/gpu writes.
type test struct {
	Name    string `json:"name"`
	Program string `json:"program"`
	Inexact string `json:"inexact"`
	// Runs are those of a whole program, with what it is to print; nil: it compares by itself.
	Runs []struct {
		Args []string `json:"args"`
		Want string   `json:"want"`
	} `json:"runs"`
}

// A record is a line of the file of results.
type record struct {
	Name    string  `json:"name"`
	Status  string  `json:"status"` // one of the statuses
	Sizes   int     `json:"sizes"`  // at which all was equal
	Seconds float64 `json:"seconds"`
	Inexact string  `json:"inexact,omitempty"`
	Said    string  `json:"said,omitempty"` // the first lines, unless all was equal
}

// The statuses. Only a test that is ok or differs has compared something.
const (
	ok      = "ok"
	differs = "differs"
	failed  = "failed" // it could not run
	crashed = "crashed"
	hung    = "hung"
)

// Exit statuses.
const (
	allEqual   = 0
	someFailed = 1
	cannotRun  = 2
	unfinished = 75 // as EX_TEMPFAIL
)

// An order says what to run.
type order struct {
	dir, out    string
	jobs        int
	limit, time time.Duration
	only        *regexp.Regexp
	again       bool
}

func main() {
	var o order
	var only string
	seconds := flag.Float64("seconds", 0, "end before so many are over; 0: when all is done")
	limit := flag.Float64("limit", 60, "seconds for each test")
	flag.StringVar(&o.dir, "dir", "", "where the tests are; empty: where this program is")
	flag.StringVar(&o.out, "out", "gpu-test-results.jsonl", "where results go, a line for each test; what has one there is not run again")
	flag.IntVar(&o.jobs, "j", 6, "tests at once")
	flag.StringVar(&only, "only", "", "run tests whose name, GROUP/NAME/WAY/TARGET, this regular expression matches")
	flag.BoolVar(&o.again, "again", false, "run again what was not equal")
	flag.Parse()
	o.limit, o.time = time.Duration(*limit*float64(time.Second)), time.Duration(*seconds*float64(time.Second))
	err := error(nil)
	if o.only, err = regexp.Compile(only); err == nil && o.dir == "" {
		var self string
		self, err = os.Executable()
		o.dir = filepath.Dir(self)
	}
	status := cannotRun
	if err == nil {
		status, err = o.run()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "gpu-test:", err)
	}
	os.Exit(status)
}

// run runs what has no result yet, and returns the exit status.
func (o order) run() (int, error) {
	start := time.Now()
	all, err := lines[test](filepath.Join(o.dir, "tests.jsonl"))
	if err != nil {
		return cannotRun, err
	}
	before, err := lines[record](o.out)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return cannotRun, err
	}
	done := map[string]record{}
	for _, r := range before { // the last counts
		done[r.Name] = r
	}
	var todo []test
	chosen := 0
	for _, t := range all {
		if !o.only.MatchString(t.Name) {
			continue
		}
		chosen++
		if r, is := done[t.Name]; !is || o.again && r.Status != ok {
			todo = append(todo, t)
		}
	}
	if chosen == 0 {
		return cannotRun, errors.New("no test matches")
	}
	file, err := os.OpenFile(o.out, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666)
	if err != nil {
		return cannotRun, err
	}
	defer file.Close()
	var mu sync.Mutex
	var wait sync.WaitGroup
	next, last, torn := 0, 0, error(nil)
	for range max(1, o.jobs) {
		wait.Go(func() {
			for {
				mu.Lock()
				if next == len(todo) || o.left(start) <= 0 {
					mu.Unlock()
					return
				}
				t := todo[next]
				next++
				mu.Unlock()
				r, ended := o.test(t, start)
				if !ended {
					return // time is up: it has no result
				}
				mu.Lock()
				done[t.Name] = r
				last++
				fmt.Printf("%s  [%d of %d]\n", r, last, len(todo))
				line, err := json.Marshal(r)
				if err == nil {
					_, err = file.Write(append(line, '\n'))
				}
				torn = errors.Join(torn, err)
				mu.Unlock()
			}
		})
	}
	wait.Wait()
	return o.summary(all, done, time.Since(start)), torn
}

// left returns how much time is left.
func (o order) left(start time.Time) time.Duration {
	if o.time == 0 {
		return time.Hour
	}
	return o.time - time.Since(start)
}

// summary says how many tests have which status, and of those chosen what was not equal.
func (o order) summary(all []test, done map[string]record, took time.Duration) int {
	count, without := map[string]int{}, 0
	var wrong []string
	for _, t := range all {
		r, is := done[t.Name]
		switch {
		case !o.only.MatchString(t.Name):
			continue
		case !is:
			without++
			continue
		case r.Status != ok:
			wrong = append(wrong, "  "+t.Name+": "+r.Status)
		}
		count[r.Status]++
	}
	fmt.Printf("%d tests equal, %d differ, %d failed, %d crashed, %d hung, %d not run yet; %.1f s\n",
		count[ok], count[differs], count[failed], count[crashed], count[hung], without, took.Seconds())
	if len(wrong) > 0 {
		fmt.Println(strings.Join(wrong, "\n"))
		return someFailed
	}
	if without > 0 {
		return unfinished
	}
	return allEqual
}

// test runs a test, to its end, its limit or that of all.
func (o order) test(t test, start time.Time) (r record, ended bool) {
	began := time.Now()
	r = record{Name: t.Name, Inexact: t.Inexact}
	once := func(args ...string) (result, bool) {
		limit := min(o.limit-time.Since(began), o.left(start))
		x := run(limit, filepath.Join(o.dir, t.Program), args...)
		r.Seconds = time.Since(began).Seconds()
		return x, !x.late || o.left(start) > 0
	}
	if t.Runs == nil {
		x, ended := once()
		r.judge(x)
		return r, ended
	}
	for _, w := range t.Runs {
		want, err := os.ReadFile(filepath.Join(o.dir, w.Want))
		if err != nil {
			r.Status, r.Said = failed, err.Error()
			return r, true
		}
		x, ended := once(w.Args...)
		if r.judgeWhole(x, string(want)); !ended || r.Status != ok {
			r.Said = strings.TrimSpace(fmt.Sprintf("%v: %s", w.Args, r.Said))
			return r, ended
		}
	}
	return r, true
}

// A result is what became of a process.
type result struct {
	out, errs string
	status    int // -1: a signal ended it
	late      bool
}

// run runs a program for a limited time.
func run(limit time.Duration, program string, args ...string) (x result) {
	if limit <= 0 {
		return result{late: true}
	}
	var out, errs bytes.Buffer
	cmd := exec.Command(program, args...)
	cmd.Stdout, cmd.Stderr = &out, &errs
	cmd.WaitDelay = time.Second
	kill := grouped(cmd)
	if err := cmd.Start(); err != nil {
		return result{errs: err.Error(), status: 127}
	}
	end := make(chan error, 1)
	go func() { end <- cmd.Wait() }()
	select {
	case <-end:
	case <-time.After(limit):
		x.late = true
		kill()
		select {
		case <-end:
		case <-time.After(5 * time.Second): // it waits for the driver: leave it
			return result{late: true, errs: "it cannot be killed"}
		}
	}
	x.out, x.errs, x.status = out.String(), errs.String(), cmd.ProcessState.ExitCode()
	return x
}

// judge sets what follows from a run of a program that compares by itself.
func (r *record) judge(x result) {
	r.Sizes = strings.Count(x.out, " elements equal")
	switch {
	case x.late:
		r.Status = hung
	case x.status == 0 && r.Sizes > 0:
		r.Status = ok
		return
	case x.status == 1 && strings.Contains(x.out, "DIFFER"):
		r.Status = differs
	case x.status < 0:
		r.Status = crashed
	default:
		r.Status = failed
	}
	var lines []string
	for line := range strings.Lines(x.errs + x.out) {
		if !strings.Contains(line, " elements equal") {
			lines = append(lines, line)
		}
	}
	r.Said = first(lines)
}

// judgeWhole sets what follows from a run of a whole program.
func (r *record) judgeWhole(x result, want string) {
	switch {
	case x.late:
		r.Status = hung
	case x.status < 0:
		r.Status = crashed
	case x.status != 0 || strings.Contains(x.errs, "it does not hold that"): // then the original loops have run
		r.Status = failed
	case x.out != want:
		r.Status = differs
		r.Said = fmt.Sprintf("it prints %.100q, and the original %.100q", x.out, want)
		return
	default:
		r.Status = ok
		r.Sizes++
		return
	}
	r.Said = first(slices.Collect(strings.Lines(x.errs)))
}

// first returns the first of the lines, without spaces at the end.
func first(lines []string) string {
	return strings.TrimSpace(strings.Join(lines[:min(len(lines), 8)], ""))
}

// String returns the line that is said of a test, and of one that is not equal what it said.
func (r record) String() string {
	switch r.Status {
	case ok:
		note := ""
		if r.Inexact != "" {
			note = ", within a tolerance: " + r.Inexact
		}
		return fmt.Sprintf("ok   %s: %d sizes, %.1f s%s", r.Name, r.Sizes, r.Seconds, note)
	case hung:
		return fmt.Sprintf("HANG %s: %.1f s\n  %s\n", r.Name, r.Seconds, strings.ReplaceAll(r.Said, "\n", "\n  "))
	}
	return fmt.Sprintf("FAIL %s: %s, %.1f s\n  %s\n", r.Name, r.Status, r.Seconds, strings.ReplaceAll(r.Said, "\n", "\n  "))
}

// lines returns the values of a file of JSON lines.
func lines[T any](path string) (all []T, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	scanner := bufio.NewScanner(bytes.NewReader(text))
	scanner.Buffer(nil, len(text)+1)
	for scanner.Scan() {
		var x T
		if err := json.Unmarshal(scanner.Bytes(), &x); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		all = append(all, x)
	}
	return all, scanner.Err()
}

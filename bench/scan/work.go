package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/hexcc/hexcc/astgen/scan"
	"github.com/hexcc/hexcc/internal/schedules"
	"github.com/hexcc/hexcc/schedule/tree"
)

// This file makes loops in a process of its own, so that what takes too long can be ended.

// An answer says what became of one input.
type answer struct {
	Err     string // why there are no loops
	Text    string
	Time    time.Duration // the fastest run
	Checked int           // values of the parameters at which the loops ran and were compared
	Wrong   string        // what was wrong then
	As      string        // which other schedule was run in place of this one, which has too many instances
	Proof   time.Duration // of the loops
	Open    string        // why they are not proved, within the bounds of package poly
}

// A worker is a process that answers questions, one line of JSON each, and is started again after one that took too long.
type worker struct {
	command []string
	cmd     *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
}

func (w *worker) start() error {
	w.cmd = exec.Command(w.command[0], w.command[1:]...)
	w.cmd.Stderr = os.Stderr
	in, err := w.cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := w.cmd.StdoutPipe()
	if err != nil {
		return err
	}
	w.in, w.out = in, bufio.NewReaderSize(out, 1<<20)
	return w.cmd.Start()
}

func (w *worker) stop() {
	if w.cmd != nil {
		w.in.Close()
		_ = w.cmd.Process.Kill()
		_ = w.cmd.Wait()
		w.cmd = nil
	}
}

// ask returns the answer to question, or one that says that it took longer than limit.
func (w *worker) ask(question any, limit time.Duration) (a answer, err error) {
	if w.cmd == nil {
		if err := w.start(); err != nil {
			return a, err
		}
	}
	line, err := json.Marshal(question)
	if err != nil {
		return a, err
	}
	if _, err := fmt.Fprintf(w.in, "%s\n", line); err != nil {
		return a, err
	}
	type read struct {
		line []byte
		err  error
	}
	got := make(chan read, 1)
	go func() {
		line, err := w.out.ReadBytes('\n')
		got <- read{line, err}
	}()
	select {
	case r := <-got:
		if r.err != nil {
			w.stop()
			return answer{Err: "the process died: " + r.err.Error()}, nil
		}
		return a, json.Unmarshal(r.line, &a)
	case <-time.After(limit):
		w.stop()
		return answer{Err: fmt.Sprintf("more than %v", limit)}, nil
	}
}

// A question is the text of a schedule; Runs is how often at most its loops are made, Check at how many values of the parameters they are run.
type question struct {
	Text        string
	Runs, Check int
	Loops       string // in C, of isl: what is checked in place of making loops
}

// serve answers questions from in.
func serve(in io.Reader, out io.Writer) error {
	scanner := bufio.NewScanner(in)
	scanner.Buffer(nil, 1<<26)
	for scanner.Scan() {
		var q question
		if err := json.Unmarshal(scanner.Bytes(), &q); err != nil {
			return err
		}
		line, err := json.Marshal(answered(q))
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(out, "%s\n", line); err != nil {
			return err
		}
	}
	return scanner.Err()
}

// enough is the time after which loops are not made again.
const enough = 200 * time.Millisecond

func answered(q question) (a answer) {
	defer func() {
		if r := recover(); r != nil {
			a.Err = fmt.Sprintf("panic: %v\n%s", r, debug.Stack())
		}
	}()
	if q.Loops != "" {
		return checkedText(q)
	}
	root, loops, took, err := made(q.Text)
	if err != nil {
		return answer{Err: err.Error()}
	}
	a = answer{Text: scan.C(loops), Time: took}
	for range q.Runs - 1 {
		if took > enough {
			break
		}
		_, _, took, err = made(q.Text)
		if err != nil {
			return answer{Err: err.Error()}
		}
		a.Time = min(a.Time, took)
	}
	start := time.Now()
	if err := scan.Prove(root, loops); err != nil {
		a.Open = err.Error()
		if errors.As(err, new(*scan.ProofError)) {
			a.Wrong = "no proof: " + a.Open
		}
	}
	a.Proof = time.Since(start)
	if q.Check == 0 || a.Wrong != "" {
		return a
	}
	a.Checked, err = schedules.Check(root, schedules.Loops(loops), q.Check)
	if err != nil && a.Checked == 0 {
		a.Checked, a.As, err = checkedSmaller(q, root, err)
	}
	if err != nil {
		a.Wrong = err.Error()
	}
	return a
}

// checkedText checks loops in C.
func checkedText(q question) (a answer) {
	root, err := tree.Parse(q.Text)
	if err != nil {
		return answer{Err: err.Error()}
	}
	text, err := schedules.Read(q.Loops)
	if err == nil {
		a.Checked, err = schedules.Check(root, text.Run, q.Check)
	}
	if err != nil && !errors.As(err, new(*tree.TooManyError)) && !errors.As(err, new(*tree.UnboundedError)) {
		a.Wrong = err.Error()
	}
	return a
}

// checkedSmaller checks the loops of a schedule like that of q, which could not be checked for the reason why.
func checkedSmaller(q question, root tree.Node, why error) (checked int, as string, err error) {
	var many *tree.TooManyError
	var unbounded *tree.UnboundedError
	err = why
	if errors.As(why, &unbounded) {
		root = schedules.Bounded(root, 12)
		loops, err := scan.Write(root)
		if err != nil {
			return 0, "", err
		}
		checked, err = schedules.Check(root, schedules.Loops(loops), q.Check)
		return checked, "bounded", err
	}
	for _, k := range []int64{2, 5, 10, 20, 50, 100, 500} {
		if !errors.As(err, &many) {
			break
		}
		as = fmt.Sprintf("1/%d", k)
		root, loops, _, made := made(schedules.Smaller(q.Text, k))
		if made != nil {
			return 0, as, made
		}
		checked, err = schedules.Check(root, schedules.Loops(loops), q.Check)
	}
	return checked, as, err
}

// made returns loops and the time that making them took, without reading the text.
func made(text string) (root tree.Node, loops scan.Node, took time.Duration, err error) {
	if root, err = tree.Parse(text); err != nil {
		return nil, nil, 0, err
	}
	runtime.GC()
	start := time.Now()
	loops, err = scan.Write(root)
	return root, loops, time.Since(start), err
}

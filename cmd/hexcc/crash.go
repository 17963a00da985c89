package main

import (
	"fmt"
	"os"
	"regexp"
	"strings"

	"github.com/hexcc/hexcc/diag"
)

// goCrash is the status with which the Go runtime ends a program, maxStack how large a stack may get.
const (
	goCrash  = 2
	maxStack = 256 << 20
)

var (
	fatal     = regexp.MustCompile(`(?m)^(fatal error: |panic: |runtime: |SIG[A-Z]+: )`)
	exhausted = regexp.MustCompile(`out of memory|cannot allocate memory|cannot map pages|failed to reserve|pthread_create failed|failed to create new OS thread`)
	deep      = regexp.MustCompile(`stack overflow|stack exceeds`)
	overdue   = regexp.MustCompile(`^signal: killed: processor time: (.*)$`)
)

// crashed tells of a run that did not end by itself, of which the runtime said this, and returns the status to end with.
func crashed(said string) int {
	s := &session{stderr: screen{os.Stderr}, stdout: os.Stdout, format: diagnosticsFormat(os.Args[1:])}
	defer s.end()
	head := said[:min(len(said), 4096)]
	switch {
	case overdue.MatchString(head):
		return s.fail(&diag.Diagnostic{
			Code: "HX406", Msg: fmt.Sprintf("processor time is used up: ulimit -t allows %s; nothing is written", overdue.FindStringSubmatch(head)[1]),
			Help: "set a larger limit by ulimit -t, or take less of the file (--region) or smaller sizes",
		})
	case deep.MatchString(head):
		return s.fail(&diag.Diagnostic{Code: "HX406", Msg: "the stack is used up: something in the input is nested too deeply", Help: "split what is nested"})
	case exhausted.MatchString(head):
		return s.fail(&diag.Diagnostic{
			Code: "HX406", Msg: "memory is used up; nothing is written",
			Help: "take smaller sizes, less of the file (--region) or simpler bounds; a limit set by ulimit -v may be too low: hexcc needs some 1.5 GiB of addresses",
		})
	}
	what, stack, _ := strings.Cut(said, "\n")
	s.bug(what, []byte(stack))
	return exitBug
}

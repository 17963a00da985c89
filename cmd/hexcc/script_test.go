package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestMain lets scripts call hexcc as a program.
func TestMain(m *testing.M) {
	if os.Getenv("HEXCC_HEADERS") == "" {
		if err := os.Setenv("HEXCC_HEADERS", "builtin"); err != nil { // what is written does not depend on the machine
			panic(err)
		}
	}
	testscript.Main(m, map[string]func(){
		"hexcc": main,
		"crash": func() { os.Exit(supervised(crash)) },
	})
}

// crash ends as the Go runtime ends programs, or as its argument says.
func crash() int {
	switch os.Args[1] {
	case "memory":
		var all [][]byte
		for n := 1 << 20; ; {
			block := make([]byte, n)
			for i := 0; i < n; i += 4096 {
				block[i] = 1
			}
			all = append(all, block)
			runtime.KeepAlive(all)
		}
	case "busy":
		for n := 0; ; n++ {
			runtime.KeepAlive(n)
		}
	case "one-block":
		runtime.KeepAlive(make([]byte, 1<<46))
	case "stack":
		var deep func(n int) int
		deep = func(n int) int { return deep(n+1) + n }
		return deep(0)
	case "goroutine":
		go panic("somewhere else")
		select {}
	case "deadlock":
		signal.Reset()
		select {}
	case "fault":
		syscall.Kill(os.Getpid(), syscall.SIGSEGV)
		select {}
	case "killed":
		syscall.Kill(os.Getpid(), syscall.SIGKILL)
		select {}
	case "interrupted":
		syscall.Kill(os.Getppid(), syscall.SIGTERM)
		select {}
	case "chatter": // a library writes to standard error itself
		syscall.Write(2, []byte("a library speaks\n"))
		fmt.Fprintln(os.Stderr, "so do we")
	}
	n, _ := strconv.Atoi(os.Args[2])
	return n
}

// TestScripts runs each script of testdata/script in a fresh folder.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(e *testscript.Env) error {
			e.Setenv("HEXCC_HEADERS", "builtin") // what they print does not depend on the machine
			e.Setenv("CMAKE", cmp.Or(os.Getenv("HEXCC_CMAKE"), "cmake"))
			return nil
		},
		UpdateScripts: os.Getenv("UPDATE_SCRIPTS") != "",
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"status":      status,
			"poor-opencl": poorOpenCL,
		},
		Condition: func(name string) (bool, error) {
			if name == "opencl" {
				return hasOpenCL(), nil
			}
			if program, asked := strings.CutPrefix(name, "has:"); asked {
				return has(program)
			}
			return false, fmt.Errorf("unknown condition %s", name)
		},
	})
}

// has reports whether a program is here. In CI, where nothing may be missing, it is an error that it is not.
func has(program string) (bool, error) {
	path := program
	if program == "cmake" {
		path = cmp.Or(os.Getenv("HEXCC_CMAKE"), program)
	}
	_, err := exec.LookPath(path)
	if err != nil && os.Getenv("CI") == "true" {
		return false, err
	}
	return err == nil, nil
}

// status runs a command and compares its exit status: status 2 hexcc bad.c
func status(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status WANT COMMAND ARGS...")
	}
	err := ts.Exec(args[1], args[2:]...)
	got := "0"
	if err != nil {
		got = exitCode(err)
	}
	if got != args[0] {
		ts.Fatalf("exit status %s, want %s", got, args[0])
	}
}

func exitCode(err error) string {
	var e *exec.ExitError
	if errors.As(err, &e) {
		return strconv.Itoa(e.ExitCode())
	}
	return err.Error()
}

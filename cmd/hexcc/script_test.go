package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestMain lets scripts call hexcc as a program.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"hexcc": main})
}

// TestScripts runs each script of testdata/script in a fresh folder.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:           "testdata/script",
		UpdateScripts: os.Getenv("UPDATE_SCRIPTS") != "",
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"status":      status,
			"poor-opencl": poorOpenCL,
		},
		Condition: func(name string) (bool, error) {
			if name == "opencl" {
				return hasOpenCL(), nil
			}
			return false, fmt.Errorf("unknown condition %s", name)
		},
	})
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

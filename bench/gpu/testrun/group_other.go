//go:build !unix

package main

import "os/exec"

// grouped returns what kills cmd.
func grouped(cmd *exec.Cmd) (kill func()) {
	return func() { _ = cmd.Process.Kill() } // it may have ended
}

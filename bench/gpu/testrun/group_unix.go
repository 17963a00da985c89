//go:build unix

package main

import (
	"os/exec"
	"syscall"
)

// grouped has cmd run in a group of processes of its own, and returns what kills that.
func grouped(cmd *exec.Cmd) (kill func()) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return func() { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) } // it may have ended
}

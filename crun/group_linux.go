package crun

import (
	"context"
	"os/exec"
	"syscall"
	"time"
)

// grouped is a command in a group of processes of its own, all of which end when ctx does. The command itself also ends when this process is killed.
func grouped(ctx context.Context, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = time.Second
	return cmd
}

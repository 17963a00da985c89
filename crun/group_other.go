//go:build !linux

package crun

import (
	"context"
	"os/exec"
	"time"
)

// grouped is a command that ends when ctx does; what it has started may not.
func grouped(ctx context.Context, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.WaitDelay = time.Second
	return cmd
}

package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/hexcc/hexcc/lsp"
)

// lspCmd is hexcc lsp.
type lspCmd struct {
	Flags []string `arg:"" optional:"" passthrough:"" help:"Flags of hexcc inspect, for all files: -DNAME=V, -IDIR, --arch=sm_90 and so on."`
}

// pause is how long a text has to stay as it is before it is looked at.
const pause = 300 * time.Millisecond

// Run serves an editor, on standard input and output, until that ends.
func (c *lspCmd) Run(s *session) error {
	server := lsp.Server{Run: runSelf, Flags: c.Flags, Pause: pause}
	return server.Serve(os.Stdin, s.stdout)
}

// runSelf runs this program.
func runSelf(ctx context.Context, dir string, args []string, stdin string) (stdout, stderr string, err error) {
	self, err := os.Executable()
	if err != nil {
		return "", "", err
	}
	var out, errs bytes.Buffer
	cmd := exec.CommandContext(ctx, self, args...)
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = dir, strings.NewReader(stdin), &out, &errs
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) } // it ends its own processes
	cmd.WaitDelay = 2 * time.Second
	err = cmd.Run()
	return out.String(), errs.String(), err
}

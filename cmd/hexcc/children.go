package main

import (
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"sync"
	"syscall"
)

// This file runs programs that get the signals of this process, so that it can clean up when they have ended.

// children are programs that run at the moment. The zero children are none.
type children struct {
	lock    sync.Mutex
	running map[*exec.Cmd]bool
	signal  os.Signal // by which this process is to end; nil: none
}

// caught returns what work returns. Where a signal comes meanwhile, those that run get it, none starts any more, and once work
// has returned this process ends by it.
func (c *children) caught(work func() int) int {
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT)
	go func() {
		for s := range signals {
			c.lock.Lock()
			c.signal = s
			for cmd := range c.running {
				_ = cmd.Process.Signal(s)
			}
			c.lock.Unlock()
		}
	}()
	status := work()
	signal.Stop(signals)
	c.lock.Lock()
	defer c.lock.Unlock()
	if s, ok := c.signal.(syscall.Signal); ok {
		endBy(s)
		return 128 + int(s)
	}
	return status
}

// stopped reports whether a signal came.
func (c *children) stopped() bool {
	c.lock.Lock()
	defer c.lock.Unlock()
	return c.signal != nil
}

// errStopped is the error of what does not start, as a signal came before.
var errStopped = errors.New("a signal came")

// run runs a program and returns its status. Where a signal ends it, this process is to end by it, too. The error says that it cannot start.
func (c *children) run(cmd *exec.Cmd) (int, error) {
	if err := c.start(cmd); err != nil {
		return 0, err
	}
	err := cmd.Wait()
	c.lock.Lock()
	defer c.lock.Unlock()
	delete(c.running, cmd)
	var failed *exec.ExitError
	if err != nil && !errors.As(err, &failed) {
		return 0, err
	}
	if s := endedBy(cmd.ProcessState); s != 0 {
		c.signal = s
		return 128 + int(s), nil
	}
	return cmd.ProcessState.ExitCode(), nil
}

func (c *children) start(cmd *exec.Cmd) error {
	c.lock.Lock()
	defer c.lock.Unlock()
	if c.signal != nil {
		return errStopped
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	if c.running == nil {
		c.running = map[*exec.Cmd]bool{}
	}
	c.running[cmd] = true
	return nil
}

//go:build !unix

package main

import (
	"errors"
	"os"
	"syscall"
)

// replace would run a program in place of this process: there is no such thing here.
func replace(string, []string) error { return errors.ErrUnsupported }

func endBy(syscall.Signal) {}

func endedBy(*os.ProcessState) syscall.Signal { return 0 }

func lockFolder(string) (*os.File, error) { return nil, errors.ErrUnsupported }

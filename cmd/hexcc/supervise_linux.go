package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// This file ends runs that the Go runtime ends. Where memory or the stack is used up it ends the
// process with status 2, and no code of ours runs any more; but 2 means something else. So the work
// is done in a child process, and the parent says what became of it. The child's standard error is a
// copy: what the runtime itself writes goes through a pipe to the parent.

// crashVariable tells a child by which descriptor it writes to the parent.
const crashVariable = "HEXCC_CRASH_FD"

// The parent must be the same thread until the child ends, which dies with it.
func init() { runtime.LockOSThread() }

// supervised returns the status of work, done in a child, or what to say of its end. Where
// there can be no child, work is done here.
func supervised(work func() int) int {
	if fd, err := strconv.Atoi(os.Getenv(crashVariable)); err == nil {
		runtime.UnlockOSThread()
		becomeChild(fd)
		return work()
	}
	child, crash, err := startChild()
	if err != nil {
		runtime.UnlockOSThread()
		return work()
	}
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT)
	go func() {
		for s := range signals {
			_ = child.Process.Signal(s)
		}
	}()
	said := drain(crash)
	err = child.Wait()
	signal.Stop(signals)
	var failed *exec.ExitError
	if err != nil && !errors.As(err, &failed) {
		return crashed(err.Error())
	}
	status := child.ProcessState.Sys().(syscall.WaitStatus)
	switch {
	case status.Signaled() && status.Signal() == syscall.SIGKILL:
		const tick = 250 * time.Millisecond // what is reported may lag behind what is limited
		if limit := processorLimit(); child.ProcessState.UserTime()+child.ProcessState.SystemTime() >= limit-tick {
			return crashed(fmt.Sprintf("signal: killed: processor time: %v", limit))
		}
		return crashed("signal: killed: out of memory")
	case status.Signaled() && faults[status.Signal()], status.ExitStatus() == goCrash && fatal.MatchString(said):
		return crashed(said)
	}
	_, _ = io.WriteString(os.Stderr, said) // of a library
	if status.Signaled() {
		signal.Reset(status.Signal())
		_ = syscall.Kill(os.Getpid(), status.Signal())
		return 128 + int(status.Signal())
	}
	return status.ExitStatus()
}

// processorLimit returns the processor time that this process and its child may take each.
func processorLimit() time.Duration {
	const rlimitCPU = 0 // RLIMIT_CPU, the same for all architectures of Linux
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(rlimitCPU, &limit); err != nil || limit.Max > math.MaxInt64/uint64(time.Second) {
		return math.MaxInt64
	}
	return time.Duration(limit.Max) * time.Second
}

// faults are the signals that a process gets for what it does itself.
var faults = map[syscall.Signal]bool{
	syscall.SIGSEGV: true, syscall.SIGBUS: true, syscall.SIGILL: true, syscall.SIGFPE: true, syscall.SIGABRT: true, syscall.SIGTRAP: true, syscall.SIGSYS: true,
}

// startChild starts this program once more, and returns what it says by the descriptor of crashVariable.
func startChild() (*exec.Cmd, *os.File, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, nil, err
	}
	out, in, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	defer in.Close()
	fd := in.Fd()
	if _, _, e := syscall.Syscall(syscall.SYS_FCNTL, fd, syscall.F_SETFD, 0); e != 0 { // the child inherits it by its number, which nothing else has
		return nil, nil, e
	}
	child := exec.Command(self)
	child.Args = os.Args
	child.Env = append(os.Environ(), crashVariable+"="+strconv.Itoa(int(fd)))
	child.Stdin, child.Stdout, child.Stderr = os.Stdin, os.Stdout, os.Stderr
	child.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	return child, out, child.Start()
}

// drain reads all of r and returns its start, which is the cause.
func drain(r io.Reader) string {
	var said bytes.Buffer
	_, _ = io.CopyN(&said, r, 1<<20)
	_, _ = io.Copy(io.Discard, r)
	return said.String()
}

// becomeChild makes standard error a copy of itself, lets the runtime write to fd, and bounds memory.
func becomeChild(fd int) {
	os.Unsetenv(crashVariable)
	syscall.CloseOnExec(fd)
	if stderr, err := syscall.Dup(2); err == nil {
		syscall.CloseOnExec(stderr)
		if syscall.Dup3(fd, 2, 0) == nil {
			os.Stderr = os.NewFile(uintptr(stderr), "/dev/stderr")
		}
	}
	debug.SetMaxStack(maxStack)
	most := memory()
	limit := syscall.Rlimit{Cur: most, Max: most}
	if old := (syscall.Rlimit{}); syscall.Getrlimit(rlimitData, &old) == nil {
		limit.Max = old.Max
		most = min(most, old.Cur)
		limit.Cur = most
		_ = syscall.Setrlimit(rlimitData, &limit)
	}
	if as := (syscall.Rlimit{}); syscall.Getrlimit(syscall.RLIMIT_AS, &as) == nil {
		most = min(most, as.Cur-min(as.Cur, reserved))
	}
	debug.SetMemoryLimit(int64(min(max(most/4*3, 64<<20), math.MaxInt64))) // collect more often when it gets scarce
}

const (
	rlimitData = syscall.RLIMIT_DATA
	reserved   = 1 << 30 // of addresses, by the runtime
)

// memory returns how many bytes hexcc takes at most: three quarters of what this machine has, or the container.
func memory() uint64 {
	var info syscall.Sysinfo_t
	most := uint64(math.MaxUint64)
	if syscall.Sysinfo(&info) == nil {
		most = uint64(info.Totalram) * uint64(info.Unit)
	}
	for _, file := range []string{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"} {
		if text, err := os.ReadFile(file); err == nil {
			if n, err := strconv.ParseUint(strings.TrimSpace(string(text)), 10, 64); err == nil {
				most = min(most, n)
			}
		}
	}
	return most / 4 * 3
}

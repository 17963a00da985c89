package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"time"

	"github.com/hexcc/hexcc/diag"
)

// Run says whether a file that hexcc prints can be compiled here: it compiles a small one.
func (c *toolsCmd) Run(s *session) error {
	if err := resolveArch(&c.Arch); err != nil {
		return err
	}
	said, found := cudaCompiler(c.Arch)
	if found != nil {
		if err := diag.Print(s.stderr, "text", diag.List{found}, nil); err != nil {
			return err
		}
		return exit(found.Code.Exit())
	}
	_, err := fmt.Fprintln(s.stdout, said)
	return err
}

var release = regexp.MustCompile(`release ([0-9.]+)`)

// cudaCompiler returns a line about the nvcc that compiles for arch, or what is wrong with it.
func cudaCompiler(arch string) (string, *diag.Diagnostic) {
	name := os.Getenv("HEXCC_NVCC")
	if name == "" {
		name = "nvcc"
	}
	path, err := exec.LookPath(name)
	if err != nil {
		return "", &diag.Diagnostic{
			Code: "HX504", Msg: fmt.Sprintf("no CUDA compiler: %v", err),
			Help: "install NVIDIA's CUDA toolkit, or its compiler alone from PyPI (hexcc explain HX504), and put nvcc on PATH or its path into HEXCC_NVCC",
		}
	}
	version, err := output(patience, path, "--version")
	if err != nil {
		return "", failed(path, version, err)
	}
	if known, err := output(patience, path, "--list-gpu-arch"); err == nil {
		if !strings.Contains(string(known)+"\n", "compute_"+strings.TrimPrefix(arch, "sm_")+"\n") {
			return "", &diag.Diagnostic{
				Code: "HX505", Msg: fmt.Sprintf("%s does not know %s", path, arch),
				Notes: []diag.Note{{Msg: "it knows " + strings.ReplaceAll(strings.Join(strings.Fields(string(known)), ", "), "compute_", "sm_")}},
				Help:  "take another --arch, or a CUDA toolkit that knows this one: CUDA 12 is the last with sm_60 and sm_70, 11.8 the first with sm_90, 12.8 with sm_100",
			}
		}
	}
	if out, err := compileTrial(path, arch); err != nil {
		return "", failed(path, out, err)
	}
	line := fmt.Sprintf("nvcc: %s", path)
	if m := release.FindSubmatch(version); m != nil {
		line += fmt.Sprintf(", CUDA %s", m[1])
	}
	return line + ", compiles for " + arch, nil
}

// compileTrial compiles a small kernel and its launch, and returns what the compiler says.
func compileTrial(nvcc, arch string) (out []byte, err error) {
	dir, err := os.MkdirTemp("", "hexcc")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	source := filepath.Join(dir, "trial.cu")
	text := "#include <stdio.h>\n#include <cuda_runtime.h>\n__global__ void k(float *p) { p[threadIdx.x] = 1; }\nint f(float *p) { k<<<1, 32>>>(p); return cudaGetLastError(); }\n"
	if err := os.WriteFile(source, []byte(text), 0o666); err != nil {
		return nil, err
	}
	return output(deadline, nvcc, "-std=c++11", "-arch="+arch, "-c", source, "-o", filepath.Join(dir, "trial.o"))
}

// failed says that a compiler failed, with the first line that it said.
func failed(path string, out []byte, err error) *diag.Diagnostic {
	return &diag.Diagnostic{
		Code: "HX506", Msg: fmt.Sprintf("%s fails: %v", path, err), Notes: sayings(string(out), 1),
		Help: "nvcc needs a C++ compiler that its version supports: -ccbin names one, or the environment variable NVCC_PREPEND_FLAGS='-ccbin PATH'",
	}
}

// sayings returns the first lines of what a tool printed, the empty ones left out.
func sayings(out string, most int) (notes []diag.Note) {
	for line := range strings.Lines(out) {
		if line = strings.TrimSpace(line); line != "" && len(notes) < most {
			notes = append(notes, diag.Note{Msg: "it says: " + line})
		}
	}
	return notes
}

// How long a compiler may run: what it knows it says at once.
var (
	deadline = 5 * time.Minute
	patience = 15 * time.Second
)

// A late is the error of a tool that did not end.
type late time.Duration

func (l late) Error() string { return fmt.Sprintf("it ran longer than %v", time.Duration(l)) }

// output runs a program for no longer than limit and returns what it prints, on both streams.
func output(limit time.Duration, name string, args ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.WaitDelay = time.Second // for what it started and left behind
	out, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		err = late(limit)
	}
	return out, err
}

// untilStopped returns a context that ends when this process is told to stop.
func untilStopped() (context.Context, context.CancelFunc) {
	return signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
}

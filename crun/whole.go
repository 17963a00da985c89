package crun

import (
	"context"
	_ "embed" // the texts of probes
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// This file runs whole programs of the user, with probes around regions, in the surroundings that they have by themselves.

//go:embed text/probe.c
var probeText string

//go:embed text/probe.h
var probeHeader string

// A Whole is a program whose regions stand between probes of package ctext.
type Whole struct{ path string }

// CompileWhole compiles source, a file of C or C++ with probes, to a program of its own; more are the flags, files and libraries that it takes. Files are written to
// dir, an empty folder; relative paths of more are those of this process.
func CompileWhole(ctx context.Context, cc, dir string, cxx bool, source []byte, more ...string) (*Whole, error) {
	path := func(name string) string { return filepath.Join(dir, name) }
	compiler, end, standard, err := language(cc, cxx)
	if err != nil {
		return nil, err
	}
	flags := []string{standard}
	if cxx {
		flags = append(flags, "-fno-access-control") // a probe reads private members
	}
	for name, text := range map[string][]byte{"probe.c": []byte(probeText), "probe.h": []byte(probeHeader), "input" + end: source} {
		if err := os.WriteFile(path(name), text, 0o666); err != nil {
			return nil, err
		}
	}
	run := func(name string, args ...string) error {
		if out, err := grouped(ctx, name, args...).CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w\n%s", name, err, out)
		}
		return nil
	}
	if err := run(cc, "-std=gnu11", "-w", "-O1", "-c", "-o", path("probe.o"), path("probe.c")); err != nil {
		return nil, err
	}
	flags = append(flags, "-w", "-O1", "-ffp-contract=off", "-fwrapv", "-include", path("probe.h"))
	compiled := run(compiler, slices.Concat(flags, compileFlags(more), []string{"-c", "-o", path("input.o"), path("input" + end)})...)
	if compiled != nil {
		return nil, compiled
	}
	if err := run(compiler, slices.Concat([]string{"-w", "-o", path("prog"), path("input.o"), path("probe.o")}, more, []string{"-lm"})...); err != nil {
		return nil, &LinkError{err}
	}
	return &Whole{path("prog")}, nil
}

// compileFlags returns those of flags that are about compiling: no libraries, and no files.
func compileFlags(flags []string) (out []string) {
	takes := false
	for _, f := range flags {
		switch {
		case takes:
			out, takes = append(out, f), false
		case slices.Contains([]string{"-I", "-D", "-U", "-include", "-isystem", "-iquote"}, f):
			out, takes = append(out, f), true
		case strings.HasPrefix(f, "-") && !strings.HasPrefix(f, "-l") && !strings.HasPrefix(f, "-L") && !strings.HasPrefix(f, "-Wl,"):
			out = append(out, f)
		}
	}
	return out
}

// A Said is what a program says, and its exit status.
type Said struct {
	Out, Err string
	Status   int
}

// Run runs the program in the folder of this process with args, words and redirections of the shell, and writes what its regions find and leave to the file
// recording, beside which it lies when it runs, so that all have one name. What malloc gives is zeros, so that two programs find the same there. The environment is ours, and env. The error is that
// the program could not run to its end: it was killed, or ctx ended.
func (w *Whole) Run(ctx context.Context, recording, args string, env ...string) (Said, error) {
	program := filepath.Join(filepath.Dir(recording), "program")
	if err := os.Remove(program); err != nil && !errors.Is(err, os.ErrNotExist) {
		return Said{}, err
	}
	if err := os.Link(w.path, program); err != nil {
		return Said{}, err
	}
	cmd := grouped(ctx, "sh", "-c", `exec "$0" `+args, program)
	var out, says strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &says
	cmd.Env = append(os.Environ(), append([]string{"HEXCC_PROBE=" + recording, "MALLOC_PERTURB_=255"}, env...)...)
	err := cmd.Run()
	said := Said{out.String(), says.String(), 0}
	var status *exec.ExitError
	if errors.As(err, &status) && status.Exited() {
		said.Status, err = status.ExitCode(), nil
	}
	return said, err
}

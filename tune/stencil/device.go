package stencil

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/hexcc/hexcc/crun"
	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/machine"
)

// This file finds a GPU, and compiles kernels for it.

// FindGPU returns nvcc and the name of the first GPU. The error is a diagnostic: there is no nvcc, or no device.
func FindGPU() (nvcc, gpu string, err error) {
	missing := func(format string, args ...any) error {
		return &diag.Diagnostic{Code: "HX510", Msg: "hexcc tune --target=cuda runs kernels on a GPU: " + fmt.Sprintf(format, args...),
			Help: "--dry-run ranks candidates by the model, and runs nothing; --target=openmp measures on this machine's CPU"}
	}
	if nvcc = os.Getenv("HEXCC_NVCC"); nvcc == "" {
		nvcc = "nvcc"
	}
	if nvcc, err = exec.LookPath(nvcc); err != nil {
		return "", "", missing("no nvcc on PATH nor in HEXCC_NVCC")
	}
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	out, err := exec.CommandContext(ctx, "nvidia-smi", "--query-gpu=name", "--format=csv,noheader").Output()
	name := firstLine(string(out))
	if err != nil || name == "" {
		return "", "", missing("nvidia-smi names no device")
	}
	return nvcc, name, nil
}

// kernel compiles the kernels of a candidate to a library in dir, and returns what else the compiler of the user's file needs to link with it.
func (t *Tuner) kernel(ctx context.Context, dir string, made text) (flags []string, err error) {
	base := t.Options.Base
	files := map[string]string{"kernel.cu": made.kernel, ctext.HeaderFile(base): made.header}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			return nil, err
		}
	}
	library := filepath.Join(dir, "libkernel.so")
	says, err := crun.Output(ctx, dir, t.NVCC, "-O3", "-std=c++11", "-arch="+machine.DeviceOf(t.Options.Arch).Name, "-Xcompiler", "-fPIC", "-shared", "kernel.cu", "-o", library)
	if err != nil {
		return nil, fmt.Errorf("%w\n%s", err, says)
	}
	if _, err := os.Stat(library); err != nil {
		return nil, errors.New("nvcc made no library: " + strings.TrimSpace(says))
	}
	return []string{"-I", dir, library, "-Wl,-rpath," + dir}, nil
}

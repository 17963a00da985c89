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

// A GPU is the first one of the machine: its name, and its architecture, as sm_90; "": the driver does not say it.
type GPU struct{ Name, Arch string }

// FindGPU returns nvcc and the first GPU. The error is a diagnostic: there is no nvcc, or no device.
func FindGPU() (nvcc string, gpu GPU, err error) {
	missing := func(format string, args ...any) (string, GPU, error) {
		return "", gpu, &diag.Diagnostic{Code: "HX510", Msg: "hexcc tune --target=cuda runs kernels on a GPU: " + fmt.Sprintf(format, args...),
			Help: "--dry-run ranks candidates by the model, and runs nothing; --target=openmp measures on this machine's CPU"}
	}
	if nvcc = os.Getenv("HEXCC_NVCC"); nvcc == "" {
		nvcc = "nvcc"
	}
	if nvcc, err = exec.LookPath(nvcc); err != nil {
		return missing("no nvcc on PATH nor in HEXCC_NVCC")
	}
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	ask := func(what string) string {
		out, err := exec.CommandContext(ctx, "nvidia-smi", "--query-gpu="+what, "--format=csv,noheader").Output()
		if err != nil {
			return ""
		}
		return firstLine(string(out))
	}
	if gpu.Name = ask("name"); gpu.Name == "" {
		return missing("nvidia-smi names no device")
	}
	if major, minor, found := strings.Cut(ask("compute_cap"), "."); found { // older drivers do not know the question
		gpu.Arch = "sm_" + major + minor
	}
	return nvcc, gpu, nil
}

// kernel compiles the kernels of a candidate to a library in dir, and returns what else the compiler of the user's file needs to link with it.
func (t *Tuner) kernel(ctx context.Context, dir string, made text) (flags []string, err error) {
	base := t.Options.Base
	kernels := filepath.Join(dir, "kernels") // where the user's file does not find their header
	if err := os.Mkdir(kernels, 0o777); err != nil {
		return nil, err
	}
	header := ctext.HeaderFile(base)
	files := map[string]string{"kernels/kernel.cu": made.kernel, "kernels/" + header: made.header, header: made.header + t.clocks()}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(name)), []byte(text), 0o666); err != nil {
			return nil, err
		}
	}
	library := filepath.Join(dir, "libkernel.so")
	says, err := crun.Output(ctx, kernels, t.NVCC, "-O3", "-std=c++11", "-arch="+machine.DeviceOf(t.Options.Arch).Name, "-Xcompiler", "-fPIC", "-shared", "kernel.cu", "-o", library)
	if err != nil {
		return nil, fmt.Errorf("%w\n%s", err, says)
	}
	if _, err := os.Stat(library); err != nil {
		return nil, errors.New("nvcc made no library: " + strings.TrimSpace(says))
	}
	return []string{"-I", dir, library, "-Wl,-rpath," + dir}, nil
}

// clocks returns C behind the header of a translation, for the user's file: its call goes to the function that says how long kernels ran, by the clock of the device,
// and that is what counts.
func (t *Tuner) clocks() string {
	f := ctext.Functions{Base: t.Options.Base, Region: t.Scop.Region.Index}
	return strings.NewReplacer("CALL", f.Run(), "TIMED", f.Timed(), "SECONDS", crun.OwnSeconds).Replace(`
static struct hexcc_times hexcc_last;
static double hexcc_kernels;
static int hexcc_count(int status)
{
  hexcc_kernels += 1e-3 * hexcc_last.kernels;
  return status;
}
static double hexcc_take(void)
{
  double seconds = hexcc_kernels;
  hexcc_kernels = 0;
  return seconds;
}
#define CALL(...) hexcc_count(TIMED(__VA_ARGS__, &hexcc_last))
#define SECONDS hexcc_take()
`)
}

package e2e_test

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/cpu"
	"github.com/hexcc/hexcc/crun"
	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/cuda"
	"github.com/hexcc/hexcc/emulate"
	"github.com/hexcc/hexcc/machine"
	"github.com/hexcc/hexcc/opencl"
	"github.com/hexcc/hexcc/opencl/device"
	"github.com/hexcc/hexcc/openmp"
	"github.com/hexcc/hexcc/ptx"
	"github.com/hexcc/hexcc/scop"
)

// A target makes code of a source with several regions, each in a function of its own, and runs it.
type target struct {
	name string
	to   hexcc.Target
	// like is a target whose passes are the same up to the printer, which is all that build needs where
	// the source was translated for it.
	like hexcc.Target
	// build returns what runs all regions of res, which are called base, each on its memory, which it changes.
	// Unless own is set, res is a translation for like.
	build func(dir, base string, res *hexcc.Result, own bool) (run func(mems []*scop.Memory) error, err error)
}

// targets returns all that can be run on this machine; missing says which cannot, and why.
func targets() (all []target, missing []string) {
	all = []target{
		{"emulator", hexcc.CUDA, hexcc.CUDA, emulated},
		{"openmp", hexcc.OpenMP, hexcc.OpenMP, inThreads},
		{"c", hexcc.C, hexcc.OpenMP, inOneThread},
	}
	need := func(t target, err error) {
		if err != nil {
			missing = append(missing, fmt.Sprintf("%s: %v", t.name, err))
			return
		}
		all = append(all, t)
	}
	_, err := exec.LookPath("g++")
	need(target{"cuda", hexcc.CUDA, hexcc.CUDA, shimmed}, err)
	_, err = llvm()
	need(target{"ptx", hexcc.PTX, hexcc.CUDA, interpreted}, err)
	d, err := device.Open("")
	if err == nil {
		d.Close()
	}
	need(target{"opencl", hexcc.OpenCL, hexcc.OpenCL, onDevice}, err) // CUDA copies asynchronously
	return all, missing
}

// each returns what runs one region after the other by f, in each call the next version of its kernels; or
// always the same, one region the first, the next the second.
func each(res *hexcc.Result, same bool, f func(i, version int, r *hexcc.Region, mem *scop.Memory) error) (func([]*scop.Memory) error, error) {
	turn := 0
	return func(mems []*scop.Memory) error {
		for i, mem := range mems {
			r := res.Regions[i]
			version := (i + turn) % len(r.GPU.Versions())
			all, err := withVersions(r.GPU.Scop, mem)
			if err != nil {
				return err
			}
			if err := f(i, version, r, all); err != nil {
				return fmt.Errorf("%s, version %d: %w", mem.Sizes(), version, err)
			}
		}
		if !same {
			turn++
		}
		return nil
	}, nil
}

// withVersions returns mem, of the arrays of the source, as memory of p, which may have second versions of some of them.
func withVersions(p *scop.Program, mem *scop.Memory) (*scop.Memory, error) {
	if len(p.Arrays) == len(mem.Arrays) {
		return mem, nil
	}
	all, err := scop.NewMemory(p, mem.Params, 1)
	if err != nil {
		return nil, err
	}
	all.Scalars = mem.Scalars
	for i, s := range mem.Arrays {
		all.Arrays[i].Cells = s.Cells
	}
	return all, nil
}

// emulated runs kernels in the emulator, which watches for races, accesses out of bounds and
// reads of what was never written.
func emulated(_, _ string, res *hexcc.Result, _ bool) (func([]*scop.Memory) error, error) {
	return each(res, false, func(_, version int, r *hexcc.Region, mem *scop.Memory) error {
		p := *r.GPU
		p.Kernels = p.Versions()[version].Kernels
		report, err := emulate.Run(&p, mem, emulate.Options{Seed: 7})
		if err == nil && !report.OK() {
			err = fmt.Errorf("%v, %d instances missing, %d run twice, %d outside", report.Findings, report.Missing, report.Duplicated, report.Outside)
		}
		return err
	})
}

// inThreads runs C with OpenMP as gcc compiles it.
func inThreads(dir, _ string, res *hexcc.Result, _ bool) (func([]*scop.Memory) error, error) {
	return compiled(dir, programs(res), []byte(res.C.Text), "-fopenmp", "-DHEXCC_GRAIN=0")
}

// inOneThread runs C as gcc compiles it.
func inOneThread(dir, base string, res *hexcc.Result, own bool) (func([]*scop.Memory) error, error) {
	text := res.C.Text
	if !own {
		var parts []openmp.Part
		for i, r := range res.Regions {
			parts = append(parts, openmp.Part{Program: cpu.Make(r.Loops), Names: openmp.Names{Base: base, Region: i, Sequential: true}})
		}
		text = openmp.PrintAll(parts).Text
	}
	return compiled(dir, programs(res), []byte(text))
}

// runtimes returns a folder with what kernels of CUDA include, compiled once for many of them: 60 MB.
var runtimes = sync.OnceValues(func() (string, error) {
	dir, err := lasting("hexcc-runtime-")
	if err != nil {
		return "", err
	}
	head := "#include <atomic>\n#include <chrono>\n#include <stdio.h>\n#include <stdlib.h>\n#include <cuda_runtime.h>\n"
	if err := write(dir, ctext.File{Name: "runtime.h", Text: head}, ctext.File{Name: "cuda_runtime.h", Text: cuda.Shim}); err != nil {
		return "", err
	}
	return dir, plusPlus(dir, "-x", "c++-header", "runtime.h", "-o", "runtime.h.gch") // which clang finds, too
})

// command returns the path of hexcc, built once for all tests that run it.
func command(t *testing.T) string {
	t.Helper()
	path, err := built()
	require.NoError(t, err)
	return path
}

var built = sync.OnceValues(func() (string, error) {
	dir, err := lasting("hexcc-command-")
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "hexcc")
	if out, err := exec.Command("go", "build", "-o", path, "../cmd/hexcc").CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	return path, nil
})

// made are folders that stay until the tests have run.
var made struct {
	sync.Mutex
	dirs []string
}

// lasting makes a folder that stays until the tests have run.
func lasting(pattern string) (string, error) {
	dir, err := os.MkdirTemp("", pattern)
	made.Lock()
	defer made.Unlock()
	made.dirs = append(made.dirs, dir)
	return dir, err
}

func TestMain(m *testing.M) {
	status := m.Run()
	for _, dir := range made.dirs {
		os.RemoveAll(dir)
	}
	os.Exit(status)
}

// plusPlus runs a compiler of C++ in dir, which has cuda_runtime.h: clang, which takes half the time, or g++.
func plusPlus(dir string, args ...string) error {
	cmd := exec.Command(cmp.Or(os.Getenv("HEXCC_CLANG"), "g++"), "-std=c++17", "-O0", "-ffp-contract=off", "-fwrapv", "-U_FORTIFY_SOURCE", "-w", "-I", dir)
	cmd.Args = append(cmd.Args, args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", cmd.Path, err, out)
	}
	return nil
}

// shimmed runs the text of CUDA, host file and kernels, as gcc and g++ compile it for a CPU.
func shimmed(dir, base string, res *hexcc.Result, _ bool) (func([]*scop.Memory) error, error) {
	runtime, err := runtimes()
	if err != nil {
		return nil, err
	}
	if err := write(dir, append(res.Files.Named(base), ctext.File{Name: "cuda_runtime.h", Text: cuda.Shim})...); err != nil {
		return nil, err
	}
	object := filepath.Join(dir, "kernel.o")
	if err := plusPlus(dir, "-include", filepath.Join(runtime, "runtime.h"), "-x", "c++", "-c", "./"+cuda.KernelFile(base), "-o", object); err != nil {
		return nil, err
	}
	return compiled(dir, programs(res), []byte(res.Files.Host), object, "-lstdc++")
}

// compiled runs a text of C with all functions.
func compiled(dir string, regions []*scop.Program, text []byte, flags ...string) (func([]*scop.Memory) error, error) {
	b, err := crun.Compile("gcc", dir, regions, text, append([]string{"-O0", "-I", dir}, flags...)...)
	if err != nil {
		return nil, err
	}
	return func(mems []*scop.Memory) error {
		inputs := make([]crun.Input, len(mems))
		for i, mem := range mems {
			inputs[i].Memory = mem
		}
		results, says, err := b.Run(inputs)
		if err != nil {
			return fmt.Errorf("%w: %s", err, says)
		}
		for i, mem := range results {
			for k, s := range mem.Arrays {
				copy(mems[i].Arrays[k].Cells, s.Cells)
			}
		}
		return nil
	}, nil
}

// arch is what PTX is made for.
const arch = machine.DefaultArch

// llvm finds what makes PTX.
var llvm = sync.OnceValues(func() (ptx.Tools, error) { return ptx.Find("", arch) })

// interpreted runs PTX instruction by instruction.
func interpreted(_, base string, res *hexcc.Result, own bool) (func([]*scop.Memory) error, error) {
	files := res.PTX
	if !own {
		var parts []ptx.Part
		for i, r := range res.Regions {
			parts = append(parts, ptx.Part{Program: r.GPU, Names: ptx.Names{Base: base, Region: i}})
		}
		tools, err := llvm()
		if err != nil {
			return nil, err
		}
		module := ptx.Lower(parts)
		text, err := tools.Compile(module.Text, arch)
		if err != nil {
			return nil, err
		}
		files = ptx.PrintAll(parts, module, text, arch, tools)
	}
	first, err := files.Trial(0, res.Regions[0].GPU)
	if err != nil {
		return nil, err
	}
	return each(res, false, func(i, version int, r *hexcc.Region, mem *scop.Memory) error {
		trial := *first // which reads the text for all regions
		trial.Program, trial.Kernels, trial.Wide = r.GPU, files.Module.Kernels[i], files.Module.Wide[i]
		return trial.RunVersion(version, mem)
	})
}

// onDevice runs OpenCL on a device of this machine.
func onDevice(_, base string, res *hexcc.Result, _ bool) (func([]*scop.Memory) error, error) {
	d, err := device.Open("")
	if err != nil {
		return nil, err
	}
	var parts []opencl.Part
	for i, r := range res.Regions {
		parts = append(parts, opencl.Part{Program: r.GPU, Names: opencl.Names{Base: base, Region: i}})
	}
	built, err := d.BuildAll(parts, d.Usual) // as long as the process runs
	if err != nil {
		return nil, err
	}
	// PoCL compiles each kernel when it first runs: that takes longer than all else.
	return each(res, true, func(i, version int, _ *hexcc.Region, mem *scop.Memory) error { return built[i].Run(version, mem) })
}

// programs returns the regions of res.
func programs(res *hexcc.Result) (all []*scop.Program) {
	for _, r := range res.Regions {
		all = append(all, r.Scop)
	}
	return all
}

func write(dir string, files ...ctext.File) error {
	for _, f := range files {
		path := filepath.Join(dir, f.Name) // which may have folders
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, []byte(f.Text), 0o666)); err != nil {
			return err
		}
	}
	return nil
}

package e2e_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/crun"
	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/cuda"
	"github.com/hexcc/hexcc/emulate"
	"github.com/hexcc/hexcc/opencl"
	"github.com/hexcc/hexcc/opencl/device"
	"github.com/hexcc/hexcc/scop"
)

// A target makes code of a source with several regions, each in a function of its own, and runs it.
type target struct {
	name string
	to   hexcc.Target
	// build returns what runs all regions of res, which are called base, each on its memory, which it changes.
	build func(dir, base string, res *hexcc.Result) (run func(mems []*scop.Memory) error, err error)
}

// targets returns all that can be run on this machine; missing says which cannot, and why.
func targets() (all []target, missing []string) {
	all = []target{{"emulator", hexcc.CUDA, emulated}, {"openmp", hexcc.OpenMP, compiledC("-fopenmp")}, {"c", hexcc.C, compiledC()}}
	need := func(t target, err error) {
		if err != nil {
			missing = append(missing, fmt.Sprintf("%s: %v", t.name, err))
			return
		}
		all = append(all, t)
	}
	_, err := exec.LookPath("g++")
	need(target{"cuda", hexcc.CUDA, shimmed}, err)
	_, err = exec.LookPath("llc-16")
	need(target{"ptx", hexcc.PTX, interpreted}, err)
	d, err := device.Open("")
	if err == nil {
		d.Close()
	}
	need(target{"opencl", hexcc.OpenCL, onDevice}, err)
	return all, missing
}

// each returns what runs one region after the other by f, in each call the next version of its kernels.
func each(res *hexcc.Result, f func(i, version int, r *hexcc.Region, mem *scop.Memory) error) (func([]*scop.Memory) error, error) {
	turn := 0
	return func(mems []*scop.Memory) error {
		for i, mem := range mems {
			r := res.Regions[i]
			version := turn % len(r.GPU.Versions())
			if err := f(i, version, r, mem); err != nil {
				return fmt.Errorf("%s, version %d: %w", mem.Sizes(), version, err)
			}
		}
		turn++
		return nil
	}, nil
}

// emulated runs kernels in the emulator, which watches for races, accesses out of bounds and
// reads of what was never written.
func emulated(_, _ string, res *hexcc.Result) (func([]*scop.Memory) error, error) {
	return each(res, func(_, version int, r *hexcc.Region, mem *scop.Memory) error {
		p := *r.GPU
		p.Kernels = p.Versions()[version].Kernels
		report, err := emulate.Run(&p, mem, emulate.Options{Seed: 7})
		if err == nil && !report.OK() {
			err = fmt.Errorf("%v, %d instances missing, %d run twice, %d outside", report.Findings, report.Missing, report.Duplicated, report.Outside)
		}
		return err
	})
}

// compiledC runs C for CPUs as gcc compiles it.
func compiledC(flags ...string) func(_, _ string, res *hexcc.Result) (func([]*scop.Memory) error, error) {
	return func(dir, _ string, res *hexcc.Result) (func([]*scop.Memory) error, error) {
		return compiled(dir, programs(res), []byte(res.C.Text), flags...)
	}
}

// shimmed runs the text of CUDA, host file and kernels, as gcc and g++ compile it for a CPU.
func shimmed(dir, base string, res *hexcc.Result) (func([]*scop.Memory) error, error) {
	if err := write(dir, append(res.Files.Named(base), ctext.File{Name: "cuda_runtime.h", Text: cuda.Shim})...); err != nil {
		return nil, err
	}
	object := filepath.Join(dir, "kernel.o")
	cmd := exec.Command("g++", "-std=c++17", "-O0", "-ffp-contract=off", "-U_FORTIFY_SOURCE", "-w", "-I", dir, "-x", "c++", "-c",
		"./"+cuda.KernelFile(base), "-o", object)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("g++: %w\n%s", err, out)
	}
	return compiled(dir, programs(res), []byte(res.Files.Host), object, "-lstdc++")
}

// compiled runs a text of C with all functions.
func compiled(dir string, regions []*scop.Program, text []byte, flags ...string) (func([]*scop.Memory) error, error) {
	b, err := crun.Compile("gcc", dir, regions, text, append([]string{"-I", dir}, flags...)...)
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

// interpreted runs PTX instruction by instruction.
func interpreted(_, _ string, res *hexcc.Result) (func([]*scop.Memory) error, error) {
	return each(res, func(i, version int, r *hexcc.Region, mem *scop.Memory) error {
		trial, err := res.PTX.Trial(i, r.GPU)
		if err != nil {
			return err
		}
		return trial.RunVersion(version, mem)
	})
}

// onDevice runs OpenCL on a device of this machine.
func onDevice(_, base string, res *hexcc.Result) (func([]*scop.Memory) error, error) {
	d, err := device.Open("")
	if err != nil {
		return nil, err
	}
	built := make([]*device.Program, len(res.Regions)) // as long as the process runs
	for i, r := range res.Regions {
		if built[i], err = d.Build(opencl.Part{Program: r.GPU, Names: opencl.Names{Base: base, Region: i}}, d.Usual); err != nil {
			return nil, err
		}
	}
	return each(res, func(i, version int, _ *hexcc.Region, mem *scop.Memory) error { return built[i].Run(version, mem) })
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
		if err := os.WriteFile(filepath.Join(dir, f.Name), []byte(f.Text), 0o666); err != nil {
			return err
		}
	}
	return nil
}

package hexcc

import (
	"github.com/hexcc/hexcc/machine"
	"github.com/hexcc/hexcc/ptx"
)

// A Target is what is written, by the name that --target has for it.
type Target string

// The targets.
const (
	CUDA   Target = "cuda"   // CUDA C++ for a GPU, and the C file around it
	OpenCL Target = "opencl" // OpenCL C, the C file around it, and one that runs it
	PTX    Target = "ptx"    // PTX for a GPU, and C that runs it
	OpenMP Target = "openmp" // one C file, tiles in parallel
	C      Target = "c"      // one C file, in one thread
	MPI    Target = "mpi"    // one C file, and a header: tiles in parallel, on several machines

	MPICUDA Target = "mpi+cuda" // CUDA C++, and a header: kernels on the GPUs of several machines
)

func (t Target) isCPU() bool { return t == OpenMP || t == C || t == MPI }
func (t Target) isGPU() bool { return !t.isCPU() }
func (t Target) isPTX() bool { return t == PTX }

func printPTX(f *file) (Product, error) {
	if err := f.includable(); err != nil {
		return nil, err
	}
	library := ""
	for _, u := range f.units {
		if _, _, uses := ptx.Uses(u.Scop); uses {
			var err error
			if library, err = ptx.FindLibrary(u.Scop, f.opts.Libdevice); err != nil {
				return nil, err
			}
		}
	}
	arch := machine.DeviceOf(f.opts.Arch).Name
	tools, err := ptx.Find(f.opts.LLC, arch)
	if err != nil {
		return nil, err
	}
	tools.Library = library
	parts := f.parts()
	module := ptx.Lower(parts)
	for i, u := range f.units {
		for _, k := range module.Kernels[i] {
			if err := u.roomFor(k.Dynamic); err != nil {
				return nil, err
			}
		}
	}
	text, err := tools.Compile(module.Text, arch)
	if err != nil {
		return nil, err
	}
	f.PTX = ptx.PrintAll(parts, module, text, arch, tools)
	return f.PTX, f.checked()
}

// isCUDA says that kernels are printed as CUDA: so they are where no target is named.
func (t Target) isCUDA() bool   { return t.isGPU() && t != OpenCL && t != PTX }
func (t Target) isOpenCL() bool { return t == OpenCL }

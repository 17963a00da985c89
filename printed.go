package hexcc

import (
	"slices"
	"strings"

	"github.com/hexcc/hexcc/cuda"
	"github.com/hexcc/hexcc/internal/parallel"
	"github.com/hexcc/hexcc/kerneltext"
	"github.com/hexcc/hexcc/opencl"
	"github.com/hexcc/hexcc/openmp"
)

// This file prints regions and puts them together. A region can be printed as soon as its passes are done, and
// what made its text forgotten.

// printed is the text of a region, by the printer of the target: one is set, or none yet.
type printed struct {
	cuda   *cuda.Printed
	opencl *opencl.Printed
	c      *openmp.Printed
}

// release prints a region, and drops what the files do not need any more. PTX is made of all regions at once, and the
// program of Options.Check asks for sizes of tiles: they need all of it.
func (f *file) release(u *unit) {
	switch {
	case f.opts.Check || f.opts.Target == PTX || f.opts.Target.isMPI():
		return
	case f.opts.Target == OpenCL:
		p := f.inOpenCL(u)
		u.printed.opencl = &p
	case f.opts.Target.isCPU():
		p := f.inC(u)
		u.printed.c = &p
	default:
		p := f.inCUDA(u)
		u.printed.cuda = &p
	}
	*u.Region = Region{Scop: u.Scop, Strategy: u.Strategy} // by which remarks are left out
	u.weighed, u.tried = nil, nil
}

// part returns a region, to be printed as kernels.
func (f *file) part(u *unit) kerneltext.Part {
	return kerneltext.Part{Program: u.GPU, Names: kerneltext.Names{
		Base: f.base(), Region: u.Scop.Region.Index, About: u.about(),
		Refuse: f.opts.Refuse, WithoutDevice: f.opts.WithoutDevice, Lines: f.opts.Lines, Places: f.opts.Places, Check: f.opts.Check,
	}}
}

func (f *file) inCUDA(u *unit) cuda.Printed {
	if p := u.printed.cuda; p != nil {
		return *p
	}
	return cuda.PrintPart(f.part(u))
}

func (f *file) inOpenCL(u *unit) opencl.Printed {
	if p := u.printed.opencl; p != nil {
		return *p
	}
	return opencl.PrintPart(f.part(u))
}

func (f *file) inC(u *unit) openmp.Printed {
	if p := u.printed.c; p != nil {
		return *p
	}
	names := f.namesInC(u)
	if u.Mapped != nil {
		return f.mappedInC(u, names)
	}
	names.About = u.about()
	return openmp.PrintPart(openmp.Part{Program: u.CPU, Names: names})
}

// namesInC returns what the text of a region is called, and how it runs, but for what is said of it.
func (f *file) namesInC(u *unit) openmp.Names {
	macros := slices.Clone(f.macros)
	for _, d := range f.opts.Defines {
		name, _, _ := strings.Cut(d, "=")
		name, _, _ = strings.Cut(name, "(")
		if !slices.Contains(macros, name) {
			macros = append(macros, name)
		}
	}
	return openmp.Names{
		Base: f.base(), Region: u.Scop.Region.Index, Refuse: f.opts.Refuse,
		Sequential: f.opts.Target == C, Places: f.opts.Places, Macros: macros,
	}
}

func printCUDA(f *file) (Product, error) {
	if f.opts.Target.isMPI() {
		return f.printMPICUDA()
	}
	if err := f.includable(); err != nil {
		return nil, err
	}
	printed := parallel.Map(f.units, f.inCUDA)
	for i, u := range f.units {
		if err := u.roomFor(printed[i].SharedBytes()); err != nil {
			return nil, err
		}
	}
	f.Files = cuda.Join(printed)
	return f.Files, f.checked()
}

func printOpenCL(f *file) (Product, error) {
	if err := f.includable(); err != nil {
		return nil, err
	}
	printed := parallel.Map(f.units, f.inOpenCL)
	for i, u := range f.units {
		if err := u.roomFor(printed[i].LocalBytes()); err != nil {
			return nil, err
		}
	}
	f.OpenCL = opencl.Join(printed)
	return f.OpenCL, f.checked()
}

func printC(f *file) (Product, error) {
	if f.opts.Target == MPI {
		return f.printMPI()
	}
	f.C = openmp.Join(parallel.Map(f.units, f.inC))
	return f.C, f.checked()
}

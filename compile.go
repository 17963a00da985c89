// Package hexcc translates C stencils to CUDA that is tiled in time by hybrid
// hexagonal/classical tiling. Compile is the whole compiler; passes lists it.
package hexcc

import (
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"time"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/poly"
)

// passes is the whole compiler, in order. Each pass reads what earlier passes
// put in the unit and adds one product of its own.
var passes = []pass{
	{name: "scop", whole: parse},                                            // C text              -> domains, accesses, source order of each region
	{name: "deps", run: depend},                                             // scop                -> flow, anti and output dependences
	{name: "space", run: canonicalize},                                      // scop, deps          -> the space in which dependences have distances
	{name: "cone", run: bound},                                              // space, deps         -> slopes of the dependence cone
	{name: "tile", run: size},                                               // cone, options       -> tile sizes
	{name: "schedule", run: arrange, sized: true},                           // space, cone, sizes  -> one relation, each dimension with a role
	{name: "proof", run: prove, sized: true},                                // schedule, deps      -> proofs of partition and legality
	{name: "ast", run: generate, sized: true},                               // schedule            -> loops: full tiles apart from partial ones
	{name: "gpu", run: mapGPU, target: Target.isGPU, sized: true},           // ast                 -> launches, threads, shared buffers, copies, barriers
	{name: "emission", run: proveLoops, target: Target.isCPU, sized: true},  // schedule, ast         -> proof that the loops are the schedule
	{name: "kernels", run: proveKernels, target: Target.isGPU, sized: true}, // schedule, ast, gpu    -> the same of kernels, and that full tiles compute what the program does
	{name: "cuda", whole: printCUDA, target: Target.isCUDA},                 // gpu of all regions  -> CUDA C++ and the user's file around it
	{name: "opencl", whole: printOpenCL, target: Target.isOpenCL},           // gpu of all regions -> OpenCL C, a host in C and the user's file around it
	{name: "ptx", whole: printPTX, target: Target.isPTX},                    // gpu of all regions -> LLVM IR, PTX, and C around it
	{name: "openmp", whole: printC, target: Target.isCPU},                   // ast of all regions  -> C, with OpenMP or without
}

// A pass runs on each region, or once on the whole file: one of run and whole is set.
type pass struct {
	name  string
	run   func(*unit) (Product, error)
	whole func(*file) (Product, error)
	// target says for which targets it runs; nil: for all.
	target func(Target) bool
	// sized: what it makes follows from the tile sizes. Where it gives up, it may not with others.
	sized bool
}

// A Product is what a pass made.
type Product interface {
	String() string // in its own notation; golden files hold this text
	Verify() error  // a broken invariant, or nil
}

// A PassTime is what a pass took, over all regions, the check of its product included.
type PassTime struct {
	Pass string
	Took time.Duration
}

// Compile translates the regions of a C file. Equal arguments give equal results.
// The error is a diag.List: what is wrong in any of the regions. Then the Result
// holds what was made so far.
func Compile(src Source, o Options) (*Result, error) {
	f := newFile(src, o)
	err := f.compile()
	return &f.Result, err
}

func newFile(src Source, o Options) *file {
	return &file{src: src, opts: o, Result: Result{Region: &Region{}}}
}

// compile runs all passes.
func (f *file) compile() error {
	for _, p := range passes {
		if p.target != nil && !p.target(f.opts.Target) {
			continue
		}
		start := time.Now()
		if err := f.pass(p); err != nil {
			return err
		}
		f.Times = append(f.Times, PassTime{p.name, time.Since(start)})
		if p.name == f.opts.Stop {
			break
		}
	}
	return f.failed()
}

// pass runs p on the file or on each of its regions that nothing was wrong with.
// The error ends the compilation.
func (f *file) pass(p pass) error {
	if p.whole != nil {
		if err := f.failed(); err != nil {
			return err
		}
		var r run
		err := f.runPass(&r, p.name, -1, func() (Product, error) { return p.whole(f) })
		f.show(r)
		return err
	}
	runs := f.each(p)
	for i, u := range f.units {
		if u.failed {
			continue
		}
		f.show(runs[i])
		err := runs[i].err
		f.Warnings, u.remarks = append(f.Warnings, u.remarks...), nil
		var list diag.List
		if err != nil && !errors.As(err, &list) {
			return err
		}
		f.errs = append(f.errs, list...)
		u.failed = list != nil
	}
	if len(f.units) == 0 {
		return f.failed()
	}
	return nil
}

// A run is what came of a pass on a region, or on the file.
type run struct {
	made []product // of this pass, and of those that it ran again
	err  error
	bug  any // what it panicked with
}

// A product is what a pass of that name made.
type product struct {
	pass string
	Product
}

// each runs p on the regions that nothing was wrong with, as many at once as there are processors,
// and returns what came of it. What becomes of a region depends on no other.
func (f *file) each(p pass) []run {
	runs := make([]run, len(f.units))
	free := make(chan struct{}, runtime.GOMAXPROCS(0))
	var wait sync.WaitGroup
	for i, u := range f.units {
		if u.failed {
			continue
		}
		free <- struct{}{}
		wait.Go(func() {
			defer func() {
				if r := recover(); r != nil {
					runs[i].bug = fmt.Sprintf("%v\n\n%s", r, debug.Stack())
				}
				<-free
			}()
			runs[i].err = f.runOn(&runs[i], i, p)
			for p.sized && u.another(runs[i].err) {
				runs[i].err = f.again(&runs[i], i, p)
			}
		})
	}
	wait.Wait()
	return runs
}

// show shows what was made to the caller. A bug panics again: here, where the caller can recover.
func (f *file) show(r run) {
	for _, made := range r.made {
		if f.opts.Dump != nil {
			f.opts.Dump(made.pass, made.Product)
		}
	}
	if r.bug != nil {
		panic(r.bug)
	}
}

// again runs the passes that follow from the tile sizes, to last, on a region whose sizes have changed.
func (f *file) again(r *run, region int, last pass) (err error) {
	for _, p := range passes {
		if !p.sized || p.target != nil && !p.target(f.opts.Target) {
			continue
		}
		if err = f.runOn(r, region, p); err != nil || p.name == last.name {
			break
		}
	}
	return err
}

// runOn runs one pass on one region.
func (f *file) runOn(r *run, region int, p pass) error {
	u := f.units[region]
	return f.runPass(r, p.name, region, func() (Product, error) {
		if f.opts.hard != nil && f.opts.hard(p.name, u.Strategy, u.Sizes) {
			panic(&poly.LimitError{Op: p.name, What: "steps of a test", Bound: 0})
		}
		return p.run(u)
	})
}

// failed returns what is wrong so far, nil if nothing is.
func (f *file) failed() error {
	if len(f.errs) == 0 {
		return nil
	}
	return diag.Sorted(f.errs)
}

// runPass runs one pass, verifies its product and adds it to r. A product that
// breaks its own invariants is a bug of ours.
func (f *file) runPass(r *run, name string, region int, do func() (Product, error)) (err error) {
	if f.opts.Began != nil {
		f.opts.Began(name, region, len(f.units))
	}
	var made Product
	err = limited(name, func() error {
		made, err = do()
		return err
	})
	if err != nil {
		return err
	}
	if err := made.Verify(); err != nil {
		panic(fmt.Sprintf("hexcc: after %s: %v\n%s", name, err, made))
	}
	r.made = append(r.made, product{name, made})
	return nil
}

// PassNames returns the names of the passes for CUDA, in order.
func PassNames() (names []string) {
	for _, p := range passes {
		if p.target == nil || p.target(CUDA) {
			names = append(names, p.name)
		}
	}
	return names
}

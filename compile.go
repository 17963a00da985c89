// Package hexcc translates C stencils to CUDA that is tiled in time by hybrid
// hexagonal/classical tiling. Compile is the whole compiler; passes lists it.
package hexcc

import (
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"time"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/internal/parallel"
	"github.com/hexcc/hexcc/poly"
)

// passes is the whole compiler, in order. Each pass reads what earlier passes
// put in the unit and adds one product of its own.
var passes = []pass{
	{name: "scop", whole: parse},                                                         // C text              -> domains, accesses, source order of each region
	{name: "deps", run: depend},                                                          // scop                -> flow, anti and output dependences
	{name: "space", run: canonicalize, tiles: true},                                      // scop, deps          -> the space in which dependences have distances
	{name: "cone", run: bound, tiles: true},                                              // space, deps         -> slopes of the dependence cone
	{name: "tile", run: size, tiles: true},                                               // cone, options       -> tile sizes
	{name: "schedule", run: arrange, tiles: true, sized: true},                           // space, cone, sizes  -> one relation, each dimension with a role
	{name: "proof", run: prove, tiles: true, sized: true},                                // schedule, deps      -> proofs of partition and legality
	{name: "ast", run: generate, tiles: true, sized: true},                               // schedule            -> loops: full tiles apart from partial ones
	{name: "gpu", run: mapGPU, tiles: true, target: Target.isGPU, sized: true},           // ast                 -> launches, threads, shared buffers, copies, barriers
	{name: "cpu", run: mapCPU, tiles: true, target: Target.isCPU, sized: true},           // ast                 -> threads, rows in vectors, what is fetched ahead
	{name: "emission", run: proveLoops, tiles: true, target: Target.isCPU, sized: true},  // schedule, cpu         -> proof that the loops are the schedule
	{name: "ranks", run: share, tiles: true, target: Target.isMPI, sized: true},          // schedule              -> who has which tiles and rows, what is sent
	{name: "kernels", run: proveKernels, tiles: true, target: Target.isGPU, sized: true}, // schedule, ast, gpu    -> the same of kernels, and that full tiles compute what the program does
	{name: "map", run: readMap, mapped: true},                                            // deps, a schedule file -> the user's own schedule, and proofs of partition and legality
	{name: "loops", run: loopsOfMap, mapped: true},                                       // map                 -> loops, and the proof that they are the schedule
	{name: "cuda", whole: printCUDA, target: Target.isCUDA},                              // gpu of all regions  -> CUDA C++ and the user's file around it
	{name: "opencl", whole: printOpenCL, target: Target.isOpenCL},                        // gpu of all regions -> OpenCL C, a host in C and the user's file around it
	{name: "ptx", whole: printPTX, target: Target.isPTX},                                 // gpu of all regions -> LLVM IR, PTX, and C around it
	{name: "openmp", whole: printC, target: Target.isCPU},                                // cpu of all regions  -> C, with OpenMP or without
}

// A pass runs on each region, or once on the whole file: one of run and whole is set.
type pass struct {
	name  string
	run   func(*unit) (Product, error)
	whole func(*file) (Product, error)
	// target says for which targets it runs; nil: for all.
	target func(Target) bool
	// tiles: it is about tiles that hexcc makes; mapped: about a schedule that the user has written. Others are for both.
	tiles, mapped bool
	// sized: what it makes follows from the tile sizes. Where it gives up, it may not with others.
	sized bool
}

// A Product is what a pass made.
type Product interface {
	String() string // in its own notation; golden files hold this text
	Verify() error  // a broken invariant, or nil
}

// A PassTime is what a pass took, the check of its product included; on several regions, which may run at once, the sum.
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
	if why := f.whyNotTiled(err); why != nil {
		o.stepwise = true
		if steps := newFile(src, o); steps.compile() == nil {
			steps.Warnings = append(steps.Warnings, why)
			f, err = steps, nil
		}
	}
	return &f.Result, err
}

func newFile(src Source, o Options) *file {
	return &file{src: src, opts: o, Result: Result{Region: &Region{}}}
}

// compile runs all passes: those on the file before its regions, those on regions, and those on the file again.
func (f *file) compile() error {
	todo := f.passes()
	for _, p := range todo {
		if p.run != nil {
			f.eachRegion++
		}
	}
	for len(todo) > 0 && todo[0].whole != nil {
		if err := f.onFile(todo[0]); err != nil {
			return err
		}
		todo = todo[1:]
	}
	n := 0
	for n < len(todo) && todo[n].run != nil {
		n++
	}
	if err := f.onRegions(todo[:n], todo[n:]); err != nil {
		return err
	}
	for _, p := range todo[n:] {
		if err := f.onFile(p); err != nil {
			return err
		}
	}
	return f.failed()
}

// passes returns those to run, in order.
func (f *file) passes() (todo []pass) {
	own := f.opts.mapped()
	for _, p := range passes {
		if p.target != nil && !p.target(f.opts.Target) || p.tiles && own || p.mapped && !own {
			continue
		}
		if todo = append(todo, p); p.name == f.opts.Stop {
			break
		}
	}
	return todo
}

// onFile runs a pass on the file. The error ends the compilation.
func (f *file) onFile(p pass) error {
	if err := f.failed(); err != nil {
		return err
	}
	var r run
	start := time.Now()
	err := f.runPass(&r, p.name, -1, func() (Product, error) { return p.whole(f) })
	f.show(r)
	if err == nil {
		f.Times = append(f.Times, PassTime{p.name, time.Since(start)})
	}
	return err
}

// onRegions runs passes on each region, and tells what came of them pass by pass, as if each had run on all
// regions before the next. The passes after them tell whether the region is to be printed. The error ends the compilation.
func (f *file) onRegions(todo, after []pass) error {
	if len(f.units) == 0 && len(todo) > 0 {
		return f.failed()
	}
	runs := f.each(todo, after)
	for k, p := range todo {
		took := time.Duration(0)
		for i, u := range f.units {
			if u.failed {
				continue
			}
			r := runs[i][k]
			f.show(r)
			f.Warnings = append(f.Warnings, f.origin.Moved(r.remarks)...)
			var list diag.List
			if r.err != nil && !errors.As(r.err, &list) {
				return r.err
			}
			f.errs = append(f.errs, f.origin.Moved(list)...)
			u.failed = list != nil
			took += r.took
		}
		f.Times = append(f.Times, PassTime{p.name, took})
	}
	for i, u := range f.units {
		if u.sweeps || u.Strategy == Overlapped {
			f.Warnings = slices.DeleteFunc(f.Warnings, func(d *diag.Diagnostic) bool { return d.Code == "HX118" && d.At.Line == u.Scop.Region.StartLine })
		}
		if u.failed || len(runs[i]) == len(todo) {
			continue
		}
		r := runs[i][len(todo)]
		if f.show(r); r.err != nil {
			return r.err
		}
	}
	return nil
}

// A run is what came of a pass on a region, or on the file.
type run struct {
	made    []product // of this pass, and of those that it ran again
	remarks diag.List
	err     error
	bug     any // what it panicked with
	took    time.Duration
}

// A product is what a pass of that name made.
type product struct {
	pass string
	Product
}

// each runs passes on the regions, as many regions at once as there are processors, and returns for each what came of
// its passes, up to the one that failed, and of its release. What becomes of a region depends on no other. One
// ends before the next begins, so that of what is not kept there is never more than that of a few.
func (f *file) each(todo, after []pass) [][]run {
	runs := make([][]run, len(f.units))
	parallel.For(len(f.units), func(i int) {
		u := f.units[i]
		if u.stored != nil {
			runs[i] = u.restored(f, len(todo))
			return
		}
		for _, p := range todo {
			r := u.watch(func(r *run) error { return f.onRegion(r, i, p) })
			if runs[i] = append(runs[i], r); r.err != nil || r.bug != nil {
				return
			}
		}
		if len(after) > 0 && f.opts.FilesOnly {
			runs[i] = append(runs[i], u.watch(func(*run) error {
				return limited(after[0].name, func() error { f.release(u); return nil })
			}))
			if last := runs[i][len(todo)]; last.err == nil && last.bug == nil {
				u.store(runs[i][:len(todo)])
			}
		}
	})
	return runs
}

// watch returns what comes of work on a region.
func (u *unit) watch(work func(*run) error) (r run) {
	start := time.Now()
	defer func() {
		if bug := recover(); bug != nil {
			r.bug = fmt.Sprintf("%v\n\n%s", bug, debug.Stack())
		}
		r.took, r.remarks, u.remarks = time.Since(start), u.remarks, nil
	}()
	r.err = work(&r)
	return r
}

// show shows what was made to the caller. A bug panics again: here, where the caller can recover.
func (f *file) show(r run) {
	for _, made := range r.made {
		f.opts.Dump(made.pass, made.Product)
	}
	if r.bug != nil {
		panic(r.bug)
	}
}

// onRegion runs one pass on one region, with other tile sizes where those chosen are too hard.
func (f *file) onRegion(r *run, region int, p pass) error {
	err := f.runOn(r, region, p)
	for p.sized && f.units[region].another(err) {
		err = f.again(r, region, p)
	}
	return err
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
	if f.opts.Dump != nil {
		r.made = append(r.made, product{name, made})
	}
	return nil
}

// PassNames returns the names of the passes for CUDA, in order.
func PassNames() (names []string) {
	for _, p := range passes {
		if !p.mapped && (p.target == nil || p.target(CUDA)) {
			names = append(names, p.name)
		}
	}
	return names
}

// Package frontend reads C. It turns each region between #pragma scop and
// #pragma endscop into a scop.Program, or says what is wrong with it, where,
// and what to do. It needs no compiler on the machine: the C front end and
// small system headers are built in.
package frontend

import (
	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/scop"
)

// A Result is what a file holds.
type Result struct {
	Programs []*scop.Program // one for each region that was to be read, in source order; nil where it is wrong
	Clauses  [][]Clause      // what #pragma hexcc says of each of the Programs
	Headers  []string        // files read by #include, in order, none of them built in
	Warnings diag.List
}

// Parse reads src. Its error is a diag.List with everything that is wrong; where
// some of the regions are sound even so, the Result holds them.
// Equal arguments and equal headers give equal results.
func Parse(src Source, o Options) (*Result, error) {
	file := newFile(src)
	unit, errs := translate(file, o)
	if len(errs) > 0 {
		return nil, diag.Sorted(errs)
	}
	regions, errs := findRegions(file, unit)
	for i := range regions {
		regions[i].Index = i
	}
	errs = append(errs, unit.remarks(file)...)
	regions, wrong := choose(file, regions, o.Region)
	errs = append(errs, wrong...)
	res := &Result{Headers: unit.headers}
	var frames []frame
	for _, r := range regions {
		m := build(file, unit, r, o)
		errs = append(errs, m.errs...)
		res.Programs = append(res.Programs, m.p)
		res.Clauses = append(res.Clauses, r.clauses)
		frames = append(frames, m.frame())
	}
	if len(regions) > 0 {
		errs = append(errs, checkFacts(o, frames)...)
	}
	if errs.HasErrors() {
		return res, diag.Sorted(errs)
	}
	res.Warnings = diag.Sorted(errs)
	return res, nil
}

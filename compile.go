// Package hexcc translates C stencils to CUDA that is tiled in time by hybrid
// hexagonal/classical tiling. Compile is the whole compiler; passes lists it.
package hexcc

import (
	"fmt"
	"time"
)

// passes is the whole compiler, in order. Each pass reads what earlier passes
// put in the unit and adds one product of its own.
var passes = []pass{
	{"scop", parse},         // C text              -> domains, accesses, source order
	{"deps", depend},        // scop                -> flow, anti and output dependences
	{"space", canonicalize}, // scop, deps          -> the space in which dependences have distances
	{"cone", bound},         // space, deps         -> slopes of the dependence cone
	{"tile", size},          // cone, options       -> tile sizes
	{"schedule", arrange},   // space, cone, sizes  -> one relation, each dimension with a role
	{"proof", prove},        // schedule, deps      -> proofs of partition and legality
	{"ast", generate},       // schedule            -> loops: full tiles apart from partial ones
	{"gpu", mapGPU},         // ast                 -> launches, threads, shared buffers, copies, barriers
	{"cuda", printCUDA},     // gpu                 -> CUDA C++ and the user's file around it
}

type pass struct {
	name string
	run  func(*unit) (Product, error)
}

// A Product is what a pass made.
type Product interface {
	String() string // in its own notation; golden files hold this text
	Verify() error  // a broken invariant, or nil
}

// A PassTime is what a pass took, the check of its product included.
type PassTime struct {
	Pass string
	Took time.Duration
}

// Compile translates a C stencil. Equal arguments give equal results. An error
// is a diag.List, or a *poly.LimitError where an exact set operation passed its bound.
func Compile(src Source, o Options) (*Result, error) {
	u := &unit{src: src, opts: o}
	for _, p := range passes {
		start := time.Now()
		made, err := runPass(p, u)
		if err != nil {
			return &u.Result, err
		}
		u.Times = append(u.Times, PassTime{p.name, time.Since(start)})
		if o.Dump != nil {
			o.Dump(p.name, made)
		}
		if p.name == o.Stop {
			break
		}
	}
	return &u.Result, nil
}

// runPass runs p and verifies its product. A product that breaks its own
// invariants is a bug of ours.
func runPass(p pass, u *unit) (made Product, err error) {
	err = limited(p.name, func() error {
		made, err = p.run(u)
		return err
	})
	if err != nil {
		return nil, err
	}
	if err := made.Verify(); err != nil {
		panic(fmt.Sprintf("hexcc: after %s: %v\n%s", p.name, err, made))
	}
	return made, nil
}

// PassNames returns the names of the passes, in order.
func PassNames() []string {
	names := make([]string, len(passes))
	for i, p := range passes {
		names[i] = p.name
	}
	return names
}

package emulate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/scop"
)

// This file chooses parameter values that exercise a tiling: no time step, one,
// a time tile and not quite a multiple of it; a space smaller than a tile, one
// that just holds a few, one that no tile size divides.

const (
	accessLimit  = 1 << 24 // accesses of array elements at a size of our choice
	elementLimit = 1 << 23 // elements of all arrays of a program for CPUs, of each of which a run keeps some 300 bytes
	baseLimit    = 128     // where to stop looking for the least useful value of a parameter
	roomy        = 200     // a value at which a parameter does not bind
)

// A choice is values for all parameters.
type choice struct {
	params  []int64
	given   bool // by the caller, all of them
	version int  // of the program
}

// largest returns the number of the choice with the largest values, multiplied.
func largest(all []choice) (at int) {
	most := 0.0
	for i, c := range all {
		product := 1.0
		for _, v := range c.params {
			product *= 1 + max(0, float64(v))
		}
		if product > most {
			at, most = i, product
		}
	}
	return at
}

// trials returns the sizes to run, no two alike, and those for which the kernels
// do not run, with the reason.
func (r *Request) trials() (all []choice, outside []string, err error) {
	p := r.scop()
	sizes := r.Sizes
	if len(sizes) == 0 {
		sizes = []Size{nil}
	}
	for _, s := range sizes {
		for name := range s {
			if !slices.ContainsFunc(p.Params, func(v scop.Param) bool { return v.Name == name }) {
				return nil, nil, fmt.Errorf("no parameter %q: the region has %s", name, strings.Join(paramNames(p), ", "))
			}
		}
		if !slices.ContainsFunc(p.Params, func(v scop.Param) bool { _, given := s[v.Name]; return !given && v.Of == nil }) {
			c := choice{given: len(p.Params) > 0}
			for _, v := range p.Params {
				c.params = append(c.params, s[v.Name])
			}
			p.Settle(c.params)
			if text := violated(p, c.params); text != "" {
				outside = append(outside, fmt.Sprintf("%s  the kernels do not run: it does not hold that %s", named(p, c.params), text))
				continue
			}
			if !admissible(p, c.params) {
				return nil, nil, fmt.Errorf("%s is not allowed: %v", named(p, c.params), p.Context)
			}
			all = append(all, c)
			continue
		}
		for _, params := range r.complete(s) {
			all = append(all, choice{params: params})
		}
	}
	return distinct(all), outside, nil
}

// violated returns the first fact of p that the values do not satisfy, or "".
func violated(p *scop.Program, params []int64) string {
	for _, f := range p.Facts {
		if !f.Holds(params) {
			return f.Text
		}
	}
	return ""
}

// named lists the values of the parameters: n=4, T=2.
func named(p *scop.Program, params []int64) string {
	return (&scop.Memory{Program: p, Params: params}).Sizes()
}

func paramNames(p *scop.Program) (list []string) {
	for _, v := range p.Params {
		list = append(list, v.Name)
	}
	return list
}

func distinct(all []choice) (out []choice) {
	for _, c := range all {
		if !slices.ContainsFunc(out, func(o choice) bool { return slices.Equal(o.params, c.params) }) {
			out = append(out, c)
		}
	}
	return out
}

// admissible reports whether the values satisfy what is known of the parameters,
// and no array has a negative extent.
func admissible(p *scop.Program, params []int64) bool {
	named := map[string]int64{}
	for i, v := range p.Params {
		named[v.Name] = params[i]
	}
	if len(p.Context.Basics()) > 0 && !p.Context.Contains(named) {
		return false
	}
	for _, a := range p.Arrays {
		for _, e := range a.Extents {
			if e.At(nil, params) < 0 {
				return false
			}
		}
	}
	return true
}

// A recipe gives the numbers of time steps and of points along a dimension,
// for a time tile of h steps and tiles u wide.
type recipe func(h, u int64) (steps, points int64)

// recipes in the order of their worth. Parameters of one kind get different
// values: i counts them.
func recipes(i int64) []recipe {
	return []recipe{
		func(h, u int64) (int64, int64) { return 2*h + 1, 2*u + 3 + 5*i }, // several full tiles
		func(h, u int64) (int64, int64) { return 1, u + 1 + i },
		func(h, u int64) (int64, int64) { return 0, 5 + i },
		func(h, u int64) (int64, int64) { return h + 2, 1 + 2*i },
		func(h, u int64) (int64, int64) { return max(1, h-1), prime(u + 2 + 4*i) },
		func(h, u int64) (int64, int64) { return h, u * (1 + i%2) }, // a tile exactly
		func(h, u int64) (int64, int64) { return 3*h + 2, 7 - min(i, 4) },
		func(h, u int64) (int64, int64) { return 2, prime(3*u/2 + i) },
	}
}

// prime returns the least prime that is at least n.
func prime(n int64) int64 {
	for n = max(n, 2); ; n++ {
		d := int64(2)
		for d*d <= n && n%d != 0 {
			d++
		}
		if d*d > n {
			return n
		}
	}
}

// complete returns values for all parameters that agree with s, in several ways.
// The first of them exercise full tiles and may be somewhat over the limit.
func (r *Request) complete(s Size) (all [][]int64) {
	p := r.scop()
	roles := r.roles()
	limit := r.points()
	base := make([]int64, len(p.Params))
	for i := range base {
		base[i] = least(p, i)
	}
	for n := range recipes(0) {
		params := make([]int64, len(p.Params))
		for i, v := range p.Params {
			steps, points := recipes(int64(i))[n](roles[i].height, roles[i].unit)
			switch params[i] = base[i] - 1 + points; {
			case roles[i].start:
				params[i] = base[i] + int64(n%2)
			case roles[i].time:
				params[i] = base[i] - 1 + steps
			}
			if given, ok := s[v.Name]; ok {
				params[i] = given
			}
		}
		if n == 0 {
			if full := r.fullTurn(base, roles, s); full != nil {
				all = append(all, full)
				continue
			}
		}
		p.Settle(params)
		r.shrink(params, base, roles, s, limit, role.enough)
		most := limit
		if n == 0 {
			most = 8 * limit
		}
		r.shrink(params, base, roles, s, most, role.one)
		if admissible(p, params) {
			all = append(all, params)
			continue
		}
		for _, backwards := range []bool{false, true} {
			if mended, ok := mend(p, params, s, backwards); ok && instances(p, mended) <= most {
				all = append(all, mended)
			}
		}
	}
	return all
}

// Roomy returns values of the parameters that let several full tiles run, if
// r.Points is enough for that; nil if it finds none that the program allows.
func (r *Request) Roomy() []int64 {
	all := r.complete(nil)
	if len(all) == 0 {
		return nil
	}
	return all[0]
}

// Several returns values of the parameters that exercise full and partial tiles,
// steps and points that no tile size divides, and none at all.
func (r *Request) Several() (all [][]int64) {
	for _, params := range r.complete(nil) {
		if !slices.ContainsFunc(all, func(have []int64) bool { return slices.Equal(have, params) }) {
			all = append(all, params)
		}
	}
	return all
}

// mend returns values that the program allows near to those wanted, where
// conditions between parameters forbid these: what the caller gave stays, and
// one parameter after the other, the last first if backwards, takes the value
// nearest to its own that leaves some to the rest.
func mend(p *scop.Program, wanted []int64, given Size, backwards bool) (params []int64, ok bool) {
	left, params := p.Context, slices.Clone(wanted)
	for name, v := range given {
		left = left.FixParam(name, v)
	}
	order := make([]int, len(params))
	for i := range order {
		order[i] = i
	}
	if backwards {
		slices.Reverse(order)
	}
	for _, i := range order {
		name := p.Params[i].Name
		if _, fixed := given[name]; fixed {
			continue
		}
		fits := func(v int64) bool { return v >= 0 && !left.FixParam(name, v).IsEmpty() }
		for d := int64(0); d < roomy; d++ {
			if params[i] = wanted[i] + d; fits(params[i]) {
				break
			}
			if params[i] = wanted[i] - d; fits(params[i]) {
				break
			}
		}
		left = left.FixParam(name, params[i])
	}
	return params, admissible(p, params)
}

// points returns the most instances to run at a size of our choice.
func (r *Request) points() int64 {
	if r.Points > 0 {
		return r.Points
	}
	accesses := 1
	for _, s := range r.scop().Stmts {
		accesses = max(accesses, len(s.Accesses))
	}
	return accessLimit / int64(accesses)
}

// shrink makes the free parameters smaller, while there are more than limit
// instances, or arrays are too large, but none smaller than it needs to be for floor steps or points.
func (r *Request) shrink(params, base []int64, roles []role, s Size, limit int64, floor func(role) int64) {
	for again := true; again && (instances(r.scop(), params) > limit || r.CPU != nil && held(r.scop(), params) > elementLimit); {
		again = false
		for i, v := range r.scop().Params {
			if roles[i].start || v.Of != nil { // there is less to do, not more, where it is larger; or it follows
				continue
			}
			least := base[i] - 1 + floor(roles[i])
			if _, given := s[v.Name]; !given && params[i] > least {
				params[i] = max(least, params[i]-max(1, (params[i]-base[i])/8))
				r.scop().Settle(params)
				again = true
			}
		}
	}
}

// instances returns the number of statement instances.
func instances(p *scop.Program, params []int64) (n int64) {
	for _, s := range p.Stmts {
		n += scop.NewNest(s, params).Count()
	}
	return n
}

// held returns the number of elements of all arrays.
func held(p *scop.Program, params []int64) (n float64) {
	for _, a := range p.Arrays {
		all := 1.0
		for _, e := range a.Extents {
			all *= float64(max(0, e.At(nil, params)))
		}
		n += all
	}
	return n
}

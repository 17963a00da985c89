package ctext

import (
	_ "embed" // the text of packing
	"fmt"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/scop"
)

// This file prints what the host does with rows that are vectors, as in std::vector<std::vector<double>>: where they do not lie at one distance, they are copied to a
// block before the region runs, and back behind it. Vectors own what they have, so that none lies in another.

// packing is C++: what copies.
//
//go:embed text/packed.h
var packing string

// A packed is a table of rows that are copied.
type packed struct {
	rows   scop.RowPointers
	array  *scop.Array
	object scop.Plane
}

func (x packed) variable() string { return "hexcc_packed_" + x.object.Name }
func (x packed) table() string    { return x.object.Variable() }
func (x packed) sized() bool      { return slices.Contains(x.rows.Sized, x.table()) }

// extentsOf is the variable with the extents of the blocks of tables.
func extentsOf(r scop.RowPointers) string { return "hexcc_extents_" + r.Distances[0] }

// packs returns the tables of p that are copied where rows do not lie at one distance; none, if that is not known to be enough.
func packs(p *scop.Program) (all []packed) {
	if !p.Cxx {
		return nil
	}
	for _, r := range p.Rows {
		for _, d := range r.Distances {
			if len(leasts(p, d)) == 0 {
				return nil
			}
		}
		for _, a := range p.Arrays {
			for _, o := range a.Objects() {
				if slices.Contains(r.Tables, o.Variable()) {
					all = append(all, packed{r, a, o})
				}
			}
		}
	}
	return all
}

// leasts returns what facts say that a distance of rows is at least, in C.
func leasts(p *scop.Program, distance string) (all []string) {
	for _, least := range leastRows(p, distance) {
		all = append(all, longSum(p, least))
	}
	return all
}

// leastRows returns what facts say that a distance of rows is at least: no access to a row reaches as far as the greatest of them.
func leastRows(p *scop.Program, distance string) (all []scop.Affine) {
	at := slices.IndexFunc(p.Params, func(q scop.Param) bool { return q.Source() == distance })
	for _, f := range p.Facts {
		if at < 0 || f.Range || len(f.Factors) > 0 || at >= len(f.Row.Params) || f.Row.Params[at] != 1 || usesDistances(p, f.Row, at) {
			continue
		}
		least := scop.Affine{Const: -f.Row.Const, Params: make([]int64, len(p.Params))}
		for i, c := range f.Row.Params {
			if i != at {
				least.Params[i] = -c
			}
		}
		all = append(all, least)
	}
	return all
}

// usesDistances reports whether a has a distance of rows other than parameter at.
func usesDistances(p *scop.Program, a scop.Affine, at int) bool {
	for i, c := range a.Params {
		for _, r := range p.Rows {
			if i != at && c != 0 && slices.Contains(r.Distances, p.Params[i].Source()) {
				return true
			}
		}
	}
	return false
}

// pack prints the copies to blocks, and the distances in those.
func (c Call) pack(out *Printer) {
	p, all := c.Scop, packs(c.Scop)
	if len(all) == 0 {
		return
	}
	var uneven, conds, none []string
	for i, x := range all {
		out.Line("void *%s = 0;", x.variable())
		for _, y := range all[i+1:] {
			conds = append(conds, fmt.Sprintf("(const void *)&%s != (const void *)&%s", x.table(), y.table()))
		}
		conds = append(conds, c.others(x, all)...)
		if x.sized() {
			conds = append(conds, fmt.Sprintf("hexcc_alike(%s, %s)", x.table(), extentsOf(x.rows)))
		}
		none = append(none, "!"+x.variable())
	}
	for _, r := range p.Rows {
		uneven = append(uneven, r.Distances[0]+" == 0")
		out.Line("long %s[] = {%s%s};", extentsOf(r), longSum(p, r.Counts[0]), strings.Repeat(", 1", len(r.Distances)))
	}
	uneven = append(uneven, c.meet(all)...)
	out.Braces(fmt.Sprintf("if (%s) /* vectors that do not lie at one distance, or others between them: copied to a block, and back */", strings.Join(uneven, " || ")), func() {
		for _, r := range p.Rows {
			for k, d := range r.Distances {
				for _, least := range leasts(p, d) {
					at := fmt.Sprintf("%s[%d]", extentsOf(r), k+1)
					out.Line("if (%s < %s)", at, least)
					out.Line("  %s = %s;", at, least)
				}
			}
		}
		pack := func() {
			for _, x := range all {
				out.Line("%s = hexcc_pack(%s, %s, %d, %d);", x.variable(), x.table(), extentsOf(x.rows), len(x.rows.Distances), x.array.Elem.Size())
			}
		}
		if len(conds) == 0 {
			pack()
		} else {
			out.Braces(fmt.Sprintf("if (%s)", strings.Join(conds, " && ")), pack)
		}
		out.Line("if (%s) {", strings.Join(none, " || "))
		out.Depth++
		c.release(out)
		for _, x := range all {
			out.Line("%s = 0;", x.variable())
		}
		out.Depth--
		out.Line("} else {")
		for _, r := range p.Rows {
			for k, d := range r.Distances {
				out.Line("  %s = (int)%s[%d];", d, extentsOf(r), k+1)
			}
		}
		out.Line("}")
	})
}

// meet returns the conditions that the rows of a table do lie at one distance, but others between them.
func (c Call) meet(all []packed) (conds []string) {
	block := func(x packed) string {
		bytes := fmt.Sprintf("%dUL * (unsigned long)(%s)", x.array.Elem.Size(), longSum(c.Scop, x.rows.Counts[0]))
		for _, d := range x.rows.Distances {
			bytes += " * " + d
		}
		return x.object.Flat + ", " + bytes
	}
	for i, x := range all {
		for _, y := range all[i+1:] {
			conds = append(conds, fmt.Sprintf("hexcc_meet(%s, %s)", block(x), block(y)))
		}
		c.eachOther(all, func(first, bytes string) {
			conds = append(conds, fmt.Sprintf("hexcc_meet(%s, %s, %s)", block(x), first, bytes))
		})
	}
	return conds
}

// others returns the conditions that no other array lies in a row of x.
func (c Call) others(x packed, all []packed) (conds []string) {
	c.eachOther(all, func(first, bytes string) {
		conds = append(conds, fmt.Sprintf("hexcc_apart(%s, %s, %s, %s)", x.table(), extentsOf(x.rows), first, bytes))
	})
	return conds
}

// eachOther calls f for each object that is not of all, with where it begins and how many bytes it has, in C.
func (c Call) eachOther(all []packed, f func(first, bytes string)) {
	for _, a := range c.Scop.Arrays {
		if a.Local || a.Scratch || slices.ContainsFunc(all, func(y packed) bool { return y.array == a }) {
			continue
		}
		bytes := fmt.Sprintf("%dUL", a.Elem.Size())
		for _, e := range a.ObjectExtents() {
			bytes += fmt.Sprintf(" * (unsigned long)(%s)", longSum(c.Scop, e))
		}
		for _, o := range a.Objects() {
			f(c.Scop.Base(a, o), bytes)
		}
	}
}

// unpack prints the copies back, of arrays that the region writes.
func (c Call) unpack(out *Printer) {
	for _, x := range packs(c.Scop) {
		if !x.array.Const {
			out.Line("if (%s)", x.variable())
			out.Line("  hexcc_unpack(%s, %s, %s);", x.table(), extentsOf(x.rows), x.variable())
		}
	}
}

// release prints what frees the blocks.
func (c Call) release(out *Printer) {
	for _, x := range packs(c.Scop) {
		out.Line("__builtin_free(%s);", x.variable())
	}
}

// first returns the pointer to the first element of o, an object of an array of p: perhaps of a copy.
func first(p *scop.Program, o scop.Plane) string {
	for _, x := range packs(p) {
		if x.object == o {
			return fmt.Sprintf("%s ? %s : (const void *)%s", x.variable(), x.variable(), o.Flat)
		}
	}
	return o.Flat
}

package gpu

import (
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/scop"
)

// This file says with which types of indices kernels are needed, so that one translation serves all sizes.

// A Version is the kernels of a program for indices of one type.
type Version struct {
	Index   scop.Type    // Int or Long
	Where   []affine.Sum // over the parameters: where all are >= 0, indices have that type; none: everywhere
	Kernels []*Kernel
}

// Versions returns the versions of p, of which the host runs the first that suffices for the parameters it is
// given; the last one suffices for all whose magnitude is at most p.Most. Where all extents of arrays are ints, few sizes ask for
// indices of 64 bits: in that version all tiles run the code of partial ones, which is short.
func (p *Program) Versions() []Version {
	if !p.Told {
		return []Version{{Index: scop.Long, Kernels: p.Kernels}}
	}
	narrow := Version{Index: scop.Int, Where: p.Narrow, Kernels: p.Kernels}
	if len(p.Narrow) == 0 {
		return []Version{narrow}
	}
	wide := Version{Index: scop.Long, Kernels: p.Kernels}
	if !p.large() {
		wide.Kernels = nil
		for _, k := range p.Kernels {
			wide.Kernels = append(wide.Kernels, k.general())
		}
	}
	return []Version{narrow, wide}
}

// large reports whether an array may have an extent that an int has not.
func (p *Program) large() bool {
	for i, q := range p.Scop.Params {
		in := func(e scop.Affine) bool { return i < len(e.Params) && e.Params[i] != 0 }
		if IsWide(q) && slices.ContainsFunc(p.Scop.Arrays, func(a *scop.Array) bool { return slices.ContainsFunc(a.Extents, in) }) {
			return true
		}
	}
	return false
}

// IsWide reports whether a parameter may have values that an int has not.
func IsWide(q scop.Param) bool { return q.Type.Size() > scop.Int.Size() || q.Type == scop.Uint }

// WithoutFullTiles returns p with all tiles run as partial ones, and a remark that says why.
func (p *Program) WithoutFullTiles(why string) *Program {
	q := *p
	q.Kernels, q.Remarks = nil, slices.Clone(p.Remarks)
	for _, k := range p.Kernels {
		q.Kernels = append(q.Kernels, k.general())
	}
	q.Remark("full tiles run the code of partial ones, which is slower: that straight code is right could not be proved: " + why)
	return &q
}

// WithWideIndices returns p with indices of 64 bits for all parameters, and a remark that says why.
func (p *Program) WithWideIndices(why string) *Program {
	q := *p
	q.Narrow, q.Told, q.Remarks = nil, false, slices.Clone(p.Remarks)
	q.Remark("indices have 64 bits, which is slower: that 32 suffice could not be proved: " + why)
	return &q
}

// general returns k with all tiles run as partial ones: what tells full tiles from them is gone, with their code.
func (k *Kernel) general() *Kernel {
	g := *k
	g.Body = general(k.Body)
	return &g
}

func general(nodes []Node) (out []Node) {
	for _, n := range nodes {
		switch n := n.(type) {
		case Test: // of full tiles only
		case For:
			n.Body = general(n.Body)
			out = append(out, n)
		case If:
			if n.Role.Kind == FullTile {
				out = append(out, general(n.Else)...)
				continue
			}
			n.Then, n.Else = general(n.Then), general(n.Else)
			out = append(out, n)
		default:
			out = append(out, n)
		}
	}
	return out
}

package proof_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/gpu/proof"
	"github.com/hexcc/hexcc/internal/pipeline"
)

// TestIndices proves of the kernels of all cases, in all variants, that 32 bits suffice where they say so.
func TestIndices(t *testing.T) {
	eachVariant(t, func(t *testing.T, v pipeline.Variant, x pipeline.Stencil) {
		s, _, p := v.Of(t, x)
		require.True(t, p.Told)
		proof := proof.Indices(p, s)
		t.Logf("%v, %v", proof, proof.Took)
		require.True(t, proof.Holds, proof.Text(false))
	})
}

// TestIndicesFindsSpoiledKernels: where a row that is needed is left out, or where a subscript has a coefficient or a
// number that is too large, the proof fails. (Some rows are not needed: what is known of bounds is used up roughly.)
func TestIndicesFindsSpoiledKernels(t *testing.T) {
	rows, needed := 0, 0
	eachVariant(t, func(t *testing.T, v pipeline.Variant, x pipeline.Stencil) {
		s, _, p := v.Of(t, x)
		for i := range p.Narrow {
			q := *p
			q.Narrow = slices.Delete(slices.Clone(p.Narrow), i, i+1)
			if rows++; !proof.Indices(&q, s).Holds {
				needed++
			}
		}
		if v.Name == "space" || len(p.Narrow) == 0 { // the same kinds of subscripts
			return
		}
		for _, spoil := range []func(affine.Sum) affine.Sum{
			func(e affine.Sum) affine.Sum { return e.Add(1 << 31) },
			func(e affine.Sum) affine.Sum { return e.Plus(affine.Var(p.Kernels[0].Grid[0].Var).Times(1 << 28)) },
		} {
			for which := range 3 {
				q, done := *p, false
				q.Kernels = slices.Clone(p.Kernels)
				k := *p.Kernels[0]
				left := which * 7
				k.Body = spoiledIndex(k.Body, func(e affine.Sum) affine.Sum {
					if left--; left == -1 {
						done = true
						return spoil(e)
					}
					return e
				})
				q.Kernels[0] = &k
				if done {
					require.False(t, proof.Indices(&q, s).Holds, "spoiled subscript %d", which*7)
				}
			}
		}
	})
	t.Logf("%d of %d rows are needed", needed, rows)
	require.Greater(t, needed*10, rows*7)
}

// spoiledIndex returns nodes with each subscript that is calculated as an index as f has it.
func spoiledIndex(nodes []gpu.Node, f func(affine.Sum) affine.Sum) []gpu.Node {
	ref := func(r gpu.Ref) gpu.Ref {
		r.Index = slices.Clone(r.Index)
		for i, e := range r.Index {
			if s, ok := e.(affine.Sum); ok && r.Base == nil {
				r.Index[i] = f(s)
			}
		}
		return r
	}
	out := slices.Clone(nodes)
	for i, n := range out {
		switch n := n.(type) {
		case gpu.For:
			n.Body = spoiledIndex(n.Body, f)
			out[i] = n
		case gpu.If:
			n.Then, n.Else = spoiledIndex(n.Then, f), spoiledIndex(n.Else, f)
			out[i] = n
		case gpu.Threads:
			n.Body = slices.Clone(n.Body)
			for k, op := range n.Body {
				switch op := op.(type) {
				case gpu.Copy:
					n.Body[k] = gpu.Copy{To: ref(op.To), From: ref(op.From)}
				case gpu.Load:
					n.Body[k] = gpu.Load{Reg: op.Reg, From: ref(op.From)}
				case gpu.Compute:
					op.Refs = slices.Clone(op.Refs)
					for j, r := range op.Refs {
						op.Refs[j] = ref(r)
					}
					n.Body[k] = op
				}
			}
			out[i] = n
		}
	}
	return out
}

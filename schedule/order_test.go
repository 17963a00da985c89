package schedule

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/poly"
)

// TestLaunched checks that the order of launches is a strict partial order, that what it leaves free is the rest, and,
// on all pairs of small vectors, that both are what runsBefore says.
func TestLaunched(t *testing.T) {
	dim := func(roles ...Role) (dims []Dim) {
		for _, r := range roles {
			dims = append(dims, Dim{Role: r})
		}
		return dims
	}
	for _, dims := range [][]Dim{
		dim(Host, Host, Block), dim(Host, Host, Block, Seq), dim(Host, Host, Block, Block), dim(Host, Host, Block, Block, Seq, Seq), dim(Host, Host, Seq, Block),
	} {
		o, n := Launched(dims), len(dims)
		v := poly.Tuple{Dims: poly.Dims(n)}
		same := poly.True()
		for i := range n {
			same = poly.And(same, poly.Equal(poly.In(i), poly.Out(i)))
		}
		equal := poly.NewMap(nil, v, v, same)
		require.True(t, o.Before.Union(o.Free).Union(equal).IsEqual(anywhere(n)))
		require.True(t, o.Before.Intersect(o.Free.Union(equal)).IsEmpty())
		require.True(t, o.Free.Intersect(equal).IsEmpty())
		if slices.IndexFunc(dims, func(d Dim) bool { return d.Role == Seq }) > slices.IndexFunc(dims, func(d Dim) bool { return d.Role == Block }) {
			require.True(t, o.Before.ApplyRange(o.Before).IsSubset(o.Before))
		}
		before, total := o.Before.Wrap(), 1
		for range 2 * n {
			total *= 2
		}
		for k := range total {
			pair := make([]int64, 2*n)
			for i := range pair {
				pair[i] = int64(k >> i & 1)
			}
			require.Equal(t, runsBefore(dims, pair[:n], pair[n:]), before.Contains(nil, pair...), "%v", pair)
		}
	}
}

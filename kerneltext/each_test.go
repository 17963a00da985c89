package kerneltext_test

import (
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/kerneltext"
)

// TestEach checks that parts come out in their order, that no more are made at once than there are processors, and that
// the panic that comes out is the same whichever comes first.
func TestEach(t *testing.T) {
	parts := make([]kerneltext.Part, 100)
	for i := range parts {
		parts[i].Names.Region = i
	}
	var now, most atomic.Int64
	made := kerneltext.Each(parts, func(p kerneltext.Part) int {
		n := now.Add(1)
		for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
		}
		runtime.Gosched()
		now.Add(-1)
		return p.Names.Region
	})
	for i, x := range made {
		require.Equal(t, i, x)
	}
	require.LessOrEqual(t, most.Load(), int64(runtime.GOMAXPROCS(0)))
	require.PanicsWithValue(t, 7, func() {
		kerneltext.Each(parts, func(p kerneltext.Part) int {
			if p.Names.Region%10 == 7 {
				panic(p.Names.Region)
			}
			return 0
		})
	})
	require.Empty(t, kerneltext.Each(nil, func(kerneltext.Part) int { return 0 }))
}

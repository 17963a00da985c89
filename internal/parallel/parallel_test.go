package parallel

import (
	"errors"
	"runtime"
	"strconv"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// several makes the test run on several processors, whatever the machine has.
func several(t *testing.T) {
	before := runtime.GOMAXPROCS(4)
	t.Cleanup(func() { runtime.GOMAXPROCS(before) })
}

func TestMapKeepsTheOrder(t *testing.T) {
	several(t)
	for _, n := range []int{0, 1, 2, 3, 4, 5, 1000} {
		var list []int
		var want []string
		for i := range n {
			list, want = append(list, i), append(want, strconv.Itoa(i))
		}
		assert.ElementsMatch(t, want, Map(list, strconv.Itoa))
		for i, got := range Map(list, strconv.Itoa) {
			assert.Equal(t, want[i], got)
		}
	}
}

func TestForRunsEachOnce(t *testing.T) {
	several(t)
	var ran [257]atomic.Int32
	For(len(ran), func(i int) { ran[i].Add(1) })
	for i := range ran {
		assert.EqualValues(t, 1, ran[i].Load(), i)
	}
}

// An error is what it was, whichever ends first, and others are reported with where they come from.
func TestForPanicsWithTheFirst(t *testing.T) {
	several(t)
	first, second := errors.New("first"), errors.New("second")
	for range 50 {
		assert.PanicsWithValue(t, first, func() {
			For(8, func(i int) {
				switch i {
				case 2:
					runtime.Gosched()
					panic(first)
				case 3:
					panic(second)
				}
			})
		})
	}
	defer func() {
		bug, _ := recover().(string)
		assert.Contains(t, bug, "a bug\n\n")
		assert.Contains(t, bug, "TestForPanicsWithTheFirst")
	}()
	For(2, func(i int) {
		if i == 1 {
			panic("a bug")
		}
	})
}

// No more are made at once than there are processors, and the panic that comes out is the same whichever comes first.
func TestMapAtOnce(t *testing.T) {
	several(t)
	parts := Numbers(100)
	var now, most atomic.Int64
	made := Map(parts, func(p int) int {
		n := now.Add(1)
		for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
		}
		runtime.Gosched()
		now.Add(-1)
		return p
	})
	for i, x := range made {
		require.Equal(t, i, x)
	}
	require.LessOrEqual(t, most.Load(), int64(runtime.GOMAXPROCS(0)))
	require.PanicsWithValue(t, 7, func() {
		Map(parts, func(p int) int {
			if p%10 == 7 {
				panic(p)
			}
			return 0
		})
	})
	require.Empty(t, Map(nil, func(int) int { return 0 }))
}

// An error of the run time is a bug, too.
func TestForTellsWhereABugIs(t *testing.T) {
	several(t)
	defer func() {
		bug, _ := recover().(string)
		assert.Contains(t, bug, "index out of range")
		assert.Contains(t, bug, "TestForTellsWhereABugIs")
	}()
	For(2, func(i int) { _ = Numbers(1)[i] })
}

// On one processor the work stays where it is, in order.
func TestForOnOneProcessor(t *testing.T) {
	before := runtime.GOMAXPROCS(1)
	defer runtime.GOMAXPROCS(before)
	var order []int
	For(5, func(i int) { order = append(order, i) })
	assert.Equal(t, []int{0, 1, 2, 3, 4}, order)
}

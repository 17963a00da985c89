package parallel

import (
	"errors"
	"runtime"
	"strconv"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
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

// On one processor the work stays where it is, in order.
func TestForOnOneProcessor(t *testing.T) {
	before := runtime.GOMAXPROCS(1)
	defer runtime.GOMAXPROCS(before)
	var order []int
	For(5, func(i int) { order = append(order, i) })
	assert.Equal(t, []int{0, 1, 2, 3, 4}, order)
}

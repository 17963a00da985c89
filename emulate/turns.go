package emulate

import (
	"math/rand/v2"
	"slices"
)

// turns is how one of those that run chains takes turns with others: it goes on when it is told to, and tells when it waits or is done.
type turns struct {
	chain  int         // its place in the order
	ready  func() bool // what it waits for; nil: nothing
	goOn   chan struct{}
	paused chan bool // true: there are no more chains
}

func newTurns() turns { return turns{goOn: make(chan struct{}), paused: make(chan bool)} }

// take lets t go on until it waits, and reports whether it is done instead.
func (t *turns) take() (done bool) {
	t.ready = nil
	t.goOn <- struct{}{}
	return <-t.paused
}

// pause lets others run until ready holds.
func (t *turns) pause(ready func() bool) {
	t.ready = ready
	t.paused <- false
	<-t.goOn
}

// next returns the number of the one of all that is to go on: by chance any, mostly that with the last chain, or always that. ok is false if all have
// to wait. stop: nothing is waited for any more.
func next[T any](all []T, turnsOf func(T) *turns, rng *rand.Rand, always, stop bool) (i int, ok bool) {
	var able []int
	for i, x := range all {
		if t := turnsOf(x); stop || t.ready == nil || t.ready() {
			able = append(able, i)
		}
	}
	if len(able) == 0 {
		return 0, false
	}
	if !always && rng.IntN(4) == 0 {
		return able[rng.IntN(len(able))], true
	}
	return slices.MaxFunc(able, func(i, j int) int { return turnsOf(all[i]).chain - turnsOf(all[j]).chain }), true
}

package kerneltext

import (
	"runtime"
	"sync"
)

// Each returns what f makes of each part, in their order; it makes as many at once as there are processors. What f
// panics with, Each panics with, where several do the first of the parts.
func Each[T any](parts []Part, f func(Part) T) []T {
	made, bugs := make([]T, len(parts)), make([]any, len(parts))
	free := make(chan struct{}, runtime.GOMAXPROCS(0))
	var wait sync.WaitGroup
	for i, p := range parts {
		free <- struct{}{}
		wait.Go(func() {
			defer func() {
				bugs[i] = recover()
				<-free
			}()
			made[i] = f(p)
		})
	}
	wait.Wait()
	for _, bug := range bugs {
		if bug != nil {
			panic(bug)
		}
	}
	return made
}

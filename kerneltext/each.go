package kerneltext

import (
	"runtime"
	"sync"
)

// Each returns what f makes of each region of a file, in their order; it makes as many at once as there are processors. What f
// panics with, Each panics with, where several do the first of the regions.
func Each[R, T any](regions []R, f func(R) T) []T {
	made, bugs := make([]T, len(regions)), make([]any, len(regions))
	free := make(chan struct{}, runtime.GOMAXPROCS(0))
	var wait sync.WaitGroup
	for i, r := range regions {
		free <- struct{}{}
		wait.Go(func() {
			defer func() {
				bugs[i] = recover()
				<-free
			}()
			made[i] = f(r)
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

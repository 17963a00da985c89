// Package parallel runs parts of one piece of work at once, so that what comes of it does not tell.
package parallel

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// For calls f(0), .., f(n-1), as many at once as there are processors, and returns when all have ended. The smaller begin first.
// Where some panic, For panics with what the first of them panicked with, by number; bugs, texts and errors of the run time, come as
// text with the stack that they had.
func For(n int, f func(i int)) {
	workers := min(n, runtime.GOMAXPROCS(0))
	if workers <= 1 {
		for i := range n {
			f(i)
		}
		return
	}
	bugs := make([]any, n)
	var next atomic.Int64
	var wait sync.WaitGroup
	for range workers {
		wait.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				bugs[i] = try(f, i)
			}
		})
	}
	wait.Wait()
	for _, bug := range bugs {
		if bug != nil {
			panic(bug)
		}
	}
}

// try returns what f(i) panics with, nil if it does not.
func try(f func(int), i int) (bug any) {
	defer func() {
		switch bug = recover(); bug.(type) {
		case string, runtime.Error:
			bug = fmt.Sprintf("%v\n\n%s", bug, debug.Stack())
		}
	}()
	f(i)
	return nil
}

// Numbers returns 0, .., n-1.
func Numbers(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

// Map returns what f makes of each of list, in order, and makes as many at once as there are processors. Panics are those of For.
func Map[X, Y any](list []X, f func(X) Y) []Y {
	made := make([]Y, len(list))
	For(len(list), func(i int) { made[i] = f(list[i]) })
	return made
}

package stencil

import (
	"fmt"
	"os"
	"runtime"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/machine"
	"github.com/hexcc/hexcc/tune"
)

// This file tries fewer threads than OpenMP takes by itself, which is one for each processor that the system knows. Fewer may be faster where two of these share a
// core, with its caches and units, and where a grid is so small, or memory so slow, that more threads only wait for each other. No flag of hexcc sets their number: it is in the environment.

// numThreads is the variable of the environment that says how many threads OpenMP takes.
const numThreads = "OMP_NUM_THREADS"

// threads returns the setting of so many.
func threads(n int) string { return fmt.Sprintf("%s=%d", numThreads, n) }

// in returns a way as a candidate that runs in so many threads.
func (t *Tuner) in(w hexcc.Way, n int) tune.Candidate {
	w.PerPoint, w.Bound = 0, "" // the model knows nothing of it
	c := t.candidate(w)
	c.Name, c.Threads = threads(n)+" "+c.Name, n
	t.ways.Lock()
	defer t.ways.Unlock()
	t.ways.byName[c.Name] = w
	return c
}

// fewerThreads returns the levels that try fewer threads, of so many processors on so many cores (0: not known); none where programs run in one, or where the environment says in how many.
func (t *Tuner) fewerThreads(processors, cores int) (levels []tune.Level) {
	if t.Options.Target != hexcc.OpenMP || os.Getenv(numThreads) != "" || processors < 2 {
		return nil
	}
	levels = append(levels, tune.Level{Name: "fewer threads", Candidates: func(done []tune.Outcome) (all []tune.Candidate) {
		for i, fast := range t.fast(done, fewSizes, near) {
			if 1 <= cores && cores < processors {
				all = append(all, t.in(fast, cores))
			}
			if i == 0 {
				all = append(all, t.in(fast, processors/2))
			}
		}
		return all
	}})
	for n := processors / 4; n >= 1; n /= 2 { // as long as half of them are faster
		levels = append(levels, tune.Level{Name: "fewer threads", Candidates: func(done []tune.Outcome) []tune.Candidate {
			for _, o := range tune.Ranked(done) {
				if w, ours := t.way(o.Name); ours {
					if o.Threads == 2*n || o.Threads == 2*n+1 {
						return []tune.Candidate{t.in(w, n)}
					}
					break
				}
			}
			return nil
		}})
	}
	return levels
}

// available returns how many processors OpenMP takes, and on how many cores they are.
func available() (processors, cores int) { return runtime.NumCPU(), machine.PhysicalCores() }

// Package tune looks for the fastest of many candidates by running them. It knows neither compilers nor machines: a Runner
// makes programs of candidates and runs them, and levels say which candidates there are, in the light of those that were
// measured before (hierarchical tuning). What was measured is in a log, line by line, so that a search that was killed goes on where it was.
package tune

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"
)

// A Candidate is one way to make a program.
type Candidate struct {
	Name     string  // tells it from all others
	Group    string  // what it has in common with some of the others: its strategy
	Expected float64 // what a model expects it to take, in a unit that is the same for all; 0: nothing
	Bound    string  // what bounds it by the model; "": not known
	Steps    int64   // of time, that a tile spans; 0: not known
	Threads  int     // that it runs in; 0: as many as the environment says
	// Reference: it is measured for others to be compared with, and never chosen.
	Reference bool
}

// A Kind says in what way a candidate failed.
type Kind string

// The kinds of rejection.
const (
	Refused   Kind = "refused"          // by the compiler that makes it: not legal, or not proved to be
	Uncompile Kind = "does not compile" // what was made of it
	Crashed   Kind = "crashed"
	TimedOut  Kind = "timed out"
	NotRun    Kind = "does not run" // what it tests does not hold, so that the original loops run in its place
	Wrong     Kind = "wrong"        // its results are not those of the original
)

// A Rejection says why a candidate is not measured. As an error of a Runner it is about the candidate; all other errors end the search.
type Rejection struct {
	Kind Kind   `json:"kind"`
	Why  string `json:"why"`
}

func (r *Rejection) Error() string { return fmt.Sprintf("%s: %s", r.Kind, r.Why) }

// An Outcome is what became of a candidate: seconds of each repetition, or a rejection.
type Outcome struct {
	Candidate
	Seconds []float64
	// Final is the least seconds of each round in which the fastest ran again by turns; nil: it was not among them.
	Final    []float64
	Rejected *Rejection
	Logged   bool // it was measured by an earlier run
}

// Best returns the least seconds, of the final where there was one for it; infinite where the candidate was rejected.
func (o Outcome) Best() float64 {
	switch {
	case o.Rejected != nil || len(o.Seconds) == 0:
		return math.Inf(1)
	case len(o.Final) > 0:
		return slices.Min(o.Final)
	}
	return slices.Min(o.Seconds)
}

// A Runner makes programs of candidates. Build may be called for several at once.
type Runner interface {
	Build(ctx context.Context, c Candidate) (Program, error)
}

// A Program is one that can be run: one at a time, in a process of its own, until ctx ends.
type Program interface {
	// Run returns the seconds of each repetition, of which all had the right results.
	Run(ctx context.Context) ([]float64, error)
	Remove()
}

// A Level is candidates of one kind. Those of later levels depend on what earlier ones found; equal outcomes give equal candidates, so that a search goes on where it was.
type Level struct {
	Name       string
	Candidates func(done []Outcome) []Candidate
}

// A Search is what to look for, and for how long.
type Search struct {
	Runner Runner
	Levels []Level
	Log    *Log          // what is measured, and was before; nil: nothing is kept
	Budget time.Duration // of the whole search
	Jobs   int           // candidates that are built at once
	// Finalists is how many of the fastest run again in the end, by turns, Rounds times each: those are chosen from. 0: none.
	Finalists, Rounds int
	// Limit is how long a run may take until one has ended; from then on no more than Patience times what the first took, but Least at least.
	Limit, Least time.Duration
	Told         func(Progress) // may be nil
	Now          func() time.Time
}

// Patience is how many times longer than the first a run may take.
const Patience = 10

// A Progress tells what a search is at.
type Progress struct {
	Level       string
	Done, Total int           // candidates of the levels so far
	Left        time.Duration // of the budget
	Current     string        // what runs, "" while programs are built
	Last        *Outcome      // what has just ended; nil: nothing
	Best        *Outcome      // so far; nil: none
}

// A Result is what a search found.
type Result struct {
	Outcomes []Outcome // in the order of the search, references first if they are
	Total    int       // candidates that there were
	Ended    string    // why the search ended before all were measured; "": it did not
}

// Best returns the fastest that may be chosen, nil if there is none: of those in the final, where there was one.
func (r *Result) Best() *Outcome { return best(r.Outcomes) }

// Of returns the outcome of a candidate by its name, nil if it has none.
func (r *Result) Of(name string) *Outcome {
	if i := slices.IndexFunc(r.Outcomes, func(o Outcome) bool { return o.Name == name }); i >= 0 {
		return &r.Outcomes[i]
	}
	return nil
}

// Ranked returns the outcomes, the fastest first and those rejected last.
func (r *Result) Ranked() []Outcome { return Ranked(r.Outcomes) }

// Ranked sorts outcomes: the fastest first, those rejected last in their order.
func Ranked(all []Outcome) []Outcome {
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(x, y Outcome) int {
		switch a, b := x.Best(), y.Best(); {
		case a < b:
			return -1
		case a > b:
			return 1
		}
		return 0
	})
	return all
}

// worthASetting is how much longer the fastest in as many threads as there are may take than the fastest in fewer, which the environment has to ask for at each run,
// and is chosen even so: by as much, and more, times differ that nothing else makes differ.
const worthASetting = 1.05

// best returns the outcome that is chosen, nil if none may be.
func best(all []Outcome) *Outcome {
	final := slices.ContainsFunc(all, Outcome.inFinal)
	var fastest *Outcome
	for _, o := range Ranked(all) {
		switch {
		case !o.eligible() || final && !o.inFinal():
		case fastest == nil:
			if fastest = &o; o.Threads == 0 {
				return fastest
			}
		case o.Best() > worthASetting*fastest.Best():
			return fastest
		case o.Threads == 0:
			return &o
		}
	}
	return fastest
}

// eligible reports whether o may be chosen.
func (o Outcome) eligible() bool { return !o.Reference && !math.IsInf(o.Best(), 1) }

func (o Outcome) inFinal() bool { return o.eligible() && len(o.Final) > 0 }

// The reasons for which a search ends early.
const (
	OutOfBudget = "the budget is used up"
	Interrupted = "it was interrupted"
)

// ended says why a search with this context ended.
func ended(ctx context.Context) string {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return OutOfBudget
	}
	return Interrupted
}

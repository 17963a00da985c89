package poly

import (
	"errors"
	"fmt"

	"github.com/hexcc/hexcc/affine"
)

// A LimitError says that an exact operation would have passed a stated bound. Operations panic with it; Limited and Do catch it.
type LimitError struct {
	Op    string // "subtract"
	What  string // "parts"
	Bound int
}

func (e *LimitError) Error() string {
	return fmt.Sprintf("poly: %s: more than %d %s", e.Op, e.Bound, e.What)
}

// Limited runs f and returns the LimitError that an operation in it panicked with, or f's own error. That
// a sum of affine passes 64 bits is such an error, too.
func Limited(f func() error) (err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case error:
			if limit := (*LimitError)(nil); errors.As(r, &limit) {
				err = limit
				return
			}
			if wide := (*affine.OverflowError)(nil); errors.As(r, &wide) {
				err = &LimitError{Op: "sum", What: "bits in a coefficient", Bound: 64}
				return
			}
			panic(r)
		default:
			panic(r)
		}
	}()
	return f()
}

// The bounds that operations keep to: an operation that would pass one panics with a *LimitError that names it. They are far
// above what schedules and dependences need. maxSteps holds for every operation on sets and relations as a whole, with all
// that it calls, so that no input takes longer than seconds; the others end what cannot succeed, or takes memory, sooner.
const (
	maxSteps     = 50_000_000 // multiplications and the like, counted roughly: about a second (meter.go)
	maxParts     = 5000       // parts of one set or relation
	maxRows      = 1000       // rows of one conjunction that elimination makes; rays of a convex hull
	maxSplinters = 5000       // subproblems of one integer search, and cases of one projected unknown
	maxGap       = 64         // values of an unknown that a function tells apart
	maxScanned   = 10000      // points that Scan makes

	// Of one count. Where the symbolic sum passes a bound and there are no parameters, enumeration follows.
	maxCells   = 3000   // cells of a sum, and remainders that a cell is split by
	maxRegions = 3000   // regions of the parameters that overlapping values are cut into
	maxTerms   = 20000  // terms of a polynomial
	maxDegree  = 60     // powers that are summed
	maxPoints  = 200000 // lines of points that enumeration walks along
)

// Other bounds decide how hard something is tried; past them the answer is no less right: maxCuts and maxBranches
// (search.go: the Omega test follows), maxDifferences, maxRounds and maxComponents (closure.go: not exact, which it says),
// maxPeriod and the like (count_simplify.go, count_absorb.go, count_vanish.go: equal pieces stay apart; count_overlap.go: counts
// stay longer), maxGuessed (guess.go: a search follows).

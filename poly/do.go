package poly

import (
	"context"
	"errors"
	"fmt"

	"github.com/hexcc/hexcc/affine"
)

// This file is the border of the package: what callers who want errors in place of panics, an end when a context ends, or a bound for several operations together, use.

// A UseError says that an operation was asked for what it is not for: a dimension that is not there, a parameter that is known already. Operations panic
// with it, as with an index out of range; Do catches it.
type UseError struct{ Text string }

func (e *UseError) Error() string { return "poly: " + e.Text }

func misuse(format string, args ...any) *UseError { return &UseError{fmt.Sprintf(format, args...)} }

// A Budget bounds what operations do together. The zero Budget leaves each operation its own bound, which is about a second.
type Budget struct {
	Steps int // multiplications and the like, counted roughly, about 50 million a second; 0: no bound together
}

// A Scope is operations on sets and relations that have a budget and a context in common. It is for one goroutine.
type Scope struct {
	ctx    context.Context
	budget Budget
	spent  int
	next   int // of spent: where ctx is looked at again
	ended  bool
}

// looks is how many steps are taken, at most, before the context is looked at again: well below a millisecond's.
const looks = 10_000

// Do runs f, and returns its error, or in place of a panic
//
//   - a *LimitError: an operation would have passed a bound, or those of the scope together the budget,
//   - a *UseError: an operation was asked for what it is not for,
//   - why ctx has ended, if it did meanwhile: context.Cause.
//
// Other panics go on: they are mistakes of this package, or of f. Budget and context hold for operations of which an operand is of the scope:
// what its methods returned, or what was computed with such. Once Do has returned, that are sets and relations like others.
func Do(ctx context.Context, b Budget, f func(s *Scope) error) (err error) {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	s := &Scope{ctx: ctx, budget: b, next: looks}
	defer func() {
		s.ended = true
		switch r := recover().(type) {
		case nil:
		case *stopped:
			if r.scope != s {
				panic(r) // of a Do around this one
			}
			err = r.cause
		case *LimitError:
			err = r
		case *UseError:
			err = r
		case error:
			wide := (*affine.OverflowError)(nil)
			if !errors.As(r, &wide) {
				panic(r)
			}
			err = &LimitError{Op: "sum", What: "bits in a coefficient", Bound: 64}
		default:
			panic(r)
		}
	}()
	return f(s)
}

// A stopped is what operations panic with when the context of their scope has ended.
type stopped struct {
	scope *Scope
	cause error
}

// Error makes it an error, which Limited lets pass.
func (s *stopped) Error() string { return "poly: stopped: " + s.cause.Error() }

// spend counts steps of an operation.
func (s *Scope) spend(op string, steps int) {
	if s.ended {
		return
	}
	s.spent += steps
	if s.budget.Steps > 0 && s.spent > s.budget.Steps {
		panic(&LimitError{Op: op, What: "steps of arithmetic, of all operations together", Bound: s.budget.Steps})
	}
	if s.spent >= s.next {
		s.next = s.spent + looks
		if s.ctx.Err() != nil {
			panic(&stopped{s, context.Cause(s.ctx)})
		}
	}
}

// Spent returns how many steps the operations of s have taken.
func (s *Scope) Spent() int { return s.spent }

// Set returns x, as a set of s.
func (s *Scope) Set(x Set) Set { return Set{s.parts(x.parts)} }

// Map returns x, as a relation of s.
func (s *Scope) Map(x Map) Map { return Map{s.parts(x.parts)} }

// ParseSet is the function of this name, whose result is of s.
func (s *Scope) ParseSet(text string) (Set, error) {
	x, err := ParseSet(text)
	return s.Set(x), err
}

// ParseMap is the function of this name, whose result is of s.
func (s *Scope) ParseMap(text string) (Map, error) {
	x, err := ParseMap(text)
	return s.Map(x), err
}

func (s *Scope) parts(parts []Basic) []Basic {
	of := &meter{ended: true, scope: s}
	all := make([]Basic, len(parts))
	for i, b := range parts {
		b.meter = of
		all[i] = b
	}
	return all
}

package poly_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/poly"
)

// Errors take the place of panics: of a bound, of a mistake, of a context that has ended.
func ExampleDo() {
	count := func(ctx context.Context, steps int, text string) error {
		return poly.Do(ctx, poly.Budget{Steps: steps}, func(s *poly.Scope) error {
			points, err := s.ParseSet(text)
			if err != nil {
				return err
			}
			n, err := points.Card()
			if err == nil {
				fmt.Println(n)
			}
			return err
		})
	}
	fmt.Println(count(context.Background(), 100_000, "[n] -> { S[i, j] : 0 <= i <= j < n }"))
	fmt.Println(count(context.Background(), 1000, "[n] -> { S[i, j, k] : 0 <= i <= 5j < 7k < n }"))
	ended, end := context.WithCancel(context.Background())
	end()
	fmt.Println(count(ended, 100_000, "{ S[i] : 0 <= i < 9 }"))
	// Output:
	// [n] -> { 1/2*n^2 + 1/2*n : n >= 1 }
	// <nil>
	// poly: count: more than 1000 steps of arithmetic, of all operations together
	// context canceled
}

// A mistake of the caller is an error of Do.
func ExampleUseError() {
	err := poly.Do(context.Background(), poly.Budget{}, func(s *poly.Scope) error {
		fmt.Println(s.Set(poly.MustSet("{ S[i, j] : 0 <= i < j < 9 }")).PermuteDims(0, 0))
		return nil
	})
	var use *poly.UseError
	fmt.Println(errors.As(err, &use), err)
	// Output: true poly: PermuteDims: [0 0] is not an order of 2 dimensions
}

// hard is work without end in sight: each step subtracts from what the one before left.
func hard(s *poly.Scope) error {
	left := s.Set(poly.MustSet("[n] -> { S[i, j, k] : 0 <= i, j, k < n }"))
	for a := 1; ; a++ {
		left = left.Subtract(poly.MustSet(fmt.Sprintf("[n] -> { S[i, j, k] : %d i + j <= %d k + n and (i + %d j) mod %d = 0 }", a, a+1, a, a+1)))
		if left.IsEmpty() {
			return errors.New("nothing is left")
		}
	}
}

func TestDo(t *testing.T) {
	var limit *poly.LimitError
	spent := 0
	err := poly.Do(context.Background(), poly.Budget{Steps: 300_000}, func(s *poly.Scope) error {
		defer func() { spent = s.Spent() }()
		return hard(s)
	})
	require.ErrorAs(t, err, &limit)
	require.Equal(t, 300_000, limit.Bound)
	require.Less(t, 300_000, spent)

	cause := errors.New("enough")
	ctx, cancel := context.WithCancelCause(context.Background())
	time.AfterFunc(20*time.Millisecond, func() { cancel(cause) })
	err = poly.Do(ctx, poly.Budget{}, func(outer *poly.Scope) error { // also through a Do within, which knows nothing of it
		return poly.Do(context.Background(), poly.Budget{}, func(*poly.Scope) error { return poly.Limited(func() error { return hard(outer) }) })
	})
	require.Equal(t, cause, err)

	// What was made in a scope is as what was made without, and costs nobody anything later.
	var made poly.Set
	require.NoError(t, poly.Do(context.Background(), poly.Budget{Steps: 100_000}, func(s *poly.Scope) error {
		made = s.Set(poly.MustSet("{ S[i] : 0 <= i < 100 }")).Subtract(poly.MustSet("{ S[i] : i mod 3 = 0 }"))
		return nil
	}))
	require.Equal(t, poly.MustSet("{ S[i] : 0 <= i < 100 }").Subtract(poly.MustSet("{ S[i] : i mod 3 = 0 }")).String(), made.String())
	for range 50 {
		made.Subtract(poly.MustSet("{ S[i] : i mod 7 = 2 }"))
	}

	require.PanicsWithValue(t, "bug", func() {
		_ = poly.Do(context.Background(), poly.Budget{}, func(*poly.Scope) error { panic("bug") })
	})
}

// Package schedules is for tests and bench/scan only: it makes random schedules, and checks loops by running them beside what package
// schedule/tree enumerates.
package schedules

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"

	"github.com/hexcc/hexcc/astgen/scan"
	"github.com/hexcc/hexcc/poly"
	"github.com/hexcc/hexcc/schedule/tree"
)

// A Program calls call with what it runs, for values of the parameters, which it may change.
type Program func(params map[string]int64, call func(stmt string, args []int64))

// Loops is the program of loops. Both they and their text in C have to do the same.
func Loops(loops scan.Node) Program {
	text, err := Read(scan.C(loops))
	return func(params map[string]int64, call func(stmt string, args []int64)) {
		if err != nil {
			panic(fmt.Errorf("the text of the loops: %w", err))
		}
		type ran struct {
			stmt string
			args []int64
		}
		var list []ran
		text.Run(maps.Clone(params), func(stmt string, args []int64) { // first, since it ends
			list = append(list, ran{stmt, args})
			call(stmt, args)
		})
		n := 0
		scan.Run(loops, params, func(stmt string, args []int64) {
			if n >= len(list) || list[n].stmt != stmt || !slices.Equal(list[n].args, args) {
				panic(fmt.Errorf("the loops run %s%v as call %d, their text does not", stmt, args, n))
			}
			n++
		})
		if n < len(list) {
			panic(fmt.Errorf("the loops run %d calls, their text %d", n, len(list)))
		}
	}
}

// Check runs a program and compares with what root runs, for up to count values of the parameters, and returns for how many it did.
// What differs is the error. A *tree.TooManyError or *tree.UnboundedError says that there were no values at which it could.
func Check(root tree.Node, program Program, count int) (checked int, err error) {
	rng := rand.New(rand.NewPCG(1, 2))
	candidates := []map[string]int64{{}}
	if len(tree.Params(root)) > 0 {
		limit := poly.Limited(func() error {
			candidates = tree.Values(root, 4*count, rng)
			return nil
		})
		if limit != nil {
			return 0, limit
		}
	}
	var unusable error
	for _, params := range candidates {
		if checked == count {
			break
		}
		err := checkAt(root, program, params)
		var many *tree.TooManyError
		var unbounded *tree.UnboundedError
		var context *tree.ContextError
		switch {
		case errors.As(err, &many), errors.As(err, &unbounded), errors.As(err, &context):
			unusable = err
		case err != nil:
			return checked, fmt.Errorf("at %v: %w", params, err)
		default:
			checked++
		}
	}
	if checked == 0 {
		return 0, unusable
	}
	return checked, nil
}

// maxCalls bounds how often more than it should a call runs, so that loops that are wrong end.
const maxCalls = 1_000_000

func checkAt(root tree.Node, program Program, params map[string]int64) (err error) {
	type endless struct{}
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
			if r == (endless{}) {
				err = fmt.Errorf("more than %d calls", maxCalls)
			}
		}
	}()
	return tree.SameOrder(root, params, func(call func(stmt string, args []int64)) {
		n := 0
		program(maps.Clone(params), func(stmt string, args []int64) {
			if n++; n > maxCalls {
				panic(endless{})
			}
			call(stmt, args)
		})
	})
}

var numbers = regexp.MustCompile(`[A-Za-z_]\w*|\d+`)

// Smaller returns the text of a schedule with numbers above 12 divided by k, but at least 3: another schedule with fewer instances.
func Smaller(text string, k int64) string {
	return numbers.ReplaceAllStringFunc(text, func(s string) string {
		n, err := strconv.ParseInt(s, 10, 64)
		if err != nil || n <= 12 {
			return s
		}
		return strconv.FormatInt(max(n/k, 3), 10)
	})
}

// Bounded returns root, a domain, with instances between -bound and bound only.
func Bounded(root tree.Node, bound int) tree.Node {
	d := *root.(*tree.Domain)
	var all poly.Set
	for _, b := range d.Set.Basics() {
		space := b.Space()
		names, text := make([]string, len(space.Out.Dims)), " : true"
		for i := range names {
			names[i] = fmt.Sprintf("x%d", i)
			text += fmt.Sprintf(" and %d <= %s <= %d", -bound, names[i], bound)
		}
		all = all.Union(poly.MustSet("{ " + space.Out.Print(names) + text + " }"))
	}
	d.Set = d.Set.Intersect(all)
	return &d
}

package tree

import (
	"cmp"
	"fmt"
	"slices"
)

// SameOrder returns nil if run calls call with exactly the instances of n, for these values of the parameters, as often as they run
// and in an order that n allows; otherwise what is wrong. Where Run of n has an error, it returns that.
//
// Of an instance that has several times, which calls do not tell, the first call is taken to be for the first of them.
func SameOrder(n Node, params map[string]int64, run func(call func(stmt string, args []int64))) error {
	want, err := Run(n, params)
	if err != nil {
		return err
	}
	due := map[string][]Instance{} // by call, in order
	slices.SortStableFunc(want, func(x, y Instance) int {
		return slices.CompareFunc(x.Time, y.Time, func(d, e Entry) int { return cmp.Compare(d.Value, e.Value) })
	})
	for _, x := range want {
		text := callText(x.Stmt, x.Args)
		due[text] = append(due[text], x)
	}
	ran := make([]Instance, 0, len(want))
	run(func(stmt string, args []int64) {
		text := callText(stmt, args)
		if err != nil {
			return
		}
		if len(due[text]) == 0 {
			err = fmt.Errorf("%s runs, as call %d, too often or where it has no time", text, len(ran)+1)
			return
		}
		ran = append(ran, due[text][0])
		due[text] = due[text][1:]
	})
	if err != nil {
		return err
	}
	for _, x := range want {
		if left := due[callText(x.Stmt, x.Args)]; len(left) > 0 {
			return fmt.Errorf("%v does not run: %d calls of %d", left[0], len(ran), len(want))
		}
	}
	return inOrder(ran, 0)
}

// inOrder returns what is wrong with the order of list, whose times have the first n entries in common.
func inOrder(list []Instance, n int) error {
	if len(list) < 2 || len(list[0].Time) <= n {
		return nil
	}
	if list[0].Time[n].Unordered {
		list = slices.Clone(list)
		slices.SortStableFunc(list, func(x, y Instance) int { return cmp.Compare(x.Time[n].Value, y.Time[n].Value) })
	}
	start := 0
	for i := 1; i <= len(list); i++ {
		if i < len(list) && list[i].Time[n] == list[i-1].Time[n] {
			continue
		}
		if i < len(list) && list[i].Time[n].Value < list[i-1].Time[n].Value {
			return fmt.Errorf("%v runs after %v", list[i], list[i-1])
		}
		if err := inOrder(list[start:i], n+1); err != nil {
			return err
		}
		start = i
	}
	return nil
}

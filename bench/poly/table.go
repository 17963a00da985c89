package main

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/hexcc/hexcc/poly"
)

// The goals: our times are at most so many times those of isl, in the geometric mean of all calls, in that of the calls of each
// operation, and for each input. Inputs as a compiler has them have a goal of their own: those that test isl are made to be hard,
// or so small that a call is a matter of a hundred nanoseconds.
const (
	goalMean      = 0.5
	goalOperation = 3
	goalCompiled  = 20
	goalTests     = 250
)

// A row sums up the calls of one operation.
type row struct {
	name             string
	inputs, recorded int
	ours, isl        time.Duration // of all inputs, once each
	compared         int           // inputs that isl has the operation for
	logs, weight     float64       // the sum of the logarithms of their ratios, and that of their weights: calls
	worst            float64
	work             poly.Work // of all inputs, once each
}

// add counts c.
func (r *row) add(c call) {
	r.inputs++
	r.recorded += c.count
	r.ours += c.ours
	r.work = r.work.Plus(c.work)
	if c.isl == 0 {
		return
	}
	r.isl += c.isl
	r.compared++
	weight := float64(max(c.count, 1))
	r.logs += weight * math.Log(c.ratio())
	r.weight += weight
	r.worst = max(r.worst, c.ratio())
}

// ratio returns our time by isl's.
func (c call) ratio() float64 { return float64(c.ours) / float64(c.isl) }

// mean returns the geometric mean of the ratios over the calls, 0 where isl has no such operation.
func (r row) mean() float64 {
	if r.compared == 0 {
		return 0
	}
	return math.Exp(r.logs / r.weight)
}

// summed returns a row for each operation, the slowest by isl's measure first, and one for all.
func summed(list []call) (rows []*row, all row) {
	byName := map[string]*row{}
	all.name = "all"
	for _, c := range list {
		r := byName[c.name]
		if r == nil {
			r = &row{name: c.name}
			byName[c.name] = r
			rows = append(rows, r)
		}
		r.add(c)
		all.add(c)
	}
	slices.SortStableFunc(rows, func(a, b *row) int { return cmp.Compare(b.mean(), a.mean()) })
	return rows, all
}

// printTable prints the rows, and how the one for all compares with the goals.
func printTable(rows []*row, all row, worst float64) {
	fmt.Printf("%-20s %8s %8s %10s %10s %10s %8s\n", "operation", "inputs", "calls", "ours us", "isl us", "ratio", "worst")
	for _, r := range append(slices.Clip(rows), &all) {
		fmt.Printf("%-20s %8d %8d %10.1f ", r.name, r.inputs, r.recorded, micros(r.ours)/float64(r.inputs))
		if r.compared == 0 {
			fmt.Printf("%10s %10s %8s\n", "none", "", "")
			continue
		}
		fmt.Printf("%10.1f %10.2f %8.2f\n", micros(r.isl)/float64(r.compared), r.mean(), r.worst)
	}
	fmt.Println("us: mean of the inputs; ratio: geometric mean of ours/isl over the calls; none: isl has no such operation")
	if all.compared == 0 {
		fmt.Println("nothing to compare: isl has no such operation")
		return
	}
	fmt.Printf("geometric mean %.2f (goal: at most %v), of one operation %.2f (goal: at most %v), of one input %.2f (goal: at most %v)\n",
		all.mean(), goalMean, rows[0].mean(), goalOperation, all.worst, worst)
}

// printWork prints the work of our operations, all inputs once each.
func printWork(rows []*row, all row) {
	fmt.Printf("\n%-20s %9s %9s %9s %9s %9s %9s %9s\n", "work", "pivots", "cuts", "branches", "splinters", "parts", "divs", "big ints")
	for _, r := range append(slices.Clip(rows), &all) {
		w := r.work
		fmt.Printf("%-20s %9d %9d %9d %9d %9d %9d %9d\n", r.name, w.Pivots, w.Cuts, w.Branches, w.Splinters, w.Parts, w.Divs, w.BigInts)
	}
	fmt.Println()
}

// beyondGoals returns an error that says which operations are slower than the goals, if any is.
func beyondGoals(rows []*row, all row, worst float64) error {
	var beyond []string
	if all.compared > 0 && all.mean() > goalMean {
		beyond = append(beyond, fmt.Sprintf("the geometric mean is %.2f times isl's time, and the goal %v", all.mean(), goalMean))
	}
	for _, r := range rows {
		if r.compared > 0 && r.mean() > goalOperation {
			beyond = append(beyond, fmt.Sprintf("%s takes %.2f times isl's time, and the goal is %v", r.name, r.mean(), goalOperation))
		}
		if r.worst > worst {
			beyond = append(beyond, fmt.Sprintf("%s takes up to %.2f times isl's time, and the goal is %v", r.name, r.worst, worst))
		}
	}
	if len(beyond) == 0 {
		return nil
	}
	return errors.New("too slow: " + strings.Join(beyond, "; "))
}

// printWorst prints the calls with the largest ratios.
func printWorst(list []call, n int) {
	list = slices.DeleteFunc(slices.Clone(list), func(c call) bool { return c.isl == 0 })
	slices.SortStableFunc(list, func(a, b call) int { return cmp.Compare(b.ratio(), a.ratio()) })
	for _, c := range list[:min(n, len(list))] {
		fmt.Printf("%6.2f  %s  ours %.1f us, isl %.1f us\n        %s\n", c.ratio(), c.name, micros(c.ours), micros(c.isl), clipped(c.a))
		if c.b != "" {
			fmt.Printf("        %s\n", clipped(c.b))
		}
	}
}

func micros(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1000 }

// clipped returns the start of a long text.
func clipped(s string) string {
	const most = 300
	if len(s) <= most {
		return s
	}
	return s[:most] + "..."
}

package main

import (
	"fmt"
	"io"
	"math"
	"text/tabwriter"
	"time"

	"github.com/hexcc/hexcc/astgen/scan"
)

// A row is the sum of the inputs of one folder.
type row struct {
	dir                                   string
	inputs, taken, proved, right, smaller int
	operations, times                     mean
	ours, isl                             scan.Counts // where both have loops
	took, islTook, proofs                 time.Duration
}

// A mean is geometric.
type mean struct {
	logs float64
	n    int
}

func (m *mean) add(x float64) {
	m.logs += math.Log(x)
	m.n++
}

func (m mean) String() string {
	if m.n == 0 {
		return "-"
	}
	return fmt.Sprintf("%.2f", math.Exp(m.logs/float64(m.n)))
}

func (r *row) add(x input) {
	r.inputs++
	if x.ours.Err != "" {
		return
	}
	r.taken++
	r.proofs += x.ours.Proof
	if x.ours.Open == "" {
		r.proved++
	}
	if x.ours.Wrong == "" && x.ours.Checked > 0 {
		r.right++
	}
	if x.ours.As != "" {
		r.smaller++
	}
	if x.isl.Text != "" {
		ours, isl := scan.CountText(x.ours.Text), scan.CountText(x.isl.Text)
		r.ours, r.isl = r.ours.Plus(ours), r.isl.Plus(isl)
		r.operations.add(ratio(float64(ours.Operations()), float64(isl.Operations())))
	}
	if x.isl.Time > 0 {
		r.times.add(float64(x.ours.Time) / float64(x.isl.Time))
		r.took, r.islTook = r.took+x.ours.Time, r.islTook+x.isl.Time
	}
}

// ratio returns a/b, and where one of them is 0, that of numbers that are greater by 1.
func ratio(a, b float64) float64 {
	if a == 0 || b == 0 {
		return (a + 1) / (b + 1)
	}
	return a / b
}

// table prints what came of each folder, and of all inputs.
func table(out io.Writer, list []input) {
	rows := []*row{}
	all := &row{dir: "all"}
	for _, x := range list {
		if len(rows) == 0 || rows[len(rows)-1].dir != x.dir {
			rows = append(rows, rowOf(rows, x.dir))
		}
		rowOf(rows, x.dir).add(x)
		all.add(x)
	}
	seen := map[*row]bool{}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "\tinputs\tloops\tproved\tright\tsmaller\toperations / isl's\tfor\tif\tmod\tmin\tmax\t?\ttime / isl's\tms\tisl's\tproofs\t")
	for _, r := range append(rows, all) {
		if seen[r] {
			continue
		}
		seen[r] = true
		pair := func(a, b int) string { return fmt.Sprintf("%d/%d", a, b) }
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\t%v\t%s\t%s\t%s\t%s\t%s\t%s\t%v\t%.0f\t%.0f\t%.0f\t\n", r.dir, r.inputs, r.taken, r.proved, r.right, r.smaller, r.operations,
			pair(r.ours.Loops, r.isl.Loops), pair(r.ours.Ifs, r.isl.Ifs), pair(r.ours.Mods, r.isl.Mods), pair(r.ours.Mins, r.isl.Mins),
			pair(r.ours.Maxes, r.isl.Maxes), pair(r.ours.Selects, r.isl.Selects), r.times, ms(r.took), ms(r.islTook), ms(r.proofs))
	}
	w.Flush()
}

// rowOf returns the row of a folder, a new one if there is none.
func rowOf(rows []*row, dir string) *row {
	for _, r := range rows {
		if r.dir == dir {
			return r
		}
	}
	return &row{dir: dir}
}

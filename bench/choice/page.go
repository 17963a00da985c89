package main

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/hexcc/hexcc/tune/stencil"
)

// This file prints what was found, as the part of a page of the documents that is made.

// The part of the page that is made lies between these lines.
const begins, ends = "<!-- made by make bench-choice -->", "<!-- the end of what is made -->"

// writePage puts text between the lines of the page; the rest of it is written by hand.
func writePage(path, text string) error {
	page, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	before, rest, ok := bytes.Cut(page, []byte(begins))
	_, after, also := bytes.Cut(rest, []byte(ends))
	if !ok || !also {
		return fmt.Errorf("%s: there are no lines %s and %s", path, begins, ends)
	}
	return os.WriteFile(path, slices.Concat(before, []byte(begins+"\n\n"+text+"\n"+ends), after), 0o666)
}

// table prints what verdicts say of GPUs.
func table(all []verdict, of int) string {
	var b strings.Builder
	var known []verdict
	var last time.Time
	for _, v := range all {
		if v.why == "" {
			known = append(known, v)
		}
		if v.At.After(last) {
			last = v.At
		}
	}
	fmt.Fprintf(&b, "%d of %d cells were looked at, up to %s; %d of them have a verdict.\n\n", len(all), of, last.Format("2 January 2006, 15:04 UTC"), len(known))
	b.WriteString("| | cells | by the replay: within 1.1 | mean | worst | cells | as likely: within 1.1 | mean | worst |\n|---|--:|--:|--:|---|--:|--:|--:|---|\n")
	group := func(name string, of func(verdict) string) {
		var names []string
		for _, v := range known {
			if x := of(v); !slices.Contains(names, x) {
				names = append(names, x)
			}
		}
		slices.Sort(names)
		for _, x := range names {
			var raw, then share
			for _, v := range known {
				if of(v) == x {
					raw.add(v.off, v)
					then.add(v.offThen, v)
				}
			}
			fmt.Fprintf(&b, "| %s%s | %v | %v |\n", name, x, raw, then)
		}
	}
	group("", func(verdict) string { return "all" })
	group("", func(v verdict) string { return v.Device })
	group("", func(v verdict) string { return v.Size })
	group("taken: ", func(v verdict) string { return v.took })

	b.WriteString("\nWhere what is taken is off by more than 1.1 as likely:\n\n| program | device | grid | taken | the best | as likely | by the replay |\n|---|---|---|---|---|--:|--:|\n")
	lost := 0
	for _, v := range known {
		if v.offThen > close {
			lost++
			fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %.2f | %.2f |\n", v.Program, v.Device, v.Size, v.took, v.likely, v.offThen, v.off)
		}
	}
	if lost == 0 {
		b.WriteString("| none | | | | | | |\n")
	}

	b.WriteString("\nAll cells: 10⁹ instances of statements a second by the replay, and in brackets by the model.\n\n| program | device | grid | taken | the best | by the replay | as likely | ")
	b.WriteString(strings.Join(columns, " | ") + " |\n|---|---|---|---|---|--:|--:|" + strings.Repeat("--:|", len(columns)) + "\n")
	for _, v := range all {
		fmt.Fprintf(&b, "| %s | %s | %s | ", v.Program, v.Device, v.Size)
		if v.why != "" {
			fmt.Fprintf(&b, "%s | ? | ? | ? |", v.took)
		} else {
			fmt.Fprintf(&b, "%s | %s | %.2f | %.2f |", v.took, v.best, v.off, v.offThen)
		}
		for _, name := range columns {
			fmt.Fprintf(&b, " %s |", v.figure(name))
		}
		b.WriteString("\n")
	}
	b.WriteString("\n")
	for _, v := range all {
		if v.why != "" {
			fmt.Fprintf(&b, "- %s, %s, %s: %s\n", v.Program, v.Device, v.Size, v.why)
		}
	}
	return b.String()
}

// cpuColumns are ways of a CPU, and the program as it is, in the order of the table.
var cpuColumns = []string{"hybrid", "wavefront", "overlapped", "space", stencil.Plain, stencil.Parallel}

// cpuTable prints what verdicts say of CPUs.
func cpuTable(all []verdict) string {
	var b strings.Builder
	var total share
	for _, v := range all {
		total.add(v.off, v)
	}
	fmt.Fprintf(&b, "| | cells | within 1.1 of the best | mean | worst |\n|---|--:|--:|--:|---|\n| all | %v |\n\nMilliseconds of a run.\n\n| program | on | grid | taken | the best | off by | ", total)
	b.WriteString(strings.Join(cpuColumns, " | ") + " |\n|---|---|---|---|---|--:|" + strings.Repeat("--:|", len(cpuColumns)) + "\n")
	for _, v := range all {
		off := "?"
		if v.off > 0 {
			off = fmt.Sprintf("%.2f", v.off)
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s |", v.Program, v.Device, v.Grid, v.took, v.best, off)
		for _, name := range cpuColumns {
			text := "-"
			if i := slices.IndexFunc(v.Ways, func(w Way) bool { return w.Way == name }); i >= 0 {
				if text = "?"; v.Ways[i].Seconds > 0 {
					text = fmt.Sprintf("%.3g", 1e3*v.Ways[i].Seconds)
				}
			}
			b.WriteString(" " + text + " |")
		}
		b.WriteString("\n")
	}
	return b.String()
}

// columns are ways, in the order of the table.
var columns = []string{"hybrid", "streaming", "overlapped", "space", "untiled"}

// figure returns what is found of a way: † stands for borders of streams whose turns were not replayed, * for sizes that the model would not choose now.
func (v verdict) figure(way string) string {
	i := slices.IndexFunc(v.Ways, func(w Way) bool { return w.Way == way })
	if i < 0 {
		return "-"
	}
	w, text := v.Ways[i], "?"
	if w.Replayed > 0 {
		text = fmt.Sprintf("%.3g", w.Replayed/1e9)
		if w.Why != "" {
			text += "†"
		}
	}
	if slices.Contains(v.other, way) {
		text += "*"
	}
	if w.Expected > 0 {
		text += fmt.Sprintf(" (%.3g)", w.Expected/1e9)
	}
	return text
}

package advice

import (
	"cmp"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hexcc/hexcc/model"
	"github.com/hexcc/hexcc/profile"
)

// This file says a Result in words.

const (
	wide   = 100 // where lines are broken
	indent = 14  // of what stands beside a name
)

type writer struct{ strings.Builder }

func (w *writer) line(format string, args ...any) { fmt.Fprintf(w, format+"\n", args...) }

// item writes a name and words beside it, broken where the line is full.
func (w *writer) item(name, text string) {
	if text == "" {
		return
	}
	lead, column := "  "+name, indent
	if utf8.RuneCountInString(lead) >= column {
		w.line("%s", lead)
		lead = ""
	}
	line := fmt.Sprintf("%-*s", column, lead)
	empty := true
	for _, word := range strings.Fields(text) {
		if !empty && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > wide {
			w.line("%s", strings.TrimRight(line, " "))
			line, empty = strings.Repeat(" ", column+2), true
		}
		if !empty {
			line += " "
		}
		line, empty = line+word, false
	}
	w.line("%s", line)
}

// Text returns r in words.
func (r *Result) Text() string {
	w := &writer{}
	for i := range r.Regions {
		if i > 0 {
			w.line("")
		}
		r.region(w, &r.Regions[i])
	}
	if len(r.Others) > 0 || len(r.Notes) > 0 {
		w.line("")
		w.line("Of %s", r.Profile)
		w.item("left out", strings.Join(r.Others, ", "))
		for _, n := range r.Notes {
			w.item("note", n)
		}
	}
	return w.String()
}

func (r *Result) region(w *writer, x *Region) {
	w.line("%s: function %s, line %d", r.File, x.Function, x.Line)
	how := "--strategy=" + x.Strategy + " --tile=" + x.Sizes
	if x.Pipeline != "" {
		how = "--kernel=streaming --pipeline=" + x.Pipeline
	}
	w.item("tiles", how+" --arch="+x.Arch)
	if x.Measured {
		w.item("measured", "by "+r.Profile)
	} else {
		w.item("counted", fmt.Sprintf("not measured; shares are for %s, by the model", x.Part))
	}
	w.item("sizes", sizesText(x.Grid))
	for i := range x.Kernels {
		w.line("")
		if i > 0 && x.Kernels[i].like(&x.Kernels[i-1]) {
			w.line("Kernel %s: the same", x.Kernels[i].Name)
			continue
		}
		x.Kernels[i].text(w, x)
	}
	x.compared(w)
	x.trials(w)
}

// like reports whether the same was counted of k and o, of which nothing was measured.
func (k *Kernel) like(o *Kernel) bool {
	a, b := k.Counted, o.Counted
	a.Kernel, a.Also, a.Launches, a.Blocks, a.CodeBytes = b.Kernel, b.Also, b.Launches, b.Blocks, b.CodeBytes
	return k.Measured == nil && o.Measured == nil && reflect.DeepEqual(a, b)
}

func sizesText(grid []model.Value) string {
	var parts []string
	for _, v := range grid {
		parts = append(parts, fmt.Sprintf("%s=%d (%s)", v.Name, v.Value, v.From))
	}
	return strings.Join(parts, ", ")
}

func (k *Kernel) text(w *writer, x *Region) {
	head := "Kernel " + k.Name
	if m := k.Measured; m != nil {
		head += ", " + counted(int64(m.Launches), "launch", "launches")
		if s, ok := m.Has(profile.Time); ok {
			head += fmt.Sprintf(", %s", seconds(s))
		}
	} else if k.Counted.Launches > 0 {
		head += ", " + counted(k.Counted.Launches, "launch", "launches")
	}
	w.line("%s", head)
	for i, f := range k.Findings {
		name := "also"
		if i == 0 {
			name = "bound by"
		}
		w.item(name, f.Text)
	}
	w.item("in use", sharesText(k.Shares))
	if k.Measured != nil {
		k.measured(w)
	} else {
		k.counted(w, x)
	}
	for _, c := range k.Comparison {
		w.item("", comparisonText(c))
	}
}

// measured says what a profile has beside shares.
func (k *Kernel) measured(w *writer) {
	m := k.Measured
	var stalls []string
	for _, r := range slices.SortedFunc(maps.Keys(m.Stalls), func(a, b string) int { return cmp.Or(cmp.Compare(m.Stalls[b], m.Stalls[a]), cmp.Compare(a, b)) }) {
		if m.Stalls[r] >= 0.05 {
			stalls = append(stalls, fmt.Sprintf("%s %s", r, percentText(m.Stalls[r])))
		}
	}
	w.item("warps wait", strings.Join(stalls, ", "))
	var parts []string
	if v, ok := m.Has(profile.Occupied); ok {
		parts = append(parts, percentText(v)+" of the warps that a multiprocessor holds")
	}
	if v, ok := m.Has(profile.Registers); ok {
		parts = append(parts, fmt.Sprintf("%.0f registers a thread", v))
	}
	if v, ok := m.Has(profile.Waves); ok {
		parts = append(parts, fmt.Sprintf("%.3g blocks for each that runs at once", v))
	}
	if v, ok := m.Idle(); ok {
		parts = append(parts, percentText(v)+" of the time without a warp")
	}
	w.item("runs", strings.Join(parts, ", "))
	w.item("lacks", strings.Join(m.Lacks, "; "))
}

// counted says what was counted.
func (k *Kernel) counted(w *writer, x *Region) {
	c := k.Counted
	if c.Of == "" {
		w.item("counted", "nothing")
		return
	}
	w.item("counted", fmt.Sprintf("of a %s of %s, by update: %.3g bytes of global memory, %.3g passes over shared memory, %.3g of them by bank conflicts, %.3g operations, %.3g instructions without addresses",
		c.Of, counted(c.Updates, "update", "updates"), c.Bytes, c.SharedPasses, c.Conflicts, c.Operations, c.Instructions))
	w.item("roofline", intensityText(k.Intensity))
	name, more := "estimated", ""
	if c.Compiled {
		name, more = "compiled", fmt.Sprintf(", %d bytes of code", c.CodeBytes)
	}
	w.item(name, fmt.Sprintf("%d registers a thread, %d blocks at once on a multiprocessor, bounded by %s%s", c.Registers, c.BlocksPerSM, c.Limit, more))
	if c.SecondsPerUpdate > 0 {
		w.item("expected", fmt.Sprintf("%s an update on %s, by the model", pico(c.SecondsPerUpdate), x.Part))
	} else {
		w.item("expected", "the model has no time for these tiles: what takes longest stands for it")
	}
}

// compared says what was measured beside what was expected.
func (x *Region) compared(w *writer) {
	if !x.Measured {
		return
	}
	w.line("")
	head := "Measured and expected, by update"
	if x.Compared != "" {
		head += ", " + x.Compared
	}
	w.line("%s", head)
	if x.Uncompared != "" {
		w.item("", "not compared: "+x.Uncompared)
	}
	for _, c := range x.Comparison {
		w.item("", comparisonText(c))
	}
	w.item("roofline", intensityText(x.Intensity))
}

func intensityText(all []profile.Intensity) string {
	var parts []string
	for _, n := range all {
		parts = append(parts, fmt.Sprintf("%.3g operations for a byte of %s, and the device does %.3g in its time", n.Kernel, n.Resource, n.Balance))
	}
	return strings.Join(parts, "; ")
}

func comparisonText(c profile.Comparison) string {
	text := fmt.Sprintf("%s: %s measured, %s expected (%s)", c.What, withUnit(c.Measured, c.Unit), withUnit(c.Expected, c.Unit), c.Note)
	if c.Differs {
		text += fmt.Sprintf(": %.3g times as expected", c.Ratio)
	}
	return text
}

func withUnit(v float64, unit string) string {
	if unit == "ps" {
		return fmt.Sprintf("%.3g ps", v)
	}
	return fmt.Sprintf("%.3g", v)
}

func (x *Region) trials(w *writer) {
	w.line("")
	if len(x.Trials) == 0 {
		w.line("Nothing to try is known for that.")
		return
	}
	w.line("To try")
	for _, t := range x.Trials {
		head := t.Flags
		if len(t.Without) > 0 {
			head += ", without " + strings.Join(t.Without, " ")
		}
		w.line("  %s", head)
		w.item("", t.Why)
		if t.Accepted {
			w.item("", "hexcc takes it: "+t.Made)
		} else {
			w.item("", "hexcc does not take it: "+t.Refused)
		}
	}
}

func sharesText(shares map[profile.Resource]float64) string {
	var parts []string
	for _, r := range slices.SortedFunc(maps.Keys(shares), func(a, b profile.Resource) int {
		return cmp.Or(cmp.Compare(shares[b], shares[a]), cmp.Compare(a, b))
	}) {
		parts = append(parts, fmt.Sprintf("%s %s", r, percentText(shares[r])))
	}
	return strings.Join(parts, ", ")
}

func percentText(share float64) string { return fmt.Sprintf("%.0f %%", 100*share) }

func counted(n int64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

func seconds(s float64) string {
	switch {
	case s >= 1:
		return fmt.Sprintf("%.3g s", s)
	case s >= 1e-3:
		return fmt.Sprintf("%.3g ms", 1e3*s)
	}
	return fmt.Sprintf("%.3g us", 1e6*s)
}

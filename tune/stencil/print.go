package stencil

import (
	"fmt"
	"math"
	"regexp"
	"strings"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/tune"
)

// This file says in words and tables what there is to measure, and what was found.

// About says what is measured, where and at what sizes.
func (t *Tuner) About() string {
	text := fmt.Sprintf("region at line %d, function %s, for --target=%s\nsizes: %s", t.Scop.UserLine(), t.Scop.Function, t.Options.Target, t.Sizes())
	if len(t.Assumed) > 0 {
		text += fmt.Sprintf(" (assumed: %s; -DNAME=V gives others)", strings.Join(t.Assumed, ", "))
	}
	return text + "\n"
}

// Unit says what expected times are in.
func (t *Tuner) Unit() string {
	switch {
	case t.Seconds:
		return "seconds"
	case t.Ways.Plain > 0 && t.Options.Target == hexcc.OpenMP:
		return "times what " + Parallel + " takes"
	case t.Ways.Plain > 0:
		return "times what " + Plain + " take"
	}
	return "a weight"
}

// figure returns an expected time, "-" where there is none.
func (t *Tuner) figure(expected float64) string {
	switch {
	case expected == 0:
		return "-"
	case t.Seconds:
		return seconds(expected)
	}
	return fmt.Sprintf("%.3f", expected)
}

// seconds prints a time with four digits.
func seconds(s float64) string {
	digits := 3 - int(math.Floor(math.Log10(max(s, 1e-9))))
	return fmt.Sprintf("%.*f", min(max(digits, 0), 9), s)
}

// DryRun lists the candidates by what the model expects of them, its choice first.
func (t *Tuner) DryRun() string {
	rows := [][]string{{"expected", "bound by", "candidate"}}
	for i, c := range t.All() {
		bound, name := c.Bound, c.Name
		if bound == "" {
			bound = "-"
		}
		if i == 0 {
			name += "   (the model's choice)"
		}
		rows = append(rows, []string{t.figure(c.Expected), bound, name})
	}
	text := t.About() + fmt.Sprintf("what the model expects of each candidate: %s; nothing is run\n", t.Unit()) + table(rows)
	return text + t.refusals()
}

// refusals says why strategies do not apply.
func (t *Tuner) refusals() string {
	var b strings.Builder
	for _, r := range t.Refused {
		fmt.Fprintf(&b, "not --strategy=%s: %s\n", r.Strategy, r.Why)
	}
	return b.String()
}

// Table lists what was measured, the fastest first, and what was rejected, with the reasons.
func (t *Tuner) Table(r *tune.Result) string {
	rows, rejected, again := [][]string{{"seconds", "ratio", "expected", "candidate"}}, "", 0
	best := math.Inf(1)
	if b := r.Best(); b != nil {
		best = b.Best()
	}
	for _, o := range r.Ranked() {
		if o.Rejected != nil {
			rejected += fmt.Sprintf("rejected: %s: %s: %s\n", o.Name, o.Rejected.Kind, o.Rejected.Why)
			continue
		}
		ratio := "-"
		if !math.IsInf(best, 1) {
			ratio = fmt.Sprintf("%.2f", o.Best()/best)
		}
		name := o.Name
		if o.Final != nil {
			again, name = again+1, name+"   *"
		}
		rows = append(rows, []string{seconds(o.Best()), ratio, t.figure(o.Expected), name})
	}
	head := fmt.Sprintf("the fastest run of each, of %d or more; all have the results of the program as it is, bit for bit; expected by the model: %s\n", t.Repetitions, t.Unit())
	if again > 0 {
		head += fmt.Sprintf("* the fastest %d ran again in the end, by turns, and their times are of these runs: the fastest was taken of them\n", again)
	}
	return head + table(rows) + rejected + t.refusals()
}

// table aligns columns, all but the last to the right where they are numbers.
func table(rows [][]string) string {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], len(cell))
		}
	}
	var b strings.Builder
	for _, row := range rows {
		for i, cell := range row[:len(row)-1] {
			fmt.Fprintf(&b, "  %*s", widths[i], cell)
		}
		fmt.Fprintf(&b, "  %s\n", row[len(row)-1])
	}
	return b.String()
}

// Summary says what is fastest, beside what others take, and how to ask for it. program are the words with which hexcc is called for the file, without what the candidate says.
func (t *Tuner) Summary(r *tune.Result, program []string) string {
	best := r.Best()
	if best == nil {
		return "no candidate was measured\n"
	}
	rows := [][]string{{"fastest", seconds(best.Best()), "", best.Name}}
	for _, x := range []struct{ what, name string }{{"model's choice", t.First.Flags()}, {Parallel, Parallel}, {Plain, Plain}} {
		o, flags := r.Of(x.name), x.name
		if flags == x.what {
			flags = ""
		}
		switch {
		case o == nil:
			continue
		case o.Rejected != nil:
			rows = append(rows, []string{x.what, "-", string(o.Rejected.Kind), flags})
		default:
			rows = append(rows, []string{x.what, seconds(o.Best()), fmt.Sprintf("%.2f times as long", o.Best()/best.Best()), flags})
		}
	}
	var b strings.Builder
	for _, row := range rows {
		fmt.Fprintf(&b, "%-16s  %9s s  %-20s  %s\n", row[0], row[1], row[2], row[3])
	}
	for _, name := range []string{Parallel, Plain} {
		if o := r.Of(name); o != nil && o.Best() < best.Best() {
			fmt.Fprintf(&b, "nothing that hexcc makes is as fast as %s at these sizes\n", name)
			break
		}
	}
	b.WriteString(t.heights(r, best))
	words := append([]string{"hexcc"}, strings.Fields(t.Flags(best.Name))...)
	for i, w := range append(words, program...) {
		if i > 0 {
			b.WriteByte(' ')
		} else {
			b.WriteString("as flags:  ")
		}
		b.WriteString(quoted(w))
	}
	fmt.Fprintf(&b, "\nas a line before #pragma scop:  %s\n", t.Pragma(best.Name))
	if best.Threads > 0 {
		fmt.Fprintf(&b, "it ran in fewer threads than there are processors, which is a setting of the environment:  %s ./program\n", threads(best.Threads))
	}
	return b.String()
}

var plainWord = regexp.MustCompile(`^[A-Za-z0-9_=,./:+@%-]+$`)

// quoted returns a word as a shell takes it.
func quoted(word string) string {
	if plainWord.MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// heights says how T steps could run in tiles of several heights, where one height leaves a rest. It returns "" where that is not so.
func (t *Tuner) heights(r *tune.Result, best *tune.Outcome) string {
	T := t.Grid.Steps
	if best.Steps < 1 || T < 1 || T%best.Steps == 0 {
		return ""
	}
	f := t.passes(r, best)
	plan, least := tune.Heights(T, f)
	if len(plan) < 2 { // one height, or measured ones do not add up
		return ""
	}
	var parts []string
	for _, s := range plan {
		parts = append(parts, fmt.Sprintf("%dx%d", s.Height, s.Times))
	}
	return fmt.Sprintf("%d steps are no multiple of the %d of a tile: by what was measured %s (steps of a tile x tiles) would take %s s; a translation has tiles of one height\n",
		T, best.Steps, strings.Join(parts, " + "), seconds(least))
}

// passes returns what a pass of tiles of each height takes that was measured with the strategy and in the threads of the best: a part of the run, of which the last pass may have a rest to do only.
func (t *Tuner) passes(r *tune.Result, best *tune.Outcome) map[int64]float64 {
	f := map[int64]float64{}
	for _, o := range r.Outcomes {
		if o.Group != best.Group || o.Threads != best.Threads || o.Steps < 1 || math.IsInf(o.Best(), 1) {
			continue
		}
		pass := o.Best() / math.Ceil(float64(t.Grid.Steps)/float64(o.Steps))
		if x, known := f[o.Steps]; !known || pass < x {
			f[o.Steps] = pass
		}
	}
	return f
}

// Progress says in a line what a search is at.
func Progress(p tune.Progress) string {
	text := fmt.Sprintf("tune: %d of %d (%s), %s left", p.Done, p.Total, p.Level, clock(p.Left.Seconds()))
	if p.Best != nil {
		text += fmt.Sprintf("; best %s s: %s", seconds(p.Best.Best()), p.Best.Name)
	}
	return text
}

// Last says in a line what has just ended, "" where nothing has.
func Last(p tune.Progress) string {
	switch o := p.Last; {
	case o == nil:
		return ""
	case o.Rejected != nil:
		return fmt.Sprintf("tune: %s: %s: %s", o.Name, o.Rejected.Kind, o.Rejected.Why)
	case o.Logged:
		return fmt.Sprintf("tune: %s: %s s, from the log", o.Name, seconds(o.Best()))
	default:
		return fmt.Sprintf("tune: %s: %s s", o.Name, seconds(o.Best()))
	}
}

func clock(s float64) string { return fmt.Sprintf("%d:%02d", int(s)/60, int(s)%60) }

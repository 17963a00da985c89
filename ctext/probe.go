package ctext

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/scop"
)

// This file prints what a program tells of its memory where a region begins and where it ends. The functions that are called are
// those of package crun.

// A Probe is what stands around a region, number Site, and the arrays that it tells of.
type Probe struct {
	Site   int
	Arrays []scop.Object // by the numbers that it tells them with
	begin  []string
}

// NewProbe returns a probe that tells of what programs, which were made of a region, use: arrays that live longer than the
// region, and of which nothing has one of the names that the region declares.
func NewProbe(site int, programs []*scop.Program, declared []string) *Probe {
	b := &Probe{Site: site}
	for _, p := range programs {
		b.add(p, declared)
	}
	return b
}

// add adds the arrays of p.
func (b *Probe) add(p *scop.Program, declared []string) {
	var rows Printer
	Distances(&rows, p)
	text := oneLine(rows.Buf.String())
	if uses(text, declared) {
		return
	}
	var distances []string
	for _, r := range p.Rows {
		distances = append(distances, r.Distances...)
	}
	before := len(b.Arrays)
	vectors, plain, are := "", "", []string(nil) // what is called where rows are vectors, and where they lie at one distance
	for _, a := range p.Arrays {
		if a.Local || a.Scratch {
			continue
		}
		for k, o := range a.Objects() {
			call := b.array(p, a, o)
			if uses(call, declared) || usesOurs(call, distances) {
				continue
			}
			if rows := b.rows(p, o, -1); rows != "" {
				are = append(are, b.rows(p, o, 0))
				vectors += rows + "; "
			} else {
				vectors += call + " "
			}
			plain += call + " "
			b.Arrays = append(b.Arrays, scop.Object{Array: a, Index: k})
		}
	}
	if len(b.Arrays) == before {
		return
	}
	text = "{ " + text + plain + "}"
	if len(are) > 0 {
		text = fmt.Sprintf("if (%s) { %s} else %s", strings.Join(are, " && "), vectors, text)
	}
	b.begin = append(b.begin, text)
}

// rows returns the call that tells of o, of p, row by row, where in C++ it may be a vector of vectors; "" if it is none. Count is how many rows are told of, -1 for all that
// the region uses: the call says whether they are vectors.
func (b *Probe) rows(p *scop.Program, o scop.Plane, count int) string {
	for _, r := range p.Rows {
		if p.Cxx && slices.Contains(r.Tables, o.Variable()) {
			rows := fmt.Sprint(count)
			if count < 0 {
				rows = longSum(p, r.Counts[0])
			}
			return fmt.Sprintf("hexcc_probe_rows(%d, %d, %s, 0, %s, 0, 0, 0)", b.Site, len(b.Arrays), o.Variable(), rows)
		}
	}
	return ""
}

func oneLine(text string) string {
	if text == "" {
		return ""
	}
	return strings.Join(strings.Fields(text), " ") + " "
}

var identifiers = regexp.MustCompile(`[\pL_$][\pL\d_$]*`)

// uses reports whether C text has one of names.
func uses(text string, names []string) bool {
	return slices.ContainsFunc(identifiers.FindAllString(text, -1), func(name string) bool { return slices.Contains(names, name) })
}

// usesOurs reports whether C text has a variable of hexcc's, which the user's file does not have, but for those that are declared.
func usesOurs(text string, declared []string) bool {
	return slices.ContainsFunc(identifiers.FindAllString(text, -1), func(name string) bool {
		return strings.HasPrefix(name, "hexcc_") && !strings.HasPrefix(name, "hexcc_probe_") && !slices.Contains(declared, name)
	})
}

// array returns the statement that tells of an object of a: its bytes from those of the first element that is known to exist to those of the last.
func (b *Probe) array(p *scop.Program, a *scop.Array, o scop.Plane) string {
	var conds []string
	extents := ""
	size := fmt.Sprintf("%dULL", a.Elem.Size())
	all, from, to := size, "0ULL", ""
	at := func(subs []scop.Affine) string {
		text := "0"
		for k, e := range a.ObjectExtents() {
			text = fmt.Sprintf("(%s) * (%s) + (%s)", text, longSum(p, e), longSum(p, subs[k]))
		}
		return text
	}
	for _, e := range a.ObjectExtents() {
		conds = append(conds, longSum(p, e)+" > 0")
		extents += ", " + longSum(p, e)
		all += fmt.Sprintf(" * (unsigned long long)(%s)", longSum(p, e))
	}
	if to = all; len(a.Last) > 0 {
		to = fmt.Sprintf("%s * (unsigned long long)(%s + 1)", size, at(a.Last))
	}
	if len(a.First) > 0 {
		from = fmt.Sprintf("%s * (unsigned long long)(%s)", size, at(a.First))
	}
	call := fmt.Sprintf("hexcc_probe_array(%d, %d, (const void *)(%s), %s, %s, %d%s);", b.Site, len(b.Arrays), p.Base(a, o), from, to, len(conds), extents)
	if len(conds) > 0 {
		call = fmt.Sprintf("if (%s) %s", strings.Join(conds, " && "), call)
	}
	return call
}

// Begin returns the statement that stands in front of the region, in one line.
func (b *Probe) Begin() string {
	return fmt.Sprintf("{ hexcc_probe_begin(%d); %s hexcc_probe_began(); } ", b.Site, strings.Join(b.begin, " "))
}

// End returns the statement that stands behind it.
func (b *Probe) End() string { return "hexcc_probe_end(); " }

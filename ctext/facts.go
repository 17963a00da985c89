package ctext

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/scop"
)

// This file prints conditions for what generated code relies on but C does not
// guarantee: facts about parameters, and arrays that must not overlap.

// HasWide reports whether parameters of p have 64 bits.
func HasWide(p *scop.Program) bool {
	return slices.ContainsFunc(p.Params, func(q scop.Param) bool { return q.Type.Size() > scop.Int.Size() })
}

// Within returns p with facts that say of each parameter of 64 bits that its magnitude is at most most.
func Within(p *scop.Program, most int64) *scop.Program {
	q := *p
	q.Facts = slices.Clone(p.Facts)
	for i, x := range p.Params {
		if x.Type.Size() <= scop.Int.Size() {
			continue
		}
		row := func(c int64) scop.Affine {
			a := scop.Affine{Const: most, Params: make([]int64, len(p.Params))}
			a.Params[i] = c
			return a
		}
		q.Facts = append(q.Facts, scop.Fact{Row: row(-1), Text: fmt.Sprintf("%s <= %d", x.Name, most), Range: true})
		if !x.Type.IsUnsigned() {
			q.Facts = append(q.Facts, scop.Fact{Row: row(1), Text: fmt.Sprintf("%s >= -%d", x.Name, most), Range: true})
		}
	}
	return &q
}

// Tested reports whether the region of p is entered through a test.
func Tested(p *scop.Program) bool { return len(p.Facts)+len(p.Apart) > 0 }

// Conditions returns what is tested, for people.
func Conditions(p *scop.Program) (texts []string) {
	for _, f := range p.Facts {
		texts = append(texts, f.Text)
	}
	for _, pair := range p.Apart {
		texts = append(texts, fmt.Sprintf("arrays %s and %s do not overlap", pair[0].Name(), pair[1].Name()))
	}
	return texts
}

// TestUses returns the parameters and arrays that the test looks at.
func (s *Spelling) TestUses() map[string]bool {
	p := s.Scop
	used := map[string]bool{}
	note := func(a scop.Affine) {
		for i, c := range a.Params {
			used[p.Params[i].Name] = used[p.Params[i].Name] || c != 0
		}
	}
	for _, f := range p.Facts {
		note(f.Row)
		for _, x := range f.Factors {
			note(x)
		}
	}
	for _, pair := range p.Apart {
		for _, o := range pair {
			used[o.Name()] = true
			for _, e := range o.Extents() {
				note(e)
			}
		}
	}
	return used
}

// TestConditions returns in C what is tested, in the order of Conditions.
func (s *Spelling) TestConditions() []string {
	return append(s.factConditions(), s.apartConditions()...)
}

// SilenceUntested prints what keeps compilers from warning of arguments that the
// test does not look at.
func (s *Spelling) SilenceUntested(out *Printer) {
	used := s.TestUses()
	for _, name := range s.argumentNames() {
		if !used[name] {
			out.Line("(void)%s;", s.Outer[name])
		}
	}
}

// argumentNames returns the names of what a test is passed: parameters, scalars and objects.
func (s *Spelling) argumentNames() (names []string) {
	for _, q := range s.Scop.Params {
		names = append(names, q.Name)
	}
	for _, q := range s.Scop.Scalars {
		names = append(names, q.Name)
	}
	for _, a := range s.Scop.Tested().Arrays {
		for _, o := range a.Objects() {
			names = append(names, o.Name)
		}
	}
	return names
}

// TestBody prints the body of a function that returns whether what is tested
// holds. If not, it says so once by a call that begins as say does: the original
// loops then run instead of what is named, or with refuse the program stops.
func (s *Spelling) TestBody(out *Printer, say, instead string, refuse bool) {
	out.Line("const char *violated = 0;")
	for i, text := range s.TestConditions() {
		out.Line("if (!(%s))", text)
		out.Line("  violated = %s;", Quote(Conditions(s.Scop)[i]))
	}
	otherwise := "the original loops run instead of " + instead
	if refuse {
		otherwise = "the program stops"
	}
	out.Line("static int said = 0;")
	out.Braces("if (violated && !said)", func() {
		out.Line("said = 1;")
		out.Line("%s, \"%%s:%%d: hexcc: it does not hold that %%s: %s\\n\",", say, otherwise)
		out.Line("    %s", ViolatedAt(s.Scop))
	})
	out.Line("return !violated;")
}

// ViolatedAt returns the end of the call in TestBody that says what does not hold: where the region is.
func ViolatedAt(p *scop.Program) string {
	return fmt.Sprintf("%s, %d, violated);", Quote(p.File), p.UserLine())
}

// factConditions returns each fact in C, in a type in which nothing overflows.
func (s *Spelling) factConditions() (conds []string) {
	for _, f := range s.Scop.Facts {
		if len(f.Factors) > 0 {
			conds = append(conds, s.atMost(f.Factors, f.Most))
			continue
		}
		conds = append(conds, s.wide(f.Row)+" >= 0")
	}
	return conds
}

// atMost returns the condition that the product of factors is at most most, or one of them is not positive.
func (s *Spelling) atMost(factors []scop.Affine, most int64) string {
	cond, quotient := "", fmt.Sprint(most)
	for _, f := range factors[1:] {
		cond += fmt.Sprintf("%s <= 0 || ", s.wide(f))
		quotient += fmt.Sprintf(" / (%s)", s.wide(f))
	}
	return cond + s.wide(factors[0]) + " <= " + quotient
}

// wideType returns the cast to a type in which sums of parameters of p do not overflow.
func wideType(p *scop.Program) string {
	if HasWide(p) {
		return "__extension__ (__int128)" // not ISO C, which -pedantic would tell of
	}
	return "(long)"
}

// wide returns a, over parameters, in a type in which it does not overflow.
func (s *Spelling) wide(a scop.Affine) string {
	wide := wideType(s.Scop)
	text := fmt.Sprintf("%s%d", wide, a.Const)
	for i, c := range a.Params {
		sign := " + "
		if c < 0 {
			sign, c = " - ", -c
		}
		if name := s.Outer[s.Scop.Params[i].Name]; c == 1 {
			text += sign + name
		} else if c != 0 {
			text += fmt.Sprintf("%s%s%d * %s", sign, wide, c, name)
		}
	}
	return text
}

// apartConditions returns, for each pair of arrays, that one ends before the other begins, or that rows of one lie between those of the other.
func (s *Spelling) apartConditions() (conds []string) {
	for _, pair := range s.Scop.Apart {
		x, y := pair[0], pair[1]
		before := func(x, y scop.Object) string {
			var all []string
			for _, bytes := range s.lengths(x) {
				all = append(all, fmt.Sprintf("(const char *)%s + %s <= (const char *)%s", s.Outer[x.Name()], bytes, s.Outer[y.Name()]))
			}
			if len(all) > 1 {
				return "(" + strings.Join(all, " && ") + ")"
			}
			return all[0]
		}
		cond := before(x, y) + " || " + before(y, x)
		if between := s.between(x, y); between != "" {
			cond += " || " + between
		}
		conds = append(conds, cond)
	}
	return conds
}

// rowsApart returns, in bytes, how far rows of o lie apart that are reached by pointers, and all that may be how much of one is used; no distance, if there are no such rows, or what is
// between them does not stay as it is.
func (s *Spelling) rowsApart(o scop.Object) (distance string, used []string) {
	e := o.Extents()
	last := e[len(e)-1]
	at := slices.IndexFunc(last.Params, func(c int64) bool { return c != 0 })
	if !s.InPlace || at < 0 || last.Const != 0 || last.Params[at] != 1 || slices.ContainsFunc(last.Params[at+1:], func(c int64) bool { return c != 0 }) {
		return "", nil
	}
	name := s.Scop.Params[at].Source()
	if !slices.ContainsFunc(s.Scop.Rows, func(r scop.RowPointers) bool { return r.Distances[len(r.Distances)-1] == name }) {
		return "", nil
	}
	size := fmt.Sprintf("(long)sizeof(%s) * ", o.Array.Elem.InMemory())
	for _, least := range leastRows(s.Scop, name) {
		used = append(used, size+"("+s.wide(least)+")")
	}
	if len(used) == 0 {
		return "", nil
	}
	return size + s.Outer[s.Scop.Params[at].Name], used
}

// lengths returns how many bytes o has, or all that may be that: its last row ends where nothing uses it any more.
func (s *Spelling) lengths(o scop.Object) (all []string) {
	distance, used := s.rowsApart(o)
	for _, n := range used {
		all = append(all, fmt.Sprintf("%s - %s + %s", s.bytes(o), distance, n))
	}
	if distance == "" {
		return []string{s.bytes(o)}
	}
	return all
}

// between returns the condition that the rows of x and y lie at one distance, as those that malloc gives by turns do, and that those of x end before those of y begin, or the
// other way around; "" if not both have rows that are reached by pointers.
func (s *Spelling) between(x, y scop.Object) string {
	d, usedX := s.rowsApart(x)
	e, usedY := s.rowsApart(y)
	if d == "" || e == "" {
		return ""
	}
	from := fmt.Sprintf("((long)((unsigned long)%s - (unsigned long)%s) %% (%s) + %[3]s) %% (%[3]s)", s.Outer[y.Name()], s.Outer[x.Name()], d)
	conds := []string{d + " > 0"}
	if d != e {
		conds = append(conds, d+" == "+e)
	}
	for _, n := range usedX {
		conds = append(conds, n+" <= "+from)
	}
	for _, n := range usedY {
		conds = append(conds, from+" + "+n+" <= "+d)
	}
	return "(" + strings.Join(conds, " && ") + ")"
}

// bytes returns the size of o; with an extent that is not positive it does not matter.
func (s *Spelling) bytes(o scop.Object) string {
	text := fmt.Sprintf("sizeof(%s)", o.Array.Elem.InMemory())
	for _, e := range o.Extents() {
		text += fmt.Sprintf(" * (unsigned long long)(%s)", s.wide(e))
	}
	return text
}

var pragmaLine = regexp.MustCompile(`^[ \t]*#[ \t]*pragma[ \t]+(scop|endscop)\b`)

// Original returns the source of the region without its pragmas, and the number
// of its first line.
func Original(p *scop.Program) (text string, line int) {
	lines := strings.SplitAfter(strings.TrimSuffix(string(p.Source[p.Region.Start:p.Region.End]), "\n"), "\n")
	line = p.Region.StartLine
	if pragmaLine.MatchString(lines[0]) {
		lines, line = lines[1:], line+1
	}
	if last := len(lines) - 1; last >= 0 && pragmaLine.MatchString(lines[last]) {
		lines = lines[:last]
	}
	text = strings.Join(lines, "")
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return text, line
}

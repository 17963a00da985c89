package ctext

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/poly"
	"github.com/hexcc/hexcc/scop"
)

// This file prints the user's source with its regions replaced by calls.

// A Call is what stands for a region.
type Call struct {
	Scop *scop.Program
	Note string // a comment that says where it goes
	Run  string // the function that does what the region does
	// Status: Run returns 0, or something else where it failed. Then Stop says why and ends the
	// program; where it is "", Run has said why.
	Status bool
	Stop   string
	// Ready, unless it is "", is the function that says whether Run can work on this machine; else the original loops run.
	Ready  string
	Test   string // the function that says whether the facts hold, "" if there are none to test
	Refuse bool   // where they do not, stop the program; else run the original loops
	// Bounded: facts say that parameters are not too large.
	Bounded bool
	// Parts: arrays are parts of the user's, and other functions than those of the user's file stand around it: nothing is said of either.
	Parts bool
	// Text, unless it is "", is what Written returned of the same call: it stands for the region, and the rest is not looked at but for Scop.
	Text string
}

// Written returns the text that stands for the region, in which lines of the region are counted from its first one.
func (c Call) Written() string {
	if c.Text != "" {
		return c.Text
	}
	return c.text()
}

// Replaced returns the user's source with the regions replaced by calls, which are
// in source order, at least one. It begins with a #line directive; others keep all positions.
func Replaced(calls []Call) string {
	return fmt.Sprintf("#line 1 %s\n", Quote(calls[0].Scop.File)) + ReplacedIn(calls, 0, len(calls[0].Scop.Source))
}

// ReplacedIn returns a part of the source, from one offset to another, with the regions in it replaced by calls.
func ReplacedIn(calls []Call, from, to int) string {
	file := Quote(calls[0].Scop.File)
	var b strings.Builder
	done := from
	for _, c := range calls {
		r := c.Scop.Region
		done = open(&b, calls, done, r.Start)
		b.Write(placed(c.Scop, done, r.Start))
		b.WriteString(c.placed())
		if line := c.Scop.Line(r.EndLine + 1); line > 0 {
			fmt.Fprintf(&b, "#line %d %s\n", line, file)
		}
		done = r.End
	}
	b.Write(placed(calls[0].Scop, done, to))
	return b.String()
}

// open writes the source of calls from done on, up to where the last of those openings stands that begin before to, with them, and returns that place.
func open(b *strings.Builder, calls []Call, done, to int) int {
	from := done
	for _, c := range calls {
		p := c.Scop
		if before(p) == "" || p.PrivateAt < from || p.PrivateAt >= to {
			continue
		}
		b.Write(placed(p, done, p.PrivateAt))
		b.WriteString("\n" + before(p))
		done = p.PrivateAt
		if line := p.Line(1 + bytes.Count(p.Source[:done], []byte("\n"))); line > 0 {
			fmt.Fprintf(b, "#line %d %s\n", line, Quote(p.File))
		}
	}
	return done
}

// before returns what stands in front of the declaration that holds the region of p, "" for nothing.
func before(p *scop.Program) string {
	text := p.Opening()
	if len(packs(p)) > 0 {
		text += packing
	}
	return text
}

// placed returns a stretch of the source of p, whole lines, with directives where lines of the user's file do not follow each other.
func placed(p *scop.Program, from, to int) []byte {
	text := p.Source[from:to]
	if len(p.Lines) == 0 {
		return text
	}
	var b bytes.Buffer
	k := 1 + bytes.Count(p.Source[:from], []byte("\n"))
	for i, line := range bytes.SplitAfter(text, []byte("\n")) {
		if at := p.Line(k + i); i > 0 && len(line) > 0 && at > 0 && at != p.Line(k+i-1)+1 {
			fmt.Fprintf(&b, "#line %d %s\n", at, Quote(p.File))
		}
		b.Write(line)
	}
	return b.Bytes()
}

// test returns the call of the function that says whether the facts hold.
func (c Call) test() string { return c.Test + arguments(c.Scop.Tested()) }

// arguments returns the arguments of a call, in the order of Parameters.
func arguments(p *scop.Program) string {
	var args []string
	for _, q := range p.Params {
		args = append(args, q.Source())
	}
	for _, q := range p.Scalars {
		if arg := q.Source(); p.Cxx && q.Type.IsComplex() { // an object of a class, which holds such a number and nothing else
			args = append(args, fmt.Sprintf("*(const %v *)&(%s)", q.Type, arg))
		} else {
			args = append(args, arg)
		}
	}
	for _, a := range p.Arrays {
		for _, o := range a.Objects() {
			arg := fmt.Sprintf("(%s*)(%s)", Pointed(a), first(p, o))
			if offset := p.Offset(a, scop.Param.Source); offset != "" {
				arg += fmt.Sprintf(" - (%s)", offset)
			}
			args = append(args, arg)
		}
	}
	return "(" + strings.Join(args, ", ") + ")"
}

// Parameters returns the parameters of a function that stands for p: its
// parameters, scalars and the first elements of its arrays, named by rename;
// array goes before the names of arrays.
func Parameters(p *scop.Program, array string, rename func(name string, t scop.Type, isParam bool) string) string {
	var params []string
	for _, q := range p.Params {
		params = append(params, strings.TrimSpace(fmt.Sprintf("%v %s", q.Type, rename(q.Name, q.Type, true))))
	}
	for _, q := range p.Scalars {
		params = append(params, strings.TrimSpace(fmt.Sprintf("%v %s", q.Type, rename(q.Name, q.Type, false))))
	}
	for _, a := range p.Arrays {
		qualifier := array
		if a.Shared { // compilers warn of two restrict pointers to one object, though they lead to different elements
			qualifier = ""
		}
		for _, o := range a.Objects() {
			params = append(params, fmt.Sprintf("%s*%s%s", Pointed(a), qualifier, rename(o.Name, a.Elem, false)))
		}
	}
	if len(params) == 0 {
		return "void"
	}
	return strings.Join(params, ", ")
}

// text returns the statement that stands for the region. A failure stops
// the program: going on with arrays of unknown contents would be worse.
func (c Call) text() string {
	out := Printer{Depth: 1}
	out.Braces("", func() {
		if !c.Parts {
			claim(&out, c.Scop)
		}
		if outer := c.Scop.Outer; len(outer) > 0 && !c.Parts {
			out.Line("(void)%s; /* unused from here on */", strings.Join(outer, "; (void)"))
		}
		out.Line("/* %s */", CommentSafe(c.Note))
		if cond := c.unlessIdle(); cond != "" {
			why := "nothing to do"
			if len(c.Scop.CoefficientArrays()) > 0 {
				why += ", and perhaps no coefficient"
			}
			out.Line("if (%s) { /* else there is %s */", cond, why)
			out.Depth++
			defer func() {
				out.Depth--
				out.Line("}")
				c.idle(&out)
			}()
		}
		Distances(&out, c.Scop)
		c.pack(&out)
		defer c.release(&out)
		var conds []string
		if c.Ready != "" {
			conds = append(conds, c.Ready+"()")
		}
		if c.Test != "" && !c.Refuse {
			conds = append(conds, c.test())
		}
		if len(conds) == 0 {
			c.run(&out)
			return
		}
		out.Line("if (%s) {", strings.Join(conds, " && "))
		out.Depth++
		c.run(&out)
		out.Depth--
		out.Line("} else {")
		c.original(&out)
		out.Line("}")
	})
	return c.reaching(out.Buf.String())
}

// originalMark stands for the region as it was written.
const originalMark = "\x00original\n"

// reaching returns text with private members as they are reached, and with the region as it was written.
func (c Call) reaching(text string) string {
	var original Printer
	c.source(&original)
	return strings.ReplaceAll(c.Scop.Reaching(text), originalMark, original.Buf.String())
}

// original prints the place of the region as it was written, or of what stands for it.
func (c Call) original(out *Printer) { out.Raw(originalMark) }

// source prints the region as it was written, or what stands for it.
func (c Call) source(out *Printer) {
	text, line := Original(c.Scop)
	if c.Scop.Instead != "" {
		out.Raw(c.Scop.Instead)
		return
	}
	out.Raw(fmt.Sprintf("%s%d\n", lineMark, line-c.Scop.Region.StartLine))
	out.Raw(text)
}

// lineMark begins a line of Written that stands for a directive: the next one is that line of the region, counted from 0.
const lineMark = "\x00line "

// placed returns the text that stands for the region, with lines of the user's file.
func (c Call) placed() string {
	var b strings.Builder
	for line := range strings.SplitAfterSeq(c.Written(), "\n") {
		mark, marked := strings.CutPrefix(line, lineMark)
		if !marked {
			b.WriteString(line)
			continue
		}
		k, err := strconv.Atoi(strings.TrimSuffix(mark, "\n"))
		if err != nil {
			panic(fmt.Sprintf("ctext: the mark of a line: %q", line))
		}
		if at := c.Scop.Line(c.Scop.Region.StartLine + k); at > 0 {
			fmt.Fprintf(&b, "#line %d %s\n", at, Quote(c.Scop.File))
		}
	}
	return b.String()
}

// idle prints what runs where the region has nothing to do. That it has not, and what it leaves, follows from the facts: where they
// do not hold it is the original. Facts about arrays are not looked at, as there may be none, nor ranges.
func (c Call) idle(out *Printer) {
	facts := c.sizeFacts()
	switch {
	case leaves(c.Scop) && facts == "":
		out.Braces("else", func() { leave(out, c.Scop) })
	case leaves(c.Scop):
		out.Line("else if (%s) {", facts)
		out.Depth++
		leave(out, c.Scop)
		out.Depth--
		out.Line("} else {")
		c.original(out)
		out.Line("}")
	case facts != "":
		out.Line("else if (!(%s)) {", facts)
		c.original(out)
		out.Line("}")
	}
}

// sizeFacts returns the condition that the facts hold of which idle speaks, in C; "" if there are none.
func (c Call) sizeFacts() string {
	names := map[string]string{}
	hidden := map[string]bool{} // found from arrays
	for _, q := range c.Scop.Params {
		names[q.Name] = q.Source()
	}
	for _, r := range c.Scop.Rows {
		for _, d := range r.Distances {
			hidden[d] = true
		}
	}
	var conds []string
	for _, f := range c.Scop.Facts {
		uses := false
		for i, k := range f.Row.Params {
			uses = uses || k != 0 && hidden[c.Scop.Params[i].Source()]
		}
		if len(f.Factors) == 0 && !f.Range && !uses {
			conds = append(conds, inC(c.Scop, c.Scop.Sum(f.Row, nil), names))
		}
	}
	return strings.Join(conds, " && ")
}

// unlessIdle returns where the region has something to do, if elements of arrays are arguments: where it has not, it
// may be called without such arrays. So it does if parameters have bounds of 64 bits: any number of steps
// is nothing to do where the grid is empty. Else it returns "".
func (c Call) unlessIdle() string {
	if len(c.Scop.CoefficientArrays()) == 0 && !c.Bounded && len(c.Scop.Rows) == 0 {
		return ""
	}
	names := map[string]string{}
	for _, q := range c.Scop.Params {
		names[q.Name] = q.Source()
	}
	p := *c.Scop
	p.Context = poly.NewParamSet(p.ParamNames()) // also where a fact does not hold arrays may be missing
	return busy(&p, names)
}

// busy returns the condition that some iteration of p runs, in C with the names of parameters, "" for always.
func busy(p *scop.Program, names map[string]string) string {
	var any []string
	for _, rows := range astgen.Busy(p) {
		if len(rows) == 0 {
			return ""
		}
		all := make([]string, len(rows))
		for i, r := range rows {
			all[i] = inC(p, r.(affine.Sum), names)
		}
		any = append(any, strings.Join(all, " && "))
	}
	switch len(any) {
	case 0:
		return "0"
	case 1:
		return any[0]
	}
	return "(" + strings.Join(any, ") || (") + ")"
}

// inC returns the condition that s, which is over parameters only, is at
// least 0, in C with their names and computed in a type in which nothing overflows.
func inC(p *scop.Program, s affine.Sum, names map[string]string) string {
	var more, less []string
	wide := wideType(p)
	for _, q := range p.Params {
		term := wide + names[q.Name]
		n := s.Coef(q.Name)
		if n != 1 && n != -1 {
			term = fmt.Sprintf("%dL * %s", max(n, -n), term)
		}
		switch {
		case n > 0:
			more = append(more, term)
		case n < 0:
			less = append(less, term)
		}
	}
	if s.Const > 0 || len(more) == 0 { // neither side is empty
		more = append(more, fmt.Sprint(max(0, s.Const)))
	}
	if s.Const < 0 || len(less) == 0 {
		less = append(less, fmt.Sprint(max(0, -s.Const)))
	}
	return strings.Join(more, " + ") + " >= " + strings.Join(less, " + ")
}

// run prints the call, and what leaves the pointers as the region does.
func (c Call) run(out *Printer) {
	arguments := arguments(c.Scop)
	if c.Test != "" && c.Refuse {
		out.Line("if (!%s)", c.test())
		out.Line("  __builtin_abort(); /* the message is on stderr */")
	}
	switch {
	case c.Stop != "":
		out.Line("if (%s%s != 0)", c.Run, arguments)
		out.Line("  %s(); /* says why on stderr, and aborts */", c.Stop)
	case c.Status:
		out.Line("if (%s%s != 0)", c.Run, arguments)
		out.Line("  __builtin_abort(); /* the message is on stderr */")
	default:
		out.Line("%s%s;", c.Run, arguments)
	}
	c.unpack(out)
	leave(out, c.Scop)
}

// leaves reports whether the original program leaves other values in pointers or in the variables that count time steps.
func leaves(p *scop.Program) bool {
	return p.Clock != "" || slices.ContainsFunc(p.Arrays, func(a *scop.Array) bool { return len(a.Turns) > 0 })
}

// leave prints what leaves the pointers, and the variables that count time steps, as the original program does.
func leave(out *Printer, p *scop.Program) {
	rotated := map[string]bool{}
	for _, a := range p.Arrays {
		var pointers []string
		for _, o := range a.Planes {
			pointers = append(pointers, o.Pointer)
		}
		slices.Sort(pointers)
		if all := strings.Join(pointers, " "); !rotated[all] { // of structs, several members rotate with them
			rotated[all] = true
			rotate(out, p, a)
		}
	}
	clock(out, p)
}

// clock prints what leaves the variables that count time steps as the original program does.
func clock(out *Printer, p *scop.Program) {
	if p.Clock == "" {
		return
	}
	out.Line("/* what the time loop leaves in variables */")
	for line := range strings.Lines(p.Clock) {
		out.Line("%s", strings.TrimSuffix(line, "\n"))
	}
}

// rotate prints what leaves the pointers of a as the original program does.
func rotate(out *Printer, p *scop.Program, a *scop.Array) {
	if len(a.Turns) == 0 {
		return
	}
	out.Braces("", func() { rotateBy(out, p, a) })
}

func rotateBy(out *Printer, p *scop.Program, a *scop.Array) {
	for i, n := range a.Turns {
		if i == 0 {
			out.Line("long hexcc_turns_%s = %s;", a.Name, longSum(p, n))
		} else {
			out.Line("if (hexcc_turns_%s > %s)", a.Name, longSum(p, n))
			out.Line("  hexcc_turns_%s = %s;", a.Name, longSum(p, n))
		}
	}
	out.Braces(fmt.Sprintf("for (hexcc_turns_%s = hexcc_turns_%s > 0 ? hexcc_turns_%s %% %d : 0; hexcc_turns_%s > 0; hexcc_turns_%s--)",
		a.Name, a.Name, a.Name, len(a.Planes), a.Name, a.Name), func() {
		first, last := a.Planes[0].Pointer, a.Planes[len(a.Planes)-1].Pointer
		from := func(pointer string) string { // in C++ it may be a vector, which is moved
			if p.Cxx {
				return fmt.Sprintf("(__typeof__(%s) &&)%s", pointer, pointer)
			}
			return pointer
		}
		out.Line("__typeof__(%s) hexcc_first = %s;", first, from(first))
		for k, plane := range a.Planes[1:] {
			out.Line("%s = %s;", a.Planes[k].Pointer, from(plane.Pointer))
		}
		if p.Cxx {
			out.Line("%s = (__typeof__(%s) &&)hexcc_first;", last, last)
		} else {
			out.Line("%s = hexcc_first;", last)
		}
	})
}

// longSum returns a, which is over parameters only, in C and computed in 64 bits.
func longSum(p *scop.Program, a scop.Affine) string {
	text := fmt.Sprintf("%dL", a.Const)
	for i, c := range a.Params {
		switch {
		case c == 1:
			text += " + (long)" + p.Params[i].Source()
		case c == -1:
			text += " - (long)" + p.Params[i].Source()
		case c < 0:
			text += fmt.Sprintf(" - %dL * (long)%s", -c, p.Params[i].Source())
		case c > 0:
			text += fmt.Sprintf(" + %dL * (long)%s", c, p.Params[i].Source())
		}
	}
	return text
}

// Pointed returns the type of the elements of a, const if the region only reads them.
func Pointed(a *scop.Array) string {
	if a.Const {
		return fmt.Sprintf("const %s ", a.Elem.InMemory())
	}
	return fmt.Sprintf("%s ", a.Elem.InMemory())
}

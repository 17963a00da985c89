package openmp

import (
	"fmt"
	"maps"
	"strings"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/cpu"
	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/machine"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// This file prints the points of a step: rows one by one or several side by side.

// A point prints the instances of a statement in one step.
type point struct {
	*region
	step     *cpu.Step
	count    string          // the variable that counts steps, "": none
	used     map[string]bool // iterators that the text names
	pointers []pointer       // declared outside of the loops
	groups   []group         // the text for those of the step
	// While text is made: what iterators are where they are not themselves, and pointers to rows.
	values map[string]affine.Sum
	rows   []pointer
	// Of variants: all of them, the accesses of each by those of step, and what differs. Step has variables for that.
	variants    []*cpu.Step
	like        []map[*scop.Access]*scop.Access
	differences []difference
	alike       bool // the accesses are the same
}

// A group is the text for some rows side by side. All of it names the iterators of the first row.
type group struct {
	cpu.Group
	pointers []pointer  // declared outside of the loop over points
	body     []string   // what runs at each place along the rows
	each     [][]string // the same, by row
	vectors  *vectors   // the same for places next to each other, nil: none
	halves   []string   // the same for those of a cache line in two halves, nil: none
	ahead    ahead      // what to fetch meanwhile
	unlike   string     // the condition that the first row does not start a cache line at start, "": it need not
}

// newPoint makes the text of a step, and notes what it uses.
func newPoint(r *region, s *cpu.Step, count string) *point {
	p := &point{region: r, step: s, count: count, used: map[string]bool{}, values: map[string]affine.Sum{}}
	p.text()
	return p
}

// text makes the text of the groups of p, and notes what it uses.
func (p *point) text() {
	for _, name := range p.step.Stmt.Iters {
		delete(p.Uses, p.iters[name])
	}
	for _, g := range p.step.Groups {
		p.groups = append(p.groups, p.group(g))
	}
	for _, name := range p.step.Stmt.Iters {
		p.used[p.iters[name]] = p.Uses[p.iters[name]]
	}
}

// group returns the text of some rows.
func (p *point) group(of cpu.Group) group {
	p.rows = nil
	g := group{Group: of}
	var stores []string
	for row := range of.Size {
		p.shift(row)
		body, last := p.lines(row, of.Size)
		g.body, stores = append(g.body, body...), append(stores, last...)
		g.each = append(g.each, append(body[:len(body):len(body)], last...))
	}
	g.body = append(g.body, stores...)
	p.shift(0)
	if of.Vectors != nil && of.Vectors.Apart {
		g.vectors = p.vectorsApart(of)
	}
	if p.step.Align != nil {
		g.unlike = p.misaligned()
		g.vectors = p.vectors(of)
		g.halves = p.halves(of)
		g.ahead = p.ahead(of)
	}
	g.pointers = p.rows
	return g
}

// shift makes iterators those of the row that many after the first.
func (p *point) shift(row int) {
	clear(p.values)
	for i, at := range p.step.At(row) {
		p.values[p.step.Stmt.Iters[i]] = at
	}
}

// value returns an iterator at the row of which text is made.
func (p *point) value(name string) affine.Sum {
	if at, ok := p.values[name]; ok {
		return at
	}
	return affine.Var(name)
}

// loops prints the loops from dimension d inwards.
func (p *point) loops(d int) {
	last := len(p.step.Loops) - 1
	l := p.step.Loops[d]
	switch {
	case d == last:
		p.row(p.groups[0])
	case d == last-1 && p.groups[0].Size > 1:
		p.sideBySide(l)
	case d == 0 && p.step.Grows > 0:
		p.Line("const %v %s = %s, %s = %s;", p.Index, p.least, p.Expr(l.Lo), p.most, p.Expr(l.Hi))
		l.Lo, l.Hi = affine.Var(p.least), affine.Var(p.most)
		if d == last-1 {
			p.toAndFro(l)
			return
		}
		fallthrough
	default:
		head := p.head(l.Var, l.Lo, l.Hi)
		if d == 0 && p.step.Way == schedule.Down {
			head = fmt.Sprintf("for (%v %s = %s; %s >= %s; %s--)", p.Index, l.Var, p.Expr(l.Hi), l.Var, p.Expr(l.Lo), l.Var)
		}
		p.Braces(head, func() {
			p.iterators(d)
			p.loops(d + 1)
		})
	}
}

// toAndFro prints the loop l over rows, which run from the last to the first in some steps.
func (p *point) toAndFro(l astgen.Loop) {
	in := func(odd int) string {
		if p.step.Back[odd] {
			return fmt.Sprintf("%s + %s - %s", p.least, p.most, p.turn)
		}
		return p.turn
	}
	place := in(0)
	if odd := in(1); odd != place {
		place = fmt.Sprintf("%s & 1 ? %s : %s", p.Use(p.count), odd, place)
	}
	p.Braces(fmt.Sprintf("for (%v %s = %s; %s <= %s; %s++)", p.Index, p.turn, p.least, p.turn, p.most, p.turn), func() {
		p.Line("const %v %s = %s;", p.Index, l.Var, place)
		p.iterators(0)
		p.loops(1)
	})
}

// sideBySide prints the loop l over rows, which run several at a time, and one by one at the end.
func (p *point) sideBySide(l astgen.Loop) {
	p.Line("%v %s = %s;", p.Index, l.Var, p.Expr(l.Lo))
	p.Line("const %v %s = %s;", p.Index, p.lastRow, p.Expr(l.Hi))
	if len(p.step.Loops) == 2 && p.step.Grows > 0 {
		p.Line("const %v %s = %s, %s = %s;", p.Index, p.least, l.Var, p.most, p.lastRow)
	}
	for _, g := range p.groups {
		head := fmt.Sprintf("for (; %s + %d <= %s; %s += %d)", l.Var, g.Size-1, p.lastRow, l.Var, g.Size)
		if g.Size == 1 {
			head = fmt.Sprintf("for (; %s <= %s; %s++)", l.Var, p.lastRow, l.Var)
		}
		p.Braces(head, func() {
			p.iterators(len(p.step.Loops) - 2)
			p.row(g)
		})
	}
}

// row prints the innermost loop of a group: up to where a cache line starts point
// by point, from there such that compilers vectorise it.
func (p *point) row(g group) {
	if where := p.Zero(p.step.Turn.Rows); where != "" {
		p.Braces("if ("+where+")", func() { p.itsTurn(g) })
		return
	}
	p.itsTurn(g)
}

// itsTurn prints the innermost loop of a group, in a row that runs.
func (p *point) itsTurn(g group) {
	l := p.step.Loops[len(p.step.Loops)-1]
	for _, q := range g.pointers {
		p.Line("%s", q.declaration())
	}
	if p.step.Ordered && g.Size > 1 {
		p.staggered(g)
		return
	}
	lo, hi := p.Expr(l.Lo), p.Expr(l.Hi)
	if v := g.vectors; v != nil && v.Apart {
		p.rowApart(g, lo, hi)
		return
	}
	if g.unlike == "" {
		p.plain(g, lo, hi)
		return
	}
	p.Line("const %v %s = %s;", p.Index, p.stop, hi)
	p.Line("%v %s = %s;", p.Index, p.start, lo)
	p.fetch(g)
	if v := g.vectors; v != nil && v.Repeat {
		p.Raw("#if HEXCC_VECTORS\n")
		p.Line("if (%s - %s >= %d) {", p.stop, p.start, v.Lanes-1)
		p.Depth++
		p.wholeRow(v)
		p.Depth--
		p.Line("} else")
		p.Raw("#endif\n")
		p.Braces("", func() {
			p.lead(g)
			p.inHalves(g)
			p.plain(g, p.start, p.stop)
		})
		return
	}
	p.lead(g)
	if g.vectors != nil {
		p.Raw("#if HEXCC_VECTORS\n")
		p.wholeLines(g.vectors)
		p.Raw("#endif\n")
		p.inHalves(g)
	}
	p.plain(g, p.start, p.stop)
}

// lead prints the points of a row before the first cache line.
func (p *point) lead(g group) {
	p.Braces(fmt.Sprintf("while (%s <= %s && %s)", p.start, p.stop, g.unlike), func() {
		p.Line("const %v %s = %s++;", p.Index, p.step.Loops[len(p.step.Loops)-1].Var, p.start)
		p.points(g)
	})
}

// plain prints the points of a row such that compilers vectorise them.
func (p *point) plain(g group, lo, hi string) {
	name := p.step.Loops[len(p.step.Loops)-1].Var
	if by := p.step.Turn.By; by > 0 {
		p.Line("const %v %s = %s, %s = %s;", p.Index, p.start, lo, p.stop, hi)
		ahead := affine.Modulo(p.step.Turn.First.Plus(affine.Var(p.start)).Times(-1), by)
		p.Braces(fmt.Sprintf("for (%v %s = %s + (%s); %s <= %s; %s += %d)", p.Index, name, p.start, p.Expr(ahead), name, p.stop, name, by), func() { p.points(g) })
		return
	}
	if !p.step.Ordered && !p.step.SinglePoints() {
		p.simd()
	}
	p.Braces(fmt.Sprintf("for (%v %s = %s; %s <= %s; %s++)", p.Index, name, lo, name, hi, name), func() { p.points(g) })
}

// misaligned returns the condition that the element of Align at the start of a row
// does not start a cache line.
func (p *point) misaligned() string { return fmt.Sprintf("%s %% %d != 0", p.address(), cacheLine) }

// address returns the address, as a number, of the element of Align at the start of a row.
func (p *point) address() string {
	row, index := p.element(p.step.Align)
	return fmt.Sprintf("(__UINTPTR_TYPE__)&%s[%s]", row, p.Expr(p.fromStart(index)))
}

// cacheLine is the bytes of a cache line, and of the widest vectors.
const cacheLine = machine.CacheLine

// points prints the body at one place along the rows of a group.
func (p *point) points(g group) {
	p.iterators(len(p.step.Loops) - 1)
	body := func() {
		p.running(func() {
			for _, line := range g.body {
				p.Line("%s", line)
			}
		})
	}
	if where := p.Zero(p.step.Turn.Points); where != "" {
		p.Braces("if ("+where+")", body)
		return
	}
	body()
}

// iterators declares those iterators that are used and known inside loop d.
func (p *point) iterators(d int) {
	for i, name := range p.step.Stmt.Iters {
		if p.used[p.iters[name]] && p.step.Depth(p.step.Iters[i]) == d {
			p.Line("const %v %s = %s;", p.Index, p.iters[name], p.Expr(p.step.Iters[i]))
		}
	}
}

// builtin returns the name by which compilers know a function of math.h, included or not. What they do not have is noted as a helper.
func (r *region) builtin(name string) string {
	if end, ok := strings.CutPrefix(name, scop.MadeOfParts); ok { // which compilers do not have for C++
		r.helpers[complexOfParts+end] = true
		return complexOfParts + end
	}
	return "__builtin_" + name
}

// A form is how the actions of a body are spelled: for one point, or for a vector of them.
type form struct {
	local  func(scop.Let) (typeName, value string)
	result func(scop.Store) (typeName, value string)
	store  func(element, value string) string
	before func() []string // the statements that the last value needs before it; nil: none
}

// needed returns the statements that the last value needs before it.
func (f form) needed() []string {
	if f.before == nil {
		return nil
	}
	return f.before()
}

// lines returns the statements of the body at a row of a group.
func (p *point) lines(row, size int) (body, stores []string) {
	v := p.valuer()
	v.Read = p.ref
	return p.actions(row, size, form{
		local:  func(a scop.Let) (string, string) { return a.Type.String(), v.Assigned(a.Value, true) },
		result: func(a scop.Store) (string, string) { return a.To.Array.Elem.InMemory(), v.Assigned(a.Value, false) },
		store:  func(element, value string) string { return fmt.Sprintf("%s = %s;", element, value) },
	})
}

// actions returns the statements of the body in a form. Where there are several rows, stores are
// apart, to run when all values are known: compilers, which cannot tell that no row reads what
// another stores, then load once what rows share.
func (p *point) actions(row, size int, f form) (body, stores []string) {
	defer p.rename(row)()
	for i, action := range p.step.Stmt.Actions() {
		switch a := action.(type) {
		case scop.Let:
			typeName, value := f.local(a)
			body = append(body, f.needed()...)
			body = append(body, ctext.Let(a, p.step.Stmt, typeName, p.Local[a.Name], value))
		case scop.Store:
			typeName, value := f.result(a)
			body = append(body, f.needed()...)
			element := p.valuer().Target(p.ref(a.To), a.To)
			if size > 1 && p.step.StoresLast() {
				name := p.numbered("value", row*len(p.step.Stmt.Body)+i)
				body = append(body, fmt.Sprintf("const %s %s = %s;", typeName, name, value))
				stores = append(stores, f.store(element, name))
			} else {
				body = append(body, f.store(element, value))
			}
		default:
			panic(fmt.Sprintf("openmp: actions: unknown action %T", action))
		}
	}
	return body, stores
}

// rename gives local scalars names of their own in rows but the first, until what it returns is called.
func (p *point) rename(row int) func() {
	if row == 0 {
		return func() {}
	}
	old := maps.Clone(p.Local)
	for _, action := range p.step.Stmt.Body {
		if let, ok := action.(scop.Let); ok {
			p.Local[let.Name] = p.own("local", fmt.Sprint(old[let.Name], row))
		}
	}
	return func() { maps.Copy(p.Local, old) }
}

// valuer returns what prints values at the row of which text is made.
func (p *point) valuer() ctext.Valuer {
	v := ctext.Valuer{Indexer: p.Indexer, Iters: map[string]affine.Expr{}, Function: p.builtin, Places: p.names.Places}
	for _, name := range p.step.Stmt.Iters {
		v.Iters[name] = p.value(name)
	}
	return v
}

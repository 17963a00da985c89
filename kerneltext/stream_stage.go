package kerneltext

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/gpu"
)

// This file prints what the warps of a stage do with a chain: what they hold, its turns, and the beats of those.

// A stage is a gpu.Stage while it is printed.
type stage struct {
	*streamer
	*gpu.Stage
	number  int
	columns []moving // elements that StoreColumn stores to, the first of which all of one kind are counted from
}

// A moving element is a pointer to one, which a beat moves.
type moving struct {
	member string
	array  string // what it points to, less at
	stride string // elements
	of     gpu.StoreColumn
}

// rowsName returns the name of the type of what a warp holds.
func (p *stage) rowsName() string { return fmt.Sprintf("%s_held%d", p.name, p.number) }

// warps names those of the stage.
func (p *stage) warps() string {
	if p.Count == 1 {
		return fmt.Sprintf("warp %d", p.First)
	}
	return fmt.Sprintf("warps %d to %d", p.First, p.First+p.Count-1)
}

// size returns the length of the array for a row.
func (p *stage) size(row int) int {
	r := p.Rows[row]
	return r.Left + p.Columns + r.Right
}

func (p *stage) elem(row int) string { return p.Rows[row].Array.Elem.InMemory() }

// holding returns a parameter for what the warp holds.
func (p *stage) holding() param {
	return param{p.state(), fmt.Sprintf("struct %s &%s", p.rowsName(), p.state())}
}

// full returns the condition under which a turn is, as a call; "": all are, "false": none is.
func (s *scope) fullTurn(beat, last string) string {
	v := s.streamer.Vars
	return s.test("full", fmt.Sprintf("Whether the turn from %s to %s is full.", v.Beat, v.Last), s.streamer.Full, map[string]string{v.Beat: beat, v.Last: last})
}

// stage prints stage i, and returns the function that runs its part of a chain.
func (p *streamer) stage(i int, copies *copier) *function {
	st := &stage{streamer: p, Stage: &p.Stages[i], number: i}
	st.findColumns()
	st.hold()
	turn := st.turn(copies)
	s := p.scope()
	v, index := p.Vars, p.spelled.Index
	lo, hi, stop, order := p.spelled.own("lo"), p.spelled.own("hi"), p.spelled.own("stop"), p.spelled.Orders.Name
	s.Line("struct %s %s = {}; // 0 in all rows: what is not set would take registers from everything that runs before", st.rowsName(), p.state())
	if copies != nil {
		s.Line("struct %s %s;", copies.typeName(), copies.state())
	}
	s.Braces("", func() {
		s.Line("const %v %s = %s;", index, v.Beat, lo)
		st.begin(s)
		if copies != nil {
			copies.begin(s)
		}
		delete(s.Uses, v.Beat)
	})
	args := map[string]string{v.Beat: v.Beat}
	plain, guarded := s.called(turn, args), s.called(turn, args)
	plain, guarded = strings.Replace(plain, turn.name, turn.name+"<true>", 1), strings.Replace(guarded, turn.name, turn.name+"<false>", 1)
	first := st.First == 0
	s.Braces(fmt.Sprintf("for (%v %s = %s; %s <= %s;)", index, v.Beat, lo, v.Beat, hi), func() {
		if first {
			s.Line("hexcc_look_out(%s, %s, false);", order, v.Beat)
		}
		s.Line("hexcc_meet();")
		s.Line("const %v %s = %s + %d;", index, stop, v.Beat, p.Every)
		on := fmt.Sprintf("%s < %s && %s <= %s", v.Beat, stop, v.Beat, hi)
		full := s.fullTurn(v.Beat, fmt.Sprintf("%s + %d", v.Beat, p.Turn-1))
		switch full {
		case "", "false":
			call := plain
			if full == "false" {
				call = guarded
			}
			s.Line("for (; %s; %s += %d)", on, v.Beat, p.Turn)
			s.Line("  %s;", call)
		default:
			s.Braces(fmt.Sprintf("while (%s)", on), func() {
				s.Line("for (; %s && %s; %s += %d)", on, full, v.Beat, p.Turn)
				s.Line("  %s;", plain)
				s.Line("for (; %s && !%s; %s += %d)", on, full, v.Beat, p.Turn)
				s.Line("  %s;", guarded)
			})
		}
		if first {
			s.Line("hexcc_report(HEXCC_PLACE(%s - 1));", v.Beat)
		}
	})
	delete(s.Uses, v.Beat)
	own := []param{{lo, index.String() + " " + lo}, {hi, index.String() + " " + hi}}
	if first {
		own = append(own, param{order, p.spelled.Dialect.Order + order})
	}
	return s.define("stage", fmt.Sprintf("Beats %s to %s of a chain in %s.", lo, hi, st.warps()), "", "void", own)
}

// hold prints the type of what a warp holds.
func (p *stage) hold() {
	var out ctext.Printer
	out.Blank()
	out.Line("// What a lane of %s holds.", p.warps())
	out.Line("struct %s {", p.rowsName())
	out.Depth++
	for i := 0; i < len(p.Rows); {
		n := i + 1
		for n < len(p.Rows) && p.Rows[n].Array == p.Rows[i].Array && p.size(n) == p.size(i) && (n-i)%6 != 0 {
			n++
		}
		var all []string
		for ; i < n; i++ {
			all = append(all, fmt.Sprintf("row%d[%d]", i, p.size(i)))
		}
		out.Line("%s %s;", p.elem(n-1), strings.Join(all, ", "))
	}
	for _, c := range p.Cursors {
		for part := range parts(c) {
			out.Line("%s%s *%s; // what %s next", p.qualifier(c), c.Groups[0].Element.Array.Elem.InMemory(), p.cursor(c, part), p.verb(c))
			if p.strides(c) == "" {
				out.Line("long %s_by;", p.cursor(c, part))
			}
		}
	}
	for _, m := range p.columns {
		out.Line("%s *%s; // in the row where columns are stored", m.of.Element.Array.Elem.InMemory(), m.member)
	}
	out.Depth--
	out.Line("};")
	p.text.Write(out.Buf.Bytes())
}

// turn prints a turn and its beats.
func (p *stage) turn(copies *copier) *function {
	v, index := p.Vars, p.spelled.Index
	s := p.scope()
	first := p.spelled.own("first")
	var lines []func()
	for r, ops := range p.Beats {
		b := p.beat(ops)
		beat := v.Beat
		if r > 0 {
			beat = fmt.Sprintf("%s + %d", v.Beat, r)
		}
		b.args[v.Beat] = beat
		call := templated(s.called(b.function, b.args), b.name, p.full())
		var copied string
		if copies != nil {
			copied = copies.call(s, r, beat)
		}
		lines = append(lines, func() {
			s.Line("%s;", call)
			if copied != "" {
				s.Line("%s;", copied)
			}
			if r%p.Period == p.Period-1 {
				s.Line("hexcc_pass();")
			}
		})
	}
	s.Line("const %v %s = %s ? %s : hexcc_anew(%s);", index, v.Beat, p.full(), first, first)
	for _, line := range lines {
		line()
	}
	delete(s.Uses, v.Beat)
	own := []param{p.holding()}
	if copies != nil {
		own = append(own, copies.param())
	}
	own = append(own, param{v.Beat, index.String() + " " + first})
	return s.define("turn", fmt.Sprintf("%d beats of %s.", p.Turn, p.warps()), p.template(), "void", own)
}

// template goes before a function of which there is one for full turns and one for others.
func (p *streamer) template() string { return fmt.Sprintf("template <bool %s>", p.full()) }

func templated(call, name, argument string) string {
	return strings.Replace(call, name+"(", name+"<"+argument+">(", 1)
}

// A beatCall is the function for a beat and what a call of it passes.
type beatCall struct {
	*function
	args map[string]string
}

// A beat is what the warps do in one, with names for rows and slots.
type beat struct {
	*scope
	st     *stage
	rows   []int    // by number of the parameter
	slots  []string // keys
	passed map[string]string
}

// row returns the name of a row here.
func (b *beat) row(row int) string {
	n := slices.Index(b.rows, row)
	if n < 0 {
		n = len(b.rows)
		b.rows = append(b.rows, row)
	}
	return b.spelledName(fmt.Sprintf("row%d", n))
}

func (b *beat) spelledName(want string) string { return b.streamer.spelled.own(want) }

// slot returns the name of a slot here, which is the same for all ops of a kind on one ring or edge.
func (b *beat) slot(kind, of string, slot int) string {
	for n := 0; ; n++ {
		key := fmt.Sprint(kind, " ", of, " ", n)
		at := slices.Index(b.slots, key)
		if at < 0 {
			at = len(b.slots)
			b.slots = append(b.slots, key)
		}
		name := b.spelledName(fmt.Sprintf("slot%d", at))
		if had, ok := b.passed[name]; !ok || had == fmt.Sprint(slot) {
			b.passed[name] = fmt.Sprint(slot)
			return name
		}
	}
}

// beat prints what the warps do in a beat of a turn.
func (p *stage) beat(ops []gpu.WarpOp) beatCall {
	b := &beat{scope: p.scope(), st: p, passed: map[string]string{}}
	b.ops(ops)
	b.move(ops)
	own := []param{p.holding()}
	args := map[string]string{}
	for n, row := range b.rows {
		name := b.spelledName(fmt.Sprintf("row%d", n))
		own = append(own, param{name, fmt.Sprintf("%s (&%s)[%d]", p.elem(row), name, p.size(row))})
		args[name] = fmt.Sprintf("%s.row%d", p.state(), row)
	}
	for n := range b.slots {
		name := b.spelledName(fmt.Sprintf("slot%d", n))
		own = append(own, param{name, "int " + name})
	}
	maps.Copy(args, b.passed)
	if !b.Uses[p.state()] {
		own = own[1:]
	}
	return beatCall{b.define("beat", fmt.Sprintf("A beat of %s.", p.warps()), p.template(), "void", own), args}
}

// lane0 returns s0 of column 0 of the lane, as an argument.
func (b *beat) lane0() string {
	v := b.streamer.Vars
	return fmt.Sprintf("%s + %d * %s", b.Expr(affine.Var(v.Column).Plus(b.st.Origin)), b.st.Columns, b.use(b.lane()))
}

// in returns the condition that a warp is one of these; "": all of the stage are.
func (p *stage) in(s *scope, w gpu.Span) string {
	warp, last := p.Vars.Warp, p.First+p.Count-1
	switch {
	case w.First <= p.First && w.Last >= last:
		return ""
	case w.First == w.Last:
		return fmt.Sprintf("%s == %d", s.use(warp), w.First)
	case w.First <= p.First:
		return fmt.Sprintf("%s <= %d", s.use(warp), w.Last)
	case w.Last >= last:
		return fmt.Sprintf("%s >= %d", s.use(warp), w.First)
	}
	return fmt.Sprintf("%s >= %d && %s <= %d", s.use(warp), w.First, warp, w.Last)
}

// and joins conditions that are not "".
func and(all ...string) string {
	all = slices.DeleteFunc(slices.Clone(all), func(c string) bool { return c == "" })
	for i, c := range all {
		if len(all) > 1 && (strings.Contains(c, "||") || strings.Contains(c, "?")) {
			all[i] = "(" + c + ")"
		}
	}
	return strings.Join(all, " && ")
}

// rowsOf returns lo <= At - Column <= hi as rows.
func (p *streamer) between(lo, hi affine.Sum) []affine.Expr {
	local := affine.Var(p.Vars.At).Minus(affine.Var(p.Vars.Column))
	return []affine.Expr{local.Minus(lo), hi.Minus(local)}
}

func conj(rows ...affine.Expr) astgen.Cond { return astgen.Cond{rows} }

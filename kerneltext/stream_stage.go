package kerneltext

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/gpu"
)

// This file prints what the warps of a stage do with a chain: what they hold, its turns, and the beats of those.

// A stage is a gpu.Stage while it is printed.
type stage struct {
	*streamer
	*gpu.Stage
	index   int
	beats   [][]affine.Sum // conditions on beats, of all lanes
	pairsAt int            // where the first and the last of them are, for each warp
	masks   []mask
	maskOf  map[string]int // by their text
	masksAt int
	// marginsAt is where each thread keeps where the elements of margins are.
	marginsAt int
	linesAt   int                 // where each warp keeps which lines beside domains it has, and where they are
	lanesAt   map[*gpu.Cursor]int // where those of single lanes are
	// steadies says that turns of the stage may be steady.
	steadies bool
	// steadyAt is where each warp keeps which turns are steady, and what holds in those; copiedAt where each thread does.
	steadyAt, copiedAt int
	columns            []moving // elements that StoreColumn stores to, the first of which all of one kind are counted from

	// The members of what all stages hold that are those of the stage, where barriers are in one place.
	holds                     map[string]bool
	rowMembers, duringMembers []string
	cursorMembers             map[*gpu.Cursor][]string
}

// A moving element is a pointer to one, which a beat moves.
type moving struct {
	member string
	stride string // elements
	of     gpu.StoreColumn
}

// rowsName returns the name of the type of what a warp holds.
func (p *stage) rowsName() string {
	if p.spelled.Dialect.Lanes.Together {
		return p.name + "_held"
	}
	return fmt.Sprintf("%s_held%d", p.name, p.index)
}

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
	return param{p.state(), p.reference("struct "+p.rowsName(), p.state())}
}

// newStage returns stage i of p.
func newStage(p *streamer, i int) *stage {
	st := &stage{streamer: p, Stage: &p.Stages[i], index: i, lanesAt: map[*gpu.Cursor]int{}, maskOf: map[string]int{}, holds: map[string]bool{}, cursorMembers: map[*gpu.Cursor][]string{}}
	// What is printed of the ops tells which conditions and masks there are, for which there has to be room.
	for _, ops := range st.Beats {
		b := &beat{scope: p.scope(), st: st, passed: map[string]string{}}
		for _, op := range ops {
			switch op := op.(type) {
			case gpu.Evaluate:
				if op.Border {
					b.columns(op.Domain, "", mask{})
				}
			case gpu.Patch:
				b.columns(op.Domain, "", mask{})
				b.columns(op.Element.Exists, "", need(op))
				b.columns(op.Final, "", final(op))
				st.whens(idle(op))
				if x := op.Beside; x != nil {
					st.whens(x.Where)
					if x.Lines != nil {
						st.whens(x.Outside)
					}
					if len(x.Margins) > 0 {
						st.mask(mask{margins: x.Margins})
					}
				}
			case gpu.FetchLine:
				b.lineCopied(op)
			case gpu.StoreColumn:
				st.whens(atColumn(op, p.Vars.At))
			}
		}
	}
	if !p.sharesCopies() {
		for _, r := range p.Copies {
			st.whens(r.Guard)
		}
	}
	if !p.spelled.Dialect.Lanes.Together {
		st.feedMasks(&beat{scope: p.scope(), st: st, passed: map[string]string{}})
	}
	st.steadies = st.maySteady()
	return st
}

// print prints the stage, and returns the function that runs its part of a chain.
func (st *stage) print(copies rowCopier) *function {
	p := st.streamer
	st.findColumns()
	st.hold()
	turn := st.turn(copies)
	var rest *function
	if st.Inactive != nil {
		rest = st.rest(copies)
	}
	begin := p.scope()
	begin.Depth = 2
	v, index := p.Vars, p.spelled.Index
	st.beginWith(begin, copies)
	s := p.scope()
	s.Line("struct %s %s;", st.rowsName(), p.state())
	if copies != nil {
		s.Line("struct %s %s;", copies.typeName(), copies.state())
	}
	s.Line("%v %s = %s;", index, v.Beat, p.noted("lo"))
	s.Braces("", func() {
		begin.about(s)
		s.Raw(begin.Buf.String())
	})
	maps.Copy(s.Uses, begin.Uses)
	s.Line("// registers that nothing has set would be kept from all that runs before")
	var zeros []string
	for i := range st.Rows {
		zeros = append(zeros, st.zero(i)+";")
	}
	for part := range slices.Chunk(zeros, 4) {
		s.Line("%s", strings.Join(part, " "))
	}
	st.chain(s, turn, rest)
	delete(s.Uses, v.Beat)
	var own []param
	if st.First == 0 {
		order := p.spelled.Orders.Name
		own = append(own, param{order, p.spelled.Dialect.Order + order})
	}
	return s.define("stage", fmt.Sprintf("The beats of a chain in %s.", st.warps()), "", "void", own)
}

// beginWith prints what a warp of the stage notes when a chain begins, at beat Beat.
func (st *stage) beginWith(s *scope, copies rowCopier) {
	st.begin(s)
	st.beginBeats(s)
	if copies != nil {
		copies.begin(s, st)
	}
	st.beginSteady(s)
	st.beginMasks(s)
	st.beginLines(s)
	delete(s.Uses, st.Vars.Beat)
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

// turn prints a turn and its beats: straight code of a full one, which takes no register more than it has to. Of others, which are few, there
// is as little code as the turns of rows ask for.
func (p *stage) turn(copies rowCopier) *function {
	v, index := p.Vars, p.spelled.Index
	s := p.scope()
	first := p.spelled.own("first")
	var beats []beatCall
	for _, ops := range p.Beats {
		beats = append(beats, p.beat(ops))
	}
	straight := p.full()
	if p.steadies {
		straight += " || " + p.steady()
	}
	s.Line("const %v %s = %s ? %s : hexcc_anew(%s);", index, v.Beat, straight, first, first)
	body := p.scope()
	body.Depth++
	body.Uses = s.Uses
	if p.Margins != nil {
		body.Line("%s // full turns have no border", p.noMargin())
	}
	p.loop(body, copies, fullTurn, beats, p.Straight)
	full := body.Take()
	if p.steadies {
		p.steadyTurn(body, copies, beats, steadyTurn, p.Steady)
		p.anew(body)
	}
	steady, final := body.Take(), ""
	if p.finals() {
		p.steadyTurn(body, copies, beats, finalTurn, p.Final)
		p.anew(body)
		final = body.Take()
	}
	p.turnBits(body)
	p.turnMargins(body, guardedTurn)
	p.loop(body, copies, guardedTurn, beats, p.Guarded)
	p.anew(body)
	others := body.Buf.String()
	s.about(s)
	s.Line("if (%s) {", p.full())
	s.Raw(full)
	if final != "" {
		s.Line("} else if (%s) {", p.final())
		s.Raw(final)
	}
	if steady != "" {
		s.Line("} else if (%s) {", p.steady())
		s.Raw(steady)
	}
	s.Line("} else {")
	s.Raw(others)
	s.Line("}")
	delete(s.Uses, v.Beat)
	own := []param{p.holding()}
	if copies != nil {
		own = append(own, copies.param())
	}
	own = append(own, param{v.Beat, index.String() + " " + first})
	return s.defineKinds("turn", fmt.Sprintf("%d beats of %s.", p.Turn, p.warps()), own)
}

// anew prints before what a scope holds that numbers of threads are not known: what is computed of them for turns that are not full would be kept in registers in full ones.
func (p *stage) anew(s *scope) {
	text := s.Take()
	for _, name := range []string{p.thread(), p.lane()} {
		if regexp.MustCompile(`\b` + name + `\b`).MatchString(text) {
			s.Line("%s = hexcc_anew(%s);", name, name)
		}
	}
	s.Raw(text)
}

// call prints beat r of a turn, and what is behind it; or, in a loop over i by so many beats, all that are like it.
func (p *stage) call(s *scope, copies rowCopier, kind turnKind, same []beatCall, r, by int, i string) {
	v := p.Vars
	at, beat := fmt.Sprint(r), v.Beat
	if i != "" {
		at = i + ctext.Plus(int64(r))
	}
	if r > 0 || i != "" {
		beat = v.Beat + " + " + at
	}
	guarded := kind == guardedTurn
	if guarded {
		for word := range p.whenWords() {
			s.Line("%sconst unsigned %s = %s;", map[bool]string{true: "{ "}[word == 0], p.when(word), p.ballot(fmt.Sprintf("%s >> (%s) & 1", p.during(word), at)))
		}
	}
	p.callBeat(s, copies, kind, same, r, by, i, at, beat)
	if guarded && p.whenWords() > 0 {
		s.Line("}")
	}
	p.pass(s, r, by, i)
}

// callBeat prints the calls of a beat, whose number in its turn is at.
func (p *stage) callBeat(s *scope, copies rowCopier, kind turnKind, same []beatCall, r, by int, i, at, beat string) {
	args := maps.Clone(same[0].args)
	for name, arg := range args {
		if strings.HasPrefix(arg, p.state()+p.dot()) {
			continue // rows come to these registers
		}
		var all []string
		for _, b := range same {
			all = append(all, b.args[name])
		}
		args[name] = p.slotAmong(i, by, all)
	}
	for _, x := range p.perTurn() {
		if _, uses := args[x.name]; uses {
			args[x.name] = x.in(kind)
		}
	}
	args[p.spelled.own("number")], args[p.Vars.Beat] = at, beat
	s.Uses[p.Vars.Beat] = true
	s.Line("%s;", p.instance(s.called(same[0].function, args), same[0].function, kind))
	if copies != nil {
		s.Line("%s;", copies.call(s, p, kind, r, by, i, beat))
	}
}

// passing is the call of that barrier: groups of copies that are for later periods need not have arrived.
func (p *streamer) passing() string {
	if newest := p.Ahead/p.Period - 1; newest != 1 {
		return fmt.Sprintf("hexcc_pass_but(%d)", newest)
	}
	return "hexcc_pass()"
}

// pass prints the barrier behind beat r of a turn, or of a loop over i by so many beats, if there is one.
func (p *streamer) pass(s *scope, r, by int, i string) {
	switch {
	case i != "" && by%p.Period != 0:
		s.Line("if ((%s%s) %% %d == %d)", i, ctext.Plus(int64(r)), p.Period, p.Period-1)
		s.Line("  %s;", p.passing())
	case r%p.Period == p.Period-1:
		s.Line("%s;", p.passing())
	}
}

package kerneltext

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/gpu"
)

// This file prints chains for languages in which all threads of a block have to reach a barrier in one place of the text: the stages have their parts between two
// barriers, under a condition on the warp, and one loop over turns. What a lane holds is the same for all stages, so that rows of one have the registers of those of
// another. Turns are full, or test all in each beat; and warps that are inactive in a chain run their steps.
//
//	NAME_begin0(w, ..)    what warps of stage 0 note when a chain begins
//	NAME_full(w, ..)      a full turn of all stages
//	NAME_guarded(w, ..)   a turn that tests
//	NAME(..)              the chain

// A member is one of what lanes of all stages hold.
type member struct {
	kind, of, name string
	size           int  // of an array; 0: it is none
	by             bool // how far it moves in a beat is a member, too
}

// member returns the name of a member of a kind and type that a stage does not use yet, and notes that it does.
func (p *stage) member(kind, of string, size int, by bool) string {
	n := 0
	for i := range p.members {
		m := &p.members[i]
		if m.kind != kind {
			continue
		}
		n++
		if m.of == of && m.by == by && !p.holds[m.name] {
			m.size, p.holds[m.name] = max(m.size, size), true
			return m.name
		}
	}
	name := fmt.Sprint(kind, n)
	p.streamer.members, p.holds[name] = append(p.members, member{kind, of, name, size, by}), true
	return name
}

// findMembers gives the rows and pointers of a stage, and its bits of a turn, their members.
func (p *stage) findMembers() {
	for i := range p.Rows {
		p.rowMembers = append(p.rowMembers, p.member("row", p.elem(i), p.size(i), false))
	}
	for _, c := range p.Cursors {
		of := p.inGlobal(p.qualifier(c) + c.Groups[0].Element.Array.Elem.InMemory() + " *")
		for range parts(c) {
			p.cursorMembers[c] = append(p.cursorMembers[c], p.member("at", of, 0, p.strides(c) == ""))
		}
	}
	for i := range p.columns {
		p.columns[i].member = p.member("to", p.inGlobal(p.columns[i].of.Element.Array.Elem.InMemory()+" *"), 0, false)
	}
	for range p.whenWords() {
		p.duringMembers = append(p.duringMembers, p.member("during", "unsigned ", 0, false))
	}
}

// holdTogether prints the type of what lanes hold.
func (p *streamer) holdTogether() {
	var out ctext.Printer
	out.Blank()
	out.Line("// What a lane holds, of any stage.")
	out.Line("struct %s {", p.stages[0].rowsName())
	out.Depth++
	for _, m := range p.members {
		switch {
		case m.size > 0:
			out.Line("%s %s[%d];", m.of, m.name, m.size)
		default:
			out.Line("%s%s;", m.of, m.name)
		}
		if m.by {
			out.Line("long %s_by;", m.name)
		}
	}
	out.Depth--
	out.Line("};")
	p.text.Write(out.Buf.Bytes())
}

// eachStage prints what the warps of each stage do.
func (p *streamer) eachStage(s *scope, body func(st *stage)) {
	for i, st := range p.stages {
		head := ""
		if i+1 < len(p.stages) {
			head = fmt.Sprintf("if (%s < %d) ", s.use(p.Vars.Warp), st.First+st.Count)
		}
		if i > 0 {
			head = "} else " + head
		}
		s.Line("%s{", head)
		s.Depth++
		body(st)
		s.Depth--
	}
	s.Line("}")
}

// together prints the chain, as the body of its function.
func (p *streamer) together(s *scope, copies rowCopier) {
	for _, st := range p.stages {
		st.findColumns()
		st.findMembers()
	}
	p.holdTogether()
	beats := map[*stage][]beatCall{}
	begins := map[*stage]*function{}
	for _, st := range p.stages {
		for _, ops := range st.Beats {
			beats[st] = append(beats[st], st.beat(ops))
		}
		begins[st] = st.beginTogether(copies)
	}
	v, index := p.Vars, p.spelled.Index
	var full, guarded *function
	if p.Full == nil || len(p.Full) > 0 {
		full = p.fullTogether(copies, beats)
	}
	if p.Full != nil {
		guarded = p.guardedTogether(copies, beats)
	}
	s.Line("%s", alone(p.stages[0].rowsName(), p.state()))
	if copies != nil {
		s.Line("%s", alone(copies.typeName(), copies.state()))
	}
	p.eachStage(s, func(st *stage) { s.Line("%s;", s.called(begins[st], nil)) })
	s.Line("hexcc_meet(); // it is noted which turns are full")
	turn := func(f *function) string { return s.called(f, map[string]string{v.Beat: v.Beat}) + ";" }
	s.Braces(fmt.Sprintf("for (%v %s = %s; %s <= %s; %s += %d)", index, v.Beat, p.noted("lo"), v.Beat, p.noted("hi"), v.Beat, p.Turn), func() {
		switch {
		case guarded == nil:
			s.Line("%s", turn(full))
		case full == nil:
			s.Line("%s", turn(guarded))
		default:
			pair := p.spelled.own("pair")
			s.Line("%s *const %s = %s;", p.inShared("const "+index.String()), pair, p.sharedAt("const "+index.String(), p.layout.full))
			s.Line("if (%s[0] <= %s && %s <= %s[1]) // of all stages", pair, v.Beat, v.Beat, pair)
			s.Line("  %s", turn(full))
			s.Line("else")
			s.Line("  %s", turn(guarded))
		}
	})
	delete(s.Uses, v.Beat)
	delete(s.Uses, p.state())
}

// alone returns the declaration of what is passed by its address.
func alone(of, name string) string { return fmt.Sprintf("struct %s %s[1];", of, name) }

// holdings are the parameters for what a lane holds.
func (p *streamer) holdings(copies rowCopier) []param {
	all := []param{p.stages[0].holding()}
	if copies != nil {
		all = append(all, copies.param())
	}
	return all
}

// beginTogether prints what the warps of a stage note when a chain begins.
func (p *stage) beginTogether(copies rowCopier) *function {
	s, begin := p.scope(), p.scope()
	p.beginWith(begin, copies)
	v := p.Vars
	s.Line("const %v %s = %s;", p.spelled.Index, v.Beat, p.noted("lo"))
	begin.about(s)
	s.Raw(begin.Buf.String())
	maps.Copy(s.Uses, begin.Uses)
	for i := range p.Rows {
		s.Line("%s;", p.zero(i))
	}
	delete(s.Uses, v.Beat)
	return s.define("begin", fmt.Sprintf("What is known when a chain begins, in %s.", p.warps()), "", "void", p.holdings(copies))
}

// fullTogether prints a full turn.
func (p *streamer) fullTogether(copies rowCopier, beats map[*stage][]beatCall) *function {
	v := p.Vars
	s, body := p.scope(), p.scope()
	for first := 0; first < p.Turn; first += p.Period {
		p.eachStage(body, func(st *stage) {
			if st.Margins != nil {
				body.Line("%s // full turns have no border", st.noMargin())
			}
			for r := first; r < first+p.Period; r++ {
				st.callBeat(body, copies, fullTurn, beats[st][r:r+1], r, 0, "", fmt.Sprint(r), v.Beat+ctext.Plus(int64(r)))
			}
		})
		body.Line("%s;", p.passing())
	}
	return p.turnTogether(s, body, "full", fmt.Sprintf("A full turn: %d beats.", p.Turn), v.Beat, copies)
}

// turnTogether defines the function of a turn that begins with a beat of that name.
func (p *streamer) turnTogether(s, body *scope, hint, comment, beat string, copies rowCopier) *function {
	v := p.Vars
	maps.Copy(s.Uses, body.Uses)
	s.about(s)
	s.Raw(body.Buf.String())
	delete(s.Uses, v.Beat)
	return s.define(hint, comment, "", "void", append(p.holdings(copies), param{v.Beat, p.spelled.Index.String() + " " + beat}))
}

// guardedTogether prints a turn that tests: a loop over as many beats as rows take to have their turn.
func (p *streamer) guardedTogether(copies rowCopier, beats map[*stage][]beatCall) *function {
	v, index := p.Vars, p.spelled.Index
	first, i := p.spelled.own("first"), p.spelled.own("i")
	s, body := p.scope(), p.scope()
	p.eachStage(body, func(st *stage) {
		body.Line("const %v %s = %s;", index, v.Beat, first)
		st.turnBits(body)
		for word, m := range st.duringMembers {
			body.Line("%s = %s;", st.held(m), p.during(word))
		}
	})
	n := 1
	for p.Turn%n != 0 || !p.all(func(st *stage) bool { return st.repeatsAfter(beats[st], n) }) {
		n++
	}
	body.Line("#pragma unroll 1")
	body.Braces(fmt.Sprintf("for (int %s = 0; %s < %d; %s += %d)", i, i, p.Turn, i, n), func() {
		for r := range n {
			at := i + ctext.Plus(int64(r))
			p.eachStage(body, func(st *stage) {
				body.Line("const %v %s = %s + %s;", index, v.Beat, first, at)
				for word, m := range st.duringMembers {
					body.Line("const unsigned %s = %s;", p.when(word), p.ballot(fmt.Sprintf("%s >> (%s) & 1", st.held(m), at)))
				}
				st.turnMargins(body, guardedTurn)
				var same []beatCall
				for k := r; k < p.Turn; k += n {
					same = append(same, beats[st][k])
				}
				st.callBeat(body, copies, guardedTurn, same, r, n, i, at, v.Beat)
			})
			p.pass(body, r, n, i)
		}
	})
	return p.turnTogether(s, body, "guarded", fmt.Sprintf("A turn that tests what is at a border: %d beats.", p.Turn), first, copies)
}

func (p *streamer) all(f func(*stage) bool) bool {
	return !slices.ContainsFunc(p.stages, func(st *stage) bool { return !f(st) })
}

// printLaunched prints a kernel each of whose blocks runs one chain, that of its tile.
func printLaunched(k *gpu.Kernel, q *Pipeline, name string, s *Spelling) Kernel {
	st, _ := k.Stream()
	d := s.Dialect
	p := &printer{Indexer: ctext.NewIndexer(s.Spelling), spelled: s, Kernel: k, written: streamWrites(q.Pipeline)}
	p.Depth = 1
	made, line := s.own("made"), "0"
	if st.Line != nil {
		line = p.Expr(st.Line)
	}
	p.Braces("if (hexcc_first_thread())", func() {
		p.Line("const struct hexcc_stream %s = {%s, %s, %s, %s, %s};", made, p.Expr(st.Time), p.Expr(st.Column), line, p.Expr(st.Lo), p.Expr(st.Hi))
		p.Line("*(%sstruct hexcc_stream *)%s = %s;", d.Lanes.Shared, sharedBase, made)
	})
	var args []string
	for _, a := range q.Args {
		p.Uses[a.Name] = true
		args = append(args, a.Name)
	}
	p.Line("%s(%s);", q.Name, strings.Join(append(args, sharedBase), ", "))
	body := p.Take()
	out := Kernel{Kernel: k, Name: name, Uses: p.Uses, Shared: q.Shared, Lanes: gpu.WarpLanes}
	for _, x := range k.Grid {
		out.First = append(out.First, s.Blocks[x.Var].First)
	}
	p.Depth = 0
	decls := p.parameters(&out)
	p.Line("%s", d.Lanes.Head(Threads(k)))
	p.Line("%s(%s)", name, strings.Join(decls, ", "))
	p.Line("{")
	p.Depth = 1
	p.Line("%schar %s[%d] __attribute__((aligned(16)));", d.Lanes.Shared, sharedBase, q.Shared)
	p.indices(true)
	p.constants()
	p.Raw(body)
	p.Depth = 0
	p.Line("}")
	out.Text = p.Buf.String()
	return out
}

package kerneltext

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/gpu"
)

// This file prints a beat of the warps of a stage: a function of the rows in registers and of the number of the beat in its turn.

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
	asked  bool // a step asks where its points are
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
	b.move()
	body := b.Take()
	b.declare(b.scope)
	if b.asked {
		b.first()
	}
	b.Raw(body)
	own := []param{p.holding()}
	args := map[string]string{}
	for n, row := range b.rows {
		name := b.spelledName(fmt.Sprintf("row%d", n))
		own = append(own, p.rowParam(name, "", row))
		args[name] = p.held(p.rowMember(row))
	}
	for n := range b.slots {
		name := b.spelledName(fmt.Sprintf("slot%d", n))
		own = append(own, param{name, "int " + name})
	}
	for _, x := range p.perTurn() {
		if b.Uses[x.name] {
			own = append(own, x.param)
			args[x.name] = x.name
		}
	}
	maps.Copy(args, b.passed)
	if !b.Uses[p.state()] {
		own = own[1:]
	}
	return beatCall{b.defineKinds("beat", fmt.Sprintf("A beat of %s.", p.warps()), own), args}
}

// A known is a parameter for what turns of some kinds know, and what others pass in its place.
type known struct {
	param
	other string
	kinds []turnKind
}

// in returns what turns of a kind pass.
func (x known) in(kind turnKind) string {
	if slices.Contains(x.kinds, kind) || kind == finalTurn && slices.Contains(x.kinds, steadyTurn) {
		return x.name
	}
	return x.other
}

// perTurn are what beats of the stage are told by turns of some kinds.
func (p *stage) perTurn() (all []known) {
	add := func(name, kind, other string, kinds ...turnKind) {
		all = append(all, known{param{name, kind + name}, other, kinds})
	}
	add(p.spelled.own("number"), "int ", "0", guardedTurn)
	for word := range p.whenWords() {
		add(p.when(word), "unsigned ", "0u", guardedTurn, steadyTurn)
	}
	for n, m := range p.masks {
		if len(m.margins) > 0 {
			add(p.besides(n), "unsigned ", "0u", guardedTurn, steadyTurn)
			add(p.some(n), "bool ", "false", guardedTurn)
			if p.selects(m.margins) {
				add(p.edges(n), "const unsigned *", "NULL", steadyTurn)
			}
		}
	}
	if len(p.farLines()) > 0 {
		add(p.linesName(), "unsigned ", "0u", guardedTurn, steadyTurn)
	}
	add(p.copied(), "unsigned ", "0u", steadyTurn)
	if p.Margins != nil {
		elem := p.Margins.Groups[0].Element.Array.Elem.InMemory()
		add(p.marginAt(), p.reference(p.inGlobal("const "+elem+" *"), ""), p.spelled.own("nowhere"), guardedTurn, steadyTurn)
		add(p.marginAt()+"_by", "long ", "0", guardedTurn, steadyTurn)
	}
	return all
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

func conj(rows ...affine.Expr) astgen.Cond { return astgen.Cond{rows} }

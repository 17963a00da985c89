package frontend

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/diag"
)

// This file writes loops whose scalars are in tables.

// mostSeries is the most steps of which values are in tables: the original loop runs more.
const mostSeries = 1 << 24

// isCounted reports whether the loop is a for loop over an integer that only its head sets, by ones, up to a bound that stays the same.
func (s *series) isCounted() bool {
	f, ok := s.loop.(forStmt)
	if !ok || f.cond == nil || f.step == nil {
		return false
	}
	d := iteratorOf(f)
	c, compares := f.cond.(binary)
	if by, constant := stepOf(f.step, d); d == nil || initOf(f) == nil || !constant || by != 1 || !compares || !isIdent(c.x, d) || c.op != "<" && c.op != "<=" {
		return false
	}
	var set []*cc.Declarator
	for _, it := range s.body {
		if it.ends {
			return false
		}
		if !it.head {
			set = append(set, setsAny(it.stmt)...)
		}
	}
	hidden := slices.ContainsFunc(set, func(x *cc.Declarator) bool { return x != d && x != nil && x.Name() == d.Name() })
	return !hidden && !slices.Contains(set, d) && !mentionsAny([]expr{c.y, initOf(f)}, append(set, d))
}

var variableText = regexp.MustCompile(`^[A-Za-z_]\w*(\s*(->|\.)\s*\w+)*$`)

// findTables finds what the other items use. It returns false if a scalar has no name that the text can use.
func (s *series) findTables() bool {
	tabled, ok := map[*cc.Declarator]bool{}, true
	for _, it := range s.body {
		if it.scalar && !it.ends {
			for _, d := range setsAny(it.stmt) {
				tabled[d] = tabled[d] || it.tabled
				if inside := declaredWithin(s.loop, d) && !s.hoisted(d); !inside && !slices.Contains(s.scalars, d) {
					s.scalars = append(s.scalars, d)
				}
			}
		}
	}
	for _, d := range s.scalars {
		ok = ok && variableText.MatchString(s.u.members.name(d))
	}
	for i, it := range s.body {
		if it.scalar {
			continue
		}
		sets := s.setsBefore(i)
		eachExprIn(it.stmt, func(e expr) {
			x, is := e.(ident)
			if !is || !tabled[x.decl] || slices.ContainsFunc(s.tables, func(t seriesTable) bool { return t.decl == x.decl && t.sets == sets[x.decl] }) {
				return
			}
			ok = ok && variableText.MatchString(s.u.members.name(x.decl))
			s.tables = append(s.tables, seriesTable{decl: x.decl, at: i, sets: sets[x.decl], name: s.name("series_" + s.lastName(x.decl) + "_"),
				typ: s.f.typeText(x.decl.Type()), text: s.u.members.name(x.decl)})
		})
	}
	for _, x := range s.lookups() {
		from, to, plain := s.f.bytes(x.where)
		p, _ := lvalue(x.index)
		t, _ := storedType(p.typ)
		if !plain || s.f.text[to-1] != ']' {
			return false // of a macro
		}
		s.tables = append(s.tables, seriesTable{from: from, to: to, at: x.item, name: s.name("series_" + p.root.name + "_"), typ: cNames[calculated(t)], text: string(s.f.text[from:to])})
	}
	return ok
}

// hoisted reports whether d is declared in the head of the loop, which is then written in front of both loops.
func (s *series) hoisted(d *cc.Declarator) bool {
	f, isFor := s.loop.(forStmt)
	return isFor && !s.counted && f.init != nil && declaredWithin(f.init, d)
}

// setsBefore returns how many items in front of number i set each scalar in tables.
func (s *series) setsBefore(i int) map[*cc.Declarator]int {
	sets := map[*cc.Declarator]int{}
	for _, it := range s.body[:i] {
		if it.tabled {
			for _, d := range setsAny(it.stmt) {
				sets[d]++
			}
		}
	}
	return sets
}

// edits returns what is written for the scalars in tables that item i uses; step is the number of the step.
func (s *series) edits(i int, step string) (edits []edit) {
	sets := s.setsBefore(i)
	for _, t := range s.tables {
		if t.decl == nil && t.at == i {
			edits = append(edits, edit{t.from, t.to, t.name + "[" + step + "]"})
		}
	}
	inside := func(at int) bool {
		return slices.ContainsFunc(edits, func(x edit) bool { return x.from <= at && at < x.to })
	}
	eachExprIn(s.body[i].stmt, func(e expr) {
		x, is := e.(ident)
		k := slices.IndexFunc(s.tables, func(t seriesTable) bool { return is && t.decl == x.decl && t.sets == sets[x.decl] })
		if k < 0 {
			return
		}
		from, to, ok := s.f.bytes(x.where)
		if !ok || strings.Join(strings.Fields(string(s.f.text[from:to])), "") != s.u.members.name(x.decl) {
			s.failed = true // of a macro
			return
		}
		if !inside(from) {
			edits = append(edits, edit{from, to, s.tables[k].name + "[" + step + "]"})
		}
	})
	slices.SortFunc(edits, func(e, f edit) int { return e.from - f.from })
	return slices.CompactFunc(edits, func(e, f edit) bool { return e.from == f.from })
}

// write writes the region, whose pragmas are pragma.
func (s *series) write(pragma string) {
	from, to := s.extent(s.loop)
	s.upTo(from)
	text := "what " + s.tabledText() + " at each step is computed before this loop, since no array decides it"
	if !s.counted {
		text += "; so is how many steps there are"
	}
	if s.o.Parts {
		s.remarks = append(s.remarks, &diag.Diagnostic{Severity: diag.Error, Code: "HX311", At: s.f.span(firstPart(s.loop)),
			Msg:  "ranks cannot run this loop: what " + s.tabledText() + " at each step would have to be computed before it",
			Help: "have it in an array, by step, which is computed before the region"})
	} else {
		s.remark(s.loop, text)
	}
	count, room, failed := s.name("series_steps"), s.name("series_room"), s.name("series_failed")
	s.line("{")
	f, isFor := s.loop.(forStmt)
	if isFor && !s.counted && f.init != nil {
		a, b := s.extent(f.init)
		s.copy(a, b)
		s.line(";")
	}
	s.line("int %s = 0, %s = 0; /* the steps, and whether there are too many */", count, failed)
	if len(s.tables) > 0 {
		s.line("unsigned long %s = 0;", room)
	}
	for _, t := range s.tables {
		s.line("%s *%s_ = 0;", t.typ, t.name)
	}
	kept := map[*cc.Declarator]string{}
	for _, d := range s.scalars {
		if s.setFirst(d) && (s.isTabled(d) || s.counted && isFor && iteratorOf(f) == d) {
			continue // it may have no value yet
		}
		kept[d] = s.name("series_first")
		s.line("const %s %s = %s;", s.f.typeText(d.Type()), kept[d], s.u.members.name(d))
	}
	s.prelude(count, room, failed)
	s.line("if (!%s) {", failed)
	ends := map[*cc.Declarator]string{}
	for _, d := range s.scalars {
		if !s.isTabled(d) && !(s.counted && iteratorOf(f) == d) { // the loop that is left sets it, too
			ends[d] = s.name("series_last")
			s.line("const %s %s = %s;", s.f.typeText(d.Type()), ends[d], s.u.members.name(d))
			s.line("%s = %s;", s.u.members.name(d), kept[d])
		}
	}
	for _, t := range s.tables {
		s.line("const %s *__restrict__ %s = %s_;", t.typ, t.name, t.name)
	}
	s.line("")
	s.put("%s", pragma)
	s.left(count)
	s.line("#pragma endscop")
	for _, d := range s.scalars {
		if ends[d] != "" {
			s.line("%s = %s;", s.u.members.name(d), ends[d])
		}
	}
	s.line("} else {")
	for _, d := range s.scalars {
		if kept[d] != "" {
			s.line("%s = %s;", s.u.members.name(d), kept[d])
		}
	}
	s.original()
	s.line("}")
	for _, t := range s.tables {
		s.line("__builtin_free(%s_);", t.name)
	}
	s.line("}")
	s.skipTo(to)
}

// setFirst reports whether each run of the loop that changes d sets it before it reads it, so that its value in front of the loop does not matter.
func (s *series) setFirst(d *cc.Declarator) bool {
	if f, isFor := s.loop.(forStmt); isFor && s.counted && iteratorOf(f) == d {
		return !mentions(initOf(f), d)
	}
	if !s.post && s.cond != nil && mentions(s.cond, d) {
		return false
	}
	i := slices.IndexFunc(s.body, func(it seriesItem) bool { return mentionsIn(it.stmt, map[*cc.Declarator]bool{d: true}) })
	if i < 0 {
		return false
	}
	x, ok := s.body[i].stmt.(exprStmt)
	if !ok || s.body[i].head {
		return false
	}
	a, ok := x.x.(assign)
	return ok && a.op == "=" && isIdent(a.x, d) && !mentions(a.y, d)
}

// isTabled reports whether an item sets d whose scalars are in tables.
func (s *series) isTabled(d *cc.Declarator) bool {
	return slices.ContainsFunc(s.body, func(it seriesItem) bool { return it.tabled && slices.Contains(setsAny(it.stmt), d) })
}

// tabledText names what is in tables, or else what decides when the loop ends.
func (s *series) tabledText() string {
	var names []string
	note := func(text string) {
		if name := "'" + text + "'"; !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, t := range s.tables {
		note(t.text)
	}
	if len(names) == 0 {
		for _, it := range s.body {
			if it.tabled {
				for _, d := range setsAny(it.stmt) {
					note(s.u.members.name(d))
				}
			}
		}
	}
	if len(names) == 1 {
		return names[0] + " is"
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1] + " are"
}

// original copies the loop as it is, behind what its head sets first.
func (s *series) original() {
	from, to := s.extent(s.loop)
	f, isFor := s.loop.(forStmt)
	if !isFor || s.counted || f.init == nil {
		s.copy(from, to)
		s.line("")
		return
	}
	_, behind := s.extent(f.init)
	s.put("for (;")
	for behind < to && s.f.text[behind] != ';' {
		behind++
	}
	if d, declares := f.init.(declStmt); declares {
		if _, end := s.extent(d); end > 0 && s.f.text[end-1] == ';' {
			behind = end - 1
		}
	}
	s.copy(behind+1, to)
	s.line("")
}

// open writes the begin of the loop; it returns what closes it.
func (s *series) open() (end string) {
	from, _ := s.extent(s.loop)
	switch {
	case s.counted:
		_, to, _ := s.f.bytes(s.loop.(forStmt).head)
		s.line("")
		s.copy(from, to)
		s.put(" {\n")
	case s.post:
		s.line("do {")
		return fmt.Sprintf("} while (%s);", s.spelled(s.cond))
	case s.cond == nil:
		s.line("for (;;) {")
	default:
		s.line("while (%s) {", s.spelled(s.cond))
	}
	return "}"
}

// prelude writes the loop with its scalars alone, which fills the tables.
func (s *series) prelude(count, room, failed string) {
	end := s.open()
	if len(s.tables) > 0 {
		s.line("if (%s == (long)%s) { /* room for more steps */", count, room)
		s.line("%s = 2 * %s + 1000;", room, room)
		for _, t := range s.tables {
			s.line("%s *%s = (%s *)__builtin_realloc(%s_, %s * sizeof(%s));", t.typ, t.name, t.typ, t.name, room, t.typ)
			s.line("if (%s) %s_ = %s; else %s = 1;", t.name, t.name, t.name, failed)
		}
		s.line("}")
	}
	s.line("if (%s || %s == %d) { %s = 1; break; }", failed, count, mostSeries, failed)
	_, last := s.others()
	for i, it := range s.body {
		if s.counted && it.head {
			break
		}
		for _, t := range s.tables {
			if t.at == i {
				s.line("%s_[%s] = %s;", t.name, count, t.text)
			}
		}
		if it.scalar && s.isNeeded(i) {
			s.item(it.stmt, nil)
		}
		if i == last {
			s.line("%s++;", count)
		}
	}
	s.line("%s", end)
}

// isNeeded reports whether something else than items that are no scalars needs what item i sets.
func (s *series) isNeeded(i int) bool {
	it := s.body[i]
	if d, declares := it.stmt.(declStmt); !declares || it.tabled {
		return true
	} else if slices.ContainsFunc(d.vars, func(v varDecl) bool { return s.cond != nil && mentions(s.cond, v.decl) }) {
		return true
	}
	ds := map[*cc.Declarator]bool{}
	for _, d := range setsAny(it.stmt) {
		ds[d] = true
	}
	for k, other := range s.body {
		if k != i && other.scalar && mentionsIn(other.stmt, ds) {
			return true
		}
	}
	return false
}

// item copies a statement of the body with edits.
func (s *series) item(x stmt, edits []edit) {
	from, to := s.extent(x)
	s.line("")
	s.edited(from, to, edits)
	if e, ok := x.(exprStmt); ok && e.x != nil && !strings.HasSuffix(strings.TrimSpace(string(s.f.text[from:to])), ";") {
		s.put(";")
	}
	s.line("")
}

// left writes the loop that is left, over the steps.
func (s *series) left(count string) {
	step := s.name("series_step")
	if s.counted {
		f := s.loop.(forStmt)
		step = iteratorOf(f).Name()
		if v, ok := literal(initOf(f)); !ok || v != 0 {
			step += " - (" + s.spelled(initOf(f)) + ")"
		}
		s.open()
	} else {
		s.line("for (int %s = 0; %s < %s; %s++) {", step, step, count, step)
	}
	for i, it := range s.body {
		if s.counted && it.head {
			break
		}
		if !it.tabled && !it.ends {
			s.item(it.stmt, s.edits(i, step))
		}
	}
	s.line("}")
}

// tabulated returns the file with the scalars of loops in tables, in the regions for which write holds: those that are written are set in
// the result. The origin is nil if there are none.
func tabulated(f *file, u *unit, regions []region, o Options, write func(int) bool) (origin *Origin, inner []innerRegion, remarks diag.List, done map[int]bool) {
	return wholeLoops(f, u, regions, o, write, func(h *hostLoops) func(pragma string) {
		if s := planSeries(h); s != nil {
			return s.write
		}
		return nil
	})
}

// wholeLoops returns the file with regions for which write holds written anew, each as one region, by what plan returns if it is one to write: those that are written are set in
// done. The origin is nil if there are none.
func wholeLoops(f *file, u *unit, regions []region, o Options, write func(int) bool, plan func(*hostLoops) func(pragma string)) (origin *Origin, inner []innerRegion, remarks diag.List, done map[int]bool) {
	var parts []hostPart
	done = map[int]bool{}
	for i, r := range regions {
		part := hostPart{at: r.Start, inner: []innerRegion{{of: i}}}
		if write(i) && r.every == 0 {
			at := r.Start
			if r.first > 0 {
				at = f.lines[r.first-1]
			}
			h := &hostLoops{source: &source{f, u, r, o}, patchwork: &patchwork{user: f, cursor: at, region: true}, names: 100 * i}
			if text := plan(h); text != nil {
				body := f.lines[r.StartLine]
				h.skipTo(body)
				text(string(f.text[at:body]))
				h.upTo(f.lines[r.EndLine-1])
				h.skipTo(r.End)
				if !h.failed {
					h.inner = []innerRegion{{written: true, of: i}}
					part, done[i] = h.part(at, r.End), true
				}
			}
		}
		parts = append(parts, part)
	}
	if len(done) == 0 {
		return nil, nil, nil, nil
	}
	origin, inner, remarks = assembled(f, parts)
	return origin, inner, remarks, done
}

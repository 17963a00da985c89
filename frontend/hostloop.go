package frontend

import (
	"fmt"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/diag"
)

// This file takes regions that are no scop.Program: loops that end by a value, and nests that gather scalars. Such a
// region is written anew, in C: what decides how often the loop runs, and what gathers, stays for the host, as the user
// wrote it; what is left are regions of their own.

// A hostLoops writes a region anew.
type hostLoops struct {
	*source
	*patchwork
	origin    *Origin // where the places of the file are in the user's, nil for the same
	functions *hostFunctions
	edges     func(region int) []edge
	of        *cc.FunctionDefinition          // what is written is its copy; nil for a region
	uses      []*hostFunction                 // those that the text so far calls
	forward   []*hostFunction                 // of uses: those that stand behind it
	calling   map[*cc.FunctionDefinition]bool // the functions around what is looked at
	inner     []innerRegion                   // of the text so far
	copies    map[where]bool                  // calls that are nests: see withoutCopies
	names     int                             // how many were made
	loops     int                             // how many were seen
	reserved  map[where]*gatheredTerms        // by nest: those whose memory is taken before a loop around it
	held      []*chunk                        // of loops around this place: their memory is given back where they end
	depth     int                             // of loops of the host around this place
	chunks    func(string) bool               // whether the loop of that name may run several steps at once
	told      []*cc.Declarator                // the tables of which remarks tell
	remarks   diag.List
	refused   diag.List         // why the region cannot be written anew, where that is to be told
	obstacle  stmt              // the innermost statement that cannot, nil if that is not known
	gathers   bool              // the host gathers scalars
	pointed   map[string]string // planes that the nests last written use by pointers, and the names of these
	found     bool              // there is something that a region could not hold
	failed    bool              // the region holds what cannot be written anew
}

// An innerRegion is a region of the text that is written.
type innerRegion struct {
	instead string  // what the generated file runs where facts do not hold, "" for the region itself
	written bool    // it is not the user's
	chunk   string  // the loop of which it runs steps, "" for none
	apart   bool    // no two iterations of its nest may set the same element
	space   bool    // its loops are over space
	hosted  bool    // the host runs loops around it, or more than one of them
	of      int     // the user's region
	breach  *breach // nil: no nest of it tests anything
}

// rewritten returns the file with regions for which write holds written anew, and the regions that it then has. The origin is nil if
// none could be; refused says of those that could not be why not, where that is known. Places of the file are those of within in the user's.
func rewritten(f *file, u *unit, within *Origin, regions []region, o Options, write func(int) bool, chunks func(string) bool, edges func(int) []edge) (origin *Origin, inner []innerRegion, remarks diag.List, refused map[int]diag.List) {
	functions := &hostFunctions{map[*cc.FunctionDefinition]*hostFunction{}}
	var parts []hostPart
	var used []*hostFunction
	ok := false
	refused = map[int]diag.List{}
	for i, r := range regions {
		if write(i) {
			h := &hostLoops{origin: within, source: &source{f, u, r, o}, patchwork: &patchwork{user: f, cursor: r.Start, region: true}, functions: functions, names: 100 * i, chunks: chunks, edges: edges}
			if h.region(); !h.failed && h.found && (len(h.inner) > 0 || slices.ContainsFunc(needed(h.uses), func(x *hostFunction) bool { return len(x.inner) > 0 })) {
				at := r.Start // what stands before the region is written before its chunk
				if r.first > 0 {
					at = f.lines[r.first-1]
				}
				for k := range h.inner {
					h.inner[k].hosted = h.loops > 0 || len(h.inner) > 1 || slices.ContainsFunc(h.uses, func(x *hostFunction) bool { return !x.plain }) || h.gathers
					if b := h.inner[k].breach; b != nil && h.inner[k].hosted {
						h.remarks = diag.List{b.refused("the region is more than one time loop")}
					}
				}
				parts, used, ok = append(append(parts, h.part(at, r.End)), h.declarations()...), append(used, h.uses...), true
				continue
			}
			switch refused[i] = h.refused; {
			case len(h.refused) > 0:
			case h.failed:
				refused[i] = h.obstructed()
			case h.gathers:
				refused[i] = h.onlyGathers()
			}
		}
		parts = append(parts, hostPart{at: r.Start, inner: []innerRegion{{of: i}}})
	}
	if !ok {
		return nil, nil, nil, refused
	}
	for _, x := range needed(used) {
		for k := range x.inner {
			x.inner[k].hosted = true
		}
		end := f.offset(x.of.CompoundStatement.Token2.Position()) + 1
		parts = append(append(parts, x.part(end, end)), x.declarations()...)
	}
	origin, inner, remarks = assembled(f, parts)
	return origin, inner, remarks, refused
}

// region writes the region.
func (h *hostLoops) region() {
	h.skipTo(h.f.lines[h.r.StartLine])
	sv := newSurvey(newNotes(h.source))
	h.r.stmts, h.copies = sv.withoutCopies(h.r.stmts), sv.copies // nests whose text is a call
	h.checkSwitches(h.r.stmts)
	h.list(h.r.stmts)
	h.upTo(h.f.lines[h.r.EndLine-1])
	h.skipTo(h.r.End)
}

// checkSwitches fails where a switch holds nests: the conditions that it is read as do not stand in the text, nor in its order.
func (h *hostLoops) checkSwitches(ss []stmt) {
	for _, s := range ss {
		h.failed = h.failed || contains(s, func(s stmt) bool { x, ok := s.(ifStmt); return ok && x.isCase() && h.holdsNests(x) })
	}
}

// name returns a name that is not used in the file.
func (h *hostLoops) name(what string) string {
	h.names++
	return fmt.Sprintf("hexcc_%s%d", what, h.names)
}

// userLine returns the line of the user's file that s begins in.
func (h *hostLoops) userLine(s stmt) int {
	at := h.f.offset(s.at().first)
	if h.origin == nil {
		return h.f.line(at)
	}
	from, _ := h.origin.offset(at)
	return h.origin.user.line(from)
}

// extent returns where s is in the file.
func (h *hostLoops) extent(s stmt) (from, to int) {
	from, to, ok := h.f.bytes(s.at())
	if !ok || from >= to || h.f.macroAt(where{s.at().first, s.at().first}) != "" && from != h.f.offset(s.at().first) {
		h.failed = true
		return h.cursor, h.cursor
	}
	return from, to
}

// list writes the statements of a block.
func (h *hostLoops) list(ss []stmt) {
	for i := 0; i < len(ss) && !h.failed; {
		if f, ok := ss[i].(forStmt); ok && (h.walled(f) || h.sources(f)) {
			i++
			continue
		}
		n, loops := 0, 0
		for i+n < len(ss) && h.plain(ss[i+n]) {
			if f, ok := ss[i+n].(forStmt); ok {
				if n > 0 && (h.timeLike(f) || usesBefore(ss[i:i+n], f)) {
					break
				}
				loops++
			}
			n++
			if f, ok := ss[i+n-1].(forStmt); ok && h.timeLike(f) {
				break
			}
		}
		if loops > 0 {
			if f, ok := ss[i].(forStmt); ok && h.depth > 0 && h.timeLike(f) {
				h.found = true // a time loop in a time loop
			} else if ok && h.timeLike(f) && slices.ContainsFunc(ss, func(s stmt) bool { g, loop := s.(forStmt); return loop && g.head != f.head && h.plain(s) }) {
				h.found = true // such as nests that set what it begins with
				h.remark(f, "nests beside this time loop run before or after it, as regions of their own", diag.Note{Msg: "on a GPU, each part copies the arrays that it uses to the device and back"})
			}
			from, _ := h.extent(ss[i])
			_, to := h.extent(ss[i+n-1])
			h.upTo(from)
			h.nests(ss[i:i+n], nil, "", func() { h.copy(from, to) }, func() { h.copy(from, to) })
			h.skipTo(to)
			i += n
			continue
		}
		h.found = h.found || h.depth == 0 && h.besideTimeLoop(ss, i)
		h.statement(ss[i])
		if h.failed && h.obstacle == nil {
			h.obstacle = ss[i]
		}
		i++
	}
}

// usesBefore reports whether ss, which stand before f, use the value that its variable has there.
func usesBefore(ss []stmt, f forStmt) bool {
	d := iteratorOf(f)
	return slices.ContainsFunc(ss, func(s stmt) bool {
		x, ok := s.(exprStmt)
		return ok && mentionsAny([]expr{x.x}, []*cc.Declarator{d})
	})
}

// besideTimeLoop reports whether ss[i] sets a scalar beside a loop over time among ss: what a loop is to begin with, or what is left to be done.
func (h *hostLoops) besideTimeLoop(ss []stmt, i int) bool {
	x, ok := ss[i].(exprStmt)
	if !ok {
		return false
	}
	a, ok := x.x.(assign)
	if !ok {
		return false
	}
	_, scalar := a.x.(ident)
	return scalar && slices.ContainsFunc(ss, func(s stmt) bool { f, ok := s.(forStmt); return ok && h.timeLike(f) })
}

// nests writes a region that holds ss, by text; where tests do not hold, that takes the remainder of a number that may be negative, as far as
// is known in the region, or tables are not what they seem to be, otherwise stands for it.
func (h *hostLoops) nests(ss []stmt, tests []string, instead string, text, otherwise func()) {
	tests = slices.Clone(tests)
	for _, s := range ss {
		eachExprIn(s, func(e expr) {
			b, ok := e.(binary)
			if !ok || b.op != "%" && b.op != "&" {
				return
			}
			eachExpr(b.x, func(e expr) {
				x, ok := e.(ident)
				if !ok || x.decl == nil || iterates(s, x.decl) || declaredWithin(s, x.decl) || h.u.members.is(x.decl) {
					return
				}
				if t, number := storedType(x.decl.Type()); number && !t.IsFloat() && !t.IsUnsigned() && !slices.Contains(tests, x.name+" >= 0") {
					tests = append(tests, x.name+" >= 0")
				}
			})
		})
	}
	holds := h.name("holds")
	edits, lines := h.tables(ss, holds)
	switch {
	case !h.o.Ranks && !h.o.Parts:
	case h.o.Ranks && len(lines) > 0:
		h.refuseOnRanks(ss[0], "subscripts of this nest come from a table, of which each rank has its part", "compute the subscripts of loop variables and of numbers that the region leaves alone")
	case len(tests) > 0:
		name := strings.TrimSuffix(tests[0], " >= 0")
		h.refuseOnRanks(ss[0], fmt.Sprintf("this nest takes a remainder of '%s', which may be negative", name), "let '"+name+"' be of a type without a sign, such as unsigned")
	}
	edits, declared, named := h.valuesIn(ss, edits)
	edits, pointers := h.planePointers(ss, edits)
	if len(pointers) > 0 {
		h.line("{")
		for _, line := range pointers {
			h.line("%s", line)
		}
	}
	for _, name := range named {
		h.line("(void)%s;", name) // which nothing else may use
	}
	if len(lines) > 0 {
		h.line("{")
		h.line("int %s = 1; /* tables are what they seem to be */", holds)
		for _, line := range lines {
			h.line("%s", line)
		}
		tests = append(tests, holds)
	}
	if len(tests) > 0 {
		h.line("if (%s) {", strings.Join(tests, " && "))
	}
	h.begin(instead, "")
	h.inner[len(h.inner)-1].space = h.o.Ranks && !slices.ContainsFunc(ss, func(s stmt) bool { f, ok := s.(forStmt); return ok && h.timeLike(f) })
	if len(declared) > 0 {
		h.line("{")
		for _, line := range declared {
			h.line("%s", line)
		}
	}
	h.replaced = edits
	text()
	h.replaced = nil
	if len(declared) > 0 {
		h.line("}")
	}
	h.end()
	if len(tests) > 0 {
		h.line("} else {")
		otherwise()
		h.line("}")
	}
	if len(lines) > 0 {
		h.line("}")
	}
	if len(pointers) > 0 {
		h.line("}")
	}
}

// begin begins a region of the text.
func (h *hostLoops) begin(instead, chunk string) {
	h.line("")
	h.inner = append(h.inner, innerRegion{instead: instead, written: true, chunk: chunk, of: h.r.Index})
	h.put("#pragma scop\n")
}

func (h *hostLoops) end() { h.line("#pragma endscop") }

// statement writes a statement that is no plain loop.
func (h *hostLoops) statement(s stmt) {
	switch s.(type) {
	case ifStmt, exprStmt, declStmt:
		h.checkOnRanks(s)
	}
	switch s := s.(type) {
	case block:
		h.list(s.items)
	case ifStmt:
		h.found = h.found || h.depth == 0 && h.holdsTimeLoop(s) // around the time loop
		h.callCopies(exprStmt{s.cond.at(), s.cond})
		h.inBraces(s.then)
		if s.orElse != nil {
			h.inBraces(s.orElse)
		}
	case forStmt:
		if h.reports(s) {
			h.asItIs(s)
			return
		}
		if (h.depth > 0 || h.of != nil) && !h.timeLike(s) && h.samples(s) {
			h.found = true
			h.remark(s, "the host runs this loop as it is: which elements its subscripts designate is known only when it runs")
			h.asItIs(s)
			return
		}
		if ds := h.gatheredByNest(s); len(ds) > 0 {
			if h.o.Ranks {
				h.gatherOnRanks(s, ds)
				return
			}
			switch r, inOrder := h.readReduction(s, ds); {
			case r != nil:
				h.found, h.gathers = true, true
				h.reduction(r)
			case len(h.accumulators(s)) > 0 && h.known(s):
				h.found, h.gathers = true, true
				h.asItIsInThreads(s)
			case inOrder != "":
				h.refuseOrder(s, ds, inOrder)
			default:
				h.failed = true
			}
			return
		}
		if h.onHost(s) {
			h.found, h.gathers = true, true
			h.asItIsInThreads(s)
			return
		}
		h.loop(s, s.body)
	case otherStmt:
		switch {
		case h.reports(s):
			h.asItIs(s)
		case s.what == "a while loop" || s.what == "a do loop":
			h.loop(s, s.inner[0])
		case s.what == "'return'":
			if h.of == nil {
				h.checkAllOnRanks(s)
			}
			h.releaseAll(s)
			h.callCopies(s)
		case s.what != "'break'" && s.what != "'continue'":
			h.failed = true
		}
	default:
		h.callCopies(s)
	}
}

// asItIs writes s as it stands.
func (h *hostLoops) asItIs(s stmt) {
	h.checkAllOnRanks(s)
	_, to := h.extent(s)
	h.upTo(to)
}

// inBraces writes s, which is the body of a loop or a branch, with braces around it.
func (h *hostLoops) inBraces(s stmt) {
	if b, ok := s.(block); ok {
		h.list(b.items)
		return
	}
	if !h.holdsNests(s) && (len(h.held) == 0 || !contains(s, func(s stmt) bool { return isJump(s, "'return'") })) {
		h.asItIs(s)
		return
	}
	from, to := h.extent(s)
	h.upTo(from)
	h.put("{\n")
	h.list([]stmt{s})
	h.upTo(to)
	h.put("\n}")
}

// loop writes a loop that the host runs.
func (h *hostLoops) loop(s, body stmt) {
	if !h.holdsNests(body) {
		h.failed = true // a nest that is not understood
		return
	}
	if f, ok := s.(forStmt); ok && (!h.timeLike(f) || h.o.nested && h.placesElements(f)) {
		h.failed = true
		return
	}
	if f, ok := s.(forStmt); ok {
		h.found = h.found || h.holdsSteps(f)
	}
	h.found = h.found || h.setsByMethods(body) || h.endsByData(s, body) || h.calls(body) || h.gathersByCall(body) || h.o.Ranks && (setsScalars(body) || h.looksUpBeside(body))
	h.depth++
	defer func() { h.depth-- }()
	from, to := h.extent(s)
	h.upTo(from)
	switch s := s.(type) {
	case forStmt:
		h.hostOnly(s.init, s.cond, s.step)
	case otherStmt:
		h.hostOnly(nil, s.exprs...)
	}
	h.loops++
	name := fmt.Sprintf("%d.%d", h.r.Index, h.loops)
	if h.of != nil {
		name = fmt.Sprintf("%s.%d", h.of.Declarator.Name(), h.loops)
	}
	memory := h.reserve(s, body)
	c, why := h.planChunk(s, body)
	if c != nil && h.chunks(name) && h.together(c) {
		c.name = name
		h.before(c)
		first, _ := h.extent(body)
		h.upTo(first)
		h.put("{ ")
		h.chunk(c)
		h.held = append(h.held, c)
		h.inBraces(body)
		h.held = h.held[:len(h.held)-1]
		_, last := h.extent(body)
		h.upTo(last)
		h.put(" }")
		h.upTo(to)
		h.after(c)
		h.release(memory)
		return
	}
	if why == "" {
		why = "its steps together cannot be read as one region"
	}
	how := "this loop stays on the host, and only space is tiled, step by step: "
	if h.holdsTimeLoop(body) {
		how = "this loop stays on the host; a time loop in it is tiled in time, other nests in space, step by step: "
	}
	if h.o.Ranks {
		h.checkOnRanks(s)
		tiled := ""
		if !h.o.InSteps && h.holdsTimeLoop(body) {
			tiled = "; a time loop in it is tiled in time"
		}
		h.remark(s, "all ranks run this loop, step by step: what a nest reads of the rows of other ranks is sent before it, where it has not come before, and scalars that nests gather are made the same on all ranks"+tiled)
	} else {
		gain := "on a CPU, all that such tiles gain is threads and vectors"
		if len(memory) > 0 {
			gain += ", and what nests gather is stored before it is added up: one thread is slower than the plain loops"
		}
		h.remark(s, how+why, diag.Note{Msg: gain}, diag.Note{Msg: "on a GPU, each part copies the arrays that it uses to the device and back"})
	}
	regions, calls := len(h.inner), len(h.uses)
	h.inBraces(body)
	if len(h.inner) == regions && len(h.uses) == calls && h.setsInNests(body) {
		h.failed = true // nothing of it is tiled
	}
	if len(memory) > 0 {
		h.upTo(to)
		h.release(memory)
	}
}

// hostOnly fails where what the head of a loop evaluates holds nests.
func (h *hostLoops) hostOnly(init stmt, es ...expr) {
	for _, e := range es {
		h.failed = h.failed || e != nil && len(h.callsOfNests(exprStmt{e.at(), e})) > 0
	}
	h.failed = h.failed || init != nil && len(h.callsOfNests(init)) > 0
}

// refuseOrder tells that nest s, which gathers ds, is one that cannot be divided; why says so of its terms.
func (h *hostLoops) refuseOrder(s forStmt, ds []*cc.Declarator, why string) {
	h.failed = true
	h.refused = append(h.refused, &diag.Diagnostic{Code: "HX107", At: h.f.span(firstPart(s)), Msg: fmt.Sprintf("what this nest gathers in '%s' depends on the order of its iterations", ds[0].Name()),
		Notes: []diag.Note{{Msg: "its terms cannot be stored, and gathered in that order, since " + why}},
		Help:  "gather in a nest of its own, before or after this one"})
}

func (h *hostLoops) remark(s stmt, text string, notes ...diag.Note) {
	h.remarks = append(h.remarks, &diag.Diagnostic{Severity: diag.Remark, Code: "HX125", At: h.f.span(firstPart(s)), Msg: text, Notes: notes})
}

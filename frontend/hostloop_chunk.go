package frontend

import (
	"fmt"
	"slices"
	"strings"

	"modernc.org/cc/v4"
)

// This file finds out how many steps of a loop may run before the host looks again: a chunk, which is tiled in time. What
// decides whether the loop goes on is asked before the chunk runs where it depends on counters alone. Where it depends on
// the greatest of terms at all points, each point notes in a mask of bits, one for each step, whether its own term is
// reason enough to go on. If some step had none, what the chunk changed is set back, and it runs again up to that step.

// A chunk is how to run several steps of a loop.
type chunk struct {
	name         string // of the loop
	loop         stmt
	body         []stmt // the items
	post         bool   // the condition is at the end
	cond         []expr // those that counters decide
	items        []chunkItem
	counters     []stepCounter
	alternations []alternation
	every        int              // steps between tests that the user wishes, 0: as many as are exact
	goals        []goal           // by nest that gathers what ends the loop
	saves        []save           // what is set back
	pointers     []*cc.Declarator // that the body moves
	counted      *stepCounter     // the one that nests use, or nil
	after        bool             // it is used after it was increased
	tables       []edit           // what is written for elements of tables

	height, steps string // names of variables
}

// A chunkItem is an item of the body.
type chunkItem struct {
	stmt     stmt
	kept     bool       // a step of a chunk runs it: a nest, or moves of pointers
	red      *reduction // a nest that gathers
	counter  *stepCounter
	tests    []expr // a step is not in a chunk where one of them holds: there are several of an else if
	branches bool   // kept: nests in the branches of a test that is the same at every step
	dropped  bool   // it does nothing but set a scalar, which no step of a chunk does
	early    bool   // nor is the step before it: what follows in the body is needed after it
}

// A stepCounter is a number that each step changes by a constant.
type stepCounter struct {
	decl *cc.Declarator
	by   int64
	text string
}

// An alternation is an integer that takes turns with the steps, such as cur = 1 - cur.
type alternation struct {
	decl  *cc.Declarator
	value expr // of the next step
	text  string
}

// planChunk returns how to run several steps of loop s with the given body, or why only one is run at a time.
func (h *hostLoops) planChunk(s, body stmt) (*chunk, string) {
	c := &chunk{loop: s}
	c.body = items(body)
	var cond, step expr
	switch s := s.(type) {
	case forStmt:
		cond, step = s.cond, s.step
	case otherStmt:
		cond, c.post = s.exprs[0], s.what == "a do loop"
	}
	if jumps(body, "'continue'") || h.jumpsOut(body) {
		return nil, "it holds a jump other than break"
	}
	if why := h.findCounters(c, step); why != "" {
		return nil, why
	}
	why := h.readItems(c, conjuncts(cond))
	if why != "" {
		return nil, why
	}
	return c, ""
}

// items returns the statements that s consists of, those of blocks in it without declarations, too.
func items(s stmt) (all []stmt) {
	b, ok := s.(block)
	if !ok {
		return []stmt{s}
	}
	for _, x := range b.items {
		if in, ok := x.(block); ok && !slices.ContainsFunc(in.items, func(s stmt) bool { _, decl := s.(declStmt); return decl }) {
			all = append(all, items(in)...)
		} else {
			all = append(all, x)
		}
	}
	return all
}

// conjuncts returns what must all hold for e.
func conjuncts(e expr) []expr {
	if b, ok := e.(binary); ok && b.op == "&&" {
		return append(conjuncts(b.x), conjuncts(b.y)...)
	}
	if e == nil {
		return nil
	}
	return []expr{e}
}

// findCounters finds the counters of the loop.
func (h *hostLoops) findCounters(c *chunk, step expr) string {
	times := map[*cc.Declarator]int{}
	eachExprIn(c.loop, func(e expr) {
		if a, ok := e.(assign); ok {
			if x, ok := a.x.(ident); ok {
				times[x.decl]++
			}
		}
		if u, ok := e.(unary); ok && u.op == "&" {
			if x, ok := u.x.(ident); ok {
				times[x.decl] = 2
			}
		}
	})
	if f, ok := c.loop.(forStmt); ok {
		if init, ok := f.init.(exprStmt); ok {
			eachExpr(init.x, func(e expr) {
				if a, ok := e.(assign); ok {
					if x, ok := a.x.(ident); ok {
						times[x.decl]--
					}
				}
			})
		}
	}
	takesTurns := func(e expr) (k alternation, ok bool) {
		a, ok := e.(assign)
		if !ok {
			return k, false
		}
		x, ok := a.x.(ident)
		if !ok || x.decl == nil || h.u.members.is(x.decl) || times[x.decl] != 1 || !h.isAutomatic(x.decl) {
			return k, false
		}
		value, text := turned(a), h.spelled(e)
		if y, ok := value.(ident); ok && a.op == "=" {
			if of := indexOf(c.body, y.decl); of != nil && times[y.decl] == 0 { // and x has not changed since
				value, text = of, fmt.Sprintf("%s = %s", x.name, h.spelled(of))
			}
		}
		if value == nil || !isIndex(value) {
			return k, false
		}
		only := true
		eachExpr(value, func(e expr) {
			if y, is := e.(ident); is {
				only = only && y.decl == x.decl
			}
		})
		t, number := storedType(x.decl.Type())
		return alternation{x.decl, value, text}, only && number && !t.IsFloat() && mentionsAny([]expr{value}, []*cc.Declarator{x.decl})
	}
	read := func(e expr) (k stepCounter, ok bool) {
		a, ok := e.(assign)
		if !ok {
			return k, false
		}
		x, ok := a.x.(ident)
		if !ok || x.decl == nil || h.u.members.is(x.decl) || times[x.decl] != 1 {
			return k, false
		}
		t, number := storedType(x.decl.Type())
		by, constant := stepOf(e, x.decl)
		return stepCounter{x.decl, by, h.spelled(e)}, number && !t.IsFloat() && constant
	}
	for _, s := range c.body {
		it := chunkItem{stmt: s}
		if x, ok := s.(exprStmt); ok && x.x != nil {
			if k, ok := read(x.x); ok {
				c.counters = append(c.counters, k)
				it.counter = &k
			} else if k, ok := takesTurns(x.x); ok {
				c.alternations = append(c.alternations, k)
				it.kept = true
			}
		}
		c.items = append(c.items, it)
	}
	if step == nil {
		return ""
	}
	for _, e := range unfolded(step) {
		k, ok := read(e)
		if !ok {
			return fmt.Sprintf("'%s' changes a variable in another way than by a constant", h.spelled(e))
		}
		c.counters = append(c.counters, k)
		c.items = append(c.items, chunkItem{counter: &k})
	}
	return ""
}

// readItems finds out what a step of a chunk runs, and what must not happen in it. cond are the conditions of the loop.
func (h *hostLoops) readItems(c *chunk, cond []expr) string {
	for _, it := range c.items {
		if f, ok := it.stmt.(forStmt); ok {
			if ds := h.accumulators(f); len(ds) > 0 {
				return fmt.Sprintf("the nest in line %d gathers in elements of '%s' at every step", h.userLine(f), ds[0].Name())
			}
		}
	}
	var tests []expr // that data decide: what ends the loop, if it holds
	var resets []stmt
	var ending []int // the items that hold some of these
	gathering := false
	assigned, changed := h.assignedIn(c), h.alteredBy(c.body...)
	steady := func(e expr, but []*cc.Declarator) bool {
		ok := !readsElement(e)
		eachExpr(e, func(e expr) {
			x, is := e.(ident)
			if _, other := e.(otherExpr); other {
				ok = false
			}
			ok = ok && !h.acts(e) && !(is && assigned[x.decl] && !slices.Contains(but, x.decl)) && !(is && x.decl != nil && x.decl.Type().Kind() != cc.Function && changed.indirectly(x.decl))
		})
		return ok
	}
	var counts []*cc.Declarator
	for _, k := range c.counters {
		counts = append(counts, k.decl)
	}
	var called *chunkItem // one that calls a function with nests
	still := h.assignedUnderTests(c, func(e expr) bool { return steady(e, counts) })
	for i := range c.items {
		it := &c.items[i]
		switch s := it.stmt.(type) {
		case nil:
			continue
		case forStmt:
			if it.kept = h.plain(s); it.kept {
				continue
			}
			if ds := h.gatheredIn(s); h.known(s) && len(ds) > 0 {
				it.red, _ = h.readReduction(s, ds)
			}
			if it.red == nil {
				return fmt.Sprintf("the loop in line %d is not known to be one that runs in tiles", h.userLine(s))
			}
			it.kept, gathering = it.red.hasStores(), true
			continue
		case ifStmt:
			ends := h.leavesLoop(s)
			switch {
			case h.plainBranches(s) && steady(s.cond, nil):
				it.kept, it.branches = true, true
			case s.isUnder(func(e expr) bool { return steady(e, counts) }):
				it.tests = s.alternatives()
			case ends && steady(s.cond, append(slices.Clone(counts), still...)):
				it.tests = []expr{s.cond}
			case ends:
				tests, ending = append(tests, s.cond), append(ending, i)
			default:
				return fmt.Sprintf("whether each step runs what is in line %d depends on data", h.userLine(s))
			}
			continue
		case declStmt:
			if hasStatics(s) { // what steps do with it, they do by a name that nothing else has
				return h.everyStep(it)
			}
			if ms, ok := h.moves(s); ok && len(ms) > 0 {
				it.kept = true
				continue
			}
			if it.kept = h.definesIndex(c, s, steady); it.kept {
				continue
			}
			if h.onlyDeclares(s) {
				resets, it.dropped = append(resets, s), true
				continue
			}
		case exprStmt:
			if s.x == nil || it.counter != nil || it.kept {
				continue
			}
			if ms, ok := h.moves(s); ok && len(ms) > 0 {
				it.kept = true
				continue
			}
			if h.plain(s) {
				it.kept = true
				continue
			}
			if !h.setsMembers(c.loop) && h.plainCall(s, counts) {
				it.kept, called = true, it
				continue
			}
			if a, ok := s.x.(assign); ok {
				if _, scalar := a.x.(ident); scalar && h.onlyComputes(a.y) {
					resets, it.dropped = append(resets, s), true
					continue
				}
			}
		case block:
			if ms, ok := h.allMoves(s); ok && len(ms) > 0 {
				it.kept = true
				continue
			}
		}
		return h.everyStep(it)
	}
	for _, i := range ending {
		if d := h.lostBehind(c, i); d != nil {
			return h.lost(c.items[i].stmt, d)
		}
	}
	late := false
	for i := range c.items {
		it := &c.items[len(c.items)-1-i]
		it.early = it.tests != nil && late
		late = late || it.red != nil || it.dropped
	}
	for _, e := range cond {
		switch {
		case steady(e, counts), !gathering && steady(e, append(slices.Clone(counts), still...)):
			c.cond = append(c.cond, e)
		default:
			tests = append(tests, unary{e.at(), "!", e})
		}
	}
	if len(tests) > 0 {
		c.every = h.r.every
	}
	if !slices.ContainsFunc(c.items, func(it chunkItem) bool { return it.kept && h.setsInNests(it.stmt) }) {
		return "there is no nest in it that sets elements"
	}
	if why := h.dropped(c, resets, tests); why != "" {
		return why
	}
	if why := h.useCounter(c); why != "" {
		return why
	}
	switch {
	case c.every > 0:
	case len(tests) > 0 && called != nil: // what it sets is not known here
		return h.everyStep(called)
	case len(tests) > 0:
		if x := h.mayTrap(c, func(e expr) bool { return steady(e, nil) }); x != nil {
			return fmt.Sprintf("'%s' divides by what steps compute, by zero maybe where they run too far", shortened(oneLine(h.spelled(x))))
		}
		if why := h.findGoals(c, resets, tests, func(e expr) bool { return steady(e, nil) }); why != "" {
			return why
		}
		if why := h.findSaves(c, assigned); why != "" {
			return why
		}
	}
	return ""
}

// everyStep says that it runs at every step.
func (h *hostLoops) everyStep(it *chunkItem) string {
	return fmt.Sprintf("'%s' in line %d runs at every step", shortened(oneLine(h.f.slice(firstPart(it.stmt)))), h.userLine(it.stmt))
}

// shortened returns text, or its beginning.
func shortened(text string) string {
	if r := []rune(text); len(r) > 60 {
		return strings.TrimRight(string(r[:57]), " ") + ".."
	}
	return text
}

// allMoves returns the moves of pointers that a block consists of.
func (h *hostLoops) allMoves(b block) (all []move, ok bool) {
	for _, s := range b.items {
		ms, ok := h.moves(s)
		if !ok {
			return nil, false
		}
		all = append(all, ms...)
	}
	return all, true
}

// plainBranches reports whether the branches of s hold nothing but statements that a region may hold.
func (h *hostLoops) plainBranches(s ifStmt) bool {
	plain := func(s stmt) bool {
		if in, ok := s.(ifStmt); ok {
			return h.plainBranches(in)
		}
		return h.plain(s)
	}
	branches := flatten([]stmt{s.then, s.orElse})
	return len(branches) > 0 && !slices.ContainsFunc(branches, func(s stmt) bool { return !plain(s) })
}

// alternatives returns the conditions under one of which s, or an else if of it, does something; the last is nil where it always does.
func (s ifStmt) alternatives() []expr {
	switch rest := s.orElse.(type) {
	case nil:
		return []expr{s.cond}
	case ifStmt:
		return append([]expr{s.cond}, rest.alternatives()...)
	}
	return []expr{s.cond, nil}
}

// isUnder reports whether all that s does is under conditions for which holds does.
func (s ifStmt) isUnder(holds func(expr) bool) bool {
	return !slices.ContainsFunc(s.alternatives(), func(e expr) bool { return e == nil || !holds(e) })
}

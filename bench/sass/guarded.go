package main

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/gpu"
)

// This file finds what warps run in a turn that is not full. It walks through the instructions of such turns and goes the way of each branch that the
// text says: which conditions hold is known of a turn of a chain, from the conditions of the pipeline.

// A guard is a line of the text that tests something in turns that are not full.
type guard struct {
	first, last int // the lines of what runs where it holds; the test begins at the one before
	kind        guardKind
	op          int // the number of the operation in its beat
	round, by   int // of a barrier: it is behind beat by*i + round
}

type guardKind int

const (
	besideGuard  guardKind = iota // some lane has columns beside the domain
	patchGuard                    // a row may be loaded or stored
	loadGuard                     // some columns are loaded
	storeGuard                    // some are stored
	borderGuard                   // statements at borders run in some columns
	barrierGuard                  // a beat ends in a barrier
	loopGuard                     // the loop over the beats of a turn
)

// A guardedText is what the text says of turns that are not full.
type guardedText struct {
	guards []guard
	turns  [][2]int // by stage, the lines of a turn that is not full
	beats  map[int]bool
}

var (
	someHead    = regexp.MustCompile(`^if \(!full && some\d+\)$`)
	barrierTest = regexp.MustCompile(`^if \(\((\w+)(?: \+ (\d+))?\) % (\d+) == (\d+)\)$`)
	turnLoop    = regexp.MustCompile(`^for \(int \w+ = 0; \w+ < \d+; \w+ \+= (\d+)\) \{$`)
	turnHead    = regexp.MustCompile(`^static __device__ __forceinline__ void \w+_turn\d+\(`)
)

// readGuards finds the guards in the text of a pipeline.
func readGuards(text string, p *gpu.Pipeline) (g guardedText, err error) {
	g.beats = map[int]bool{}
	lines := strings.Split(text, "\n")
	stage, inBeat, inTurn, by := -1, false, false, 0
	var ops []gpu.WarpOp
	op := 0
	// next returns the number of the next operation for which f holds.
	next := func(f func(gpu.WarpOp) bool) (int, error) {
		for ; op < len(ops); op++ {
			if f(ops[op]) {
				return op, nil
			}
		}
		return 0, fmt.Errorf("the text has more guards than the pipeline")
	}
	isPatch := func(o gpu.WarpOp) bool { _, ok := o.(gpu.Patch); return ok }
	end := func(i int) int { // the last line of the block that begins behind line i
		indent := lines[i][:len(lines[i])-len(strings.TrimLeft(lines[i], " "))]
		for j := i + 1; j < len(lines); j++ {
			if strings.HasPrefix(lines[j], indent+"}") {
				return j + 1
			}
		}
		return i + 1
	}
	for i := 0; i < len(lines); i++ {
		l := strings.TrimSpace(lines[i])
		switch {
		case beatFunction.MatchString(lines[i]):
			inBeat, op = true, 0
			if stage+1 < len(p.Stages) && (len(g.turns) == stage+1) {
				stage = len(g.turns)
			}
			ops = p.Stages[stage].Beats[0]
		case turnHead.MatchString(lines[i]):
			inTurn = true
		case lines[i] == "}":
			inBeat, inTurn = false, false
		}
		if inBeat {
			g.beats[i+1] = true
		}
		switch m := turnLoop.FindStringSubmatch(l); {
		case inTurn && l == "} else {":
			g.turns = append(g.turns, [2]int{i + 2, end(i)})
		case inTurn && m != nil && len(g.turns) == stage+1:
			by, _ = strconv.Atoi(m[1])
			g.guards = append(g.guards, guard{first: i + 2, last: end(i), kind: loopGuard, by: by})
		case inTurn && barrierTest.MatchString(l):
			m := barrierTest.FindStringSubmatch(l)
			round, _ := strconv.Atoi("0" + m[2])
			g.guards = append(g.guards, guard{first: i + 2, last: i + 2, kind: barrierGuard, round: round, by: by})
		case inBeat && someHead.MatchString(l):
			n, err := next(isPatch)
			if err != nil {
				return g, err
			}
			last := i + 1
			for ; !strings.HasSuffix(lines[last], ";"); last++ {
			}
			g.guards = append(g.guards, guard{first: i + 2, last: last + 1, kind: besideGuard, op: n})
		case inBeat && strings.HasPrefix(l, "if (!full"):
			head := i
			for ; !strings.HasSuffix(lines[i], "{"); i++ {
				g.beats[i+1] = true
			}
			g.beats[i+1] = true
			inner := strings.TrimSpace(lines[i+1])
			switch {
			case strings.Contains(inner, " first = "):
				n, err := next(isPatch)
				if err != nil {
					return g, err
				}
				op++
				g.guards = append(g.guards, guard{first: i + 2, last: end(head), kind: patchGuard, op: n})
				for j := i + 1; j < end(head); j++ {
					switch t := strings.TrimSpace(lines[j]); {
					case t == "if (take != 0)":
						g.guards = append(g.guards, guard{first: j + 2, last: j + 2, kind: loadGuard, op: n})
					case t == "if (mask != 0) {":
						g.guards = append(g.guards, guard{first: j + 2, last: end(j), kind: storeGuard, op: n})
					}
				}
			case strings.HasPrefix(inner, "const unsigned mask"):
				n, err := next(func(o gpu.WarpOp) bool { e, ok := o.(gpu.Evaluate); return ok && e.Border })
				if err != nil {
					return g, err
				}
				op++
				for j := i + 1; j < end(head); j++ {
					if strings.TrimSpace(lines[j]) == "if (mask != 0)" {
						g.guards = append(g.guards, guard{first: j + 2, last: end(head), kind: borderGuard, op: n})
					}
				}
			}
		}
	}
	if len(g.turns) != len(p.Stages) {
		return g, fmt.Errorf("the turns of %d stages are found, of %d", len(g.turns), len(p.Stages))
	}
	return g, nil
}

// A situation says what holds in a turn that is not full: of which operations, by warp, which guards hold in which beats of the turn, as bits.
type situation struct {
	holds map[situationKey]uint64
}

type situationKey struct {
	warp int
	op   int
	kind guardKind
}

// situationOf finds what holds in the turn that begins with a beat, from the values of the variables of a chain.
func situationOf(p *gpu.Pipeline, env map[string]int64, beat int64) (s situation) {
	s.holds = map[situationKey]uint64{}
	v := p.Vars
	for i := range p.Stages {
		st := &p.Stages[i]
		for q := st.First; q < st.First+st.Count; q++ {
			env[v.Warp] = int64(q)
			origin := affine.Eval(st.Origin, env) + env[v.Column]
			note := func(op int, kind guardKind, r int) { s.holds[situationKey{q, op, kind}] |= 1 << r }
			for n, op := range st.Beats[0] {
				for r := range p.Turn {
					env[v.Beat] = beat + int64(r)
					switch op := op.(type) {
					case gpu.Patch:
						patchSituation(p, op, env, origin, func(kind guardKind) { note(n, kind, r) })
					case gpu.Evaluate:
						if op.Border && someColumn(p, op.Domain, env, origin) {
							note(n, borderGuard, r)
						}
					}
				}
			}
		}
	}
	return s
}

// patchSituation notes which guards of a patch hold.
func patchSituation(p *gpu.Pipeline, op gpu.Patch, env map[string]int64, origin int64, note func(guardKind)) {
	idle, width := op.Inside, int64(gpu.WarpLanes*p.Columns)
	fetched := false
	if b := op.Beside; b != nil {
		idle, fetched = b.Alone, b.Where.Holds(env)
		for _, m := range b.Margins {
			at := affine.Eval(m.At, env) - origin
			if at+int64(m.Count) > 0 && at < width {
				note(besideGuard)
			}
		}
	}
	if idle != nil && idle.Holds(env) {
		return
	}
	note(patchGuard)
	column := env[p.Vars.Column]
	range_ := func(x [2]affine.Sum) (lo, hi int64) {
		return column + affine.Eval(x[0], env), column + affine.Eval(x[1], env)
	}
	lo, hi := range_(op.Need)
	ownLo, ownHi := range_(op.Own)
	load, store := false, false
	for at := min(lo, ownLo); at <= max(hi, ownHi); at++ {
		env[p.Vars.At] = at
		domain := op.Domain.Holds(env)
		load = load || !fetched && !domain && lo <= at && at <= hi && op.Element.Exists.Holds(env)
		store = store || domain && ownLo <= at && at <= ownHi && op.Final.Holds(env)
	}
	if load {
		note(loadGuard)
	}
	if store {
		note(storeGuard)
	}
}

// someColumn reports whether c holds in some column of a warp.
func someColumn(p *gpu.Pipeline, c astgen.Cond, env map[string]int64, origin int64) bool {
	for x := range int64(gpu.WarpLanes * p.Columns) {
		if env[p.Vars.At] = origin + x; c.Holds(env) {
			return true
		}
	}
	return false
}

// key names what s holds.
func (s situation) key() string {
	var all []string
	for k, bits := range s.holds {
		all = append(all, fmt.Sprint(k, bits))
	}
	slices.Sort(all)
	return strings.Join(all, " ")
}

// kinds says how many warps load rows, store final ones and have columns beside a domain.
func (s situation) String() string {
	n := map[guardKind]map[int]bool{besideGuard: {}, loadGuard: {}, storeGuard: {}, borderGuard: {}}
	for k := range s.holds {
		if n[k.kind] != nil {
			n[k.kind][k.warp] = true
		}
	}
	return fmt.Sprintf("warps with columns at a side %d, that load rows %d, that store results %d", len(n[besideGuard]), len(n[loadGuard]), len(n[storeGuard]))
}

// trace returns what each warp of a block runs in a turn.
func (g guardedText) trace(code []instruction, p *gpu.Pipeline, s situation) (warps [][]step, err error) {
	for i := range p.Stages {
		st := &p.Stages[i]
		for q := st.First; q < st.First+st.Count; q++ {
			w := walk{guardedText: g, code: code, situation: s, warp: q, turn: p.Turn, beats: map[int]int{}}
			steps, err := w.run(g.turns[i])
			if err != nil {
				return nil, fmt.Errorf("warp %d: %w", q, err)
			}
			barriers := 0
			for _, x := range steps {
				if x.is("BAR") {
					barriers++
				}
			}
			if barriers != p.Turn/p.Period {
				return nil, fmt.Errorf("warp %d passes %d barriers in a turn of %d, in %d instructions", q, barriers, p.Turn/p.Period, len(steps))
			}
			warps = append(warps, steps)
		}
	}
	return warps, nil
}

// A walk is one of a warp through the code of a turn.
type walk struct {
	guardedText
	code []instruction
	situation
	warp, turn int
	at         int         // beats before this run of the loop
	beats      map[int]int // by operation: how often its guard has been tested
}

// run walks through the turn in these lines.
func (w *walk) run(lines [2]int) (steps []step, err error) {
	in := func(line int) bool { return lines[0] <= line && line <= lines[1] }
	from := slices.IndexFunc(w.code, func(x instruction) bool { return in(x.line) })
	if from < 0 {
		return nil, fmt.Errorf("there is no code of lines %d to %d", lines[0], lines[1])
	}
	for i := from; i < len(w.code); {
		c := &w.code[i]
		if len(steps) > most {
			return nil, fmt.Errorf("a turn has no end")
		}
		if !in(c.line) && !w.inner(c.line) && c.is("BRA") && c.guard == "" && c.to > 0 && in(w.code[c.to].line) {
			i = c.to
			continue
		}
		steps = append(steps, step{c, gpu.WarpLanes})
		if !c.is("BRA") {
			if c.is("BAR") && c.guard != "" && !w.passes(c) {
				steps = steps[:len(steps)-1]
			}
			i++
			continue
		}
		taken, ended := w.taken(i)
		switch {
		case ended:
			return steps, nil
		case taken && c.to == 0:
			return nil, fmt.Errorf("line %d: a branch to nowhere", c.line)
		case taken:
			i = c.to
		default:
			i++
		}
	}
	return nil, fmt.Errorf("a turn has no end")
}

// inner reports whether a line is of a function that turns call.
func (w *walk) inner(line int) bool { return w.guardedText.beats[line] }

// passes reports whether the barrier in a line is one in this run of the loop.
func (w *walk) passes(c *instruction) bool {
	for _, g := range w.guards {
		if g.kind == barrierGuard && (c.line == g.first || c.line == g.first-1) {
			return w.barrier(g)
		}
	}
	return true
}

func (w *walk) barrier(g guard) bool { return (w.at+g.round)%2 == 1 }

// taken reports whether branch i is taken, and whether the turn ends with it.
func (w *walk) taken(i int) (taken, ended bool) {
	c := &w.code[i]
	if c.guard == "" {
		return true, false
	}
	if c.to > 0 && c.to <= i { // back to the start of the loop
		for _, g := range w.guards {
			if g.kind == loopGuard && c.line == g.first-1 {
				w.at += g.by
				return w.at < w.turn, w.at >= w.turn
			}
		}
		return false, false
	}
	for _, g := range w.guards {
		if c.line >= g.first || c.line < g.first-3 || g.kind == loopGuard || !w.heads(g, c.line) {
			continue
		}
		holds := w.guardHolds(g)
		if w.within(i+1, c.to, g) {
			return !holds, false
		}
		return holds, false
	}
	return false, false
}

// heads reports whether the test of g is in a line.
func (w *walk) heads(g guard, line int) bool {
	for _, other := range w.guards { // a guard that begins between has its own test
		if line < other.first && other.first < g.first {
			return false
		}
	}
	return true
}

// guardHolds reports whether a guard does that is tested now.
func (w *walk) guardHolds(g guard) bool {
	switch g.kind {
	case barrierGuard:
		return w.barrier(g)
	case patchGuard:
		w.beats[g.op]++
	}
	beat := max(0, w.beats[g.op]-1)
	bits := w.holds[situationKey{w.warp, g.op, g.kind}]
	if g.kind == besideGuard {
		return bits != 0
	}
	return bits>>beat&1 != 0
}

// within reports whether the code from an instruction on, up to another, is of what a guard is for.
func (w *walk) within(from, to int, g guard) bool {
	for i := from; i < to; i++ {
		if line := w.code[i].line; w.inner(line) || g.kind == barrierGuard {
			if line >= g.first && line <= g.last {
				return true
			}
		}
	}
	return false
}

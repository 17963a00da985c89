package main

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/internal/sass"
)

// This file finds in the CUDA text what tests something in turns that are not full.

// A guard is a line of the text that tests something in turns that are not full.
type guard struct {
	first, last int // the lines of what runs where it holds; the test begins at the one before
	kind        guardKind
	op          int // the number of the operation in its beat
	round, by   int // of a barrier: it is tested behind beat by*i + round, and
	every, rest int // passed where that beat's number has this rest by the other number
}

type guardKind int

const (
	besideGuard  guardKind = iota // some lane has columns beside the domain
	lineGuard                     // the line is beside the domain
	farsGuard                     // the warp has such lines, and copies them
	farGuard                      // it has one of a row
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
	turns  [][2]int // by stage, the lines of a turn that tests in each beat,
	steady [][2]int // of a steady one: none, or one for each,
	rests  [][2]int // and of one of warps that run no step: none, or one for each
	beats  map[int]bool
}

var (
	someHead    = regexp.MustCompile(`^(?:else )?if \(!full && (\(steady \|\| )?some\d+\)?\)$`)
	lineHead    = regexp.MustCompile(`^if \(!full && !\(.*\)\)(?: \{)?$`)
	barrierTest = regexp.MustCompile(`^if \(\((\w+)(?: \+ (\d+))?\) % (\d+) == (\d+)\)$`)
	turnLoop    = regexp.MustCompile(`^for \(int \w+ = 0; \w+ < \d+; \w+ \+= (\d+)\) \{$`)
)

// readGuards finds the guards in the text of a pipeline.
func readGuards(text string, p *gpu.Pipeline) (g guardedText, err error) {
	g.beats = map[int]bool{}
	lines := strings.Split(text, "\n")
	stage, inBeat, inTurn, inRest, by := -1, false, false, false, 0
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
		case sass.BeatFunction.MatchString(lines[i]):
			inBeat, op = true, 0
			if stage+1 < len(p.Stages) && (len(g.turns) == stage+1) {
				stage = len(g.turns)
			}
			ops = p.Stages[stage].Beats[0]
		case sass.TurnFunction.MatchString(lines[i]):
			inTurn = true
		case sass.RestFunction.MatchString(lines[i]):
			inRest = true
			g.rests = append(g.rests, [2]int{i + 1, end(i)})
		case lines[i] == "}":
			inBeat, inTurn, inRest = false, false, false
		}
		if inBeat {
			g.beats[i+1] = true
		}
		switch m := turnLoop.FindStringSubmatch(l); {
		case inTurn && l == "} else if (steady) {":
			g.steady = append(g.steady, [2]int{i + 2, end(i)})
		case inTurn && l == "} else {":
			g.turns = append(g.turns, [2]int{i + 2, end(i)})
		case inRest && m != nil, inTurn && m != nil:
			by, _ = strconv.Atoi(m[1])
			g.guards = append(g.guards, guard{first: i + 2, last: end(i), kind: loopGuard, by: by})
		case (inTurn || inRest) && barrierTest.MatchString(l):
			m := barrierTest.FindStringSubmatch(l)
			round, _ := strconv.Atoi("0" + m[2])
			every, _ := strconv.Atoi(m[3])
			rest, _ := strconv.Atoi(m[4])
			g.guards = append(g.guards, guard{first: i + 2, last: i + 2, kind: barrierGuard, round: round, by: by, every: every, rest: rest})
		case inBeat && someHead.MatchString(l):
			n, err := next(isPatch)
			if err != nil {
				return g, err
			}
			last := i + 1
			for ; !strings.HasSuffix(lines[last], ";"); last++ {
			}
			g.guards = append(g.guards, guard{first: i + 2, last: last + 1, kind: besideGuard, op: n})
		case inBeat && lineHead.MatchString(l):
			n, err := next(isPatch)
			if err != nil {
				return g, err
			}
			last := i + 1
			for ; !strings.HasSuffix(lines[last], ";"); last++ {
			}
			g.guards = append(g.guards, guard{first: i + 2, last: last + 1, kind: lineGuard, op: n})
		case inBeat && l == "if (!full && lines != 0) {":
			first, last := firstFar(ops), end(i)
			g.guards = append(g.guards, guard{first: i + 2, last: last, kind: farsGuard, op: first})
			for j, n := i+1, first; j < last-1; j++ {
				if strings.HasPrefix(strings.TrimSpace(lines[j]), "if (lines >> ") {
					g.guards = append(g.guards, guard{first: j + 2, last: j + 3, kind: farGuard, op: n})
					n++
				}
			}
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

package schedule

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/scop"
)

// This file reads what schedule files say of parallelograms and of tiles that overlap.

// The names of their strategies in a file.
const (
	waves    = "wavefront"
	overlaps = "overlapped"
)

// A PlannedBox is what a file says of the points that a tile computes of a statement at one of its steps.
type PlannedBox struct {
	Stmt   *scop.Stmt
	Step   int64        // from the start of the tile
	Lo, Hi []affine.Sum // by space dimension, from the first point that the tile owns, in terms of w0, w1, ..; nil: as found
	Delay  *int64       // how many planes behind its place it runs, where tiles stream; nil: as found
}

// theirLines are what a line begins with that some strategies alone have, and in which.
var theirLines = map[string][]string{
	"order": {waves, overlaps}, "front": {waves}, "group": {overlaps}, "box": {overlaps}, "delay": {overlaps}, "slope": {"", waves}, "phase": {""},
}

// theirs checks that lines stand beside a strategy that has such.
func (l *loader) theirs() {
	for _, line := range slices.Sorted(maps.Keys(l.plan.at)) {
		word, _, _ := strings.Cut(line, " ")
		some, known := theirLines[word]
		if !known || slices.Contains(some, l.plan.Strategy) || l.plan.Strategy == "space" || l.plan.Strategy == untiled && (word == "slope" || word == "phase") {
			continue // of space alone another message says so
		}
		names := []string{}
		for _, s := range some {
			if s == "" {
				s = "hybrid"
			}
			names = append(names, "strategy "+s)
		}
		fail(l.plan.at[line], "leave the line out, or write the strategy that is meant", "%s lines go with %s", word, strings.Join(names, " and "))
	}
	if l.plan.Sizes != nil && l.plan.Sizes.Stream != nil && l.plan.Strategy != overlaps {
		fail(l.plan.at["tile"], "leave stream out", "stream is a size of tiles that overlap, of strategy overlapped")
	}
}

// order reads i, j: the loops along the dimensions of space, where files have no places: where points of a step are in order.
func (l *loader) order() {
	for {
		l.plan.Layout.Order = append(l.plan.Layout.Order, l.next().text)
		if l.peek() != "," {
			return
		}
		l.next()
	}
}

// group reads S0, S1: the statements of a launch.
func (l *loader) group(word token) {
	var group []int
	for {
		st := l.statement()
		l.once(word, "group "+st.Name)
		group = append(group, st.Order)
		if l.peek() != "," {
			break
		}
		l.next()
	}
	slices.Sort(group)
	l.plan.Groups = append(l.plan.Groups, group)
}

// statement reads the name of one.
func (l *loader) statement() *scop.Stmt {
	name := l.next()
	i := slices.Index(l.tuples, name.text)
	if i < 0 {
		fail(name.at, "", "there is no statement %s: there are %s", said(name), strings.Join(l.tuples, ", "))
	}
	return l.prog.Stmts[i]
}

// boxAt reads S0 1: and returns the box of that statement and step, which may be there already.
func (l *loader) boxAt(word token) *PlannedBox {
	st, step := l.statement(), l.number(0, MaxIterations*int64(l.prog.K()))
	l.take(":")
	l.once(word, fmt.Sprintf("%s %s %d", word.text, st.Name, step))
	i := slices.IndexFunc(l.plan.Boxes, func(b PlannedBox) bool { return b.Stmt == st && b.Step == step })
	if i < 0 {
		i = len(l.plan.Boxes)
		l.plan.Boxes = append(l.plan.Boxes, PlannedBox{Stmt: st, Step: step})
	}
	return &l.plan.Boxes[i]
}

// box reads S0 1: s0 = -1..w0, s1 = -1..w1.
func (l *loader) box(word token) {
	b := l.boxAt(word)
	for p, name := range l.space {
		if p > 0 {
			l.take(",")
		}
		l.take(name, "=")
		b.Lo = append(b.Lo, l.affine(l.sums))
		l.take("..")
		b.Hi = append(b.Hi, l.affine(l.sums))
	}
}

// delay reads S0 1: 2.
func (l *loader) delay(word token) {
	b := l.boxAt(word)
	b.Delay = new(l.number(0, WidthLimit))
}

// ofBoxes checks that boxes and delays are said of sizes that the file has.
func (l *loader) ofBoxes() {
	for _, b := range l.plan.Boxes {
		for _, word := range []string{"box", "delay"} {
			at, found := l.plan.at[fmt.Sprintf("%s %s %d", word, b.Stmt.Name, b.Step)]
			switch {
			case !found || len(l.list) > 0:
			case l.plan.Sizes == nil:
				fail(at, "write a tile line", "a %s is of sizes, and there is no tile line", word)
			case word == "delay" && l.plan.Sizes.Stream == nil:
				fail(at, "write stream=0 in the tile line, or leave the line out", "the tile does not stream")
			}
		}
	}
}

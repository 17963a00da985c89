package lower

import (
	"fmt"
	"slices"
	"strings"
)

// This file decides how much of the core of a full tile is spelled out. Time
// steps always are. Of the points that a thread runs in a step, all are, as long
// as that makes no more accesses than a limit; else, along a dimension, so
// many in the body of a loop, and what the factor leaves over behind the loop.
// So no body has a guard. Points along the hexagonal dimension come first: in one
// body they share what they load. In one dimension of space that dimension lies on the threads, and rows differ in length from step to step: as
// along any dimension on threads, what is left of a row for only some of them is straight code of its own, under one condition.

// maxUnrolled bounds the accesses that the steps of a full tile spell out for a
// thread, each of which is an instruction or more.
const maxUnrolled = 4096

// rowsAtOnce is how many rows the body of a loop copies: the loads of all of them are on their way at once.
const rowsAtOnce = 8

// unroll decides whether full tiles become straight code, and by which factors loops
// remain in it. A remark tells what the limit has changed.
func unroll(b block) code {
	c := code{block: b}
	if c.options.Rolled || c.streaming() != nil || c.schedule.Canonical.Ways != nil {
		return c
	}
	c.unroll = true
	most := make([]int64, len(c.names.Points))
	for p := range most {
		for _, s := range c.full {
			most[p] = max(most[p], ceilDiv(s.Hi[p]-s.Lo[p]+1, c.along(c.axisOf(p))))
		}
	}
	want := slices.Clone(most)
	if n := int64(c.options.Unroll); n > 0 && len(want) > 0 {
		want[0] = min(n, want[0])
	}
	fits := c.within(want)
	if slices.Equal(fits, most) {
		return c
	}
	if c.factors = fits; !slices.Equal(fits, want) {
		c.limited = fmt.Sprintf("full tiles are unrolled by %s: in straight code a thread would make %d accesses, and the limit is %d",
			c.factorText(fits, most), c.accesses(want), c.limit())
		if n := c.accesses(fits); n > c.limit() {
			c.limited += fmt.Sprintf("; it makes %d", n)
		}
	}
	return c
}

// limit returns how many accesses the steps of a full tile may spell out for a thread: twice as many where halves of a folded program are code
// of their own, since else tiles would be half as large.
func (m *program) limit() int64 {
	switch {
	case m.options.Limit > 0:
		return m.options.Limit
	case m.layouts.halves():
		return 2 * maxUnrolled
	}
	return maxUnrolled
}

// within returns factors of at most want that fit the limit, the first ones as
// large as can be; all 1 if even those do not fit.
func (ph *block) within(want []int64) []int64 {
	f := make([]int64, len(want))
	for p := range f {
		f[p] = min(1, want[p])
	}
	for p, n := range want {
		for f[p] = n; f[p] > 1 && ph.accesses(f) > ph.limit(); f[p]-- {
		}
	}
	return f
}

// factorText names the factors that leave loops.
func (ph *block) factorText(factors, most []int64) string {
	var all []string
	for p, n := range factors {
		if n < most[p] {
			all = append(all, fmt.Sprintf("%d along %s", n, strings.ToLower(ph.names.Tiles[p])))
		}
	}
	return strings.Join(all, ", ")
}

// accesses returns those that the steps of a full tile spell out by these factors.
func (ph *block) accesses(factors []int64) (n int64) {
	for _, s := range ph.full {
		points := int64(1)
		for p, each := range factors {
			points *= spelled(s.Hi[p]-s.Lo[p]+1, ph.along(ph.axisOf(p)), each)
		}
		n += points * int64(len(s.Stmt.Accesses))
	}
	return n
}

// spelled returns how many of n points, dealt to so many threads, a thread's text has.
func spelled(n, threads, each int64) int64 {
	turns, bodies := n/threads, bodies(n/threads, each)
	text := turns
	if bodies > 0 {
		text = each + turns - bodies*each
	}
	if n%threads > 0 {
		text++
	}
	return text
}

// bodies returns how often the body of a loop runs that makes so many turns, each
// of them at a time, 0 if there is none: of a body that would run once no loop is made.
func bodies(turns, each int64) int64 {
	if each == 0 || turns < 2*each {
		return 0
	}
	return turns / each
}

// each returns the factor along space dimension p, 0 for all points.
func (ph *code) each(p int) int64 {
	if ph.factors == nil {
		return 0
	}
	return ph.factors[p]
}

// interleaves reports whether the steps of full tiles store what they compute: points
// of one loop may differ in whether they do so for the last time.
func (ph *code) interleaves() bool {
	return ph.unroll && ph.factors == nil && ph.options.Strategy.interleaves()
}

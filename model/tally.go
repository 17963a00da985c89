package model

import (
	"github.com/hexcc/hexcc/gpu/lower"
	"github.com/hexcc/hexcc/schedule"
)

// A tally remembers counts by tile sizes: the searches for both orders of the same program count mostly the same tiles, and tiles that
// wait for each other do what the same tiles do in phases. A nil one remembers nothing.
type tally map[kind]map[string]lower.Counts

// A kind is how tiles were counted.
type kind int

const (
	rough kind = iota
	traffic
	exact
)

// of returns what count returns, which is called for the first of equal sizes.
func (t tally) of(k kind, sizes schedule.Sizes, count func() lower.Counts) lower.Counts {
	if t == nil {
		return count()
	}
	if t[k] == nil {
		t[k] = map[string]lower.Counts{}
	}
	key := sizes.String()
	if c, ok := t[k][key]; ok {
		return c
	}
	c := count()
	t[k][key] = c
	return c
}

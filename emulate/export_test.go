package emulate

import (
	"slices"

	"github.com/hexcc/hexcc/schedule"
)

// WrongMachines are those on which chains that wait for each other go wrong.
var WrongMachines = map[string]Options{
	"tickets out of order": {tickets: func(chains []schedule.Link) { slices.Reverse(chains) }},
	"no acquire":           {relaxed: true},
}

// Heard returns options that tell f of each signal of a chain, the last one of its end.
func Heard(o Options, f func(of schedule.Link, place int64)) Options {
	o.signals = f
	return o
}

// Sticky is a machine on which a wait does not empty caches.
var Sticky = Options{sticky: true}

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

// Sticky is a machine on which a wait does not empty caches.
var Sticky = Options{sticky: true}

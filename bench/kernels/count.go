package main

import (
	"fmt"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/gpu/lower"
	"github.com/hexcc/hexcc/machine"
	"github.com/hexcc/hexcc/schedule"
)

// This file counts what a full tile does.

const countedHead = "  loads stores    bytes  updates    loads    first    moves   stores barriers branches   core   memory"

// countAll returns the counts of a full tile of phase 0 under each strategy.
func countAll(res *hexcc.Result, arch string) (map[lower.Strategy]lower.Counts, error) {
	device, ok := machine.LookupDevice(arch)
	if !ok {
		return nil, fmt.Errorf("unknown architecture %s", arch)
	}
	tiles, err := schedule.HybridTiles(res.Space, res.Cone, res.Sizes)
	if err != nil {
		return nil, err
	}
	all := map[lower.Strategy]lower.Counts{}
	for _, st := range lower.Strategies() {
		all[st] = lower.NewCounter(res.Space, device, lower.Options{Strategy: st, Async: device.AsyncCopies}).PhaseCounts(tiles, 0)
	}
	return all, nil
}

// counted returns the columns of countedHead.
func counted(c lower.Counts) string {
	per := func(n int64) float64 { return float64(n) / float64(max(1, c.Points)) }
	return fmt.Sprintf(" %6.2f %6.2f %8.2f %8d %8d %8d %8d %8d %8d %8d %6d %8d", per(c.Shared-c.SharedStores), per(c.SharedStores), per(c.Bytes),
		c.Points, c.Loads, c.First, c.Moves, c.Stores, c.Barriers, c.Tests, c.CoreTests, c.SharedBytes)
}

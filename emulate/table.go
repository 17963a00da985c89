package emulate

import (
	"fmt"
	"strings"
)

// This file prints a profile.

// ProfileTable prints what the warps of a run with Options.Profile did: a line for
// each kernel, over all of its launches, and kind of tile.
func (r *Report) ProfileTable() string {
	var names []string
	all := map[string]*Profile{}
	launches := map[string]int{}
	for _, l := range r.Launches {
		name := l.Kernel.Name
		if all[name] == nil {
			names, all[name] = append(names, name), &Profile{}
		}
		all[name].Add(l.Profile)
		launches[name]++
	}
	var b strings.Builder
	b.WriteString("What warps of 32 threads do. By 32 updates: requests to global and to shared memory, sectors of 32 bytes, operations of\n" +
		"statements, tests. used: of the bytes of these sectors. conflicts: passes over the banks beyond the least, by request.\n" +
		"divergent: tests that part the lanes of a warp. idle: of lanes. barriers: by block.\n")
	fmt.Fprintf(&b, "  %-8s %10s %7s %7s %7s %5s %7s %9s %9s %7s %9s %5s %8s\n", "tiles", "updates",
		"loads", "stores", "sectors", "used", "shared", "conflicts", "operations", "tests", "divergent", "idle", "barriers")
	for _, name := range names {
		fmt.Fprintf(&b, "%s, launched %s\n", name, times(launches[name]))
		for _, kind := range []Tile{Full, Partial} {
			fmt.Fprintln(&b, tableLine(kind, all[name].Tile(kind)))
		}
	}
	return b.String()
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

// tableLine prints the traffic of a kind of tile.
func tableLine(kind Tile, t Traffic) string {
	label := map[Tile]string{Full: "full", Partial: "partial"}[kind]
	if t == (Traffic{}) {
		return fmt.Sprintf("  %-8s       none", label)
	}
	per := func(n int64) float64 { return float64(n*warpLanes) / float64(max(1, t.Points)) }
	return fmt.Sprintf("  %-8s %10d %7.2f %7.2f %7.2f %4.0f%% %7.2f %9.3f %10.2f %7.2f %9d %4.0f%% %8d", label, t.Points,
		per(t.GlobalLoads.Requests), per(t.GlobalStores.Requests), per(t.Global().Sectors), 100*t.Global().Efficiency(), per(t.Shared().Requests),
		float64(t.Shared().Conflicts())/float64(max(1, t.Shared().Requests)), per(t.Arithmetic), per(t.Tests), t.Divergent,
		100*float64(t.Idle)/float64(max(1, warpLanes*t.Ops)), t.Barriers)
}

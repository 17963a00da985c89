package model

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/machine"
	"github.com/hexcc/hexcc/schedule"
)

// This file says what launches take, by what moves between levels of memory. As in MODESTO, a launch takes as long as the busiest of
//
//	memory -> last cache    what it loads and stores, of boxes that the cache holds: tiles beside each other share what lies around them
//	.. -> what holds a tile what tiles load and store, with all that lies around each
//	registers, operations   the sum over its statements: as long as registers load and store, or as operations take
//
// and the time to start it. An array that one launch alone uses and nobody sees afterwards moves in registers only.

// A Fusion is a partition of the statements of an iteration into launches, with what it takes by the model.
type Fusion struct {
	Groups  schedule.Groups
	Widths  []int64 // of tiles
	Seconds float64 // of an iteration
	Parts   []Fused // by group
}

// Fused is what a launch takes.
type Fused struct {
	Work    *Work   // of a tile
	Seconds float64 // of an iteration
	Bound   string  // what takes the longest: a level that moves, operations, or launch
	Bytes   float64 // that memory moves in an iteration
	Again   float64 // points computed, for each of the grid
	Holds   float64 // bytes that a tile holds
	Why     string  // it cannot be; "": it can
}

// bound is what may take the time of a launch besides a level.
const (
	boundOperations = "operations"
	boundLaunch     = "launch"
)

// coster says what launches of groups take, on a machine and a grid.
type coster struct {
	al     *algebra
	levels machine.Levels
	grid   []int64
	groups map[set]*counted
}

// counted is a group: what a tile of a launch does, and a whole grid, nil where nothing has asked for that.
type counted struct {
	group       set
	tile, whole *Work
	conflict    bool
}

func (k *coster) counted(group set) *counted {
	x, known := k.groups[group]
	if !known {
		need := k.al.regions(group)
		x = &counted{group, k.al.work(group, need, false), nil, k.al.conflict(group, need)}
		k.groups[group] = x
	}
	return x
}

// tiles returns how many boxes of widths w the grid has, and w, no wider than the grid.
func (k *coster) tiles(w []int64) (n float64, clipped []int64) {
	n = 1
	clipped = slices.Clone(w)
	for p, all := range k.grid {
		clipped[p] = min(w[p], all)
		n *= float64(all) / float64(clipped[p])
	}
	return n, clipped
}

// cost returns what a launch of group takes with tiles of widths w.
func (k *coster) cost(group set, w []int64) Fused {
	x := k.counted(group)
	tiles, w := k.tiles(w)
	f := Fused{Work: x.tile, Holds: volumeBytes(x.tile.Holds, w)}
	near := k.levels.Tile()
	switch {
	case near.Bytes > 0 && f.Holds > float64(near.Bytes):
		f.Why = fmt.Sprintf("a tile needs %.0f bytes of %s", f.Holds, near.Name)
	case x.conflict && group != k.al.all: // of one launch, arrays may have two versions
		f.Why = "tiles store what others still read"
	}
	last := len(k.levels.Levels) - 1
	for i, level := range k.levels.Levels[:last] {
		bytes := k.moved(x, k.levels.Levels[i+1], i+1 == last, w)
		if i == 0 {
			f.Bytes = bytes
		}
		if level.GBs > 0 {
			f.longest(bytes/(level.GBs*1e9), level.Name)
		}
	}
	k.inside(&f, group, tiles, w)
	if f.Seconds < k.levels.Launch {
		f.Bound = boundLaunch
	}
	f.Seconds += k.levels.Launch
	return f
}

// longest notes that something takes so long, which others do not wait for.
func (f *Fused) longest(seconds float64, what string) {
	if seconds > f.Seconds {
		f.Seconds, f.Bound = seconds, what
	}
}

// moved returns the bytes that a launch moves into a level and out of it, which holds tiles of widths w or is a cache outside of those.
func (k *coster) moved(x *counted, into machine.Level, tile bool, w []int64) float64 {
	if tile && into.Bytes > 0 {
		n, w := k.tiles(w)
		return n * (volumeBytes(x.tile.Loads, w) + volumeBytes(x.tile.Stores, w))
	}
	// Tiles follow each other along the last dimension, then along the one before: what lies between two neighbours is in the cache as long as it holds
	// what runs from one to the other.
	box := slices.Clone(w)
	for p := range slices.Backward(box) {
		if into.Bytes > 0 && volumeBytes(x.tile.Loads, box)+volumeBytes(x.tile.Stores, box) > float64(into.Bytes) {
			n, box := k.tiles(box)
			return n * (volumeBytes(x.tile.Loads, box) + volumeBytes(x.tile.Stores, box))
		}
		box[p] = k.grid[p]
	}
	if x.whole == nil {
		x.whole = k.al.work(x.group, k.al.whole, true)
	}
	return volumeBytes(x.whole.Loads, box) + volumeBytes(x.whole.Stores, box)
}

// inside adds what registers load and store, and operations.
func (k *coster) inside(f *Fused, group set, tiles float64, w []int64) {
	near := k.levels.Tile()
	own, points, moving, computing, all := 0.0, 0.0, 0.0, 0.0, 0.0
	for j, i := range f.Work.Stmts {
		st, n := k.al.stmts[i], tiles*f.Work.Computed[j].Amount.At(w)
		points += n
		own += tiles * amountOf(owned(k.al.dims, false), st.follows).At(w)
		rate := k.levels.Gops
		if !st.double {
			rate = k.levels.Gops32
		}
		move, compute := 0.0, n*st.operations/(rate*1e9)
		if near.GBs > 0 {
			move = n * float64(f.Work.Moves[j]) / (near.GBs * 1e9)
		}
		moving, computing, all = moving+move, computing+compute, all+max(move, compute)
	}
	f.Again = points / own
	idle := 1.0 // with few tiles, some of those that could run at once do not
	if k.levels.Tiles > 1 {
		n := math.Ceil(tiles)
		idle = math.Ceil(n/float64(k.levels.Tiles)) * float64(k.levels.Tiles) / n
	}
	what := boundOperations
	if moving > computing {
		what = near.Name
	}
	f.longest(all*idle, what)
}

// fusion returns what launches of groups take, in turn, with tiles of widths w.
func (k *coster) fusion(groups []set, w []int64) *Fusion {
	f := &Fusion{Widths: w}
	for _, g := range groups {
		part := k.cost(g, w)
		f.Seconds += part.Seconds
		f.Parts = append(f.Parts, part)
		f.Groups = append(f.Groups, part.Work.Stmts)
	}
	return f
}

// Why returns why f cannot be, "" where it can.
func (f *Fusion) Why() string {
	for _, p := range f.Parts {
		if p.Why != "" {
			return p.Why
		}
	}
	return ""
}

// Bytes returns those that memory moves in an iteration.
func (f *Fusion) Bytes() (bytes float64) {
	for _, p := range f.Parts {
		bytes += p.Bytes
	}
	return bytes
}

// Bound returns what takes the longest of the whole.
func (f *Fusion) Bound() string {
	by := map[string]float64{}
	for _, p := range f.Parts {
		by[p.Bound] += p.Seconds
	}
	names := make([]string, 0, len(by))
	for name := range by {
		names = append(names, name)
	}
	slices.Sort(names)
	return slices.MaxFunc(names, func(x, y string) int { return cmp.Or(cmp.Compare(by[x], by[y]), strings.Compare(y, x)) })
}

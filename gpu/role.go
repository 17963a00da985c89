package gpu

import (
	"fmt"

	"github.com/hexcc/hexcc/scop"
)

// A Role says what a node is for: its kind, and what it is about. Whoever wants to know what a
// node does asks its Role; String is for people. Equal roles are ==.
type Role struct {
	Kind  RoleKind
	Array *scop.Array // of copies, moves and stores: whose elements
	Step  int64       // of a TimeStep: its number in the tile, from 0 on
	Stmt  *scop.Stmt  // of a TimeStep or WavePoints: what it runs
	Loop  string      // of FullForLoop: the variable of the loop over tiles
}

// A RoleKind is what nodes of any array and step have in common.
type RoleKind uint8

// The kinds of Role.
const (
	NoRole RoleKind = iota

	// Of an If: Then is a full tile, or what a full tile does that follows a full tile, or that no full tile follows.
	FullTile
	AfterFull
	LastFull
	UncutTile // Of an If: Then is a tile that streams and that no bound cuts across the stream
	Probe     // of tests: how often it takes which way is counted

	UnlessWritten // Of an If: Then copies in a plane unless steps write all of it before they read any; one of the alternatives of its condition, a row each, holds

	// Of a Test for full tiles: what decides it is the same for all tiles of a launch, of a block, or in all turns of a loop.
	FullForLaunch
	FullForBlock
	FullForLoop

	// Of a Barrier, where it does not stand between two parts of a tile.
	BeforeFirstTile
	BeforeNextTile
	BeforeNextWave

	// Of Threads.
	CopyIn       // from global to shared memory
	Move         // within shared memory, of what the tile before left
	TimeStep     // points of a statement
	WavePoints   // points of a statement in a wave
	Store        // from shared to global memory, of what a step has written for the last time in the tile,
	StoreEarlier // or steps before it,
	StoreLast    // or of what no full tile writes again
	CopyOut      // from shared to global memory, after the last step
)

var roleKinds = [...]string{
	NoRole: "", FullTile: "full tile", UncutTile: "a tile that no bound cuts across the stream", AfterFull: "after a full tile", LastFull: "before a tile that is not full", Probe: "probe", UnlessWritten: "unless steps write all of it",
	FullForLaunch: "full tile: what the launch decides", FullForBlock: "full tile: what the block decides", FullForLoop: "full tile: what a loop decides",
	BeforeFirstTile: "before the first tile", BeforeNextTile: "before the next tile", BeforeNextWave: "before the next wave",
	CopyIn: "copy in", Move: "move", TimeStep: "step", WavePoints: "points of a wave", Store: "store", StoreEarlier: "store of steps before", StoreLast: "store of the last", CopyOut: "copy out",
}

// Copies reports whether nodes of that kind copy elements: no statement runs there.
func (k RoleKind) Copies() bool {
	switch k {
	case CopyIn, Move, Store, StoreEarlier, StoreLast, CopyOut:
		return true
	}
	return false
}

// String returns the kind in words, "" for NoRole.
func (k RoleKind) String() string { return roleKinds[k] }

// String returns the role in words, as comments in kernels have it: "copy in A", "step 3: S0", "".
func (r Role) String() string {
	switch r.Kind {
	case FullForLoop:
		return "full tile: what " + r.Loop + " decides"
	case CopyIn, Move, Store, CopyOut:
		return fmt.Sprintf("%v %s", r.Kind, r.Array.Name)
	case StoreEarlier:
		return "store " + r.Array.Name + " of steps before"
	case StoreLast:
		return "store " + r.Array.Name + ", which no full tile writes again"
	case WavePoints:
		return "points of a wave: " + r.Stmt.Name
	case TimeStep:
		return fmt.Sprintf("step %d: %s", r.Step, r.Stmt.Name)
	}
	return r.Kind.String()
}

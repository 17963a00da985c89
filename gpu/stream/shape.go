package stream

import (
	"fmt"
)

// A Shape is how a tile lies on the warps of a block.
type Shape struct {
	Columns int // of a row, that a lane holds: K
	Steps   int // of a warp: M
	Warps   int // of a block: Q
	Period  int // beats between barriers: D
}

// String returns s as --pipeline has it.
func (s Shape) String() string {
	return fmt.Sprintf("columns=%d,steps=%d,warps=%d,period=%d", s.Columns, s.Steps, s.Warps, s.Period)
}

// Height returns the steps of a tile.
func (s Shape) Height() int64 { return int64(s.Steps) * int64(s.Warps) }

// width returns how many columns a warp holds of a row.
func (s Shape) width() int64 { return 32 * int64(s.Columns) }

// turn returns how many beats a turn has for rows of which so many are in use at once, and how many slots rings have: a divisor, at least
// 3 periods, as of the rows that come from global memory some are read, some have arrived and some are on their way.
func (s Shape) turn(depth int64) (turn, slots int) {
	d, p := int(depth), s.Period
	for turn = d; ; turn += d {
		if turn%p != 0 {
			continue
		}
		for slots = 3 * p; slots <= turn; slots++ {
			if turn%slots == 0 {
				return turn, slots
			}
		}
	}
}

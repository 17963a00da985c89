package lower

import (
	"fmt"
	"strings"
)

// A Strategy says how full tiles use shared memory: the variants (a) to (f) of
// the paper, each with all of those before it, but (f) in place of (e). Partial tiles copy in, compute
// and copy out under all but Global.
type Strategy uint8

// The strategies. The zero one is the best: it takes the least shared memory of
// those that load the least, and addresses it by numbers.
const (
	Moved       Strategy = iota // (e) what is left of the tile before is moved to where the next tile expects it
	Static                      // (f) what is left of the tile before stays where it is: columns lie in the buffer modulo its width
	Aligned                     // (d) rows are loaded in pieces that start at multiples of 128 bytes
	Interleaved                 // (c) results are stored to global memory as they are computed
	Staged                      // (b) copy in, compute, copy out
	Global                      // (a) no shared memory
)

var strategies = [...]struct{ name, letter string }{
	Moved: {"moved", "e"}, Static: {"static", "f"}, Aligned: {"aligned", "d"}, Interleaved: {"interleaved", "c"}, Staged: {"staged", "b"}, Global: {"global", "a"},
}

// String returns the name of s.
func (s Strategy) String() string { return strategies[s].name }

// Letter returns the letter of s in the paper.
func (s Strategy) Letter() string { return strategies[s].letter }

// reuses reports whether full tiles use what the tile before left.
func (s Strategy) reuses() bool { return s == Moved || s == Static }

// aligns reports whether rows are loaded in pieces that start at multiples of 128 bytes.
func (s Strategy) aligns() bool { return s.reuses() || s == Aligned }

// interleaves reports whether results are stored as they are computed.
func (s Strategy) interleaves() bool { return s.aligns() || s == Interleaved }

// Strategies returns all strategies, by letter.
func Strategies() []Strategy { return []Strategy{Global, Staged, Interleaved, Aligned, Moved, Static} }

// LookupStrategy returns the strategy of that name.
func LookupStrategy(name string) (Strategy, error) {
	var names []string
	for _, s := range Strategies() {
		if s.String() == name {
			return s, nil
		}
		names = append(names, s.String())
	}
	return 0, fmt.Errorf("%q is no use of shared memory: there are %s", name, strings.Join(names, ", "))
}
